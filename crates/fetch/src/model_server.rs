//! A language model behind HTTP: on this machine, unless the user says otherwise.
//!
//! It is no part of the web: no robots, no pace, and no archive, because prompts are never stored. A request that stays
//! on the machine leaves nothing; one that does not is a row of the ledger like every other, without its words.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use evidence::TaskId;
use ledger::{EgressAnswer, Entry, Ledger, LedgerError, NewEgress};
use reqwest::{Client, Method};
use url::{Host, Url};

use crate::{FetchFailure, OpenError, Reason, Route};

/// The server of a language model.
#[derive(Debug, Clone)]
pub struct ModelServer {
    client: Client,
    base: Url,
    key: Option<String>,
    max_answer_bytes: usize,
    /// The ledger, where requests leave this machine.
    ledger: Option<Arc<dyn Ledger>>,
}

/// How a server of a language model is reached.
#[derive(Debug, Clone)]
pub struct ModelServerOptions {
    /// Where it listens, such as `http://127.0.0.1:11434`.
    pub url: String,
    /// Whether it may be another machine.
    pub allow_remote: bool,
    pub key: Option<String>,
    pub offline: bool,
    pub max_answer_bytes: usize,
}

impl ModelServer {
    pub fn open(ledger: Arc<dyn Ledger>, options: ModelServerOptions) -> Result<Self, OpenError> {
        let wrong = |problem: &str| OpenError::Setting {
            setting: "llm.url",
            value: options.url.clone(),
            problem: problem.to_owned(),
        };
        let mut base = Url::parse(options.url.trim()).map_err(|_| wrong("is no address"))?;
        if !matches!(base.scheme(), "http" | "https") || base.host().is_none() {
            return Err(wrong("is no address of a server"));
        }
        if !base.path().ends_with('/') {
            base.set_path(&format!("{}/", base.path()));
        }
        let local = is_local(&base);
        if !local && !options.allow_remote {
            return Err(wrong("is not this machine; llm.allow_remote = true would allow it"));
        }
        if !local && options.offline {
            return Err(wrong("is not this machine, and Lyra runs offline"));
        }
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut builder = Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            .no_proxy();
        if local {
            // The name means this machine, whatever a resolver says.
            let port = base.port_or_known_default().unwrap_or(80);
            builder = builder
                .resolve("localhost", SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port));
        }
        Ok(Self {
            client: builder.build().map_err(OpenError::Client)?,
            base,
            key: options.key.filter(|it| !it.is_empty()),
            max_answer_bytes: options.max_answer_bytes,
            ledger: (!local).then_some(ledger),
        })
    }

    pub fn is_local(&self) -> bool {
        self.ledger.is_none()
    }

    /// Sends JSON (or asks, without any) and gives the status and body of the answer.
    pub async fn call(
        &self,
        path: &str,
        json: Option<Vec<u8>>,
        task: Option<TaskId>,
        limit: Duration,
    ) -> Result<(u16, Vec<u8>), FetchFailure> {
        let missed = |reason, detail: String| FetchFailure {
            url: self.base.clone(),
            reason,
            detail,
            status: None,
            again_at: None,
        };
        let url = self
            .base
            .join(path.trim_start_matches('/'))
            .map_err(|error| missed(Reason::BadAddress, error.to_string()))?;
        let bytes = json.as_ref().map_or(0, Vec::len) as u64;
        let method = if json.is_some() { Method::POST } else { Method::GET };
        let row =
            self.leaving(&url, method.as_str() == "POST", bytes, task).await.map_err(|error| {
                missed(Reason::NotRecorded, format!("the ledger cannot be written: {error}"))
            })?;
        let answered = tokio::time::timeout(limit, self.send(url, method, json)).await;
        let outcome = match answered {
            Err(_) => Err(missed(
                Reason::TimedOut,
                format!("the language model did not answer within {} s", limit.as_secs()),
            )),
            Ok(Err((reason, detail))) => Err(missed(reason, detail)),
            Ok(Ok(answer)) => Ok(answer),
        };
        self.came_back(row, &outcome).await;
        outcome
    }

    async fn send(
        &self,
        url: Url,
        method: Method,
        json: Option<Vec<u8>>,
    ) -> Result<(u16, Vec<u8>), (Reason, String)> {
        let mut request = self.client.request(method, url);
        if let Some(body) = json {
            request = request.header("content-type", "application/json").body(body);
        }
        if let Some(key) = &self.key {
            request = request.bearer_auth(key);
        }
        // The text of an error may hold the address, which is no secret, and never holds the body.
        let mut response = request.send().await.map_err(|error| match error.is_connect() {
            true => (Reason::CannotConnect, "no language model answers there".to_owned()),
            false => (Reason::BrokenAnswer, format!("the answer broke off: {error}")),
        })?;
        let status = response.status().as_u16();
        let mut body = Vec::new();
        loop {
            let chunk = response.chunk().await;
            let chunk = chunk.map_err(|error| {
                (Reason::BrokenAnswer, format!("the answer broke off: {error}"))
            })?;
            let Some(chunk) = chunk else { return Ok((status, body)) };
            if body.len() + chunk.len() > self.max_answer_bytes {
                let limit = self.max_answer_bytes;
                return Err((Reason::TooLarge, format!("the answer has more than {limit} bytes")));
            }
            body.extend_from_slice(&chunk);
        }
    }

    async fn leaving(
        &self,
        url: &Url,
        is_post: bool,
        bytes: u64,
        task: Option<TaskId>,
    ) -> Result<Option<(i64, u64)>, LedgerError> {
        let Some(ledger) = self.ledger.clone() else { return Ok(None) };
        let request = NewEgress {
            task_id: task,
            purpose: "llm".to_owned(),
            route: Route::Http.as_str(),
            method: if is_post { "POST" } else { "GET" },
            scheme: url.scheme().to_owned(),
            host: url.host_str().unwrap_or_default().to_owned(),
            port: url.port_or_known_default().unwrap_or(0),
            path: url.path().to_owned(),
            request_bytes: bytes,
        };
        let written = tokio::task::spawn_blocking(move || {
            let entry = Entry::Request { request, cause: None, paces: Vec::new() };
            let numbers = ledger.record("llm_request", &[entry])?;
            Ok(numbers.first().copied().flatten().map(|seq| (seq, bytes)))
        });
        written.await.expect("writing a row does not panic")
    }

    async fn came_back(
        &self,
        row: Option<(i64, u64)>,
        outcome: &Result<(u16, Vec<u8>), FetchFailure>,
    ) {
        let (Some(ledger), Some((seq, bytes))) = (self.ledger.clone(), row) else { return };
        let answer = match outcome {
            Ok((status, body)) => EgressAnswer {
                address: None,
                sent_bytes: bytes,
                status: Some(*status),
                response_bytes: body.len() as u64,
                outcome: "answered".to_owned(),
            },
            Err(missed) => EgressAnswer {
                address: None,
                sent_bytes: if missed.reason == Reason::CannotConnect { 0 } else { bytes },
                status: None,
                response_bytes: 0,
                outcome: missed.reason.as_str().to_owned(),
            },
        };
        let written = tokio::task::spawn_blocking(move || {
            let entry = Entry::Answer { seq, answer, archived: Vec::new(), cached: Vec::new() };
            ledger.record("llm_answer", &[entry])
        });
        if let Err(error) = written.await.expect("writing a row does not panic") {
            tracing::error!(%error, "the answer of a language model is missing in the ledger");
        }
    }
}

fn is_local(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name.eq_ignore_ascii_case("localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use graph::{Graph, GraphLedger};

    use super::*;

    fn open(url: &str, allow_remote: bool, offline: bool) -> Result<bool, String> {
        let graph = Graph::in_memory(graph::Options::default()).unwrap();
        let ledger = Arc::new(GraphLedger::new(Arc::new(graph)));
        let url = url.to_owned();
        let options =
            ModelServerOptions { url, allow_remote, key: None, offline, max_answer_bytes: 1_000 };
        ModelServer::open(ledger, options).map(|it| it.is_local()).map_err(|it| it.to_string())
    }

    #[test]
    fn only_this_machine_is_asked_unless_the_user_says_otherwise() {
        for local in ["http://127.0.0.1:11434", "http://localhost:8080/v1", "http://[::1]:9/"] {
            assert_eq!(open(local, false, true), Ok(true), "{local}");
        }
        assert_eq!(
            open("http://10.0.0.7:11434", false, false).unwrap_err(),
            "llm.url = \"http://10.0.0.7:11434\" is not this machine; llm.allow_remote = true would allow it"
        );
        assert_eq!(open("http://10.0.0.7:11434", true, false), Ok(false));
        assert_eq!(
            open("http://llm.example", true, true).unwrap_err(),
            "llm.url = \"http://llm.example\" is not this machine, and Lyra runs offline"
        );
        assert_eq!(open("llm", false, false).unwrap_err(), "llm.url = \"llm\" is no address");
        assert_eq!(
            open("localhost.evil.example", false, false).unwrap_err(),
            "llm.url = \"localhost.evil.example\" is no address"
        );
    }
}
