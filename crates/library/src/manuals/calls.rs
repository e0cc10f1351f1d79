//! The calls of the manuals, one file each: what a client may ask and what it gets.

mod find;
mod guide;
mod hits;
mod ls;
mod read;
mod scan;
mod toc;

pub use find::{FindAnswer, FindRequest, Summary};
pub use guide::{Guide, GuideStep, get_tooling_guide};
pub use hits::{HitItem, HitKind, HitsAnswer, HitsRequest};
pub use ls::{LsAnswer, LsItem, LsKind, LsRequest};
pub use read::{ReadAnswer, ReadPart, ReadRequest, ReadScope};
pub use scan::{ScanAnswer, ScanRequest};
pub use toc::{TocAnswer, TocItem, TocRequest};

use serde::Serialize;
use serde_json::{Value, json};

use super::SectionRef;

/// What to call next, and with what.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NextAction {
    /// The name of a tool.
    #[serde(rename = "type")]
    pub tool: &'static str,
    pub params: Value,
}

/// A longer request is not repeated in what to call next, so that an answer stays small.
const REPEATED_TOKENS: usize = 100;

/// Rows of a list, at most.
const LIST_PAGE: usize = 50;

impl NextAction {
    pub(crate) const fn new(tool: &'static str, params: Value) -> Self {
        Self { tool, params }
    }

    /// The same request again, with other parameters; nothing where it is unknown or too long to be repeated.
    pub(crate) fn again(tool: &'static str, query: &str, others: Value) -> Option<Self> {
        if query.is_empty() || text::estimate_tokens(query) > REPEATED_TOKENS {
            return None;
        }
        let mut params = json!({ "query": query });
        if let (Value::Object(params), Value::Object(others)) = (&mut params, others) {
            params.extend(others);
        }
        Some(Self::new(tool, params))
    }

    /// Reads a section; a file that is none but itself is read whole.
    pub(crate) fn read(place: &SectionRef, trace_id: Option<&str>) -> Self {
        let scope = if place.line.is_some() { ReadScope::Section } else { ReadScope::File };
        let mut params = json!({ "ref": place, "scope": scope });
        if let Some(trace_id) = trace_id {
            params["trace_id"] = trace_id.into();
        }
        Self::new("manual_read", params)
    }
}
