//! Tasks that found nothing, or next to nothing.

use evidence::{SearchStatus, Stance};
use report::{Document, State};

use crate::world::{claim, gathered, graph, judge, page, passage, search, task, write};

#[test]
fn a_search_that_found_nothing_says_so_and_writes_no_findings() {
    let graph = graph();
    let task = write(&graph, |w| {
        let task = task(w, "Is there a unicorn in Hokkaido?", Some("There is one."));
        search(
            w,
            task,
            "unicorn hokkaido",
            false,
            SearchStatus::Exhausted,
            (0, 0, 0),
            "no_more_candidates",
        );
        Ok(task)
    });
    let report = gathered(&graph, task);
    assert_eq!(report.state, State::NothingFound);
    assert_eq!((report.answer.len(), report.findings.len(), report.sources.len()), (0, 0, 0));
    insta::assert_snapshot!(Document::of(&report).markdown());
    let html = Document::of(&report).html();
    assert!(html.contains("<b>Nothing was found.</b>"));
    assert!(!html.contains("id=\"findings\""));
    assert!(!html.contains("id=\"graph\""));
}

#[test]
fn a_task_nobody_searched_for_is_a_report_of_nothing_in_its_own_language() {
    let graph = graph();
    let task = write(&graph, |w| Ok(task(w, "一角獣はいるか", None)));
    let report = gathered(&graph, task);
    let html = Document::of(&report).html();
    assert!(html.starts_with("<!doctype html>\n<html lang=\"ja\">"));
    assert!(html.contains("<b>何も見つかりませんでした。</b>"));
    assert!(Document::of(&report).markdown().contains("**何も見つかりませんでした。**"));
}

#[test]
fn a_claim_whose_evidence_takes_no_side_is_no_finding() {
    let graph = graph();
    let task = write(&graph, |w| {
        let task = task(w, "Is tea warm?", None);
        let page = page(w, &Default::default());
        let passage = passage(w, page, "https://a.example/", &[], 0, "Tea is a drink.");
        let claim = claim(w, task, Some(passage), "extractive", "Tea is warm.");
        judge(w, passage, claim, Stance::Neutral, 0.9);
        Ok(task)
    });
    let report = gathered(&graph, task);
    assert_eq!(report.state, State::NothingFound);
    assert_eq!(report.left_out.claims_without_evidence, 1);
    assert_eq!(report.summary.pages_read, 1);
}

#[test]
fn a_claim_that_is_only_refuted_is_found_but_is_no_answer() {
    let graph = graph();
    let task = write(&graph, |w| {
        let task = task(w, "Is tea cold?", None);
        let page = page(w, &Default::default());
        let passage = passage(w, page, "https://a.example/", &[], 0, "Tea is never cold.");
        let claim = claim(w, task, None, "llm", "Tea is cold.");
        judge(w, passage, claim, Stance::Refutes, 0.9);
        Ok(task)
    });
    let report = gathered(&graph, task);
    assert_eq!((report.state, report.answer.len(), report.findings.len()), (State::Found, 0, 1));
    let markdown = Document::of(&report).markdown();
    assert!(markdown.contains(
        "No finding about the question is supported: what was found speaks against the claims."
    ));
    assert!(markdown.contains("### 1. Tea is cold. (Refuted by [1])"));
}
