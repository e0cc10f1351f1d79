//! What can go wrong with the files of the archive.

use std::io;
use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("cannot access {}", path.display())]
    File { path: PathBuf, source: io::Error },
    /// The file ends inside a record: its writer was stopped. What precedes it can be read.
    #[error("{}: the record at byte {at} is cut off", path.display())]
    Torn { path: PathBuf, at: u64 },
    /// There is no record here, or not a whole one.
    #[error("{}: byte {at}: {problem}", path.display())]
    Damaged { path: PathBuf, at: u64, problem: String },
    #[error("{}: byte {at}: the {part} of the record is larger than {limit} bytes", path.display())]
    TooLarge { path: PathBuf, at: u64, part: &'static str, limit: u64 },
    /// A name that would lead out of the archive folder.
    #[error("\"{name}\" is not the name of a file in the archive")]
    BadName { name: String },
    /// What was to be written does not make a record that can be read back.
    #[error("the {field} cannot be archived: {problem}")]
    Unfit { field: &'static str, problem: &'static str },
    /// The block of the record is no HTTP message.
    #[error("the record holds no HTTP message")]
    NotHttp,
}

impl Error {
    /// Whether the file of the record is missing.
    pub fn is_missing_file(&self) -> bool {
        matches!(self, Self::File { source, .. } if source.kind() == io::ErrorKind::NotFound)
    }
}
