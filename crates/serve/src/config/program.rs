//! The settings of the program itself: assistants, the terminal, the log.

use report::Language;
use serde::{Deserialize, Serialize};
use settings::{Secret, settings};
use tracing::level_filters::LevelFilter;

settings! {
    /// Assistants: `lyra mcp`.
    #[derive(Eq)]
    pub(crate) struct McpSettings {
        /// Tokens an answer may cost an assistant, as guessed from its characters.
        answer_tokens: usize = 2_000, in 200..=100_000;
        /// Seconds a call waits for a search or a user, unless it says otherwise; clients cut calls at 60.
        wait_seconds: u32 = 45, in 0..=600;
        /// Folders of your documents, with all folders below them, that assistants may use for a task. Relative paths are
        /// below the folder of this file.
        library: Vec<String> = Vec::new();
        /// A program that shows notifications, called with title and text; "" is the platform's own.
        notify_program: String = String::new();
        /// The bearer token HTTP clients must present; "" asks for none, and is allowed on loopback only.
        http_token: Secret = Secret::default();
        /// Names besides localhost under which the HTTP server may be addressed.
        http_hosts: Vec<String> = Vec::new();
    }
    expert {
        /// Tokens of an answer with detail "full".
        full_tokens: usize = 10_000, in 200..=1_000_000;
        /// The longest wait a call may ask for, in seconds.
        max_wait_seconds: u32 = 600, in 0..=600;
        /// Seconds without a message from any client after which running searches are paused.
        silence_seconds: u64 = 300, in 1..=86_400;
        /// Milliseconds without work after which other programs may write to the database.
        release_ms: u64 = 3_000, in 0..=3_600_000;
        /// Characters of text in one resource.
        resource_chars: usize = 100_000, in 1_000..=10_000_000;
        /// Bytes of an HTTP request.
        http_body_bytes: usize = 1 << 20, in 1_024..=104_857_600;
        /// HTTP sessions at the same time.
        http_sessions: usize = 32, in 1..=10_000;
        /// HTTP connections at the same time.
        http_connections: usize = 128, in 1..=10_000;
    }
}

settings! {
    /// Pages that a person opens: `lyra auth open`.
    #[derive(Eq)]
    pub(crate) struct AuthSettings {
        /// Minutes that a task may ask of a person; a window waits no longer.
        minutes: u64 = 5, in 1..=120;
        /// Times a person is asked to open pages for one task.
        visits_per_task: u64 = 3, in 0..=1_000;
    }
}

settings! {
    /// What commands print.
    #[derive(Eq)]
    pub(crate) struct OutputSettings {
        /// Colour; "auto" is on a terminal, unless NO_COLOR is set or TERM is "dumb".
        color: ColorChoice = ColorChoice::Auto;
        /// Rows a list shows unless --limit or --all says otherwise.
        rows: usize = 50, in 1..=1_000_000;
        /// Language of what Lyra says itself; "auto" is that of the question, else that of LC_ALL and LANG.
        language: LanguageChoice = LanguageChoice::Auto;
    }
}

/// The language a person is answered in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum LanguageChoice {
    Auto,
    En,
    Ja,
}

impl LanguageChoice {
    /// The language that was chosen; nothing where the question and the environment decide.
    pub(crate) const fn fixed(self) -> Option<Language> {
        match self {
            Self::Auto => None,
            Self::En => Some(Language::En),
            Self::Ja => Some(Language::Ja),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ColorChoice {
    Auto,
    Always,
    Never,
}

settings! {
    /// The log files of the program.
    #[derive(Eq)]
    pub(crate) struct LogSettings {
        /// The least important events to record.
        level: LogLevel = LogLevel::Info;
        /// Days until a log is compressed into logs/archive.
        keep_days: u32 = 7, in 1..=3_650;
        /// Days until a compressed log is removed.
        archive_days: u32 = 30, in 1..=3_650;
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum LogLevel {
    Off,
    Error,
    Warn,
    Info,
    Debug,
    Trace,
}

impl From<LogLevel> for LevelFilter {
    fn from(level: LogLevel) -> Self {
        match level {
            LogLevel::Off => Self::OFF,
            LogLevel::Error => Self::ERROR,
            LogLevel::Warn => Self::WARN,
            LogLevel::Info => Self::INFO,
            LogLevel::Debug => Self::DEBUG,
            LogLevel::Trace => Self::TRACE,
        }
    }
}
