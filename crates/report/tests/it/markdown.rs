//! A report as Markdown.

use report::Document;

use crate::air;
use crate::world::gathered;

#[test]
fn an_investigation_reads_from_the_answer_to_the_method() {
    let (graph, task) = air::investigation();
    insta::assert_snapshot!(Document::of(&gathered(&graph, task)).markdown());
}
