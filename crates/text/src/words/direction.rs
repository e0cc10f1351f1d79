//! Words with an opposite: more and less, better and worse, causes and prevents.
//!
//! Two sentences that differ in one of them say opposite things, however many words they share.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::{is_japanese, latin_words, stem};
use crate::word_list::{self, WordList};

/// A pair of opposites and which side of it a word is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Directed {
    pub axis: &'static str,
    pub forward: bool,
}

impl Directed {
    pub fn opposite(self) -> Self {
        Self { forward: !self.forward, ..self }
    }

    /// The word that stands for all words of this side.
    pub fn token(self) -> String {
        format!("{}{}", if self.forward { '+' } else { '-' }, self.axis)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Directions {
    axis: Vec<Axis>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Axis {
    name: String,
    forward: WordList,
    backward: WordList,
}

static ENGLISH: LazyLock<Directions> =
    LazyLock::new(|| word_list::read(include_str!("../../data/en/direction.toml")));
static JAPANESE: LazyLock<Directions> =
    LazyLock::new(|| word_list::read(include_str!("../../data/ja/direction.toml")));

/// The directions in a folded sentence, in their order, and the sentence with each such word
/// replaced by its sign.
pub fn directed(folded: &str) -> (Vec<Directed>, String) {
    if is_japanese(folded) { directed_ja(folded) } else { directed_en(folded) }
}

fn directed_en(folded: &str) -> (Vec<Directed>, String) {
    let mut found = Vec::new();
    let mut words = Vec::new();
    for word in latin_words(folded) {
        let lower = word.to_lowercase();
        match side_of(&lower) {
            Some(side) => {
                found.push(side);
                words.push(side.token());
            }
            None => words.push(word.to_owned()),
        }
    }
    (found, words.join(" "))
}

/// The first axis a word is on; a word is on one side of it only.
static SIDES: LazyLock<HashMap<String, Directed>> = LazyLock::new(|| {
    let mut sides = HashMap::new();
    for axis in &ENGLISH.axis {
        for (words, forward) in [(&axis.forward, true), (&axis.backward, false)] {
            for word in words.iter() {
                sides.entry(stem(word)).or_insert(Directed { axis: &axis.name, forward });
            }
        }
    }
    sides
});

fn side_of(lower: &str) -> Option<Directed> {
    SIDES.get(&stem(lower)).copied()
}

fn directed_ja(folded: &str) -> (Vec<Directed>, String) {
    let mut found = Vec::new();
    let mut text = String::with_capacity(folded.len());
    let mut at = 0;
    while let Some(c) = folded[at..].chars().next() {
        let rest = &folded[at..];
        let hit = JAPANESE.axis.iter().find_map(|axis| {
            let longest = |words: &WordList| {
                words.iter().filter(|word| rest.starts_with(word)).map(str::len).max()
            };
            let forward = longest(&axis.forward).map(|length| (length, true));
            let backward = longest(&axis.backward).map(|length| (length, false));
            let (length, forward) = forward.max(backward)?;
            Some((length, Directed { axis: &axis.name, forward }))
        });
        match hit {
            Some((length, side)) => {
                found.push(side);
                text.push_str(&format!(" {} ", side.token()));
                at += length;
            }
            None => {
                text.push(c);
                at += c.len_utf8();
            }
        }
    }
    (found, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        directed(text).1
    }

    #[test]
    fn both_languages_have_the_same_axes() {
        let names =
            |it: &Directions| it.axis.iter().map(|axis| axis.name.clone()).collect::<Vec<_>>();
        let expected = ["amount", "worth", "cause", "permission", "safety", "side", "time"];
        assert_eq!(names(&ENGLISH), expected);
        assert_eq!(names(&JAPANESE), expected);
    }

    #[test]
    fn words_of_one_side_become_one_sign() {
        assert_eq!(shown("Aspirin reduces pain"), "Aspirin -amount pain");
        assert_eq!(shown("Aspirin lowered pain"), "Aspirin -amount pain");
        assert_eq!(shown("Aspirin increases pain"), "Aspirin +amount pain");
        assert_eq!(shown("転倒を減らす"), "転倒を -amount す");
        assert_eq!(shown("転倒が増加した"), "転倒が +amount した");
        assert_eq!(shown("有効性が無効とされた"), " +worth 性が -worth とされた");
        assert_eq!(shown(""), "");
    }
}
