//! The way to the network for a window in which a person is at work.
//!
//! Such a window needs a network of its own: what people do in it (a password, a proof of being human) is not Lyra's to read or to
//! send. It gets one that keeps the rules which do not depend on who asks: each connection is checked by the guard, opened
//! to the address that was checked, and has a row in the ledger. What is encrypted stays so; nothing is archived.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use evidence::domain::normal_host;
use evidence::{EventId, TaskId};
use ledger::{EgressAnswer, NewEgress};
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{AbortHandle, JoinSet};
use url::{Host, Url};

use crate::Fetcher;
use crate::fetcher::Inner;
use crate::recorder::{Arrival, Departure};

/// As servers do, who refuse longer ones.
const MAX_HEAD: usize = 64 << 10;
/// Time for a request to say what it wants.
const PATIENCE: Duration = Duration::from_secs(30);
const MAX_CONNECTIONS: usize = 256;

/// An open way to the network, for as long as it is held. It listens on this machine only.
#[derive(Debug)]
pub struct Relay {
    address: SocketAddr,
    work: AbortHandle,
}

/// On whose behalf a window is open.
#[derive(Debug, Clone, Copy)]
struct Behalf {
    task: Option<TaskId>,
    cause: Option<EventId>,
}

/// Where a request wants to go.
#[derive(Debug)]
struct Wanted {
    method: String,
    url: Url,
    /// What was read of it, as its server is to see it.
    head: Vec<u8>,
}

impl Fetcher {
    /// Opens a way to the network for a person's window.
    pub async fn relay(&self, task: Option<TaskId>, cause: Option<EventId>) -> io::Result<Relay> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let inner = Arc::clone(&self.inner);
        let work = tokio::spawn(async move {
            let mut open = JoinSet::new();
            loop {
                // Those that are over.
                while open.try_join_next().is_some() {}
                let Ok((stream, _)) = listener.accept().await else {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                };
                if open.len() >= MAX_CONNECTIONS {
                    continue;
                }
                let inner = Arc::clone(&inner);
                open.spawn(async move {
                    let behalf = Behalf { task, cause };
                    if let Err(error) = serve(&inner, behalf, stream).await {
                        tracing::debug!(%error, "a connection of a person's window broke");
                    }
                });
            }
        });
        Ok(Relay { address, work: work.abort_handle() })
    }
}

impl Relay {
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.work.abort();
    }
}

async fn serve(inner: &Arc<Inner>, behalf: Behalf, mut stream: TcpStream) -> io::Result<()> {
    let wanted = tokio::time::timeout(PATIENCE, read_wanted(&mut stream)).await;
    let wanted = match wanted {
        Ok(Ok(Some(wanted))) => wanted,
        Ok(Ok(None)) => return answer(&mut stream, 400, "this is no request to a proxy").await,
        Ok(Err(error)) => return Err(error),
        Err(_) => return Ok(()),
    };
    if let Some(refused) = inner.refuses(&wanted.url) {
        return answer(&mut stream, 403, &refused.detail).await;
    }
    if let Err(refused) = inner.check_policy(&wanted.url).await {
        return answer(&mut stream, 403, &refused.detail).await;
    }
    let addresses = match addresses(inner, &wanted.url).await {
        Ok(addresses) => addresses,
        Err(why) => return answer(&mut stream, 403, &why).await,
    };
    let host = wanted.url.host_str().unwrap_or_default();
    let departure = Departure {
        egress: NewEgress {
            task_id: behalf.task,
            purpose: "person".to_owned(),
            route: "person",
            method: method(&wanted.method),
            scheme: wanted.url.scheme().to_owned(),
            host: normal_host(host),
            port: wanted.url.port_or_known_default().unwrap_or_default(),
            // What lies behind a question mark may be what a person typed.
            path: wanted.url.path().to_owned(),
            request_bytes: wanted.head.len() as u64,
        },
        cause: behalf.cause,
        queues: Vec::new(),
    };
    let seq = match inner.recorder.departure(departure).await {
        Ok(seq) => seq,
        Err(problem) => return answer(&mut stream, 502, &problem.to_string()).await,
    };
    let mut open = OpenRow { inner, seq, answer: None };
    let Some((mut server, address)) = connect(&addresses).await else {
        open.answer = Some(ended(None, (0, 0), "cannot_connect"));
        return answer(&mut stream, 502, &format!("{host} could not be reached")).await;
    };
    let address = Some(address.ip().to_string());
    open.answer = Some(ended(address.clone(), (0, 0), "called_off"));
    if wanted.method == "CONNECT" {
        stream.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n").await?;
    } else {
        server.write_all(&wanted.head).await?;
    }
    let carried = copy_bidirectional(&mut stream, &mut server).await;
    let (sent, came) = carried.as_ref().copied().unwrap_or_default();
    let first = if wanted.method == "CONNECT" { 0 } else { wanted.head.len() as u64 };
    open.answer = Some(ended(address, (first + sent, came), "carried"));
    carried.map(|_| ())
}

/// A row of the ledger that is closed however the connection ends.
struct OpenRow<'a> {
    inner: &'a Inner,
    seq: i64,
    answer: Option<EgressAnswer>,
}

impl Drop for OpenRow<'_> {
    fn drop(&mut self) {
        let answer = self.answer.take().unwrap_or_else(|| ended(None, (0, 0), "called_off"));
        let arrival = Arrival { seq: self.seq, answer, exchange: None, cache: Vec::new() };
        self.inner.recorder.called_off(arrival);
    }
}

fn ended(address: Option<String>, (sent, came): (u64, u64), outcome: &str) -> EgressAnswer {
    EgressAnswer {
        address,
        status: None,
        sent_bytes: sent,
        response_bytes: came,
        outcome: outcome.to_owned(),
    }
}

/// The head of a request to a proxy; `None` where it is none.
async fn read_wanted(stream: &mut TcpStream) -> io::Result<Option<Wanted>> {
    let mut read = Vec::new();
    let end = loop {
        if let Some(at) = read.windows(4).position(|it| it == b"\r\n\r\n") {
            break at + 4;
        }
        let mut part = [0; 4_096];
        let n = stream.read(&mut part).await?;
        if n == 0 || read.len() + n > MAX_HEAD {
            return Ok(None);
        }
        read.extend_from_slice(&part[..n]);
    };
    Ok(understood(&read, end))
}

fn understood(read: &[u8], end: usize) -> Option<Wanted> {
    let head = std::str::from_utf8(read.get(..end)?).ok()?;
    let (line, headers) = head.split_once("\r\n")?;
    let mut words = line.split(' ');
    let (method, target, _) = (words.next()?, words.next()?, words.next()?);
    if method == "CONNECT" {
        let url = Url::parse(&format!("https://{target}/")).ok()?;
        return Some(Wanted { method: method.to_owned(), url, head: Vec::new() });
    }
    let url = Url::parse(target).ok().filter(|it| it.scheme() == "http")?;
    // One request each: the next one may want to go elsewhere.
    let mut own = format!("{method} {} HTTP/1.1\r\n", crate::headers::target(&url));
    for header in headers.split_terminator("\r\n").filter(|it| !it.is_empty()) {
        let name = header.split(':').next().unwrap_or_default();
        let hop = ["connection", "proxy-connection", "proxy-authorization", "keep-alive"];
        if !hop.iter().any(|it| name.eq_ignore_ascii_case(it)) {
            own.extend([header, "\r\n"]);
        }
    }
    own.push_str("connection: close\r\n\r\n");
    let mut head = own.into_bytes();
    head.extend_from_slice(&read[end..]);
    Some(Wanted { method: method.to_owned(), url, head })
}

/// The addresses of a host, each checked.
async fn addresses(inner: &Inner, url: &Url) -> Result<Vec<SocketAddr>, String> {
    let port = url.port_or_known_default().unwrap_or_default();
    let mut found = match url.host() {
        Some(Host::Ipv4(address)) => vec![SocketAddr::from((address, 0))],
        Some(Host::Ipv6(address)) => vec![SocketAddr::from((address, 0))],
        Some(Host::Domain(name)) => {
            inner.resolver.addresses(name).await.map_err(|it| it.to_string())?
        }
        None => Vec::new(),
    };
    for address in found.iter_mut().filter(|it| it.port() == 0) {
        address.set_port(port);
    }
    Ok(found)
}

async fn connect(addresses: &[SocketAddr]) -> Option<(TcpStream, SocketAddr)> {
    for address in addresses {
        let connecting = tokio::time::timeout(PATIENCE, TcpStream::connect(address)).await;
        if let Ok(Ok(stream)) = connecting {
            return Some((stream, *address));
        }
    }
    None
}

async fn answer(stream: &mut TcpStream, status: u16, why: &str) -> io::Result<()> {
    let words = match status {
        400 => "Bad Request",
        403 => "Forbidden",
        _ => "Bad Gateway",
    };
    let body = format!("Lyra: {why}\n");
    let head = format!(
        "HTTP/1.1 {status} {words}\r\ncontent-type: text/plain; charset=utf-8\r\n\
         content-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(body.as_bytes()).await?;
    stream.shutdown().await
}

/// A method as the ledger names it.
fn method(given: &str) -> &'static str {
    const METHODS: [&str; 8] =
        ["CONNECT", "GET", "POST", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"];
    METHODS.into_iter().find(|it| *it == given).unwrap_or("OTHER")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(head: &str) -> String {
        match understood(head.as_bytes(), head.len()) {
            None => "nothing".to_owned(),
            Some(it) => format!("{} {} {}", it.method, it.url, String::from_utf8_lossy(&it.head))
                .replace("\r\n", "|"),
        }
    }

    #[test]
    fn a_request_to_a_proxy_is_understood_and_goes_on_without_what_is_for_the_proxy() {
        assert_eq!(
            told("CONNECT news.example:443 HTTP/1.1\r\nHost: news.example:443\r\n\r\n"),
            "CONNECT https://news.example/ "
        );
        assert_eq!(
            told(
                "GET http://news.example:8080/a?b=1 HTTP/1.1\r\nHost: news.example:8080\r\n\
                 Proxy-Connection: keep-alive\r\nCookie: a=1\r\n\r\n"
            ),
            "GET http://news.example:8080/a?b=1 GET /a?b=1 HTTP/1.1|Host: news.example:8080|Cookie: a=1|connection: close||"
        );
        for odd in ["GET / HTTP/1.1\r\n\r\n", "GET ftp://a.example/ HTTP/1.1\r\n\r\n", "\r\n\r\n"] {
            assert_eq!(told(odd), "nothing", "{odd}");
        }
    }
}
