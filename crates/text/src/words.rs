//! Words of a sentence and what they turn it into: denied, more or less, about whom, how many.
//!
//! What `claims`, `same` and the rules of `stance` share. English goes by words, Japanese by the
//! letters themselves: there are no spaces, and the negation comes at the end.

mod direction;
mod negation;
mod numbers;
mod stem;

use std::sync::LazyLock;

use serde::Deserialize;

use crate::script;
use crate::word_list::{self, WordSet};

pub use direction::{Directed, directed};
pub use negation::is_denied;
pub use numbers::numbers;
pub use stem::stem;

/// Writes full-width ASCII as ASCII, dashes and quotes as the plain ones. Character for character,
/// so positions hold.
pub fn folded(text: &str) -> String {
    let fold = |c: char| match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{2018}' | '\u{2019}' => '\'',
        '\u{201c}' | '\u{201d}' => '"',
        '\u{a0}' | '\u{202f}' | '\u{3000}' | '\t' | '\n' | '\r' => ' ',
        _ => c,
    };
    text.chars().map(fold).collect()
}

/// Whether a sentence is read as Japanese. Names and units in Latin letters may fill two thirds of it.
pub fn is_japanese(text: &str) -> bool {
    let (mut japanese, mut latin) = (0, 0);
    for c in text.chars() {
        japanese += usize::from(script::is_japanese(c));
        latin += usize::from(c.is_ascii_alphabetic());
    }
    japanese > 0 && 2 * japanese >= latin
}

/// Latin words as they are written: letters and digits, with apostrophes, hyphens and dots inside.
pub fn latin_words(text: &str) -> impl Iterator<Item = &str> {
    let inside = |c: char| c.is_alphanumeric() && !script::is_japanese(c);
    let joins = |c: char| matches!(c, '\'' | '’' | '-' | '.' | ',' | '%');
    text.split(move |c: char| !inside(c) && !joins(c))
        .map(move |it| it.trim_matches(|c: char| joins(c) && c != '%').trim_start_matches('%'))
        .filter(|it| !it.is_empty())
}

/// Words that carry no meaning of their own.
pub fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.words.contains(word)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StopWords {
    words: WordSet,
}

static STOP_WORDS: LazyLock<StopWords> =
    LazyLock::new(|| word_list::read(include_str!("../data/en/stop_words.toml")));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_keep_what_belongs_to_them() {
        let words: Vec<&str> =
            latin_words("The U.S. rate rose 12.5% (1,200 people), didn't it? COVID-19 を。")
                .collect();
        assert_eq!(
            words,
            ["The", "U.S", "rate", "rose", "12.5%", "1,200", "people", "didn't", "it", "COVID-19"]
        );
    }

    #[test]
    fn stop_words_carry_no_meaning() {
        assert!(["the", "however", "n't"].map(is_stop_word).iter().all(|it| *it));
        assert!(!is_stop_word("aspirin"));
    }

    /// A word in another form would never be found.
    #[test]
    fn word_lists_are_in_the_form_that_words_are_compared_in() {
        for file in [
            include_str!("../data/en/stop_words.toml"),
            include_str!("../data/en/negation.toml"),
            include_str!("../data/ja/negation.toml"),
            include_str!("../data/en/direction.toml"),
            include_str!("../data/ja/direction.toml"),
        ] {
            for word in word_list::words_in(file).unwrap() {
                assert_eq!(word, folded(&word).to_lowercase());
            }
        }
    }

    #[test]
    fn folding_keeps_the_number_of_characters() {
        assert_eq!(folded("ＡＢＣ１２％　“x”–y"), "ABC12% \"x\"-y");
    }

    #[test]
    fn a_sentence_is_japanese_by_its_letters() {
        assert!(is_japanese("SARS-CoV-2は感染する。"));
        assert!(is_japanese("東京"));
        assert!(!is_japanese("Tokyo (東京) is the capital of Japan"));
        assert!(!is_japanese("12.5 %"));
    }
}
