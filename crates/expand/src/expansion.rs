//! What comes out: a query, what kind it is, and where each of its new words comes from.

use serde::{Deserialize, Serialize};

/// One other way to ask.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expansion {
    /// The query to send.
    pub text: String,
    pub kind: ExpansionKind,
    /// What was replaced, in the order of the query; words that stay as they were are not listed.
    pub changes: Vec<Change>,
    /// Whether the words differ for a search that folds width and case itself, as Lyra's own index
    /// does. Where they do not, only engines on the web may answer differently.
    pub new_terms: bool,
}

/// Why a query was added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExpansionKind {
    /// The content of the query in the other language, as keywords.
    Mirror,
    /// The same words spelled another way.
    Script,
    /// The same question with another word for the same thing.
    Synonym,
    /// The same question about something broader or narrower.
    Related,
}

impl ExpansionKind {
    pub const ALL: &'static [Self] = &[Self::Mirror, Self::Script, Self::Synonym, Self::Related];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Mirror => "mirror",
            Self::Script => "script",
            Self::Synonym => "synonym",
            Self::Related => "related",
        }
    }
}

/// One part of the query and its replacement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    pub from: String,
    pub to: String,
    pub relation: Relation,
}

/// How a new word is related to the one it replaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Relation {
    /// The two were found in aligned sentences, in a gloss, or in the hand-written list.
    Translation,
    /// Full and half width.
    Width,
    /// Two spellings of one word: サーバ and サーバー, tumour and tumor.
    Spelling,
    /// Characters of before 1946 and today's: 國 and 国.
    OldKanji,
    /// Two words for one thing.
    Synonym,
    /// A short form and what it stands for.
    Abbreviation,
    Broader,
    Narrower,
}

impl Relation {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Translation => "translation",
            Self::Width => "width",
            Self::Spelling => "spelling",
            Self::OldKanji => "old_kanji",
            Self::Synonym => "synonym",
            Self::Abbreviation => "abbreviation",
            Self::Broader => "broader",
            Self::Narrower => "narrower",
        }
    }
}
