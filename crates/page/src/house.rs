//! What the page asks of the program: one trait, so that the page has no way of its own to anything.

use std::path::PathBuf;
use std::pin::Pin;

use evidence::domain::DomainDecision;
use evidence::{AuthId, AuthStatus, ClaimId, Confidence, EdgeId, PageId, Stance, TaskId};
use graph::{FindSettings, Graph, Removal};
use http::StatusCode;
use jiff::Timestamp;
use report::{Language, ReportSettings};
use research::calls::SourceKind;

use crate::live::Board;

/// Something that takes a while.
pub type Later<'a, T> = Pin<Box<dyn Future<Output = Result<T, Trouble>> + Send + 'a>>;

/// What went wrong, as a person is told it.
#[derive(Debug, Clone)]
pub struct Trouble {
    pub status: StatusCode,
    pub english: Told,
    pub japanese: Told,
}

#[derive(Debug, Clone)]
pub struct Told {
    pub message: String,
    pub hint: Option<String>,
}

impl Trouble {
    pub(crate) fn in_language(&self, language: Language) -> &Told {
        match language {
            Language::En => &self.english,
            Language::Ja => &self.japanese,
        }
    }
}

/// A question as the form has it.
#[derive(Debug, Clone, Default)]
pub struct NewQuestion {
    pub question: String,
    pub hypothesis: Option<String>,
    /// Numbers of the folders in [`House::folders`].
    pub folders: Vec<usize>,
    pub sources: Vec<SourceKind>,
    pub after: Option<String>,
    pub before: Option<String>,
    pub max_pages: Option<u32>,
    pub minutes: Option<u32>,
    pub offline: bool,
}

/// What a new question has unless the form says otherwise, and the most it may have.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    pub pages: u32,
    pub most_pages: u32,
    pub minutes: u32,
    pub most_minutes: u32,
    pub most_chars: usize,
}

/// What a word of a person did to a claim.
#[derive(Debug, Clone, Copy)]
pub struct Changed {
    pub claim: ClaimId,
    pub before: Confidence,
    pub now: Confidence,
    /// What the passage was read as before.
    pub was: Option<Stance>,
}

/// The forms a task can be taken along in; the same as those of `lyra report` and `lyra export`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Export {
    Html,
    Pdf,
    Docx,
    Md,
    Text,
    Csv,
    Ris,
    Bibtex,
    CslJson,
    Json,
    /// The task itself, for another graph.
    Graph,
}

impl Export {
    pub const ALL: [Self; 11] = [
        Self::Html,
        Self::Pdf,
        Self::Docx,
        Self::Md,
        Self::Text,
        Self::Csv,
        Self::Ris,
        Self::Bibtex,
        Self::CslJson,
        Self::Json,
        Self::Graph,
    ];

    /// As the command line names it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Html => "html",
            Self::Pdf => "pdf",
            Self::Docx => "docx",
            Self::Md => "md",
            Self::Text => "text",
            Self::Csv => "csv",
            Self::Ris => "ris",
            Self::Bibtex => "bibtex",
            Self::CslJson => "csl-json",
            Self::Json => "json",
            Self::Graph => "jsonl",
        }
    }

    pub(crate) fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }

    pub(crate) fn ending(self) -> &'static str {
        match self {
            Self::Text => "txt",
            Self::Bibtex => "bib",
            Self::CslJson => "csl.json",
            other => other.name(),
        }
    }

    pub(crate) fn content_type(self) -> &'static str {
        match self {
            Self::Html => "text/html; charset=utf-8",
            Self::Pdf => "application/pdf",
            Self::Docx => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            Self::Md => "text/markdown; charset=utf-8",
            Self::Text => "text/plain; charset=utf-8",
            Self::Csv => "text/csv; charset=utf-8",
            Self::Ris => "application/x-research-info-systems",
            Self::Bibtex => "application/x-bibtex",
            Self::CslJson => "application/vnd.citationstyles.csl+json",
            Self::Json => "application/json",
            Self::Graph => "application/x-ndjson",
        }
    }
}

/// The bytes of a page as they came.
#[derive(Debug)]
pub struct Original {
    pub content_type: String,
    pub bytes: Vec<u8>,
    pub archived_at: Timestamp,
}

/// One setting, and where its value comes from.
#[derive(Debug)]
pub struct Setting {
    pub key: String,
    pub value: String,
    pub origin: String,
    pub is_default: bool,
}

#[derive(Debug)]
pub struct ModelRow {
    pub id: String,
    pub kind: String,
    pub languages: String,
    pub bytes: u64,
    pub active: bool,
    pub problem: Option<String>,
}

#[derive(Debug)]
pub struct Engine {
    pub name: String,
    pub title: String,
    /// In words: closed, resting until ..., disabled.
    pub state: String,
    pub healthy: bool,
    /// Answers of the last day that could be used, as a share.
    pub success: Option<f64>,
    pub requests_today: u32,
}

/// A line of `lyra doctor`.
#[derive(Debug)]
pub struct Check {
    pub name: String,
    pub state: CheckState,
    pub found: String,
    pub hint: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckState {
    Ok,
    Note,
    Problem,
}

/// What an assistant asks its user.
#[derive(Debug)]
pub struct Question {
    pub id: String,
    pub prompt: String,
    pub choices: Vec<String>,
    pub asked_at: Timestamp,
    pub expires_at: Timestamp,
}

/// The program behind the page.
pub trait House: Send + Sync + 'static {
    /// The language that was set; else that of the reader.
    fn language(&self) -> Option<Language>;
    /// A code of the graph in words.
    fn word(&self, code: &str, language: Language) -> String;
    fn trouble(&self, error: graph::Error) -> Trouble;
    fn now(&self) -> Timestamp;
    /// Whether nothing leaves this machine whatever a question says.
    fn offline(&self) -> bool;
    /// Folders a question may read.
    fn folders(&self) -> Vec<PathBuf>;
    fn limits(&self) -> Limits;
    fn report(&self) -> ReportSettings;
    fn find(&self) -> FindSettings;
    fn board(&self) -> &Board;

    /// Lends the graph for reading; called where that may take a while.
    fn with_graph(&self, ask: &mut dyn FnMut(&Graph)) -> Result<(), Trouble>;
    /// Whether another process writes to the database.
    fn writer_elsewhere(&self) -> bool;

    fn begin(&self, question: NewQuestion) -> Later<'_, TaskId>;
    fn go_on(&self, task: TaskId) -> Later<'_, ()>;
    /// Answers at once; what has begun is finished, and the board says when.
    fn pause(&self, task: TaskId) -> Later<'_, ()>;
    /// As [`House::pause`].
    fn stop(&self, task: TaskId) -> Later<'_, ()>;
    fn delete(&self, task: TaskId) -> Later<'_, Removal>;
    fn correct(&self, edge: EdgeId, says: Stance) -> Later<'_, Changed>;
    /// Sets a claim aside with a reason, or without one lets it count again.
    fn judge_claim(&self, claim: ClaimId, reason: Option<String>) -> Later<'_, Changed>;
    fn settle(&self, entry: AuthId, status: AuthStatus) -> Later<'_, ()>;

    fn export(&self, task: TaskId, form: Export) -> Later<'_, Vec<u8>>;
    fn original(&self, page: PageId) -> Later<'_, Original>;
    /// What is decided about a host.
    fn decision(&self, host: String) -> Later<'_, Option<DomainDecision>>;

    fn questions(&self) -> Vec<Question>;
    fn answer(&self, question: String, answer: String) -> Later<'_, ()>;

    fn settings(&self, language: Language) -> Vec<Setting>;
    fn models(&self, language: Language) -> Later<'_, Vec<ModelRow>>;
    fn engines(&self, language: Language) -> Later<'_, Vec<Engine>>;
    fn check_up(&self, language: Language) -> Later<'_, Vec<Check>>;
}
