//! The limits of a report and what only the caller knows.

use jiff::Timestamp;

/// How a report is made. `ReportOptions::default()` is what the product uses.
#[derive(Debug, Clone, PartialEq)]
pub struct ReportOptions {
    /// When it is made; left out where the caller wants the same bytes each time.
    pub generated_at: Option<Timestamp>,
    /// The version of Lyra that made it.
    pub lyra_version: String,
    /// A digest of the graph it was made from.
    pub graph_fingerprint: Option<String>,
    /// Below this a finding carries a caveat and what would raise it.
    pub min_confidence: f64,
    /// Independent sources a finding should rest on.
    pub wanted_sources: u32,
    /// Above this share one narrative outweighs the others.
    pub max_narrative_share: f64,
    /// Lines of the answer.
    pub answer_lines: usize,
    /// Findings that are written out; the rest is counted.
    pub max_findings: usize,
    /// Quotes on each side of a finding; the rest is counted.
    pub max_quotes: usize,
    /// Characters of one quote.
    pub max_quote_chars: usize,
    /// Candidates that were listed and not read.
    pub max_unread: usize,
    /// Entries of the lists of missed pages, claims set aside, chains and narratives.
    pub max_list: usize,
    /// Citations from a source to the primary source it rests on.
    pub max_chain_steps: usize,
}

impl Default for ReportOptions {
    fn default() -> Self {
        Self {
            generated_at: None,
            lyra_version: env!("CARGO_PKG_VERSION").to_owned(),
            graph_fingerprint: None,
            min_confidence: 0.7,
            wanted_sources: 3,
            max_narrative_share: 0.6,
            answer_lines: 5,
            max_findings: 25,
            max_quotes: 6,
            max_quote_chars: 480,
            max_unread: 20,
            max_list: 100,
            max_chain_steps: 3,
        }
    }
}
