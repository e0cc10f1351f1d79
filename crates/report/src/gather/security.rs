//! Pages whose text speaks to machines, and whether anything rests on those places.

use std::collections::BTreeSet;

use evidence::{ClaimId, Relation};
use graph::{EvidenceMaterial, PageMaterial, TaskMaterials};
use serde_json::Value;

use super::countable;
use super::pages::Pages;
use crate::report::FlaggedPage;

/// A place that speaks to machines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FlaggedSpan {
    pub(super) rule: String,
    pub(super) hidden: bool,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// The places of a page, as far as they can be read.
pub(super) fn flags(page: &PageMaterial) -> Vec<FlaggedSpan> {
    let list = page.flags.as_ref().and_then(Value::as_array).map(Vec::as_slice);
    let number = |flag: &Value, name: &str| flag.get(name)?.as_u64()?.try_into().ok();
    let spans = list.unwrap_or_default().iter().map(|flag| FlaggedSpan {
        rule: flag.get("name").and_then(Value::as_str).unwrap_or("unknown").to_owned(),
        hidden: flag.get("hidden").and_then(Value::as_bool).unwrap_or_default(),
        start: number(flag, "char_start").unwrap_or(0),
        // A place without an end reaches to the end of the page: better too much than too little.
        end: number(flag, "char_end").unwrap_or(usize::MAX),
    });
    spans.collect()
}

/// The flagged pages a task met, with the judgements on claims that count which rest on them.
pub(super) fn flagged_pages(materials: &TaskMaterials, pages: &Pages<'_>) -> Vec<FlaggedPage> {
    let counted: BTreeSet<ClaimId> = countable(materials).map(|it| it.id).collect();
    let weighs = |judgement: &&EvidenceMaterial| {
        counted.contains(&judgement.claim_id)
            && judgement.uncounted.is_none()
            && matches!(judgement.relation, Relation::Supports | Relation::Refutes)
    };
    let met = materials.pages.iter().filter(|it| it.met && pages.get(it.id).is_some());
    let flagged = met.filter_map(|page| {
        let spans = flags(page);
        if spans.is_empty() {
            return None;
        }
        let judgements =
            || materials.evidence.iter().filter(|it| it.page_id == Some(page.id)).filter(weighs);
        let influenced = judgements().filter(|it| touches(it, &spans)).count();
        let rules: BTreeSet<&str> = spans.iter().map(|it| it.rule.as_str()).collect();
        let hidden = spans.iter().filter(|it| it.hidden).count();
        Some(FlaggedPage {
            page_id: page.id,
            url: page.url.clone(),
            title: page.title.clone(),
            rules: rules.into_iter().map(str::to_owned).collect(),
            visible_places: (spans.len() - hidden) as u32,
            hidden_places: hidden as u32,
            other_judgements: (judgements().count() - influenced) as u32,
            influenced_judgements: influenced as u32,
        })
    });
    flagged.collect()
}

/// Whether a passage holds one of the places that readers see. Hidden text is no part of any passage; a
/// passage whose place is unknown is taken to hold them.
fn touches(judgement: &EvidenceMaterial, spans: &[FlaggedSpan]) -> bool {
    let mut visible = spans.iter().filter(|it| !it.hidden);
    match judgement.chars {
        Some((start, end)) => visible.any(|it| it.start < end && start < it.end),
        None => visible.next().is_some(),
    }
}
