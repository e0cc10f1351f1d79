//! A reference as its text gives it, and the sentences that cite it.

use serde::Serialize;
use sources::academic::WorkName;

/// What a text says of one work it cites.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Reference {
    /// What it is cited by: the key of an entry, `1` for `[1]`, the name of a footnote.
    pub key: Option<String>,
    /// The line it begins on, from 1.
    pub line: usize,
    pub kind: Kind,
    pub title: Option<String>,
    pub authors: Vec<String>,
    pub year: Option<i32>,
    pub names: Vec<WorkName>,
    /// The entry as it is written, where it has no fields: everything it says is in here.
    pub written: Option<String>,
}

impl Reference {
    /// A line that tells it from the others.
    pub fn about(&self) -> String {
        let name = || self.names.first().map(|it| it.value.clone());
        let about = self.title.clone().or_else(|| self.written.clone()).or_else(name);
        text::shortened(&about.or_else(|| self.key.clone()).unwrap_or_default(), 300)
    }

    /// Whether it says anything that a work could be compared with.
    pub(crate) fn says_something(&self) -> bool {
        self.title.is_some() || self.written.is_some()
    }
}

/// What kind of thing is cited. Indexes list works; a page or a book they do not list may well exist.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    #[default]
    Work,
    Book,
    Page,
}

/// A sentence and the references it cites, by their places.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Citation {
    pub line: usize,
    /// Without its marks.
    pub sentence: String,
    pub references: Vec<usize>,
    /// `@key`s, whose entries may be in another file.
    pub keys: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    Bibtex,
    Ris,
    CslJson,
    Text,
}

/// The references of one file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct References {
    pub format: Format,
    pub references: Vec<Reference>,
    pub citations: Vec<Citation>,
    /// Entries that could not be read, with their lines.
    pub problems: Vec<String>,
}

impl References {
    pub(crate) fn of(format: Format) -> Self {
        Self { format, references: Vec::new(), citations: Vec::new(), problems: Vec::new() }
    }
}
