//! What gates ask for, however they put it: two words that mean little alone and much together.
//!
//! The table of marks knows the phrases of known gates; sites word their own in ways no table has.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use serde::Deserialize;
use text::word_list::{self, WordList};

pub(super) static PHRASES: LazyLock<Phrases> =
    LazyLock::new(|| word_list::read(include_str!("../../data/gate_phrases.toml")));

/// The file says what each of them asks for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Phrases {
    pub(super) prove_human: Pair,
    pub(super) sign_in: Pair,
    pub(super) use_account: Pair,
    pub(super) wait_in_line: Pair,
    pub(super) choose_institution: Pair,
    pub(super) buy_the_rest: Pair,
    pub(super) pay_to_read: Pair,
}

/// Words of two groups that stand close to each other.
#[derive(Debug, Deserialize)]
#[serde(try_from = "PairRow")]
pub(super) struct Pair {
    automaton: AhoCorasick,
    /// How many of the automaton's words are of the first group.
    first: usize,
    within: usize,
    /// Whether the first group has to come first.
    is_ordered: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PairRow {
    within: usize,
    #[serde(default)]
    in_order: bool,
    first: WordList,
    second: WordList,
}

impl TryFrom<PairRow> for Pair {
    type Error = aho_corasick::BuildError;

    fn try_from(row: PairRow) -> Result<Self, Self::Error> {
        let automaton = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build(row.first.iter().chain(row.second.iter()))?;
        let first = row.first.iter().count();
        Ok(Self { automaton, first, within: row.within, is_ordered: row.in_order })
    }
}

impl Pair {
    /// The first place where both stand in one line, from the one to the other.
    pub(super) fn find<'a>(&self, text: &'a str) -> Option<&'a str> {
        text.lines().find_map(|line| self.find_across(line))
    }

    /// The same, over the ends of lines.
    pub(super) fn find_across<'a>(&self, text: &'a str) -> Option<&'a str> {
        // The last word met of each group, as its place in the text.
        let mut last: [Option<(usize, usize)>; 2] = [None, None];
        for hit in self.automaton.find_iter(text) {
            let group = usize::from(hit.pattern().as_usize() >= self.first);
            if let Some((start, end)) = last[1 - group]
                && (group == 1 || !self.is_ordered)
                && hit.start() - end <= self.within
            {
                return Some(text[start..hit.end()].trim());
            }
            last[group] = Some((hit.start(), hit.end()));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pair_is_found_where_its_words_are_close() {
        let Phrases {
            prove_human,
            sign_in,
            use_account,
            wait_in_line,
            choose_institution,
            buy_the_rest,
            pay_to_read,
        } = &*PHRASES;
        let table = [
            (prove_human, "Please prove you are human.", Some("prove you are human")),
            (prove_human, "ロボットではないことを確認", Some("ロボットではないことを確認")),
            (prove_human, "A human wrote this.", None),
            (sign_in, "Log in to view this page", Some("Log in to view")),
            (use_account, "Continue with Google", Some("Continue with Google")),
            (wait_in_line, "Your turn comes in 5 minutes", Some("Your turn comes in 5 minutes")),
            (choose_institution, "Find your institution", Some("Find your institution")),
            (buy_the_rest, "この続きは購入すると", Some("この続きは購入")),
            (buy_the_rest, "購入するとこの続き", None),
            (pay_to_read, "Subscribe to keep reading", Some("Subscribe to keep reading")),
        ];
        for (pair, text, expected) in table {
            assert_eq!(pair.find(text), expected, "{text}");
        }
    }

    #[test]
    fn words_are_in_lower_case() {
        for word in word_list::words_in(include_str!("../../data/gate_phrases.toml")).unwrap() {
            assert_eq!(word, word.to_lowercase());
        }
    }
}
