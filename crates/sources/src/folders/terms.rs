//! The terms of a text: words, and pairs of characters where words are written without spaces.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use text::tokenize::{TokenizeFor, tokenize};
use unicode_normalization::UnicodeNormalization;

/// How often each term stands in a text. Terms are kept as sorted numbers: those of fifty thousand files stay small.
#[derive(Debug, Clone, Default)]
pub(super) struct Terms {
    numbers: Box<[u64]>,
    /// Beside the numbers; a term that stands in a text more often tells no more.
    counts: Box<[u16]>,
    length: u32,
}

/// How much each term of a query tells, in a fixed order: sums of floats depend on it.
#[derive(Debug)]
pub(super) struct Rarity(Vec<(u64, f64)>);

impl Rarity {
    /// Of the terms of a query among so many texts.
    pub(super) fn of<'a>(query: &Terms, texts: impl Iterator<Item = &'a Terms>) -> Self {
        let mut having = vec![0_u32; query.numbers.len()];
        let mut all = 0.0;
        for text in texts {
            all += 1.0;
            for (number, having) in query.numbers.iter().zip(&mut having) {
                *having += u32::from(text.count(*number) > 0);
            }
        }
        let weight = |having: u32| {
            let having = f64::from(having);
            (1.0 + (all - having + 0.5) / (having + 0.5)).ln()
        };
        let numbers = query.numbers.iter().copied();
        Self(numbers.zip(having.into_iter().map(weight)).collect())
    }
}

impl Terms {
    /// The first `max` different terms of a file's text.
    pub(super) fn of_text(text: &str, max: usize) -> Self {
        Self::of(text, TokenizeFor::Document, max)
    }

    /// The terms of what is looked for.
    pub(super) fn of_query(text: &str) -> Self {
        Self::of(text, TokenizeFor::Query, usize::MAX)
    }

    fn of(text: &str, purpose: TokenizeFor, max: usize) -> Self {
        let mut length = 0_u32;
        let mut counts: HashMap<u64, u16> = HashMap::new();
        tokenize(text, purpose, |term| {
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

    pub(super) fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    pub(super) fn terms(&self) -> impl Iterator<Item = u64> {
        self.numbers.iter().copied()
    }

    pub(super) fn count(&self, term: u64) -> u32 {
        let place = self.numbers.binary_search(&term);
        place.map_or(0, |it| u32::from(self.counts[it]))
    }

    /// Rare terms count more, repeated ones less each time, and long texts do not win by their length.
    pub(super) fn score(&self, rarity: &Rarity) -> f64 {
        let long = 1.2 * (0.7 + 0.3 * f64::from(self.length) / 1_000.0);
        rarity
            .0
            .iter()
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
