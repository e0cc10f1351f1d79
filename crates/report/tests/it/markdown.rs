//! A report as Markdown.

use report::Document;

use crate::air;
use crate::world::gathered;

#[test]
fn an_investigation_reads_from_the_answer_to_the_method() {
    let (graph, task) = air::investigation();
    insta::assert_snapshot!(Document::of(&gathered(&graph, task)).markdown());
}

/// The brief is the same text with sections left out.
#[test]
fn a_brief_has_the_answer_and_what_to_beware_of() {
    let (graph, task) = air::investigation();
    let whole = Document::of(&gathered(&graph, task));
    let brief = whole.clone().brief().markdown();
    let headings: Vec<&str> = brief.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    assert_eq!(
        headings,
        [
            "Answer",
            "Evidence on both sides",
            "Retractions and corrections",
            "Text that speaks to machines",
            "Copies and narratives",
            "What was missed",
            "Searches without enough sources",
            "Found and not read",
        ]
    );
    let whole = whole.markdown();
    let strange: Vec<&str> = brief.lines().filter(|line| !whole.contains(line)).collect();
    assert_eq!(strange, [] as [&str; 0]);
}
