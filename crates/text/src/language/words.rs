//! Small words that give a language away: is this Latin-script text English, or not? Pure.
//!
//! Trigrams mistake scientific English for French or Latin, whose terms it borrows; the small words
//! between the terms are its own. Names do not count against English: a foreign small word counts
//! only where it opens the text or begins with a small letter, and so does a word with an accented
//! letter.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::word_list::{self, WordSet};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SmallWordLists {
    telling: WordSet,
    shared: WordSet,
    /// By language.
    foreign: BTreeMap<String, WordSet>,
}

static LISTS: LazyLock<SmallWordLists> =
    LazyLock::new(|| word_list::read(include_str!("../../data/language.toml")));

/// What the small words of a text say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SmallWords {
    pub(super) telling: usize,
    pub(super) shared: usize,
    pub(super) foreign: usize,
}

impl SmallWords {
    pub(super) fn count(text: &str) -> Self {
        let mut found = Self { telling: 0, shared: 0, foreign: 0 };
        // "pro-inflammatory" and "don't" are one word each.
        let inside = |it: char| it.is_alphabetic() || matches!(it, '-' | '\'' | '’');
        let words = text.split(|it| !inside(it));
        let words = words.map(|word| word.trim_matches(|c: char| !c.is_alphabetic()));
        for (place, word) in words.filter(|it| !it.is_empty()).enumerate() {
            let small = word.to_lowercase();
            let opens = place == 0 && word.chars().skip(1).all(char::is_lowercase);
            // "don't", "the patient's" (also with a typographer's apostrophe).
            let ending = small.replace('’', "'");
            let own = ending.ends_with("n't") || ending.ends_with("'s");
            if own || LISTS.telling.contains(&small) {
                found.telling += 1;
            } else if LISTS.shared.contains(&small) {
                found.shared += 1;
            } else if (opens || word.starts_with(char::is_lowercase)) && is_foreign(&small) {
                found.foreign += 1;
            }
        }
        found
    }

    /// How much speaks for English, on the scale of `foreign`.
    pub(super) fn english(self) -> usize {
        2 * self.telling + self.shared
    }
}

fn is_foreign(word: &str) -> bool {
    LISTS.foreign.values().any(|language| language.contains(word))
        || word.chars().any(|it| ('À'..='ɏ').contains(&it) && it.is_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(text: &str) -> [usize; 3] {
        let SmallWords { telling, shared, foreign } = SmallWords::count(text);
        [telling, shared, foreign]
    }

    #[test]
    fn small_words_are_counted_by_what_they_tell() {
        let table = [
            ("The role of vitamin D in these patients", [2, 2, 0]),
            ("Eine Rolle von Vitamin D ist nicht klar", [0, 0, 4]),
            ("le rôle de la vitamine D", [0, 0, 4]),
            // Names, abbreviations and compounds.
            ("Near Le Mans, Los Angeles, Māori and IL-10", [1, 0, 0]),
            ("IL-10, Dan and DAS28", [1, 0, 0]),
            ("patient’s cells don't grow", [2, 0, 0]),
            ("pro- and anti-inflammatory, non-coding, de-escalated", [1, 0, 0]),
            ("", [0, 0, 0]),
        ];
        for (text, expected) in table {
            assert_eq!(count(text), expected, "{text}");
        }
    }

    #[test]
    fn no_word_tells_two_things() {
        let SmallWordLists { telling, shared, foreign } = &*LISTS;
        for word in foreign.values().flat_map(WordSet::iter) {
            assert!(!telling.contains(word) && !shared.contains(word), "{word}");
        }
        assert!(!telling.iter().any(|it| shared.contains(it)));
        let all =
            telling.iter().chain(shared.iter()).chain(foreign.values().flat_map(WordSet::iter));
        assert_eq!(all.filter(|it| it.to_lowercase() != *it).count(), 0);
    }
}
