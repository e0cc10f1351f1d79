//! The text of a request while it is being read: what has been understood is wiped off.

use std::ops::Range;

use super::super::dictionary::Negation;
use super::pieces::{Script, script};
use crate::normal_form::{Loose, Term, normalised};

/// What may follow a known word and still leave it the word that it is: 紛失時, 冪等性.
const RELATIONS: &str = "時中後前内外用等別性化";

#[derive(Debug, Clone)]
pub(super) struct Slate {
    text: String,
    loose: Loose,
}

impl Slate {
    pub(super) fn new(query: &str) -> Self {
        let text = normalised(query).replace('\n', " ");
        let loose = Loose::new(&text);
        Self { text, loose }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Wipes off what has been understood; words on both sides do not meet.
    pub(super) fn blank(&mut self, range: Range<usize>) {
        let wiped = "\n".repeat(range.len());
        self.text.replace_range(range, &wiped);
        self.loose = Loose::new(&self.text);
    }

    /// Whether a word is in the text; Latin words only as a whole.
    pub(super) fn has_word(&self, word: &str) -> bool {
        self.word_at(word).is_some()
    }

    fn word_at(&self, word: &str) -> Option<Range<usize>> {
        let letter = |it: Option<&u8>| it.is_some_and(u8::is_ascii_alphanumeric);
        let (bytes, wanted) = (self.text.as_bytes(), word.as_bytes());
        self.text.match_indices(word).map(|(at, _)| at..at + word.len()).find(|range| {
            let before = range.start.checked_sub(1).and_then(|at| bytes.get(at));
            let cut_before = letter(wanted.first()) && letter(before);
            let cut_after = letter(wanted.last()) && letter(bytes.get(range.end));
            !cut_before && !cut_after
        })
    }

    /// The next text in quotes.
    pub(super) fn take_quoted(&mut self) -> Option<String> {
        for (open, close) in [('「', '」'), ('"', '"')] {
            let Some(start) = self.text.find(open) else { continue };
            let inside = start + open.len_utf8();
            let Some(length) = self.text[inside..].find(close) else { continue };
            let quoted = self.text[inside..inside + length].to_owned();
            self.blank(start..inside + length + close.len_utf8());
            return Some(quoted);
        }
        None
    }

    /// The next word that is not wanted, and the word that says so.
    pub(super) fn take_negative(&mut self, negation: &Negation) -> Option<(String, String)> {
        for cue in &negation.after_ja {
            for (at, _) in self.text.match_indices(cue.as_str()) {
                let start = content_before(&self.text[..at]);
                if start < at {
                    let word = self.text[start..at].trim_matches(['「', '」']).to_owned();
                    self.blank(start..at + cue.len());
                    return Some((word, cue.clone()));
                }
            }
        }
        for cue in &negation.before_en {
            let Some(found) = self.word_at(cue) else { continue };
            let rest = self.text[found.end..].trim_start_matches(' ');
            let rest = rest.strip_prefix("the ").unwrap_or(rest);
            let start = self.text.len() - rest.len();
            let length = rest.bytes().take_while(|it| is_code_byte(*it)).count();
            if length == 0 {
                continue;
            }
            let word = rest[..length].to_owned();
            self.blank(found.start..start + length);
            return Some((word, cue.clone()));
        }
        self.take_minus()
    }

    /// `-word` after a space.
    fn take_minus(&mut self) -> Option<(String, String)> {
        for (at, _) in self.text.match_indices(" -") {
            let rest = &self.text[at + 2..];
            let length = rest.find([' ', '\n', '、', '。']).unwrap_or(rest.len());
            if rest[..length].chars().next().is_some_and(char::is_alphanumeric) {
                let word = rest[..length].to_owned();
                self.blank(at..at + 2 + length);
                return Some((word, "-".to_owned()));
            }
        }
        None
    }

    /// The next run with letters and digits: AB-1200, iso27001, 2fa.
    pub(super) fn take_code(&mut self) -> Option<String> {
        let bytes = self.text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let length = bytes[at..].iter().take_while(|it| is_code_byte(**it)).count();
            let run = &self.text[at..at + length];
            let run = run.trim_end_matches(['.', '-', '/', '_']);
            let has = |of: fn(&u8) -> bool| run.bytes().any(|it| of(&it));
            if run.len() >= 3 && has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic) {
                let code = run.to_owned();
                self.blank(at..at + code.len());
                return Some(code);
            }
            let other = self.text[at..].chars().next().map_or(1, char::len_utf8);
            at += length.max(other);
        }
        None
    }

    /// A known word (in its loose form), where it is a whole word; as it is written in the request.
    pub(super) fn take_known(&mut self, loose: &str) -> Option<String> {
        let term = Term { normal: loose.to_owned(), loose: loose.to_owned() };
        let places = self.loose.text.match_indices(loose);
        let mut places = places.filter_map(|(at, _)| self.loose.verify(&self.text, &term, at));
        let (found, _) = places.find(|(it, _)| self.is_whole_word(it))?;
        let word = self.text[found.clone()].to_owned();
        // The ending of an English word goes with it.
        let ending = self.text[found.end..].bytes().take_while(u8::is_ascii_alphabetic);
        let ending =
            if word.ends_with(|it: char| it.is_ascii_alphabetic()) { ending.count() } else { 0 };
        self.blank(found.start..found.end + ending);
        Some(word)
    }

    /// ログ is no word of プログラム, nor 薬剤 of 薬剤師.
    fn is_whole_word(&self, range: &Range<usize>) -> bool {
        let (before, after) = (&self.text[..range.start], &self.text[range.end..]);
        let word = &self.text[range.clone()];
        let (first, last) = (word.chars().next(), word.chars().next_back());
        let katakana = |c: Option<char>| c.map(script) == Some(Script::Katakana);
        let kanji = |it: &char| script(*it) == Script::Kanji;
        if katakana(first) && katakana(before.chars().next_back())
            || katakana(last) && katakana(after.chars().next())
        {
            return false;
        }
        let single = word.chars().count() == 1;
        let left = before.chars().rev().take_while(kanji).count();
        let right = after.chars().take_while(kanji).count();
        let relation = after.chars().next().is_some_and(|it| RELATIONS.contains(it));
        let left_fits = !first.is_some_and(|it| kanji(&it)) || left == 0 || (left > 1 && !single);
        let right_fits =
            !last.is_some_and(|it| kanji(&it)) || right == 0 || relation || (right > 1 && !single);
        left_fits && right_fits
    }
}

fn is_code_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'/' | b'_')
}

/// Where the run of letters, or the text in quotes, that ends here begins.
fn content_before(text: &str) -> usize {
    if text.ends_with('」') {
        return text.rfind('「').unwrap_or(text.len());
    }
    let run = text.char_indices().rev().take_while(|(_, it)| {
        matches!(script(*it), Script::Kanji | Script::Katakana | Script::Latin | Script::Digit)
    });
    run.last().map_or(text.len(), |(at, _)| at)
}
