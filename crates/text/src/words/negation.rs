//! Whether a sentence denies what it talks about.

use std::sync::LazyLock;

use serde::Deserialize;

use super::{is_japanese, latin_words};
use crate::word_list::{self, WordList};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Negation {
    denials: WordList,
    /// What holds a denial and denies nothing.
    harmless: WordList,
}

impl Negation {
    fn without_harmless(&self, text: &str, instead: &str) -> String {
        self.harmless.iter().fold(text.to_owned(), |text, phrase| text.replace(phrase, instead))
    }
}

static ENGLISH: LazyLock<Negation> =
    LazyLock::new(|| word_list::read(include_str!("../../data/en/negation.toml")));
static JAPANESE: LazyLock<Negation> =
    LazyLock::new(|| word_list::read(include_str!("../../data/ja/negation.toml")));

/// Whether a folded sentence denies something.
pub fn is_denied(folded: &str) -> bool {
    if is_japanese(folded) {
        return JAPANESE.denials.any_in(&JAPANESE.without_harmless(folded, "・"));
    }
    let text = ENGLISH.without_harmless(&folded.to_lowercase(), " ");
    let denies = |word: &str| word.ends_with("n't") || ENGLISH.denials.iter().any(|it| it == word);
    latin_words(&text).any(denies)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn denials_are_told_from_words_that_look_like_them() {
        let table = [
            ("Aspirin did not reduce mortality.", true),
            ("There was no difference between the groups.", true),
            ("The vaccine doesn't cause autism.", true),
            ("The trial failed to show a benefit.", true),
            ("Homeopathy is ineffective against malaria.", true),
            ("Aspirin reduced mortality.", false),
            ("It is not only safe but also cheap.", false),
            ("It rose by no more than 3 %.", false),
            ("It isn't just safe, it is cheap.", false),
            ("Norway noted a rise.", false),
            ("ビタミンDは転倒を減らさない。", true),
            ("有意差は認められなかった。", true),
            ("両群に差は見られず、試験は中止された。", true),
            ("効果はありません。", true),
            ("この説は誤りである。", true),
            ("ビタミンDは転倒を減らす。", false),
            ("副作用は少ない。", false),
            ("転倒を減らすかもしれない。", false),
            ("費用だけでなく時間も減った。", false),
            ("必ず医師に相談する必要がある。", false),
            ("年齢を問わず効果があった。", false),
            ("", false),
        ];
        for (text, expected) in table {
            assert_eq!(is_denied(&crate::words::folded(text)), expected, "{text}");
        }
    }
}
