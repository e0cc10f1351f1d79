//! The manuals written for these tests, opened with a state folder of their own.

use std::path::PathBuf;
use std::time::Duration;

use library::{ManualOptions, ManualSettings, Manuals, Moment};
use tempfile::TempDir;

pub(crate) fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/corpus")
}

/// The manuals of the corpus; the folder holds their state and must outlive them.
pub(crate) fn open(settings: ManualSettings) -> (Manuals, TempDir) {
    let state = tempfile::tempdir().unwrap();
    let options = ManualOptions {
        root: folder().join("manuals"),
        state: state.path().to_owned(),
        dictionaries: None,
        settings,
    };
    (Manuals::new(options), state)
}

/// A call at a fixed time that takes none.
pub(crate) const NOW: Moment<'static> =
    Moment { now_ms: 1_700_000_000_000, elapsed: &|| Duration::ZERO };
