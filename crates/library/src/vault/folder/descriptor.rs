//! Folders by descriptor.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags};
use rustix::io::Errno;

use super::Entry;

const FOLDER: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

#[derive(Debug)]
pub(crate) struct Folder(OwnedFd);

impl Folder {
    /// Opens a root, which may be reached through links: where it is, is the user's choice.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let flags = FOLDER.difference(OFlags::NOFOLLOW);
        Ok(Self(rustix::fs::open(path, flags, Mode::empty())?))
    }

    pub(crate) fn again(&self) -> io::Result<Self> {
        Ok(Self(self.0.try_clone()?))
    }

    pub(crate) fn entry(&self, name: &str) -> io::Result<Entry> {
        let about = match rustix::fs::statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(about) => about,
            Err(Errno::NOENT) => return Ok(Entry::Missing),
            Err(error) => return Err(error.into()),
        };
        Ok(match FileType::from_raw_mode(about.st_mode) {
            FileType::RegularFile => Entry::File,
            FileType::Directory => Entry::Folder,
            FileType::Symlink => {
                let target = rustix::fs::readlinkat(&self.0, name, Vec::new())?;
                Entry::Link(target.into_string().ok())
            }
            _ => Entry::Other,
        })
    }

    pub(crate) fn folder(&self, name: &str) -> io::Result<Self> {
        Ok(Self(rustix::fs::openat(&self.0, name, FOLDER, Mode::empty())?))
    }

    pub(crate) fn make_folder(&self, name: &str) -> io::Result<()> {
        rustix::fs::mkdirat(&self.0, name, Mode::from_raw_mode(0o777))?;
        files::give_usual_rights(&self.folder(name)?.0, 0o777 & self.rights()?)
    }

    /// Opens a file to read; a pipe that took its place does not hold us up.
    pub(crate) fn file(&self, name: &str) -> io::Result<File> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = File::from(rustix::fs::openat(&self.0, name, flags, Mode::empty())?);
        match file.metadata()?.is_file() {
            true => Ok(file),
            false => Err(io::Error::new(ErrorKind::InvalidInput, "not a file")),
        }
    }

    pub(crate) fn new_file(&self, name: &str) -> io::Result<File> {
        let file = self.write(name, OFlags::CREATE | OFlags::EXCL)?;
        files::give_usual_rights(&file, 0o666 & self.rights()?)?;
        Ok(file)
    }

    /// A vault may be shared with others: what is made in it can be read by those who can read its folder.
    fn rights(&self) -> io::Result<u32> {
        Ok(Mode::from_raw_mode(rustix::fs::fstat(&self.0)?.st_mode).as_raw_mode())
    }

    /// A file that is there for its lock.
    pub(crate) fn lock_file(&self, name: &str) -> io::Result<File> {
        match self.new_file(name) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                self.write(name, OFlags::CREATE)
            }
            made => made,
        }
    }

    fn write(&self, name: &str, how: OFlags) -> io::Result<File> {
        // A pipe without a reader is an error then, and nothing to wait for.
        let flags = OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC | how;
        Ok(rustix::fs::openat(&self.0, name, flags, Mode::from_raw_mode(0o666))?.into())
    }

    /// Gives a file a name that nothing has yet; `AlreadyExists` otherwise.
    pub(crate) fn publish(&self, from: &str, to: &str) -> io::Result<()> {
        #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
        {
            let flags = rustix::fs::RenameFlags::NOREPLACE;
            match rustix::fs::renameat_with(&self.0, from, &self.0, to, flags) {
                // Not every file system knows how.
                Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
                result => return Ok(result?),
            }
        }
        rustix::fs::linkat(&self.0, from, &self.0, to, AtFlags::empty())?;
        self.remove(from)
    }

    pub(crate) fn replace(&self, from: &str, to: &str) -> io::Result<()> {
        Ok(rustix::fs::renameat(&self.0, from, &self.0, to)?)
    }

    pub(crate) fn remove(&self, name: &str) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(&self.0, name, AtFlags::empty())?)
    }

    /// Returns once the names in the folder are on the disk.
    pub(crate) fn sync(&self) -> io::Result<()> {
        Ok(rustix::fs::fsync(&self.0)?)
    }

    /// The names in it, sorted; those that are not Unicode cannot be asked for and are left out.
    pub(crate) fn names(&self) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in Dir::read_from(&self.0)? {
            if let Ok(name) = entry?.file_name().to_str()
                && !matches!(name, "." | "..")
            {
                names.push(name.to_owned());
            }
        }
        names.sort_unstable();
        Ok(names)
    }
}
