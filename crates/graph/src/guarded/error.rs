//! Why a query was not answered, in the terms of its author.

use std::fmt;

use rusqlite::ErrorCode;

use super::budget::Budget;
use super::permit::Permit;
use super::{QuerySettings, allowance};
use crate::Error;

#[derive(Debug, thiserror::Error)]
pub enum QueryError {
    #[error("the query is empty")]
    Empty,
    /// A statement that asks nothing.
    #[error("{keyword} is not a query: begin with SELECT, WITH, VALUES or EXPLAIN")]
    NotAQuery { keyword: String },
    #[error("there is more than one statement")]
    SeveralStatements,
    /// Refused by the engine's authorizer.
    #[error("{what} is not allowed here")]
    Denied { what: String },
    /// The text is not SQL, or names something that does not exist.
    #[error("{message}{}", at.map(|it| format!(" ({it})")).unwrap_or_default())]
    Syntax {
        message: String,
        at: Option<Position>,
        /// Tables or columns whose names look like one that does not exist.
        closest: Vec<String>,
    },
    /// It began well and met something it could not work with, such as broken JSON.
    #[error("the query failed: {message}")]
    Failed { message: String },
    #[error("the query was stopped after {ms} ms")]
    TimedOut { ms: u64 },
    #[error("the query was stopped after {steps} steps")]
    TooManySteps { steps: u64 },
    #[error("{what} is larger than {bytes} bytes")]
    TooLarge { what: &'static str, bytes: usize },
    #[error(transparent)]
    Graph(#[from] Error),
}

/// A place in the text of a query, both counted from one, columns in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    pub line: usize,
    pub column: usize,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

impl Position {
    fn of(sql: &str, offset: usize) -> Self {
        let before = &sql[..sql.floor_char_boundary(offset)];
        let line_start = before.rfind('\n').map_or(0, |it| it + 1);
        Self {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }
}

impl QueryError {
    pub(super) fn syntax(message: &str, sql: &str, offset: Option<usize>) -> Self {
        let at = offset.map(|it| Position::of(sql, it));
        Self::Syntax { message: message.to_owned(), at, closest: Vec::new() }
    }
}

/// How a run ended early: with a verdict of ours, or with the engine's.
#[derive(Debug)]
pub(super) enum Stopped {
    Ours(QueryError),
    /// The flag says whether the statement had been understood when it failed.
    Engine {
        source: rusqlite::Error,
        running: bool,
    },
}

impl From<QueryError> for Stopped {
    fn from(error: QueryError) -> Self {
        Self::Ours(error)
    }
}

impl Stopped {
    pub(super) fn explain(
        self,
        permit: &Permit,
        budget: &Budget,
        limits: &QuerySettings,
    ) -> QueryError {
        let (source, running) = match self {
            Self::Ours(error) => return error,
            Self::Engine { source, running } => (source, running),
        };
        // Refusals first: what follows from one may look like any other error.
        if let Some(what) = permit.refused() {
            return QueryError::Denied { what };
        }
        if allowance::is_spent() {
            let bytes = usize::try_from(allowance::BYTES).unwrap_or(usize::MAX);
            return QueryError::TooLarge { what: "the memory of the query", bytes };
        }
        if running && allowance::is_late() {
            return budget.spent(limits);
        }
        let source = match source {
            rusqlite::Error::SqlInputError { msg, sql, offset, .. } => {
                return QueryError::syntax(&msg, &sql, usize::try_from(offset).ok());
            }
            rusqlite::Error::SqliteFailure(error, Some(message))
                if matches!(error.code, ErrorCode::Unknown | ErrorCode::TypeMismatch) =>
            {
                return match running {
                    true => QueryError::Failed { message },
                    false => QueryError::Syntax { message, at: None, closest: Vec::new() },
                };
            }
            other => other,
        };
        match source.sqlite_error_code() {
            Some(ErrorCode::OperationInterrupted) => budget.spent(limits),
            Some(ErrorCode::TooBig) => {
                QueryError::TooLarge { what: "a value of the query", bytes: limits.value_bytes }
            }
            _ => QueryError::Graph(source.into()),
        }
    }
}
