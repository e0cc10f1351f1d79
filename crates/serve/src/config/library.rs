//! Settings of the manuals and the vault, as the crate `library` takes them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use library::vault::FindLimits;
use library::{ManualSettings, VaultOptions};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LibrarySettings {
    /// Empty where they lie in the data directory.
    pub(crate) manuals: String,
    pub(crate) vault: String,
    pub(crate) synonyms: bool,
    pub(crate) semantic: bool,
    pub(crate) semantic_sections: usize,
    pub(crate) semantic_chars: usize,
    pub(crate) max_semantic: usize,
    pub(crate) max_file_bytes: u64,
    pub(crate) max_files: usize,
    pub(crate) max_depth: usize,
    pub(crate) max_query_chars: usize,
    pub(crate) max_candidates: usize,
    pub(crate) max_nodes_scanned: usize,
    pub(crate) max_bytes_scanned: usize,
    pub(crate) deadline_ms: u64,
    pub(crate) min_coverage: f64,
    pub(crate) min_exception_coverage: f64,
    pub(crate) min_coverage_near: f64,
    pub(crate) near_sections: u32,
    pub(crate) full_coverage: f64,
    pub(crate) reference_depth: usize,
    pub(crate) snippet_chars: usize,
    pub(crate) page: usize,
    pub(crate) max_page: usize,
    pub(crate) hits_tokens: usize,
    pub(crate) read_chars: usize,
    pub(crate) max_read_chars: usize,
    pub(crate) read_sections: usize,
    pub(crate) scan_chars: usize,
    pub(crate) trace_keep: usize,
    pub(crate) trace_hours: u64,
    pub(crate) vault_file_bytes: usize,
    pub(crate) vault_gap_lines: u32,
    pub(crate) lock_wait_ms: u64,
}

impl LibrarySettings {
    pub(crate) fn manuals_in(&self, data_dir: &Path) -> PathBuf {
        named(&self.manuals, data_dir, "manuals")
    }

    pub(crate) fn vault_in(&self, data_dir: &Path) -> PathBuf {
        named(&self.vault, data_dir, "vault")
    }

    pub(crate) fn manual_settings(&self) -> ManualSettings {
        ManualSettings {
            max_file_bytes: self.max_file_bytes,
            max_files: self.max_files,
            max_depth: self.max_depth,
            max_query_chars: self.max_query_chars,
            max_candidates: self.max_candidates,
            max_nodes_scanned: self.max_nodes_scanned,
            max_bytes_scanned: self.max_bytes_scanned,
            deadline: Duration::from_millis(self.deadline_ms),
            min_coverage: self.min_coverage,
            min_exception_coverage: self.min_exception_coverage,
            min_coverage_near: self.min_coverage_near,
            near_sections: self.near_sections,
            full_coverage: self.full_coverage,
            reference_depth: self.reference_depth,
            max_semantic: self.max_semantic,
            trace_max_keep: self.trace_keep,
            trace_ttl: self.trace_age(),
            snippet_chars: self.snippet_chars,
            hits_page: self.page,
            max_hits_page: self.max_page,
            hits_tokens: self.hits_tokens,
            read_chars: self.read_chars,
            max_read_chars: self.max_read_chars,
            read_sections: self.read_sections,
            scan_chars: self.scan_chars,
            synonyms: self.synonyms,
            ..ManualSettings::default()
        }
    }

    pub(crate) fn vault_options(&self) -> VaultOptions {
        VaultOptions {
            file_bytes: self.vault_file_bytes,
            lock_patience: Duration::from_millis(self.lock_wait_ms),
            files: self.max_files,
            page_most: self.max_page,
            read_chars: self.read_chars,
            read_chars_most: self.max_read_chars,
            find: FindLimits {
                query_chars: self.max_query_chars,
                gap_lines: self.vault_gap_lines,
                ..FindLimits::default()
            },
            manual_bytes: usize::try_from(self.max_file_bytes).unwrap_or(usize::MAX),
            trace_keep: self.trace_keep,
            trace_age: self.trace_age(),
            ..VaultOptions::default()
        }
    }

    fn trace_age(&self) -> Duration {
        Duration::from_secs(self.trace_hours.saturating_mul(3_600))
    }
}

fn named(setting: &str, data_dir: &Path, usual: &str) -> PathBuf {
    match setting {
        "" => data_dir.join(usual),
        path => PathBuf::from(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{DEFAULT, Settings};

    #[test]
    fn the_manuals_are_searched_with_the_numbers_they_were_measured_with() {
        let settings: Settings = toml::from_str(DEFAULT).unwrap();
        assert_eq!(settings.library.manual_settings(), ManualSettings::default());
    }
}
