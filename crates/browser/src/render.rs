//! A page, from its first request to the text that its scripts make.

pub(crate) mod context;
pub(crate) mod network;
pub(crate) mod page;
mod reading;
mod refusals;
mod requests;

use url::Url;

/// A page as a plain request brought it.
#[derive(Debug, Clone)]
pub struct Opening {
    /// The address after redirects.
    pub url: Url,
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
    /// Where the archive has it.
    pub record_id: Option<String>,
}

/// What became of a page.
#[derive(Debug, Clone)]
pub struct Rendered {
    /// The address the page is at in the end; its scripts may have changed it.
    pub url: Url,
    /// The document as a person would be shown it, as HTML: with what lies in shadow roots and in frames of the same
    /// site, and what is not shown marked `hidden`.
    pub html: String,
    /// A picture of it, as PNG.
    pub screenshot: Option<Vec<u8>>,
    /// What it asked for.
    pub parts: Vec<Part>,
    /// Why it was read before it came to rest, if it was.
    pub cut_short: Option<String>,
    /// Dialogs, windows and downloads that were refused.
    pub refused: u32,
}

/// One thing that a page asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    pub url: String,
    pub outcome: PartOutcome,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PartOutcome {
    /// It was brought, and the archive has it there.
    Brought { status: u16, record_id: Option<String> },
    /// It was not, for this reason.
    Refused(String),
}
