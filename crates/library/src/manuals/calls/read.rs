//! `manual_read`: the text of a section with everything under it, of several sections, or of a file.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::super::{Manuals, Moment, SectionRef};
use super::NextAction;
use crate::answer::within;
use crate::nodes::Node;
use crate::reading::{Excerpt, Position};
use crate::sections::line_count;
use crate::spans::Span;
use crate::{Refusal, Result};

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReadRequest {
    #[serde(rename = "ref")]
    pub place: Option<SectionRef>,
    /// Several places, for `scope: "sections"`.
    pub refs: Vec<SectionRef>,
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
    pub left_out: Vec<SectionRef>,
    pub next_actions: Vec<NextAction>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReadPart {
    #[serde(rename = "ref")]
    pub place: SectionRef,
    pub title: String,
    pub start_line: u32,
    pub end_line: u32,
    pub text: String,
    /// Whether there is more text, for `manual_scan`.
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
        let (chars, max_chars) = (self.settings.read_chars, self.settings.max_read_chars);
        let mut left = within("max_chars", request.max_chars, chars, max_chars)?;
        let snapshot = self.fresh()?;
        let (mut parts, mut left_out, mut read_on) = (Vec::new(), Vec::new(), None);
        for place in &places {
            let file = self.file(&snapshot, place)?;
            let line = place.line.filter(|_| scope != ReadScope::File);
            let missing = || Refusal::NotFound.because(format!("no section {place}"));
            let node = line.map(|line| file.node_starting(line).ok_or_else(missing)).transpose()?;
            if left == 0 {
                left_out.push(place.clone());
                continue;
            }
            let text = self.text_of(&file.manual, &file.path)?;
            let node = node.map(|node| &file.nodes[node]);
            let span = node.map_or_else(|| Span::new(1, line_count(&text)), Node::span);
            let titled = node.or_else(|| file.title_node().map(|node| &file.nodes[node]));
            let excerpt = Excerpt::of(&text, Position::line(span.start_line), span.end_line, left);
            left -= excerpt.chars;
            if let (Some(next), None) = (excerpt.next, &read_on) {
                let file = SectionRef { line: None, ..place.clone() };
                let params = json!({ "ref": file, "start_line": next.start_line });
                read_on = Some(NextAction::new("manual_scan", params));
            }
            parts.push(ReadPart {
                place: place.clone(),
                title: titled.map_or_else(String::new, |node| node.title.clone()),
                start_line: span.start_line,
                end_line: excerpt.end_line,
                text: excerpt.text,
                truncated: excerpt.next.is_some(),
            });
        }
        if let Some(trace_id) = &request.trace_id {
            self.note_use(trace_id, &places, moment)?;
        }
        let mut next_actions: Vec<NextAction> = read_on.into_iter().collect();
        if !left_out.is_empty() {
            let mut params = json!({ "refs": left_out, "scope": "sections" });
            if let Some(trace_id) = &request.trace_id {
                params["trace_id"] = trace_id.as_str().into();
            }
            next_actions.push(NextAction::new("manual_read", params));
        }
        Ok(ReadAnswer { parts, left_out, next_actions })
    }
}

/// The scope and the places, which must fit each other.
fn wanted(request: &ReadRequest) -> Result<(ReadScope, Vec<SectionRef>)> {
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
