//! Characters: which script they belong to, and the one form a query is read in.

use evidence::terms::{Purpose, terms};
use unicode_normalization::UnicodeNormalization;

/// The query as it is read: NFKC, white space and control characters as single spaces. Case stays.
pub(crate) fn plain(text: &str) -> String {
    let folded: String = text.nfkc().map(|c| if c.is_control() { ' ' } else { c }).collect();
    folded.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a search that folds width and case sees the same words in both.
pub(crate) fn same(a: &str, b: &str) -> bool {
    a == b || terms(a, Purpose::Query) == terms(b, Purpose::Query)
}

pub(crate) fn is_kanji(c: char) -> bool {
    matches!(c, '々' | '〆' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

pub(crate) fn is_katakana(c: char) -> bool {
    matches!(c, '\u{30a1}'..='\u{30fa}' | 'ー')
}

pub(crate) fn is_hiragana(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{3096}')
}

/// Whether the character belongs to Japanese writing.
pub(crate) fn is_japanese(c: char) -> bool {
    is_kanji(c) || is_katakana(c) || is_hiragana(c)
}
