//! What a program reads: with `--json` one document for every command, with `--json-lines` lines that are JSON each.

use serde_json::Value;

use crate::mcp_client::home_with_manual;
use crate::support::{Answer, Home};

const ASKED: &str =
    "research 在宅勤務は生産性を上げるか --library library --offline --set plan.expansions=0";

/// Commands that end well, in an order in which each finds what it needs.
const COMMANDS: [&str; 69] = [
    "--version",
    "--help",
    "task list --help",
    ASKED,
    "task list",
    "task show",
    "report task:2",
    "report task:2 --full",
    "report task:2 --format md",
    "report task:2 --format html",
    "report task:2 --format ris",
    "report task:2 --format csl-json",
    "report task:2 --format csv",
    "report task:2 --format json",
    "report task:2 --out report.html",
    "claims task:2",
    "evidence latest",
    "find 在宅勤務",
    "read library/a.md",
    "manual ls",
    "manual toc handbook",
    "manual find leave",
    "manual hits latest",
    "manual read handbook/leave.md#L5",
    "manual scan handbook/leave.md",
    "vault copy handbook/leave.md#L5 notes/leave.md --append",
    "manual audit notes/leave.md",
    "vault ls",
    "vault find leave",
    "vault read notes/leave.md",
    "vault scan notes/leave.md",
    "vault coverage",
    "views",
    "views contradictions",
    "views contradictions --columns",
    "views contradictions --sql",
    "sql SELECT-1",
    "sql --schema",
    "feedback claim-reject latest --reason no",
    "feedback claim-restore latest",
    "domain block example.com --reason spam",
    "domain check example.com",
    "domain list",
    "domain log",
    "domain rates",
    "domain policy",
    "domain unblock example.com --reason again",
    "sources list",
    "sources search 在宅勤務 --folder library --offline",
    "engines list",
    "calibration stats",
    "calibration versions",
    "calibration evaluations",
    "models list",
    "models use none --as decider",
    "auth list",
    "answer",
    "archive list",
    "archive verify",
    "egress",
    "log",
    "doctor --offline",
    "config path",
    "config show",
    "config default --markdown",
    "completions bash",
    "man --markdown",
    "mcp tools",
    "task new question",
];

/// Commands that write a file, which must not be there before.
const WRITERS: [&str; 8] = [
    "mcp install cursor --print",
    "mcp install cursor",
    "man --dir FOLDER",
    "export task:2",
    "export task:2 --output FOLDER.jsonl",
    "backup kept-FOLDER",
    "gc --yes",
    "task delete task:2 --yes",
];

fn home() -> Home {
    let home = home_with_manual();
    let survey = "# 調査\n\n在宅勤務は従業員の生産性を上げる。調査の対象は千人である。\n";
    home.write("library/a.md", survey);
    home.write("library/b.md", "# 反論\n\n在宅勤務は従業員の生産性を下げた。\n");
    home
}

fn run(home: &Home, line: &str, flag: &str) -> Answer {
    let answer = home.run(&format!("{} {flag}", line.replace("FOLDER", &flag[2..])));
    assert_eq!((answer.code, answer.stderr.as_str()), (Some(0), ""), "{line} {flag}\n{answer}");
    answer
}

#[test]
fn every_command_answers_with_one_document_or_with_lines() {
    let home = home();
    for line in COMMANDS.iter().chain(&WRITERS[..7]) {
        let answer = run(&home, line, "--json");
        let document: Value = serde_json::from_str(&answer.stdout)
            .unwrap_or_else(|error| panic!("{line}: {error}\n{answer}"));
        assert!(document.is_object(), "{line}\n{answer}");
        let lines = run(&home, line, "--json-lines");
        for it in lines.stdout.lines() {
            let value: Value =
                serde_json::from_str(it).unwrap_or_else(|error| panic!("{line}: {error}\n{it}"));
            assert!(value.is_object(), "{line}\n{it}");
        }
        assert!(!lines.stdout.is_empty(), "{line}");
    }
    let deleted = run(&home, WRITERS[7], "--json").json();
    assert_eq!(deleted["deleted"], true);
}

#[test]
fn a_report_in_another_form_is_a_text_in_the_document() {
    let home = home();
    run(&home, ASKED, "--json");
    let document = run(&home, "report --format md", "--json").json();
    assert_eq!((&document["ok"], &document["format"]), (&true.into(), &"md".into()));
    assert_eq!(document["report"], home.run("report --format md").stdout);
    let pdf = home.run("report --format docx --json");
    assert_eq!((pdf.code, pdf.stdout.as_str()), (Some(2), ""));
    let error: Value = serde_json::from_str(&pdf.stderr).unwrap();
    assert_eq!(error["error"]["message"], "JSON cannot hold this format");
}

#[test]
fn an_export_in_one_document_has_the_lines_of_the_file() {
    let home = home();
    run(&home, ASKED, "--json");
    let document = run(&home, "export latest", "--json").json();
    let written = home.run("export latest").stdout;
    let lines: Vec<Value> = written.lines().map(|it| serde_json::from_str(it).unwrap()).collect();
    assert_eq!(document["lines"], Value::Array(lines));
}
