//! The settings of the manuals and the vault.

use std::path::{Path, PathBuf};
use std::time::Duration;

use settings::settings;

settings! {
    /// Your manuals and the vault: `lyra manual`, `lyra vault`, and the tools of the library.
    pub struct LibrarySettings {
        /// The folder with one folder for each manual; "" is `manuals` in the data directory. A relative path in this file is
        /// below the folder of the file, "~/" is your home.
        manuals: String = String::new();
        /// The folder for results, the only one that is written to; "" is `vault` in the data directory. Relative as above.
        vault: String = String::new();
        /// Whether the embedding model adds sections near in meaning, after all others.
        semantic: bool = false;
    }
    expert {
        /// Whether requests are widened by the dictionary of synonyms.
        synonyms: bool = true;
        /// Sections the embedding model looks at.
        semantic_sections: usize = 20_000, in 0..=1_000_000;
        /// Characters of each that it reads.
        semantic_chars: usize = 400, in 50..=100_000;
        /// The most sections it adds.
        max_semantic: usize = 20, in 0..=1_000;
        /// Bytes of a manual's file; larger ones are skipped and listed.
        max_file_bytes: u64 = 16 << 20, in 1_024..=1_073_741_824;
        /// Files of all manuals; the others are skipped and listed.
        max_files: usize = 50_000, in 1..=1_000_000;
        /// Folders below a manual; deeper ones are skipped and listed.
        max_depth: usize = 32, in 1..=1_000;
        /// Characters of a request.
        max_query_chars: usize = 1_000, in 1..=100_000;
        /// Sections a search keeps; the others are listed as not looked at.
        max_candidates: usize = 500, in 1..=100_000;
        /// Sections a search looks at before it answers with what it has and says so.
        max_nodes_scanned: usize = 200_000, in 1..=100_000_000;
        /// Bytes of text it looks at.
        max_bytes_scanned: usize = 1 << 30, in 1_024..=1_099_511_627_776;
        /// Milliseconds it takes.
        deadline_ms: u64 = 20_000, in 1..=600_000;
        /// How much of a request a section must cover, as a share of what the best one covers.
        min_coverage: f64 = 0.55, in 0.0..=1.0;
        /// The same for a section that holds an exception.
        min_exception_coverage: f64 = 0.35, in 0.0..=1.0;
        /// The same for a section near one that covers the request fully.
        min_coverage_near: f64 = 0.35, in 0.0..=1.0;
        /// How many sections away is near.
        near_sections: u32 = 20, in 0..=100_000;
        /// The share of a request that counts as all of it.
        full_coverage: f64 = 0.9, in 0.0..=1.0;
        /// Steps that references from section to section are followed.
        reference_depth: usize = 2, in 0..=10;
        /// Characters of a snippet.
        snippet_chars: usize = 60, in 10..=1_000;
        /// Entries of a page, unless a request says otherwise.
        page: usize = 10, in 1..=1_000;
        /// The most entries a request may ask for.
        max_page: usize = 50, in 1..=1_000;
        /// Tokens that a page of hits may cost.
        hits_tokens: usize = 1_500, in 200..=100_000;
        /// Characters of text in one answer, unless a request says otherwise.
        read_chars: usize = 8_000, in 100..=1_000_000;
        /// The most characters a request may ask for.
        max_read_chars: usize = 40_000, in 100..=1_000_000;
        /// Sections in one answer.
        read_sections: usize = 20, in 1..=1_000;
        /// Characters of one step through a file.
        scan_chars: usize = 4_000, in 100..=1_000_000;
        /// Searches that are remembered.
        trace_keep: usize = 100, in 1..=100_000;
        /// Hours they are remembered.
        trace_hours: u64 = 24, in 1..=87_600;
        /// Bytes of a file in the vault.
        vault_file_bytes: usize = 4 << 20, in 1_024..=1_073_741_824;
        /// Lines between two finds in one file of the vault that count as a gap.
        vault_gap_lines: u32 = 40, in 0..=10_000;
        /// Milliseconds a writer of the vault waits for another one.
        lock_wait_ms: u64 = 10_000, in 0..=600_000;
    }
}

impl LibrarySettings {
    pub fn manuals_in(&self, data_dir: &Path) -> PathBuf {
        named(&self.manuals, data_dir, "manuals")
    }

    pub fn vault_in(&self, data_dir: &Path) -> PathBuf {
        named(&self.vault, data_dir, "vault")
    }

    pub(crate) fn deadline(&self) -> Duration {
        Duration::from_millis(self.deadline_ms)
    }

    pub(crate) fn lock_wait(&self) -> Duration {
        Duration::from_millis(self.lock_wait_ms)
    }

    /// How long a search is remembered.
    pub(crate) fn trace_age(&self) -> Duration {
        Duration::from_secs(self.trace_hours.saturating_mul(3_600))
    }
}

fn named(setting: &str, data_dir: &Path, usual: &str) -> PathBuf {
    if setting.is_empty() { data_dir.join(usual) } else { PathBuf::from(setting) }
}
