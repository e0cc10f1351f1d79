//! How rare words are, read off the vocabulary of the tokenizer that the binary carries: its pieces come with the
//! logarithm of their share of a large English and Japanese text.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Deserialize;
use text::words::{is_japanese, stem};

use crate::builtin;

/// What stands before a piece that begins a word.
const BEGINS: char = '▁';

#[derive(Deserialize)]
struct Tokenizer {
    model: Unigram,
}

#[derive(Deserialize)]
struct Unigram {
    vocab: Vec<(String, f64)>,
}

/// Shares of whole words: stems of English ones in lower case, Japanese pieces as they are written.
static SHARES: LazyLock<HashMap<String, f64>> = LazyLock::new(|| {
    let file = builtin::embedder_files().tokenizer;
    let read: Tokenizer =
        serde_json::from_slice(&file).expect("the tokenizer in the binary is one of pieces");
    let mut shares = HashMap::new();
    for (piece, logarithm) in read.model.vocab {
        let word = piece.trim_start_matches(BEGINS);
        let is_word = word.len() < piece.len() || is_japanese(word);
        if is_word && !word.is_empty() {
            *shares.entry(stem(&word.to_lowercase())).or_insert(0.0) += logarithm.exp();
        }
    }
    shares
});

/// How rare a word is, as the negative logarithm of its share of text: about 4 for "the", 8 for "treatment", 11 for
/// "placebo". An English word is given as its stem. Nothing for words that are too rare for the vocabulary.
pub fn rarity(word: &str) -> Option<f64> {
    SHARES.get(word).map(|share| -share.ln())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_rare_or_common_in_both_languages() {
        let rounded = |word: &str| rarity(&stem(word)).map(|it| it.round() as i32);
        assert_eq!(rounded("the"), Some(4));
        assert_eq!(rounded("treatment"), rounded("treatments"));
        assert!(rounded("treatment") < rounded("elderly"));
        assert_eq!(rounded("hemispherectomy"), None);
        assert!(rounded("日本") < rounded("治療"));
        assert_eq!(rounded("産者"), None);
    }
}
