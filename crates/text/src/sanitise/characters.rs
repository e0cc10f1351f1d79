//! Characters made plain, one after the other, with the place each came from.
//!
//! Linear in the text: an entity is looked for only at its semicolon and only as far back as an
//! entity can reach, and marks on one letter are counted.

use std::ops::Range;

use unicode_normalization::char::{canonical_combining_class, is_combining_mark};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

/// A character and the characters of the original it came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Traced {
    pub(super) c: char,
    pub(super) start: u32,
    pub(super) end: u32,
}

/// What happens to the invisible copy of ASCII that Unicode keeps for language tags.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TagCharacters {
    /// Models do not get to see it.
    LeftOut,
    /// It is read as the letters it stands for, so that what it says is found.
    Read,
}

/// The longest entity there is has 33 characters.
const MAX_ENTITY: usize = 36;
/// More marks on one letter are noise; the richest scripts use five.
const MAX_MARKS: usize = 8;
/// This many invisible characters in a row carry a message.
const MIN_SMUGGLED: usize = 4;

/// Makes a text plain.
pub(super) fn traced(text: &str, tags: TagCharacters) -> Vec<Traced> {
    let mut plain =
        Plain { out: Vec::with_capacity(text.len()), marks: 0, joiner: None, returned: false };
    let mut waiting: Vec<Traced> = Vec::new();
    for (index, c) in text.chars().enumerate() {
        let start = u32::try_from(index).unwrap_or(u32::MAX);
        let it = Traced { c, start, end: start.saturating_add(1) };
        // Most characters stay as they are and wait for nothing; only an entity ends in a semicolon.
        if matches!(c, ' '..='~') && c != ';' && plain.joiner.is_none() {
            plain.plain(it);
            continue;
        }
        waiting.push(it);
        while let Some(it) = waiting.pop() {
            if it.c.is_ascii_graphic() || it.c == ' ' {
                plain.push(it, &mut waiting);
                continue;
            }
            let shown = match (tags, it.c) {
                (TagCharacters::Read, '\u{e0020}'..='\u{e007e}') => {
                    char::from_u32(it.c as u32 - 0xe0000).unwrap_or(it.c)
                }
                _ => it.c,
            };
            for c in std::iter::once(shown).nfkc() {
                plain.push(Traced { c, ..it }, &mut waiting);
            }
        }
    }
    composed(plain.out)
}

struct Plain {
    out: Vec<Traced>,
    /// Marks on the last letter.
    marks: usize,
    /// A joiner that stays only if what follows it needs one.
    joiner: Option<Traced>,
    /// The last character was a carriage return, which makes one line end with a line feed.
    returned: bool,
}

impl Plain {
    /// Takes in a character of ASCII that nothing before it can change.
    fn plain(&mut self, it: Traced) {
        self.returned = false;
        self.marks = 0;
        self.out.push(it);
    }

    /// Takes one character in; a decoded entity goes back to `waiting`, because it may be anything.
    fn push(&mut self, it: Traced, waiting: &mut Vec<Traced>) {
        let after_return = std::mem::take(&mut self.returned);
        let c = match it.c {
            '\n' if after_return => return,
            '\r' => {
                self.returned = true;
                '\n'
            }
            '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => '\n',
            '\u{2800}' => ' ',
            '\u{200c}' | '\u{200d}' => {
                self.joiner = self.joiner.or(Some(it));
                return;
            }
            '\u{fe0e}' | '\u{fe0f}' if self.out.last().is_some_and(|it| is_pictograph(it.c)) => {
                it.c
            }
            ' '..='~' => it.c,
            c if is_left_out(c) => return,
            c => c,
        };
        let joiner = self.joiner.take();
        if let (Some(joiner), Some(last)) = (joiner, self.out.last())
            && is_joined(last.c, joiner.c, c)
        {
            self.out.push(joiner);
        }
        self.marks = if c >= '\u{300}' && is_combining_mark(c) { self.marks + 1 } else { 0 };
        if self.marks > MAX_MARKS {
            return;
        }
        self.out.push(Traced { c, ..it });
        if c == ';' {
            self.decode(waiting);
        }
    }

    /// Removes the entity that ends here, if one does, and puts its character in its place.
    fn decode(&mut self, waiting: &mut Vec<Traced>) {
        let near = self.out.len().saturating_sub(MAX_ENTITY);
        let Some(start) = self.out[near..].iter().rposition(|it| it.c == '&') else { return };
        let start = near + start;
        let written: String = self.out[start..].iter().map(|it| it.c).collect();
        let decoded = htmlize::unescape(written.as_str());
        // More than two characters: only the beginning was an entity of the old kind (`&notit;`).
        if decoded == written.as_str() || decoded.chars().count() > 2 {
            return;
        }
        let (first, last) = (self.out[start].start, self.out[self.out.len() - 1].end);
        let place = |c| Traced { c, start: first, end: last };
        waiting.extend(decoded.chars().rev().map(place));
        self.out.truncate(start);
        self.marks = 0;
    }
}

/// Puts letters and their marks together where one character exists for both.
fn composed(out: Vec<Traced>) -> Vec<Traced> {
    if out.iter().all(|it| begins(it.c)) {
        return out;
    }
    let mut whole = Vec::with_capacity(out.len());
    let mut rest = out.as_slice();
    while !rest.is_empty() {
        let length = 1 + rest[1..].iter().take_while(|it| !begins(it.c)).count();
        let (group, tail) = rest.split_at(length);
        rest = tail;
        if let [one] = group {
            whole.push(*one);
            continue;
        }
        let start = group.iter().map(|it| it.start).min().unwrap_or_default();
        let end = group.iter().map(|it| it.end).max().unwrap_or_default();
        whole.extend(group.iter().map(|it| it.c).nfkc().map(|c| Traced { c, start, end }));
    }
    whole
}

/// Whether a character never melts into the one before it. The ranges are those of most text, asked first
/// because the tables are slow; no script is meant.
fn begins(c: char) -> bool {
    c < '\u{300}'
        || ('\u{3041}'..'\u{3097}').contains(&c)
        || ('\u{4e00}'..='\u{9fff}').contains(&c)
        || canonical_combining_class(c) == 0
            && is_nfkc_quick(std::iter::once(c)) == IsNormalized::Yes
}

/// Invisible characters: controls, directions, fillers, tags, variation selectors.
fn is_left_out(c: char) -> bool {
    if matches!(c, '\n' | '\t') {
        return false;
    }
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
        || u32::from(c) & 0xfffe == 0xfffe
        || ('\u{fdd0}'..='\u{fdef}').contains(&c)
}

/// Pictures join to one picture; Arabic and Indian letters change their shape.
fn is_joined(before: char, joiner: char, after: char) -> bool {
    let picture = |c| is_pictograph(c) || matches!(c, '\u{fe0e}' | '\u{fe0f}');
    let shaped = |c| ('\u{600}'..='\u{dff}').contains(&c);
    joiner == '\u{200d}' && picture(before) && is_pictograph(after)
        || shaped(before) && shaped(after)
}

fn is_pictograph(c: char) -> bool {
    matches!(c,
        '©' | '®' | '‼' | '⁉' | 'ℹ' | '\u{2190}'..='\u{21ff}' | '\u{2300}'..='\u{23ff}' | '\u{24c2}'
        | '\u{25a0}'..='\u{27bf}' | '\u{2900}'..='\u{297f}' | '\u{2b00}'..='\u{2bff}' | '〰' | '〽'
        | '\u{1f000}'..='\u{1faff}')
}

/// Runs of invisible characters that can spell a message: tag characters and variation selectors.
/// The flags of England, Scotland and Wales are spelled with tags and are let through.
pub(super) fn smuggled(text: &str) -> Vec<Range<usize>> {
    // Both begin with one of two bytes that most texts do not have.
    if memchr::memchr2(0xef, 0xf3, text.as_bytes()).is_none() {
        return Vec::new();
    }
    let carries = |c| matches!(c, '\u{e0000}'..='\u{e01ef}' | '\u{fe00}'..='\u{fe0f}');
    let mut found = Vec::new();
    let mut run: Option<(usize, bool)> = None;
    let mut before = ' ';
    for (index, c) in text.chars().chain([' ']).enumerate() {
        match (run, carries(c)) {
            (None, true) => run = Some((index, before == '\u{1f3f4}')),
            (Some((start, flag)), false) => {
                let allowed = if flag { 2 * MIN_SMUGGLED } else { MIN_SMUGGLED };
                if index - start >= allowed {
                    found.push(start..index);
                }
                run = None;
            }
            _ => {}
        }
        before = c;
    }
    found
}
