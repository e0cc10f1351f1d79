//! All files of all manuals, kept fresh: a file whose stamp is the same is not read again.
//!
//! What cannot be read is no failure: it is left out and listed with the reason.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;

use super::file::{Kind, ManualFile, Stamp};
use super::settings::ManualSettings;
use crate::{LibraryError, Result};

/// A file that the search does not see, and why.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Skipped {
    /// Relative to the folder of all manuals.
    pub path: String,
    pub reason: String,
}

/// The manuals as they were at one moment, in the order of their names.
#[derive(Debug, Default)]
pub(crate) struct Snapshot {
    pub(crate) files: Vec<Arc<ManualFile>>,
    pub(crate) skipped: Vec<Skipped>,
    /// Every folder directly below the root, also those without a readable file.
    pub(crate) manuals: Vec<String>,
    /// How many files were read for this snapshot; the others were known.
    pub(crate) read: usize,
}

impl Snapshot {
    /// The manuals of today; what `before` knows and has not changed is taken from it.
    pub(crate) fn refresh(root: &Path, before: &Self, settings: &ManualSettings) -> Result<Self> {
        let real_root = fs::canonicalize(root).map_err(|source| LibraryError::Io {
            doing: "open the folder of the manuals",
            path: root.display().to_string(),
            source,
        })?;
        let known = before.files.iter().map(|it| ((it.manual.as_str(), it.path.as_str()), it));
        let mut walk =
            Walk { root: real_root, settings, known: known.collect(), found: Self::default() };
        for entry in walk.entries(&walk.root.clone(), "") {
            if !entry.path.is_dir() || entry.is_link {
                if Kind::of(&entry.path).is_some() {
                    walk.skip(&entry.name, "not in the folder of a manual");
                }
                continue;
            }
            walk.found.manuals.push(entry.name.clone());
            walk.folder(&entry.path, &entry.name, "", 1);
        }
        walk.found.files.sort_by(|a, b| (&a.manual, &a.path).cmp(&(&b.manual, &b.path)));
        walk.found.skipped.sort();
        Ok(walk.found)
    }

    pub(crate) fn file(&self, manual: &str, path: &str) -> Option<usize> {
        self.files
            .binary_search_by(|it| (it.manual.as_str(), it.path.as_str()).cmp(&(manual, path)))
            .ok()
    }
}

struct Walk<'a> {
    root: PathBuf,
    settings: &'a ManualSettings,
    known: BTreeMap<(&'a str, &'a str), &'a Arc<ManualFile>>,
    found: Snapshot,
}

struct Entry {
    name: String,
    path: PathBuf,
    is_link: bool,
}

impl Walk<'_> {
    /// What stands in a folder, in the order of names, without hidden entries.
    fn entries(&mut self, folder: &Path, shown: &str) -> Vec<Entry> {
        let Ok(read) = fs::read_dir(folder) else {
            self.skip(shown, "the folder cannot be read");
            return Vec::new();
        };
        let mut entries = Vec::new();
        for entry in read.flatten() {
            let Ok(name) = entry.file_name().into_string() else {
                self.skip(&entry.file_name().to_string_lossy(), "the name is not Unicode");
                continue;
            };
            let is_link = entry.file_type().is_ok_and(|it| it.is_symlink());
            if !name.starts_with('.') {
                entries.push(Entry { name, path: entry.path(), is_link });
            }
        }
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        entries
    }

    fn folder(&mut self, folder: &Path, manual: &str, below: &str, depth: usize) {
        for entry in self.entries(folder, &format!("{manual}/{below}")) {
            let path =
                if below.is_empty() { entry.name } else { format!("{below}/{}", entry.name) };
            let shown = format!("{manual}/{path}");
            if entry.path.is_dir() {
                if entry.is_link {
                    self.skip(&shown, "a link to a folder");
                } else if depth >= self.settings.max_depth {
                    self.skip(&shown, "too many folders deep");
                } else {
                    self.folder(&entry.path, manual, &path, depth + 1);
                }
            } else if let Some(kind) = Kind::of(&entry.path) {
                match self.file(&entry.path, manual, &path, kind, entry.is_link) {
                    Ok(file) => self.found.files.push(file),
                    Err(reason) => self.skip(&shown, reason),
                }
            }
        }
    }

    fn file(
        &mut self,
        path: &Path,
        manual: &str,
        below: &str,
        kind: Kind,
        is_link: bool,
    ) -> std::result::Result<Arc<ManualFile>, &'static str> {
        if is_link && !fs::canonicalize(path).is_ok_and(|it| it.starts_with(&self.root)) {
            return Err("a link that leaves the manuals");
        }
        let metadata = fs::metadata(path).map_err(|_| "cannot be read")?;
        if metadata.len() > self.settings.max_file_bytes {
            return Err("too large");
        }
        if self.found.files.len() >= self.settings.max_files {
            return Err("too many files");
        }
        let stamp = Stamp::of(&metadata);
        if let Some(file) = self.known.get(&(manual, below)).filter(|it| it.stamp == stamp) {
            return Ok(Arc::clone(file));
        }
        let bytes = fs::read(path).map_err(|_| "cannot be read")?;
        self.found.read += 1;
        ManualFile::new(manual, below, kind, stamp, bytes).map(Arc::new)
    }

    fn skip(&mut self, path: &str, reason: &str) {
        self.found.skipped.push(Skipped { path: path.to_owned(), reason: reason.to_owned() });
    }
}
