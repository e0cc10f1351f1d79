//! Text to token ids, by the model's own `tokenizer.json`.
//!
//! Special tokens are placed here, not by the tokenizer library, because a text may be cut into
//! windows first; where they belong is learned once from a probe. Text that spells a special token
//! (`[SEP]`) stays text: a page must not be able to end its own segment.

mod growth;
#[cfg(test)]
mod parity;

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use tokenizers::{Encoding, Tokenizer};

use crate::encoder::Sequence;
use crate::{ModelError, Result};

/// Long texts are tokenized piece by piece, so that cost and memory grow evenly and the reading can
/// stop when enough tokens are there.
const PIECE: usize = 16 * 1024;

#[derive(Debug)]
pub(crate) struct Tokens {
    model: String,
    tokenizer: Tokenizer,
    one: Frame<1>,
    two: Frame<2>,
}

/// The special tokens around texts, and the segment number of each text.
#[derive(Debug)]
struct Frame<const TEXTS: usize> {
    /// (id, segment) of the tokens before each text.
    before: [Vec<(u32, u32)>; TEXTS],
    /// The same of those behind the last.
    after: Vec<(u32, u32)>,
    segments: [u32; TEXTS],
}

/// A text as tokens, without special ones.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Tokenized {
    pub(crate) ids: Vec<u32>,
    /// Which bytes of the text each token stands for.
    pub(crate) places: Vec<Range<usize>>,
    /// How much of the text was read before the limit was reached.
    pub(crate) read: usize,
}

impl Tokens {
    /// Reads a tokenizer; `rows` is how many tokens the weights know.
    pub(crate) fn parse(model: &str, bytes: &[u8], rows: usize) -> Result<Self> {
        let broken = |problem: String| ModelError::Tokenizer { model: model.to_owned(), problem };
        let mut tokenizer: Tokenizer = guarded(|| Tokenizer::from_bytes(bytes)).map_err(broken)?;
        growth::check(&tokenizer).map_err(broken)?;
        tokenizer.with_padding(None);
        guarded(|| tokenizer.with_truncation(None).map(|_| ())).map_err(broken)?;
        tokenizer.set_encode_special_tokens(true);
        let highest = tokenizer.get_vocab(true).into_values().max();
        let Some(highest) = highest else { return Err(broken("it has no vocabulary".to_owned())) };
        if highest as usize >= rows {
            return Err(ModelError::Vocabulary { model: model.to_owned(), token: highest, rows });
        }
        let one = guarded(|| tokenizer.encode("a", true)).map_err(broken)?;
        let two = guarded(|| tokenizer.encode(("a", "b"), true)).map_err(broken)?;
        let no_frame = || broken("it marks neither begin nor end of a text".to_owned());
        Ok(Self {
            model: model.to_owned(),
            one: Frame::learn(&one).ok_or_else(no_frame)?,
            two: Frame::learn(&two).ok_or_else(no_frame)?,
            tokenizer,
        })
    }

    /// Special tokens around one text.
    pub(crate) fn around_one(&self) -> usize {
        self.one.count()
    }

    /// Special tokens around two texts.
    pub(crate) fn around_two(&self) -> usize {
        self.two.count()
    }

    /// Tokenizes a text until `limit` tokens are there.
    pub(crate) fn read(&self, text: &str, limit: usize) -> Result<Tokenized> {
        let mut found = Tokenized::default();
        while found.read < text.len() && found.ids.len() < limit {
            let start = found.read;
            let end = piece_end(text, start);
            let encoding = guarded(|| self.tokenizer.encode(&text[start..end], false))
                .map_err(|problem| ModelError::Tokenizer { model: self.model.clone(), problem })?;
            for (id, (from, to)) in encoding.get_ids().iter().zip(encoding.get_offsets()) {
                found.ids.push(*id);
                found.places.push(start + from..start + to);
            }
            found.read = end;
        }
        if found.ids.len() > limit {
            found.ids.truncate(limit);
            found.places.truncate(limit);
            found.read = found.places.last().map_or(0, |it| it.end);
        }
        Ok(found)
    }

    pub(crate) fn sequence(&self, text: &[u32]) -> Sequence {
        self.one.around([text])
    }

    pub(crate) fn pair(&self, first: &[u32], second: &[u32]) -> Sequence {
        self.two.around([first, second])
    }
}

impl<const TEXTS: usize> Frame<TEXTS> {
    fn learn(probe: &Encoding) -> Option<Self> {
        let mut before: [Vec<(u32, u32)>; TEXTS] = std::array::from_fn(|_| Vec::new());
        let mut segments = [None; TEXTS];
        let mut pending = Vec::new();
        let tokens = probe.get_ids().iter().zip(probe.get_type_ids());
        for ((id, segment), text) in tokens.zip(probe.get_sequence_ids()) {
            match text {
                None => pending.push((*id, *segment)),
                Some(text) => {
                    before.get_mut(text)?.append(&mut pending);
                    segments[text] = Some(*segment);
                }
            }
        }
        let mut known = [0; TEXTS];
        for (known, segment) in known.iter_mut().zip(segments) {
            *known = segment?;
        }
        let frame = Self { before, after: pending, segments: known };
        (frame.count() > 0).then_some(frame)
    }

    fn count(&self) -> usize {
        self.before.iter().map(Vec::len).sum::<usize>() + self.after.len()
    }

    fn around(&self, texts: [&[u32]; TEXTS]) -> Sequence {
        let mut sequence = Sequence::default();
        let mut push = |id: u32, segment: u32| {
            sequence.ids.push(id);
            sequence.types.push(segment);
        };
        for ((before, text), segment) in self.before.iter().zip(texts).zip(self.segments) {
            before.iter().for_each(|it| push(it.0, it.1));
            text.iter().for_each(|id| push(*id, segment));
        }
        self.after.iter().for_each(|it| push(it.0, it.1));
        sequence
    }
}

/// Where a piece that starts here ends: after white space, so that no word is torn, or at any
/// character if there is none.
fn piece_end(text: &str, start: usize) -> usize {
    if text.len() - start <= PIECE {
        return text.len();
    }
    let end = text.floor_char_boundary(start + PIECE);
    let piece = &text[start..end];
    piece.rfind(char::is_whitespace).filter(|at| *at > 0).map_or(end, |at| {
        let space = piece[at..].chars().next().map_or(0, char::len_utf8);
        start + at + space
    })
}

/// Runs library code that reads outside files; a panic means that the file is bad.
fn guarded<T>(work: impl FnOnce() -> tokenizers::Result<T>) -> Result<T, String> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) => Err(error.to_string()),
        Err(_) => Err("it contradicts itself".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_end_after_white_space_and_never_inside_a_character() {
        let words = "word ".repeat(10_000);
        assert_eq!(piece_end(&words, 0), 16_380);
        let japanese = "あ".repeat(10_000);
        assert_eq!(piece_end(&japanese, 0), 16_383);
        assert_eq!(piece_end("short", 2), 5);
        assert_eq!(piece_end(&format!(" {}", "x".repeat(20_000)), 0), 16_384);
    }
}
