//! The terms of a text: words, and pairs of characters where words are written without spaces.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use unicode_normalization::UnicodeNormalization;

/// How often each term stands in a text. Terms are kept as numbers: a folder's worth of them stays small.
#[derive(Debug, Clone, Default)]
pub(super) struct Terms {
    counts: HashMap<u64, u32>,
    length: u32,
}

impl Terms {
    /// The first `max` different terms of a text.
    pub(super) fn of(text: &str, max: usize) -> Self {
        let mut terms = Self::default();
        let mut add = |term: &str| {
            let term = number_of(term);
            terms.length = terms.length.saturating_add(1);
            if let Some(count) = terms.counts.get_mut(&term) {
                *count = count.saturating_add(1);
            } else if terms.counts.len() < max {
                terms.counts.insert(term, 1);
            }
        };
        let text = folded(text);
        let mut word = String::new();
        let mut before: Option<char> = None;
        for c in text.chars().chain([' ']) {
            let dense = is_dense(c);
            if c.is_alphanumeric() && !dense {
                word.push(c);
            } else if !word.is_empty() {
                add(&word);
                word.clear();
            }
            if dense {
                if let Some(before) = before {
                    add(&[before, c].iter().collect::<String>());
                }
                before = Some(c);
            } else {
                before = None;
            }
        }
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

/// Written without spaces between words.
fn is_dense(c: char) -> bool {
    matches!(c, '\u{3005}' | '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_pairs_of_characters_are_terms() {
        let terms = Terms::of("Ｔｈｅ cat, the CAT: 東京都の cat2", usize::MAX);
        let count = |it: &str| terms.count(number_of(it));
        assert_eq!(
            (
                count("the"),
                count("cat"),
                count("cat2"),
                count("東京"),
                count("京都"),
                count("都の")
            ),
            (2, 2, 1, 1, 1, 1)
        );
        assert_eq!((count("東"), count("の"), count("dog")), (0, 0, 0));
    }

    #[test]
    fn a_single_character_gives_no_term() {
        assert!(Terms::of("東 ", usize::MAX).is_empty());
        assert!(Terms::of("", usize::MAX).is_empty());
    }
}
