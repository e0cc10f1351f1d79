//! `manual_hits`: what a search found, page by page, with short snippets.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::super::file::ManualFile;
use super::super::index::Snapshot;
use super::super::trace::{Trace, TraceCandidate, TraceConflict, TraceSide};
use super::super::{Manuals, Moment, SectionRef, Signal, Spot};
use super::NextAction;
use crate::Result;
use crate::answer::{fitting, next_offset, within};
use crate::normal_form::{lines, normalise};

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HitsRequest {
    pub trace_id: String,
    #[serde(default)]
    pub kind: HitKind,
    #[serde(default)]
    pub offset: usize,
    #[serde(default)]
    pub limit: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HitKind {
    #[default]
    Candidates,
    Unscanned,
    Conflicts,
    Gaps,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HitsAnswer {
    pub kind: HitKind,
    pub total: usize,
    pub items: Vec<HitItem>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
    pub next_actions: Vec<NextAction>,
}

/// One thing on the page; which fields it has depends on the kind.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct HitItem {
    #[serde(rename = "ref", skip_serializing_if = "Option::is_none")]
    pub place: Option<SectionRef>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_line: Option<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub signals: Vec<Signal>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hit_count: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub snippet: Option<String>,
    /// The characters of the snippet that were found, to be highlighted.
    #[serde(skip)]
    pub mark: Option<Range<usize>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<SectionRef>,
    /// The file has changed since the search.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stale: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sections: Option<usize>,
    /// The section that disagrees.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against: Option<SectionRef>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against_snippet: Option<String>,
    #[serde(skip)]
    pub against_mark: Option<Range<usize>>,
    /// What this section says, and the other, where they disagree about a value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against_value: Option<String>,
    /// The kind of conflict or gap.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub what: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// Longer titles are cut.
const TITLE_CHARS: usize = 40;
/// What an answer holds besides its items.
const FRAME_TOKENS: usize = 80;

impl Manuals {
    /// Returns one page, as long as it fits.
    pub fn hits(&self, request: &HitsRequest, moment: &Moment<'_>) -> Result<HitsAnswer> {
        let limit = within("limit", request.limit, self.settings.page, self.settings.max_page)?;
        let trace = self.traces.read(&request.trace_id, moment.now_ms, &self.settings)?;
        let snapshot = self.fresh()?;
        let total = match request.kind {
            HitKind::Candidates => trace.candidates.len(),
            HitKind::Unscanned => trace.unscanned.len(),
            HitKind::Conflicts => trace.conflicts.len(),
            HitKind::Gaps => trace.gaps.len(),
        };
        let page = request.offset..total.min(request.offset.saturating_add(limit));
        let rows = page.map(|at| self.item(&snapshot, &trace, request.kind, at));
        let items = fitting(rows, self.settings.hits_tokens.saturating_sub(FRAME_TOKENS));
        let next_offset = next_offset(request.offset, items.len(), total);
        let next_actions = next_actions(request, &trace.query, &items, next_offset);
        Ok(HitsAnswer { kind: request.kind, total, items, next_offset, next_actions })
    }

    fn item(&self, snapshot: &Snapshot, trace: &Trace, kind: HitKind, at: usize) -> HitItem {
        match kind {
            HitKind::Candidates => self.candidate(snapshot, &trace.candidates[at]),
            HitKind::Unscanned => {
                let it = &trace.unscanned[at];
                HitItem {
                    place: Some(it.place.clone()),
                    end_line: Some(it.end_line),
                    sections: Some(it.sections),
                    ..HitItem::default()
                }
            }
            HitKind::Conflicts => self.conflict(snapshot, &trace.conflicts[at]),
            HitKind::Gaps => {
                let it = &trace.gaps[at];
                HitItem {
                    what: Some(it.kind.clone()),
                    name: Some(it.name.clone()),
                    ..HitItem::default()
                }
            }
        }
    }

    /// Both sides with what they say. Without their texts where a file has changed since.
    fn conflict(&self, snapshot: &Snapshot, it: &TraceConflict) -> HitItem {
        let what = serde_json::to_value(it.kind).ok();
        let mut item = HitItem {
            place: Some(it.first.place.clone()),
            against: Some(it.second.place.clone()),
            what: what.and_then(|it| it.as_str().map(str::to_owned)),
            name: it.measure.clone(),
            stale: true,
            ..HitItem::default()
        };
        let side = |it: &TraceSide| {
            let file = snapshot.file(&it.place.manual, &it.place.path)?;
            let file = Some(&*snapshot.files[file]).filter(|at| at.stamp.short() == it.stamp)?;
            let (snippet, mark) = self.around_spot(file, &it.spot)?;
            let value: String = snippet.chars().skip(mark.start).take(mark.len()).collect();
            Some((title(file, it.start_line), snippet, mark, value))
        };
        let Some((first, second)) = side(&it.first).zip(side(&it.second)) else { return item };
        item.stale = false;
        item.title = first.0;
        (item.snippet, item.against_snippet) = (Some(first.1), Some(second.1));
        // Sentences that forbid and allow are shown whole: no part of them is the value.
        if it.measure.is_some() {
            (item.mark, item.against_mark) = (Some(first.2), Some(second.2));
            (item.value, item.against_value) = (Some(first.3), Some(second.3));
        }
        item
    }

    fn candidate(&self, snapshot: &Snapshot, it: &TraceCandidate) -> HitItem {
        let mut item = HitItem {
            place: Some(it.place.clone()),
            end_line: Some(it.end_line),
            signals: it.signals.clone(),
            hit_count: Some(it.hit_count),
            from: it.from.clone(),
            stale: true,
            ..HitItem::default()
        };
        let file = snapshot.file(&it.place.manual, &it.place.path).map(|at| &snapshot.files[at]);
        let Some(file) = file.filter(|file| file.stamp.short() == it.stamp) else { return item };
        item.stale = false;
        item.title = title(file, it.start_line);
        let (snippet, mark) = self.snippet(file, it).unzip();
        (item.snippet, item.mark) = (snippet, mark.filter(|it| !it.is_empty()));
        item
    }

    /// The text around the first place at which something was found, or the beginning of the section.
    fn snippet(&self, file: &ManualFile, it: &TraceCandidate) -> Option<(String, Range<usize>)> {
        // Words of the heading say nothing that the title does not.
        let spot =
            it.spots.iter().find(|spot| spot.line > it.start_line).or_else(|| it.spots.first());
        let beginning = Spot { line: it.start_line, column: 0, length: 0 };
        self.around_spot(file, spot.unwrap_or(&beginning))
    }

    fn around_spot(&self, file: &ManualFile, spot: &Spot) -> Option<(String, Range<usize>)> {
        let whole = self.shown_text(file).ok()?;
        let text = lines(&whole).nth((spot.line as usize).checked_sub(1)?)?.text;
        let normal = normalise(text);
        let end = spot.column.saturating_add(spot.length) as usize;
        let start = normal.origin((spot.column as usize).min(normal.text.len()));
        let end = normal.origin(end.min(normal.text.len())).max(start);
        Some(around(text, start, end, self.settings.snippet_chars))
    }
}

fn title(file: &ManualFile, line: u32) -> Option<String> {
    let node = file.node_starting(line)?;
    let title: String = file.nodes[node].title.chars().take(TITLE_CHARS).collect();
    (!title.is_empty()).then_some(title)
}

/// At most `room` characters of a line around what was found, and where that is among them.
fn around(text: &str, start: usize, end: usize, room: usize) -> (String, Range<usize>) {
    let found = text[start..end].chars().count();
    let before = text[..start].chars().count();
    let after = text[end..].chars().count();
    let side = room.saturating_sub(found) / 2;
    // What one side does not need the other may have.
    let left = before.min(side + side.saturating_sub(after));
    let cut: String = text.chars().skip(before - left).take(room).collect();
    let margin = cut.chars().take_while(|it| it.is_whitespace()).count();
    let snippet = cut.trim().to_owned();
    let first = left.saturating_sub(margin);
    let last = (first + found).min(snippet.chars().count());
    (snippet, first.min(last)..last)
}

fn next_actions(
    request: &HitsRequest,
    query: &str,
    items: &[HitItem],
    next: Option<usize>,
) -> Vec<NextAction> {
    let id = &request.trace_id;
    let mut actions = Vec::new();
    match request.kind {
        HitKind::Candidates | HitKind::Conflicts => {
            let places =
                items.iter().filter(|item| !item.stale).find_map(|item| item.place.as_ref());
            actions.extend(places.map(|it| NextAction::read(it, Some(id))));
        }
        HitKind::Unscanned if !items.is_empty() => {
            let params = json!({ "only_unscanned_from_trace_id": id });
            actions.extend(NextAction::again("manual_find", query, params));
        }
        HitKind::Gaps if !items.is_empty() => {
            let params = json!({ "breadth": "all" });
            actions.extend(NextAction::again("manual_find", query, params));
        }
        _ => {}
    }
    if let Some(offset) = next {
        let mut params = json!({ "trace_id": id, "kind": request.kind, "offset": offset });
        if let Some(limit) = request.limit {
            params["limit"] = limit.into();
        }
        actions.push(NextAction::new("manual_hits", params));
    }
    actions
}
