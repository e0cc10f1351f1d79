//! The patterns of LIKE and GLOB, matched within the time of the query.

use super::allowance;

/// Letters of a pattern. SQLite's own limit is not asked for functions of others.
const LONGEST: usize = 200;
/// Steps between two looks at the clock.
const STRIDE: usize = 1 << 16;

#[derive(Debug, Clone, Copy)]
pub(super) enum Syntax {
    /// `%` and `_`, with the letter that takes their meaning from them; letters of ASCII in either case are the same.
    Like(Option<char>),
    /// `*`, `?` and `[...]`.
    Glob,
}

#[derive(Debug)]
pub(super) struct Pattern {
    parts: Vec<Part>,
    any_case: bool,
}

#[derive(Debug)]
enum Part {
    /// Any text.
    Any,
    /// Any letter.
    One,
    Letter(char),
    Set {
        ranges: Vec<(char, char)>,
        inverted: bool,
    },
    /// A set without an end matches nothing.
    Nothing,
}

impl Pattern {
    /// `None` when it is too long.
    pub(super) fn new(pattern: &str, syntax: Syntax) -> Option<Self> {
        if pattern.len() > LONGEST {
            return None;
        }
        let mut letters = until_nul(pattern).chars();
        let mut parts = Vec::new();
        while let Some(letter) = letters.next() {
            parts.push(match (syntax, letter) {
                (Syntax::Like(Some(escape)), it) if it == escape => {
                    letters.next().map_or(Part::Nothing, |it| Part::Letter(it.to_ascii_lowercase()))
                }
                (Syntax::Like(_), '%') | (Syntax::Glob, '*') => Part::Any,
                (Syntax::Like(_), '_') | (Syntax::Glob, '?') => Part::One,
                (Syntax::Like(_), it) => Part::Letter(it.to_ascii_lowercase()),
                (Syntax::Glob, '[') => set(&mut letters),
                (Syntax::Glob, it) => Part::Letter(it),
            });
        }
        Some(Self { parts, any_case: matches!(syntax, Syntax::Like(_)) })
    }

    /// `None` when the time of the query ran out.
    pub(super) fn matches(&self, whole: &str) -> Option<bool> {
        let whole = until_nul(whole);
        let (mut part, mut at) = (0, 0);
        // The last `Any`, and where the text that it stands for ends: only that one has to be tried again.
        let mut again: Option<(usize, usize)> = None;
        let mut steps = 0;
        loop {
            steps += 1;
            if steps % STRIDE == 0 && allowance::is_late() {
                return None;
            }
            let letter = whole[at..].chars().next();
            match (self.parts.get(part), letter) {
                (None, None) => return Some(true),
                (Some(Part::Any), _) => {
                    again = Some((part, at));
                    part += 1;
                }
                (Some(it), Some(letter)) if it.takes(letter, self.any_case) => {
                    part += 1;
                    at += letter.len_utf8();
                }
                // At the end of the text, a longer text for `Any` leaves even less.
                (Some(_), None) => return Some(false),
                (_, Some(_)) => {
                    let Some((any, end)) = again else { return Some(false) };
                    let skipped = whole[end..].chars().next().map_or(1, char::len_utf8);
                    again = Some((any, end + skipped));
                    (part, at) = (any + 1, end + skipped);
                }
            }
        }
    }
}

impl Part {
    fn takes(&self, letter: char, any_case: bool) -> bool {
        match self {
            Self::Any | Self::One => true,
            Self::Letter(it) if any_case => *it == letter.to_ascii_lowercase(),
            Self::Letter(it) => *it == letter,
            Self::Set { ranges, inverted } => {
                ranges.iter().any(|(from, to)| (*from..=*to).contains(&letter)) != *inverted
            }
            Self::Nothing => false,
        }
    }
}

/// What stands between brackets: letters and ranges, `^` in front for all others, `]` in front for itself.
fn set(letters: &mut std::str::Chars<'_>) -> Part {
    let mut ranges = Vec::new();
    let mut next = letters.next();
    let inverted = next == Some('^');
    if inverted {
        next = letters.next();
    }
    if next == Some(']') {
        ranges.push((']', ']'));
        next = letters.next();
    }
    let mut before = None;
    loop {
        let Some(letter) = next else { return Part::Nothing };
        if letter == ']' {
            return Part::Set { ranges, inverted };
        }
        let follows = letters.clone().next();
        match (letter, before, follows) {
            ('-', Some(from), Some(to)) if to != ']' => {
                letters.next();
                ranges.push((from, to));
                before = None;
            }
            _ => {
                ranges.push((letter, letter));
                before = Some(letter);
            }
        }
        next = letters.next();
    }
}

/// SQLite reads patterns and their texts as strings of C.
fn until_nul(text: &str) -> &str {
    text.split('\0').next().unwrap_or_default()
}
