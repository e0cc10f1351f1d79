//! Text to search terms: words where words are separated by spaces, character pairs where they are
//! not. Width and case are folded first, so that ｶﾞﾝ finds ガン and COVID finds covid.
//!
//! The one place that cuts: full-text search, ranking and the choice of links must agree on what a
//! word is, or what one of them finds another cannot rank.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::canonical_combining_class;

use crate::script::{is_half_width_katakana, is_hangul, is_japanese};

/// Longer runs of letters are noise (hashes, encoded data); their head is enough to find them.
const LONGEST_WORD: usize = 64;

/// Which side of the search is being tokenize.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenizeFor {
    /// Stored text also yields single characters, so that a search for 癌 finds 肺癌治療.
    Document,
    /// Pairs only; a character that stands alone is a term by itself.
    Query,
}

/// One term, where it stands in the original bytes, and whether it shares the place of the one before.
#[derive(Debug, PartialEq, Eq)]
pub struct Term<'a> {
    pub text: &'a str,
    pub bytes: Range<usize>,
    pub same_position: bool,
}

/// Hands each term of `text` to `sink`, in order, until it answers `false`.
pub fn tokenize(text: &str, purpose: TokenizeFor, mut sink: impl FnMut(Term<'_>) -> bool) {
    let mut tokenizer =
        Tokenizer { purpose, word: String::new(), word_at: 0..0, word_len: 0, pair: None };
    for (at, cluster) in clusters(text) {
        let bytes = at..at + cluster.len();
        // Most of most texts; normalising would only hand it back.
        if let [ascii] = cluster.as_bytes() {
            if !tokenizer.push(char::from(ascii.to_ascii_lowercase()), &bytes, &mut sink) {
                return;
            }
            continue;
        }
        for folded in cluster.nfkc().flat_map(char::to_lowercase) {
            if !tokenizer.push(folded, &bytes, &mut sink) {
                return;
            }
        }
    }
    tokenizer.finish(&mut sink);
}

/// The terms of `text` in order, each as its own string.
///
/// For short texts and counting; [`tokenize`] allocates nothing.
pub fn terms(text: &str, purpose: TokenizeFor) -> Vec<String> {
    let mut terms = Vec::new();
    tokenize(text, purpose, |term| {
        terms.push(term.text.to_owned());
        true
    });
    terms
}

struct Tokenizer {
    purpose: TokenizeFor,
    word: String,
    word_at: Range<usize>,
    word_len: usize,
    /// The last character of a run without spaces, and whether a pair has already begun with it.
    pair: Option<Open>,
}

struct Open {
    first: char,
    at: Range<usize>,
    alone: bool,
}

impl Tokenizer {
    fn push(
        &mut self,
        c: char,
        bytes: &Range<usize>,
        sink: &mut impl FnMut(Term<'_>) -> bool,
    ) -> bool {
        if is_unspaced(c) {
            return self.end_word(sink) && self.push_unspaced(c, bytes, sink);
        }
        if !self.end_pair(sink) {
            return false;
        }
        let is_mark = canonical_combining_class(c) != 0;
        if c.is_alphanumeric() || (is_mark && self.word_len > 0) {
            if self.word_len == 0 {
                self.word_at = bytes.clone();
            }
            self.word_at.end = bytes.end;
            self.word_len += 1;
            if self.word_len <= LONGEST_WORD {
                self.word.push(c);
            }
            return true;
        }
        self.end_word(sink)
    }

    fn push_unspaced(
        &mut self,
        c: char,
        bytes: &Range<usize>,
        sink: &mut impl FnMut(Term<'_>) -> bool,
    ) -> bool {
        let mut alone = true;
        if let Some(open) = self.pair.take() {
            alone = false;
            let mut buffer = [0; 8];
            let first_len = open.first.encode_utf8(&mut buffer).len();
            let len = first_len + c.encode_utf8(&mut buffer[first_len..]).len();
            let text = std::str::from_utf8(&buffer[..len]).expect("two characters just encoded");
            if !sink(Term { text, bytes: open.at.start..bytes.end, same_position: false }) {
                return false;
            }
            if self.purpose == TokenizeFor::Document {
                let text = &text[..first_len];
                if !sink(Term { text, bytes: open.at, same_position: true }) {
                    return false;
                }
            }
        }
        self.pair = Some(Open { first: c, at: bytes.clone(), alone });
        true
    }

    fn end_word(&mut self, sink: &mut impl FnMut(Term<'_>) -> bool) -> bool {
        if self.word_len == 0 {
            return true;
        }
        let go_on =
            sink(Term { text: &self.word, bytes: self.word_at.clone(), same_position: false });
        self.word.clear();
        self.word_len = 0;
        go_on
    }

    /// The last character of a run is a term by itself: always in documents, in queries when it is
    /// the whole run.
    ///
    /// Invariant: a run takes as many places in a document as in a query, so that what follows it
    /// is where a phrase expects it (令和5年). The last character therefore shares the last place.
    fn end_pair(&mut self, sink: &mut impl FnMut(Term<'_>) -> bool) -> bool {
        match self.pair.take() {
            Some(open) if open.alone || self.purpose == TokenizeFor::Document => {
                let text = open.first.encode_utf8(&mut [0; 4]).to_owned();
                sink(Term { text: &text, bytes: open.at, same_position: !open.alone })
            }
            _ => true,
        }
    }

    fn finish(mut self, sink: &mut impl FnMut(Term<'_>) -> bool) {
        if self.end_word(sink) {
            self.end_pair(sink);
        }
    }
}

/// Splits text into characters together with the marks that belong to them, because normalising
/// composes the two (ｶ and ﾞ become one ガ).
fn clusters(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = text;
    let mut at = 0;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let marks = rest[first.len_utf8()..].chars().take_while(|c| is_mark(*c));
        let len = first.len_utf8() + marks.map(char::len_utf8).sum::<usize>();
        let (cluster, tail) = rest.split_at(len);
        let start = at;
        (rest, at) = (tail, at + len);
        Some((start, cluster))
    })
}

fn is_mark(c: char) -> bool {
    matches!(c, '\u{ff9e}' | '\u{ff9f}') || (!c.is_ascii() && canonical_combining_class(c) != 0)
}

/// Chinese, Japanese and Korean letters: scripts in which a space does not end a word, or in which
/// endings are glued on.
///
/// A full-text index is made of what this lets through: another set needs a new index. Half-width
/// katakana are not in it, because NFKC has made them full-width ones.
fn is_unspaced(c: char) -> bool {
    (is_japanese(c) && !is_half_width_katakana(c)) || is_hangul(c) || is_bopomofo(c)
}

fn is_bopomofo(c: char) -> bool {
    matches!(c, '\u{3105}'..='\u{312f}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Terms separated by spaces; those sharing a place are joined by `+`.
    fn shown(text: &str, purpose: TokenizeFor) -> String {
        let mut out = String::new();
        tokenize(text, purpose, |term| {
            out.push(if term.same_position { '+' } else { ' ' });
            out.push_str(term.text);
            true
        });
        out.trim_start().to_owned()
    }

    #[test]
    fn latin_script_is_cut_into_folded_words() {
        assert_eq!(
            shown("The COVID-19 Vaccine’s naïve", TokenizeFor::Document),
            "the covid 19 vaccine s naïve"
        );
    }

    #[test]
    fn japanese_is_cut_into_pairs_and_documents_also_into_characters() {
        assert_eq!(shown("糖尿病", TokenizeFor::Query), "糖尿 尿病");
        assert_eq!(shown("糖尿病", TokenizeFor::Document), "糖尿+糖 尿病+尿+病");
        assert_eq!(shown("癌", TokenizeFor::Query), "癌");
    }

    /// The set of characters is part of the format of an index.
    #[test]
    fn an_index_made_by_an_earlier_version_is_still_found_by_these_terms() {
        let indexed = |c: char| {
            matches!(u32::from(c),
                0x3005..=0x3007 | 0x3041..=0x3096 | 0x309d..=0x309f | 0x30a1..=0x30fa
                | 0x30fc..=0x30ff | 0x3105..=0x312f | 0x31f0..=0x31ff | 0x3400..=0x4dbf
                | 0x4e00..=0x9fff | 0xf900..=0xfaff | 0xac00..=0xd7af | 0x20000..=0x3fffd)
        };
        let other = (char::MIN..=char::MAX).find(|c| is_unspaced(*c) != indexed(*c));
        assert_eq!(other, None);
    }

    #[test]
    fn scripts_may_meet_without_a_space() {
        assert_eq!(shown("GLP-1受容体", TokenizeFor::Query), "glp 1 受容 容体");
        assert_eq!(shown("令和5年", TokenizeFor::Query), "令和 5 年");
        assert_eq!(shown("令和5年", TokenizeFor::Document), "令和+令+和 5 年");
    }

    #[test]
    fn width_and_case_are_folded() {
        for (raw, plain) in
            [("ｶﾞﾝ", "ガン"), ("ＷＨＯ", "who"), ("㍿", "株式会社"), ("か\u{3099}", "が")]
        {
            assert_eq!(shown(raw, TokenizeFor::Query), shown(plain, TokenizeFor::Query), "{raw}");
        }
    }

    #[test]
    fn terms_are_the_same_as_strings() {
        assert_eq!(
            terms("The LLM's ＡＰＩ 2.0", TokenizeFor::Query),
            ["the", "llm", "s", "api", "2", "0"]
        );
        assert_eq!(terms("猫", TokenizeFor::Query), ["猫"]);
        assert_eq!(terms(" -- ", TokenizeFor::Document), [""; 0]);
    }

    #[test]
    fn punctuation_ends_a_run() {
        assert_eq!(shown("効果、安全・性", TokenizeFor::Query), "効果 安全 性");
    }

    #[test]
    fn a_very_long_word_is_known_by_its_head() {
        assert_eq!(shown(&"a".repeat(1000), TokenizeFor::Document), "a".repeat(LONGEST_WORD));
    }

    #[test]
    fn places_point_into_the_original_bytes() {
        let text = "ﾜｸﾁﾝ trial";
        let mut seen = Vec::new();
        tokenize(text, TokenizeFor::Query, |term| {
            seen.push((term.text.to_owned(), text[term.bytes.clone()].to_owned()));
            true
        });
        let expected = [("ワク", "ﾜｸ"), ("クチ", "ｸﾁ"), ("チン", "ﾁﾝ"), ("trial", "trial")];
        assert_eq!(seen, expected.map(|(a, b)| (a.to_owned(), b.to_owned())));
    }

    proptest! {
        #[test]
        fn any_text_is_cut_at_character_boundaries(text in "\\PC*") {
            tokenize(&text, TokenizeFor::Document, |term| {
                assert!(text.get(term.bytes.clone()).is_some_and(|it| !it.is_empty()));
                assert!(!term.text.is_empty());
                true
            });
        }

        #[test]
        fn every_pair_of_neighbours_in_a_document_is_a_query_that_finds_it(
            text in "[ぁ-ん一-龠ァ-ヺ]{2,12}"
        ) {
            let document = shown(&text, TokenizeFor::Document);
            for pair in text.chars().collect::<Vec<_>>().windows(2) {
                let query = shown(&pair.iter().collect::<String>(), TokenizeFor::Query);
                prop_assert!(document.split([' ', '+']).any(|it| it == query), "{document} / {query}");
            }
        }
    }
}
