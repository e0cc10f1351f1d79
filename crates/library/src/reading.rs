//! Lines of a file as an answer returns them: as many as fit, and where to read on.

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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    pub start_line: u32,
    pub start_char: usize,
}

impl Position {
    pub(crate) const fn line(start_line: u32) -> Self {
        Self { start_line, start_char: 0 }
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
