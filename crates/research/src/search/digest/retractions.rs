//! Retractions and corrections: what a notice says about claims that rest on what it withdraws.
//!
//! A notice may be read before or after the work it is about, so all notices of the task are held against all its
//! pages each time. A retraction becomes a refuting edge from the notice's own words; a correction is noted in the life
//! of the claims and changes no number.

use std::collections::BTreeSet;

use evidence::{ClaimId, FragmentId, FragmentType, Node, PageId, Stance};
use graph::{Cause, FragmentPlace, NewEdge, NewFragment, StudyPage, Writer};
use judge::{NoticeKind, notice};
use serde_json::{Value, json};

use crate::engine::Inner;
use crate::search::Context;

use super::Digest;
use super::passages::Cycle;

/// What judgements from notices are stored under.
const RETRACTION: &str = "retraction";
/// The event that keeps a notice.
const NOTICE_FOUND: &str = "notice_found";

impl Inner {
    /// Records what notices say; gives the claims that were touched.
    pub(super) fn record_retractions(
        &self,
        w: &Writer<'_>,
        context: &Context,
        digest: &Digest,
    ) -> graph::Result<BTreeSet<ClaimId>> {
        for page in &digest.cycle.order {
            if !digest.cycle.dangerous.contains(page) {
                note_notice(w, context, &digest.cycle, &digest.cycle.pages[page])?;
            }
        }
        let mut touched = BTreeSet::new();
        let pages = w.read_pages_of(context.task.id)?;
        for event in w.events_of_kind(context.task.id, NOTICE_FOUND)? {
            for page in pages.iter().filter(|it| is_about(w, &event.detail, it)) {
                let source = event.detail["fragment"].as_str().and_then(|it| it.parse().ok());
                let by = event.detail["page"].as_str().and_then(|it| it.parse().ok());
                let retracts = event.detail["kind"] == "retracted";
                touched.extend(self.withdraw(w, context, page.id, source, by, retracts)?);
            }
        }
        for page in &pages {
            if let Some(work) = page.work_id
                && w.is_retracted(work)?
                && !w.claims_from(context.task.id, page.id)?.is_empty()
            {
                let source = index_says(w, page)?;
                touched.extend(self.withdraw(
                    w,
                    context,
                    page.id,
                    Some(source),
                    Some(page.id),
                    true,
                )?);
            }
        }
        Ok(touched)
    }

    fn withdraw(
        &self,
        w: &Writer<'_>,
        context: &Context,
        page: PageId,
        source: Option<FragmentId>,
        notice: Option<PageId>,
        retracts: bool,
    ) -> graph::Result<Vec<ClaimId>> {
        let claims = w.claims_from(context.task.id, page)?;
        let Some(source) = source else { return Ok(Vec::new()) };
        for claim in &claims {
            if !retracts {
                w.note_claim_event(*claim, "corrected", None, notice, None)?;
                continue;
            }
            let edge = w.add_edge(&NewEdge::Stance {
                source: Node::Fragment(source),
                target: *claim,
                stance: Stance::Refutes,
                confidence: self.parts.settings.search.retraction_confidence,
                model: RETRACTION.to_owned(),
            })?;
            w.note_claim_event(*claim, "retracted", None, notice, Some(edge))?;
        }
        Ok(claims)
    }
}

/// Notes that a page is a notice, and about what.
fn note_notice(
    w: &Writer<'_>,
    context: &Context,
    cycle: &Cycle,
    page: &StudyPage,
) -> graph::Result<()> {
    let passages: Vec<_> = cycle.passages.iter().filter(|it| it.page_id == page.id).collect();
    let mut text = String::new();
    let mut starts = Vec::new();
    for passage in &passages {
        starts.push(text.chars().count());
        text += &passage.text;
        text.push('\n');
    }
    let Some(found) = notice(page.title.as_deref(), &text) else { return Ok(()) };
    let kind = match found.kind {
        NoticeKind::Retraction => "retracted",
        NoticeKind::Correction => "corrected",
        NoticeKind::Concern => return Ok(()),
    };
    let said_in = starts.iter().rposition(|it| *it <= found.chars.start).unwrap_or(0);
    let Some(fragment) = passages.get(said_in) else { return Ok(()) };
    let known = w.events_of_kind(context.task.id, NOTICE_FOUND)?;
    if known.iter().any(|it| it.detail["page"] == page.id.to_string()) {
        return Ok(());
    }
    let event = Cause::new(NOTICE_FOUND)
        .in_task(context.task.id)
        .about("page", page.id)
        .after(w.cause()?)
        .with(json!({
            "page": page.id.to_string(), "fragment": fragment.id.to_string(), "kind": kind,
            "title": found.title, "dois": found.dois, "of_itself": found.of_itself,
        }));
    w.record_event(event)?;
    Ok(())
}

/// Whether a notice is about a page: it is the page itself, or names its DOI or its title.
fn is_about(w: &Writer<'_>, notice: &Value, page: &StudyPage) -> bool {
    let own = notice["page"] == page.id.to_string();
    if own || notice["of_itself"] == true {
        return own && notice["of_itself"] == true;
    }
    let names = page.work_id.and_then(|it| w.identifiers_of(it).ok()).unwrap_or_default();
    let dois = notice["dois"].as_array().cloned().unwrap_or_default();
    let by_doi = names.iter().any(|name| {
        name.scheme == "doi" && dois.iter().any(|it| it.as_str() == Some(name.value.as_str()))
    });
    let plain = |text: &str| -> String {
        text.chars().filter(|it| it.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let title = notice["title"].as_str().map(plain).filter(|it| it.chars().count() >= LEAST_TITLE);
    by_doi || title.is_some_and(|it| page.title.as_deref().map(plain) == Some(it))
}

/// A shorter title names many works.
const LEAST_TITLE: usize = 12;

/// What an academic index says about a work, as a passage that can be pointed at.
fn index_says(w: &Writer<'_>, page: &StudyPage) -> graph::Result<FragmentId> {
    w.record_placed_fragment(
        &NewFragment {
            page_id: page.id,
            fragment_type: FragmentType::Table,
            text: "Record of the academic index: this work is marked as retracted.".to_owned(),
            heading_context: page.title.clone(),
            element_index: None,
            chars: None,
            language: Some("en".to_owned()),
        },
        &FragmentPlace { headings: page.title.clone().into_iter().collect(), deep_link: None },
    )
}
