//! What an assistant is told when a call failed: a code, plain words, and what to try.
//!
//! Internal detail (paths, causes, SQL of ours) goes to the log under an error id, never into an answer
//! (SEC-18).

use evidence::BadId;
use evidence::domain::BadPattern;
use graph::QueryError;
use library::{LibraryError, Refusal};
use research::EngineError;
use serde_json::{Value, json};

use super::schema::Misfit;
use crate::failure::{Failure, Kind, error_id};
use crate::visit::NotReady;

/// What assistants branch on: ten codes of the research tools, six of the library tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Code {
    InvalidParams,
    TaskNotFound,
    BudgetExhausted,
    AuthRequired,
    AllEnginesBlocked,
    /// No window can be opened for a person. A page that is to be rendered where no browser is ready is a missed page.
    ChromeNotReady,
    PipelineError,
    CalibrationError,
    Timeout,
    InternalError,
    // The library tools.
    InvalidParameter,
    NotFound,
    Forbidden,
    Conflict,
    InvalidPath,
    InvalidScope,
}

impl Code {
    /// All codes and what each means, for the reference.
    pub(crate) const ALL: [(Self, &'static str); 16] = [
        (Self::InvalidParams, "an argument is wrong or missing; the message says which"),
        (Self::TaskNotFound, "there is no task of this id"),
        (Self::BudgetExhausted, "the pages or the time of the task are used up"),
        (Self::AuthRequired, "everything that was found asks for a person"),
        (Self::AllEnginesBlocked, "every engine is resting after failures"),
        (
            Self::ChromeNotReady,
            "no window can be opened for the user: there is no browser or no screen; a page that is to be rendered is missed instead",
        ),
        (Self::PipelineError, "the work could not be done: the database is in use or damaged, say"),
        (Self::CalibrationError, "calibration could not do it: too few samples, say"),
        (Self::Timeout, "it took longer than it may"),
        (Self::InternalError, "a bug in Lyra; the log has the details under the error id"),
        (Self::InvalidParameter, "library: an argument is wrong or missing"),
        (Self::NotFound, "library: there is no such manual, file, section or trace"),
        (Self::Forbidden, "library: this file may not be changed in this way"),
        (Self::Conflict, "library: the file is there already, or is not what was expected"),
        (Self::InvalidPath, "library: the path leaves its folder or is no plain relative one"),
        (Self::InvalidScope, "library: the section is ambiguous, or has no such line"),
    ];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::InvalidParams => "INVALID_PARAMS",
            Self::TaskNotFound => "TASK_NOT_FOUND",
            Self::BudgetExhausted => "BUDGET_EXHAUSTED",
            Self::AuthRequired => "AUTH_REQUIRED",
            Self::AllEnginesBlocked => "ALL_ENGINES_BLOCKED",
            Self::ChromeNotReady => "CHROME_NOT_READY",
            Self::PipelineError => "PIPELINE_ERROR",
            Self::CalibrationError => "CALIBRATION_ERROR",
            Self::Timeout => "TIMEOUT",
            Self::InternalError => "INTERNAL_ERROR",
            Self::InvalidParameter => "invalid_parameter",
            Self::NotFound => "not_found",
            Self::Forbidden => "forbidden",
            Self::Conflict => "conflict",
            Self::InvalidPath => "invalid_path",
            Self::InvalidScope => "invalid_scope",
        }
    }
}

/// A call that was not done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ToolError {
    pub(crate) code: Code,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
    /// The name under which the log has the details.
    pub(crate) error_id: Option<String>,
}

impl ToolError {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: None, error_id: None }
    }

    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::new(Code::InvalidParams, message)
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// A failure whose words stay inside: the log gets them, the assistant an id.
    pub(crate) fn logged(code: Code, message: &str, detail: &str) -> Self {
        let id = error_id(detail);
        tracing::error!(error_id = id, code = code.as_str(), detail, "a tool failed");
        Self { code, message: message.to_owned(), hint: None, error_id: Some(id) }
    }

    /// A bug that was caught.
    pub(crate) fn bug(error_id: Option<String>) -> Self {
        Self {
            code: Code::InternalError,
            message: "Lyra failed because of a bug in itself".to_owned(),
            hint: Some("nothing is half done; report it with the error id".to_owned()),
            error_id,
        }
    }

    pub(crate) fn document(&self) -> Value {
        let mut error = json!({ "code": self.code.as_str(), "message": self.message });
        if let Some(hint) = &self.hint {
            error["hint"] = hint.as_str().into();
        }
        if let Some(id) = &self.error_id {
            error["error_id"] = id.as_str().into();
        }
        json!({ "ok": false, "error": error })
    }
}

impl From<Misfit> for ToolError {
    fn from(misfit: Misfit) -> Self {
        Self { hint: misfit.hint, ..Self::invalid(misfit.message) }
    }
}

impl From<LibraryError> for ToolError {
    fn from(error: LibraryError) -> Self {
        use LibraryError as E;
        let code = match &error {
            E::Refused { refusal, .. } => match refusal {
                Refusal::InvalidParameter => Code::InvalidParameter,
                Refusal::NotFound => Code::NotFound,
                Refusal::Forbidden => Code::Forbidden,
                Refusal::Conflict => Code::Conflict,
                Refusal::InvalidPath => Code::InvalidPath,
                Refusal::InvalidScope => Code::InvalidScope,
            },
            E::Io { doing, source, .. } if source.kind() == std::io::ErrorKind::NotFound => {
                return Self::new(Code::NotFound, format!("could not {doing}: it does not exist"))
                    .hint("the settings library.manuals and library.vault say where manuals and results lie");
            }
            E::Io { doing, path, source } => {
                let message = format!("could not {doing} {path}");
                return Self::logged(Code::PipelineError, &message, &source.to_string());
            }
        };
        let tool_error = Self::new(code, error.to_string());
        match code {
            Code::NotFound => tool_error.hint(
                "manual_ls, manual_toc and vault_ls list what there is; a trace is kept for a day",
            ),
            Code::Conflict => tool_error
                .hint("vault_read shows what is there; vault_write and vault_replace change it"),
            Code::Forbidden => tool_error
                .hint("files in daily/ take vault_write with mode append; .system/ is Lyra's"),
            Code::InvalidPath => tool_error
                .hint("a path is relative, with / between folders, and ends in .md or .json"),
            Code::InvalidScope => {
                tool_error.hint("name the section by the number of one of its lines")
            }
            _ => tool_error,
        }
    }
}

impl From<BadId> for ToolError {
    fn from(error: BadId) -> Self {
        Self::invalid(error.to_string()).hint(hint_for_id(error.kind))
    }
}

impl From<BadPattern> for ToolError {
    fn from(error: BadPattern) -> Self {
        Self::invalid(error.to_string())
            .hint("`example.com` is that host alone, `*.example.com` is it and everything below")
    }
}

impl From<graph::Error> for ToolError {
    fn from(error: graph::Error) -> Self {
        use graph::Error as E;
        match &error {
            E::Unknown { kind: "task", .. } => Self::new(Code::TaskNotFound, error.to_string())
                .hint("create_task makes one; SELECT id, query FROM tasks lists those there are"),
            E::Unknown { kind, .. } => Self::invalid(error.to_string()).hint(hint_for_id(kind)),
            E::BadId(bad) => bad.clone().into(),
            E::BadName(_) | E::Invalid { .. } | E::UnknownView { .. } => {
                Self::invalid(error.to_string())
            }
            _ => Failure::from(error).into(),
        }
    }
}

/// Where ids of a kind come from.
fn hint_for_id(kind: &str) -> &'static str {
    match kind {
        "task" => "create_task returns a task_id",
        "claim" => "claim ids come from search or SELECT id FROM claims",
        "edge" => "edge ids come from SELECT id FROM edges",
        "auth queue entry" => "get_auth_queue lists the entries",
        "active override for" => "get_status lists domain_overrides",
        "calibration version" => "SELECT source, version FROM calibration_versions lists them",
        _ => "query_graph lists what there is",
    }
}

impl From<EngineError> for ToolError {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Graph(error) => error.into(),
            EngineError::Invalid { .. } => Self::invalid(error.to_string()),
            EngineError::NoSuchTask(_) => {
                Self::new(Code::TaskNotFound, error.to_string()).hint("create_task makes one")
            }
            EngineError::Ended { .. } => {
                Self::invalid(error.to_string()).hint("begin a new one with create_task")
            }
            EngineError::Model(_) => {
                Self::logged(Code::PipelineError, "the model cannot be used", &chain(&error))
                    .hint("`lyra models list` and `lyra doctor` say more")
            }
            EngineError::NoNetwork { .. } => Self::new(Code::PipelineError, error.to_string())
                .hint("nothing was sent or counted; `sources: [\"library\"]` needs no network"),
            EngineError::Broken => {
                Self::logged(Code::InternalError, &error.to_string(), &chain(&error))
            }
        }
    }
}

impl From<QueryError> for ToolError {
    fn from(error: QueryError) -> Self {
        use QueryError as E;
        let hint = match &error {
            E::Graph(_) => String::new(),
            E::Empty => "give one SELECT".to_owned(),
            E::NotAQuery { .. } => "the graph can only be read here".to_owned(),
            E::SeveralStatements => "ask them one by one".to_owned(),
            E::Denied { .. } => "only the tables and views of lyra://schema can be read".to_owned(),
            E::Syntax { closest, .. } if !closest.is_empty() => {
                format!("did you mean {}?", closest.join(" or "))
            }
            E::Syntax { .. } => "resource lyra://schema lists tables and columns".to_owned(),
            E::Failed { .. } => "the query was understood; check the values".to_owned(),
            E::TimedOut { .. } => {
                "ask for less, or raise options.timeout_ms (at most 2000)".to_owned()
            }
            E::TooManySteps { .. } => {
                "ask for less, or raise options.max_vm_steps (at most 5000000)".to_owned()
            }
            E::TooLarge { .. } => "ask for less: substr(), fewer columns, LIMIT".to_owned(),
        };
        match error {
            E::Graph(error) => error.into(),
            E::TimedOut { .. } | E::TooManySteps { .. } => {
                Self::new(Code::Timeout, error.to_string()).hint(hint)
            }
            other => Self::invalid(other.to_string()).hint(hint),
        }
    }
}

/// Failures of the parts that a person at the command line would be told about.
impl From<Failure> for ToolError {
    fn from(failure: Failure) -> Self {
        let detail = [vec![failure.error.to_string()], failure.causes()].concat().join(": ");
        if failure.error.is::<NotReady>() {
            let hint = failure.hint.as_ref().map(crate::failure::Hint::english);
            return Self { hint, ..Self::new(Code::ChromeNotReady, failure.error.to_string()) };
        }
        match failure.kind {
            Kind::BadInput | Kind::NotFound | Kind::Limit | Kind::Untrue => {
                Self::invalid(failure.error.to_string())
            }
            Kind::InUse => Self::logged(
                Code::PipelineError,
                "another Lyra process is writing to the database",
                &detail,
            )
            .hint("wait for it or stop it; query_graph and vector_search work meanwhile"),
            Kind::Config => {
                Self::logged(Code::PipelineError, "the configuration cannot be used", &detail)
                    .hint("`lyra config show` and `lyra doctor` say more")
            }
            Kind::Data => Self::logged(
                Code::PipelineError,
                "the data directory or the database cannot be used",
                &detail,
            )
            .hint("`lyra doctor` says more"),
            Kind::Network => {
                Self::logged(Code::PipelineError, "the network cannot be used", &detail)
            }
            Kind::Interrupted => {
                Self::new(Code::Timeout, "it was interrupted; nothing was changed")
            }
            Kind::Internal | Kind::BrokenPipe => {
                Self::logged(Code::InternalError, "Lyra failed because of a bug in itself", &detail)
            }
        }
    }
}

/// An error and what led to it.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        text += &format!(": {cause}");
        next = cause.source();
    }
    text
}
