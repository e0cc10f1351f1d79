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
use report::Language;
use research::EngineError;
use serde_json::{Value, json};
use text::messages::Message;

use crate::clock::second;
use crate::config;
use crate::words::{Words, say};

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
    /// A page could not be fetched.
    Network,
    /// What was to be checked was checked, and is not as it should be.
    Untrue,
    Interrupted,
    /// The reader of our output has seen enough (`lyra … | head`): the work is done.
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
            Self::Untrue => 9,
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
            Self::Untrue => "untrue",
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
    pub(crate) hint: Option<Hint>,
    /// The name under which the log knows the details, where there is more to know.
    pub(crate) error_id: Option<String>,
}

/// What to do about a failure, in whatever language it is shown.
pub(crate) struct Hint(Box<dyn Fn(&'static Words) -> String + Send + Sync>);

impl Hint {
    pub(crate) fn new<T: Into<String>>(
        say: impl Fn(&'static Words) -> T + Send + Sync + 'static,
    ) -> Self {
        Self(Box::new(move |words| say(words).into()))
    }

    pub(crate) fn text(&self, words: &'static Words) -> String {
        (self.0)(words)
    }

    /// As programs read it.
    pub(crate) fn english(&self) -> String {
        self.text(Words::of(Language::En))
    }
}

impl fmt::Debug for Hint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Hint").field(&self.english()).finish()
    }
}

/// Chooses a hint that has nothing to fill in.
type Pick = fn(&'static Words) -> &'static Message;

fn to(pick: Pick) -> Option<Hint> {
    Some(Hint::new(pick))
}

impl Failure {
    pub(crate) fn new(kind: Kind, error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { kind, error: error.into(), hint: None, error_id: None }
    }

    pub(crate) fn hint<T: Into<String>>(
        mut self,
        say: impl Fn(&'static Words) -> T + Send + Sync + 'static,
    ) -> Self {
        self.hint = Some(Hint::new(say));
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
            error["hint"] = hint.english().into();
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
            E::Unknown { kind: "task", .. } => (Kind::NotFound, to(|w| &w.hint.task_list)),
            E::Unknown { kind: "claim", .. } => (Kind::NotFound, to(|w| &w.hint.claims)),
            E::Unknown { kind: "edge", .. } => (Kind::NotFound, to(|w| &w.hint.edges)),
            E::Unknown { kind: "active override for", .. } => {
                (Kind::NotFound, to(|w| &w.hint.domain_list))
            }
            E::Unknown { kind: "calibration version", .. } => {
                (Kind::NotFound, to(|w| &w.hint.calibration_versions))
            }
            E::Unknown { .. } => (Kind::NotFound, None),
            E::UnknownView { .. } => (Kind::NotFound, to(|w| &w.hint.views)),
            E::BadId(_) | E::BadName(_) | E::Invalid { .. } => (Kind::BadInput, None),
            E::NotADatabase { .. } | E::Foreign { .. } => (Kind::Data, to(|w| &w.hint.not_ours)),
            E::Newer { .. } => (Kind::Data, to(|w| &w.hint.newer)),
            E::Damaged { .. } => (Kind::Data, to(|w| &w.hint.salvage)),
            E::CannotOpen { .. } => (Kind::Data, to(|w| &w.hint.cannot_open)),
            E::InUse { .. } => (Kind::InUse, to(|w| &w.hint.in_use)),
            E::Busy { .. } => (Kind::InUse, to(|w| &w.hint.busy)),
            E::DiskFull { .. } => (Kind::Data, to(|w| &w.hint.make_room)),
            E::Disk { .. } => (Kind::Data, to(|w| &w.hint.disk)),
            E::ReadOnly => (Kind::Data, to(|w| &w.hint.read_only)),
            E::Interrupted => (Kind::Interrupted, to(|w| &w.hint.nothing_changed)),
            E::File { source, .. } => (Kind::Data, to(hint_for_file(source.kind()))),
            E::Sql { .. } => (Kind::Internal, None),
        };
        Self { hint, ..Self::new(kind, error) }
    }
}

/// The one place that decides what an error of the archive means to a user.
impl From<archive::Error> for Failure {
    fn from(error: archive::Error) -> Self {
        use archive::Error as E;
        let hint: Pick = match &error {
            E::File { source, .. } if source.kind() == io::ErrorKind::NotFound => {
                |w| &w.hint.archive_file_gone
            }
            E::File { source, .. } => hint_for_file(source.kind()),
            E::Torn { .. } | E::Damaged { .. } | E::TooLarge { .. } | E::BadName { .. } => {
                |w| &w.hint.archive_verify
            }
            E::Unfit { .. } | E::NotHttp => |w| &w.hint.other_record,
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
        let failure =
            Self { hint: hint_for_missed(missed.reason), ..Self::new(kind, missed.detail) };
        match missed.again_at.map(second) {
            Some(time) => failure.hint(move |w| say!(w.hint.again_after, time = time)),
            None => failure,
        }
    }
}

/// What a person can do about a page that was missed.
pub(crate) fn hint_for_missed(reason: Reason) -> Option<Hint> {
    let hint: Pick = match reason {
        Reason::Offline => |w| &w.hint.go_online,
        Reason::BadAddress => |w| &w.hint.address_form,
        Reason::PrivateAddress => |w| &w.hint.private_address,
        Reason::Robots => |w| &w.hint.robots,
        Reason::BlockedDomain => |w| &w.hint.blocked_domain,
        Reason::Resting | Reason::TooManyRequests => |w| &w.hint.resting,
        Reason::DailyBudget => |w| &w.hint.daily_budget,
        Reason::UnknownHost => |w| &w.hint.unknown_host,
        Reason::CannotConnect | Reason::BrokenAnswer | Reason::ServerError => {
            |w| &w.hint.site_problem
        }
        Reason::BadCertificate => |w| &w.hint.bad_certificate,
        Reason::TimedOut => |w| &w.hint.timed_out,
        Reason::TooLarge => |w| &w.hint.page_too_large,
        Reason::TooManyRedirects => |w| &w.hint.redirect_loop,
        Reason::Login | Reason::Challenge => |w| &w.hint.needs_person,
        Reason::NeedsScripts => |w| &w.hint.needs_scripts,
        Reason::Paywall => |w| &w.hint.paywall,
        Reason::Forbidden | Reason::OtherStatus => return None,
        Reason::NotFound => |w| &w.hint.check_address,
        Reason::NotRecorded => |w| &w.hint.not_recorded,
    };
    to(hint)
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Self {
        let (kind, hint) = match &error {
            OpenError::Setting { .. } => (Kind::Config, to(|w| &w.hint.fetch_section)),
            OpenError::Archive(_) => (Kind::Data, to(|w| &w.hint.archive_folder)),
            OpenError::Client(_) | OpenError::Thread(_) => (Kind::Internal, None),
        };
        Self { hint, ..Self::new(kind, error) }
    }
}

fn hint_for_file(kind: io::ErrorKind) -> Pick {
    match kind {
        io::ErrorKind::PermissionDenied => |w| &w.hint.folder_owner,
        io::ErrorKind::IsADirectory => |w| &w.hint.file_is_folder,
        io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => |w| &w.hint.must_be_folder,
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => |w| &w.hint.make_room,
        io::ErrorKind::ReadOnlyFilesystem => |w| &w.hint.mounted_read_only,
        _ => |w| &w.hint.config_path,
    }
}

const LABELS_EXAMPLE: &str = r#"{"labels": ["supports", "refutes", "neutral"]}"#;

/// A model folder comes from the user, and so does what is wrong with it.
impl From<ModelError> for Failure {
    fn from(error: ModelError) -> Self {
        use ModelError as E;
        let hint: Pick = match &error {
            E::Folder { .. } => |w| &w.hint.model_folder,
            E::MissingFile { .. } => |w| &w.hint.model_files,
            E::File { .. } => |w| &w.hint.readable_file,
            E::BadJson { file: "lyra.json", .. } | E::BadConfig { file: "lyra.json", .. } => {
                |w| &w.hint.lyra_json
            }
            E::BadJson { .. } | E::BadConfig { .. } => |w| &w.hint.compare_file,
            E::Architecture { .. } => |w| &w.hint.architecture,
            E::Labels { .. } => {
                return Self::new(Kind::BadInput, error)
                    .hint(|w| say!(w.hint.labels, example = LABELS_EXAMPLE));
            }
            E::WrongKind { .. } => |w| &w.hint.model_kind,
            E::BadWeights { .. } => |w| &w.hint.download_weights,
            E::MissingTensor { .. } | E::Shape { .. } | E::Vocabulary { .. } => {
                |w| &w.hint.mixed_models
            }
            E::NumberFormat { .. } => |w| &w.hint.number_format,
            E::Tokenizer { .. } => |w| &w.hint.tokenizer,
            E::Stopped { .. } => |w| &w.hint.model_stopped,
            E::NotANumber { .. } => |w| &w.hint.damaged_weights,
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
                Self::new(Kind::NotFound, error).hint(|w| &w.hint.task_list)
            }
            EngineError::Ended { .. } => {
                Self::new(Kind::BadInput, error).hint(|w| &w.hint.new_research)
            }
            EngineError::NoNetwork { .. } => {
                Self::new(Kind::Network, error).hint(|w| &w.hint.no_network)
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
            Some(Refusal::NotFound) => to(|w| &w.hint.library_ls),
            Some(Refusal::InvalidPath) => to(|w| &w.hint.relative_path),
            Some(Refusal::Conflict) => to(|w| &w.hint.vault_conflict),
            Some(Refusal::Forbidden) => to(|w| &w.hint.vault_forbidden),
            _ => None,
        };
        Self { hint, ..Self::new(kind, error) }
    }
}

impl From<BadPattern> for Failure {
    fn from(error: BadPattern) -> Self {
        Self::new(Kind::BadInput, error).hint(|w| &w.hint.pattern_form)
    }
}

impl From<config::Error> for Failure {
    fn from(error: config::Error) -> Self {
        Self { hint: Some(error.hint()), ..Self::new(Kind::Config, error) }
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

/// Keeps panics from the user's screen: where they happened goes to the log, under an error id.
pub(crate) fn install_panic_hook() {
    panic::set_hook(Box::new(|info: &PanicHookInfo<'_>| {
        let detail = words_of_ours(info);
        let id = error_id(&detail);
        tracing::error!(error_id = id, detail, "a bug stopped the command");
        PANIC.with_borrow_mut(|it| *it = Some(id));
    }));
}

/// The place of a panic, and what it says if that is a fixed text. A text that was put together may quote a question or a
/// page, and `task delete` does not reach the log.
fn words_of_ours(info: &PanicHookInfo<'_>) -> String {
    let place = info.location().map(ToString::to_string).unwrap_or_default();
    match info.payload().downcast_ref::<&'static str>() {
        Some(fixed) => format!("{place}: {fixed}"),
        None => place,
    }
}

/// The id under which the log has the panic that was just caught on this thread.
pub(crate) fn caught_panic() -> Option<String> {
    PANIC.take()
}

/// Runs a command; a panic in it becomes a failure like any other.
pub(crate) fn guarded<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        let mut failure = Failure::new(Kind::Internal, Bug).hint(|w| &w.hint.report_bug);
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

/// A short id for one failure, to find it in the log.
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
