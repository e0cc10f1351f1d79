//! The terms of a section: words, and pairs of characters where words are written without spaces.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use text::tokenize::{TokenizeFor, tokenize};

/// How often each term is in a text. Terms are kept as sorted numbers: those of fifty thousand files stay small.
#[derive(Debug, Clone, Default)]
pub(super) struct Terms {
    numbers: Box<[u64]>,
    /// Beside the numbers; a term that is in a text more often tells no more.
    counts: Box<[u16]>,
    length: u32,
}

impl Terms {
    /// The first `max` different terms of a text.
    pub(super) fn of_text(text: &str, max: usize) -> Self {
        let mut length = 0_u32;
        let mut counts: HashMap<u64, u16> = HashMap::new();
        tokenize(text, TokenizeFor::Document, |term| {
            // The single characters of Japanese share the place of a pair: they make no text longer.
            length = length.saturating_add(u32::from(!term.same_position));
            let number = number_of(term.text);
            if let Some(count) = counts.get_mut(&number) {
                *count = count.saturating_add(1);
            } else if counts.len() < max {
                counts.insert(number, 1);
            }
            true
        });
        let mut counts: Vec<(u64, u16)> = counts.into_iter().collect();
        counts.sort_unstable();
        let (numbers, counts): (Vec<u64>, Vec<u16>) = counts.into_iter().unzip();
        Self { numbers: numbers.into(), counts: counts.into(), length }
    }

    pub(super) fn count(&self, term: u64) -> u32 {
        let place = self.numbers.binary_search(&term);
        place.map_or(0, |it| u32::from(self.counts[it]))
    }

    pub(super) fn length(&self) -> usize {
        self.length as usize
    }
}

/// A word as sections may have it, English ones with and without the s of the plural: each way is the terms of which a
/// section has all.
pub(super) fn forms(word: &str) -> Vec<Vec<u64>> {
    let mut forms = vec![word.to_owned()];
    if word.chars().all(|it| it.is_ascii_alphabetic()) {
        forms.push(match word.strip_suffix('s') {
            Some(one) => one.to_owned(),
            None => format!("{word}s"),
        });
    }
    let numbers = forms.iter().map(|it| query_numbers(it));
    numbers.filter(|it| !it.is_empty()).collect()
}

/// The different terms of what is looked for.
pub(super) fn query_numbers(text: &str) -> Vec<u64> {
    rank::query_terms(text).iter().map(|it| number_of(it)).collect()
}

fn number_of(term: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    term.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_pairs_of_characters_are_terms() {
        let terms = Terms::of_text("Ｔｈｅ cat, the CAT: 東京都の cat2", usize::MAX);
        let count = |it: &str| terms.count(number_of(it));
        let counted = ["the", "cat", "cat2", "東京", "京都", "都の", "東", "dog"].map(count);
        assert_eq!(counted, [2, 2, 1, 1, 1, 1, 1, 0]);
        assert_eq!(terms.length, 8);
    }

    #[test]
    fn a_single_character_finds_the_words_it_is_in() {
        let text = Terms::of_text("肺癌治療", usize::MAX);
        let found = |query: &str| query_numbers(query).iter().all(|it| text.count(*it) > 0);
        assert!(found("癌") && found("肺癌") && found("治療"));
        assert!(!found("胃") && !found("胃癌"));
        assert!(query_numbers("").is_empty());
    }

    #[test]
    fn a_word_is_looked_for_with_and_without_its_plural() {
        let has = |text: &str, word: &str| {
            let text = Terms::of_text(text, usize::MAX);
            forms(word).iter().any(|form| form.iter().all(|it| text.count(*it) > 0))
        };
        assert!(has("A Pod has containers.", "pods") && has("Pods restart.", "pod"));
        assert!(
            has("新型コロナウイルスの感染", "コロナウイルス")
                && !has("新型インフルエンザ", "コロナウイルス")
        );
        assert!(!has("A pot.", "pods") && forms("、").is_empty());
    }

    #[test]
    fn no_more_different_terms_are_kept_than_allowed() {
        let terms = Terms::of_text("one two three one", 2);
        let counted = ["one", "two", "three"].map(|it| terms.count(number_of(it)));
        assert_eq!((counted, terms.length), ([2, 1, 0], 4));
    }
}
