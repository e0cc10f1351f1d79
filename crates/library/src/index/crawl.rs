//! Which files there are under a folder, and why others are left out.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::Stamp;

/// A file or folder that was left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MissedFile {
    pub path: PathBuf,
    pub reason: FolderReason,
    pub detail: String,
}

/// Why a file or folder was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FolderReason {
    /// It cannot be opened or read.
    Unreadable,
    /// It is not there, or is no folder.
    NoFolder,
    TooLarge,
    TooDeep,
    TooMany,
    /// A link that leads out of the folder.
    LeavesFolder,
    /// A link to another folder, where links to files are read.
    LinkedFolder,
    /// A link that leads nowhere.
    BrokenLink,
    /// Nothing in it could be read as text.
    NoText,
}

/// Which files are documents, and how far a folder is read.
#[derive(Debug, Clone)]
pub(crate) struct Bounds {
    pub(crate) max_files: usize,
    pub(crate) max_file_bytes: u64,
    /// Folders inside folders; 0: the folder itself only.
    pub(crate) max_depth: usize,
    /// Names of one folder that are looked at.
    pub(crate) max_entries: usize,
    /// Files and folders left out that are listed.
    pub(crate) max_missed: usize,
    /// In lower case, without the dot.
    pub(crate) extensions: Vec<String>,
    pub(crate) links: Links,
    /// Whether documents that nobody here can read are named as missed.
    pub(crate) names_unread: bool,
}

/// Documents by their endings, so that their owner learns that they are not read.
const UNREAD: &[(&str, &[&str])] = &[
    ("a document of a word processor", &["doc", "docx", "odt", "rtf", "pages"]),
    ("a spreadsheet", &["xls", "xlsx", "ods", "numbers"]),
    ("a presentation", &["ppt", "pptx", "odp", "key"]),
    ("an electronic book", &["epub", "mobi", "azw3"]),
];

/// What is done with a link to a file under the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Links {
    /// It is a document of its own.
    Read,
    /// Nothing: the file is read where it is.
    Ignore,
}

/// The files of a folder, in a fixed order.
#[derive(Debug)]
pub(crate) struct Crawl<'a> {
    pub(crate) files: Vec<(PathBuf, Stamp)>,
    pub(crate) missed: Vec<MissedFile>,
    /// Missed ones for which there was no room.
    pub(crate) unlisted: usize,
    /// The folders directly under the root.
    pub(crate) folders: Vec<PathBuf>,
    bounds: &'a Bounds,
    /// The real place of the root: what a link leads to is compared with it.
    root: PathBuf,
    full: bool,
}

impl<'a> Crawl<'a> {
    pub(crate) fn of(root: &Path, bounds: &'a Bounds) -> Self {
        let mut crawl = Self {
            files: Vec::new(),
            missed: Vec::new(),
            unlisted: 0,
            folders: Vec::new(),
            bounds,
            root: PathBuf::new(),
            full: false,
        };
        match fs::canonicalize(root) {
            Ok(real) if real.is_dir() => {
                crawl.root.clone_from(&real);
                crawl.walk(&real, 0);
            }
            Ok(_) => crawl.miss(root, FolderReason::NoFolder, "it is no folder"),
            Err(error) => crawl.miss(root, FolderReason::NoFolder, error),
        }
        crawl
    }

    fn miss(&mut self, path: &Path, reason: FolderReason, detail: impl ToString) {
        if self.missed.len() < self.bounds.max_missed {
            let detail = detail.to_string();
            self.missed.push(MissedFile { path: path.to_owned(), reason, detail });
        } else {
            self.unlisted += 1;
        }
    }

    fn walk(&mut self, folder: &Path, depth: usize) {
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => return self.miss(folder, FolderReason::Unreadable, error),
        };
        let mut paths = Vec::new();
        for entry in entries {
            match entry {
                Ok(_) if paths.len() >= self.bounds.max_entries => {
                    let detail =
                        format!("more than {} names in one folder", self.bounds.max_entries);
                    self.miss(folder, FolderReason::TooMany, detail);
                    break;
                }
                Ok(entry) => paths.push(entry.path()),
                Err(error) => self.miss(folder, FolderReason::Unreadable, error),
            }
        }
        paths.sort();
        for path in paths {
            let hidden = path.file_name().is_some_and(|it| it.as_encoded_bytes().starts_with(b"."));
            if !hidden && !self.full {
                self.look_at(&path, depth);
            }
        }
    }

    fn look_at(&mut self, path: &Path, depth: usize) {
        let about = match fs::symlink_metadata(path) {
            Ok(about) => about,
            Err(error) => return self.miss(path, FolderReason::Unreadable, error),
        };
        if about.is_symlink() {
            self.look_at_link(path);
        } else if !about.is_dir() {
            self.look_at_file(path, &about);
        } else if depth >= self.bounds.max_depth {
            let detail = format!("more than {} folders deep", self.bounds.max_depth);
            self.miss(path, FolderReason::TooDeep, detail);
        } else {
            if depth == 0 {
                self.folders.push(path.to_owned());
            }
            self.walk(path, depth + 1);
        }
    }

    fn look_at_file(&mut self, path: &Path, about: &fs::Metadata) {
        if !self.is_document(path) {
            if let Some(what) = unread(path).filter(|_| self.bounds.names_unread) {
                self.miss(path, FolderReason::NoText, format!("it is {what}, which is not read"));
            }
            return;
        }
        // Pipes and devices are no documents, whatever their name: opening one may wait for ever.
        if !about.is_file() {
            return self.miss(path, FolderReason::Unreadable, "not a regular file");
        }
        let most = self.bounds.max_file_bytes;
        if about.len() > most {
            return self.miss(path, FolderReason::TooLarge, too_large(about.len(), most));
        }
        if self.files.len() >= self.bounds.max_files {
            self.full = true;
            let most = self.bounds.max_files;
            let detail =
                format!("more than {most} documents: this one and what follows is left out");
            return self.miss(path, FolderReason::TooMany, detail);
        }
        self.files.push((path.to_owned(), Stamp::of(about)));
    }

    /// A link to a folder is never followed: what is under the root is found there, and the rest is not ours.
    fn look_at_link(&mut self, path: &Path) {
        let reads_links = self.bounds.links == Links::Read;
        if reads_links && path.is_dir() {
            return self.miss(path, FolderReason::LinkedFolder, "a link to a folder");
        }
        if reads_links && !self.is_document(path) {
            return;
        }
        match fs::canonicalize(path) {
            Ok(real) if !real.starts_with(&self.root) => {
                let detail = "a link that leads out of the folder";
                self.miss(path, FolderReason::LeavesFolder, detail);
            }
            Ok(real) if reads_links => match fs::metadata(real) {
                Ok(about) => self.look_at_file(path, &about),
                Err(error) => self.miss(path, FolderReason::Unreadable, error),
            },
            Ok(_) => {}
            Err(error) => self.miss(path, FolderReason::BrokenLink, error),
        }
    }

    fn is_document(&self, path: &Path) -> bool {
        extension(path).is_some_and(|it| self.bounds.extensions.contains(&it))
    }
}

fn unread(path: &Path) -> Option<&'static str> {
    let ending = extension(path)?;
    UNREAD.iter().find(|it| it.1.contains(&ending.as_str())).map(|it| it.0)
}

pub(crate) fn extension(path: &Path) -> Option<String> {
    Some(path.extension()?.to_str()?.to_lowercase())
}

pub(crate) fn too_large(bytes: u64, max_bytes: u64) -> String {
    format!("{bytes} bytes are more than {max_bytes}")
}
