//! What reading gives: a document, its passages, and what was noticed on the way.

use evidence::FragmentType;
use serde::{Deserialize, Serialize};
use url::Url;

use crate::gate::Gate;
use crate::html::NeedsScripts;
use crate::links::Link;
use crate::page_type::Typed;
use crate::piece::Piece;
use crate::quality::Quality;
use text::identifiers::Identifier;
use text::sanitise::Flag;

/// A page or file as Lyra reads it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Document {
    pub format: Format,
    /// The character set the bytes were read in; empty for formats that carry their own (PDF).
    pub charset: String,
    pub metadata: Metadata,
    /// The content as plain text. Positions of fragments, links and flags are characters of it.
    pub text: String,
    pub fragments: Vec<Fragment>,
    pub links: Vec<Link>,
    pub identifiers: Vec<Identifier>,
    pub page_type: Typed,
    /// The page asks for a person: a login, a payment, a proof of being human.
    pub gate: Option<Gate>,
    /// What gives away that its text is made by scripts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub needs_scripts: Option<NeedsScripts>,
    pub quality: Quality,
    /// Text that people do not see, kept apart from `text`.
    pub hidden: Vec<HiddenText>,
    /// What a language model must not be given unawares: instructions, look-alike tags.
    pub flags: Vec<Flag>,
    /// What could not be read and why; the rest of the document is whole.
    pub problems: Vec<Problem>,
    /// Where relative links count from.
    #[serde(skip)]
    pub(crate) base: Option<Url>,
    /// The content before it was cut into passages.
    #[serde(skip)]
    pub(crate) pieces: Vec<Piece>,
}

/// What kind of file the bytes are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    Html,
    Pdf,
    Markdown,
    Text,
    Json,
    /// RSS or Atom: a list of links.
    Feed,
    /// A sitemap or an index of sitemaps: a list of links.
    Sitemap,
    Docx,
    Pptx,
    Xlsx,
    /// Texts, presentations and spreadsheets: odt, odp, ods.
    OpenDocument,
    Epub,
    /// A letter with its header, as mail programs save it.
    Email,
}

/// What a document says about itself. Nothing here is guessed from the content but the language.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Metadata {
    pub title: Option<String>,
    pub author: Option<String>,
    /// A date or a moment as ISO 8601 writes it.
    pub published_at: Option<String>,
    pub modified_at: Option<String>,
    /// A language code such as `ja`, as declared, else as recognised.
    pub language: Option<String>,
    pub canonical_url: Option<String>,
    pub description: Option<String>,
    pub site_name: Option<String>,
    /// The DOI of the work the document is, in its normal form.
    pub doi: Option<String>,
}

/// A passage one can cite.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fragment {
    pub fragment_type: FragmentType,
    pub text: String,
    /// Position in [`Document::text`], in characters; the text between is `text`.
    pub char_start: usize,
    pub char_end: usize,
    /// The nearest heading above.
    pub heading_context: Option<String>,
    /// All headings above, outermost first.
    pub heading_hierarchy: Vec<Heading>,
    /// The place among the fragments under the same heading, from 0.
    pub element_index: usize,
    /// Hash of the text as it is compared with others.
    pub text_hash: String,
    /// The address of the page with a text fragment (`#:~:text=`), so that a browser shows the passage.
    pub deep_link: Option<String>,
    /// The page of a PDF, from 1.
    pub page: Option<u32>,
}

/// A heading above a fragment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heading {
    pub level: u8,
    pub text: String,
}

/// Text that a page hides from people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HiddenText {
    pub text: String,
    pub hidden_by: HiddenBy,
}

/// The way a text was hidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HiddenBy {
    /// An element that is not shown, such as a template.
    Element,
    /// The attribute `hidden`.
    Attribute,
    AriaHidden,
    ScreenReaderOnly,
    DisplayNone,
    Invisible,
    Transparent,
    Tiny,
    OffPage,
    SameColour,
}

/// Something that kept a part of the input from being read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Problem {
    #[error("only the first {read} of {bytes} bytes were read")]
    TooLarge { bytes: usize, read: usize },
    #[error("the page has more than {limit} elements; the rest was not read")]
    TooManyElements { limit: usize },
    /// Bytes of a kind that is not read.
    #[error("it is {what}, which is not read")]
    NotText { what: String },
    #[error("the file is encrypted and needs a password")]
    Encrypted,
    #[error("{pages} of {of} pages hold only images; their text needs OCR")]
    OnlyImages { pages: usize, of: usize },
    #[error("{pages} pages could not be read: {reason}")]
    UnreadablePages { pages: usize, reason: String },
    #[error("the file is damaged: {reason}")]
    Damaged { reason: String },
    /// The process that reads strangers' bytes crashed, hung or took too much memory.
    #[error("it could not be read: {reason}")]
    ReaderStopped { reason: String },
    #[error("only the first {read} of {of} pages were read")]
    TooManyPages { read: usize, of: usize },
    #[error("there is more than {limit} characters of text; the rest was left out")]
    TooMuchText { limit: usize },
    #[error("there are more than {limit} passages; the text behind them was not cut")]
    TooManyFragments { limit: usize },
    #[error("there are more than {limit} entries; the rest was not read")]
    TooManyEntries { limit: usize },
}
