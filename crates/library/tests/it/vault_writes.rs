//! What may be written, and what is there afterwards.

use std::fs;

use library::vault::{CreateRequest, ReplaceRequest, WriteMode, WriteRequest, Written};
use library::{LibraryError, LibrarySettings, Vault};
use serde_json::json;

struct Folder {
    dir: tempfile::TempDir,
    vault: Vault,
}

impl Folder {
    fn new() -> Self {
        Self::with(LibrarySettings::default())
    }

    fn with(options: LibrarySettings) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let vault = Vault::new(&dir.path().join("vault"), options);
        Self { dir, vault }
    }

    fn create(&self, path: &str, text: &str) -> Result<Written, LibraryError> {
        self.vault.create(&CreateRequest { path: path.to_owned(), text: text.to_owned() })
    }

    fn write(&self, path: &str, text: &str, mode: WriteMode) -> Result<Written, LibraryError> {
        let (path, text) = (path.to_owned(), text.to_owned());
        self.vault.write(&WriteRequest { path, text, mode, expected_hash: None })
    }

    fn replace(&self, request: serde_json::Value) -> Result<Written, LibraryError> {
        self.vault.replace(&serde_json::from_value::<ReplaceRequest>(request).unwrap())
    }

    fn text(&self, path: &str) -> String {
        fs::read_to_string(self.dir.path().join("vault").join(path)).unwrap()
    }
}

/// The code and the message of a refusal.
fn refusal(result: Result<Written, LibraryError>) -> String {
    let error = result.unwrap_err();
    format!("{}: {error}", error.code().unwrap_or("-"))
}

#[test]
fn a_file_is_made_once_with_the_folders_on_the_way() {
    let folder = Folder::new();
    let written = folder.create("計画/2026/概要.md", "# 概要\n本文").unwrap();
    insta::assert_snapshot!(serde_json::to_string(&written).unwrap(), @r#"{"path":"計画/2026/概要.md","bytes":15,"lines":2,"hash":"8ae3903cb98b683d3f765be189842564"}"#);
    assert_eq!(folder.text("計画/2026/概要.md"), "# 概要\n本文");
    let again = refusal(folder.create("計画/2026/概要.md", "other"));
    assert_eq!(again, "conflict: 計画/2026/概要.md is there already");
    assert_eq!(folder.text("計画/2026/概要.md"), "# 概要\n本文");
}

#[test]
fn writing_needs_a_file_and_makes_nothing_without_one() {
    let folder = Folder::new();
    let missing = refusal(folder.write("a.md", "x", WriteMode::Overwrite));
    assert_eq!(missing, "not_found: a.md is not in the vault");
    let missing = refusal(folder.replace(json!({"path": "a.md", "old": "x", "new": "y"})));
    assert_eq!(missing, "not_found: a.md is not in the vault");
    assert!(!folder.dir.path().join("vault").exists());
}

#[test]
fn a_text_is_overwritten_or_grows_by_whole_lines() {
    let folder = Folder::new();
    folder.create("a.md", "one").unwrap();
    folder.write("a.md", "two\n", WriteMode::Append).unwrap();
    assert_eq!(folder.text("a.md"), "one\ntwo\n");
    folder.write("a.md", "three", WriteMode::Append).unwrap();
    assert_eq!(folder.text("a.md"), "one\ntwo\nthree");
    folder.write("a.md", "新しい", WriteMode::Overwrite).unwrap();
    assert_eq!(folder.text("a.md"), "新しい");
    folder.write("a.md", "", WriteMode::Overwrite).unwrap();
    folder.write("a.md", "x", WriteMode::Append).unwrap();
    assert_eq!(folder.text("a.md"), "x");
}

#[test]
fn daily_notes_only_grow() {
    let folder = Folder::new();
    let day = "daily/2026-11-15.md";
    folder.create(day, "- 朝\n").unwrap();
    folder.write(day, "- 夜\n", WriteMode::Append).unwrap();
    let overwrite = refusal(folder.write(day, "x", WriteMode::Overwrite));
    assert_eq!(overwrite, "forbidden: daily/2026-11-15.md: daily notes only grow");
    let replace = refusal(folder.replace(json!({"path": day, "old": "朝", "new": "昼"})));
    assert_eq!(replace, "forbidden: daily/2026-11-15.md: daily notes only grow");
    assert_eq!(folder.text(day), "- 朝\n- 夜\n");
}

#[test]
fn a_replaced_text_must_be_there_as_often_as_expected() {
    let folder = Folder::new();
    folder.create("a.md", "期限は3日。期限は3日。\n").unwrap();
    let twice = refusal(folder.replace(json!({"path": "a.md", "old": "3日", "new": "5日"})));
    assert_eq!(twice, "conflict: a.md has the old text 2 times, not 1");
    let none = refusal(folder.replace(json!({"path": "a.md", "old": "4日", "new": "5日"})));
    assert_eq!(none, "conflict: a.md has the old text 0 times, not 1");
    let nothing = json!({"path": "a.md", "old": "", "new": "5日"});
    assert_eq!(
        refusal(folder.replace(nothing)),
        "invalid_parameter: the old text and how often it is there cannot be nothing"
    );
    folder
        .replace(json!({"path": "a.md", "old": "3日", "new": "5日", "expected_count": 2}))
        .unwrap();
    assert_eq!(folder.text("a.md"), "期限は5日。期限は5日。\n");
}

#[test]
fn a_file_that_has_changed_since_it_was_read_is_not_written() {
    let folder = Folder::new();
    let first = folder.create("a.md", "one\n").unwrap();
    let second = folder.write("a.md", "two\n", WriteMode::Append).unwrap();
    let stale = |hash: &str| WriteRequest {
        path: "a.md".to_owned(),
        text: "three\n".to_owned(),
        mode: WriteMode::Overwrite,
        expected_hash: Some(hash.to_owned()),
    };
    let refused = refusal(folder.vault.write(&stale(&first.hash)));
    assert_eq!(refused, format!("conflict: a.md has changed: its hash is {}", second.hash));
    let replace = json!({"path": "a.md", "old": "one", "new": "1", "expected_hash": first.hash});
    assert_eq!(refusal(folder.replace(replace)), refused);
    folder.vault.write(&stale(&second.hash)).unwrap();
    assert_eq!(folder.text("a.md"), "three\n");
}

#[test]
fn a_json_file_always_holds_json() {
    let folder = Folder::new();
    folder.create("a.json", r#"{"期限": 3}"#).unwrap();
    assert_eq!(
        refusal(folder.write("a.json", "{}", WriteMode::Append)),
        "invalid_parameter: a.json is not JSON: trailing characters at line 2 column 1"
    );
    assert_eq!(
        refusal(folder.create("b.json", "{")),
        "invalid_parameter: b.json is not JSON: EOF while parsing an object at line 1 column 1"
    );
    assert_eq!(folder.text("a.json"), r#"{"期限": 3}"#);
}

#[test]
fn files_have_a_largest_size() {
    let folder =
        Folder::with(LibrarySettings { vault_file_bytes: 10, ..LibrarySettings::default() });
    folder.create("a.md", "1234567890").unwrap();
    let refused = "invalid_parameter: a.md has more than 10 bytes";
    assert_eq!(refusal(folder.write("a.md", "1", WriteMode::Append)), refused);
    assert_eq!(
        refusal(folder.create("b.md", "12345678901")),
        "invalid_parameter: b.md has more than 10 bytes"
    );
    fs::write(folder.dir.path().join("vault/a.md"), "12345678901").unwrap();
    assert_eq!(refusal(folder.write("a.md", "1", WriteMode::Append)), refused);
}

#[test]
fn a_file_that_is_not_text_is_left_alone() {
    let folder = Folder::new();
    folder.create("a.md", "x").unwrap();
    fs::write(folder.dir.path().join("vault/a.md"), b"\xff\xfe").unwrap();
    let refused = refusal(folder.write("a.md", "1", WriteMode::Append));
    assert_eq!(refused, "invalid_parameter: a.md is not UTF-8 text");
}

#[test]
fn unknown_fields_are_refused() {
    let request = json!({"path": "a.md", "text": "", "mode": "append", "force": true});
    let error = serde_json::from_value::<WriteRequest>(request).unwrap_err().to_string();
    assert!(error.starts_with("unknown field `force`"), "{error}");
}

#[cfg(unix)]
#[test]
fn a_new_version_keeps_the_permissions_and_a_locked_file_stays_as_it_is() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = Folder::new();
    folder.create("a.md", "x").unwrap();
    let file = folder.dir.path().join("vault/a.md");
    let mode = || fs::metadata(&file).unwrap().permissions().mode() & 0o777;
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    folder.write("a.md", "y", WriteMode::Overwrite).unwrap();
    assert_eq!(mode(), 0o600);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).unwrap();
    let refused = refusal(folder.write("a.md", "z", WriteMode::Overwrite));
    assert_eq!(refused, "forbidden: a.md is read-only");
    assert_eq!(folder.text("a.md"), "y");
}

#[test]
fn a_temporary_file_of_a_dead_writer_is_removed_by_the_next_write() {
    let folder = Folder::new();
    folder.create("a.md", "x").unwrap();
    let left = folder.dir.path().join("vault/.lyra-4711-3.tmp");
    fs::write(&left, "half").unwrap();
    folder.write("a.md", "y", WriteMode::Append).unwrap();
    assert!(!left.exists());
}

#[test]
fn writers_that_append_at_the_same_time_lose_nothing() {
    let folder = Folder::new();
    folder.create("log.md", "").unwrap();
    std::thread::scope(|scope| {
        for writer in 0..4 {
            // Each with a vault of its own, as two processes would have.
            let vault = Vault::new(&folder.dir.path().join("vault"), LibrarySettings::default());
            scope.spawn(move || {
                for number in 0..25 {
                    let request = WriteRequest {
                        path: "log.md".to_owned(),
                        text: format!("{writer} {number}\n"),
                        mode: WriteMode::Append,
                        expected_hash: None,
                    };
                    vault.write(&request).unwrap();
                }
            });
        }
    });
    let mut lines: Vec<String> = folder.text("log.md").lines().map(str::to_owned).collect();
    lines.sort();
    let mut expected: Vec<String> =
        (0..4).flat_map(|writer| (0..25).map(move |it| format!("{writer} {it}"))).collect();
    expected.sort();
    assert_eq!(lines, expected);
}

#[test]
fn of_many_that_make_the_same_file_one_succeeds() {
    let folder = Folder::new();
    let made: Vec<String> = std::thread::scope(|scope| {
        let writers: Vec<_> = (0..8)
            .map(|it| {
                let folder = &folder;
                scope.spawn(move || folder.create("one/a.md", &it.to_string()).map(|_| it))
            })
            .collect();
        let results = writers.into_iter().map(|it| it.join().unwrap());
        results.filter_map(Result::ok).map(|it: i32| it.to_string()).collect()
    });
    assert_eq!(made, [folder.text("one/a.md")]);
}

#[test]
fn a_writer_that_holds_the_vault_too_long_is_named_as_the_reason() {
    let options = LibrarySettings { lock_wait_ms: 0, ..LibrarySettings::default() };
    let folder = Folder::with(options);
    folder.create("a.md", "x").unwrap();
    let lock = fs::File::open(folder.dir.path().join("vault/.system/lock")).unwrap();
    lock.lock().unwrap();
    let refused = refusal(folder.create("b.md", "x"));
    assert_eq!(refused, "conflict: another program has been writing to the vault for 0 s");
    lock.unlock().unwrap();
    folder.create("b.md", "x").unwrap();
}
