//! A new version of a file takes its place in one step, once it is on the disk.
//!
//! A process killed in between leaves the old version, and beside it a temporary file that is never listed
//! and that the next write into the same folder removes.

use std::io::{self, ErrorKind, Write as _};
use std::sync::atomic::{AtomicU64, Ordering};

use super::folder::Folder;
use super::lock::WriteLock;
use crate::{LibraryError, Refusal, Result};

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

/// Where a version goes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Target<'a> {
    pub(crate) folder: &'a Folder,
    pub(crate) name: &'a str,
    /// For messages.
    pub(crate) path: &'a str,
}

/// Writes a file; the lock says that every temporary file in the folder was left by a dead process.
pub(crate) fn write(_lock: &WriteLock, to: Target<'_>, text: &str, step: Step) -> Result<()> {
    let failed = |doing, source| LibraryError::Io { doing, path: to.path.to_owned(), source };
    remove_leftovers(to.folder).map_err(|it| failed("clean the folder of", it))?;
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let temporary = format!("{PREFIX}{}-{number}{SUFFIX}", std::process::id());
    let result = write_beside(to, &temporary, text, step);
    if result.is_err() {
        // Where even this fails, the next write tries again.
        let _ = to.folder.remove(&temporary);
    }
    match result {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            Err(Refusal::Conflict.because(format!("{} is there already", to.path)))
        }
        result => result.map_err(|it| failed("write", it)),
    }
}

fn write_beside(to: Target<'_>, temporary: &str, text: &str, step: Step) -> io::Result<()> {
    let folder = to.folder;
    let mut file = folder.new_file(temporary)?;
    file.write_all(text.as_bytes())?;
    if step == Step::Replace {
        file.set_permissions(folder.file(to.name)?.metadata()?.permissions())?;
    }
    file.sync_all()?;
    drop(file);
    match step {
        Step::Publish => folder.publish(temporary, to.name)?,
        Step::Replace => folder.replace(temporary, to.name)?,
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
