//! One writer at a time: a lock file beside the database that also says who holds it.
//!
//! SQLite alone would let two processes write in turn, but each keeps vectors and learned policy in
//! memory, so the second is told who the first is instead of working on stale copies.

use std::fs::{File, TryLockError};
use std::io::{ErrorKind, Read, Seek, Write};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crate::header::beside;
use crate::{Error, Result, private};

#[derive(Debug)]
pub(crate) struct WriteLock {
    // Held for its lock: the system lets go of it when the process ends, however it ends.
    _file: File,
}

impl WriteLock {
    pub(crate) fn acquire(database: &Path, patience: Duration) -> Result<Self> {
        let path = beside(database, ".lock");
        let file = |source| Error::File { path: path.clone(), source };
        let mut lock = private::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(file)?;
        let deadline = Instant::now() + patience;
        loop {
            match lock.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                    thread::sleep(Duration::from_millis(20));
                }
                Err(TryLockError::WouldBlock) => {
                    let holder = holder(&mut lock);
                    return Err(Error::InUse { path: database.to_owned(), holder });
                }
                Err(TryLockError::Error(source)) => return Err(file(source)),
            }
        }
        let command = std::env::args().nth(1).unwrap_or_default();
        lock.set_len(0).map_err(file)?;
        lock.rewind().map_err(file)?;
        writeln!(lock, "process {}, lyra {command}", std::process::id()).map_err(file)?;
        Ok(Self { _file: lock })
    }
}

/// Says which process writes to a database now, without blocking it; `None` if none does.
pub fn writer_of(database: &Path) -> Result<Option<String>> {
    let path = beside(database, ".lock");
    let mut lock = match files::open(&path) {
        Ok(lock) => lock,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(Error::File { path, source }),
    };
    match lock.try_lock_shared() {
        Ok(()) => Ok(None),
        Err(TryLockError::WouldBlock) => {
            Ok(Some(holder(&mut lock).unwrap_or_else(|| "another process".to_owned())))
        }
        Err(TryLockError::Error(source)) => Err(Error::File { path, source }),
    }
}

/// The holder of the lock may be writing its name at this moment: no name is fine.
fn holder(lock: &mut File) -> Option<String> {
    let mut holder = String::new();
    let known = lock.read_to_string(&mut holder).is_ok() && !holder.is_empty();
    known.then(|| holder.trim().to_owned())
}
