//! A window that is open, as other processes see it: a locked file, and beside it what a person says elsewhere.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use evidence::AuthId;

use super::Word;
use crate::failure::{Failure, Kind};

/// More than anybody says.
const MAX_BYTES: u64 = 4_096;

/// Held while a window is open.
#[derive(Debug)]
pub(crate) struct Marker {
    files: Files,
    _lock: File,
}

#[derive(Debug)]
struct Files {
    open: PathBuf,
    done: PathBuf,
    answer: PathBuf,
}

impl Files {
    fn of(folder: &Path, id: AuthId) -> Self {
        let file = |end: &str| folder.join(format!("{id}.{end}"));
        Self { open: file("open"), done: file("done"), answer: file("answer") }
    }

    fn remove(&self) {
        for path in [&self.open, &self.done, &self.answer] {
            // It may never have been there.
            drop(fs::remove_file(path));
        }
    }
}

/// What came of a word that was said elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Told {
    /// No window is open for it.
    NoWindow,
    /// The page is not open yet, for this reason.
    StillAsks(String),
    /// The window is closed.
    Over,
}

impl Marker {
    pub(super) fn make(folder: &Path, id: AuthId) -> Result<Self, Failure> {
        let unwritable = |error| Failure::new(Kind::Data, error).hint(|w| &w.hint.data_dir_owner);
        files::make_private_folder(folder).map_err(unwritable)?;
        let files = Files::of(folder, id);
        let lock = File::create(&files.open).map_err(unwritable)?;
        if lock.try_lock().is_err() {
            let message = "a window is open for this page already";
            return Err(Failure::new(Kind::InUse, message));
        }
        for path in [&files.done, &files.answer] {
            drop(fs::remove_file(path));
        }
        Ok(Self { files, _lock: lock })
    }

    /// What was said elsewhere since the last time.
    pub(super) fn word(&self) -> Option<Word> {
        fs::remove_file(&self.files.done).is_ok().then_some(Word::Done)
    }

    /// Answers who said that the page is open: it is not.
    pub(super) fn answer(&self, why: &str) {
        if let Err(error) = fs::write(&self.files.answer, why) {
            tracing::warn!(%error, "what a window showed could not be told");
        }
    }
}

impl Drop for Marker {
    fn drop(&mut self) {
        self.files.remove();
    }
}

/// Says to an open window that the person is through. [`Told`] tells what came of it.
pub(crate) fn tell_done(folder: &Path, id: AuthId) -> io::Result<Option<Told>> {
    let files = Files::of(folder, id);
    if !is_open(&files) {
        return Ok(Some(Told::NoWindow));
    }
    drop(fs::remove_file(&files.answer));
    File::create(&files.done)?;
    Ok(None)
}

impl Told {
    /// What came of a word until now.
    pub(crate) fn look(folder: &Path, id: AuthId) -> Option<Self> {
        let files = Files::of(folder, id);
        if let Ok(why) = files::read_text(&files.answer, MAX_BYTES) {
            return Some(Self::StillAsks(why));
        }
        (!is_open(&files)).then_some(Self::Over)
    }
}

/// Whether a process holds a window open.
fn is_open(files: &Files) -> bool {
    let Ok(lock) = File::open(&files.open) else { return false };
    match lock.try_lock() {
        // It was killed.
        Ok(()) => {
            files.remove();
            false
        }
        Err(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use evidence::Id as _;

    use super::*;

    #[test]
    fn a_word_reaches_an_open_window_and_a_closed_one_is_known_as_such() {
        let folder = tempfile::tempdir().unwrap();
        let id = AuthId::from_parts(1, 1);
        assert_eq!(tell_done(folder.path(), id).unwrap(), Some(Told::NoWindow));
        let marker = Marker::make(folder.path(), id).unwrap();
        assert!(Marker::make(folder.path(), id).is_err(), "one window for a page");
        assert_eq!(marker.word(), None);

        assert_eq!(tell_done(folder.path(), id).unwrap(), None);
        assert_eq!(Told::look(folder.path(), id), None, "nothing came of it yet");
        assert_eq!(marker.word(), Some(Word::Done));
        assert_eq!(marker.word(), None, "said once");
        marker.answer("the page asks for a login");
        let told = Told::StillAsks("the page asks for a login".to_owned());
        assert_eq!(Told::look(folder.path(), id), Some(told));

        drop(marker);
        assert_eq!(Told::look(folder.path(), id), Some(Told::Over));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        // What a killed process left behind is no window.
        File::create(folder.path().join(format!("{id}.open"))).unwrap();
        assert_eq!(tell_done(folder.path(), id).unwrap(), Some(Told::NoWindow));
    }
}
