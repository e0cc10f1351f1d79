//! From the manuals into the vault without a detour through the client.

use std::fs;
use std::path::PathBuf;

use library::vault::CreateRequest;
use library::{
    CopyAnswer, CopyRequest, FindRequest, LibraryError, LibrarySettings, ManualOptions, Manuals,
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
この規程は経費の精算について定める。

## 第2条（期限）
精算は支出の日から30日以内に行う。

### 例外
海外出張は60日以内とする。
";

impl Library {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("manuals/hr/規程")).unwrap();
        let manual = |path: &str, text: &str| {
            fs::write(dir.path().join("manuals/hr").join(path), text).unwrap();
        };
        manual("規程/経費.md", RULES);
        manual("front.md", "---\ntitle: x\n---\n# a\ntext");
        manual("limits.json", "{\n  \"期限\": 30\n}\n");
        manual("empty.md", "");
        let vault = Vault::new(&dir.path().join("vault"), LibrarySettings::default());
        Self { dir, vault }
    }

    fn open(&self) -> Manuals {
        Manuals::new(ManualOptions {
            root: self.manuals(),
            state: self.dir.path().join("state"),
            ..ManualOptions::default()
        })
    }

    fn manuals(&self) -> PathBuf {
        self.dir.path().join("manuals")
    }

    fn copy(&self, request: serde_json::Value) -> Result<CopyAnswer, LibraryError> {
        let request: CopyRequest = serde_json::from_value(request).unwrap();
        self.open().copy_to(&self.vault, &request, &NOW)
    }

    fn text(&self, path: &str) -> String {
        fs::read_to_string(self.dir.path().join("vault").join(path)).unwrap()
    }
}

fn refusal(result: Result<CopyAnswer, LibraryError>) -> String {
    let error = result.unwrap_err();
    format!("{}: {error}", error.code().unwrap_or("-"))
}

#[test]
fn a_section_is_copied_with_its_descendants_and_a_note_of_where_it_is_from() {
    let library = Library::new();
    let answer = library
        .copy(json!({
            "manual_id": "hr", "path": "規程/経費.md", "section": "第２条(期限)", "target": "写し.md"
        }))
        .unwrap();
    insta::assert_snapshot!(serde_json::to_string(&answer).unwrap(), @r#"{"target":"写し.md","origin":{"manual_id":"hr","path":"規程/経費.md","start_line":6,"end_line":10,"hash":"012232712f747e0ce41b1f86a4b63f71"},"lines":6,"bytes":233,"hash":"d0d4dedae587fba9787cd846e229e85e"}"#);
    insta::assert_snapshot!(library.text("写し.md"), @r#"
    <!-- lyra:copy manual="hr" path="規程/経費.md" lines="6-10" hash="012232712f747e0ce41b1f86a4b63f71" -->
    ## 第2条（期限）
    精算は支出の日から30日以内に行う。

    ### 例外
    海外出張は60日以内とする。
    "#);
}

#[test]
fn the_answer_does_not_hold_the_text() {
    let library = Library::new();
    let request = json!({"manual_id": "hr", "path": "規程/経費.md", "target": "a.md"});
    let answer = serde_json::to_string(&library.copy(request).unwrap()).unwrap();
    assert!(!answer.contains("精算"), "{answer}");
    assert!(library.text("a.md").ends_with(RULES));
}

#[test]
fn a_target_that_is_there_is_only_added_to() {
    let library = Library::new();
    let request = |line: u32, mode: &str| {
        json!({
            "manual_id": "hr", "path": "規程/経費.md", "section": line, "target": "a.md", "mode": mode
        })
    };
    assert_eq!(refusal(library.copy(request(3, "append"))), "not_found: a.md is not in the vault");
    let text = "# 調べたこと".to_owned();
    library.vault.create(&CreateRequest { path: "a.md".to_owned(), text }).unwrap();
    assert_eq!(refusal(library.copy(request(3, "create"))), "conflict: a.md is there already");
    library.copy(request(4, "append")).unwrap();
    library.copy(request(9, "append")).unwrap();
    insta::assert_snapshot!(library.text("a.md"), @r#"
    # 調べたこと

    <!-- lyra:copy manual="hr" path="規程/経費.md" lines="3-5" hash="c5f3a035e5d05f37014aa66d36b61280" -->
    ## 第1条（目的）
    この規程は経費の精算について定める。

    <!-- lyra:copy manual="hr" path="規程/経費.md" lines="9-10" hash="e9ec68964bf7a13286e92d3fb423b716" -->
    ### 例外
    海外出張は60日以内とする。
    "#);
}

#[test]
fn front_matter_stays_on_top() {
    let library = Library::new();
    library.copy(json!({"manual_id": "hr", "path": "front.md", "target": "a.md"})).unwrap();
    insta::assert_snapshot!(library.text("a.md"), @r#"
    ---
    title: x
    ---
    <!-- lyra:copy manual="hr" path="front.md" lines="1-5" hash="a9153f93f6426bc403129df0bd026f5d" -->
    # a
    text
    "#);
}

#[test]
fn json_becomes_a_file_of_its_own_or_code_in_a_text() {
    let library = Library::new();
    let request = |target: &str, mode: &str| json!({"manual_id": "hr", "path": "limits.json", "target": target, "mode": mode});
    library.copy(request("a.json", "create")).unwrap();
    assert_eq!(library.text("a.json"), "{\n  \"期限\": 30\n}\n");
    library.copy(request("b.json", "create")).unwrap();
    assert_eq!(
        refusal(library.copy(request("a.json", "append"))),
        "invalid_parameter: only a whole JSON file can become a new JSON file"
    );
    library.copy(request("a.md", "create")).unwrap();
    insta::assert_snapshot!(library.text("a.md"), @r#"
    <!-- lyra:copy manual="hr" path="limits.json" lines="1-3" hash="332055e81dbb63f5eebf6c7fc63e4f95" -->
    ```json
    {
      "期限": 30
    }
    ```
    "#);
    let from_markdown = json!({"manual_id": "hr", "path": "front.md", "target": "c.json"});
    assert_eq!(
        refusal(library.copy(from_markdown)),
        "invalid_parameter: only a whole JSON file can become a new JSON file"
    );
}

#[test]
fn neither_side_can_be_left() {
    let library = Library::new();
    fs::write(library.dir.path().join("secret.md"), "secret").unwrap();
    let request = |id: &str, path: &str, target: &str| {
        refusal(library.copy(json!({"manual_id": id, "path": path, "target": target})))
    };
    assert_eq!(request("..", "secret.md", "a.md"), "invalid_path: ..: no . or .. in a path");
    assert_eq!(
        request("hr", "../../secret.md", "a.md"),
        "invalid_path: ../../secret.md: no . or .. in a path"
    );
    assert_eq!(
        request("hr/規程", "経費.md", "a.md"),
        "invalid_path: hr/規程: a manual is one folder"
    );
    assert_eq!(request("hr", "front.md", "../a.md"), "invalid_path: ../a.md: no . or .. in a path");
    assert_eq!(
        request("hr", "front.md", ".system/a.md"),
        "forbidden: .system belongs to the program"
    );
    assert_eq!(request("hr", "no.md", "a.md"), "not_found: hr has no file no.md");
    assert_eq!(request("no", "no.md", "a.md"), "not_found: no has no file no.md");
    assert_eq!(request("hr", "empty.md", "a.md"), "invalid_scope: empty.md is empty");
    assert!(!library.dir.path().join("vault").exists());
}

#[cfg(unix)]
#[test]
fn a_link_in_a_manual_that_leaves_the_manuals_is_not_copied() {
    let library = Library::new();
    fs::write(library.dir.path().join("secret.md"), "secret").unwrap();
    std::os::unix::fs::symlink("../../secret.md", library.manuals().join("hr/link.md")).unwrap();
    let request = json!({"manual_id": "hr", "path": "link.md", "target": "a.md"});
    assert_eq!(
        refusal(library.copy(request)),
        "invalid_path: hr/link.md: a link in it leaves the folder"
    );
}

#[test]
fn a_copy_counts_as_a_use_of_what_was_found() {
    let library = Library::new();
    let manuals = library.open();
    let moment = NOW;
    let request = FindRequest { query: "経費の精算".to_owned(), ..FindRequest::default() };
    let trace_id = manuals.find(&request, &moment).unwrap().trace_id;
    let copy = |trace_id: &str, section: Option<&str>, target: &str| {
        let request: CopyRequest = serde_json::from_value(json!({
            "manual_id": "hr", "path": "規程/経費.md", "section": section, "target": target,
            "trace_id": trace_id
        }))
        .unwrap();
        manuals.copy_to(&library.vault, &request, &moment)
    };
    copy(&trace_id, Some("第1条（目的）"), "a.md").unwrap();
    let trace = || manuals.trace(&trace_id, &moment).unwrap();
    let used = || trace().used.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(used(), ["hr/規程/経費.md#L3"]);
    // The whole file is a use of everything that was found in it.
    copy(&trace_id, None, "c.md").unwrap();
    let found: Vec<String> = trace()
        .candidates
        .iter()
        .filter(|it| it.place.path == "規程/経費.md")
        .map(|it| it.place.to_string())
        .collect();
    assert!(found.len() > 1, "{found:?}");
    let (mut used, mut found) = (used(), found);
    used.sort();
    found.sort();
    assert_eq!(used, found);
    let refused = copy("tr_0000000000000000", None, "b.md").unwrap_err();
    assert_eq!(refused.code(), Some("not_found"));
    assert!(!library.dir.path().join("vault/b.md").exists());
}
