//! `manual_read`, `manual_scan`, `manual_toc`, `manual_ls`: text and lists, bounded.

use library::{
    LibrarySettings, LsKind, LsRequest, ReadRequest, ReadScope, ScanRequest, SectionRef,
    TocRequest, get_tooling_guide,
};
use text::estimate_tokens;

use crate::corpus::{NOW, Small, open, request};

const TEXT: &str = "前書き\n\n# 規程\n一\n\n## 第1条\n二\n\n### 細目\n三\n\n## 第2条\n四\n";

fn place(text: &str) -> Option<SectionRef> {
    Some(text.parse().unwrap())
}

fn read(small: &Small, request: &ReadRequest) -> String {
    let answer = small.manuals.read(request, &NOW).unwrap();
    let parts = answer.parts.iter().map(|it| {
        format!(
            "{} {}-{} {}{:?}",
            it.place,
            it.start_line,
            it.end_line,
            if it.truncated { "cut " } else { "" },
            it.text
        )
    });
    parts.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_section_is_read_with_everything_under_it() {
    let small = Small::new(&[("hr/a.md", TEXT), ("hr/b.json", "{\"a\":1}")]);
    let section = |text: &str| ReadRequest { place: place(text), ..ReadRequest::default() };
    assert_eq!(
        read(&small, &section("hr/a.md#L6")),
        "hr/a.md#L6 6-11 \"## 第1条\\n二\\n\\n### 細目\\n三\\n\\n\""
    );
    assert_eq!(read(&small, &section("hr/a.md#L1")), "hr/a.md#L1 1-2 \"前書き\\n\\n\"");
    assert_eq!(read(&small, &section("hr/b.json")), "hr/b.json 1-1 \"{\\\"a\\\":1}\"");
    let file = ReadRequest { scope: Some(ReadScope::File), ..section("hr/a.md#L6") };
    assert_eq!(small.manuals.read(&file, &NOW).unwrap().parts[0].text, TEXT);
}

#[test]
fn several_sections_share_the_room() {
    let small = Small::new(&[("hr/a.md", TEXT)]);
    let refs = ["hr/a.md#L9", "hr/a.md#L12", "hr/a.md#L1"].map(|it| it.parse().unwrap()).to_vec();
    let request = ReadRequest { refs, max_chars: Some(14), ..ReadRequest::default() };
    assert_eq!(
        read(&small, &request),
        "hr/a.md#L9 9-11 \"### 細目\\n三\\n\\n\"\nhr/a.md#L12 12-12 cut \"## 第\""
    );
    let answer = small.manuals.read(&request, &NOW).unwrap();
    assert_eq!(answer.left_out, ["hr/a.md#L1".parse().unwrap()]);
    let tools: Vec<&str> = answer.next_actions.iter().map(|it| it.tool).collect();
    assert_eq!(tools, ["manual_scan", "manual_read"]);
}

#[test]
fn the_default_is_eight_thousand_characters() {
    let small = Small::new(&[("hr/a.md", &format!("# A\n{}", "あ".repeat(20_000)))]);
    let request = ReadRequest { place: place("hr/a.md#L1"), ..ReadRequest::default() };
    let part = small.manuals.read(&request, &NOW).unwrap().parts.remove(0);
    assert_eq!((part.text.chars().count(), part.truncated), (8_000, true));
}

#[test]
fn scopes_and_limits_that_do_not_fit_are_refused() {
    let small = Small::new(&[("hr/a.md", TEXT)]);
    let code = |request: ReadRequest| small.manuals.read(&request, &NOW).unwrap_err().code();
    let section = |text: &str| ReadRequest { place: place(text), ..ReadRequest::default() };
    let scope = |it, request: ReadRequest| ReadRequest { scope: Some(it), ..request };
    assert_eq!(code(ReadRequest::default()), Some("invalid_parameter"));
    assert_eq!(code(scope(ReadScope::Section, section("hr/a.md"))), Some("invalid_scope"));
    assert_eq!(code(scope(ReadScope::Sections, section("hr/a.md#L1"))), Some("invalid_scope"));
    let many =
        ReadRequest { refs: vec!["hr/a.md#L1".parse().unwrap(); 21], ..ReadRequest::default() };
    assert_eq!(code(many.clone()), Some("invalid_parameter"));
    assert_eq!(code(scope(ReadScope::File, many)), Some("invalid_scope"));
    assert_eq!(code(section("hr/a.md#L2")), Some("not_found"));
    assert_eq!(code(section("hr/no.md")), Some("not_found"));
    assert_eq!(
        code(ReadRequest { max_chars: Some(40_001), ..section("hr/a.md") }),
        Some("invalid_parameter")
    );
    assert_eq!(
        code(ReadRequest { max_chars: Some(0), ..section("hr/a.md") }),
        Some("invalid_parameter")
    );
    assert_eq!(
        code(ReadRequest {
            trace_id: Some("tr_0000000000000000".to_owned()),
            ..section("hr/a.md")
        }),
        Some("not_found")
    );
}

#[test]
fn what_is_read_after_a_search_counts_once() {
    let small = Small::new(&[("hr/a.md", "# Badges\nbadges\n"), ("hr/b.md", "# Keys\nx\n")]);
    let trace_id = small.find("badges").trace_id;
    let read = |text: &str| {
        let request = ReadRequest {
            place: place(text),
            trace_id: Some(trace_id.clone()),
            ..ReadRequest::default()
        };
        small.manuals.read(&request, &NOW).unwrap();
    };
    read("hr/a.md#L1");
    read("hr/a.md#L1");
    assert_eq!(small.manuals.statistics().recall_proxy_100(), Some(1.0));
    read("hr/b.md#L1");
    assert_eq!(small.manuals.statistics().recall_proxy_100(), Some(0.5));
}

#[test]
fn a_file_is_scanned_in_steps_that_end_at_lines() {
    let small = Small::new(&[("hr/a.md", TEXT)]);
    let (mut cursor, mut steps) = (None, Vec::new());
    loop {
        let request = ScanRequest {
            place: "hr/a.md".parse().unwrap(),
            cursor,
            start_line: None,
            max_chars: Some(12),
        };
        let answer = small.manuals.scan(&request, &NOW).unwrap();
        steps.push(format!("{}-{} {:?}", answer.start_line, answer.end_line, answer.text));
        cursor = answer.cursor;
        if cursor.is_none() {
            break;
        }
    }
    insta::assert_snapshot!(steps.join("\n"), @r####"
    1-4 "前書き\n\n# 規程\n一\n"
    5-8 "\n## 第1条\n二\n\n"
    9-11 "### 細目\n三\n\n"
    12-13 "## 第2条\n四\n"
    "####);
}

#[test]
fn a_long_line_is_scanned_in_parts_and_a_changed_file_from_the_beginning() {
    let small = Small::new(&[("hr/a.md", &"あ".repeat(10))]);
    let request = |cursor| ScanRequest {
        place: "hr/a.md".parse().unwrap(),
        cursor,
        start_line: None,
        max_chars: Some(4),
    };
    let first = small.manuals.scan(&request(None), &NOW).unwrap();
    assert_eq!((first.text.as_str(), first.start_line, first.end_line), ("ああああ", 1, 1));
    let second = small.manuals.scan(&request(first.cursor.clone()), &NOW).unwrap();
    assert_eq!((second.text.as_str(), second.start_line, second.end_line), ("ああああ", 1, 1));
    let code = |cursor: &str| {
        small.manuals.scan(&request(Some(cursor.to_owned())), &NOW).unwrap_err().code()
    };
    assert_eq!(code("x"), Some("invalid_parameter"));
    let torn = first.cursor.clone().unwrap().replacen("1:4", "9:4", 1);
    assert_eq!(code(&torn), Some("invalid_parameter"));
    small.write("hr/a.md", "new");
    assert_eq!(code(&first.cursor.unwrap()), Some("conflict"));
}

#[test]
fn a_scan_begins_at_the_line_asked_for() {
    let small = Small::new(&[("hr/a.md", TEXT)]);
    let request = ScanRequest {
        place: "hr/a.md".parse().unwrap(),
        cursor: None,
        start_line: Some(12),
        max_chars: None,
    };
    let answer = small.manuals.scan(&request, &NOW).unwrap();
    assert_eq!(
        (answer.text.as_str(), answer.start_line, answer.end_line),
        ("## 第2条\n四\n", 12, 13)
    );
}

#[test]
fn headings_are_listed_with_their_places() {
    let small = Small::new(&[("hr/a.md", TEXT), ("it/b.md", "# Other\n")]);
    let toc = |depth, offset, limit| {
        let request = TocRequest { manual_id: "hr".to_owned(), path: None, depth, offset, limit };
        let answer = small.manuals.toc(&request, &NOW).unwrap();
        let lines = answer
            .items
            .iter()
            .map(|it| format!("{} {} {}-{}", it.level, it.title, it.place, it.end_line));
        format!(
            "{} of {}, next {:?}",
            lines.collect::<Vec<_>>().join("; "),
            answer.total,
            answer.next_offset
        )
    };
    insta::assert_snapshot!(toc(None, 0, None), @"0  hr/a.md#L1-2; 1 規程 hr/a.md#L3-13; 2 第1条 hr/a.md#L6-11; 3 細目 hr/a.md#L9-11; 2 第2条 hr/a.md#L12-13 of 5, next None");
    insta::assert_snapshot!(toc(Some(1), 0, Some(1)), @"0  hr/a.md#L1-2 of 2, next Some(1)");
    insta::assert_snapshot!(toc(None, 4, None), @"2 第2条 hr/a.md#L12-13 of 5, next None");
}

#[test]
fn manuals_files_and_what_was_skipped_are_listed() {
    let (manuals, _state) = open(LibrarySettings::default());
    let ls = |request: &LsRequest| {
        let answer = manuals.ls(request, &NOW).unwrap();
        let of = |it: &Option<usize>| it.map_or_else(|| "-".to_owned(), |it| it.to_string());
        let lines = answer
            .items
            .iter()
            .map(|it| format!("{} {} {}", it.name, of(&it.files), of(&it.sections)));
        lines.collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!(ls(&LsRequest::default()), @"
    pharmacy 3 80
    security 3 85
    travel 2 81
    ");
    insta::assert_snapshot!(ls(&LsRequest { manual_id: Some("security".to_owned()), ..LsRequest::default() }), @"
    security/handbook.md - 59
    security/incidents.md - 17
    security/osaka.md - 9
    ");
    assert_eq!(ls(&LsRequest { kind: Some(LsKind::Skipped), ..LsRequest::default() }), "");
    let missing = LsRequest { manual_id: Some("no".to_owned()), ..LsRequest::default() };
    assert_eq!(manuals.ls(&missing, &NOW).unwrap_err().code(), Some("not_found"));
}

#[test]
fn the_guide_names_the_first_tool_and_is_small() {
    let guide = get_tooling_guide();
    assert_eq!(guide.first_tool, "manual_find");
    assert!(estimate_tokens(&serde_json::to_string(&guide).unwrap()) <= 400);
}

#[test]
fn every_next_action_names_a_tool_of_the_guide() {
    let (manuals, _state) = open(LibrarySettings::default());
    let answer = manuals.find(&request("日当の額"), &NOW).unwrap();
    let tools: Vec<&str> = answer.next_actions.iter().map(|it| it.tool).collect();
    assert_eq!(tools, ["manual_read", "manual_hits"]);
}
