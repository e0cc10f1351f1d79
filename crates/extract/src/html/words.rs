//! Words in class names and in short texts that tell what a part of a page is for.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use serde::Deserialize;
use text::script::is_hiragana;
use text::word_list::{self, WordList};

/// How many kinds of hint there are.
pub(crate) const HINTS: usize = 16;

/// How many kinds of phrase are counted in a text.
pub(crate) const PHRASES: usize = 7;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PageWords {
    classes: Classes,
    phrases: PagePhrases,
    glue: Glue,
}

static WORDS: LazyLock<PageWords> =
    LazyLock::new(|| word_list::read(include_str!("../../data/page_words.toml")));

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Classes {
    navigation: WordList,
    sidebar: WordList,
    footer: WordList,
    header: WordList,
    advert: WordList,
    social: WordList,
    comments: WordList,
    related: WordList,
    meta: WordList,
    overlay: WordList,
    content: WordList,
    article: WordList,
    product: WordList,
    thread: WordList,
    list: WordList,
    panel: WordList,
}

impl Classes {
    /// In the order of their bits and features.
    fn in_order(&self) -> [&WordList; HINTS] {
        [
            &self.navigation,
            &self.sidebar,
            &self.footer,
            &self.header,
            &self.advert,
            &self.social,
            &self.comments,
            &self.related,
            &self.meta,
            &self.overlay,
            &self.content,
            &self.article,
            &self.product,
            &self.thread,
            &self.list,
            &self.panel,
        ]
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PagePhrases {
    rights: WordList,
    policy: WordList,
    sign_up: WordList,
    share: WordList,
    related: WordList,
    comments: WordList,
    byline: WordList,
}

impl PagePhrases {
    /// In the order of the features that count them.
    fn in_order(&self) -> [&WordList; PHRASES] {
        [
            &self.rights,
            &self.policy,
            &self.sign_up,
            &self.share,
            &self.related,
            &self.comments,
            &self.byline,
        ]
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Glue {
    words: WordList,
}

/// The words of class names and ids that give a hint, by kind of hint.
pub(super) fn class_words() -> [&'static WordList; HINTS] {
    WORDS.classes.in_order()
}

static PHRASE_AUTOMATON: LazyLock<(AhoCorasick, Vec<u8>)> = LazyLock::new(|| {
    let mut words = Vec::new();
    let mut kinds = Vec::new();
    for (kind, list) in WORDS.phrases.in_order().into_iter().enumerate() {
        for word in list.iter() {
            words.push(word);
            kinds.push(kind as u8);
        }
    }
    (automaton(&words), kinds)
});

/// How often each kind of phrase occurs in a text.
pub(crate) fn phrases(text: &str) -> [u8; PHRASES] {
    let (automaton, kinds) = &*PHRASE_AUTOMATON;
    let mut counts = [0_u8; PHRASES];
    for found in automaton.find_overlapping_iter(text) {
        let kind = usize::from(kinds[found.pattern().as_usize()]);
        counts[kind] = counts[kind].saturating_add(1);
    }
    counts
}

pub(super) fn automaton(words: &[&str]) -> AhoCorasick {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        // They run over every class and every text of a page.
        .kind(Some(AhoCorasickKind::DFA))
        .build(words)
        .expect("a fixed list of words makes an automaton")
}

/// English words that hold sentences together, each as the number that its letters make, in order.
static GLUE_NUMBERS: LazyLock<Vec<u64>> = LazyLock::new(|| {
    let mut numbers: Vec<u64> =
        WORDS.glue.words.iter().filter_map(|it| number(it.as_bytes())).collect();
    numbers.sort_unstable();
    numbers
});

/// A short word as a number, in lower case.
fn number(word: &[u8]) -> Option<u64> {
    const LONGEST: usize = 5;
    let one = |sum: u64, byte: &u8| (sum << 8) | u64::from(byte.to_ascii_lowercase());
    (word.len() <= LONGEST).then(|| word.iter().fold(0, one))
}

/// The share of words that hold sentences together: English function words, or hiragana.
pub(crate) fn glue(text: &str) -> f32 {
    let numbers = &*GLUE_NUMBERS;
    let holds = |word: &[u8]| number(word).is_some_and(|it| numbers.binary_search(&it).is_ok());
    let (mut all, mut glue) = (0_u32, 0_u32);
    if text.is_ascii() {
        let words = text.as_bytes().split(|it| !it.is_ascii_alphanumeric());
        for word in words.filter(|it| !it.is_empty()) {
            all += 1;
            glue += u32::from(holds(word));
        }
    } else {
        for word in text.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty()) {
            all += 1;
            glue += u32::from(if word.is_ascii() {
                holds(word.as_bytes())
            } else {
                word.chars().any(is_hiragana)
            });
        }
    }
    if all == 0 { 0.0 } else { glue as f32 / all as f32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_is_loaded_in_lower_case() {
        for word in word_list::words_in(include_str!("../../data/page_words.toml")).unwrap() {
            assert_eq!(word, word.to_lowercase());
        }
        assert!(class_words().iter().all(|it| it.iter().all(str::is_ascii)));
        assert_eq!(GLUE_NUMBERS.len(), WORDS.glue.words.iter().count());
    }

    #[test]
    fn phrases_are_counted_by_kind() {
        let counts = |text: &str| phrases(text);
        assert_eq!(counts("© 2020, Cookie notice"), [1, 1, 0, 0, 0, 0, 0]);
        assert_eq!(counts("ログインしてシェア"), [0, 0, 1, 1, 0, 0, 0]);
        assert_eq!(counts("related comments, posted"), [0, 0, 0, 0, 1, 1, 1]);
    }

    #[test]
    fn glue_is_a_share_of_words() {
        assert_eq!(glue("the cat and the dog"), 0.6);
        assert_eq!(glue("猫は 犬"), 0.5);
        assert_eq!(glue(""), 0.0);
    }
}
