//! What a document took from a manual, and what it left.

use std::fs;

use library::vault::{CreateRequest, WriteMode, WriteRequest};
use library::{
    AuditAnswer, AuditRequest, CopyRequest, LibraryError, LibrarySettings, ManualOptions, Manuals,
    Vault,
};
use serde_json::json;

use crate::corpus::NOW;

struct Library {
    dir: tempfile::TempDir,
    vault: Vault,
}

const RULES: &str = "\
# 経費規程

## 第1条（目的）
この規程は経費の精算について必要な事項を定める。

## 第2条（期限）
精算は支出の日から３０日以内に行わなければならない。遅れた場合は理由書を添えて課長に提出する。

### 例外
海外出張の精算は帰国の日から60日以内とする。

## Travel abroad
Employees who travel abroad must keep every original
receipt for seven years. Copies are not enough for the tax office.

- Meals up to 40 euros a day need no receipt at all.
";

impl Library {
    fn new(documents: &[(&str, &str)]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("manuals/hr/規程")).unwrap();
        fs::write(dir.path().join("manuals/hr/規程/経費.md"), RULES).unwrap();
        let vault = Vault::new(&dir.path().join("vault"), LibrarySettings::default());
        for (path, text) in documents {
            let request = CreateRequest { path: (*path).to_owned(), text: (*text).to_owned() };
            vault.create(&request).unwrap();
        }
        Self { dir, vault }
    }

    fn manuals(&self) -> Manuals {
        Manuals::new(ManualOptions {
            root: self.dir.path().join("manuals"),
            state: self.dir.path().join("state"),
            ..ManualOptions::default()
        })
    }

    fn change_manual(&self, change: impl Fn(&str) -> String) {
        let path = self.dir.path().join("manuals/hr/規程/経費.md");
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, change(&text)).unwrap();
    }

    fn copy(&self, section: &str, target: &str) {
        let request: CopyRequest = serde_json::from_value(json!({
            "manual_id": "hr", "path": "規程/経費.md", "section": section, "target": target
        }))
        .unwrap();
        self.manuals().copy_to(&self.vault, &request, &NOW).unwrap();
    }

    fn ask(&self, request: serde_json::Value) -> Result<AuditAnswer, LibraryError> {
        let request: AuditRequest = serde_json::from_value(request).unwrap();
        self.vault.audit(&self.manuals(), &request)
    }

    fn audit(&self) -> AuditAnswer {
        self.ask(json!({"manual_id": "hr", "path": "規程/経費.md"})).unwrap()
    }
}

/// What a reader would want to see, one thing per line.
fn shown(answer: &AuditAnswer) -> String {
    let mut lines = vec![format!(
        "{}/{} lines, {} %",
        answer.touched_lines, answer.lines, answer.touched_percent
    )];
    for it in &answer.touched {
        let documents: Vec<&str> = it.documents.iter().map(|it| it.as_str()).collect();
        lines.push(format!(
            "{}-{} {:?} {}",
            it.span.start_line,
            it.span.end_line,
            it.reasons,
            documents.join(" ")
        ));
    }
    for it in &answer.untouched {
        lines.push(format!("{}-{} untouched", it.start_line, it.end_line));
    }
    for it in &answer.untouched_sections {
        lines.push(format!("{}-{} section {}", it.span.start_line, it.span.end_line, it.heading));
    }
    for it in &answer.warnings {
        let line = it.line.map_or_else(String::new, |it| format!(":{it}"));
        lines.push(format!("{}{line} {}", it.document, it.problem));
    }
    lines.join("\n")
}

#[test]
fn a_copy_touches_all_its_lines() {
    let library = Library::new(&[]);
    library.copy("第2条（期限）", "写し.md");
    insta::assert_snapshot!(shown(&library.audit()), @"
    2/6 lines, 33.3 %
    7-10 {Copied} 写し.md
    4-4 untouched
    13-16 untouched
    3-5 section 第1条（目的）
    12-16 section Travel abroad
    ");
}

#[test]
fn references_touch_the_lines_they_name() {
    let library = Library::new(&[(
        "メモ.md",
        "目的は hr/規程/経費.md#L4 を参照。\n海外は 規程/経費.md:13-14 にある。\n古い: 規程/経費.md#L90-L95\n別: it/規程/経費.md#L10\n",
    )]);
    insta::assert_snapshot!(shown(&library.audit()), @"
    3/6 lines, 50 %
    4-4 {Referenced} メモ.md
    13-14 {Referenced} メモ.md
    7-10 untouched
    16-16 untouched
    6-11 section 第2条（期限）
    メモ.md:3 it names lines 90-95 of 16
    ");
}

#[test]
fn a_reference_to_a_heading_means_its_section() {
    let library = Library::new(&[("a.md", "See hr/規程/経費.md#L6.\n")]);
    insta::assert_snapshot!(shown(&library.audit()), @"
    2/6 lines, 33.3 %
    7-10 {Referenced} a.md
    4-4 untouched
    13-16 untouched
    3-5 section 第1条（目的）
    12-16 section Travel abroad
    ");
}

#[test]
fn sentences_are_recognised_however_they_are_set() {
    let library = Library::new(&[
        ("ja.md", "まとめると、**精算は支出の日から30日以内に行わなければならない**とのこと。\n"),
        (
            "en.md",
            "> Employees who travel abroad must\n> keep every original receipt for seven years.\n",
        ),
    ]);
    insta::assert_snapshot!(shown(&library.audit()), @"
    3/6 lines, 50 %
    7-7 {Quoted} ja.md
    13-14 {Quoted} en.md
    4-4 untouched
    10-10 untouched
    16-16 untouched
    3-5 section 第1条（目的）
    9-11 section 例外
    ");
}

#[test]
fn a_part_of_a_sentence_counts_when_it_is_quoted() {
    let library = Library::new(&[(
        "a.md",
        "規程は「理由書を添えて課長に提出」と言い、\n\n英語では \"40 euros a day need no receipt\" とある。\n",
    )]);
    insta::assert_snapshot!(shown(&library.audit()), @"
    2/6 lines, 33.3 %
    7-7 {Quoted} a.md
    16-16 {Quoted} a.md
    4-4 untouched
    10-14 untouched
    3-5 section 第1条（目的）
    9-11 section 例外
    ");
}

#[test]
fn words_that_only_look_alike_touch_nothing() {
    let library = Library::new(&[(
        "a.md",
        "精算は30日以内。海外出張の精算は60日以内。Keep receipts for seven years. 「精算」\n",
    )]);
    insta::assert_snapshot!(shown(&library.audit()), @"
    0/6 lines, 0 %
    4-16 untouched
    1-16 section 経費規程
    ");
}

#[test]
fn a_manual_that_changed_since_the_copy_is_told_apart_from_one_whose_lines_moved() {
    let library = Library::new(&[]);
    library.copy("第1条（目的）", "a.md");
    library.copy("例外", "b.md");
    library.change_manual(|it| {
        it.replace("# 経費規程\n", "# 経費規程\n\n2026年改定\n").replace("60日", "90日")
    });
    insta::assert_snapshot!(shown(&library.audit()), @"
    1/7 lines, 14.3 %
    6-6 {Copied} a.md
    3-3 untouched
    9-18 untouched
    8-13 section 第2条（期限）
    14-18 section Travel abroad
    a.md:1 the lines 3-5 that were copied are now 5-7
    b.md:1 the manual has changed since its lines 9-11 were copied
    ");
}

#[test]
fn several_documents_are_told_apart_and_one_can_be_asked_for() {
    let library = Library::new(&[
        ("a.md", "規程/経費.md:4\n"),
        ("b.md", "規程/経費.md:4 規程/経費.md:10\n"),
        ("c.md", "無関係\n"),
    ]);
    insta::assert_snapshot!(shown(&library.audit()), @"
    2/6 lines, 33.3 %
    4-4 {Referenced} a.md b.md
    10-10 {Referenced} b.md
    7-7 untouched
    13-16 untouched
    12-16 section Travel abroad
    ");
    let one = json!({"manual_id": "hr", "path": "規程/経費.md", "documents": ["a.md"]});
    let one = library.ask(one).unwrap();
    assert_eq!((one.documents, one.touched_lines), (1, 1));
}

#[test]
fn one_section_can_be_audited() {
    let library = Library::new(&[("a.md", "規程/経費.md:10 規程/経費.md:13\n")]);
    let section = json!({"manual_id": "hr", "path": "規程/経費.md", "section": "第2条（期限）"});
    insta::assert_snapshot!(shown(&library.ask(section).unwrap()), @"
    1/2 lines, 50 %
    10-10 {Referenced} a.md
    7-7 untouched
    ");
}

#[test]
fn a_copied_json_file_is_known_without_a_note_in_it() {
    let library = Library::new(&[]);
    fs::write(library.dir.path().join("manuals/hr/a.json"), "{\n\"期限\": 30\n}\n").unwrap();
    let request: CopyRequest =
        serde_json::from_value(json!({"manual_id": "hr", "path": "a.json", "target": "b.json"}))
            .unwrap();
    library.manuals().copy_to(&library.vault, &request, &NOW).unwrap();
    let audit = || library.ask(json!({"manual_id": "hr", "path": "a.json"})).unwrap();
    insta::assert_snapshot!(shown(&audit()), @"
    1/1 lines, 100 %
    2-2 {Copied} b.json
    ");
    fs::write(library.dir.path().join("manuals/hr/a.json"), "{\n\"期限\": 60\n}\n").unwrap();
    insta::assert_snapshot!(shown(&audit()), @"
    0/1 lines, 0 %
    2-2 untouched
    b.json the manual has changed since its lines 1-3 were copied
    ");
}

#[test]
fn a_vault_without_documents_has_touched_nothing() {
    let library = Library::new(&[]);
    let answer = library.audit();
    assert_eq!((answer.documents, answer.touched_lines, answer.lines), (0, 0, 6));
    assert_eq!(answer.untouched_sections[0].heading, "経費規程");
    assert_eq!(answer.untouched_sections.len(), 1);
    let missing = json!({"manual_id": "hr", "path": "規程/経費.md", "documents": ["no.md"]});
    assert_eq!(library.ask(missing).unwrap_err().to_string(), "no.md is not in the vault");
}

#[test]
fn a_file_that_cannot_be_read_is_named_and_the_others_still_count() {
    let library = Library::new(&[("a.md", "規程/経費.md:4\n"), ("b.md", "x")]);
    fs::write(library.dir.path().join("vault/b.md"), b"\xff").unwrap();
    let answer = library.audit();
    assert_eq!((answer.documents, answer.touched_lines), (1, 1));
    assert_eq!(answer.warnings[0].problem, "b.md is not UTF-8 text");
}

#[test]
fn a_copy_that_was_written_on_still_counts() {
    let library = Library::new(&[]);
    library.copy("例外", "a.md");
    let request = WriteRequest {
        path: "a.md".to_owned(),
        text: "追記\n".to_owned(),
        mode: WriteMode::Append,
        expected_hash: None,
    };
    library.vault.write(&request).unwrap();
    assert_eq!(library.audit().lines_by_reason.copied, 1);
}

#[test]
fn the_files_that_a_document_names_can_be_asked_for() {
    let library = Library::new(&[("a.md", "hr/別.md#L1 と it/x.md:3、hr/無い.md#L1、hr/y.md\n")]);
    library.copy("例外", "b.md");
    let manuals = library.manuals();
    fs::create_dir(manuals.root().join("it")).unwrap();
    for path in ["hr/別.md", "hr/y.md", "it/x.md"] {
        fs::write(manuals.root().join(path), "1\n2\n3\n").unwrap();
    }
    let cited = |document: &str| {
        let cited = library.vault.cited_files(&manuals, document).unwrap();
        let files = cited.iter().map(|it| format!("{}/{}", it.manual_id, it.path));
        files.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(cited("a.md"), "hr/別.md it/x.md");
    assert_eq!(cited("b.md"), "hr/規程/経費.md");
}
