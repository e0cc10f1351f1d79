//! Answers of engines that need not be asked for again.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use unicode_normalization::UnicodeNormalization;

use crate::Query;
use crate::engines::EngineRequest;
use crate::serp::{Serp, SerpKind};

/// An answer as the cache keeps it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct CachedAnswer {
    pub(crate) serp: Serp,
    /// The archived result page.
    pub(crate) record_id: Option<String>,
    pub(crate) fetched_at: Timestamp,
}

impl CachedAnswer {
    /// Whether an answer is worth keeping: what may be different in an hour is not.
    pub(crate) fn is_worth_keeping(serp: &Serp) -> bool {
        matches!(serp.kind, SerpKind::Results | SerpKind::NoResults)
    }

    /// Reads what the cache gave. A payload of another version is no answer.
    pub(crate) fn of(payload: Value) -> Option<Self> {
        serde_json::from_value(payload).ok()
    }
}

/// The key of an answer: engine, query as it is compared, language, period, page.
pub(crate) fn key(engine: &str, query: &Query, request: &EngineRequest, page: u32) -> String {
    let text = request.text.nfkc().collect::<String>().to_lowercase();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let part = |it: &Option<String>| it.clone().unwrap_or_default();
    let (language, after, before) =
        (part(&query.language), part(&query.after), part(&query.before));
    format!("serp1 {engine} {page} {language} {after}..{before} {text}")
}
