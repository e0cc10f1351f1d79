//! A transport of a few lines to a server on loopback.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper_util::rt::TokioIo;
use llm::{Answering, Llm, LlmSettings};
use llm::{Transport, TransportError};
use testweb::LlmServer;
use tokio::net::TcpStream;

#[derive(Debug)]
pub(crate) struct Loopback(pub(crate) SocketAddr);

impl Loopback {
    async fn send(
        &self,
        method: &str,
        path: &str,
        body: String,
    ) -> Result<Vec<u8>, TransportError> {
        let unreachable =
            |error: &dyn std::fmt::Display| TransportError::Unreachable(error.to_string());
        let stream = TcpStream::connect(self.0).await.map_err(|it| unreachable(&it))?;
        let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream))
            .await
            .map_err(|it| unreachable(&it))?;
        tokio::spawn(connection);
        let request = hyper::Request::builder()
            .method(method)
            .uri(path)
            .header("host", self.0.to_string())
            .header("content-type", "application/json")
            .body(Full::<Bytes>::from(body))
            .unwrap();
        let answer = sender.send_request(request).await.map_err(|it| unreachable(&it))?;
        if !answer.status().is_success() {
            return Err(TransportError::Status(answer.status().as_u16()));
        }
        let body = answer.into_body().collect().await.map_err(|it| unreachable(&it))?;
        Ok(body.to_bytes().to_vec())
    }

    async fn within(
        &self,
        method: &str,
        path: &str,
        body: String,
        timeout: Duration,
    ) -> Result<Vec<u8>, TransportError> {
        match tokio::time::timeout(timeout, self.send(method, path, body)).await {
            Ok(answer) => answer,
            Err(_) => Err(TransportError::Timeout(timeout)),
        }
    }
}

impl Transport for Loopback {
    fn post<'a>(
        &'a self,
        path: &'a str,
        body: serde_json::Value,
        timeout: Duration,
    ) -> Answering<'a> {
        Box::pin(self.within("POST", path, body.to_string(), timeout))
    }

    fn get<'a>(&'a self, path: &'a str, timeout: Duration) -> Answering<'a> {
        Box::pin(self.within("GET", path, String::new(), timeout))
    }
}

/// A model of a server, for a task of its own.
pub(crate) fn model(server: &LlmServer, settings: LlmSettings) -> Llm {
    Llm::new(settings, Arc::new(Loopback(server.address())), &mut fastrand::Rng::with_seed(5))
}

/// Runs to the end.
pub(crate) fn run<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(future)
}
