//! Lines of a file as an answer returns them: as many as fit, and where to read on.

use std::fmt;
use std::fs::File;
use std::io::Read as _;

use serde::{Deserialize, Serialize};

use crate::sections::LineStarts;
use crate::spans::Span;
use crate::{LibraryError, Refusal, Result};

/// Reads a file of at most `most` bytes of UTF-8.
pub(crate) fn read_text(file: File, path: &str, most: u64) -> Result<String> {
    let refused = |problem: String| Refusal::InvalidParameter.because(format!("{path} {problem}"));
    let mut bytes = Vec::new();
    file.take(most.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(|source| LibraryError::Io { doing: "read", path: path.to_owned(), source })?;
    if bytes.len() as u64 > most {
        return Err(refused(format!("has more than {most} bytes")));
    }
    String::from_utf8(bytes).map_err(|_| refused("is not UTF-8 text".to_owned()))
}

/// A line, and characters of it that were read already.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    pub start_line: u32,
    pub start_char: usize,
}

impl Position {
    pub(crate) const fn line(start_line: u32) -> Self {
        Self { start_line, start_char: 0 }
    }

    /// Reads what [`Display`](fmt::Display) wrote, as cursors hold it.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (line, char) = text.split_once(':')?;
        Some(Self { start_line: line.parse().ok()?, start_char: char.parse().ok()? })
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.start_line, self.start_char)
    }
}

/// As much of some lines as fits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Excerpt {
    pub(crate) text: String,
    pub(crate) chars: usize,
    /// The last line of which something is there.
    pub(crate) end_line: u32,
    /// Where to read on; none at the end of the lines.
    pub(crate) next: Option<Position>,
}

impl Excerpt {
    /// Takes whole lines while they fit; only a line that is longer than an excerpt is cut.
    pub(crate) fn of(text: &str, from: Position, end_line: u32, most: usize) -> Self {
        let mut excerpt = Self {
            text: String::new(),
            chars: 0,
            end_line: from.start_line.saturating_sub(1),
            next: None,
        };
        let starts = LineStarts::of(text);
        for line in from.start_line..=end_line {
            let skip = if line == from.start_line { from.start_char } else { 0 };
            let line_text = &text[starts.bytes(Span::new(line, line))];
            let rest = line_text.char_indices().nth(skip).map_or("", |(at, _)| &line_text[at..]);
            let chars = rest.chars().count();
            let room = most - excerpt.chars;
            if chars > room && (chars <= most || room == 0) && !excerpt.text.is_empty() {
                excerpt.next = Some(Position::line(line));
                break;
            }
            excerpt.text.extend(rest.chars().take(room));
            excerpt.chars += chars.min(room);
            excerpt.end_line = line;
            if chars > room {
                excerpt.next = Some(Position { start_line: line, start_char: skip + room });
                break;
            }
        }
        excerpt
    }

    /// The lines that have been read to their end.
    pub(crate) fn whole_lines(&self, from: Position) -> Option<Span> {
        let end = match self.next {
            Some(next) => next.start_line.checked_sub(1)?,
            None => self.end_line,
        };
        (from.start_line <= end).then_some(Span::new(from.start_line, end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_whole_unless_one_is_longer_than_an_excerpt() {
        let text = "ab\ncd\nlong line\nef\n";
        let (mut from, mut parts) = (Position::line(1), Vec::new());
        loop {
            let excerpt = Excerpt::of(text, from, 4, 5);
            parts.push((excerpt.text.clone(), excerpt.whole_lines(from)));
            match excerpt.next {
                Some(next) => from = Position::parse(&next.to_string()).unwrap(),
                None => break,
            }
        }
        let whole = |start, end| Some(Span::new(start, end));
        let expected = [
            ("ab\n", whole(1, 1)),
            ("cd\nlo", whole(2, 2)),
            ("ng li", None),
            ("ne\n", whole(3, 3)),
            ("ef\n", whole(4, 4)),
        ];
        assert_eq!(parts, expected.map(|(text, lines)| (text.to_owned(), lines)));
        assert_eq!(Excerpt::of(text, Position::line(9), 4, 5).text, "");
    }
}
