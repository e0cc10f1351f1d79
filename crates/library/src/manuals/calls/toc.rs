//! `manual_toc`: the headings of a manual or of one file.

use serde::{Deserialize, Serialize};

use super::super::section_ref::check_path;
use super::super::{Manuals, Moment, SectionRef};
use super::{LIST_PAGE, NextAction};
use crate::answer::next_offset;
use crate::{Refusal, Result};

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TocRequest {
    pub manual_id: String,
    /// One file of the manual.
    pub path: Option<String>,
    /// The deepest level of headings that is listed, 1 to 6.
    pub depth: Option<u8>,
    pub offset: usize,
    pub limit: Option<usize>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TocAnswer {
    pub total: usize,
    pub items: Vec<TocItem>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
    pub next_actions: Vec<NextAction>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TocItem {
    #[serde(rename = "ref")]
    pub place: SectionRef,
    pub level: u8,
    pub title: String,
    pub end_line: u32,
}

/// Longer titles are cut: a table of contents is for finding the way.
const TITLE_CHARS: usize = 80;

impl Manuals {
    /// Lists headings with the places that `manual_read` takes.
    pub fn toc(&self, request: &TocRequest, _: &Moment<'_>) -> Result<TocAnswer> {
        let snapshot = self.fresh()?;
        self.check_manual(&snapshot, &request.manual_id)?;
        if let Some(path) = &request.path {
            check_path(path)?;
            if snapshot.file(&request.manual_id, path).is_none() {
                return Err(
                    Refusal::NotFound.because(format!("no file {}/{path}", request.manual_id))
                );
            }
        }
        let depth = request.depth.unwrap_or(6);
        if !(1..=6).contains(&depth) {
            return Err(Refusal::InvalidParameter.because("depth must be 1 to 6"));
        }
        let limit = request.limit.unwrap_or(LIST_PAGE).min(LIST_PAGE);
        if limit == 0 {
            return Err(Refusal::InvalidParameter.because("limit must be at least 1"));
        }
        let mut items = Vec::new();
        let mut total = 0;
        let files = snapshot.files.iter().filter(|it| it.manual == request.manual_id);
        for file in files.filter(|it| request.path.as_ref().is_none_or(|path| it.path == *path)) {
            for (at, node) in file.nodes.iter().enumerate().filter(|(_, it)| it.level <= depth) {
                total += 1;
                if total > request.offset && items.len() < limit {
                    items.push(TocItem {
                        place: file.place(at),
                        level: node.level,
                        title: node.title.chars().take(TITLE_CHARS).collect(),
                        end_line: node.lines.end - 1,
                    });
                }
            }
        }
        let next_offset = next_offset(request.offset, items.len(), total);
        let mut next_actions: Vec<NextAction> =
            items.first().map(|it| NextAction::read(&it.place, None)).into_iter().collect();
        if let Some(offset) = next_offset {
            let mut params =
                serde_json::json!({ "manual_id": request.manual_id, "offset": offset });
            if let Some(path) = &request.path {
                params["path"] = path.as_str().into();
            }
            if let Some(depth) = request.depth {
                params["depth"] = depth.into();
            }
            next_actions.push(NextAction::new("manual_toc", params));
        }
        Ok(TocAnswer { total, next_offset, items, next_actions })
    }
}
