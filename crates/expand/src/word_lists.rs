//! Small words and characters of queries: read from `data/*/query.toml`, which says what each list is.

use std::sync::LazyLock;

use serde::Deserialize;
use text::word_list::{self, WordList, WordSet};

pub(crate) static EN: LazyLock<English> =
    LazyLock::new(|| word_list::read(include_str!("../data/en/query.toml")));
pub(crate) static JA: LazyLock<Japanese> =
    LazyLock::new(|| word_list::read(include_str!("../data/ja/query.toml")));

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct English {
    pub(crate) stop_words: WordSet,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Japanese {
    pub(crate) empty: WordSet,
    /// Single characters, as those that follow.
    pub(crate) before: String,
    pub(crate) behind: String,
    pub(crate) counters: String,
    pub(crate) eras: WordSet,
    pub(crate) particles: String,
    pub(crate) openers: String,
    /// Old and new characters in turn.
    pub(crate) old_kanji: WordList,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plain::plain;

    #[test]
    fn words_are_in_the_form_of_queries() {
        let words = EN.stop_words.iter().chain(JA.empty.iter()).chain(JA.eras.iter());
        for word in words {
            assert_eq!(word, plain(word).to_lowercase());
        }
    }

    #[test]
    fn no_character_is_there_twice() {
        for list in [&JA.before, &JA.behind, &JA.counters, &JA.particles, &JA.openers] {
            let mut characters: Vec<char> = list.chars().collect();
            characters.sort_unstable();
            characters.dedup();
            assert_eq!(characters.len(), list.chars().count(), "{list}");
        }
    }
}
