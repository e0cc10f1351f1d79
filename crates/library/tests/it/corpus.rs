//! Manuals for the tests: those of the corpus, and small ones made on the spot.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use library::{FindAnswer, FindRequest, LibrarySettings, ManualOptions, Manuals, Moment};
use tempfile::TempDir;

/// A call at a fixed time that takes none.
pub(crate) const NOW: Moment<'static> =
    Moment { now_ms: 1_700_000_000_000, elapsed: &|| Duration::ZERO };

pub(crate) fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/corpus")
}

/// The manuals of the corpus; the folder holds their state and must outlive them.
pub(crate) fn open(settings: LibrarySettings) -> (Manuals, TempDir) {
    let state = tempfile::tempdir().unwrap();
    let options = ManualOptions {
        root: folder().join("manuals"),
        state: state.path().to_owned(),
        dictionaries: None,
        settings,
    };
    (Manuals::new(options), state)
}

/// Manuals of a few files in a folder of their own.
pub(crate) struct Small {
    pub(crate) manuals: Manuals,
    folder: TempDir,
}

impl Small {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        Self::with(files, LibrarySettings::default())
    }

    pub(crate) fn with(files: &[(&str, &str)], settings: LibrarySettings) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("manuals")).unwrap();
        let small = Self { manuals: Manuals::new(options(folder.path(), settings)), folder };
        files.iter().for_each(|(path, text)| small.write(path, text));
        small
    }

    /// The same folders, opened again as another process would.
    pub(crate) fn again(&self, settings: LibrarySettings) -> Manuals {
        Manuals::new(options(self.folder.path(), settings))
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join("manuals").join(path)
    }

    pub(crate) fn dictionary(&self, name: &str) -> PathBuf {
        let folder = self.folder.path().join("dictionaries");
        fs::create_dir_all(&folder).unwrap();
        folder.join(name)
    }

    pub(crate) fn state(&self) -> PathBuf {
        self.folder.path().join("state")
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn find(&self, query: &str) -> FindAnswer {
        self.manuals.find(&request(query), &NOW).unwrap()
    }

    /// The candidates of an answer, one line each: place, source, signals.
    pub(crate) fn shown(&self, answer: &FindAnswer) -> String {
        let trace = self.manuals.trace(&answer.trace_id, &NOW).unwrap();
        let word = |it: &dyn erased::Word| it.word();
        let line = |it: &library::TraceCandidate| {
            let signals: Vec<String> = it.signals.iter().map(|it| word(it)).collect();
            format!("{} {} [{}]", it.place, word(&it.source), signals.join(" "))
        };
        trace.candidates.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}

/// The word that a client sees for a value.
mod erased {
    pub(crate) trait Word {
        fn word(&self) -> String;
    }

    impl<T: serde::Serialize> Word for T {
        fn word(&self) -> String {
            serde_json::to_value(self).unwrap().as_str().unwrap().to_owned()
        }
    }
}

pub(crate) fn request(query: &str) -> FindRequest {
    FindRequest { query: query.to_owned(), ..FindRequest::default() }
}

fn options(folder: &Path, settings: LibrarySettings) -> ManualOptions {
    ManualOptions {
        root: folder.join("manuals"),
        state: folder.join("state"),
        dictionaries: Some(folder.join("dictionaries")),
        settings,
    }
}
