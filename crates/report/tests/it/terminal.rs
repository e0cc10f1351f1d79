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

#[test]
fn the_short_answer_fits_on_a_screen_or_two() {
    let (graph, task) = air::investigation();
    let report = gathered(&graph, task);
    let short = Document::short(&report).text(80);
    assert!(short.lines().count() <= 60, "{}", short.lines().count());
    insta::assert_snapshot!(short);
}

/// What is styled is the same text: a terminal that shows no colours loses nothing.
#[test]
fn colours_change_no_word() {
    let (graph, task) = air::investigation();
    let report = gathered(&graph, task);
    for document in [Document::short(&report), Document::of(&report)] {
        let styled = document.styled(72);
        assert!(styled.contains("\u{1b}[1m"), "{styled}");
        let mut plain = String::new();
        let mut rest = styled.as_str();
        while let Some((before, after)) = rest.split_once('\u{1b}') {
            plain += before;
            rest = after.split_once('m').unwrap().1;
        }
        assert_eq!(plain + rest, document.text(72));
    }
}

#[test]
fn times_are_by_the_clock_of_the_reader() {
    let (graph, task) = air::investigation();
    let report = gathered(&graph, task);
    let tokyo = jiff::tz::TimeZone::posix("JST-9").unwrap();
    assert!(Document::of(&report).text(80).contains(" 12:00 UTC"));
    assert!(Document::in_zone(&report, &tokyo).text(80).contains(" 21:00 JST"));
}
