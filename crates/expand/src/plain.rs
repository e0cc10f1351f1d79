//! The one form a query is read in.

use text::tokenize::{TokenizeFor, terms};
use unicode_normalization::UnicodeNormalization;

/// The query as it is read: NFKC, white space and control characters as single spaces. Case stays.
pub(crate) fn plain(text: &str) -> String {
    let folded: String = text.nfkc().map(|c| if c.is_control() { ' ' } else { c }).collect();
    folded.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a search that folds width and case sees the same words in both.
pub(crate) fn same(a: &str, b: &str) -> bool {
    a == b || terms(a, TokenizeFor::Query) == terms(b, TokenizeFor::Query)
}
