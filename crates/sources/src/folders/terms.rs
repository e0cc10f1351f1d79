//! The terms of a text: words, and pairs of characters where words are written without spaces.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use evidence::terms::{Purpose, cut};
use unicode_normalization::UnicodeNormalization;

/// How often each term stands in a text. Terms are kept as numbers: a folder's worth of them stays small.
#[derive(Debug, Clone, Default)]
pub(super) struct Terms {
    counts: HashMap<u64, u32>,
    length: u32,
}

impl Terms {
    /// The first `max` different terms of a file's text.
    pub(super) fn of_text(text: &str, max: usize) -> Self {
        Self::of(text, Purpose::Document, max)
    }

    /// The terms of what is looked for.
    pub(super) fn of_query(text: &str) -> Self {
        Self::of(text, Purpose::Query, usize::MAX)
    }

    fn of(text: &str, purpose: Purpose, max: usize) -> Self {
        let mut terms = Self::default();
        cut(text, purpose, |term| {
            // The single characters of Japanese share the place of a pair: they make no text longer.
            terms.length = terms.length.saturating_add(u32::from(!term.same_place));
            let number = number_of(term.text);
            if let Some(count) = terms.counts.get_mut(&number) {
                *count = count.saturating_add(1);
            } else if terms.counts.len() < max {
                terms.counts.insert(number, 1);
            }
            true
        });
        terms
    }

    pub(super) fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    pub(super) fn terms(&self) -> impl Iterator<Item = u64> {
        self.counts.keys().copied()
    }

    pub(super) fn count(&self, term: u64) -> u32 {
        self.counts.get(&term).copied().unwrap_or(0)
    }

    /// Rare terms count more, repeated ones less each time, and long texts do not win by their length.
    pub(super) fn score(&self, rarity: &HashMap<u64, f64>) -> f64 {
        let long = 1.2 * (0.7 + 0.3 * f64::from(self.length) / 1_000.0);
        // In a fixed order: sums of floats depend on it.
        let mut terms: Vec<(&u64, &f64)> = rarity.iter().collect();
        terms.sort_by_key(|it| it.0);
        terms
            .into_iter()
            .map(|(term, weight)| {
                let count = f64::from(self.count(*term));
                weight * count / (count + long)
            })
            .sum()
    }
}

pub(super) fn folded(text: &str) -> String {
    text.nfkc().flat_map(char::to_lowercase).collect()
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
    fn a_single_character_finds_the_words_it_stands_in() {
        let text = Terms::of_text("肺癌治療", usize::MAX);
        let found = |query: &str| Terms::of_query(query).terms().all(|it| text.count(it) > 0);
        assert!(found("癌") && found("肺癌") && found("治療"));
        assert!(!found("胃") && !found("胃癌"));
        assert!(Terms::of_query("").is_empty());
    }

    #[test]
    fn no_more_different_terms_are_kept_than_allowed() {
        let terms = Terms::of_text("one two three one", 2);
        let counted = ["one", "two", "three"].map(|it| terms.count(number_of(it)));
        assert_eq!((counted, terms.length), ([2, 1, 0], 4));
    }
}
