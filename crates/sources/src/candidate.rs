//! What a source says exists.

use serde::{Deserialize, Serialize};

/// Something worth reading, in the same form whichever source named it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    pub title: String,
    /// `http(s)`, or `file` for a document on the disk.
    pub url: url::Url,
    pub snippet: Option<String>,
    /// ISO 8601, as exact as the source says it: `2026`, `2026-05`, `2026-05-01`.
    pub date: Option<String>,
    /// The engine, index, API or folder that named it.
    pub engine: String,
    /// The place in its list, from 1.
    pub rank: u32,
    /// What kind of source it was: `web`, `academic`, `api`, `library`, `exact`.
    pub source_tag: String,
    pub paper: Option<Paper>,
    /// The page with the link to it, where a person would have clicked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found_on: Option<url::Url>,
    /// What the source itself says, whole: read in place of the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<SourceText>,
}

/// A text that came with an answer: the sentences of a law, a speech in a parliament.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceText {
    pub text: String,
    /// The archived answer it is from.
    pub record_id: Option<String>,
}

/// What an academic index knows about a work.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Paper {
    pub authors: Vec<String>,
    pub year: Option<i32>,
    pub venue: Option<String>,
    pub abstract_text: Option<String>,
    pub citation_count: Option<u32>,
    pub reference_count: Option<u32>,
    /// An open-access copy.
    pub open_access_url: Option<String>,
    pub retracted: bool,
    /// `(scheme, value)`: `doi`, `pmid`, `pmcid`, `arxiv`, `semantic_scholar`, `openalex`; normalised. The words are
    /// those of the graph.
    pub identifiers: Vec<(String, String)>,
}

impl Paper {
    pub fn identifier(&self, scheme: &str) -> Option<&str> {
        self.identifiers.iter().find(|it| it.0 == scheme).map(|it| it.1.as_str())
    }
}
