//! What every stage needs to know about text: its language, its script, where sentences and words
//! begin, the identifiers it names, and what must be removed before a language model sees it.
//!
//! Japanese and English alike. Pure: the same text gives the same answer. Nothing here knows pages,
//! claims or models. Read [`tokenize`] first (what full-text search and ranking compare), then
//! [`sentences()`] and [`language`].

pub mod citation_cues;
pub mod identifiers;
pub mod language;
pub mod machine_talk;
pub mod messages;
pub mod sanitise;
pub mod script;
mod sentences;
mod shorten;
mod spreadsheet;
mod token_estimate;
pub mod tokenize;
pub mod word_list;
pub mod words;

pub use identifiers::{Identifier, IdentifierKind};
pub use sanitise::Flag;
pub use sentences::sentences;
pub use shorten::shortened;
pub use spreadsheet::spreadsheet_cell;
pub use token_estimate::{chars_within, estimate_tokens};
