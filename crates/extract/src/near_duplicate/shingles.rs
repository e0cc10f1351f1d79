//! Shingles: overlapping runs of words, or of letters where a script has no spaces between words.
//!
//! Three words or five Japanese letters make a shingle; in mixed text a word counts for five thirds
//! of a letter. Case, width, punctuation and spaces make no difference.

use std::collections::VecDeque;

use text::script::is_japanese;
use unicode_normalization::UnicodeNormalization;

const WORD_WEIGHT: u32 = 5;
const LETTER_WEIGHT: u32 = 3;
/// Three words, or five letters.
const SHINGLE_WEIGHT: u32 = 15;

/// Calls `take` with the hash of every shingle. A text too short for one is one shingle as a whole.
pub(super) fn each(text: &str, mut take: impl FnMut(u64)) {
    let mut window = Window::default();
    let mut word = None;
    for c in text.nfkc().flat_map(char::to_lowercase) {
        if is_unspaced(c) {
            window.end_word(&mut word, &mut take);
            window.push(mixed(u64::from(u32::from(c))), LETTER_WEIGHT, &mut take);
        } else if c.is_alphanumeric() || is_mark(c) && word.is_some() {
            let so_far = word.unwrap_or(0x776f_7264);
            word = Some(mixed(so_far ^ u64::from(u32::from(c))));
        } else if !is_invisible(c) {
            window.end_word(&mut word, &mut take);
        }
    }
    window.end_word(&mut word, &mut take);
    if !window.took_any && !window.tokens.is_empty() {
        take(window.hash());
    }
}

#[derive(Default)]
struct Window {
    tokens: VecDeque<(u64, u32)>,
    weight: u32,
    took_any: bool,
}

impl Window {
    fn end_word(&mut self, word: &mut Option<u64>, take: &mut impl FnMut(u64)) {
        if let Some(hash) = word.take() {
            self.push(hash, WORD_WEIGHT, take);
        }
    }

    /// Takes a token in; each time the window is full it is a shingle, and its first token leaves.
    fn push(&mut self, hash: u64, weight: u32, take: &mut impl FnMut(u64)) {
        self.tokens.push_back((hash, weight));
        self.weight += weight;
        while self.weight >= SHINGLE_WEIGHT {
            take(self.hash());
            self.took_any = true;
            self.weight -= self.tokens.pop_front().map_or(0, |it| it.1);
        }
    }

    fn hash(&self) -> u64 {
        self.tokens.iter().fold(0, |so_far, (hash, _)| mixed(so_far.rotate_left(5) ^ hash))
    }
}

/// A letter of a script that is written without spaces: Japanese, Chinese, Thai and its neighbours.
fn is_unspaced(c: char) -> bool {
    is_japanese(c)
        || matches!(c, '\u{0e01}'..='\u{0edf}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
}

fn is_mark(c: char) -> bool {
    unicode_normalization::char::is_combining_mark(c)
}

/// Invisible characters that do not break a word.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Spreads every bit of the input over all bits of the output (the finaliser of SplitMix64).
pub(super) const fn mixed(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}
