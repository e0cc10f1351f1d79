//! The settings of a report, and what only the caller knows.

use jiff::Timestamp;
use settings::settings;

use crate::Language;

settings! {
    /// What a report shows.
    pub struct ReportSettings {
        /// A finding below this confidence carries a caveat.
        min_confidence: f64 = 0.7, in 0.0..=1.0;
        /// Independent sources a finding should rest on.
        wanted_sources: u32 = 3, in 1..=100;
        /// Lines of the answer.
        answer_lines: usize = 5, in 1..=100;
        /// Findings that are written out; the rest is counted.
        max_findings: usize = 25, in 1..=10_000;
    }
    expert {
        /// Above this share one story outweighs the others.
        max_narrative_share: f64 = 0.6, in 0.0..=1.0;
        /// Quotes on each side of a finding; the rest is counted.
        max_quotes: usize = 6, in 1..=1_000;
        /// Characters of a quote.
        max_quote_chars: usize = 480, in 40..=100_000;
        /// Candidates that were not read.
        max_unread: usize = 20, in 0..=10_000;
        /// Entries of the other lists.
        max_list: usize = 100, in 1..=10_000;
        /// Citations from a source to the primary source it rests on.
        max_chain_steps: usize = 3, in 1..=100;
    }
    internal {
        /// When it is made; left out where the caller wants the same bytes each time.
        generated_at: Option<Timestamp> = None;
        /// The version of Lyra that made it.
        lyra_version: String = env!("CARGO_PKG_VERSION").to_owned();
        /// The language of headings and labels; that of the question where none is set.
        language: Option<Language> = None;
        /// A digest of the graph it was made from.
        graph_fingerprint: Option<String> = None;
    }
}
