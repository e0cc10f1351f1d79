//! `vault_scan`: reads on, step by step, through what a find left open or through one file.

use serde::{Deserialize, Serialize};

use super::{Vault, hash_of};
use crate::paths::SafePath;
use crate::reading::{Excerpt, Position};
use crate::sections::line_count;
use crate::spans::Span;
use crate::{Refusal, Result};

/// What `vault_scan` is asked: a find, or a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ScanRequest {
    /// Reads the gaps of this find.
    pub trace_id: Option<String>,
    /// Reads this file; of a find, only its gaps in this file.
    pub path: Option<String>,
    /// As the step before gave it.
    pub cursor: Option<String>,
    pub max_chars: Option<usize>,
}

/// One step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ScanAnswer {
    pub parts: Vec<ScannedPart>,
    /// Ranges that are still to come, the one that was cut among them.
    pub ranges_left: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
    /// Files that have changed since the find, or have gone: their lines may be others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<SafePath>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ScannedPart {
    pub path: SafePath,
    #[serde(flatten)]
    pub span: Span,
    pub text: String,
}

/// Which range comes next, and from where.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Cursor {
    range: usize,
    from: Position,
}

struct Range {
    path: SafePath,
    span: Span,
    hash: Option<String>,
    of_find: bool,
}

impl Vault {
    /// Reads one step.
    pub fn scan(&self, request: &ScanRequest) -> Result<ScanAnswer> {
        let most = self.read_chars(request.max_chars)?;
        let ranges = self.ranges(request)?;
        let mut cursor = request.cursor.as_deref().map_or(Ok(Cursor::default()), Cursor::read)?;
        let mut answer = ScanAnswer {
            parts: Vec::new(),
            ranges_left: 0,
            next_cursor: None,
            changed: Vec::new(),
        };
        let (mut left, mut read) = (most, Vec::new());
        while let Some(range) = ranges.get(cursor.range).filter(|_| left > 0) {
            let Some((path, text)) = self.scanned_file(range, &mut answer)? else {
                cursor = Cursor { range: cursor.range + 1, ..Cursor::default() };
                continue;
            };
            let from = Position {
                start_line: range.span.start_line.max(cursor.from.start_line),
                start_char: cursor.from.start_char,
            };
            let end = range.span.end_line.min(line_count(&text));
            let part = Excerpt::of(&text, from, end, left);
            read.extend(part.whole_lines(from).map(|it| (path.clone(), it)));
            left -= part.chars;
            if part.chars > 0 {
                let span = Span::new(from.start_line, part.end_line);
                answer.parts.push(ScannedPart { path, span, text: part.text });
            }
            if let Some(next) = part.next {
                cursor.from = next;
                break;
            }
            cursor = Cursor { range: cursor.range + 1, ..Cursor::default() };
        }
        if let Some(trace) = &request.trace_id {
            self.note_returned(trace, &read)?;
        }
        answer.ranges_left = ranges.len().saturating_sub(cursor.range);
        answer.next_cursor = (answer.ranges_left > 0).then(|| cursor.shown());
        Ok(answer)
    }

    /// The file of a range, marked if it is another one than the find saw; of a find, one that has gone is no error.
    fn scanned_file(
        &self,
        range: &Range,
        answer: &mut ScanAnswer,
    ) -> Result<Option<(SafePath, String)>> {
        let found = match self.load(&range.path) {
            Err(error) if error.refusal() == Some(Refusal::NotFound) && range.of_find => None,
            found => Some(found?),
        };
        let text = found.as_ref().map(|it| it.1.as_str());
        let same = range.hash.as_ref().is_none_or(|hash| text.map(hash_of).as_ref() == Some(hash));
        let known = same && found.is_some() || answer.changed.contains(&range.path);
        if !known {
            answer.changed.push(range.path.clone());
        }
        Ok(found)
    }

    fn ranges(&self, request: &ScanRequest) -> Result<Vec<Range>> {
        let asked = request.path.as_deref().map(SafePath::file).transpose()?;
        let Some(id) = &request.trace_id else {
            let path = asked.ok_or_else(|| {
                Refusal::InvalidParameter.because("name a trace_id or a path to scan")
            })?;
            return Ok(vec![Range {
                path,
                span: Span::new(1, u32::MAX),
                hash: None,
                of_find: false,
            }]);
        };
        let mut ranges = Vec::new();
        for file in self.trace(id)?.files {
            let path = SafePath::file(&file.path)?;
            if asked.as_ref().is_none_or(|it| *it == path) {
                ranges.extend(file.gaps.iter().map(|span| Range {
                    path: path.clone(),
                    span: *span,
                    hash: file.hash.clone(),
                    of_find: true,
                }));
            }
        }
        Ok(ranges)
    }
}

impl Cursor {
    fn shown(self) -> String {
        format!("{}:{}", self.range, self.from)
    }

    fn read(text: &str) -> Result<Self> {
        let parsed = || {
            let (range, position) = text.split_once(':')?;
            Some(Self { range: range.parse().ok()?, from: Position::parse(position)? })
        };
        let refused =
            || Refusal::InvalidParameter.because(format!("{text} is no cursor of a scan"));
        parsed().ok_or_else(refused)
    }
}
