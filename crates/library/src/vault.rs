//! The vault: the one folder that is written to.
//!
//! Files are whole at every moment: a new version is written beside the old one and takes its name once it is on
//! the disk. Every call opens the folder anew, so a vault may be moved or be missing until the first write.

mod atomic;
mod coverage;
mod create;
mod files;
mod find;
mod folder;
mod landing;
mod lock;
mod ls;
mod read;
mod replace;
mod resolve;
mod rules;
mod scan;
mod traces;
mod units;
mod write;

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use serde::Serialize;

pub use self::coverage::{CoverageAnswer, CoverageRequest, CoverageSummary, FileCoverage};
pub use self::create::CreateRequest;
use self::files::VaultFile;
pub use self::find::{Candidate, FindAnswer, FindRequest, FindSummary, SignalCoverage};
use self::folder::Folder;
pub(crate) use self::landing::Landing;
use self::lock::WriteLock;
pub use self::ls::{Listed, LsAnswer, LsRequest};
pub use self::read::{ReadAnswer, ReadRequest};
pub use self::replace::ReplaceRequest;
use self::resolve::{ResolvedFile, Root, failed};
pub use self::scan::{ScanAnswer, ScanRequest, ScannedPart};
pub use self::write::{WriteMode, WriteRequest};
use crate::answer::within;
use crate::index::DocumentIndex;
use crate::manuals::DictionaryCache;
use crate::paths::SafePath;
pub use crate::reading::Position;
use crate::reading::read_text;
use crate::{LibraryError, LibrarySettings, Refusal, Result};

/// Rows of a page of the vault, unless a request says otherwise.
const PAGE: usize = 50;
/// Tokens of the rows of a page, so that the whole answer has at most 1,500.
const PAGE_TOKENS: usize = 1_350;

/// A folder of results.
#[derive(Debug)]
pub struct Vault {
    root: PathBuf,
    settings: LibrarySettings,
    /// Read with the first request.
    dictionaries: Mutex<DictionaryCache>,
    index: Mutex<DocumentIndex<VaultFile>>,
}

/// What a write left behind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Written {
    /// Where the file is, once links are followed.
    pub path: SafePath,
    pub bytes: usize,
    pub lines: usize,
    /// Of the whole file; a later write can ask for it to be unchanged.
    pub hash: String,
}

impl Vault {
    /// Names the folder; nothing is read or made before the first call.
    pub fn new(root: &Path, settings: LibrarySettings) -> Self {
        Self {
            root: root.to_owned(),
            settings,
            dictionaries: Mutex::new(DictionaryCache::new(None)),
            index: Mutex::default(),
        }
    }

    /// Reads requests with the words of the user's dictionaries as well.
    #[must_use]
    pub fn with_dictionaries(self, folder: PathBuf) -> Self {
        Self { dictionaries: Mutex::new(DictionaryCache::new(Some(folder))), ..self }
    }

    fn page_rows(&self, asked: Option<usize>) -> Result<usize> {
        within("limit", asked, PAGE, self.settings.max_page)
    }

    fn read_chars(&self, asked: Option<usize>) -> Result<usize> {
        within("max_chars", asked, self.settings.read_chars, self.settings.max_read_chars)
    }

    fn lock(&self, root: &Root<'_>) -> Result<WriteLock> {
        WriteLock::acquire(&root.folder, self.settings.lock_wait())
    }

    /// Opens the root where there is one and hands it over.
    fn with_root<T>(&self, work: impl FnOnce(Option<&Root<'_>>) -> Result<T>) -> Result<T> {
        match self.root.canonicalize() {
            Ok(path) => {
                let folder = Folder::open(&path).map_err(|it| self.unopened(it))?;
                work(Some(&Root { folder, path: &path }))
            }
            Err(error) if error.kind() == ErrorKind::NotFound => work(None),
            Err(error) => Err(self.unopened(error)),
        }
    }

    fn with_made_root<T>(&self, work: impl FnOnce(&Root<'_>) -> Result<T>) -> Result<T> {
        fs::create_dir_all(&self.root).map_err(|it| self.unopened(it))?;
        self.with_root(|root| match root {
            Some(root) => work(root),
            None => Err(self.unopened(ErrorKind::NotFound.into())),
        })
    }

    fn unopened(&self, source: std::io::Error) -> LibraryError {
        LibraryError::Io { doing: "open the vault", path: self.root.display().to_string(), source }
    }

    /// The text of a file that must be there.
    fn text_of(&self, file: &ResolvedFile, asked: &SafePath) -> Result<String> {
        if !file.exists {
            return Err(not_found(asked));
        }
        let opened = file.folder.file(&file.name).map_err(|it| failed("open", &file.path, it))?;
        read_text(opened, file.path.as_str(), self.settings.vault_file_bytes as u64)
    }
}

impl Written {
    fn of(file: &ResolvedFile, text: &str) -> Self {
        Self {
            path: file.path.clone(),
            bytes: text.len(),
            lines: text.lines().count(),
            hash: hash_of(text),
        }
    }
}

fn not_found(path: &SafePath) -> LibraryError {
    Refusal::NotFound.because(format!("{path} is not in the vault"))
}

/// Names a version of a text; short, because assistants copy it.
pub(crate) fn hash_of(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex()[..32].to_owned()
}
