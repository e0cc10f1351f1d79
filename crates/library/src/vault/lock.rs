//! One writer at a time, over all threads and processes.

use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind};
use std::thread;
use std::time::{Duration, Instant};

use super::folder::{Entry, Folder};
use crate::paths::SYSTEM;
use crate::{LibraryError, Refusal, Result};

const NAME: &str = "lock";

#[derive(Debug)]
pub(crate) struct WriteLock {
    // Held for its lock: the system releases it when the process ends, however it ends.
    _file: File,
}

impl WriteLock {
    pub(crate) fn acquire(root: &Folder, patience: Duration) -> Result<Self> {
        let failed = |source| LibraryError::Io {
            doing: "lock the vault by",
            path: format!("{SYSTEM}/{NAME}"),
            source,
        };
        let lock = system_folder(root)?.lock_file(NAME).map_err(failed)?;
        let deadline = Instant::now() + patience;
        loop {
            match lock.try_lock() {
                Ok(()) => return Ok(Self { _file: lock }),
                Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                    thread::sleep(Duration::from_millis(2));
                }
                Err(TryLockError::WouldBlock) => {
                    let waited = patience.as_secs();
                    return Err(Refusal::Conflict.because(format!(
                        "another program has been writing to the vault for {waited} s"
                    )));
                }
                Err(TryLockError::Error(source)) => return Err(failed(source)),
            }
        }
    }
}

/// Opens the program's own folder, which is made if it is missing; a link in its place is not followed.
pub(crate) fn system_folder(root: &Folder) -> Result<Folder> {
    let failed = |source| LibraryError::Io { doing: "open", path: SYSTEM.to_owned(), source };
    match root.entry(SYSTEM).map_err(failed)? {
        Entry::Folder => {}
        Entry::Missing => match root.make_folder(SYSTEM) {
            // Another writer was faster.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            made => made.map_err(failed)?,
        },
        Entry::File | Entry::Link(_) | Entry::Other => {
            return Err(failed(io::Error::new(ErrorKind::NotADirectory, "not a folder")));
        }
    }
    root.folder(SYSTEM).map_err(failed)
}
