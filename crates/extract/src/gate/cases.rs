//! The labelled table of gates and of ordinary pages that look like them.
//!
//! The pages are in `tests/data/gates`, several to a file, each after a comment that says where it
//! came from and what it is: `<!-- case: NAME`, then `url:`, `status:`, `header:` and `expect:`.

use std::fmt::Write as _;

use super::{GateKind, gate};
use crate::view::of_page::Page;

const FILES: [&str; 9] = [
    include_str!("../../tests/data/gates/challenges.html"),
    include_str!("../../tests/data/gates/logins.html"),
    include_str!("../../tests/data/gates/paywalls.html"),
    include_str!("../../tests/data/gates/worded_otherwise.html"),
    include_str!("../../tests/data/gates/written_blind.html"),
    include_str!("../../tests/data/gates/second_blind.html"),
    include_str!("../../tests/data/gates/third_blind.html"),
    include_str!("../../tests/data/gates/fourth_blind.html"),
    include_str!("../../tests/data/gates/ordinary.html"),
];

struct Case {
    name: &'static str,
    page: Page,
    /// The kind, and the vendor where one can be told; nothing for an ordinary page.
    expect: Option<(GateKind, Option<&'static str>)>,
}

fn cases() -> Vec<Case> {
    FILES.iter().flat_map(|it| it.split("<!-- case: ").skip(1)).map(case).collect()
}

fn case(text: &'static str) -> Case {
    let (head, html) = text.split_once("-->").expect("the comment of a case ends");
    let mut lines = head.lines();
    let name = lines.next().expect("a case has a name").trim();
    let mut page = Page::of(html.trim_start());
    let mut expect = None;
    for line in lines.filter(|it| !it.trim().is_empty()) {
        let (key, value) = line.split_once(": ").expect("a line is KEY: VALUE");
        let value = value.trim();
        match key {
            "url" => page = page.at(value),
            "status" => page = page.status(value.parse().unwrap()),
            "header" => {
                let (name, value) = value.split_once(": ").expect("a header is NAME: VALUE");
                page.headers.push((name.to_owned(), value.to_owned()));
            }
            "expect" => expect = Some(value),
            other => panic!("{name}: no such key: {other}"),
        }
    }
    let expect = expect.unwrap_or_else(|| panic!("{name}: what is expected?"));
    let (kind, vendor) = expect.split_once(' ').map_or((expect, None), |it| (it.0, Some(it.1)));
    let kind = match kind {
        "challenge" => Some(GateKind::Challenge),
        "login" => Some(GateKind::Login),
        "paywall" => Some(GateKind::Paywall),
        "none" => None,
        other => panic!("{name}: no such kind: {other}"),
    };
    Case { name, page, expect: kind.map(|it| (it, vendor)) }
}

#[test]
fn the_table_covers_gates_of_all_kinds_and_ordinary_pages() {
    let cases = cases();
    let count = |kind: Option<GateKind>| {
        cases.iter().filter(|case| case.expect.map(|it| it.0) == kind).count()
    };
    let counts = [
        count(Some(GateKind::Challenge)),
        count(Some(GateKind::Login)),
        count(Some(GateKind::Paywall)),
        count(None),
    ];
    assert_eq!(counts, [81, 47, 37, 32], "challenges, logins, paywalls, ordinary pages");
}

#[test]
fn every_gate_of_the_table_is_found_with_its_kind_and_vendor() {
    let mut wrong = String::new();
    for case in cases() {
        let Some((kind, vendor)) = case.expect else { continue };
        let found = case.page.judged(gate);
        let said = found.as_ref().map(|it| (it.kind, it.vendor.as_deref()));
        if said != Some((kind, vendor)) {
            writeln!(wrong, "{}: {:?} {:?}", case.name, said, found).unwrap();
        }
    }
    assert_eq!(wrong, "");
}

#[test]
fn no_ordinary_page_of_the_table_is_taken_for_a_gate() {
    let mut false_alarms = String::new();
    for case in cases().into_iter().filter(|it| it.expect.is_none()) {
        if let Some(gate) = case.page.judged(gate) {
            writeln!(false_alarms, "{}: {gate:?}", case.name).unwrap();
        }
    }
    assert_eq!(false_alarms, "");
}

#[test]
fn every_gate_says_in_words_what_gave_it_away() {
    for case in cases() {
        if let Some(gate) = case.page.judged(gate) {
            assert!(!gate.signs.is_empty(), "{} has no signs", case.name);
        }
    }
}

#[test]
fn an_empty_page_is_no_gate() {
    assert_eq!(Page::of("").judged(gate), None);
    assert_eq!(Page::of("").status(404).judged(gate), None);
}

#[test]
fn the_words_of_a_gate_name_its_marks() {
    let page = Page {
        headers: vec![("cf-mitigated".to_owned(), "challenge".to_owned())],
        ..Page::of("<title>Just a moment...</title><p>Verifying you are human.").status(403)
    };
    let gate = page.judged(gate).unwrap();
    insta::assert_snapshot!(gate.signs.join("\n"), @r"
    the server answered 403
    the header cf-mitigated says “challenge”
    the title says “just a moment...”
    the text says “verifying you are human”
    ");
}
