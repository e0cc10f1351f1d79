//! Retractions and corrections: what a notice says about claims that rest on what it withdraws.
//!
//! A notice may be read before or after the work it is about, so all notices of the task are held against all its
//! pages each time. A retraction becomes a refuting edge from the notice's own words; a correction is noted in the life
//! of the claims and changes no number.

use std::collections::BTreeSet;

use evidence::{ClaimId, FragmentId, FragmentType, Node, PageId, Stance};
use graph::{
    Cause, FragmentPlace, NewEdge, NewFragment, PageForAssessment, PassageForAssessment,
    WorkDetails, Writer,
};
use judge::{Notice, NoticeKind, TimelineKind, notice};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::engine::Inner;
use crate::search::Context;

use super::Digest;

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
        for notice in &digest.cycle.notices {
            note_notice(w, context, notice)?;
        }
        let mut touched = BTreeSet::new();
        let mut withdrawn = BTreeSet::new();
        let notices = notices_of(w, context)?;
        let pages = if notices.is_empty() { Vec::new() } else { w.read_pages_of(context.task.id)? };
        for notice in notices {
            for page in pages.iter().filter(|it| is_about(w, &notice, it)) {
                let retracts = notice.kind == TimelineKind::Retracted;
                if retracts {
                    withdrawn.insert(page.id);
                }
                touched.extend(self.withdraw(
                    w,
                    context,
                    page,
                    notice.fragment,
                    notice.page,
                    retracts,
                )?);
            }
        }
        // What only an index knows.
        for page in w.retracted_pages_of(context.task.id)? {
            if !withdrawn.contains(&page.id) && !w.claims_from(context.task.id, page.id)?.is_empty()
            {
                let source = index_says(w, &page)?;
                touched.extend(self.withdraw(w, context, &page, source, page.id, true)?);
            }
        }
        Ok(touched)
    }

    fn withdraw(
        &self,
        w: &Writer<'_>,
        context: &Context,
        page: &PageForAssessment,
        source: FragmentId,
        notice: PageId,
        retracts: bool,
    ) -> graph::Result<Vec<ClaimId>> {
        if let Some(work) = page.work_id.filter(|_| retracts) {
            w.describe_work(work, &WorkDetails { retracted: true, ..WorkDetails::default() })?;
        }
        let claims = w.claims_from(context.task.id, page.id)?;
        for claim in &claims {
            if !retracts {
                w.note_claim_event(
                    *claim,
                    TimelineKind::Corrected.as_str(),
                    None,
                    Some(notice),
                    None,
                )?;
                continue;
            }
            let edge = w.add_edge(&NewEdge::Stance {
                source: Node::Fragment(source),
                target: *claim,
                stance: Stance::Refutes,
                confidence: self.parts.settings.search.retraction_confidence,
                model: RETRACTION.to_owned(),
                kind: None,
                about: true,
            })?;
            let retracted = TimelineKind::Retracted.as_str();
            w.note_claim_event(*claim, retracted, None, Some(notice), Some(edge))?;
        }
        Ok(claims)
    }
}

/// A page that takes something back, and the passage that says so.
#[derive(Debug)]
pub(super) struct FoundNotice {
    page: PageId,
    fragment: FragmentId,
    notice: Notice,
}

/// Reads whether a page is a notice; gives the passages that are evidence otherwise. What a retraction says of the work
/// it withdraws speaks neither for nor against what the work says, though it repeats its title.
pub(super) fn read_notice(
    page: &PageForAssessment,
    passages: Vec<PassageForAssessment>,
) -> (Option<FoundNotice>, Vec<PassageForAssessment>) {
    let mut text = String::new();
    let mut starts = Vec::new();
    for passage in &passages {
        starts.push(text.chars().count());
        text += &passage.text;
        text.push('\n');
    }
    let Some(notice) = notice(page.title.as_deref(), &text) else { return (None, passages) };
    let said_in = starts.iter().rposition(|it| *it <= notice.chars.start).unwrap_or(0);
    let Some(fragment) = passages.get(said_in).map(|it| it.id) else { return (None, passages) };
    let is_announcement = |passage: &PassageForAssessment| {
        notice.kind == NoticeKind::Retraction
            && (!notice.of_itself || (passage.id == fragment && !notice.chars.is_empty()))
    };
    let evidence = passages.into_iter().filter(|it| !is_announcement(it)).collect();
    (Some(FoundNotice { page: page.id, fragment, notice }), evidence)
}

/// A notice as it is logged.
#[derive(Debug, Serialize, Deserialize)]
struct LoggedNotice {
    page: PageId,
    fragment: FragmentId,
    kind: TimelineKind,
    title: Option<String>,
    dois: Vec<String>,
    of_itself: bool,
}

/// The notices that were found in a task so far.
fn notices_of(w: &Writer<'_>, context: &Context) -> graph::Result<Vec<LoggedNotice>> {
    let read = |detail: Value| {
        serde_json::from_value(detail).map_err(|error| graph::Error::Invalid {
            what: "a logged notice",
            problem: format!("cannot be read: {error}"),
        })
    };
    w.events_of_kind(context.task.id, NOTICE_FOUND)?.into_iter().map(|it| read(it.detail)).collect()
}

/// Notes that a page is a notice, and about what.
fn note_notice(w: &Writer<'_>, context: &Context, found: &FoundNotice) -> graph::Result<()> {
    let FoundNotice { page, fragment, notice } = found;
    let Some(kind) = notice.kind.timeline() else { return Ok(()) };
    if notices_of(w, context)?.iter().any(|it| it.page == *page) {
        return Ok(());
    }
    let logged = LoggedNotice {
        page: *page,
        fragment: *fragment,
        kind,
        title: notice.title.clone(),
        dois: notice.dois.clone(),
        of_itself: notice.of_itself,
    };
    let event = Cause::new(NOTICE_FOUND)
        .in_task(context.task.id)
        .about("page", *page)
        .after(w.cause()?)
        .with(json!(logged));
    w.record_event(event)?;
    Ok(())
}

/// Whether a notice is about a page: it is the page itself, or names its DOI or its title.
fn is_about(w: &Writer<'_>, notice: &LoggedNotice, page: &PageForAssessment) -> bool {
    let own = notice.page == page.id;
    if notice.of_itself {
        let work = w.page_for_assessment(notice.page).ok().and_then(|it| it.work_id);
        return own || (work.is_some() && work == page.work_id);
    }
    if own {
        return false;
    }
    let names = page.work_id.and_then(|it| w.identifiers_of(it).ok()).unwrap_or_default();
    let by_doi = names.iter().any(|it| it.scheme == "doi" && notice.dois.contains(&it.value));
    let plain = |text: &str| -> String {
        text.chars().filter(|it| it.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let title = notice.title.as_deref().map(plain).filter(|it| it.chars().count() >= LEAST_TITLE);
    by_doi || title.is_some_and(|it| page.title.as_deref().map(plain) == Some(it))
}

/// A shorter title names many works.
const LEAST_TITLE: usize = 12;

/// What an academic index says about a work, as a passage that can be pointed at.
fn index_says(w: &Writer<'_>, page: &PageForAssessment) -> graph::Result<FragmentId> {
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
