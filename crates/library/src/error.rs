//! What can go wrong: a refusal, in the six words a client knows, or a failure of the disk.

/// The result of a call of this crate.
pub type Result<T> = std::result::Result<T, LibraryError>;

/// A call that was refused or failed.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    #[error("{problem}")]
    Refused { refusal: Refusal, problem: String },
    #[error("could not {doing} {path}")]
    Io { doing: &'static str, path: String, source: std::io::Error },
}

/// Why a call was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    InvalidParameter,
    NotFound,
    Forbidden,
    Conflict,
    InvalidPath,
    InvalidScope,
}

impl Refusal {
    /// The word for programs.
    pub const fn code(self) -> &'static str {
        match self {
            Self::InvalidParameter => "invalid_parameter",
            Self::NotFound => "not_found",
            Self::Forbidden => "forbidden",
            Self::Conflict => "conflict",
            Self::InvalidPath => "invalid_path",
            Self::InvalidScope => "invalid_scope",
        }
    }

    /// The refusal with what is wrong, for people.
    pub fn because(self, problem: impl Into<String>) -> LibraryError {
        LibraryError::Refused { refusal: self, problem: problem.into() }
    }
}

impl LibraryError {
    /// Why the call was refused; nothing for a failure of the disk.
    pub const fn refusal(&self) -> Option<Refusal> {
        match self {
            Self::Refused { refusal, .. } => Some(*refusal),
            Self::Io { .. } => None,
        }
    }

    /// The word for programs; a failure of the disk has none of its own.
    pub fn code(&self) -> Option<&'static str> {
        self.refusal().map(Refusal::code)
    }
}
