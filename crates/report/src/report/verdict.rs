//! The verdict on the question, and what each document says about it.

use evidence::{StatementKind, Uncounted, Verdict};
use serde::Serialize;

use super::ArchiveReference;

/// What the sources say of the hypothesis, taken together.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TaskVerdict {
    pub verdict: Verdict,
    /// In words one can quote, in the language of the question.
    pub sentence: String,
    /// Why there is not enough evidence; absent with the other verdicts.
    pub reason: Option<NotEnough>,
    /// Independent sources on each side.
    pub supporting_sources: u32,
    pub refuting_sources: u32,
    /// The oldest and the newest year of each side, as far as they are known.
    pub supporting_years: Option<(i32, i32)>,
    pub refuting_years: Option<(i32, i32)>,
    /// The passage of each side to read first.
    pub best_supporting: Option<BestPassage>,
    pub best_refuting: Option<BestPassage>,
}

/// Why there is no verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NotEnough {
    /// The hypothesis has no words.
    Empty,
    /// It is a question that could not be turned into a statement.
    Question,
    /// There is none: the task's question asks for yes or no, and could not be turned into a statement.
    Unclear,
    /// It is a list, and not one statement.
    List,
    /// No model reads its language.
    Language,
    NothingRead,
    /// Nothing that was read is about it.
    NotAbout,
    /// What was read about it takes no side.
    NoSide,
    /// All that takes a side was retracted.
    Retracted,
}

impl NotEnough {
    /// As in JSON and in the files of words.
    pub(crate) fn code(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Question => "question",
            Self::Unclear => "unclear",
            Self::List => "list",
            Self::Language => "language",
            Self::NothingRead => "nothing_read",
            Self::NotAbout => "not_about",
            Self::NoSide => "no_side",
            Self::Retracted => "retracted",
        }
    }
}

/// The words that speak most clearly for one side.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BestPassage {
    /// The number of its source in the report.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<u32>,
    /// The words of the passage, unchanged.
    pub quote: String,
    /// Whether the passage continues before and after the quote.
    pub cut_before: bool,
    pub cut_after: bool,
    pub title: Option<String>,
    pub url: String,
    pub year: Option<i32>,
}

/// A document that was read, and what it says about the question.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DocumentRow {
    /// The number of the source, where it is cited.
    pub source: Option<u32>,
    pub title: Option<String>,
    pub url: String,
    pub year: Option<i32>,
    /// Its site; the name of a document of the library.
    pub site: String,
    pub published_at: Option<String>,
    pub archive: Option<ArchiveReference>,
    pub says: Says,
    /// Why it does not count, although it takes a side.
    pub uncounted: Option<Uncounted>,
    /// What the passage is in the document, where that was told.
    pub statement_kind: Option<StatementKind>,
    /// The words it says it with.
    pub quote: Option<String>,
}

/// What a document says about the question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Says {
    Supports,
    Refutes,
    /// It is about the hypothesis and takes no side.
    NoSide,
    /// Findings about the question rest on it: what an open question asks for.
    SpeaksOfIt,
    /// It was read and is not about the question.
    NotAbout,
}

impl Says {
    /// As in JSON and in the files of words.
    pub(crate) fn code(self) -> &'static str {
        match self {
            Self::Supports => "supports",
            Self::Refutes => "refutes",
            Self::NoSide => "no_side",
            Self::SpeaksOfIt => "speaks_of_it",
            Self::NotAbout => "not_about",
        }
    }
}
