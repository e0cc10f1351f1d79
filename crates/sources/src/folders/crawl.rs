//! Which files there are under a folder, and why others are left out.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::{FolderReason, FolderSettings, MissedFile, too_large};

/// What tells whether a file changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    bytes: u64,
    modified: Option<SystemTime>,
}

/// The files of a folder, in a fixed order.
#[derive(Debug, Default)]
pub(super) struct Crawl {
    pub(super) files: Vec<(PathBuf, Stamp)>,
    pub(super) missed: Vec<MissedFile>,
    /// Missed ones for which there was no room.
    pub(super) unlisted: usize,
    full: bool,
}

impl Crawl {
    pub(super) fn of(root: &Path, settings: &FolderSettings) -> Self {
        let mut crawl = Self::default();
        // The real place of the root: what a link leads to is compared with it.
        match fs::canonicalize(root) {
            Ok(real) if real.is_dir() => crawl.walk(&real, &real, 0, settings),
            Ok(_) => {
                crawl.miss(root, FolderReason::NoFolder, "it is no folder".to_owned(), settings)
            }
            Err(error) => crawl.miss(root, FolderReason::NoFolder, error.to_string(), settings),
        }
        crawl
    }

    fn miss(
        &mut self,
        path: &Path,
        reason: FolderReason,
        detail: String,
        settings: &FolderSettings,
    ) {
        if self.missed.len() < settings.max_missed {
            self.missed.push(MissedFile { path: path.to_owned(), reason, detail });
        } else {
            self.unlisted += 1;
        }
    }

    fn walk(&mut self, folder: &Path, root: &Path, depth: usize, settings: &FolderSettings) {
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => {
                return self.miss(folder, FolderReason::Unreadable, error.to_string(), settings);
            }
        };
        let mut paths = Vec::new();
        for entry in entries {
            match entry {
                Ok(_) if paths.len() >= settings.max_entries => {
                    let detail = format!("more than {} names in one folder", settings.max_entries);
                    self.miss(folder, FolderReason::TooMany, detail, settings);
                    break;
                }
                Ok(entry) => paths.push(entry.path()),
                Err(error) => {
                    self.miss(folder, FolderReason::Unreadable, error.to_string(), settings)
                }
            }
        }
        paths.sort();
        for path in paths {
            if self.full {
                return;
            }
            let hidden = path.file_name().is_some_and(|it| it.as_encoded_bytes().starts_with(b"."));
            if !hidden {
                self.look_at(&path, root, depth, settings);
            }
        }
    }

    fn look_at(&mut self, path: &Path, root: &Path, depth: usize, settings: &FolderSettings) {
        let about = match fs::symlink_metadata(path) {
            Ok(about) => about,
            Err(error) => {
                return self.miss(path, FolderReason::Unreadable, error.to_string(), settings);
            }
        };
        if about.is_symlink() {
            return self.look_at_link(path, root, settings);
        }
        if about.is_dir() {
            if depth >= settings.max_depth {
                let detail = format!("more than {} folders deep", settings.max_depth);
                return self.miss(path, FolderReason::TooDeep, detail, settings);
            }
            return self.walk(path, root, depth + 1, settings);
        }
        // Pipes and devices are no documents, whatever their name: opening one may wait for ever.
        let ending = extension(path);
        if !about.is_file() || !ending.is_some_and(|it| settings.extensions.contains(&it)) {
            return;
        }
        if about.len() > settings.max_file_bytes {
            return self.miss(
                path,
                FolderReason::TooLarge,
                too_large(about.len(), settings.max_file_bytes),
                settings,
            );
        }
        if self.files.len() >= settings.max_files {
            self.full = true;
            let detail = format!(
                "more than {} documents: this one and what follows is left out",
                settings.max_files
            );
            return self.miss(path, FolderReason::TooMany, detail, settings);
        }
        let stamp = Stamp { bytes: about.len(), modified: about.modified().ok() };
        self.files.push((path.to_owned(), stamp));
    }

    /// A link is never followed: what it leads to under the root is found there, and the rest is not ours.
    fn look_at_link(&mut self, path: &Path, root: &Path, settings: &FolderSettings) {
        match fs::canonicalize(path) {
            Ok(real) if real.starts_with(root) => {}
            Ok(_) => {
                let detail = "a link that leads out of the folder".to_owned();
                self.miss(path, FolderReason::LeavesFolder, detail, settings);
            }
            Err(error) => self.miss(path, FolderReason::BrokenLink, error.to_string(), settings),
        }
    }
}

pub(super) fn extension(path: &Path) -> Option<String> {
    Some(path.extension()?.to_str()?.to_lowercase())
}
