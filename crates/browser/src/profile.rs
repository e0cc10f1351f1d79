//! The folder of one run of the browser: never the user's own profile, and gone afterwards.
//!
//! A folder is locked while its run lasts. What a killed process left behind is deleted by the next run, which finds it
//! unlocked.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use std::{io, process, thread};

const PREFIX: &str = "run-";
const LOCK: &str = "lock";
/// Tries to delete a folder: processes that are ending still write into it.
const TRIES: u32 = 20;
const PAUSE: Duration = Duration::from_millis(25);

/// A folder for one run.
#[derive(Debug)]
pub(crate) struct Profile {
    folder: PathBuf,
    _lock: File,
}

impl Profile {
    /// Makes one below a folder, and deletes what earlier runs left there.
    pub(crate) fn make(below: &Path) -> io::Result<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        files::make_private_folder(below)?;
        sweep(below)?;
        let run = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = below.join(format!("{PREFIX}{}-{run}", process::id()));
        files::make_private_folder(&folder)?;
        let lock = File::create(folder.join(LOCK))?;
        lock.lock()?;
        Ok(Self { folder, _lock: lock })
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.folder.join("profile")
    }

    /// Where the browser writes what it complains of.
    pub(crate) fn complaints(&self) -> PathBuf {
        self.folder.join("stderr")
    }

    /// For files that the browser would leave in the folder of the system. A name of a socket has about a hundred bytes,
    /// so a long path will not do.
    pub(crate) fn temporary(&self) -> Option<PathBuf> {
        const LONGEST: usize = 50;
        Some(self.folder.clone()).filter(|it| it.as_os_str().len() <= LONGEST)
    }
}

impl Drop for Profile {
    fn drop(&mut self) {
        if let Err(error) = delete(&self.folder) {
            tracing::warn!(%error, "the browser's folder was not deleted; its next run does that");
        }
    }
}

/// Deletes the folders of runs that are over.
fn sweep(below: &Path) -> io::Result<()> {
    for entry in fs::read_dir(below)? {
        let path = entry?.path();
        let ours = path.file_name().is_some_and(|it| it.to_string_lossy().starts_with(PREFIX));
        if !ours {
            continue;
        }
        let over = match File::open(path.join(LOCK)) {
            Ok(lock) => lock.try_lock().is_ok(),
            // Killed before it made its lock.
            Err(error) => error.kind() == io::ErrorKind::NotFound,
        };
        if over && let Err(error) = delete(&path) {
            tracing::warn!(%error, "the folder of an earlier browser was not deleted");
        }
    }
    Ok(())
}

fn delete(folder: &Path) -> io::Result<()> {
    let mut outcome = fs::remove_dir_all(folder);
    for _ in 1..TRIES {
        match &outcome {
            Ok(()) => break,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(_) => thread::sleep(PAUSE),
        }
        outcome = fs::remove_dir_all(folder);
    }
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_goes_with_its_run_and_a_killed_run_leaves_it_to_the_next() {
        let below = tempfile::tempdir().expect("a folder");
        let one = Profile::make(below.path()).expect("a profile");
        let orphan = below.path().join("run-1-1");
        fs::create_dir(&orphan).expect("a folder");
        fs::write(orphan.join(LOCK), "").expect("a lock");
        fs::write(below.path().join("of-the-user"), "kept").expect("a file");

        let two = Profile::make(below.path()).expect("another profile");
        assert!(!orphan.exists());
        assert!(one.folder.exists(), "a locked folder is in use");
        assert_ne!(one.folder, two.folder);

        drop((one, two));
        let left: Vec<_> = fs::read_dir(below.path()).expect("a folder").collect();
        assert_eq!(left.len(), 1, "{left:?}");
    }
}
