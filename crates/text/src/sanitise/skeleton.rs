//! A text as phrases are looked for in it: the look of its letters, one space between words, none
//! between Japanese letters, and words that were spread out letter by letter put together again.

use std::ops::Range;

use unicode_normalization::char::is_combining_mark;

use super::characters::Traced;
use super::lookalikes::looks_like;
use crate::script::is_cjk;

/// The reduced text. Character `n` came from the plain character `places[n]`.
#[derive(Debug, Default)]
pub(super) struct Skeleton {
    pub(super) text: String,
    places: Vec<u32>,
    /// Where each character of more than one byte ends, and by how many bytes the text is longer than
    /// its characters up to there: the way from bytes to characters.
    wide: Vec<(usize, usize)>,
    /// Characters put together from spread letters: words inside need no space around them.
    loose: Vec<Range<usize>>,
}

impl Skeleton {
    /// The number of the character that begins at a byte.
    pub(super) fn char_at(&self, byte: usize) -> usize {
        let before = self.wide.partition_point(|it| it.0 <= byte);
        byte - before.checked_sub(1).map_or(0, |it| self.wide[it].1)
    }

    /// The plain character that a character of the skeleton came from.
    pub(super) fn place(&self, index: usize) -> usize {
        self.places[index] as usize
    }

    /// Whether a word can begin or end at a byte.
    pub(super) fn parts_words(&self, byte: usize) -> bool {
        let letter =
            |byte: usize| self.text.as_bytes().get(byte).is_some_and(u8::is_ascii_alphanumeric);
        if byte == 0 || !letter(byte - 1) || !letter(byte) {
            return true;
        }
        let next = self.char_at(byte);
        let group = self.loose.partition_point(|it| it.end <= next);
        self.loose.get(group).is_some_and(|it| it.start < next)
    }

    fn push(&mut self, c: char, place: usize) {
        self.places.push(u32::try_from(place).unwrap_or(u32::MAX));
        self.text.push(c);
        if !c.is_ascii() {
            self.wide.push((self.text.len(), self.text.len() - self.places.len()));
        }
    }
}

pub(super) fn skeleton(text: &[Traced]) -> Skeleton {
    let mut skeleton = Skeleton {
        text: String::with_capacity(text.len()),
        places: Vec::with_capacity(text.len()),
        ..Skeleton::default()
    };
    let mut index = 0;
    let mut last = ' ';
    while let Some(it) = text.get(index) {
        let spread = if last.is_ascii_alphanumeric() { 0 } else { spread_letters(text, index) };
        if spread > 0 {
            let first = skeleton.places.len();
            for place in (index..index + spread).step_by(2) {
                skeleton.push(looks_like(text[place].c), place);
            }
            skeleton.loose.push(first..skeleton.places.len());
            last = looks_like(text[index + spread - 1].c);
            index += spread;
            continue;
        }
        let place = index;
        index += 1;
        if it.c.is_ascii_graphic() {
            last = it.c.to_ascii_lowercase();
            skeleton.push(last, place);
            continue;
        }
        let c = looks_like(it.c);
        if c >= '\u{300}' && is_combining_mark(c) {
            continue;
        }
        if !c.is_whitespace() {
            skeleton.push(c.to_lowercase().next().unwrap_or(c), place);
            last = c;
            continue;
        }
        while text.get(index).is_some_and(|it| it.c.is_whitespace()) {
            index += 1;
        }
        let next = text.get(index).map_or(' ', |it| it.c);
        if !(is_cjk(last) && is_cjk(next)) {
            skeleton.push(' ', place);
        }
        last = ' ';
    }
    skeleton
}

/// The length of `i g n o r e`, `i.g.n.o.r.e` or `i-g-n-o-r-e`, separators included; 0 if it is none.
fn spread_letters(text: &[Traced], start: usize) -> usize {
    const MIN_LETTERS: usize = 5;
    let letter =
        |index: usize| text.get(index).is_some_and(|it| looks_like(it.c).is_ascii_alphabetic());
    let Some(separator) = text.get(start + 1).map(|it| it.c) else { return 0 };
    if !matches!(separator, ' ' | '.' | '-' | '_' | '*' | '/' | '|' | '+' | '\t') {
        return 0;
    }
    let mut letters = 0;
    while letter(start + 2 * letters) {
        letters += 1;
        if text.get(start + 2 * letters - 1).is_none_or(|it| it.c != separator) {
            break;
        }
    }
    let end = start + 2 * letters.max(1) - 1;
    // The last letter must stand alone as well: "a b c d else".
    let alone = !letter(end);
    let letters = if alone { letters } else { letters - 1 };
    if letters >= MIN_LETTERS { 2 * letters - 1 } else { 0 }
}
