//! Names to addresses, each checked, and only checked addresses are connected to.
//!
//! The HTTP client asks this resolver once for each connection and connects to what it gets: there is no
//! second lookup in between that could be answered differently.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use crate::guard::{Guard, Refused};

/// Looks up the addresses of a name.
pub(crate) trait Lookup: Send + Sync + fmt::Debug {
    fn addresses(&self, name: String) -> Looking;
}

pub(crate) type Looking =
    std::pin::Pin<Box<dyn Future<Output = io::Result<Vec<SocketAddr>>> + Send>>;

/// The system's own resolver.
#[derive(Debug)]
pub(crate) struct SystemLookup;

impl Lookup for SystemLookup {
    fn addresses(&self, name: String) -> Looking {
        Box::pin(async move { Ok(tokio::net::lookup_host((name, 0)).await?.collect()) })
    }
}

/// Answers the HTTP client.
#[derive(Debug, Clone)]
pub(crate) struct CheckedResolver {
    guard: Arc<Guard>,
    lookup: Arc<dyn Lookup>,
}

/// Why a name has no address to connect to; found again in the client's error.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoAddress {
    #[error("{}", .0.detail)]
    Refused(Refused),
    #[error("the name {0} has no address")]
    Unknown(String),
    #[error("the name {0} could not be looked up")]
    Failed(String, #[source] io::Error),
}

impl CheckedResolver {
    pub(crate) fn new(guard: Arc<Guard>, lookup: Arc<dyn Lookup>) -> Self {
        Self { guard, lookup }
    }

    pub(crate) async fn addresses(&self, name: &str) -> Result<Vec<SocketAddr>, NoAddress> {
        let given = self.guard.hosts_of(name);
        let found = match given.is_empty() {
            false => given,
            true => match self.lookup.addresses(name.to_owned()).await {
                Ok(found) => found,
                // What the systems say for "no such name" has no kind of its own.
                Err(error) if is_unknown(&error) => {
                    return Err(NoAddress::Unknown(name.to_owned()));
                }
                Err(error) => return Err(NoAddress::Failed(name.to_owned(), error)),
            },
        };
        if self.guard.is_proxy(name) {
            // The user named the proxy, and URLs with its name are refused by the guard.
            return Ok(found);
        }
        let mut public = Vec::new();
        let mut refused = None;
        for address in found {
            match self.guard.check_address(name, address.ip()) {
                Ok(()) => public.push(address),
                Err(it) => refused = Some(it),
            }
        }
        match (public.is_empty(), refused) {
            (false, _) => Ok(public),
            (true, Some(refused)) => Err(NoAddress::Refused(refused)),
            (true, None) => Err(NoAddress::Unknown(name.to_owned())),
        }
    }
}

fn is_unknown(error: &io::Error) -> bool {
    let text = error.to_string().to_lowercase();
    error.kind() == io::ErrorKind::NotFound
        || ["not known", "no address", "nodename", "no such host", "not found"]
            .iter()
            .any(|it| text.contains(it))
}

impl Resolve for CheckedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let resolver = self.clone();
        Box::pin(async move {
            let found = resolver.addresses(name.as_str()).await?;
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpListener;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use graph::{Graph, GraphLedger, Options};

    use super::*;
    use crate::{FetchRequest, FetchSettings, Fetcher, Reason};

    /// Answers with one address after another, the last one for ever.
    #[derive(Debug)]
    struct Rebinding {
        answers: Vec<SocketAddr>,
        asked: AtomicUsize,
    }

    impl Lookup for Rebinding {
        fn addresses(&self, _: String) -> Looking {
            let asked = self.asked.fetch_add(1, Ordering::Relaxed);
            let answer = self.answers[asked.min(self.answers.len() - 1)];
            Box::pin(async move { Ok(vec![answer]) })
        }
    }

    /// A server that says "here" to everybody and counts them.
    fn counting(address: &str) -> (SocketAddr, Arc<AtomicUsize>) {
        let listener = TcpListener::bind(address).unwrap();
        let address = listener.local_addr().unwrap();
        let visits = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&visits);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                counted.fetch_add(1, Ordering::Relaxed);
                let mut stream = stream.unwrap();
                let mut request = [0; 2_048];
                let _ = stream.read(&mut request).unwrap();
                let answer =
                    "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 4\r\n\r\nhere";
                stream.write_all(answer.as_bytes()).unwrap();
            }
        });
        (address, visits)
    }

    #[tokio::test]
    async fn a_name_that_is_answered_differently_the_second_time_gets_nowhere() {
        let (public, public_visits) = counting("127.0.0.2:0");
        let (inner, inner_visits) = counting("127.0.0.1:0");
        let dir = tempfile::tempdir().unwrap();
        let lookup =
            Arc::new(Rebinding { answers: vec![public, inner], asked: AtomicUsize::new(0) });
        let settings = FetchSettings {
            allow_networks: vec!["127.0.0.2/32".to_owned()],
            spacing_min_ms: 0,
            spacing_max_ms: 0,
            ..FetchSettings::default()
        };
        let fetcher = Fetcher::open_asking(
            Arc::new(GraphLedger::new(Arc::new(Graph::in_memory(Options::default()).unwrap()))),
            dir.path(),
            settings,
            Arc::clone(&lookup) as Arc<dyn Lookup>,
        )
        .unwrap();
        // robots.txt is answered by the first address; the page would be by the second.
        let missed =
            fetcher.fetch(FetchRequest::page("http://rebind.example/x".parse().unwrap())).await;
        assert_eq!(missed.unwrap_err().reason, Reason::PrivateAddress);
        assert_eq!(lookup.asked.load(Ordering::Relaxed), 2, "one lookup for each connection");
        assert_eq!(public_visits.load(Ordering::Relaxed), 1);
        assert_eq!(inner_visits.load(Ordering::Relaxed), 0);
    }

    #[tokio::test]
    async fn names_without_an_address_say_so() {
        let guard = Arc::new(Guard::new(&FetchSettings::default()).unwrap());
        let resolver = CheckedResolver::new(guard, Arc::new(SystemLookup));
        let error = resolver.addresses("no-such-name.invalid").await.unwrap_err();
        assert!(error.to_string().starts_with("the name no-such-name.invalid "), "{error}");
    }
}
