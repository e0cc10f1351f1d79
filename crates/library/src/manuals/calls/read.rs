//! `manual_read`: the text of a section with everything under it, of several sections, or of a file.

use serde::{Deserialize, Serialize};

use super::super::{Manuals, Moment, Place};
use super::NextAction;
use crate::{Refusal, Result};

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReadRequest {
    #[serde(rename = "ref")]
    pub place: Option<Place>,
    /// Several places, for `scope: "sections"`.
    pub refs: Vec<Place>,
    pub scope: Option<ReadScope>,
    pub max_chars: Option<usize>,
    /// The search that led here: what is read tells how good it was.
    pub trace_id: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReadScope {
    Section,
    Sections,
    File,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReadAnswer {
    pub parts: Vec<ReadPart>,
    /// Places for which there was no room.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<Place>,
    pub next_actions: Vec<NextAction>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReadPart {
    #[serde(rename = "ref")]
    pub place: Place,
    pub title: String,
    pub start_line: u32,
    pub end_line: u32,
    pub text: String,
    /// Whether the text goes on; `manual_scan` reads on.
    pub truncated: bool,
}

impl Manuals {
    /// Returns text, never more than the limits allow.
    pub fn read(&self, request: &ReadRequest, moment: &Moment<'_>) -> Result<ReadAnswer> {
        let (scope, places) = wanted(request)?;
        if places.len() > self.settings.read_sections {
            let most = self.settings.read_sections;
            return Err(
                Refusal::InvalidParameter.because(format!("at most {most} sections at once"))
            );
        }
        let room = request.max_chars.unwrap_or(self.settings.read_chars);
        if room == 0 || room > self.settings.max_read_chars {
            let most = self.settings.max_read_chars;
            return Err(Refusal::InvalidParameter.because(format!("max_chars must be 1 to {most}")));
        }
        let snapshot = self.fresh()?;
        let (mut parts, mut left_out, mut left) = (Vec::new(), Vec::new(), room);
        for place in &places {
            let found = self.section(&snapshot, place, scope)?;
            if left == 0 {
                left_out.push(place.clone());
                continue;
            }
            let text: String = found.text.chars().take(left).collect();
            let truncated = text.len() < found.text.len();
            left -= text.chars().count();
            let lines = u32::try_from(crate::normal_form::lines(&text).count()).unwrap_or(u32::MAX);
            let end_line =
                if truncated { found.start_line + lines.saturating_sub(1) } else { found.end_line };
            parts.push(ReadPart {
                place: place.clone(),
                title: found.title,
                start_line: found.start_line,
                end_line,
                text,
                truncated,
            });
        }
        if let Some(trace_id) = &request.trace_id {
            self.note_use(trace_id, &places, moment)?;
        }
        let mut next_actions = Vec::new();
        if let Some(part) = parts.iter().find(|it| it.truncated) {
            let file = Place { line: None, ..part.place.clone() };
            let from = part.end_line;
            next_actions.push(NextAction::new(
                "manual_scan",
                serde_json::json!({ "ref": file, "start_line": from }),
            ));
        }
        if !left_out.is_empty() {
            let mut params = serde_json::json!({ "refs": left_out, "scope": "sections" });
            if let Some(trace_id) = &request.trace_id {
                params["trace_id"] = trace_id.as_str().into();
            }
            next_actions.push(NextAction::new("manual_read", params));
        }
        Ok(ReadAnswer { parts, left_out, next_actions })
    }
}

/// The scope and the places, which must fit each other.
fn wanted(request: &ReadRequest) -> Result<(ReadScope, Vec<Place>)> {
    let wrong = |text: &str| Err(Refusal::InvalidScope.because(text.to_owned()));
    let several = !request.refs.is_empty();
    let of_line = request.place.as_ref().is_some_and(|it| it.line.is_some());
    let default = match (several, of_line) {
        (true, _) => ReadScope::Sections,
        (false, true) => ReadScope::Section,
        (false, false) => ReadScope::File,
    };
    let scope = request.scope.unwrap_or(default);
    match (scope, &request.place) {
        (ReadScope::Sections, None) if several => Ok((scope, request.refs.clone())),
        (ReadScope::Sections, _) => wrong("scope sections needs refs and no ref"),
        (_, _) if several => wrong("refs needs scope sections"),
        (_, None) => Err(Refusal::InvalidParameter.because("ref is missing")),
        (ReadScope::Section, Some(place)) if place.line.is_none() => wrong(
            "scope section needs a ref with a line, such as manual/file.md#L12; JSON files are read with scope file",
        ),
        (_, Some(place)) => Ok((scope, vec![place.clone()])),
    }
}
