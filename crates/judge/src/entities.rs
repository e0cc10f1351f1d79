//! Names in a claim: organisations, laws, people, and what else is written as a name.
//!
//! Rules on letters alone: capitals in English, runs of kanji and katakana with the endings of organisations and laws
//! in Japanese. They find what a list of names would be searched for, and leave out what they are not sure of.

use std::ops::Range;
use std::sync::LazyLock;

use serde::Deserialize;
use text::script::{is_kanji, is_katakana};
use text::word_list::{self, WordList, WordSet};
use text::words::{folded, is_japanese};

/// What a name refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntityKind {
    Organisation,
    Law,
    Person,
    /// A name the rules cannot place: a product, a place, an abbreviation.
    Name,
}

impl EntityKind {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Organisation => "organisation",
            Self::Law => "law",
            Self::Person => "person",
            Self::Name => "name",
        }
    }
}

/// A name and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedEntity {
    pub kind: EntityKind,
    /// As it is written.
    pub name: String,
    /// Characters of the text.
    pub chars: Range<usize>,
}

impl NamedEntity {
    /// What the same name in other letters has in common: width, case and spaces do not tell names apart.
    pub fn normalized(&self) -> String {
        folded(&self.name).to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// The names in a text, in order.
pub fn entities(text: &str) -> Vec<NamedEntity> {
    let letters: Vec<char> = folded(text).chars().collect();
    let found = if is_japanese(text) { japanese(&letters) } else { english(&letters) };
    let written: Vec<char> = text.chars().collect();
    found
        .into_iter()
        .map(|(kind, chars)| NamedEntity {
            kind,
            name: written[chars.clone()].iter().collect(),
            chars,
        })
        .collect()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct English {
    organisations: WordSet,
    laws: WordSet,
    titles: WordSet,
    /// Small words inside names.
    inside: WordSet,
    /// Words with a capital that name nothing.
    not_names: WordSet,
}

/// Endings of names.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Japanese {
    organisations: WordList,
    laws: WordList,
    /// Words that only look like laws.
    not_laws: WordList,
    /// Titles behind a name.
    people: WordList,
}

static EN: LazyLock<English> =
    LazyLock::new(|| word_list::read(include_str!("../data/en/entities.toml")));
static JA: LazyLock<Japanese> =
    LazyLock::new(|| word_list::read(include_str!("../data/ja/entities.toml")));

struct Word {
    chars: Range<usize>,
    lower: String,
    /// Begins with a capital.
    capital: bool,
    /// Two capitals or more: `WHO`, `COVID-19`.
    abbreviation: bool,
    /// At most a space separates it from the word before.
    joined: bool,
    begins_sentence: bool,
}

fn english(letters: &[char]) -> Vec<(EntityKind, Range<usize>)> {
    let words = english_words(letters);
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let word = &words[at];
        let names_nothing = !word.abbreviation && EN.not_names.contains(&word.lower);
        if !word.capital || names_nothing {
            at += 1;
            continue;
        }
        let mut end = at + 1;
        while end < words.len() && words[end].joined {
            let small = EN.inside.contains(&words[end].lower);
            let next = words.get(end + 1).filter(|it| it.joined && it.capital);
            if words[end].capital {
                end += 1;
            } else if small && next.is_some() {
                end += 2;
            } else {
                break;
            }
        }
        if let Some(kind) = english_kind(&words, at..end) {
            found.push((kind, words[at].chars.start..words[end - 1].chars.end));
        }
        at = end;
    }
    found
}

fn english_kind(words: &[Word], run: Range<usize>) -> Option<EntityKind> {
    let of = |list: &WordSet| words[run.clone()].iter().any(|it| list.contains(&it.lower));
    let before = run.start.checked_sub(1).map(|it| words[it].lower.as_str());
    let only = run.len() == 1;
    let first = &words[run.start];
    if before.is_some_and(|it| EN.titles.contains(it)) && !of(&EN.titles) {
        return Some(EntityKind::Person);
    }
    if EN.titles.contains(&first.lower) {
        return (!only).then_some(EntityKind::Person);
    }
    if only {
        // A lone capital at the beginning of a sentence says nothing.
        let known = first.abbreviation || !first.begins_sentence;
        return known.then_some(EntityKind::Name);
    }
    if EN.laws.contains(&words[run.end - 1].lower) {
        return Some(EntityKind::Law);
    }
    Some(if of(&EN.organisations) { EntityKind::Organisation } else { EntityKind::Name })
}

fn english_words(letters: &[char]) -> Vec<Word> {
    let inside = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '-' | '&');
    let mut words: Vec<Word> = Vec::new();
    for Range { start, mut end } in runs(letters, inside) {
        if letters[start..end].ends_with(&['\'', 's']) {
            end -= 2;
        }
        let previous = words.last().map(|it| it.chars.end);
        let between = &letters[previous.unwrap_or(0)..start];
        // "Dr. Sato" is one name; other stops end a sentence.
        let after_title = words.last().is_some_and(|it| EN.titles.contains(&it.lower));
        let lower: String = letters[start..end].iter().flat_map(|it| it.to_lowercase()).collect();
        let capitals = letters[start..end].iter().filter(|it| it.is_uppercase()).count();
        words.push(Word {
            chars: start..end,
            lower,
            capital: letters[start].is_uppercase(),
            abbreviation: capitals >= 2,
            joined: between == [' '] || (after_title && between == ['.', ' ']),
            begins_sentence: previous.is_none()
                || (!after_title && between.iter().any(|it| matches!(it, '.' | '!' | '?'))),
        });
    }
    words
}

/// A ministry is named by more than its last letter; so is a law.
const LEAST_JA_NAME: usize = 3;

fn japanese(letters: &[char]) -> Vec<(EntityKind, Range<usize>)> {
    let inside = |c: char| is_kanji(c) || is_katakana(c) || c.is_ascii_alphanumeric() || c == '・';
    let named = |run: Range<usize>| {
        let (kind, length) = japanese_kind(&letters[run.clone()])?;
        Some((kind, run.start..run.start + length))
    };
    runs(letters, inside).into_iter().filter_map(named).collect()
}

/// Runs of letters of one kind.
fn runs(letters: &[char], inside: impl Fn(char) -> bool) -> Vec<Range<usize>> {
    let mut runs = Vec::new();
    let mut at = 0;
    for run in letters.chunk_by(|a, b| inside(*a) == inside(*b)) {
        if inside(run[0]) {
            runs.push(at..at + run.len());
        }
        at += run.len();
    }
    runs
}

/// What a run of letters names, and how many of them are the name.
fn japanese_kind(run: &[char]) -> Option<(EntityKind, usize)> {
    let text: String = run.iter().collect();
    let length = run.len();
    if text.starts_with("株式会社") && length > 4 {
        return Some((EntityKind::Organisation, length));
    }
    if length >= LEAST_JA_NAME {
        let is_more_than_ending =
            |list: &WordList| list.iter().any(|it| text.ends_with(it) && text != it);
        if is_more_than_ending(&JA.organisations) {
            return Some((EntityKind::Organisation, length));
        }
        if is_more_than_ending(&JA.laws) && !JA.not_laws.any_ends(&text) {
            return Some((EntityKind::Law, length));
        }
    }
    let title = JA.people.iter().find(|it| text.ends_with(*it))?;
    let name = length - title.chars().count();
    let is_name = (2..=5).contains(&name) && run[..name].iter().all(|it| is_kanji(*it));
    is_name.then_some((EntityKind::Person, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        let found = entities(text);
        for it in &found {
            let there: String = text.chars().skip(it.chars.start).take(it.chars.len()).collect();
            assert_eq!(there, it.name);
        }
        found.iter().map(|it| format!("{}: {}", it.kind.as_str(), it.name)).collect()
    }

    #[test]
    fn names_in_english() {
        let table: &[(&str, &[&str])] = &[
            (
                "The Ministry of Health and the WHO warned of COVID-19 in Osaka.",
                &["organisation: Ministry of Health", "name: WHO", "name: COVID-19", "name: Osaka"],
            ),
            (
                "According to Dr. Sato, the Data Protection Act applies to Kyoto University's hospital.",
                &["person: Dr. Sato", "law: Data Protection Act", "organisation: Kyoto University"],
            ),
            ("Falls are common. Patients fell in March.", &[]),
            (
                "Vitamin D reduced falls among residents of Lowmere.",
                &["name: Vitamin D", "name: Lowmere"],
            ),
            ("", &[]),
            ("42 percent", &[]),
        ];
        for (text, expected) in table {
            assert_eq!(shown(text), *expected, "{text}");
        }
    }

    #[test]
    fn names_in_japanese() {
        let table: &[(&str, &[&str])] = &[
            (
                "厚生労働省と理化学研究所は、個人情報保護法に基づく指針を公表した。",
                &["organisation: 厚生労働省", "organisation: 理化学研究所", "law: 個人情報保護法"],
            ),
            (
                "山田太郎教授は京都大学の治療方法を説明した。",
                &["person: 山田太郎", "organisation: 京都大学"],
            ),
            ("株式会社リラが発表した。", &["organisation: 株式会社リラ"]),
            ("反省すべき方法である。", &[]),
        ];
        for (text, expected) in table {
            assert_eq!(shown(text), *expected, "{text}");
        }
    }

    #[test]
    fn words_are_in_the_form_they_are_compared_in() {
        for file in
            [include_str!("../data/en/entities.toml"), include_str!("../data/ja/entities.toml")]
        {
            for word in word_list::words_in(file).unwrap() {
                assert_eq!(word, folded(&word).to_lowercase());
            }
        }
    }

    #[test]
    fn width_and_case_do_not_tell_names_apart() {
        let wide =
            NamedEntity { kind: EntityKind::Name, name: "ＷＨＯ".to_owned(), chars: 0..3 };
        assert_eq!(wide.normalized(), "who");
    }
}
