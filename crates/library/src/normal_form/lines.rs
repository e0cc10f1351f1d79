//! Lines of a text: `\n`, `\r\n` and a lone `\r` all end one.

use std::ops::Range;

/// One line without its ending, and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line<'a> {
    /// Counted from 1, as editors do.
    pub(crate) number: u32,
    pub(crate) text: &'a str,
    /// The bytes of the line without its ending.
    pub(crate) bytes: Range<usize>,
}

/// The lines of a text in order; a text that ends in a line break has no empty last line.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let bytes = text.as_bytes();
    let (mut at, mut number) = (0, 0);
    std::iter::from_fn(move || {
        if at >= bytes.len() {
            return None;
        }
        let length = memchr::memchr2(b'\n', b'\r', &bytes[at..]).unwrap_or(bytes.len() - at);
        let (start, end) = (at, at + length);
        let ending = match &bytes[end..] {
            [b'\r', b'\n', ..] => 2,
            [] => 0,
            _ => 1,
        };
        at = end + ending;
        number += 1;
        Some(Line { number, text: &text[start..end], bytes: start..end })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_line_break_ends_one_line() {
        let shown: Vec<(u32, &str)> =
            lines("a\nb\r\nc\rd\n\ne").map(|it| (it.number, it.text)).collect();
        assert_eq!(shown, [(1, "a"), (2, "b"), (3, "c"), (4, "d"), (5, ""), (6, "e")]);
    }

    #[test]
    fn a_last_line_break_opens_no_line() {
        assert_eq!(lines("a\n").count(), 1);
        assert_eq!(lines("").count(), 0);
        assert_eq!(lines("\n").count(), 1);
    }
}
