//! `lyra export`.

use crate::support::Home;
use crate::world::small_investigation;

/// A home with a small investigation, and the id of its task.
fn explored() -> (Home, String) {
    let home = Home::new();
    let task = home.fill(small_investigation);
    (home, task.to_string())
}

#[test]
fn a_task_goes_to_stdout_line_by_line() {
    let (home, task) = explored();
    let answer = home.run(&format!("export {task}"));
    assert_eq!(answer.code, Some(0));
    let lines: Vec<serde_json::Value> =
        answer.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["task_id"], task.as_str());
    let claims = lines.iter().filter(|it| it["table"] == "claims").count();
    assert_eq!(claims, 6);
    assert_eq!(answer.stderr, format!("{} rows written.\n", lines.len() - 1));
}

#[test]
fn a_file_is_whole_or_not_there_and_never_overwritten() {
    let (home, task) = explored();
    let answer = home.run(&format!("export {task} --output out.jsonl"));
    assert_eq!(answer.code, Some(0));
    let written = std::fs::read_to_string(home.path().join("out.jsonl")).unwrap();
    assert_eq!(written, home.run(&format!("export {task}")).stdout);
    assert!(!home.path().join("out.jsonl.part").exists());
    insta::assert_snapshot!(home.run(&format!("export {task} --output out.jsonl")), @"
    --- stderr
    error: out.jsonl exists already
    hint: choose another name, or remove it first
    --- exit 2
    ");
}

#[test]
fn csv_files_are_named_after_their_tables() {
    let (home, task) = explored();
    let answer = home.run(&format!("export {task} --csv tables --json")).json();
    assert_eq!(answer["rows"]["pages"], 6);
    let pages = std::fs::read_to_string(home.path().join("tables/pages.csv")).unwrap();
    assert_eq!(pages.lines().count(), 7);
    assert!(pages.contains("テレワーク実態調査 5"));
}

#[test]
fn a_task_that_is_not_there_is_not_found() {
    let (home, _) = explored();
    insta::assert_snapshot!(home.run("export task_01ARZ3NDEKTSV4RRFFQ69G5FAV"), @"
    --- stderr
    error: no task task_AAAAAAAAAAAAAAAAAAAAAAAAAA
    hint: `lyra task list` shows the tasks
    --- exit 3
    ");
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let (home, task) = explored();
    home.write("a-file", "");
    insta::assert_snapshot!(home.run(&format!("export {task} --csv a-file/tables")), @"
    --- stderr
    error: cannot write the export
    cause: Not a directory (os error 20)
    hint: check the folder, its rights and its free space; the graph is unchanged
    --- exit 5
    ");
    insta::assert_snapshot!(home.run(&format!("export {task} --output nowhere/out.jsonl")), @"
    --- stderr
    error: cannot write the export
    cause: No such file or directory (os error 2)
    hint: check the folder, its rights and its free space; the graph is unchanged
    --- exit 5
    ");
}
