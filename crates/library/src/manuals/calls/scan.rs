//! `manual_scan`: a file from beginning to end, in steps that fit.

use serde::{Deserialize, Serialize};

use super::super::{Manuals, Moment, Place, ReadScope};
use super::NextAction;
use crate::{LibraryError, Refusal, Result};

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScanRequest {
    /// A file; a section's line is where the scan begins.
    #[serde(rename = "ref")]
    pub place: Place,
    /// From the answer before.
    #[serde(default)]
    pub cursor: Option<String>,
    /// Where to begin without a cursor.
    #[serde(default)]
    pub start_line: Option<u32>,
    #[serde(default)]
    pub max_chars: Option<usize>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ScanAnswer {
    #[serde(rename = "ref")]
    pub place: Place,
    pub start_line: u32,
    pub end_line: u32,
    pub text: String,
    /// Where to go on; absent at the end of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    pub next_actions: Vec<NextAction>,
}

impl Manuals {
    /// Returns the next step of a file. Steps end at lines where they can.
    pub fn scan(&self, request: &ScanRequest, _: &Moment<'_>) -> Result<ScanAnswer> {
        let room = request.max_chars.unwrap_or(self.settings.scan_chars);
        if room == 0 || room > self.settings.max_read_chars {
            let most = self.settings.max_read_chars;
            return Err(Refusal::InvalidParameter.because(format!("max_chars must be 1 to {most}")));
        }
        let snapshot = self.fresh()?;
        let file = Place { line: None, ..request.place.clone() };
        let whole = self.section(&snapshot, &file, ReadScope::File)?;
        let begin = match &request.cursor {
            Some(cursor) => read_cursor(cursor, whole.stamp)?,
            None => {
                let line = request.start_line.or(request.place.line).unwrap_or(1).max(1);
                crate::normal_form::lines(&whole.text)
                    .nth(line as usize - 1)
                    .map_or(whole.text.len(), |it| it.bytes.start)
            }
        };
        let rest = whole.text.get(begin..).ok_or_else(|| bad_cursor(request.cursor.as_deref()))?;
        let step = step(rest, room);
        let end = begin + step.len();
        let line_of = |byte: usize| {
            u32::try_from(crate::normal_form::lines(&whole.text[..byte]).count())
                .unwrap_or(u32::MAX)
                .max(1)
        };
        let starts_line = begin == 0 || whole.text[..begin].ends_with(['\n', '\r']);
        let start_line = line_of(begin) + u32::from(begin > 0 && starts_line);
        let cursor = (end < whole.text.len()).then(|| format!("{end}-{:016x}", whole.stamp));
        let next_actions = cursor.iter().map(|it| {
            NextAction::new("manual_scan", serde_json::json!({ "ref": file, "cursor": it }))
        });
        Ok(ScanAnswer {
            next_actions: next_actions.collect(),
            start_line: start_line.min(line_of(end).max(1)),
            end_line: line_of(end),
            text: step.to_owned(),
            cursor,
            place: file.clone(),
        })
    }
}

/// As many whole lines as fit, or a part of the first where not even that fits.
fn step(text: &str, room: usize) -> &str {
    let Some((end, _)) = text.char_indices().nth(room) else { return text };
    let lines = text[..end].rfind('\n').map_or(end, |it| it + 1);
    &text[..lines]
}

fn read_cursor(cursor: &str, stamp: u64) -> Result<usize> {
    let (at, of) = cursor.split_once('-').ok_or_else(|| bad_cursor(Some(cursor)))?;
    let of = u64::from_str_radix(of, 16).map_err(|_| bad_cursor(Some(cursor)))?;
    if of != stamp {
        return Err(
            Refusal::Conflict.because("the file has changed since: scan it from the beginning")
        );
    }
    at.parse().map_err(|_| bad_cursor(Some(cursor)))
}

fn bad_cursor(cursor: Option<&str>) -> LibraryError {
    Refusal::InvalidParameter
        .because(format!("no cursor of this file: {}", cursor.unwrap_or_default()))
}
