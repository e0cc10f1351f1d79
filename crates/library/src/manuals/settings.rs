//! Every limit of the manuals; the defaults are those of [`LibrarySettings`].

use std::time::Duration;

use crate::LibrarySettings;

/// What is read, how far a search goes, and how much an answer may hold.
#[derive(Debug, Clone, PartialEq)]
pub struct ManualSettings {
    /// Larger files are skipped and listed.
    pub max_file_bytes: u64,
    /// Files after so many, in order, are skipped and listed.
    pub max_files: usize,
    /// Folders below a manual; deeper ones are skipped and listed.
    pub max_depth: usize,
    /// Longer requests are refused.
    pub max_query_chars: usize,
    /// How many candidates a search keeps; what is over is listed as not looked at.
    pub max_candidates: usize,
    /// How many sections a search looks at.
    pub max_nodes_scanned: usize,
    /// How many bytes of text a search looks at.
    pub max_bytes_scanned: usize,
    /// How long a search may take before it answers with what it has.
    pub deadline: Duration,
    /// How much of a request a section must cover to be a candidate, as a share of what the best one covers.
    pub min_coverage: f64,
    /// The same for a section that stands near one that covers the request fully, and so is likely to belong to it.
    pub min_coverage_near: f64,
    /// How many sections away is near.
    pub near_sections: u32,
    /// From which share on a section covers the request fully.
    pub full_coverage: f64,
    /// The same for sections that hold an exception.
    pub min_exception_coverage: f64,
    /// What the parts of a compound word are worth when they do not stand together.
    pub part_credit: f64,
    /// How many steps references are followed.
    pub reference_depth: usize,
    /// How many targets one reference may have before it says nothing.
    pub max_reference_targets: usize,
    /// How many sentences are compared in the search for conflicts.
    pub max_conflict_sentences: usize,
    /// How many candidates the semantic signal may add.
    pub max_semantic: usize,
    /// Traces beyond so many are forgotten, oldest first.
    pub trace_max_keep: usize,
    /// Older traces are forgotten.
    pub trace_ttl: Duration,
    /// Characters of a snippet.
    pub snippet_chars: usize,
    /// Hits on one page, unless the caller says otherwise.
    pub hits_page: usize,
    /// The most hits a caller can ask for at once.
    pub max_hits_page: usize,
    /// The estimated tokens of one page of hits; a page ends before it would grow over them.
    pub hits_tokens: usize,
    /// Characters that `manual_read` returns, unless the caller says otherwise.
    pub read_chars: usize,
    /// The most characters a caller can ask for.
    pub max_read_chars: usize,
    /// Sections that one `manual_read` returns.
    pub read_sections: usize,
    /// Characters of one step of `manual_scan`, unless the caller says otherwise.
    pub scan_chars: usize,
    /// Headings on one page of a table of contents.
    pub toc_page: usize,
    /// Manuals, files or skipped files on one page of a list.
    pub ls_page: usize,
    /// Whether requests are widened by the synonym dictionary.
    pub synonyms: bool,
}

impl Default for ManualSettings {
    fn default() -> Self {
        LibrarySettings::default().manual_settings()
    }
}
