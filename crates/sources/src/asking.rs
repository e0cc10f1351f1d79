//! Sending a request to an API, and what its answer means before it is read.

use std::time::Duration;

use evidence::{EventId, TaskId};
use fetch::{FetchRequest, FetchResponse, Fetcher, Freshness, Kind, Limits};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use text::shortened;
use url::Url;

use crate::outcome::Failure;

/// For whom a source is asked, which is what the ledger will say, and how.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AskedBy {
    pub task: Option<TaskId>,
    pub cause: Option<EventId>,
    /// How long one question may be under way, all tries together; waiting for a turn does not count. `None`: as long as
    /// any request.
    pub patience: Option<Duration>,
    /// Answers that came back since then are taken from the archive: for work that may have been cut off.
    pub since: Option<Timestamp>,
}

impl AskedBy {
    /// Puts down on a request for whom it is made.
    pub(crate) fn sends(self, request: &mut FetchRequest) {
        request.task = self.task;
        request.cause = self.cause;
        request.answer_within = self.patience;
        if let Some(since) = self.since {
            request.freshness = Freshness::Since(since);
        }
    }
}

/// How often one API may be asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ApiLimits {
    /// Requests at the same time.
    pub concurrent: usize,
    /// Requests a second, over time.
    pub per_second: f64,
    /// The pause between two requests is drawn between these.
    pub spacing_min_ms: u64,
    pub spacing_max_ms: u64,
    /// Requests a day; 0: no limit.
    pub per_day: u32,
}

impl Default for ApiLimits {
    fn default() -> Self {
        Self {
            concurrent: 1,
            per_second: 1.0,
            spacing_min_ms: 200,
            spacing_max_ms: 600,
            per_day: 5_000,
        }
    }
}

impl ApiLimits {
    pub(crate) fn fetch_request(&self, name: &str, url: Url) -> FetchRequest {
        let limits = Limits {
            concurrent: self.concurrent,
            spacing: (
                Duration::from_millis(self.spacing_min_ms),
                Duration::from_millis(self.spacing_max_ms.max(self.spacing_min_ms)),
            ),
            per_second: self.per_second,
            per_day: (self.per_day > 0).then_some(self.per_day),
        };
        FetchRequest::new(url, Kind::Api { name: name.to_owned(), limits })
    }
}

/// Characters of a source's own message that are kept.
const MAX_MESSAGE_CHARS: usize = 300;

/// Sends the request; an answer with an error status is a failure with the words of the source.
pub(crate) async fn ask(
    fetcher: &Fetcher,
    mut request: FetchRequest,
    asked_by: AskedBy,
) -> Result<FetchResponse, Failure> {
    asked_by.sends(&mut request);
    let fetched =
        fetcher.fetch(request).await.map_err(|missed| Failure::Missed { missed: missed.into() })?;
    match fetched.problem() {
        None => Ok(fetched),
        Some(reason) => Err(Failure::Status {
            status: fetched.status,
            reason,
            message: message_of(&fetched.body),
        }),
    }
}

/// The JSON of an answer.
pub(crate) fn json_of(body: &[u8]) -> Result<Value, Failure> {
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    serde_json::from_slice(body).map_err(|error| Failure::Unreadable {
        problem: if body.trim_ascii_start().starts_with(b"<") {
            "a web page came instead of JSON".to_owned()
        } else {
            error.to_string()
        },
    })
}

/// What the body of an error says, where it is JSON with a message; web pages say nothing of use.
pub(crate) fn message_of(body: &[u8]) -> String {
    let Ok(value) = serde_json::from_slice::<Value>(body) else { return String::new() };
    let said = ["message", "error", "detail", "error_message"]
        .iter()
        .find_map(|field| match value.get(field) {
            Some(Value::String(text)) => Some(text.as_str()),
            Some(Value::Object(inner)) => inner.get("message").and_then(Value::as_str),
            _ => None,
        })
        .unwrap_or_default();
    shortened(said, MAX_MESSAGE_CHARS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_of_an_error_is_found_in_the_forms_apis_use() {
        let said = |body: &str| message_of(body.as_bytes());
        assert_eq!(said(r#"{"error":"Paper with id 0 not found"}"#), "Paper with id 0 not found");
        assert_eq!(
            said(r#"{"error":"Invalid query","message":"no such filter"}"#),
            "no such filter"
        );
        assert_eq!(said(r#"{"error":{"code":5,"message":"down"}}"#), "down");
        assert_eq!(said("<html>Not found</html>"), "");
        assert_eq!(said("[1]"), "");
    }
}
