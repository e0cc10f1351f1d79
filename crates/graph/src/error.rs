//! What can go wrong with the graph, in terms of the person who asked.

use std::io;
use std::path::PathBuf;

use evidence::UnknownName;
use evidence::ids::BadId;
use rusqlite::ErrorCode;

pub type Result<T, E = Error> = std::result::Result<T, E>;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Nothing is stored under this id.
    #[error("no {kind} {id}")]
    Unknown { kind: &'static str, id: String },
    #[error("no view `{name}`{}", did_you_mean(closest))]
    UnknownView { name: String, closest: Vec<String> },
    #[error(transparent)]
    BadId(#[from] BadId),
    #[error(transparent)]
    BadName(#[from] UnknownName),
    /// A value that cannot be recorded as it is.
    #[error("{what} {problem}")]
    Invalid { what: &'static str, problem: String },

    #[error("{} is not a SQLite database", path.display())]
    NotADatabase { path: PathBuf },
    #[error("{} belongs to another program", path.display())]
    Foreign { path: PathBuf },
    #[error("{} was written by a newer Lyra (schema {found}, this one knows up to {known})", path.display())]
    Newer { path: PathBuf, found: i64, known: i64 },
    #[error("the database is damaged")]
    Damaged { source: rusqlite::Error },
    #[error("cannot open {}", path.display())]
    CannotOpen { path: PathBuf, source: Box<dyn std::error::Error + Send + Sync> },
    #[error("{} is in use by another lyra process{}", path.display(), holder.as_ref().map(|it| format!(" ({it})")).unwrap_or_default())]
    InUse { path: PathBuf, holder: Option<String> },
    #[error("the database is busy")]
    Busy { source: rusqlite::Error },
    #[error("the disk is full")]
    DiskFull { source: rusqlite::Error },
    /// The disk, or what stands for it, failed while reading or writing.
    #[error("the disk reported an error")]
    Disk { source: rusqlite::Error },
    #[error("the database cannot be written")]
    ReadOnly,
    #[error("interrupted")]
    Interrupted,
    #[error("cannot access {}", path.display())]
    File { path: PathBuf, source: io::Error },
    /// A row that should hold by our own rules does not: a bug, or a file changed by others.
    #[error("the graph refused an operation")]
    Sql { source: rusqlite::Error },
}

impl From<rusqlite::Error> for Error {
    fn from(source: rusqlite::Error) -> Self {
        if is_broken_text(&source) {
            return Self::Damaged { source };
        }
        match source.sqlite_error_code() {
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Self::Damaged { source },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy { source },
            Some(ErrorCode::DiskFull) => Self::DiskFull { source },
            Some(ErrorCode::SystemIoFailure) => Self::Disk { source },
            Some(ErrorCode::ReadOnly) => Self::ReadOnly,
            Some(ErrorCode::OperationInterrupted) => Self::Interrupted,
            _ => Self::Sql { source },
        }
    }
}

/// Whether text in the file is no text. We write UTF-8 only, so the bytes have changed since.
fn is_broken_text(error: &rusqlite::Error) -> bool {
    match error {
        rusqlite::Error::Utf8Error(..) => true,
        rusqlite::Error::FromSqlConversionFailure(_, _, source) => {
            source.is::<std::str::Utf8Error>() || source.is::<std::string::FromUtf8Error>()
        }
        _ => false,
    }
}

impl Error {
    pub(crate) fn unknown(kind: &'static str, id: impl ToString) -> Self {
        Self::Unknown { kind, id: id.to_string() }
    }

    pub(crate) fn invalid(what: &'static str, problem: impl Into<String>) -> Self {
        Self::Invalid { what, problem: problem.into() }
    }
}

fn did_you_mean(names: &[String]) -> String {
    if names.is_empty() { String::new() } else { format!("; did you mean {}?", names.join(", ")) }
}
