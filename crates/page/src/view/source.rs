//! Screen 4: a page as Lyra read it, at the passage, with every claim it speaks to, beside the original.

use std::collections::BTreeMap;

use evidence::domain::DomainDecision;
use evidence::{FragmentId, Relation};
use graph::{PageForAssessment, PageJudgement, PassageForAssessment};
use maud::{Markup, html};

use super::Frame;
use super::pieces::{marked, outward, plain, publisher, title};
use super::shell::{Part, screen};
use crate::words::say;

/// What is known of a page.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) page: PageForAssessment,
    pub(crate) passages: Vec<PassageForAssessment>,
    pub(crate) judgements: Vec<PageJudgement>,
    /// Nothing for a document of the user, which has no domain.
    pub(crate) decision: Option<DomainDecision>,
    /// Where the reader comes from.
    pub(crate) task: Option<String>,
    pub(crate) category: String,
    pub(crate) why: Option<String>,
    pub(crate) has_original: bool,
    /// A document of the user, which is shown as it is now.
    pub(crate) is_own: bool,
}

pub(crate) fn source(frame: &Frame, it: &Source) -> Markup {
    let w = frame.w;
    let mut by_passage: BTreeMap<FragmentId, Vec<&PageJudgement>> = BTreeMap::new();
    for judgement in &it.judgements {
        let told = by_passage.entry(judgement.fragment_id).or_default();
        // Questions that were asked twice have the same claims.
        if !told.iter().any(|it| it.says_the_same(judgement)) {
            told.push(judgement);
        }
    }
    let name = title(it.page.title.as_deref(), &it.page.url);
    let body = html! {
        div.head {
            div {
                @if let Some(task) = &it.task { p { a href=(format!("/task/{task}")) { "← " (w.to_answer.as_str()) } } }
                h1 { (name) }
                p.note { (outward(&plain(&it.page.url), &it.page.url)) }
            }
        }
        section.card {
            dl.facts {
                div { dt { (w.publisher.as_str()) } dd { (publisher(it.page.site_name.as_deref().unwrap_or(&it.page.domain))) } }
                @if let Some(author) = &it.page.author { div { dt { (w.author.as_str()) } dd { (plain(author)) } } }
                @if let Some(year) = it.page.year { div { dt { (w.year.as_str()) } dd { (year) } } }
                div { dt { (w.kind_of_publisher.as_str()) } dd { (it.category) } }
                @if let Some(why) = &it.why { div { dt { (w.block.as_str()) } dd.warn { (why) } } }
                @if let Some(decision) = &it.decision { div { dt { (w.weight.as_str()) } dd { (format!("{:.2}", decision.weight)) } } }
                @if let Some(at) = it.page.fetched_at { div { dt { (w.read_at.as_str()) } dd { (frame.minute(at)) } } }
            }
            @if it.page.flags.is_some() { p.warn { (w.flagged_more.as_str()) } }
        }
        div.columns.source {
            section.reading {
                h2 { (w.as_read.as_str()) }
                @if it.passages.is_empty() { p.note { (w.no_passages.as_str()) } }
                (passages(frame, &it.passages, &by_passage))
            }
            section {
                h2 { (w.original.as_str()) }
                @if it.has_original {
                    p.note { @if it.is_own { (w.original_own.as_str()) } @else { (w.original_note.as_str()) } }
                    iframe.original sandbox="" src=(format!("/source/{}/original", it.page.id)) title=(w.original.as_str()) loading="lazy" referrerpolicy="no-referrer" {}
                    p { a.button.small href=(format!("/source/{}/bytes", it.page.id)) { (w.original_save.as_str()) } }
                } @else {
                    p.note { (w.original_none.as_str()) }
                }
            }
        }
    };
    screen(frame, Part::Questions, &name, &body)
}

fn passages(
    frame: &Frame,
    passages: &[PassageForAssessment],
    by_passage: &BTreeMap<FragmentId, Vec<&PageJudgement>>,
) -> Markup {
    let mut heading: &[String] = &[];
    html! {
        @for passage in passages {
            @if passage.headings != heading {
                @if let Some(last) = passage.headings.last() { h3 { (plain(last)) } }
            }
            @let () = heading = &passage.headings;
            @match by_passage.get(&passage.id) {
                Some(judged) => div.speaks id=(passage.id) {
                    p { (marked(&passage.text, &judged[0].claim_text)) }
                    ul.speaks-to { @for it in judged { li { (speaks_to(frame, it)) } } }
                },
                None => p.silent id=(passage.id) { (plain(&passage.text)) },
            }
        }
    }
}

fn speaks_to(frame: &Frame, it: &PageJudgement) -> Markup {
    let w = frame.w;
    let (class, word) = match it.relation {
        Relation::Supports => ("for", &w.side_for),
        Relation::Refutes => ("against", &w.side_against),
        _ => ("open", &w.side_neither),
    };
    html! {
        span.badge.(class) { (word.as_str()) } " "
        a href=(format!("/task/{}#{}", it.task_id, it.claim_id)) { (plain(&it.claim_text)) }
        " " span.note { (say!(w.certainty, n = format!("{:.2}", it.nli_confidence))) }
    }
}
