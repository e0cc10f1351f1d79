//! What lower crates say, in the language of the person: they name their errors in English, as programs and logs
//! read them, and this is the edge where a person does.
//!
//! A line of `words/errors.ja.toml` is a sentence with holes and how it reads in Japanese. What fills a hole is looked
//! up as well, so that a cause inside a sentence is told in words too. What is not known stays as it is.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use report::Language;
use text::messages::fill;
use text::word_list;

static JA: LazyLock<Catalogue> =
    LazyLock::new(|| Catalogue::new(word_list::read(include_str!("../../words/errors.ja.toml"))));

/// Sentences inside of sentences, at most.
const DEPTH: usize = 4;
/// What joins a sentence and its cause.
const JOINTS: [&str; 2] = ["; ", ": "];

/// What the program says in English, for a person who reads `language`.
pub(crate) fn in_words(english: &str, language: Language) -> String {
    match language {
        Language::En => english.to_owned(),
        Language::Ja => JA.find(english, DEPTH).unwrap_or_else(|| english.to_owned()),
    }
}

#[derive(Debug)]
struct Catalogue {
    /// Sentences without holes.
    whole: BTreeMap<String, String>,
    /// Sentences with holes, those that say most themselves first.
    patterns: Vec<(Pattern, String)>,
}

/// A sentence with holes: what is before the first, and each hole with what is behind it.
#[derive(Debug)]
struct Pattern {
    start: String,
    holes: Vec<(String, String)>,
}

impl Catalogue {
    fn new(entries: BTreeMap<String, String>) -> Self {
        let (mut whole, mut patterns) = (BTreeMap::new(), Vec::new());
        for (english, other) in entries {
            match Pattern::of(&english) {
                Some(pattern) => patterns.push((pattern, other)),
                None => drop(whole.insert(english, other)),
            }
        }
        patterns.sort_by_key(|(pattern, _)| Reverse(pattern.literals()));
        Self { whole, patterns }
    }

    fn find(&self, english: &str, depth: usize) -> Option<String> {
        if let Some(known) = self.whole.get(english) {
            return Some(known.clone());
        }
        let deeper = depth.checked_sub(1)?;
        let known = |text: &str| self.find(text, deeper).unwrap_or_else(|| text.to_owned());
        for (pattern, other) in &self.patterns {
            if let Some(values) = pattern.values_in(english) {
                let values: Vec<(&str, String)> =
                    values.into_iter().map(|(name, value)| (name, known(value))).collect();
                let values: Vec<(&str, &str)> =
                    values.iter().map(|(name, value)| (*name, value.as_str())).collect();
                return Some(fill(other, &values));
            }
        }
        JOINTS.into_iter().find_map(|joint| {
            english.match_indices(joint).find_map(|(at, _)| {
                let cause = self.find(&english[at + joint.len()..], deeper)?;
                Some(format!("{}{joint}{cause}", known(&english[..at])))
            })
        })
    }
}

impl Pattern {
    /// Nothing for a sentence without holes.
    fn of(sentence: &str) -> Option<Self> {
        let (start, mut rest) = sentence.split_once('{')?;
        let mut holes = Vec::new();
        loop {
            let (name, behind) = rest.split_once('}')?;
            match behind.split_once('{') {
                Some((literal, more)) => {
                    holes.push((name.to_owned(), literal.to_owned()));
                    rest = more;
                }
                None => {
                    holes.push((name.to_owned(), behind.to_owned()));
                    return Some(Self { start: start.to_owned(), holes });
                }
            }
        }
    }

    fn literals(&self) -> usize {
        self.start.len() + self.holes.iter().map(|it| it.1.len()).sum::<usize>()
    }

    /// What fills the holes, if the text is this sentence.
    fn values_in<'t>(&self, text: &'t str) -> Option<Vec<(&str, &'t str)>> {
        let mut values = Vec::new();
        fits(text.strip_prefix(&*self.start)?, &self.holes, &mut values).then_some(values)
    }
}

/// Fills holes from the left, each with as little as possible.
fn fits<'p, 't>(
    text: &'t str,
    holes: &'p [(String, String)],
    values: &mut Vec<(&'p str, &'t str)>,
) -> bool {
    let Some(((name, literal), rest)) = holes.split_first() else { return text.is_empty() };
    if rest.is_empty() {
        let Some(value) = text.strip_suffix(&**literal) else { return false };
        values.push((name, value));
        return true;
    }
    for (at, _) in text.match_indices(&**literal) {
        values.push((name, &text[..at]));
        if fits(&text[at + literal.len()..], rest, values) {
            return true;
        }
        values.pop();
    }
    false
}
