//! The files of a vault, in one order.

use super::folder::{Entry, Folder};
use super::place::{Root, failed};
use crate::paths::SafePath;
use crate::{LibraryError, Refusal, Result};

/// What lies below a folder.
#[derive(Debug, Default)]
pub(crate) struct Files {
    pub(crate) paths: Vec<SafePath>,
    /// There are more than may be listed.
    pub(crate) cut: bool,
}

/// Lists the files below a folder, sorted. Links are read when they are named, not listed: what they lead to
/// is listed where it is.
pub(crate) fn files(root: &Root<'_>, below: &SafePath, most: usize) -> Result<Files> {
    let Some((folder, path)) = root.folder(below)? else {
        return Err(Refusal::NotFound.because(format!("{below} is not in the vault")));
    };
    let mut files = Files::default();
    let at = if path.as_str().is_empty() { String::new() } else { format!("{path}/") };
    walk(root, &folder, &at, most, &mut files)?;
    files.paths.sort_unstable();
    Ok(files)
}

fn walk(root: &Root<'_>, folder: &Folder, at: &str, most: usize, files: &mut Files) -> Result<()> {
    let failed = |it| LibraryError::Io { doing: "list", path: format!("{at}."), source: it };
    for name in folder.names().map_err(failed)? {
        let path = format!("{at}{name}");
        match folder.entry(&name).map_err(failed)? {
            Entry::File => {
                let Ok(path) = SafePath::file(&path, root.limits) else { continue };
                if files.paths.len() >= most {
                    files.cut = true;
                    return Ok(());
                }
                files.paths.push(path);
            }
            Entry::Folder if SafePath::folder(&path, root.limits).is_ok() => {
                let below = folder.folder(&name).map_err(failed)?;
                walk(root, &below, &format!("{path}/"), most, files)?;
            }
            // A file that vanished is not listed; neither are the program's own.
            Entry::Folder | Entry::Missing | Entry::Link(_) | Entry::Other => {}
        }
    }
    Ok(())
}

/// The size of a file that was listed; `None` if it has gone since.
pub(crate) fn size(root: &Root<'_>, path: &SafePath) -> Result<Option<u64>> {
    let place = root.place(path)?;
    if !place.exists {
        return Ok(None);
    }
    let about = place.folder.file(&place.name).and_then(|it| it.metadata());
    Ok(Some(about.map_err(|it| failed("look at", path, it))?.len()))
}
