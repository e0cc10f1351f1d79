//! A report as plain text for a terminal.

use report::Document;

use crate::air;
use crate::world::gathered;

fn document() -> Document {
    let (graph, task) = air::investigation();
    Document::of(&gathered(&graph, task))
}

#[test]
fn an_investigation_reads_from_the_answer_to_the_method() {
    insta::assert_snapshot!(document().text(80));
}

/// Addresses stay whole, so that a terminal can open them.
#[test]
fn lines_are_as_wide_as_the_terminal_and_addresses_whole() {
    let document = document();
    for columns in [40, 72, 100] {
        let text = document.text(columns);
        let wide = text.lines().filter(|line| line.chars().count() > columns);
        let wide: Vec<&str> = wide.filter(|line| !line.contains("://")).collect();
        assert_eq!(wide, [] as [&str; 0], "{columns}");
    }
    assert!(document.text(40).contains("https://filtermaker.example/press/2022-sick-days"));
}

#[test]
fn a_table_that_cannot_fit_becomes_a_list() {
    let text = document().text(40);
    assert!(text.contains("\n2019   1           0         [3]\n"), "{text}");
    assert!(
        text.contains("\n• Query: Do air cleaners in classrooms\n  reduce sick days"),
        "{text}"
    );
}

#[test]
fn there_is_no_markup() {
    let text = document().text(80);
    let markup = ["**", "](", "\n#", "\n- ", "\n> ", "&lt;", "&#", "\\_", "</"];
    // What a page wrote itself is no markup of ours.
    let ours = text.replace("<script>alert('x')</script>", "");
    let found: Vec<&str> = markup.into_iter().filter(|it| ours.contains(it)).collect();
    assert_eq!(found, [] as [&str; 0]);
}
