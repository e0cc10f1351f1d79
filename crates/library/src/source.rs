//! A manual's file as it is now, reached by the same rules as a file of the vault.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::paths::{PathLimits, SafePath};
use crate::vault::{Folder, Root, files, read_text};
use crate::{LibraryError, Refusal, Result};

/// The text of a manual's file.
#[derive(Debug, Clone)]
pub(crate) struct ManualText {
    pub(crate) manual_id: String,
    /// Below the folder of the manual.
    pub(crate) path: SafePath,
    pub(crate) text: String,
}

impl ManualText {
    /// Reads a file; links may not leave the folder of all manuals.
    pub(crate) fn read(
        manuals: &Path,
        manual_id: &str,
        path: &str,
        limits: &PathLimits,
        most_bytes: usize,
    ) -> Result<Self> {
        let folder = SafePath::folder(manual_id, limits)?;
        if folder.names().count() != 1 {
            return Err(
                Refusal::InvalidPath.because(format!("{manual_id}: a manual is one folder"))
            );
        }
        let path = SafePath::file(path, limits)?;
        let missing = || Refusal::NotFound.because(format!("{manual_id} has no file {path}"));
        let Some(root_path) = real_path(manuals)? else { return Err(missing()) };
        let root = open(&root_path, limits)?;
        let place = root.place(&SafePath::file(&format!("{folder}/{path}"), limits)?)?;
        if !place.exists {
            return Err(missing());
        }
        let text = read_text(&place, most_bytes)?;
        Ok(Self { manual_id: manual_id.to_owned(), path, text })
    }
}

/// Every file of every manual: the name of the manual and the path below it, sorted.
pub(crate) fn manual_files(
    manuals: &Path,
    limits: &PathLimits,
    most: usize,
) -> Result<Vec<(String, SafePath)>> {
    let Some(root_path) = real_path(manuals)? else { return Ok(Vec::new()) };
    let root = open(&root_path, limits)?;
    let all = files(&root, &SafePath::folder("", limits)?, most)?;
    let below = |it: &SafePath| {
        let (manual_id, path) = it.as_str().split_once('/')?;
        Some((manual_id.to_owned(), SafePath::file(path, limits).ok()?))
    };
    Ok(all.paths.iter().filter_map(below).collect())
}

fn real_path(manuals: &Path) -> Result<Option<PathBuf>> {
    match manuals.canonicalize() {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        found => found.map(Some).map_err(|it| unopened(manuals, it)),
    }
}

fn open<'a>(path: &'a Path, limits: &'a PathLimits) -> Result<Root<'a>> {
    let folder = Folder::open(path).map_err(|it| unopened(path, it))?;
    Ok(Root { folder, path, limits })
}

fn unopened(manuals: &Path, source: std::io::Error) -> LibraryError {
    let path = manuals.display().to_string();
    LibraryError::Io { doing: "open the folder of the manuals", path, source }
}
