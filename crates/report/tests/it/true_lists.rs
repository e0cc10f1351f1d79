//! Lists that say what is so: documents and not their sections, each once, and in one list only.

use evidence::{SearchStatus, Stance};
use graph::{JobEnd, NewJob, NewSerpItem, Writer};
use report::{Caveat, Improvement};
use serde_json::json;

use crate::world::{Read, claim, gathered, graph, judge, page, passage, search, task, write};

const FILE: &str = "file:///papers/tea.md";

/// A section of a document of the user.
fn section(w: &Writer<'_>, lines: &str, heading: &str, text: &str) -> evidence::FragmentId {
    let (url, title) = (format!("{FILE}#{lines}"), format!("Tea and pressure > {heading}"));
    let page = page(w, &Read { url: &url, title: &title, ..Read::default() });
    passage(w, page, &url, &[heading], 0, text)
}

fn listed(w: &Writer<'_>, search: evidence::SearchId, rank: u32, url: &str) {
    w.record_serp_item(&NewSerpItem {
        search_id: search,
        engine: "papers".to_owned(),
        rank,
        url: url.to_owned(),
        title: None,
        snippet: None,
        published_at: None,
        source_tag: None,
        page_id: None,
    })
    .unwrap();
}

#[test]
fn sections_of_a_document_are_one_source_one_row_and_one_page() {
    let graph = graph();
    let task = write(&graph, |w| {
        let task = task(w, "Does green tea lower blood pressure?", None);
        let first = section(w, "L1-L9", "Results", "Green tea lowered blood pressure.");
        let second = section(w, "L10-L20", "Safety", "Green tea is safe for blood pressure.");
        for from in [first, second] {
            let text = w.fragment(from)?.text_content;
            let claim = claim(w, task, Some(from), "extractive", &text);
            judge(w, from, claim, Stance::Supports, 0.9);
        }
        Ok(task)
    });
    let report = gathered(&graph, task);
    let sources: Vec<(&str, &str)> =
        report.sources.iter().map(|it| (it.title.as_deref().unwrap(), &*it.url)).collect();
    assert_eq!(sources, [("Tea and pressure", FILE)]);
    assert_eq!((report.summary.sources, report.summary.pages_read), (1, 1));
    assert_eq!(report.documents.len(), 1);
    assert_eq!(report.findings.len(), 2);
    assert_eq!(
        (&report.findings[0].supported_by, &report.findings[1].supported_by),
        (&vec![1], &vec![1])
    );
}

#[test]
fn a_folder_of_own_papers_is_not_told_that_a_primary_source_is_missing() {
    let graph = graph();
    let task = write(&graph, |w| {
        let task = task(w, "Does green tea lower blood pressure?", None);
        let from = section(w, "L1-L9", "Results", "Green tea lowered blood pressure.");
        let claim = claim(w, task, Some(from), "extractive", "Green tea lowered blood pressure.");
        judge(w, from, claim, Stance::Supports, 0.9);
        Ok(task)
    });
    let finding = &gathered(&graph, task).findings[0];
    assert!(finding.supporting[0].own_document);
    assert!(!finding.caveats.contains(&Caveat::NoPrimarySource));
    assert_eq!(finding.improvements, [Improvement::MoreIndependentSources { more: 2 }]);
}

#[test]
fn what_was_read_in_part_or_is_cited_is_not_unread_and_a_broken_file_is_one_miss() {
    let graph = graph();
    let task = write(&graph, |w| {
        let task = task(w, "Does green tea lower blood pressure?", None);
        let from = section(w, "L1-L9", "Results", "Green tea lowered blood pressure.");
        let claim = claim(w, task, Some(from), "extractive", "Green tea lowered blood pressure.");
        judge(w, from, claim, Stance::Supports, 0.9);
        let cited = "https://a.example/tea";
        let other = page(w, &Read { url: cited, ..Read::default() });
        let other = passage(w, other, cited, &[], 0, "Tea lowered it.");
        judge(w, other, claim, Stance::Supports, 0.8);
        let found = search(w, task, "tea", false, SearchStatus::Partial, (2, 2, 1), "nothing_new");
        // The same page again from another search, another section of the file, and two of a file nobody read.
        for (rank, url) in [
            cited,
            "file:///papers/tea.md#L21-L30",
            "file:///papers/later.md#L1-L9",
            "file:///papers/later.md#L10-L19",
        ]
        .into_iter()
        .enumerate()
        {
            listed(w, found, rank as u32 + 1, url);
        }
        for part in ["#char=0,400", "#char=400,900", ""] {
            let url = format!("file:///papers/broken.pdf{part}");
            let job = w.add_job(&NewJob {
                task_id: task,
                search_id: found,
                kind: "fetch",
                slot: "network",
                priority: 1,
                payload: json!({ "url": url }),
            })?;
            let failure = json!({ "url": url, "reason": "no_text", "detail": "it has no text" });
            w.end_job(job, &JobEnd::Failed(failure))?;
        }
        Ok(task)
    });
    let report = gathered(&graph, task);
    let unread: Vec<&str> = report.unread.iter().map(|it| &*it.url).collect();
    assert_eq!(unread, ["file:///papers/later.md"]);
    let missed: Vec<&str> = report.missed.iter().map(|it| &*it.url).collect();
    assert_eq!(missed, ["file:///papers/broken.pdf"]);
    assert_eq!(report.summary.pages_missed, 1);
}
