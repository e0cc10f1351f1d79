//! `vault_read`: the text of a file, as much as fits.

use serde::{Deserialize, Serialize};

use super::{Vault, hash_of};
use crate::paths::SafePath;
use crate::reading::{Excerpt, Position};
use crate::sections::{SectionName, find_section, line_count};
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

impl Vault {
    /// Reads lines or a section of a file.
    pub fn read(&self, request: &ReadRequest) -> Result<ReadAnswer> {
        let path = SafePath::file(&request.path)?;
        let most = self.read_chars(request.max_chars)?;
        let (path, text) = self.load(&path)?;
        let asked = asked_lines(request, &path, &text)?;
        let from = Position { start_line: asked.start_line, start_char: request.start_char };
        let part = Excerpt::of(&text, from, asked.end_line, most);
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
            let file = root.resolve(path)?;
            let text = self.text_of(&file, path)?;
            Ok((file.path, text))
        })
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
