//! The outcome of asking one source.

use fetch::{FetchFailure, Reason};
use serde::Serialize;

/// What one source answered, or why it did not. A source that fails leaves the others.
#[derive(Debug, Clone, Serialize)]
pub struct SourceOutcome {
    /// The index, API or folder.
    pub source: String,
    /// Records that were used.
    pub found: usize,
    /// Records the source says it has for this query.
    pub total: Option<u64>,
    /// Requests that were sent.
    pub requests: usize,
    /// Why there is nothing, or nothing beyond `found`.
    pub failure: Option<Failure>,
    /// Fields and records that could not be used, and parts of the query the source knows nothing about.
    pub notes: Vec<String>,
}

impl SourceOutcome {
    pub(crate) fn new(source: &str) -> Self {
        Self {
            source: source.to_owned(),
            found: 0,
            total: None,
            requests: 0,
            failure: None,
            notes: Vec::new(),
        }
    }
}

/// Why a source gave nothing, or not all it has.
#[derive(Debug, Clone, thiserror::Error, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Failure {
    /// The fetch failed.
    #[error("{}", missed.detail)]
    Missed { missed: Box<FetchFailure> },
    /// The source answered with a status that is no success.
    #[error("it answered {status}{}", said(message))]
    Status { status: u16, reason: Reason, message: String },
    /// An error inside an answer that calls itself a success.
    #[error("it says: {message}")]
    Refused { message: String },
    #[error("its answer cannot be read: {problem}")]
    Unreadable { problem: String },
    #[error("it needs the key `{key}`{}", said(hint))]
    NoKey { key: String, hint: String },
    /// The source cannot be asked this query at all.
    #[error("{problem}")]
    Unsuited { problem: String },
    #[error("it is switched off")]
    Off,
}

fn said(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(": {text}") }
}

/// What was wrong with records, in a bounded list.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    lines: Vec<String>,
    left_out: usize,
    max: usize,
}

impl Notes {
    pub(crate) fn up_to(max: usize) -> Self {
        Self { lines: Vec::new(), left_out: 0, max }
    }

    pub(crate) fn add(&mut self, line: String) {
        if self.lines.len() < self.max {
            self.lines.push(line);
        } else {
            self.left_out += 1;
        }
    }

    pub(crate) fn into_lines(mut self) -> Vec<String> {
        if self.left_out > 0 {
            self.lines.push(format!("{} more of the kind", self.left_out));
        }
        self.lines
    }
}
