//! `manual_ls`: which manuals and files there are, and what the search does not see.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::super::{Manuals, Moment};
use super::{LIST_PAGE, NextAction};
use crate::answer::next_offset;
use crate::{Refusal, Result};

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LsRequest {
    /// Lists the files of one manual.
    pub manual_id: Option<String>,
    pub kind: Option<LsKind>,
    pub offset: usize,
    pub limit: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LsKind {
    Manuals,
    Files,
    /// Files that cannot be searched, with the reason.
    Skipped,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LsAnswer {
    pub kind: LsKind,
    pub total: usize,
    pub items: Vec<LsItem>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
    pub next_actions: Vec<NextAction>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LsItem {
    /// A manual, or a place as other calls take it.
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sections: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl Manuals {
    /// Lists manuals, the files of one, or what was skipped.
    pub fn ls(&self, request: &LsRequest, _: &Moment<'_>) -> Result<LsAnswer> {
        let snapshot = self.fresh()?;
        if let Some(id) = &request.manual_id {
            self.check_manual(&snapshot, id)?;
        }
        let default = if request.manual_id.is_some() { LsKind::Files } else { LsKind::Manuals };
        let kind = request.kind.unwrap_or(default);
        let wanted = |manual: &str| request.manual_id.as_ref().is_none_or(|it| it == manual);
        let all: Vec<LsItem> = match kind {
            LsKind::Manuals => {
                let of = |manual: &String| {
                    let files = snapshot.files.iter().filter(|it| it.manual == *manual);
                    let (mut count, mut sections) = (0, 0);
                    files.for_each(|it| {
                        count += 1;
                        sections += it.nodes.len();
                    });
                    LsItem {
                        files: Some(count),
                        sections: Some(sections),
                        ..LsItem::named(manual.clone())
                    }
                };
                snapshot.manuals.iter().filter(|it| wanted(it)).map(of).collect()
            }
            LsKind::Files => {
                let files = snapshot.files.iter().filter(|it| wanted(&it.manual));
                files
                    .map(|it| LsItem {
                        sections: Some(it.nodes.len()),
                        lines: Some(it.text.line_count()),
                        ..LsItem::named(format!("{}/{}", it.manual, it.path))
                    })
                    .collect()
            }
            LsKind::Skipped => {
                let of = |path: &str| path.split('/').next().is_some_and(wanted);
                let skipped = snapshot.skipped.iter().filter(|it| of(&it.path));
                skipped
                    .map(|it| LsItem {
                        reason: Some(it.reason.clone()),
                        ..LsItem::named(it.path.clone())
                    })
                    .collect()
            }
        };
        let limit = request.limit.unwrap_or(LIST_PAGE).min(LIST_PAGE);
        if limit == 0 {
            return Err(Refusal::InvalidParameter.because("limit must be at least 1"));
        }
        let total = all.len();
        let items: Vec<LsItem> = all.into_iter().skip(request.offset).take(limit).collect();
        let next_offset = next_offset(request.offset, items.len(), total);
        let next_actions = next_actions(request, kind, &items, next_offset);
        Ok(LsAnswer { kind, total, next_offset, items, next_actions })
    }
}

/// Opens the first entry, then the next page.
fn next_actions(
    request: &LsRequest,
    kind: LsKind,
    items: &[LsItem],
    next_offset: Option<usize>,
) -> Vec<NextAction> {
    let open = |item: &LsItem| match kind {
        LsKind::Manuals => Some(NextAction::new("manual_toc", json!({ "manual_id": item.name }))),
        LsKind::Files => {
            let (manual_id, path) = item.name.split_once('/')?;
            Some(NextAction::new("manual_toc", json!({ "manual_id": manual_id, "path": path })))
        }
        LsKind::Skipped => None,
    };
    let mut actions: Vec<NextAction> = items.first().and_then(open).into_iter().collect();
    if let Some(offset) = next_offset {
        let mut params = json!({ "kind": kind, "offset": offset });
        if let Some(id) = &request.manual_id {
            params["manual_id"] = id.as_str().into();
        }
        actions.push(NextAction::new("manual_ls", params));
    }
    actions
}

impl LsItem {
    const fn named(name: String) -> Self {
        Self { name, files: None, sections: None, lines: None, reason: None }
    }
}
