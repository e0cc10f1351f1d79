//! A new version of a file takes its place in one step, once it is on the disk.
//!
//! Whoever is killed in between leaves the old version, and beside it a temporary file that is never listed
//! and that the next write into the same folder removes.

use std::io::{self, ErrorKind, Write as _};
use std::sync::atomic::{AtomicU64, Ordering};

use super::folder::Folder;
use super::lock::WriteLock;
use super::place::{Place, failed};
use crate::{LibraryError, Result};

const PREFIX: &str = ".lyra-";
const SUFFIX: &str = ".tmp";

/// Tells the temporary files of one process apart.
static NUMBER: AtomicU64 = AtomicU64::new(0);

/// Whether the name must be free or taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    Publish,
    Replace,
}

/// Writes a file; the lock says that every temporary file in the folder was left by a dead process.
pub(crate) fn write(_lock: &WriteLock, place: &Place, text: &str, step: Step) -> Result<()> {
    remove_leftovers(&place.folder).map_err(|it| failed("clean the folder of", &place.path, it))?;
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let temporary = format!("{PREFIX}{}-{number}{SUFFIX}", std::process::id());
    let result = write_beside(place, &temporary, text, step);
    if result.is_err() {
        // Where even this fails, the next write tries again.
        let _ = place.folder.remove(&temporary);
    }
    match result {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            Err(LibraryError::Conflict(format!("{} is there already", place.path)))
        }
        result => result.map_err(|it| failed("write", &place.path, it)),
    }
}

fn write_beside(place: &Place, temporary: &str, text: &str, step: Step) -> io::Result<()> {
    let folder = &place.folder;
    let mut file = folder.new_file(temporary)?;
    file.write_all(text.as_bytes())?;
    if step == Step::Replace {
        file.set_permissions(folder.file(&place.name)?.metadata()?.permissions())?;
    }
    file.sync_all()?;
    drop(file);
    match step {
        Step::Publish => folder.publish(temporary, &place.name)?,
        Step::Replace => folder.replace(temporary, &place.name)?,
    }
    folder.sync()
}

fn remove_leftovers(folder: &Folder) -> io::Result<()> {
    for name in folder.names()? {
        if name.starts_with(PREFIX) && name.ends_with(SUFFIX) {
            folder.remove(&name)?;
        }
    }
    Ok(())
}
