//! A report as one HTML file.

use report::Document;

use crate::air;
use crate::world::gathered;

/// The text from one piece of a page up to another.
fn between<'h>(html: &'h str, from: &str, to: &str) -> &'h str {
    let start = html.find(from).unwrap();
    let end = html[start..].find(to).unwrap();
    &html[start..start + end]
}

fn page() -> String {
    let (graph, task) = air::investigation();
    Document::of(&gathered(&graph, task)).html()
}

#[test]
fn the_head_forbids_everything_but_its_own_style() {
    let html = page();
    insta::assert_snapshot!(between(&html, "<!doctype", "<style>"));
}

#[test]
fn nothing_is_loaded_and_nothing_runs() {
    let html = page();
    for word in [
        "<script",
        "src=",
        "<link",
        "<img",
        "<iframe",
        " style=",
        "onload",
        "@import",
        "javascript:",
    ] {
        assert!(!html.contains(word), "{word}");
    }
}

#[test]
fn the_answer_comes_first_with_its_numbers_and_marks() {
    let html = page();
    insta::assert_snapshot!(between(&html, "<section id=\"answer\">", "</section>"));
}

#[test]
fn a_disputed_finding_shows_both_sides_beside_each_other() {
    let html = page();
    insta::assert_snapshot!(between(&html, "id=\"f1\"", "</article>"));
}

#[test]
fn the_graph_tells_the_sides_apart_by_colour_line_and_end() {
    let html = page();
    let drawing = between(&html, "<section id=\"graph\">", "</section>");
    let count = |word: &str| drawing.matches(word).count();
    // Each line once, and once in the legend.
    assert_eq!(count("class=\"edge supports\""), 4 + 1);
    assert_eq!(count("class=\"edge refutes\""), 2 + 1);
    assert_eq!(count("class=\"edge cites\""), 1 + 1);
    insta::assert_snapshot!(between(drawing, "<a href=\"#s1\">", "</a>"));
}

#[test]
fn the_timeline_shows_both_sides_and_the_retraction() {
    let html = page();
    insta::assert_snapshot!(between(&html, "<section id=\"timeline\">", "</section>"));
}

#[test]
fn a_source_is_listed_with_address_date_and_archive() {
    let html = page();
    insta::assert_snapshot!(between(&html, "<li id=\"s1\">", "</li>"));
}

/// Every mark leads to something on the page.
#[test]
fn every_inner_link_has_its_target() {
    let html = page();
    let targets = html.split("href=\"#").skip(1).map(|it| it.split('"').next().unwrap());
    let missing: Vec<&str> = targets.filter(|it| !html.contains(&format!("id=\"{it}\""))).collect();
    assert_eq!(missing, [] as [&str; 0]);
}
