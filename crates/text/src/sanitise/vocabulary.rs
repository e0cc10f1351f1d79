//! The words that dangerous phrases are made of, and how they must follow each other: read from
//! `data/*/injection.toml`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::word_list::{self, WordList};

/// A set of lists of words with one meaning each, one bit a list.
pub(super) type Meanings = u128;

pub(super) struct Vocabulary {
    /// Every word and the lists it is in.
    pub(super) words: BTreeMap<&'static str, Meanings>,
    pub(super) rules: Vec<Rule>,
}

/// One phrase: meanings in order, each with the characters that may precede it.
pub(super) struct Rule {
    pub(super) name: &'static str,
    pub(super) first: Meanings,
    pub(super) then: Vec<(usize, Meanings)>,
}

pub(super) static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(Vocabulary::of_files);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    words: BTreeMap<String, WordList>,
    rule: Vec<RuleRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleRow {
    name: String,
    sequences: Vec<String>,
}

static FILES: LazyLock<[File; 3]> = LazyLock::new(|| {
    [
        word_list::read(include_str!("../../data/en/injection.toml")),
        word_list::read(include_str!("../../data/ja/injection.toml")),
        word_list::read(include_str!("../../data/other/injection.toml")),
    ]
});

impl Vocabulary {
    fn of_files() -> Self {
        let mut words: BTreeMap<&'static str, Meanings> = BTreeMap::new();
        let mut bits: BTreeMap<&'static str, Meanings> = BTreeMap::new();
        for (index, (list, its_words)) in FILES.iter().flat_map(|it| &it.words).enumerate() {
            let bit = 1 << index;
            let before = bits.insert(list, bit);
            assert!(before.is_none(), "two files have a list {list}");
            for word in its_words.iter() {
                *words.entry(word).or_default() |= bit;
            }
        }
        let mut rules = Vec::new();
        for row in FILES.iter().flat_map(|it| &it.rule) {
            for sequence in &row.sequences {
                let rule = Rule::parse(&row.name, sequence, &bits);
                rules
                    .push(rule.unwrap_or_else(|| panic!("{}: cannot read “{sequence}”", row.name)));
            }
        }
        Self { words, rules }
    }
}

impl Rule {
    /// Reads `ignore 20 former 30 orders`.
    fn parse(
        name: &'static str,
        sequence: &str,
        bits: &BTreeMap<&'static str, Meanings>,
    ) -> Option<Self> {
        let mut parts = sequence.split(' ');
        let first = *bits.get(parts.next()?)?;
        let mut then = Vec::new();
        while let Some(gap) = parts.next() {
            then.push((gap.parse().ok()?, *bits.get(parts.next()?)?));
        }
        Some(Self { name, first, then })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sanitise::characters::{TagCharacters, traced};
    use crate::sanitise::skeleton::skeleton;

    /// A word in another form than the text it is looked for in would never be found.
    #[test]
    fn words_are_in_the_reduced_form() {
        for word in VOCABULARY.words.keys() {
            assert_eq!(skeleton(&traced(word, TagCharacters::Read)).text.trim(), word.trim());
        }
    }

    #[test]
    fn every_list_is_part_of_a_rule() {
        let used = VOCABULARY.rules.iter().fold(0, |used, rule| {
            rule.then.iter().fold(used | rule.first, |used, (_, meanings)| used | meanings)
        });
        let all = VOCABULARY.words.values().fold(0, |all, meanings| all | meanings);
        assert_eq!(used, all);
    }

    #[test]
    fn a_rule_names_lists_and_gaps_in_turn() {
        let bits = BTreeMap::from([("a", 1), ("b", 2)]);
        let rule = Rule::parse("name", "a 20 b 5 a", &bits).unwrap();
        assert_eq!((rule.first, rule.then), (1, vec![(20, 2), (5, 1)]));
        for sequence in ["", "c", "a 20", "a b", "a 20 c", "a  20 b"] {
            assert!(Rule::parse("name", sequence, &bits).is_none(), "{sequence}");
        }
    }
}
