//! Which references a sentence cites: `[1, 3-5]`, `[^note]`, `[@key]`, `(Smith et al., 2020)`, `山田ら（2020）`.

use std::ops::Range;

use text::script::is_cjk;

use super::{Paragraph, year};
use crate::reference::Reference;

/// Characters between a name and its year.
const NAME_TO_YEAR: usize = 40;
/// References of one bracket; `[1-999]` is an interval of something else.
const MOST_CITED: usize = 50;

/// The sentences of a paragraph with their lines. Marks after the full stop belong to the sentence before it.
pub(super) fn sentences(paragraph: &Paragraph) -> Vec<(usize, String)> {
    let text = &paragraph.text;
    let mut found: Vec<(usize, String)> = Vec::new();
    for place in text::sentences(text) {
        let mut sentence = text[place].trim();
        while let Some(mark) = leading_mark(sentence) {
            if let Some(before) = found.last_mut() {
                before.1.push_str(&sentence[..mark]);
            }
            sentence = sentence[mark..].trim_start();
        }
        if !sentence.is_empty() {
            found.push((paragraph.line, sentence.to_owned()));
        }
    }
    found
}

fn leading_mark(text: &str) -> Option<usize> {
    let mark = brackets(text).next().filter(|it| it.start == 0)?;
    let inside = inside(text, &mark);
    (!keys(inside).is_empty()).then_some(mark.end)
}

/// The brackets in a text, from the first to the last byte of each. Links are none.
fn brackets(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at + text[at..].find(['[', '［'])?;
            let open = text[start..].chars().next()?;
            let close = if open == '[' { ']' } else { '］' };
            let length = text[start..].find(close)?;
            let end = start + length + close.len_utf8();
            at = end;
            if !text[end..].starts_with('(') {
                return Some(start..end);
            }
        }
    })
}

fn inside<'a>(text: &'a str, bracket: &Range<usize>) -> &'a str {
    text[bracket.clone()].trim_matches(['[', ']', '［', '］'])
}

/// What a bracket cites: `1`, `^note`, `@key`. Nothing where it is no citation.
fn keys(inside: &str) -> Vec<String> {
    let mut keys = Vec::new();
    for part in inside.split([',', ';', '、', '，']) {
        let part = part.trim();
        if part.starts_with('^') {
            keys.push(part.to_owned());
            continue;
        }
        if let Some(at) = part.find('@') {
            let is_key = |c: char| c.is_alphanumeric() || "_-:./+".contains(c);
            let key: String = part[at + 1..].chars().take_while(|it| is_key(*it)).collect();
            if !key.is_empty() {
                keys.push(format!("@{}", key.trim_end_matches(['.', ':'])));
            }
            continue;
        }
        let ends = part.split_once(['-', '–', '−', '~', '〜']);
        let number = |text: &str| {
            let digits = text.len() <= 4 && text.bytes().all(|it| it.is_ascii_digit());
            text.parse::<usize>().ok().filter(|_| digits)
        };
        match ends.map(|(a, b)| (number(a.trim()), number(b.trim()))) {
            Some((Some(first), Some(last))) if first <= last && last - first < MOST_CITED => {
                keys.extend((first..=last).map(|it| it.to_string()));
            }
            _ if number(part).is_some() => keys.push(part.to_owned()),
            // One part that is no citation: the bracket is none.
            _ => return Vec::new(),
        }
    }
    keys
}

/// The `@key`s of a sentence.
pub(super) fn keys_elsewhere(sentence: &str) -> Vec<String> {
    let keys = brackets(sentence).flat_map(|it| keys(inside(sentence, &it)));
    keys.filter(|it| it.starts_with('@')).collect()
}

/// What references are cited by.
#[derive(Debug)]
pub(super) struct Marks {
    keys: Vec<Option<String>>,
    /// How the first author begins, and the year.
    names: Vec<Option<(String, String)>>,
}

impl Marks {
    pub(super) fn of(references: &[Reference]) -> Self {
        Self {
            keys: references.iter().map(|it| it.key.clone()).collect(),
            names: references.iter().map(name_and_year).collect(),
        }
    }

    pub(super) fn cited_by(&self, sentence: &str) -> Vec<usize> {
        let mut cited = Vec::new();
        for bracket in brackets(sentence) {
            for key in keys(inside(sentence, &bracket)) {
                cited.extend(self.keys.iter().position(|it| it.as_deref() == Some(&key)));
            }
        }
        for (place, name) in self.names.iter().enumerate() {
            if let Some((name, year)) = name
                && names(sentence, name, year)
            {
                cited.push(place);
            }
        }
        cited
    }

    /// Numbers and notes that a sentence cites and no list has, where there is a list.
    pub(super) fn unknown_keys(&self, sentence: &str) -> Vec<String> {
        let has_numbers =
            self.keys.iter().flatten().any(|it| it.bytes().all(|c| c.is_ascii_digit()));
        if !has_numbers {
            return Vec::new();
        }
        let cited = brackets(sentence).flat_map(|it| keys(inside(sentence, &it)));
        let is_number = |it: &String| it.bytes().all(|c| c.is_ascii_digit());
        let unknown = cited.filter(|it| is_number(it) && !self.keys.contains(&Some(it.clone())));
        unknown.map(|it| format!("[{it}]")).collect()
    }
}

/// How a sentence names an entry: by the family name of its first author and its year.
fn name_and_year(reference: &Reference) -> Option<(String, String)> {
    let written = reference.written.as_deref()?;
    let year = year(written)?.to_string();
    let first = written.chars().find(|it| it.is_alphabetic())?;
    let name: String = if is_cjk(first) {
        // Family names are mostly two characters long.
        written.chars().take(2).collect()
    } else {
        written
            .split(|c: char| !c.is_alphabetic() && c != '-')
            .find(|it| it.chars().count() > 1)?
            .to_owned()
    };
    (name.chars().count() > 1 && first.is_uppercase() || is_cjk(first)).then_some((name, year))
}

fn names(sentence: &str, name: &str, year: &str) -> bool {
    sentence.match_indices(name).any(|(at, _)| {
        let before = sentence[..at].chars().next_back();
        let after = &sentence[at + name.len()..];
        let is_word = is_cjk(name.chars().next().unwrap_or(' '))
            || (!before.is_some_and(char::is_alphanumeric)
                && !after.chars().next().is_some_and(char::is_alphanumeric));
        let near: String = after.chars().take(NAME_TO_YEAR).collect();
        is_word && near.contains(year)
    })
}

/// A sentence as it would read without its marks.
pub(super) fn without_marks(sentence: &str) -> String {
    let mut plain = String::new();
    let mut at = 0;
    for bracket in brackets(sentence) {
        if keys(inside(sentence, &bracket)).is_empty() {
            continue;
        }
        plain.push_str(sentence[at..bracket.start].trim_end());
        at = bracket.end;
    }
    plain.push_str(&sentence[at..]);
    without_years(&plain)
}

/// Without parentheses that hold a year and no more than names: `(Okafor et al., 2021)`.
fn without_years(sentence: &str) -> String {
    let mut plain = String::new();
    let mut rest = sentence;
    while let Some(start) = rest.find(['(', '（']) {
        let close = if rest[start..].starts_with('(') { ')' } else { '）' };
        let Some(length) = rest[start..].find(close) else { break };
        let end = start + length + close.len_utf8();
        let inside = &rest[start..end];
        let is_citation = year(inside).is_some()
            && inside.chars().any(char::is_alphabetic)
            && inside.chars().count() <= 2 * NAME_TO_YEAR;
        if is_citation {
            plain.push_str(rest[..start].trim_end());
        } else {
            plain.push_str(&rest[..end]);
        }
        rest = &rest[end..];
    }
    plain + rest
}
