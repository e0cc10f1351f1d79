//! `vault_read`: the text of a file, as much as fits.

use serde::{Deserialize, Serialize};

use super::{Vault, hash_of};
use crate::paths::SafePath;
use crate::sections::{LineStarts, SectionName, find_section, line_count};
use crate::spans::Span;
use crate::{Refusal, Result};

/// What `vault_read` is asked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReadRequest {
    pub path: String,
    /// Instead of lines.
    pub section: Option<SectionName>,
    pub start_line: Option<u32>,
    pub end_line: Option<u32>,
    /// Characters of the first line that were read already.
    pub start_char: usize,
    pub max_chars: Option<usize>,
    /// The find that led here: `vault_coverage` then knows what was read.
    pub trace_id: Option<String>,
}

/// A part of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReadAnswer {
    pub path: SafePath,
    #[serde(flatten)]
    pub span: Span,
    pub total_lines: u32,
    /// Of the whole file, for a later write.
    pub hash: String,
    pub text: String,
    /// Where to go on, when not everything fitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<Position>,
}

/// A place in a file: a line, and characters of it that were read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    pub start_line: u32,
    pub start_char: usize,
}

impl Vault {
    /// Reads lines or a section of a file.
    pub fn read(&self, request: &ReadRequest) -> Result<ReadAnswer> {
        let path = self.file_path(&request.path)?;
        let most = self.read_chars(request.max_chars)?;
        let (path, text) = self.load(&path)?;
        let asked = asked_lines(request, &path, &text)?;
        let from = Position { start_line: asked.start_line, start_char: request.start_char };
        let part = part_of(&text, from, asked.end_line, most);
        if let Some(trace) = &request.trace_id {
            let read: Vec<_> =
                part.whole_lines(from).map(|it| (path.clone(), it)).into_iter().collect();
            self.note_returned(trace, &read)?;
        }
        Ok(ReadAnswer {
            span: Span::new(asked.start_line, part.end_line),
            total_lines: line_count(&text),
            hash: hash_of(&text),
            text: part.text,
            next: part.next,
            path,
        })
    }

    /// The text of a file and where it really is.
    pub(crate) fn load(&self, path: &SafePath) -> Result<(SafePath, String)> {
        self.with_root(|root| {
            let root = root.ok_or_else(|| super::not_found(path))?;
            let place = root.place(path)?;
            let text = self.text_of(&place, path)?;
            Ok((place.path, text))
        })
    }

    pub(crate) fn read_chars(&self, asked: Option<usize>) -> Result<usize> {
        let most = self.options.read_chars_most;
        match asked.unwrap_or(self.options.read_chars) {
            chars if (1..=most).contains(&chars) => Ok(chars),
            chars => Err(Refusal::InvalidParameter
                .because(format!("max_chars {chars} is not between 1 and {most}"))),
        }
    }
}

fn asked_lines(request: &ReadRequest, path: &SafePath, text: &str) -> Result<Span> {
    let total = line_count(text);
    match (&request.section, request.start_line, request.end_line) {
        (Some(_), _, Some(_)) => Err(Refusal::InvalidScope.because("either a section or lines")),
        // The rest of a section that was too long for one answer.
        (Some(section), start, None) => {
            let span = find_section(path, text, section)?;
            let start = start.unwrap_or(span.start_line);
            match (span.start_line..=span.end_line).contains(&start) {
                true => Ok(Span::new(start, span.end_line)),
                false => {
                    Err(Refusal::InvalidScope
                        .because(format!("line {start} is not in the section")))
                }
            }
        }
        (None, start, end) => {
            let span = Span::new(start.unwrap_or(1), end.unwrap_or(total).min(total));
            match span.start_line >= 1 && span.start_line <= span.end_line || total == 0 {
                true => Ok(span),
                false => Err(Refusal::InvalidScope.because(format!(
                    "{path} has lines 1 to {total}, not {} to {}",
                    span.start_line,
                    end.unwrap_or(total)
                ))),
            }
        }
    }
}

/// As much of some lines as fits.
pub(crate) struct Part {
    pub(crate) text: String,
    pub(crate) chars: usize,
    /// The last line of which something is there.
    pub(crate) end_line: u32,
    pub(crate) next: Option<Position>,
}

impl Part {
    /// The lines that have been read to their end.
    pub(crate) fn whole_lines(&self, from: Position) -> Option<Span> {
        let end = match self.next {
            Some(next) => next.start_line.checked_sub(1)?,
            None => self.end_line,
        };
        (from.start_line <= end).then_some(Span::new(from.start_line, end))
    }
}

/// Takes whole lines while they fit; only a line that alone is too long is cut.
pub(crate) fn part_of(text: &str, from: Position, end_line: u32, most: usize) -> Part {
    let mut part = Part {
        text: String::new(),
        chars: 0,
        end_line: from.start_line.saturating_sub(1),
        next: None,
    };
    let starts = LineStarts::of(text);
    for line in from.start_line..=end_line {
        let skip = if line == from.start_line { from.start_char } else { 0 };
        let rest: String = text[starts.bytes(Span::new(line, line))].chars().skip(skip).collect();
        let chars = rest.chars().count();
        if part.chars + chars <= most {
            part.text.push_str(&rest);
            part.chars += chars;
            part.end_line = line;
            continue;
        }
        let mut start_char = skip;
        if part.text.is_empty() {
            part.text.extend(rest.chars().take(most));
            part.chars = most;
            part.end_line = line;
            start_char += most;
        }
        part.next = Some(Position { start_line: line, start_char });
        break;
    }
    part
}
