//! The language model of a task: reached over `fetch`, guarded by `judge`, bounded in time here.

use std::sync::Arc;
use std::time::Duration;

use fetch::{ModelServer, Reason};
use llm::{Answering, Llm, LlmSettings, Transport, TransportError};
use serde_json::Value;

/// A server, and how to talk to it. Every task gets a model of its own, with its own tag around instructions.
#[derive(Debug, Clone)]
pub struct LlmServer {
    pub server: ModelServer,
    pub settings: LlmSettings,
}

impl LlmServer {
    pub fn for_task(&self) -> Llm {
        let transport = Arc::new(Wire(self.server.clone()));
        Llm::new(self.settings.clone(), transport, &mut fastrand::Rng::new())
    }
}

#[derive(Debug)]
struct Wire(ModelServer);

impl Wire {
    async fn call(
        &self,
        path: &str,
        body: Option<Vec<u8>>,
        limit: Duration,
    ) -> Result<Vec<u8>, TransportError> {
        match self.0.call(path, body, None, limit).await {
            Ok((200..=299, body)) => Ok(body),
            Ok((status, _)) => Err(TransportError::Status(status)),
            Err(missed) if missed.reason == Reason::TimedOut => Err(TransportError::Timeout(limit)),
            Err(missed) => Err(TransportError::Unreachable(missed.detail)),
        }
    }
}

impl Transport for Wire {
    fn post<'a>(&'a self, path: &'a str, body: Value, timeout: Duration) -> Answering<'a> {
        Box::pin(async move { self.call(path, Some(body.to_string().into_bytes()), timeout).await })
    }

    fn get<'a>(&'a self, path: &'a str, timeout: Duration) -> Answering<'a> {
        Box::pin(async move { self.call(path, None, timeout).await })
    }
}
