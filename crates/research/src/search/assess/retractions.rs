//! Retractions and corrections: what a notice says about claims that rest on what it takes back.
//!
//! A notice may be read before or after the work it is about, so all notices of the task are held against all its
//! pages each time. It becomes a refuting edge from the notice's own words: a retraction on every claim that was taken
//! from the work, of which nothing else is heard any more; a correction on those that rest on the work and that it
//! speaks of, unless it says that the conclusions stand. A notice and its work are one source, and the notice has the
//! last word.

use std::collections::BTreeSet;

use evidence::{ClaimId, FragmentId, FragmentType, Node, PageId, Stance};
use graph::{
    CORRECTION, Cause, FragmentPlace, NewEdge, NewFragment, PageForAssessment,
    PassageForAssessment, RETRACTION, Writer,
};
use judge::same::Content;
use judge::{Notice, NoticeKind, TimelineKind, notice};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::engine::Inner;
use crate::search::Context;

use super::Digest;

/// The event that keeps a notice.
const NOTICE_FOUND: &str = "notice_found";
/// Passages in which a notice says what is wrong, from the one that calls it a notice.
const NOTICE_PASSAGES: usize = 5;

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
                w.join_clusters(notice.page, page.id)?;
                touched.extend(if notice.kind == TimelineKind::Retracted {
                    withdrawn.insert(page.id);
                    self.retract(w, context, page, notice.fragment, notice.page)?
                } else {
                    self.correct(w, context, page, &notice)?
                });
            }
        }
        // What only an index knows.
        for page in w.retracted_pages_of(context.task.id)? {
            if !withdrawn.contains(&page.id) && !w.claims_from(context.task.id, page.id)?.is_empty()
            {
                let source = index_says(w, &page)?;
                touched.extend(self.retract(w, context, &page, source, page.id)?);
            }
        }
        Ok(touched)
    }

    /// Takes back all that a page says, which also changes who is heard on claims of other pages.
    fn retract(
        &self,
        w: &Writer<'_>,
        context: &Context,
        page: &PageForAssessment,
        source: FragmentId,
        notice: PageId,
    ) -> graph::Result<Vec<ClaimId>> {
        w.retract_page(page.id)?;
        let task = context.task.id;
        let mut touched = w.claims_from(task, page.id)?;
        for claim in &touched {
            let confidence = self.parts.settings.search.retraction_confidence;
            let edge = w.add_edge(&against(source, *claim, confidence, RETRACTION))?;
            let retracted = TimelineKind::Retracted.as_str();
            w.note_claim_event(*claim, retracted, None, Some(notice), Some(edge))?;
        }
        for stance in [Stance::Supports, Stance::Refutes] {
            touched.extend(w.claims_judged_by(task, page.id, stance)?);
        }
        Ok(touched)
    }

    /// Notes in the life of its claims that a page was corrected, and speaks against those the correction is about.
    fn correct(
        &self,
        w: &Writer<'_>,
        context: &Context,
        page: &PageForAssessment,
        notice: &LoggedNotice,
    ) -> graph::Result<Vec<ClaimId>> {
        let (task, settings) = (context.task.id, &self.parts.settings.search);
        let mut refuted = Vec::new();
        // A page that was corrected itself says what is right now.
        if !notice.of_itself && !notice.leaves_conclusions {
            let said = Content::of(&words_of(w, notice)?);
            for claim in w.claims_judged_by(task, page.id, Stance::Supports)? {
                let content = Content::of(&w.claim(claim)?.claim_text);
                if content.covered_share(&said) >= settings.correction_min_share {
                    refuted.push(claim);
                }
            }
        }
        let corrected = TimelineKind::Corrected.as_str();
        for claim in &refuted {
            let confidence = settings.correction_confidence;
            let edge = w.add_edge(&against(notice.fragment, *claim, confidence, CORRECTION))?;
            w.note_claim_event(*claim, corrected, None, Some(notice.page), Some(edge))?;
        }
        for claim in w.claims_from(task, page.id)? {
            w.note_claim_event(claim, corrected, None, Some(notice.page), None)?;
        }
        Ok(refuted)
    }
}

/// What a notice says against a claim.
fn against(notice: FragmentId, claim: ClaimId, confidence: f64, model: &str) -> NewEdge {
    NewEdge::Stance {
        source: Node::Fragment(notice),
        target: claim,
        stance: Stance::Refutes,
        confidence,
        model: model.to_owned(),
        kind: None,
        about: true,
    }
}

/// What a notice says, without its title: that names the work, and not what is wrong with it.
fn words_of(w: &Writer<'_>, notice: &LoggedNotice) -> graph::Result<String> {
    let passages = w.passages_of(notice.page)?;
    let said = passages.iter().skip_while(|it| it.id != notice.fragment).take(NOTICE_PASSAGES);
    Ok(said.map(|it| it.text.as_str()).collect::<Vec<_>>().join("\n"))
}

/// A page that takes something back, and the passage that says so.
#[derive(Debug)]
pub(super) struct FoundNotice {
    page: PageId,
    fragment: FragmentId,
    notice: Notice,
}

/// Reads whether a page is a notice; gives the passages that are evidence otherwise. A notice repeats what it takes
/// back and supports none of it: what it says against the work is recorded by rule. Doubts alone take nothing back.
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
    let announced = match notice.kind {
        NoticeKind::Concern => 0..0,
        // The work itself, marked: the mark is no evidence, the rest is what is judged.
        _ if notice.of_itself && notice.chars.is_empty() => 0..0,
        _ if notice.of_itself => said_in..said_in + 1,
        NoticeKind::Retraction => 0..passages.len(),
        // A correction may stand in the middle of a page about other things.
        NoticeKind::Correction if said_in >= NOTICE_PASSAGES => said_in..said_in + NOTICE_PASSAGES,
        NoticeKind::Correction => 0..said_in + NOTICE_PASSAGES,
    };
    let others = passages.into_iter().enumerate().filter(|(nth, _)| !announced.contains(nth));
    let evidence = others.map(|(_, passage)| passage).collect();
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
    #[serde(default)]
    leaves_conclusions: bool,
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
        leaves_conclusions: notice.leaves_conclusions,
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
