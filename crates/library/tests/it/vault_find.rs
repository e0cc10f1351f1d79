//! Finding in the vault, and reading what was found until nothing is left.

use std::fs;

use library::vault::{
    CoverageAnswer, CoverageRequest, CreateRequest, FindAnswer, FindRequest, LsRequest,
    ReadRequest, ScanRequest,
};
use library::{LibraryError, LibrarySettings, NextAction, SectionName, Span, Vault};
use serde_json::json;

struct Folder {
    dir: tempfile::TempDir,
    vault: Vault,
}

impl Folder {
    fn with(options: LibrarySettings, files: &[(&str, &str)]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let vault = Vault::new(&dir.path().join("vault"), options);
        for (path, text) in files {
            let request = CreateRequest { path: (*path).to_owned(), text: (*text).to_owned() };
            vault.create(&request).unwrap();
        }
        Self { dir, vault }
    }

    fn new(files: &[(&str, &str)]) -> Self {
        Self::with(LibrarySettings::default(), files)
    }

    fn find(&self, query: &str) -> FindAnswer {
        self.vault.find(&FindRequest { query: query.to_owned(), ..FindRequest::default() }).unwrap()
    }

    fn coverage(&self, trace_id: &str) -> CoverageAnswer {
        let trace_id = trace_id.to_owned();
        self.vault.coverage(&CoverageRequest { trace_id, ..CoverageRequest::default() }).unwrap()
    }
}

/// One candidate per line.
fn candidates(answer: &FindAnswer) -> String {
    let line = |it: &library::vault::Candidate| {
        let Span { start_line, end_line } = it.span;
        format!("{} {start_line}-{end_line} {:?} {}", it.path, it.signals, it.hit_count)
    };
    answer.candidates.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn actions(actions: &[NextAction]) -> String {
    actions.iter().map(|it| format!("{} {}", it.tool, it.params)).collect::<Vec<_>>().join("\n")
}

const EXPENSES: &str = "\
# 経費
この文書は経費についてまとめる。
## 出張
出張の経費は精算する。
## 備品
備品は総務が買う。
## タクシー
タクシー代も経費・精算の対象。
";

const SIGN_IN: &str = "\
# Sign-in
Multi-factor sign in is required.

# Passwords
Passwords are long.
";

#[test]
fn parts_with_most_of_the_terms_come_first() {
    let folder = Folder::new(&[("業務/経費.md", EXPENSES), ("it/sign-in.md", SIGN_IN)]);
    let found = folder.find("経費 精算");
    insta::assert_snapshot!(candidates(&found), @r"
    業務/経費.md 3-4 [Normalized] 2
    業務/経費.md 7-8 [Normalized] 2
    業務/経費.md 1-2 [Heading, Normalized] 2
    ");
    let found = folder.find("multi factor signin");
    insta::assert_snapshot!(candidates(&found), @"it/sign-in.md 1-3 [Heading, Normalized, Loose] 4");
}

#[test]
fn requests_are_read_as_sentences() {
    let folder = Folder::new(&[("業務/経費.md", EXPENSES), ("it/sign-in.md", SIGN_IN)]);
    insta::assert_snapshot!(candidates(&folder.find("タクシー代の精算について教えてください")), @"
    業務/経費.md 7-8 [Normalized] 2
    業務/経費.md 3-4 [Normalized] 1
    ");
    insta::assert_snapshot!(
        candidates(&folder.find("Tell me everything about passwords")),
        @"it/sign-in.md 4-5 [Heading, Normalized] 2"
    );
    // What is not wanted comes last, but is not hidden.
    insta::assert_snapshot!(candidates(&folder.find("タクシー以外の経費")), @"
    業務/経費.md 1-2 [Heading, Normalized] 2
    業務/経費.md 3-4 [Normalized] 1
    業務/経費.md 7-8 [Normalized] 1
    ");
}

#[test]
fn requests_are_read_with_the_words_of_the_user() {
    let folder = Folder::new(&[("a.md", EXPENSES)]);
    let words = folder.dir.path().join("dictionaries");
    fs::create_dir(&words).unwrap();
    fs::write(words.join("query.toml"), "stop_ja = [\"経費\"]\n").unwrap();
    let vault = Vault::new(&folder.dir.path().join("vault"), LibrarySettings::default())
        .with_dictionaries(words);
    let request = FindRequest { query: "経費 精算".to_owned(), ..FindRequest::default() };
    assert_eq!(folder.vault.find(&request).unwrap().summary.candidates, 3);
    assert_eq!(vault.find(&request).unwrap().summary.candidates, 2);
}

#[test]
fn a_vault_that_is_searched_again_shows_what_changed_since() {
    let folder = Folder::new(&[("a.md", "# 鍵\n鍵\n"), ("b/c.md", "# 錠\n錠\n")]);
    let candidates = |query: &str| folder.find(query).summary.candidates;
    assert_eq!((candidates("鍵"), candidates("錠"), candidates("印章")), (1, 1, 0));
    let root = folder.dir.path().join("vault");
    fs::write(root.join("a.md"), "# 印章の管理\n").unwrap();
    fs::remove_file(root.join("b/c.md")).unwrap();
    assert_eq!((candidates("鍵"), candidates("錠"), candidates("印章")), (0, 0, 1));
}

#[test]
fn a_summary_says_how_sure_one_can_be() {
    let folder = Folder::new(&[("業務/経費.md", EXPENSES), ("it/sign-in.md", SIGN_IN)]);
    let found = folder.find("経費精算 旅費");
    insta::assert_snapshot!(serde_json::to_string(&found).unwrap(), @r#"{"trace_id":"vt_1","summary":{"files_searched":2,"candidates":2,"shown":2,"signal_coverage":{"normalized":0.0,"loose":0.5},"file_bias_ratio":1.0,"gap_ranges_count":1,"sufficiency_score":0.519},"candidates":[{"path":"業務/経費.md","start_line":3,"end_line":4,"signals":["loose"],"hit_count":1},{"path":"業務/経費.md","start_line":7,"end_line":8,"signals":["loose"],"hit_count":1}],"next_actions":[{"type":"vault_scan","params":{"trace_id":"vt_1"}}]}"#);
}

#[test]
fn no_text_of_a_file_is_in_what_a_find_answers() {
    let folder = Folder::new(&[("a.md", EXPENSES)]);
    let answer = serde_json::to_string(&folder.find("備品")).unwrap();
    assert!(!answer.contains("総務") && !answer.contains("備品"), "{answer}");
}

#[test]
fn lines_between_two_candidates_are_a_gap_to_scan() {
    let folder = Folder::new(&[("a.md", EXPENSES)]);
    let found = folder.find("経費");
    assert_eq!(found.summary.gap_ranges_count, 1);
    assert_eq!(actions(&found.next_actions), r#"vault_scan {"trace_id":"vt_1"}"#);
    let scan = ScanRequest { trace_id: Some(found.trace_id.clone()), ..ScanRequest::default() };
    let step = folder.vault.scan(&scan).unwrap();
    assert_eq!(
        serde_json::to_value(&step).unwrap(),
        json!({
            "parts": [{
                "path": "a.md", "start_line": 5, "end_line": 6, "text": "## 備品\n備品は総務が買う。\n"
            }],
            "ranges_left": 0
        })
    );
}

#[test]
fn a_find_that_sees_one_file_only_is_repeated_without_it() {
    let mut one = String::new();
    for number in 0..6 {
        one.push_str(&format!("# {number}\n鍵\n"));
    }
    let folder = Folder::new(&[("a.md", &one), ("b.md", "# 別\n錠\n")]);
    let found = folder.find("鍵");
    assert_eq!((found.summary.file_bias_ratio, found.summary.gap_ranges_count), (1.0, 0));
    assert_eq!(
        actions(&found.next_actions),
        r#"vault_find {"query":"鍵","folder":"","exclude":["a.md"]}"#
    );
    // What it proposes can be asked as it is.
    let next: FindRequest = serde_json::from_value(found.next_actions[0].params.clone()).unwrap();
    let found = folder.vault.find(&next).unwrap();
    assert_eq!((found.summary.candidates, found.summary.files_searched), (0, 1));
    assert_eq!(actions(&found.next_actions), r#"vault_find {"query":"鍵"}"#);
}

#[test]
fn nothing_found_anywhere_is_the_end() {
    let folder = Folder::new(&[("a.md", EXPENSES)]);
    let found = folder.find("宇宙");
    assert_eq!((found.summary.candidates, found.summary.sufficiency_score), (0, 0.0));
    assert_eq!(found.next_actions, []);
    let empty = Folder::new(&[]).find("宇宙");
    assert_eq!((empty.summary.files_searched, empty.next_actions), (0, vec![]));
}

#[test]
fn reading_what_was_found_is_counted_until_nothing_is_left() {
    let folder = Folder::new(&[("a.md", EXPENSES)]);
    let found = folder.find("経費");
    let id = found.trace_id.as_str();
    insta::assert_snapshot!(serde_json::to_string(&folder.coverage(id)).unwrap(), @r#"{"summary":{"files":1,"lines":8,"lines_read":0,"coverage":0.0},"files":[{"path":"a.md","read":[],"open_candidates":[{"start_line":1,"end_line":4},{"start_line":7,"end_line":8}],"open_gaps":[{"start_line":5,"end_line":6}],"other_lines":0}],"next_actions":[{"type":"vault_read","params":{"path":"a.md","start_line":1,"end_line":4,"trace_id":"vt_1"}}]}"#);
    // Every proposal is followed as it is.
    let mut steps = Vec::new();
    while let Some(next) = folder.coverage(id).next_actions.pop() {
        steps.push(format!("{} {}", next.tool, folder.coverage(id).summary.coverage));
        match next.tool {
            "vault_read" => {
                let request: ReadRequest = serde_json::from_value(next.params).unwrap();
                folder.vault.read(&request).unwrap();
            }
            "vault_scan" => {
                let request: ScanRequest = serde_json::from_value(next.params).unwrap();
                folder.vault.scan(&request).unwrap();
            }
            other => panic!("{other} is not proposed here"),
        }
    }
    assert_eq!(steps, ["vault_read 0", "vault_read 0.5", "vault_scan 0.75"]);
    assert_eq!(folder.coverage(id).summary.coverage, 1.0);
}

#[test]
fn a_file_that_changed_after_the_find_is_marked() {
    let folder = Folder::new(&[("a.md", EXPENSES)]);
    let found = folder.find("経費");
    fs::write(folder.dir.path().join("vault/a.md"), "# 経費\n").unwrap();
    let covered = folder.coverage(&found.trace_id);
    assert!(covered.files[0].changed);
    let scan = ScanRequest { trace_id: Some(found.trace_id), ..ScanRequest::default() };
    let step = folder.vault.scan(&scan).unwrap();
    assert_eq!((step.changed.len(), step.parts.len(), step.next_cursor), (1, 0, None));
    fs::remove_file(folder.dir.path().join("vault/a.md")).unwrap();
    let step = folder.vault.scan(&scan).unwrap();
    assert_eq!((step.changed.len(), step.parts.len(), step.next_cursor), (1, 0, None));
}

#[test]
fn what_the_budget_did_not_reach_is_a_gap() {
    let options = LibrarySettings { max_bytes_scanned: 10, ..LibrarySettings::default() };
    let folder =
        Folder::with(options, &[("a.md", "# 鍵\n鍵の管理\n"), ("b.md", "鍵\n"), ("c.md", "錠\n")]);
    let found = folder.find("鍵");
    let summary = &found.summary;
    assert_eq!((summary.files_searched, summary.candidates, summary.gap_ranges_count), (1, 1, 2));
    assert_eq!(summary.cutoff_reason, Some("max_bytes"));
    let scan = ScanRequest { trace_id: Some(found.trace_id.clone()), ..ScanRequest::default() };
    let texts: Vec<String> =
        folder.vault.scan(&scan).unwrap().parts.into_iter().map(|it| it.text).collect();
    assert_eq!(texts, ["鍵\n", "錠\n"]);
    assert_eq!(folder.coverage(&found.trace_id).summary.lines_read, 2);
}

#[test]
fn an_answer_is_never_longer_than_400_tokens() {
    let long = "とても長い名前のフォルダー".repeat(5);
    let files: Vec<(String, String)> = (0..30)
        .map(|it| (format!("{long}/{it}.md"), "# 鍵\n鍵\n\n# 他\n他\n\n# 鍵\n鍵\n".to_owned()))
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    let folder = Folder::new(&files);
    let request =
        FindRequest { query: "鍵".to_owned(), limit: Some(20), ..FindRequest::default() };
    let found = folder.vault.find(&request).unwrap();
    let tokens = text::estimate_tokens(&serde_json::to_string(&found).unwrap());
    assert!(tokens <= 400, "{tokens}");
    assert_eq!(found.summary.candidates, 60);
    assert_eq!(found.summary.shown, found.candidates.len());
    assert!(found.candidates.len() >= 2, "{}", found.candidates.len());
}

#[test]
fn a_long_request_does_not_make_the_answer_long() {
    let one: String = (0..6).map(|it| format!("# {it}\n鍵\n")).collect();
    let folder = Folder::new(&[("a.md", &one), ("b.md", "錠\n")]);
    let query: String = std::iter::once("鍵 ".to_owned())
        .chain((0..124).map(|it| format!("語{it:02} ")))
        .collect::<String>()
        .chars()
        .take(500)
        .collect();
    let found = folder.find(&query);
    // It is not repeated, so what comes next needs only the trace.
    assert_eq!(actions(&found.next_actions), r#"vault_coverage {"trace_id":"vt_1"}"#);
    assert!(text::estimate_tokens(&serde_json::to_string(&found).unwrap()) <= 400);
}

#[test]
fn a_page_is_never_longer_than_1500_tokens() {
    let long = "とても長い名前のフォルダー".repeat(5);
    let text = "# 鍵\n鍵\n\n# 他\n他\n\n".repeat(45);
    let files: Vec<(String, String)> =
        (0..25).map(|it| (format!("{long}/{it:02}.md"), text.clone())).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    let folder = Folder::new(&files);
    let trace_id = folder.find("鍵").trace_id;
    let (mut offset, mut seen) = (Some(0), 0);
    while let Some(at) = offset {
        let request = CoverageRequest {
            trace_id: trace_id.clone(),
            offset: at,
            ..CoverageRequest::default()
        };
        let page = folder.vault.coverage(&request).unwrap();
        assert!(text::estimate_tokens(&serde_json::to_string(&page).unwrap()) <= 1_500);
        assert_eq!(page.files[0].open_candidates.len(), 40);
        seen += page.files.len();
        offset = page.next_offset;
    }
    assert_eq!(seen, 25);
    let (mut offset, mut seen) = (Some(0), 0);
    while let Some(at) = offset {
        let page = folder.vault.ls(&LsRequest { offset: at, ..LsRequest::default() }).unwrap();
        assert!(text::estimate_tokens(&serde_json::to_string(&page).unwrap()) <= 1_500);
        seen += page.files.len();
        offset = page.next_offset;
    }
    assert_eq!(seen, 25);
}

#[test]
fn old_finds_are_forgotten() {
    let options = LibrarySettings { trace_keep: 2, ..LibrarySettings::default() };
    let folder = Folder::with(options, &[("a.md", "鍵\n")]);
    let ids: Vec<String> = (0..3).map(|_| folder.find("鍵").trace_id).collect();
    assert_eq!(ids, ["vt_1", "vt_2", "vt_3"]);
    let ask = |id: &str| {
        let request = CoverageRequest { trace_id: id.to_owned(), ..CoverageRequest::default() };
        folder.vault.coverage(&request).map(|it| it.summary.files)
    };
    assert_eq!(ask("vt_1").unwrap_err().to_string(), "no find vt_1: it is too old or never was");
    for id in ["vt_4", "../../a", "vt_", "vt_x"] {
        assert_eq!(ask(id).unwrap_err().code(), Some("not_found"), "{id}");
    }
    assert_eq!((ask("vt_2").unwrap(), ask("vt_3").unwrap()), (1, 1));
    let traces = folder.dir.path().join("vault/.system/traces");
    let hour = std::time::Duration::from_secs(25 * 60 * 60);
    let old = fs::File::options().write(true).open(traces.join("vt_3.json")).unwrap();
    old.set_modified(old.metadata().unwrap().modified().unwrap() - hour).unwrap();
    folder.find("鍵");
    assert_eq!(ask("vt_3").unwrap_err().code(), Some("not_found"));
}

#[test]
fn a_trace_holds_no_text() {
    let folder = Folder::new(&[("a.md", EXPENSES)]);
    folder.find("経費");
    let trace = fs::read_to_string(folder.dir.path().join("vault/.system/traces/vt_1.json"));
    assert!(!trace.unwrap().contains("経費"));
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let folder = Folder::new(&[("a.md", "x\n")]);
    let find = |request: serde_json::Value| {
        let error = folder.vault.find(&serde_json::from_value(request).unwrap()).unwrap_err();
        format!("{}: {error}", error.code().unwrap())
    };
    assert_eq!(
        find(json!({"query": "・"})),
        "invalid_parameter: the query has nothing to look for"
    );
    assert_eq!(
        find(json!({"query": "x", "limit": 21})),
        "invalid_parameter: limit 21 is not between 1 and 20"
    );
    assert_eq!(find(json!({"query": "x", "folder": "no"})), "not_found: no is not in the vault");
    assert_eq!(
        find(json!({"query": "x", "folder": "../x"})),
        "invalid_path: ../x: no . or .. in a path"
    );
    assert!(serde_json::from_value::<FindRequest>(json!({"query": "x", "deep": 1})).is_err());
}

fn read(folder: &Folder, request: serde_json::Value) -> Result<serde_json::Value, LibraryError> {
    let request: ReadRequest = serde_json::from_value(request).unwrap();
    let answer = serde_json::to_value(folder.vault.read(&request)?).unwrap();
    Ok(json!([answer["start_line"], answer["end_line"], answer["text"], answer["next"]]))
}

#[test]
fn lines_and_sections_are_read_with_their_place() {
    let folder = Folder::new(&[("a.md", EXPENSES)]);
    let read = |request| read(&folder, request).unwrap();
    assert_eq!(
        read(json!({"path": "a.md", "start_line": 3, "end_line": 4})),
        json!([3, 4, "## 出張\n出張の経費は精算する。\n", null])
    );
    assert_eq!(
        read(json!({"path": "a.md", "section": "備品"})),
        json!([5, 6, "## 備品\n備品は総務が買う。\n", null])
    );
    assert_eq!(read(json!({"path": "a.md", "end_line": 99}))[1], 8);
    let whole = folder.vault.read(&ReadRequest { path: "a.md".into(), ..ReadRequest::default() });
    assert_eq!(whole.unwrap().text, EXPENSES);
}

#[test]
fn a_long_text_is_read_in_parts_that_make_the_whole() {
    let lines: String = (0..50).map(|it| format!("{it} 行\r\n")).collect();
    let text = format!("{lines}{}\n終わり", "長".repeat(95));
    let folder = Folder::new(&[("a.md", &text)]);
    let (mut whole, mut steps) = (String::new(), 0);
    let mut next = Some((1, 0));
    while let Some((start_line, start_char)) = next {
        let request = ReadRequest {
            path: "a.md".to_owned(),
            start_line: Some(start_line),
            start_char,
            max_chars: Some(40),
            ..ReadRequest::default()
        };
        let part = folder.vault.read(&request).unwrap();
        assert!(part.text.chars().count() <= 40);
        whole.push_str(&part.text);
        next = part.next.map(|it| (it.start_line, it.start_char));
        steps += 1;
    }
    assert_eq!((whole, steps), (text.clone(), 11));
    let (mut whole, mut cursor) = (String::new(), None);
    loop {
        let request = ScanRequest {
            path: Some("a.md".to_owned()),
            max_chars: Some(40),
            cursor,
            ..ScanRequest::default()
        };
        let step = folder.vault.scan(&request).unwrap();
        whole.extend(step.parts.into_iter().map(|it| it.text));
        cursor = step.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(whole, text);
}

#[test]
fn eight_thousand_characters_are_read_unless_more_are_asked_for() {
    let folder = Folder::new(&[("a.md", &"あいうえおかきくけ\n".repeat(5_000))]);
    let read = |max_chars: Option<usize>| {
        let request = ReadRequest { path: "a.md".to_owned(), max_chars, ..ReadRequest::default() };
        folder.vault.read(&request).map(|it| it.text.chars().count())
    };
    assert_eq!(read(None).unwrap(), 8_000);
    assert_eq!(read(Some(40_000)).unwrap(), 40_000);
    assert_eq!(
        read(Some(40_001)).unwrap_err().to_string(),
        "max_chars 40001 is not between 1 and 40000"
    );
}

#[test]
fn lines_that_are_not_there_are_refused() {
    let folder = Folder::new(&[("a.md", EXPENSES), ("empty.md", "")]);
    let refused = |request| {
        let error = read(&folder, request).unwrap_err();
        format!("{}: {error}", error.code().unwrap())
    };
    assert_eq!(
        refused(json!({"path": "a.md", "start_line": 9})),
        "invalid_scope: a.md has lines 1 to 8, not 9 to 8"
    );
    assert_eq!(
        refused(json!({"path": "a.md", "start_line": 0})),
        "invalid_scope: a.md has lines 1 to 8, not 0 to 8"
    );
    assert_eq!(
        refused(json!({"path": "a.md", "section": "備品", "end_line": 3})),
        "invalid_scope: either a section or lines"
    );
    assert_eq!(refused(json!({"path": "b.md"})), "not_found: b.md is not in the vault");
    assert_eq!(read(&folder, json!({"path": "empty.md"})).unwrap(), json!([1, 0, "", null]));
}

#[test]
fn files_are_listed_in_pages_without_those_of_programs() {
    let folder = Folder::new(&[("b/2.md", "x"), ("a.md", "xyz"), ("b/1.json", "{}")]);
    let root = folder.dir.path().join("vault");
    for hidden in [".hidden.md", "b/.lyra-1-1.tmp", "b/plain.txt", ".system/a.md"] {
        fs::write(root.join(hidden), "x").unwrap();
    }
    let ls = |request: serde_json::Value| {
        let request: LsRequest = serde_json::from_value(request).unwrap();
        serde_json::to_value(folder.vault.ls(&request).unwrap()).unwrap()
    };
    assert_eq!(
        ls(json!({})),
        json!({"total": 3, "files": [
            {"path": "a.md", "bytes": 3}, {"path": "b/1.json", "bytes": 2}, {"path": "b/2.md", "bytes": 1}
        ]})
    );
    assert_eq!(
        ls(json!({"folder": "b", "limit": 1})),
        json!({"total": 2, "files": [{"path": "b/1.json", "bytes": 2}], "next_offset": 1})
    );
    assert_eq!(ls(json!({"offset": 5}))["files"], json!([]));
    let empty = Vault::new(&folder.dir.path().join("none"), LibrarySettings::default());
    assert_eq!(empty.ls(&LsRequest::default()).unwrap().total, 0);
    assert!(!folder.dir.path().join("none").exists());
}

#[test]
fn a_listing_ends_at_its_limit_and_says_so() {
    let options = LibrarySettings { max_files: 2, ..LibrarySettings::default() };
    let folder = Folder::with(options, &[("a.md", "鍵"), ("b.md", "鍵"), ("c.md", "鍵")]);
    let listed = folder.vault.ls(&LsRequest::default()).unwrap();
    assert_eq!((listed.total, listed.cutoff_reason), (2, Some("max_files")));
    assert_eq!(folder.find("鍵").summary.cutoff_reason, Some("max_files"));
}

#[test]
fn a_section_can_be_replaced_as_a_whole_or_in_part() {
    let folder = Folder::new(&[("a.md", EXPENSES)]);
    let replace = |request: serde_json::Value| {
        folder.vault.replace(&serde_json::from_value(request).unwrap())
    };
    let new = "## 備品\n各課が買う。";
    replace(json!({"path": "a.md", "section": "備品", "new": new})).unwrap();
    replace(json!({"path": "a.md", "section": "出張", "old": "経費", "new": "費用"})).unwrap();
    let section = |name: &str| {
        let request = ReadRequest {
            path: "a.md".to_owned(),
            section: Some(SectionName::Heading(name.to_owned())),
            ..ReadRequest::default()
        };
        folder.vault.read(&request).unwrap().text
    };
    assert_eq!(section("備品"), "## 備品\n各課が買う。\n");
    assert_eq!(section("出張"), "## 出張\n出張の費用は精算する。\n");
    assert_eq!(section("タクシー"), "## タクシー\nタクシー代も経費・精算の対象。\n");
    assert_eq!(
        replace(json!({"path": "a.md", "new": "x"})).unwrap_err().to_string(),
        "name the old text, or a section without a count"
    );
}
