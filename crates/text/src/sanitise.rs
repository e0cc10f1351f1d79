//! Text made safe for language models (L2), and what was found on the way.
//!
//! [`clean`] gives the text a model may read: one form for each letter, nothing invisible, nothing
//! that looks like a mark of the conversation itself; positions lead back to the text as it came.
//! [`flags`] names the places that speak to a machine. A flag is a fact for the reader and the log;
//! what follows from it is decided by others, and no list of phrases finds everything.

mod characters;
mod lookalikes;
mod phrases;
mod skeleton;
mod tags;
mod vocabulary;

use std::collections::HashMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use characters::TagCharacters;

/// Something that speaks to a machine rather than to a reader.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flag {
    /// The rule's name, such as `ignore_previous_instructions`.
    pub name: String,
    /// Whether people can see it.
    pub hidden: bool,
    /// Characters of the document's text, or of the hidden text.
    pub char_start: usize,
    pub char_end: usize,
    pub text: String,
}

/// A text as a model may read it. Cleaning it again changes nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clean {
    text: String,
    /// Where each character came from; empty where every character stayed in its place.
    origins: Vec<(u32, u32)>,
}

impl Clean {
    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn into_text(self) -> String {
        self.text
    }

    /// The characters of the text as it came that became the given characters of the clean text.
    pub fn original(&self, chars: Range<usize>) -> Range<usize> {
        if self.origins.is_empty() {
            return chars;
        }
        let last = self.origins.last().map_or(0, |it| it.1 as usize);
        let start = self.origins.get(chars.start).map_or(last, |it| it.0 as usize);
        if chars.is_empty() {
            return start..start;
        }
        let end = self.origins.get(chars.end - 1).map_or(last, |it| it.1 as usize);
        start..end.max(start)
    }
}

/// Cleans a text for a model.
///
/// Full-width and other forms become the usual ones (NFKC), entities are decoded however often they
/// were encoded, invisible, control and direction characters are left out, and marks that look like
/// a system's own (`<|im_start|>`, `[INST]`, `Assistant:` at the start of a line) lose the
/// characters that make them work and stay readable: `‹|im_start|›`, `⟦INST⟧`, `Assistant∶`.
pub fn clean(text: &str) -> Clean {
    let mut traced = characters::traced(text, TagCharacters::LeftOut);
    for tag in tags::tags(&traced) {
        tags::neutralise(&mut traced, &tag);
    }
    let kept = traced.iter().map(|it| it.c).collect();
    let places = traced.iter().map(|it| (it.start, it.end));
    let in_place = places.clone().eq((0..).map(|it| (it, it + 1)).take(traced.len()));
    let origins = if in_place { Vec::new() } else { places.collect() };
    Clean { text: kept, origins }
}

/// Names every place of a text that speaks to a machine, in order of position. `hidden` says whether
/// people can see the text, and is passed on.
pub fn flags(text: &str, hidden: bool) -> Vec<Flag> {
    let mut places: Vec<(usize, usize, &str)> = Vec::new();
    for (first, block) in blocks(text) {
        let plain = characters::traced(block, TagCharacters::Read);
        let tags = tags::tags(&plain).into_iter().filter_map(|it| Some((it.flag?, it.place)));
        let phrases = phrases::phrases(&skeleton::skeleton(&plain));
        places.extend(tags.chain(phrases).map(|(name, place)| {
            let from = &plain[place];
            let start = from.first().map_or(0, |it| it.start as usize);
            let end = from.iter().map(|it| it.end as usize).max().unwrap_or(start);
            (first + start, first + end, name)
        }));
        let smuggled = characters::smuggled(block).into_iter();
        places.extend(smuggled.map(|it| (first + it.start, first + it.end, "smuggled_text")));
    }
    places.sort_unstable();
    // One place has one flag of a name: the first, and what it overlaps is the same thing again.
    let mut ends: HashMap<&str, usize> = HashMap::new();
    places.retain(|(start, end, name)| {
        let last = ends.entry(name).or_default();
        let fresh = *start >= *last;
        *last = if fresh { *end } else { *last };
        fresh
    });
    let mut chars = text.char_indices().map(|it| it.0).chain([text.len()]).enumerate().peekable();
    places
        .into_iter()
        .map(|(char_start, char_end, name)| {
            while chars.next_if(|it| it.0 < char_start).is_some() {}
            let start = chars.peek().map_or(text.len(), |it| it.1);
            let words: String = text[start..].chars().take(char_end - char_start).collect();
            Flag { name: name.to_owned(), hidden, char_start, char_end, text: words }
        })
        .collect()
}

/// A text in the form that phrases are looked for in: lower case, the look of its letters, one space between words and none
/// between Japanese letters.
pub(crate) fn reduced(text: &str) -> String {
    skeleton::skeleton(&characters::traced(text, TagCharacters::Read)).text
}

/// Parts of a text that are read one after the other, so that a long one needs little memory, with
/// the number of their first character. They overlap, because a phrase can lie anywhere.
fn blocks(text: &str) -> impl Iterator<Item = (usize, &str)> {
    const BLOCK_BYTES: usize = 1 << 16;
    const OVERLAP_BYTES: usize = 1 << 10;
    let boundary = |mut at: usize| {
        while !text.is_char_boundary(at) {
            at += 1;
        }
        at
    };
    let mut next = Some((0, 0));
    std::iter::from_fn(move || {
        let (start, first) = next?;
        let end = boundary((start + BLOCK_BYTES).min(text.len()));
        next = (end < text.len()).then(|| {
            let again = boundary(end - OVERLAP_BYTES);
            (again, first + text[start..again].chars().count())
        });
        Some((first, &text[start..end]))
    })
}

#[cfg(test)]
mod tests;
