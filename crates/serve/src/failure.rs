//! Failure: what went wrong, who can act on it, and what to do next.
//!
//! Every stage has errors of its own; this is the one place that decides what they mean to a
//! person at the command line, and which exit code a script sees.

use std::cell::RefCell;
use std::error::Error;
use std::fmt;
use std::io;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};

use evidence::domain::BadPattern;
use fetch::{FetchFailure, OpenError, Reason};
use library::{LibraryError, Refusal};
use models::ModelError;
use research::EngineError;
use serde_json::{Value, json};

use crate::config;

/// Who can act on a failure. Scripts see it as an exit code and, with `--json`, as `code`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Internal,
    BadInput,
    NotFound,
    Config,
    Data,
    InUse,
    Limit,
    /// A page could not be brought.
    Network,
    Interrupted,
    /// Whoever read our output has seen enough (`lyra … | head`): the work is done.
    BrokenPipe,
}

impl Kind {
    pub(crate) fn exit_code(self) -> u8 {
        match self {
            Self::BrokenPipe => 0,
            Self::Internal => 1,
            Self::BadInput => 2,
            Self::NotFound => 3,
            Self::Config => 4,
            Self::Data => 5,
            Self::InUse => 6,
            Self::Limit => 7,
            Self::Network => 8,
            Self::Interrupted => 130,
        }
    }

    pub(crate) fn code(self) -> &'static str {
        match self {
            Self::BrokenPipe => "broken_pipe",
            Self::Internal => "internal",
            Self::BadInput => "bad_input",
            Self::NotFound => "not_found",
            Self::Config => "config",
            Self::Data => "data",
            Self::InUse => "in_use",
            Self::Limit => "limit",
            Self::Network => "network",
            Self::Interrupted => "interrupted",
        }
    }
}

/// The end of a command that could not do its work.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) kind: Kind,
    pub(crate) error: Box<dyn Error + Send + Sync>,
    /// What the reader can do next.
    pub(crate) hint: Option<String>,
    /// The name under which the log knows the details, where there is more to know.
    pub(crate) error_id: Option<String>,
}

impl Failure {
    pub(crate) fn new(kind: Kind, error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { kind, error: error.into(), hint: None, error_id: None }
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    pub(crate) fn bad_input(message: impl Into<String>) -> Self {
        Self::new(Kind::BadInput, message.into())
    }

    /// What led to the error, nearest first. A cause that only repeats the one before is left out.
    pub(crate) fn causes(&self) -> Vec<String> {
        let mut chain = vec![self.error.to_string()];
        let mut next = self.error.source();
        while let Some(cause) = next {
            let text = cause.to_string();
            // SQLite's are pairs: "malformed", caused by "Error code 11: malformed".
            let news = text.split_once(": ").map_or(text.as_str(), |(_, news)| news);
            if chain.last().is_none_or(|it| !it.contains(news)) {
                chain.push(text);
            }
            next = cause.source();
        }
        chain.split_off(1)
    }

    /// The failure as one JSON object.
    pub(crate) fn document(&self) -> Value {
        let mut error = json!({ "code": self.kind.code(), "message": self.error.to_string() });
        let causes = self.causes();
        if !causes.is_empty() {
            error["causes"] = causes.into();
        }
        if let Some(hint) = &self.hint {
            error["hint"] = hint.as_str().into();
        }
        if let Some(id) = &self.error_id {
            error["error_id"] = id.as_str().into();
        }
        json!({ "ok": false, "error": error })
    }
}

/// The one place that decides what an error of the graph means to a user.
impl From<graph::Error> for Failure {
    fn from(error: graph::Error) -> Self {
        use graph::Error as E;
        let (kind, hint) = match &error {
            E::Unknown { kind: "task", .. } => {
                (Kind::NotFound, Some("`lyra task list` shows the tasks"))
            }
            E::Unknown { kind: "claim", .. } => {
                (Kind::NotFound, Some("`lyra claims TASK` shows the claims of a task"))
            }
            E::Unknown { kind: "edge", .. } => {
                (Kind::NotFound, Some("`lyra evidence CLAIM` shows the edges of a claim"))
            }
            E::Unknown { kind: "active override for", .. } => {
                (Kind::NotFound, Some("`lyra domain list` shows what was decided"))
            }
            E::Unknown { kind: "calibration version", .. } => {
                (Kind::NotFound, Some("`lyra calibration versions` shows the versions"))
            }
            E::Unknown { .. } => (Kind::NotFound, None),
            E::UnknownView { .. } => (Kind::NotFound, Some("`lyra views` lists the views")),
            E::BadId(_) | E::BadName(_) | E::Invalid { .. } => (Kind::BadInput, None),
            E::NotADatabase { .. } | E::Foreign { .. } => (
                Kind::Data,
                Some("the file was left as it is; choose another folder with --data-dir"),
            ),
            E::Newer { .. } => (Kind::Data, Some("update Lyra; the file was left as it is")),
            E::Damaged { .. } => (
                Kind::Data,
                Some(
                    "copy the file first, then bring what can be read into a new one: \
                     `lyra doctor --salvage NEW.db`",
                ),
            ),
            E::CannotOpen { .. } => (
                Kind::Data,
                Some("check that the file and its folder may be read and written by you"),
            ),
            E::InUse { .. } => (
                Kind::InUse,
                Some(
                    "wait for that process or stop it; `--set storage.lock_wait_ms=60000` waits longer",
                ),
            ),
            E::Busy { .. } => (Kind::InUse, Some("try again in a moment")),
            E::DiskFull { .. } => {
                (Kind::Data, Some("make room and run the command again; nothing was changed"))
            }
            E::Disk { .. } => (
                Kind::Data,
                Some("check the disk; `lyra doctor` checks the database; nothing was changed"),
            ),
            E::ReadOnly => (
                Kind::Data,
                Some("the file or its folder is write-protected, or belongs to somebody else"),
            ),
            E::Interrupted => (Kind::Interrupted, Some("nothing was changed")),
            E::File { source, .. } => (Kind::Data, Some(hint_for_file(source.kind()))),
            E::Sql { .. } => (Kind::Internal, None),
        };
        let mut failure = Self::new(kind, error);
        failure.hint = hint.map(str::to_owned);
        failure
    }
}

/// The one place that decides what an error of the archive means to a user.
impl From<archive::Error> for Failure {
    fn from(error: archive::Error) -> Self {
        use archive::Error as E;
        let hint = match &error {
            E::File { source, .. } if source.kind() == io::ErrorKind::NotFound => {
                "the file was moved or deleted: bring it back from a copy"
            }
            E::File { source, .. } => hint_for_file(source.kind()),
            E::Torn { .. } | E::Damaged { .. } | E::TooLarge { .. } | E::BadName { .. } => {
                "`lyra archive verify` checks all of the archive"
            }
            E::Unfit { .. } | E::NotHttp => "`lyra archive show RECORD_ID` shows another record",
        };
        Self::new(Kind::Data, error).hint(hint)
    }
}

/// The one place that decides what a page that was missed means to a user.
impl From<FetchFailure> for Failure {
    fn from(missed: FetchFailure) -> Self {
        let kind = match missed.reason {
            Reason::BadAddress => Kind::BadInput,
            Reason::NotRecorded => Kind::Data,
            _ => Kind::Network,
        };
        let mut failure = Self::new(kind, missed.detail);
        failure.hint = hint_for_missed(missed.reason).map(str::to_owned);
        if let Some(time) = missed.again_at {
            let time = time.strftime("%Y-%m-%d %H:%M:%S");
            failure.hint = Some(format!("try again after {time} UTC"));
        }
        failure
    }
}

/// What a person can do about a page that was missed.
pub(crate) fn hint_for_missed(reason: Reason) -> Option<&'static str> {
    Some(match reason {
        Reason::Offline => "run it without --offline, and with fetch.offline = false",
        Reason::BadAddress => "addresses look like https://example.org/page",
        Reason::PrivateAddress => {
            "name the network in fetch.allow_networks if it is yours, e.g. [\"10.1.0.0/16\"]"
        }
        Reason::Robots => "the site asks programs to stay away; open the page in a browser",
        Reason::BlockedDomain => {
            "`lyra domain check HOST` says why; `lyra domain override` changes it"
        }
        Reason::Resting | Reason::TooManyRequests => {
            "the site wants fewer requests; try again later"
        }
        Reason::DailyBudget => "try again tomorrow, or raise fetch.per_day",
        Reason::UnknownHost => "check the spelling of the host, and the network",
        Reason::CannotConnect | Reason::BrokenAnswer | Reason::ServerError => {
            "the site has a problem; try again later"
        }
        Reason::BadCertificate => {
            "the connection cannot be trusted; for a network of your own set fetch.ca_file"
        }
        Reason::TimedOut => "try again later, or raise fetch.timeout_ms",
        Reason::TooLarge => "raise fetch.max_body_bytes and fetch.max_unpacked_bytes",
        Reason::TooManyRedirects => "the site sends visitors in a circle; check the address",
        Reason::Login | Reason::Challenge => {
            "the page wants a person: save it from a browser and run `lyra read FILE --url URL`"
        }
        Reason::Paywall => "the page wants to be paid for",
        Reason::Forbidden | Reason::OtherStatus => return None,
        Reason::NotFound => "check the address",
        Reason::NotRecorded => {
            "check the disk and who owns the data directory: nothing is fetched unrecorded"
        }
    })
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Self {
        let (kind, hint) = match &error {
            OpenError::Setting { .. } => {
                (Kind::Config, Some("`lyra config default` explains it, in section [fetch]"))
            }
            OpenError::Archive(_) => (
                Kind::Data,
                Some("check the disk and who owns the folder `archive` in the data directory"),
            ),
            OpenError::Client(_) | OpenError::Thread(_) => (Kind::Internal, None),
        };
        let mut failure = Self::new(kind, error);
        failure.hint = hint.map(str::to_owned);
        failure
    }
}

fn hint_for_file(kind: io::ErrorKind) -> &'static str {
    match kind {
        io::ErrorKind::PermissionDenied => {
            "check who owns the folder, or choose another with --data-dir"
        }
        io::ErrorKind::IsADirectory => {
            "something else stands in the place of the file; choose another folder with --data-dir"
        }
        io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => {
            "the data directory must be a folder; choose one with --data-dir"
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "make room and run the command again; nothing was changed"
        }
        io::ErrorKind::ReadOnlyFilesystem => {
            "the disk is mounted read-only; choose another folder with --data-dir"
        }
        _ => "`lyra config path` shows which folders are used",
    }
}

/// What is wrong with a model folder is the business of whoever brought it.
impl From<ModelError> for Failure {
    fn from(error: ModelError) -> Self {
        use ModelError as E;
        let hint = match &error {
            E::Folder { .. } => {
                "give the folder that holds config.json, tokenizer.json and model.safetensors"
            }
            E::MissingFile { .. } => {
                "a model folder holds config.json, tokenizer.json and model.safetensors, \
                 as Hugging Face lays it out"
            }
            E::File { .. } => "check that the file may be read by you",
            E::BadJson { file: "lyra.json", .. } | E::BadConfig { file: "lyra.json", .. } => {
                "docs/models.md explains lyra.json"
            }
            E::BadJson { .. } | E::BadConfig { .. } => "compare the file with the published one",
            E::Architecture { .. } => "look for a model of one of these architectures",
            E::Labels { .. } => {
                "if the outputs mean that under other names, name them in order in lyra.json: \
                 {\"labels\": [\"supports\", \"refutes\", \"neutral\"]}"
            }
            E::WrongKind { .. } => "`lyra models list` shows what each model is for",
            E::BadWeights { .. } => {
                "download model.safetensors again and compare its size with the published one"
            }
            E::MissingTensor { .. } | E::Shape { .. } | E::Vocabulary { .. } => {
                "the files seem to come from different models; download them again, all from one"
            }
            E::NumberFormat { .. } => "store the weights again as F32, F16 or BF16",
            E::Tokenizer { .. } => "compare tokenizer.json with the published one",
            E::NotANumber { .. } => "the weights are damaged; download them again",
        };
        Self::new(Kind::BadInput, error).hint(hint)
    }
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Graph(error) => error.into(),
            EngineError::Model(error) => error.into(),
            EngineError::Invalid { .. } => Self::bad_input(error.to_string()),
            EngineError::NoSuchTask(_) => {
                Self::new(Kind::NotFound, error).hint("`lyra task list` shows the tasks there are")
            }
            EngineError::Ended { .. } => {
                Self::new(Kind::BadInput, error).hint("begin a new one with `lyra research`")
            }
            EngineError::Broken => Self::new(Kind::Internal, error),
        }
    }
}

impl From<LibraryError> for Failure {
    fn from(error: LibraryError) -> Self {
        let kind = match error.refusal() {
            Some(Refusal::NotFound) => Kind::NotFound,
            Some(_) => Kind::BadInput,
            None => Kind::Data,
        };
        let hint = match error.refusal() {
            Some(Refusal::NotFound) => {
                Some("`lyra manual ls` and `lyra vault ls` list what there is")
            }
            Some(Refusal::InvalidPath) => {
                Some("paths are relative, below the manuals or the vault")
            }
            Some(Refusal::Conflict) => {
                Some("`lyra vault read FILE` shows what is there; `lyra vault write` changes it")
            }
            Some(Refusal::Forbidden) => {
                Some("files in daily/ take `lyra vault write --append`; .system/ is Lyra's own")
            }
            _ => None,
        };
        Self { hint: hint.map(str::to_owned), ..Self::new(kind, error) }
    }
}

impl From<BadPattern> for Failure {
    fn from(error: BadPattern) -> Self {
        Self::new(Kind::BadInput, error).hint(
            "`example.com` is that host alone, `*.example.com` is it and everything below; \
             nothing was changed",
        )
    }
}

impl From<config::Error> for Failure {
    fn from(error: config::Error) -> Self {
        let hint = error.hint();
        Self::new(Kind::Config, error).hint(hint)
    }
}

/// Output could not be written: the reader left, or the disk behind a redirection is full.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::new(Kind::BrokenPipe, error),
            _ => Self::new(Kind::Data, CannotPrint(error)),
        }
    }
}

#[derive(Debug, thiserror::Error)]
#[error("cannot write the output")]
struct CannotPrint(#[source] io::Error);

thread_local! {
    /// What the panic hook saw last on this thread, for [`guarded`] to pick up.
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Keeps panics from the user's screen: their detail goes to the log, under an error id.
pub(crate) fn install_panic_hook() {
    panic::set_hook(Box::new(|info: &PanicHookInfo<'_>| {
        let detail = info.to_string();
        let id = error_id(&detail);
        tracing::error!(error_id = id, detail, "a bug stopped the command");
        PANIC.with_borrow_mut(|it| *it = Some(id));
    }));
}

/// The id under which the log has the panic that was just caught on this thread.
pub(crate) fn caught_panic() -> Option<String> {
    PANIC.take()
}

/// Runs a command; a panic in it becomes a failure like any other.
pub(crate) fn guarded<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        let mut failure = Failure::new(Kind::Internal, Bug)
            .hint("please report it with the error id; the log holds the details");
        failure.error_id = PANIC.take();
        Err(failure)
    })
}

#[derive(Debug)]
struct Bug;

impl fmt::Display for Bug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Lyra stopped because of a bug in itself")
    }
}

impl Error for Bug {}

/// A short name for one failure, so that a report and the log can be brought together.
pub(crate) fn error_id(detail: &str) -> String {
    use graph::Clock;
    let moment = graph::SystemClock.now().as_nanosecond();
    let seed = format!("{moment} {} {detail}", std::process::id());
    format!("err_{}", &blake3::hash(seed.as_bytes()).to_hex()[..12])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_failure_that_does_not_show_its_detail() {
        install_panic_hook();
        let failure = guarded::<()>(|| panic!("index 7 of secret.rs")).unwrap_err();
        let id = failure.error_id.clone().unwrap();
        assert_eq!(id.len(), "err_".len() + 12);
        assert_eq!(failure.kind.exit_code(), 1);
        assert_eq!(
            failure.document(),
            json!({ "ok": false, "error": {
                "code": "internal",
                "message": "Lyra stopped because of a bug in itself",
                "hint": "please report it with the error id; the log holds the details",
                "error_id": id,
            }})
        );
    }

    #[test]
    fn a_failure_keeps_the_whole_chain_of_causes() {
        let source = io::Error::new(io::ErrorKind::PermissionDenied, "not yours");
        let failure = Failure::from(graph::Error::File { path: "/data".into(), source });
        assert_eq!(
            failure.document(),
            json!({ "ok": false, "error": {
                "code": "data",
                "message": "cannot access /data",
                "causes": ["not yours"],
                "hint": "check who owns the folder, or choose another with --data-dir",
            }})
        );
    }

    #[test]
    fn a_cause_that_repeats_the_one_before_is_left_out() {
        #[derive(Debug, thiserror::Error)]
        #[error("Error code 11: malformed")]
        struct Code;
        #[derive(Debug, thiserror::Error)]
        #[error("malformed: /data/lyra.db")]
        struct Outer(#[source] Code);
        #[derive(Debug, thiserror::Error)]
        #[error("cannot read")]
        struct Read(#[source] Outer);
        let failure = Failure::new(Kind::Data, Read(Outer(Code)));
        assert_eq!(failure.causes(), ["malformed: /data/lyra.db"]);
    }

    #[test]
    fn a_reader_who_left_is_no_failure() {
        let failure = Failure::from(io::Error::from(io::ErrorKind::BrokenPipe));
        assert_eq!(failure.kind.exit_code(), 0);
        let failure = Failure::from(io::Error::from(io::ErrorKind::StorageFull));
        assert_eq!(failure.kind.exit_code(), 5);
    }

    #[test]
    fn each_kind_of_graph_error_has_its_exit_code() {
        use graph::Error as E;
        let path = || "/data/lyra.db".into();
        let code = |error: E| Failure::from(error).kind.exit_code();
        assert_eq!(code(E::Unknown { kind: "task", id: "task_1".into() }), 3);
        assert_eq!(code(E::Invalid { what: "the question", problem: "is empty".into() }), 2);
        assert_eq!(code(E::NotADatabase { path: path() }), 5);
        assert_eq!(code(E::Foreign { path: path() }), 5);
        assert_eq!(code(E::Newer { path: path(), found: 9, known: 2 }), 5);
        assert_eq!(code(E::InUse { path: path(), holder: None }), 6);
        assert_eq!(code(E::ReadOnly), 5);
        assert_eq!(code(E::Interrupted), 130);
    }
}
