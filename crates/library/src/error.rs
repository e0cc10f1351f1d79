//! What can go wrong, in the six words a client knows.

/// The result of a call of this crate.
pub type Result<T> = std::result::Result<T, LibraryError>;

/// A call that was refused or failed.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    #[error("{0}")]
    InvalidParameter(String),
    #[error("{0}")]
    NotFound(String),
    #[error("{0}")]
    Forbidden(String),
    #[error("{0}")]
    Conflict(String),
    #[error("{0}")]
    InvalidPath(String),
    #[error("{0}")]
    InvalidScope(String),
    #[error("could not {doing} {path}")]
    Io { doing: &'static str, path: String, source: std::io::Error },
}

impl LibraryError {
    /// The word for programs; a failure of the disk has none of its own.
    pub const fn code(&self) -> Option<&'static str> {
        Some(match self {
            Self::InvalidParameter(_) => "invalid_parameter",
            Self::NotFound(_) => "not_found",
            Self::Forbidden(_) => "forbidden",
            Self::Conflict(_) => "conflict",
            Self::InvalidPath(_) => "invalid_path",
            Self::InvalidScope(_) => "invalid_scope",
            Self::Io { .. } => return None,
        })
    }
}
