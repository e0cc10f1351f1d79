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
mod place;
mod read;
mod replace;
mod rules;
mod scan;
mod traces;
mod units;
mod write;

use std::fs;
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use serde::Serialize;
use text::estimate_tokens;

pub use self::coverage::{CoverageAnswer, CoverageRequest, CoverageSummary, FileCoverage};
pub use self::create::CreateRequest;
pub(crate) use self::files::files;
pub use self::find::{
    Candidate, FindAnswer, FindLimits, FindRequest, FindSummary, Signal, SignalCoverage,
};
pub(crate) use self::folder::Folder;
pub(crate) use self::landing::Landing;
pub use self::ls::{Listed, LsAnswer, LsRequest};
pub(crate) use self::place::Root;
use self::place::{Place, failed};
pub use self::read::{Position, ReadAnswer, ReadRequest};
pub use self::replace::ReplaceRequest;
pub use self::scan::{ScanAnswer, ScanRequest, ScannedPart};
pub use self::write::{WriteMode, WriteRequest};
use crate::audit::AuditLimits;
use crate::manuals::DictionaryCache;
use crate::paths::{PathLimits, SafePath};
use crate::source::ManualText;
use crate::{LibraryError, LibrarySettings, Refusal, Result};

/// What a vault may hold, how much an answer has, how long is waited.
#[derive(Debug, Clone, PartialEq)]
pub struct VaultOptions {
    pub paths: PathLimits,
    /// A larger file is neither written nor read.
    pub file_bytes: usize,
    /// How long a writer waits for another one.
    pub lock_patience: Duration,
    /// How many files are listed or searched.
    pub files: usize,
    /// Rows of a page, and the most that may be asked for.
    pub page: usize,
    pub page_most: usize,
    /// Of the rows of a page, so that the answer has no more than 1,500; a page with long rows has fewer.
    pub page_tokens: usize,
    /// Ranges of lines that one row lists, of each kind.
    pub row_ranges: usize,
    /// Characters of a text that is read, and the most that may be asked for.
    pub read_chars: usize,
    pub read_chars_most: usize,
    pub find: FindLimits,
    /// The folder with dictionaries of the user, if there are any.
    pub dictionaries: Option<PathBuf>,
    pub audit: AuditLimits,
    /// Of a manual's file that is copied or audited.
    pub manual_bytes: usize,
    /// How many finds are remembered, and for how long after the newest.
    pub trace_keep: usize,
    pub trace_age: Duration,
}

impl Default for VaultOptions {
    fn default() -> Self {
        LibrarySettings::default().vault_options()
    }
}

/// A folder of results.
#[derive(Debug)]
pub struct Vault {
    root: PathBuf,
    options: VaultOptions,
    /// Read when the first request is.
    cache: Mutex<DictionaryCache>,
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
    pub fn new(root: &Path, options: VaultOptions) -> Self {
        let cache = Mutex::new(DictionaryCache::new(options.dictionaries.clone()));
        Self { root: root.to_owned(), options, cache }
    }

    pub fn options(&self) -> &VaultOptions {
        &self.options
    }

    pub(crate) fn file_path(&self, text: &str) -> Result<SafePath> {
        SafePath::file(text, &self.options.paths)
    }

    pub(crate) fn manual_text(&self, manuals: &Path, id: &str, path: &str) -> Result<ManualText> {
        ManualText::read(manuals, id, path, &self.options.paths, self.options.manual_bytes)
    }

    /// Opens the root where there is one and hands it over.
    fn with_root<T>(&self, work: impl FnOnce(Option<&Root<'_>>) -> Result<T>) -> Result<T> {
        match self.root.canonicalize() {
            Ok(path) => {
                let folder = Folder::open(&path).map_err(|it| self.unopened(it))?;
                work(Some(&Root { folder, path: &path, limits: &self.options.paths }))
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
    fn text_of(&self, place: &Place, asked: &SafePath) -> Result<String> {
        if !place.exists {
            return Err(not_found(asked));
        }
        read_text(place, self.options.file_bytes)
    }
}

impl Written {
    fn of(place: &Place, text: &str) -> Self {
        Self {
            path: place.path.clone(),
            bytes: text.len(),
            lines: text.lines().count(),
            hash: hash_of(text),
        }
    }
}

fn not_found(path: &SafePath) -> LibraryError {
    Refusal::NotFound.because(format!("{path} is not in the vault"))
}

pub(crate) fn read_text(place: &Place, most: usize) -> Result<String> {
    let mut bytes = Vec::new();
    let file = place.folder.file(&place.name).map_err(|it| failed("open", &place.path, it))?;
    let limit = most as u64 + 1;
    file.take(limit).read_to_end(&mut bytes).map_err(|it| failed("read", &place.path, it))?;
    if bytes.len() > most {
        let problem = format!("{} has more than {most} bytes", place.path);
        return Err(Refusal::InvalidParameter.because(problem));
    }
    String::from_utf8(bytes)
        .map_err(|_| Refusal::InvalidParameter.because(format!("{} is not UTF-8 text", place.path)))
}

/// The first rows that fit into an answer, at least one.
fn fitting<T: Serialize>(rows: Vec<T>, most_tokens: usize) -> Vec<T> {
    let mut left = most_tokens;
    let fits = |(at, row): &(usize, T)| {
        let cost = serde_json::to_string(row).map_or(0, |it| estimate_tokens(&it) + 1);
        let fits = cost <= left || *at == 0;
        left = left.saturating_sub(cost);
        fits
    };
    rows.into_iter().enumerate().take_while(fits).map(|it| it.1).collect()
}

/// Names a version of a text; short, because assistants copy it.
pub(crate) fn hash_of(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex()[..32].to_owned()
}
