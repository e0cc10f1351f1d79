//! The words that tell a statement from the rest, by meaning: read from `data/*/claims.toml`, which says
//! what each list is.

use std::collections::HashSet;
use std::sync::LazyLock;

use serde::Deserialize;
use text::word_list::{self, Phrases, WordList, WordSet};
use text::words::stem;

/// What a sentence starts with before anything speaks for or against it.
pub(super) const BASE: f64 = 0.38;
/// What is lost when another word had to be put in.
pub(super) const NAMED_LOSS: f64 = 0.02;

pub(super) static EN: LazyLock<English> =
    LazyLock::new(|| word_list::read(include_str!("../../data/en/claims.toml")));
pub(super) static JA: LazyLock<Japanese> =
    LazyLock::new(|| word_list::read(include_str!("../../data/ja/claims.toml")));

pub(super) static VERB_STEMS: LazyLock<HashSet<String>> =
    LazyLock::new(|| EN.verbs.iter().map(stem).collect());
pub(super) static CAUSE_STEMS: LazyLock<HashSet<String>> =
    LazyLock::new(|| EN.causes.iter().map(stem).collect());

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct English {
    pub(super) auxiliaries: WordSet,
    pub(super) verbs: WordList,
    pub(super) before_nouns: WordSet,
    pub(super) reports: WordSet,
    pub(super) causes: WordList,
    pub(super) causal_phrases: Phrases,
    pub(super) comparisons: Phrases,
    pub(super) definitions: Phrases,
    pub(super) hedges: Phrases,
    pub(super) vague: Phrases,
    pub(super) opinions: Phrases,
    pub(super) question_starts: WordSet,
    pub(super) orders: WordSet,
    pub(super) orders_or_things: WordSet,
    pub(super) speakers: WordSet,
    pub(super) ours: WordSet,
    pub(super) aims: Phrases,
    pub(super) wishes: Phrases,
    pub(super) needs: WordList,
    pub(super) research: WordSet,
    pub(super) methods: Phrases,
    pub(super) joints: WordList,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Japanese {
    pub(super) questions: WordList,
    pub(super) orders: WordList,
    pub(super) speakers: Phrases,
    pub(super) aims: WordList,
    pub(super) more: WordList,
    pub(super) research: WordList,
    pub(super) needs: WordList,
    pub(super) wishes: Phrases,
    pub(super) causes: Phrases,
    pub(super) comparisons: Phrases,
    pub(super) definitions: Phrases,
    pub(super) reports: Phrases,
    pub(super) names: Phrases,
    pub(super) hedges: Phrases,
    pub(super) vague: Phrases,
    pub(super) joints: WordList,
    pub(super) open_ends: WordList,
}

/// Whether a word is one of a short list that is cut at `|`.
pub(super) fn is_one_of(word: &str, list: &str) -> bool {
    list.split('|').any(|it| it == word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use text::words::folded;

    #[test]
    fn every_list_is_loaded_and_in_the_form_of_folded_sentences() {
        assert!(EN.auxiliaries.contains("is") && EN.methods.any_in("they were recruited"));
        assert!(JA.wishes.any_in("さらなる追試が必要である"));
        for file in
            [include_str!("../../data/en/claims.toml"), include_str!("../../data/ja/claims.toml")]
        {
            for word in word_list::words_in(file).unwrap() {
                assert_eq!(word, folded(&word).to_lowercase());
            }
        }
    }
}
