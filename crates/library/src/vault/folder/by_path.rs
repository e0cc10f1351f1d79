//! Folders by path, for systems without descriptors of folders.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::Entry;

#[derive(Debug)]
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// Opens a root, which may be reached through links: where it is, is the user's choice.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self(path.canonicalize()?))
    }

    pub(crate) fn again(&self) -> io::Result<Self> {
        Ok(Self(self.0.clone()))
    }

    pub(crate) fn entry(&self, name: &str) -> io::Result<Entry> {
        let path = self.0.join(name);
        let about = match fs::symlink_metadata(&path) {
            Ok(about) => about.file_type(),
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Entry::Missing),
            Err(error) => return Err(error),
        };
        Ok(match () {
            () if about.is_symlink() => {
                Entry::Link(fs::read_link(&path)?.into_os_string().into_string().ok())
            }
            () if about.is_file() => Entry::File,
            () if about.is_dir() => Entry::Folder,
            () => Entry::Other,
        })
    }

    pub(crate) fn folder(&self, name: &str) -> io::Result<Self> {
        match self.entry(name)? {
            Entry::Folder => Ok(Self(self.0.join(name))),
            Entry::Missing => Err(ErrorKind::NotFound.into()),
            Entry::File | Entry::Link(_) | Entry::Other => Err(ErrorKind::NotADirectory.into()),
        }
    }

    pub(crate) fn make_folder(&self, name: &str) -> io::Result<()> {
        fs::create_dir(self.0.join(name))
    }

    pub(crate) fn file(&self, name: &str) -> io::Result<File> {
        match self.entry(name)? {
            Entry::File => files::open(&self.0.join(name)),
            Entry::Missing => Err(ErrorKind::NotFound.into()),
            Entry::Folder | Entry::Link(_) | Entry::Other => {
                Err(io::Error::new(ErrorKind::InvalidInput, "not a file"))
            }
        }
    }

    pub(crate) fn new_file(&self, name: &str) -> io::Result<File> {
        OpenOptions::new().write(true).create_new(true).open(self.0.join(name))
    }

    /// A file that is there for its lock.
    pub(crate) fn lock_file(&self, name: &str) -> io::Result<File> {
        match self.entry(name)? {
            Entry::Missing | Entry::File => {
                OpenOptions::new().write(true).create(true).truncate(false).open(self.0.join(name))
            }
            Entry::Folder | Entry::Link(_) | Entry::Other => {
                Err(io::Error::new(ErrorKind::InvalidInput, "not a file"))
            }
        }
    }

    /// Gives a file a name that nothing has yet; `AlreadyExists` otherwise.
    pub(crate) fn publish(&self, from: &str, to: &str) -> io::Result<()> {
        fs::hard_link(self.0.join(from), self.0.join(to))?;
        self.remove(from)
    }

    pub(crate) fn replace(&self, from: &str, to: &str) -> io::Result<()> {
        fs::rename(self.0.join(from), self.0.join(to))
    }

    pub(crate) fn remove(&self, name: &str) -> io::Result<()> {
        fs::remove_file(self.0.join(name))
    }

    /// Windows writes names down by itself and has no call for it.
    pub(crate) fn sync(&self) -> io::Result<()> {
        Ok(())
    }

    /// The names in it, sorted; those that are not Unicode cannot be asked for and are left out.
    pub(crate) fn names(&self) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.0)? {
            names.extend(entry?.file_name().into_string());
        }
        names.sort_unstable();
        Ok(names)
    }
}
