//! Passages that speak to a machine by their meaning, where no phrase gives them away.
//!
//! A head of `models` reads the passages that would be kept, and before a language model sees a page all of this. What it hears is a guess: the passage is left out and its place is
//! flagged, but the rest of its page is read, and no domain is blocked for it.

use std::collections::BTreeMap;

use evidence::{FragmentId, PageId, TaskId};
use graph::{PassageForAssessment, Writer};
use models::MachineTalk;
use serde_json::json;

use crate::search::records::{BY_MEANING, StoredFlag, flags_of};

use super::passages::{Cycle, RankedCycle};

/// Takes what speaks to a machine out of the passages that would be kept.
pub(super) fn leave_out_machine_talk(cycle: &mut Cycle, ranked: &mut RankedCycle) {
    let head = MachineTalk::builtin();
    ranked.useful.retain(|it| {
        let known = cycle.machine_talk.contains(&it.passage);
        let speaks = known || head.hears(&cycle.passages[it.passage].text);
        if speaks && !known {
            cycle.machine_talk.push(it.passage);
        }
        !speaks
    });
    cycle.left_out += cycle.machine_talk.len();
}

/// The passages of a page that speak to a machine, and the others, by their place in the cycle.
pub(super) fn told_apart(cycle: &Cycle, page: PageId) -> (Vec<usize>, Vec<usize>) {
    let head = MachineTalk::builtin();
    let own = (0..cycle.passages.len()).filter(|it| cycle.passages[*it].page_id == page);
    own.partition(|it| head.hears(&cycle.passages[*it].text))
}

/// Flags the places of what was left out, and logs the fact: the page and the place, never the words.
pub(super) fn record_machine_talk(
    w: &Writer<'_>,
    task: TaskId,
    cycle: &Cycle,
) -> graph::Result<()> {
    let mut heard: BTreeMap<PageId, Vec<&PassageForAssessment>> = BTreeMap::new();
    for place in &cycle.machine_talk {
        let passage = &cycle.passages[*place];
        heard.entry(passage.page_id).or_default().push(passage);
    }
    for (id, passages) in heard {
        let page = &cycle.pages[&id];
        let whole = |it: &PassageForAssessment| (0, it.text.chars().count());
        let places: Vec<(usize, usize)> =
            passages.iter().map(|it| it.chars.unwrap_or_else(|| whole(it))).collect();
        let mut flags = flags_of(page)?;
        flags.extend(places.iter().map(|it| StoredFlag::by_meaning(*it)));
        w.flag_page(id, &json!(flags))?;
        let shown = places.iter().map(|(start, end)| format!("{BY_MEANING}@page:{start}-{end}"));
        tracing::warn!(
            target: "audit",
            source = %id,
            domain = page.domain,
            patterns = shown.collect::<Vec<_>>().join(" "),
            found = places.len(),
            "a passage addresses machines"
        );
        let fragments: Vec<FragmentId> = passages.iter().map(|it| it.id).collect();
        let found = graph::Cause::new("page_dangerous")
            .in_task(task)
            .about("page", id)
            .with(json!({ "url": page.url, "patterns": [BY_MEANING], "fragments": fragments }))
            .after(w.cause()?);
        w.record_event(found)?;
    }
    Ok(())
}
