//! The files of a vault: which there are, and what the index knows of them.

use std::io;
use std::path::Path;

use super::resolve::{Root, failed};
use super::{Vault, hash_of, not_found};
use crate::Result;
use crate::index::{Bounds, Crawl, FolderReason, Links, MissedFile, Stamp};
use crate::nodes::Node;
use crate::paths::{DEPTH, SafePath};
use crate::search_text::SearchText;
use crate::sections::nodes_of;

/// What is below a folder, sorted by path.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    pub(crate) files: Vec<(SafePath, Stamp)>,
    /// Why these are not all files.
    pub(crate) cutoff_reason: Option<&'static str>,
}

/// One file, ready to be searched.
#[derive(Debug)]
pub(crate) struct VaultFile {
    pub(crate) hash: String,
    pub(crate) text: SearchText,
    pub(crate) nodes: Vec<Node>,
}

impl Vault {
    /// Lists the files below a folder. A link is read when it is named, not listed: its target is listed where it is.
    pub(crate) fn list(&self, root: &Root<'_>, below: &SafePath) -> Result<Listing> {
        let (_, folder) = root.folder(below)?.ok_or_else(|| not_found(below))?;
        let bounds = Bounds {
            max_files: self.settings.max_files,
            max_file_bytes: u64::MAX,
            max_depth: DEPTH,
            max_entries: usize::MAX,
            max_missed: usize::MAX,
            extensions: vec!["md".to_owned(), "json".to_owned()],
            links: Links::Ignore,
            names_unread: false,
        };
        let crawl = Crawl::of(&root.path.join(folder.as_str()), &bounds);
        let unread = |missed: &&MissedFile| missed.reason == FolderReason::Unreadable;
        if let Some(missed) = crawl.missed.iter().find(unread) {
            return Err(failed("list", below, io::Error::other(missed.detail.clone())));
        }
        let cut = crawl.missed.iter().any(|missed| missed.reason == FolderReason::TooMany);
        let named = |(path, stamp): (std::path::PathBuf, Stamp)| {
            let names: Option<Vec<&str>> =
                path.strip_prefix(root.path).ok()?.iter().map(|name| name.to_str()).collect();
            // Files of programs, and names that other systems could not keep, are not listed.
            Some((SafePath::file(&names?.join("/")).ok()?, stamp))
        };
        let mut files: Vec<(SafePath, Stamp)> = crawl.files.into_iter().filter_map(named).collect();
        files.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        Ok(Listing { files, cutoff_reason: cut.then_some("max_files") })
    }

    /// Every file, as far as files are listed.
    pub(crate) fn all_files(&self) -> Result<Vec<SafePath>> {
        self.with_root(|root| {
            let listing = root.map(|root| self.list(root, &SafePath::root())).transpose()?;
            Ok(listing.unwrap_or_default().files.into_iter().map(|(path, _)| path).collect())
        })
    }

    /// Reads a file that was listed, for the index.
    pub(crate) fn index_file(
        &self,
        root: &Root<'_>,
        path: &Path,
    ) -> std::result::Result<VaultFile, MissedFile> {
        let missed = |reason, detail: String| MissedFile { path: path.to_owned(), reason, detail };
        let read = || -> Result<(SafePath, String)> {
            let path = SafePath::file(&path.to_string_lossy())?;
            let text = self.text_of(&root.resolve(&path)?, &path)?;
            Ok((path, text))
        };
        let (path, text) = read().map_err(|it| missed(FolderReason::Unreadable, it.to_string()))?;
        let too_large = || missed(FolderReason::TooLarge, "too large to be searched".to_owned());
        Ok(VaultFile {
            hash: hash_of(&text),
            nodes: nodes_of(&path, &text),
            text: SearchText::new(&text).ok_or_else(too_large)?,
        })
    }
}
