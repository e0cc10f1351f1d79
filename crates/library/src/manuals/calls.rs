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

/// What to call next, and with what.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NextAction {
    /// The name of a tool.
    #[serde(rename = "type")]
    pub tool: &'static str,
    pub params: serde_json::Value,
}

impl NextAction {
    pub(crate) const fn new(tool: &'static str, params: serde_json::Value) -> Self {
        Self { tool, params }
    }
}
