//! All files of all manuals, in the order of their names, and what was left out with the reason.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use super::file::{Kind, ManualFile};
use crate::index::{Bounds, Crawl, DocumentIndex, FolderReason, Links, MissedFile, Stamp};
use crate::paths::check_visible;
use crate::{LibraryError, LibrarySettings, Result};

/// A file that the search does not see, and why.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Skipped {
    /// Relative to the folder of all manuals.
    pub(crate) path: String,
    pub(crate) reason: String,
}

/// The manuals as they were at one moment, in the order of their names.
#[derive(Debug, Default)]
pub(crate) struct Snapshot {
    pub(crate) files: Vec<Arc<ManualFile>>,
    pub(crate) skipped: Vec<Skipped>,
    /// Every folder directly below the root, also those without a readable file.
    pub(crate) manuals: Vec<String>,
}

impl Snapshot {
    /// Reads what changed and says how many files that were; no snapshot where everything is as `before`.
    pub(crate) fn refresh(
        root: &Path,
        index: &mut DocumentIndex<ManualFile>,
        before: &Self,
        settings: &LibrarySettings,
    ) -> Result<(Option<Self>, usize)> {
        let root = fs::canonicalize(root).map_err(|source| LibraryError::Io {
            doing: "open the folder of the manuals",
            path: root.display().to_string(),
            source,
        })?;
        let bounds = Bounds {
            max_files: settings.max_files,
            max_file_bytes: settings.max_file_bytes,
            max_depth: settings.max_depth,
            max_entries: usize::MAX,
            max_missed: usize::MAX,
            extensions: vec!["md".to_owned(), "json".to_owned()],
            links: Links::Read,
            names_unread: false,
        };
        let crawl = Crawl::of(&root, &bounds);
        let skip = |path: &Path, reason: &str| Skipped {
            path: shown(path, &root),
            reason: reason.to_owned(),
        };
        let mut skipped: Vec<Skipped> = Vec::new();
        let mut files = crawl.files;
        files.retain(|(path, _)| {
            let problem = names(path, &root).err();
            skipped.extend(problem.map(|reason| skip(path, reason)));
            problem.is_none()
        });
        let done = index.refresh(
            files,
            |path, stamp| read(path, &root, stamp, bounds.max_file_bytes),
            &|_, _| {},
        );
        let missed = crawl.missed.iter().chain(&done.missed);
        skipped.extend(missed.map(|it| skip(&it.path, reason(it))));
        skipped.sort();
        let name = |it: &Path| Some(it.file_name()?.to_str()?.to_owned());
        let manuals: Vec<String> = crawl.folders.iter().filter_map(|it| name(it)).collect();
        if !done.changed && skipped == before.skipped && manuals == before.manuals {
            return Ok((None, done.read));
        }
        let mut files: Vec<Arc<ManualFile>> = index.iter().map(|(_, it)| Arc::clone(it)).collect();
        files.sort_by(|a, b| (&a.manual, &a.path).cmp(&(&b.manual, &b.path)));
        Ok((Some(Self { files, skipped, manuals }), done.read))
    }

    pub(crate) fn file(&self, manual: &str, path: &str) -> Option<usize> {
        self.files
            .binary_search_by(|it| (it.manual.as_str(), it.path.as_str()).cmp(&(manual, path)))
            .ok()
    }
}

fn read(
    path: &Path,
    root: &Path,
    stamp: Stamp,
    most: u64,
) -> std::result::Result<ManualFile, MissedFile> {
    let missed = |reason, detail: &str| MissedFile {
        path: path.to_owned(),
        reason,
        detail: detail.to_owned(),
    };
    let unread = |detail: &'static str| missed(FolderReason::NoText, detail);
    let (manual, below) = names(path, root).map_err(unread)?;
    let bytes = files::read(path, most)
        .map_err(|error| missed(FolderReason::Unreadable, &error.to_string()))?;
    let kind = Kind::of(path).ok_or_else(|| unread("neither Markdown nor JSON"))?;
    ManualFile::new(&manual, &below, kind, stamp, bytes).map_err(unread)
}

/// The manual that a file belongs to, and its path below that.
fn names(path: &Path, root: &Path) -> std::result::Result<(String, String), &'static str> {
    let below = path.strip_prefix(root).unwrap_or(path);
    let names: Option<Vec<&str>> = below.iter().map(|it| it.to_str()).collect();
    match names.ok_or("the name is not Unicode")?.split_first() {
        Some((manual, below)) if !below.is_empty() => {
            let (manual, below) = ((*manual).to_owned(), below.join("/"));
            check_visible(&manual).and_then(|()| check_visible(&below))?;
            Ok((manual, below))
        }
        _ => Err("not in the folder of a manual"),
    }
}

fn shown(path: &Path, root: &Path) -> String {
    let below = path.strip_prefix(root).unwrap_or(path);
    let names: Vec<_> = below.iter().map(|it| it.to_string_lossy()).collect();
    names.join("/").chars().flat_map(crate::paths::shown).collect()
}

/// Why a file is skipped, in a few words.
fn reason(missed: &MissedFile) -> &str {
    match missed.reason {
        FolderReason::Unreadable if missed.path.is_dir() => "the folder cannot be read",
        FolderReason::Unreadable => "cannot be read",
        FolderReason::TooLarge => "too large",
        FolderReason::TooDeep => "too many folders deep",
        FolderReason::TooMany => "too many files",
        FolderReason::LeavesFolder => "a link that leaves the manuals",
        FolderReason::BrokenLink => "a link that leads nowhere",
        FolderReason::NoFolder | FolderReason::LinkedFolder | FolderReason::NoText => {
            &missed.detail
        }
    }
}
