//! `manual_scan`: a file from beginning to end, in steps that fit.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::super::{Manuals, Moment, SectionRef};
use super::NextAction;
use crate::answer::within;
use crate::reading::{Excerpt, Position};
use crate::sections::line_count;
use crate::{Refusal, Result};

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScanRequest {
    /// A file; a section's line is where the scan begins.
    #[serde(rename = "ref")]
    pub place: SectionRef,
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
    pub place: SectionRef,
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
        let (chars, max_chars) = (self.settings.scan_chars, self.settings.max_read_chars);
        let room = within("max_chars", request.max_chars, chars, max_chars)?;
        let snapshot = self.fresh()?;
        let file = self.file(&snapshot, &request.place)?;
        let text = self.text_of(&file.manual, &file.path)?;
        let stamp = file.stamp.short();
        let total = line_count(&text);
        let from = match &request.cursor {
            Some(cursor) => read_cursor(cursor, stamp, total)?,
            None => Position::line(request.start_line.or(request.place.line).unwrap_or(1).max(1)),
        };
        let step = Excerpt::of(&text, from, total, room);
        let cursor = step.next.map(|next| format!("{next}-{stamp:016x}"));
        let place = SectionRef { line: None, ..request.place.clone() };
        let next_action =
            |cursor| NextAction::new("manual_scan", json!({ "ref": place, "cursor": cursor }));
        Ok(ScanAnswer {
            next_actions: cursor.iter().map(next_action).collect(),
            start_line: from.start_line.min(total.max(1)),
            end_line: step.end_line.clamp(1, total.max(1)),
            text: step.text,
            cursor,
            place,
        })
    }
}

fn read_cursor(cursor: &str, stamp: u64, total: u32) -> Result<Position> {
    let parsed = || {
        let (position, of) = cursor.split_once('-')?;
        Some((Position::parse(position)?, u64::from_str_radix(of, 16).ok()?))
    };
    match parsed() {
        Some((_, of)) if of != stamp => {
            Err(Refusal::Conflict.because("the file has changed since: scan it from the beginning"))
        }
        Some((position, _)) if (1..=total).contains(&position.start_line) => Ok(position),
        _ => Err(Refusal::InvalidParameter.because(format!("no cursor of this file: {cursor}"))),
    }
}
