//! `lyra import`.

use crate::support::Home;
use crate::world::small_investigation;

/// A small investigation as an export.
fn exported() -> String {
    let home = Home::new();
    let task = home.fill(small_investigation);
    home.run(&format!("export {task}")).stdout
}

#[test]
fn what_was_exported_is_the_same_graph_elsewhere() {
    let text = exported();
    let home = Home::new();
    home.write("in.jsonl", &text);
    let answer = home.run("import in.jsonl");
    assert_eq!(answer.code, Some(0), "{answer}");
    let task = answer.stdout.trim();
    assert_eq!(home.run(&format!("export {task}")).stdout, text);
}

#[test]
fn importing_again_adds_nothing() {
    let text = exported();
    let home = Home::new();
    let first = home.run_with_stdin(text.as_bytes(), "import - --json").json();
    assert_eq!(first["known"], 0);
    assert_eq!(first["added"]["claims"], 6);
    let second = home.run_with_stdin(text.as_bytes(), "import - --json").json();
    assert_eq!(second["added"], serde_json::json!({}));
    assert_eq!(second["known"], text.lines().count() - 1);
}

#[test]
fn a_changed_line_is_named_and_nothing_is_kept() {
    let home = Home::new();
    home.write("in.jsonl", &exported().replace("supports", "endorses"));
    let answer = home.run("import in.jsonl");
    assert_eq!(answer.code, Some(2));
    assert!(answer.stderr.starts_with("error: line "), "{answer}");
    assert!(answer.stderr.contains("the row is not allowed: CHECK constraint failed"), "{answer}");
    assert_eq!(home.run("task list --json").json()["tasks"], serde_json::json!([]));
}

#[test]
fn other_files_are_refused() {
    let home = Home::new();
    home.write("photo.jpg", "\u{fffd}JFIF");
    insta::assert_snapshot!(home.run("import photo.jpg"), @"
    --- stderr
    error: this is not a Lyra export: expected value at line 1 column 1
    hint: name a file that `lyra export` wrote; nothing was changed
    --- exit 2
    ");
    insta::assert_snapshot!(home.run("import nowhere.jsonl"), @"
    --- stderr
    error: cannot open nowhere.jsonl: No such file or directory (os error 2)
    hint: name a file that `lyra export` wrote
    --- exit 2
    ");
    insta::assert_snapshot!(home.run_with_stdin(&[0xff, 0xfe, 0x00], "import -"), @"
    --- stderr
    error: cannot read the export
    cause: stream did not contain valid UTF-8
    hint: check the file and its rights; nothing was imported
    --- exit 2
    ");
}
