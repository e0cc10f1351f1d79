//! How requests reach a server. This crate opens no connection itself.

use std::fmt::Debug;
use std::pin::Pin;
use std::time::Duration;

/// The bytes of an answer that is on its way.
pub type Answering<'a> = Pin<Box<dyn Future<Output = Result<Vec<u8>, TransportError>> + Send + 'a>>;

/// A way to one server.
pub trait Transport: Debug + Send + Sync {
    /// Posts JSON to a path of the server and gives the body of a successful answer.
    fn post<'a>(
        &'a self,
        path: &'a str,
        body: serde_json::Value,
        timeout: Duration,
    ) -> Answering<'a>;

    /// Sends a GET request for a path of the server.
    fn get<'a>(&'a self, path: &'a str, timeout: Duration) -> Answering<'a>;
}

/// Why a server gave no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TransportError {
    #[error("no answer within {} seconds", .0.as_secs_f64())]
    Timeout(Duration),
    #[error("it answered with status {0}")]
    Status(u16),
    #[error("it cannot be reached: {0}")]
    Unreachable(String),
    #[error("its answer is larger than {limit} bytes")]
    TooLarge { limit: usize },
}
