//! `lyra research` and `lyra report`.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

use serde_json::{Value, json};
use testweb::{LlmDialect, LlmMode, LlmServer};

use crate::support::{Home, own_help};

const QUESTION: &str = "Does working from home raise productivity?";
const HOME: &[(&str, &str)] = &[
    (
        "a.md",
        "---\nurl: https://one.example/a\n---\n# Review\n\nWorking from home raises the productivity of office workers.",
    ),
    (
        "b.md",
        "---\nurl: https://two.example/b\n---\n# Office\n\nWorking from home increased the productivity of office workers by 5 percent.",
    ),
    (
        "c.md",
        "---\nurl: https://three.example/c\n---\n# Doubts\n\nWorking from home reduced the productivity of office workers by 8 percent.",
    ),
];

fn with_library(documents: &[(&str, &str)]) -> Home {
    let home = Home::new();
    for (name, text) in documents {
        home.write(&format!("library/{name}"), text);
    }
    home
}

#[test]
fn help_of_research() {
    insta::assert_snapshot!(own_help("research"), @r#"
    Investigate a question and write a report

    Searches the web, academic indexes and your own documents, reads what it finds, extracts claims and
    judges which passages support or refute them; `lyra "your question"` is the same. The answer is
    printed in short, with `--full` the whole report; `--out` writes that to a file as well. Everything
    found stays in the graph: Ctrl-C loses nothing, and `--resume` goes on.

    Usage: lyra research [OPTIONS] [QUESTION]

    Arguments:
      [QUESTION]
              The question, or `-` to read it from stdin

    Options:
          --hypothesis <TEXT>
              What you expect the answer to be: it is judged like a claim

          --query <TEXT>
              Search this as well, e.g. the question in another language; may be repeated

          --library <DIR>
              A folder of your own documents to read; may be repeated

          --source <SOURCE>
              Look only here; may be repeated [default: everywhere]
              
              [possible values: web, academic, api, library]

          --language <CODE>
              The language of the results, such as ja

          --after <DATE>
              Only what was published on this day or later, such as 2024-01-31; what has no date stays

          --before <DATE>
              Only what was published on this day or earlier

          --category <FIELD>
              The field of the question: engines that are for it go first
              
              [possible values: general, news, academic, government, technical]

          --max-pages <N>
              Pages the task may read [default: the setting task.max_pages]

          --minutes <M>
              Minutes the task may take [default: the setting task.max_seconds]

          --resume <TASK>
              Go on with a task that was interrupted: latest, task:3, or the beginning or end of its id

          --online
              With --resume: let a task that was begun offline send requests from now on

          --full
              Print the whole report: as text on a terminal, as Markdown elsewhere

          --out <FILE>
              Write the report to this file; the ending (.md, .html, .pdf, .docx, .txt, .json ...) says
              how

      -h, --help
              Print help (see a summary with '-h')

    Examples:
      lyra research "Does vitamin D prevent falls in older people?"
      lyra research "在宅勤務は生産性を上げるか" --library ./documents --offline
      lyra research "Is X safe?" --hypothesis "X is safe." --max-pages 40 --minutes 20 --out report.html
      lyra research --resume latest

    Next: `lyra report TASK --format html` writes the report again; `lyra claims TASK` lists the claims.
    --- exit 0
    "#);
}

#[test]
fn help_of_report() {
    insta::assert_snapshot!(own_help("report"), @"
    Write the report of a task

    Prints the answer: the verdict, the best passage of each side and the findings about the question,
    also where `--out` writes the whole report to a file. `--full` and `--format` print the whole
    report: each finding with its confidence, independent sources and exact quotes, both sides of each
    dispute, what was missed and why, and how it was done. The same graph gives the same report.

    PDF is printed by a browser that is installed (Chromium, Chrome or Edge); DOCX opens in Word and
    LibreOffice. RIS, BibTeX and CSL-JSON hold the cited sources, for Zotero and other managers of
    references; CSV has a row for each document and what it says.

    Usage: lyra report [OPTIONS] [TASK]

    Arguments:
      [TASK]
              The task: latest, task:3 (the third in `lyra task list`), or the beginning or end of its
              id
              
              [default: latest]

    Options:
          --full
              Print the whole report: as text on a terminal, as Markdown elsewhere

          --format <FORMAT>
              How to write it [default: by the ending of --out, else brief]

              Possible values:
              - brief:    The answer in a screen or two
              - text:     Plain text in lines as wide as the terminal
              - md:       Markdown
              - html:     One file to open in a browser or to print
              - json:     Everything, for programs
              - pdf:      PDF, printed by a browser of this machine
              - docx:     A document for Word, LibreOffice or Pages
              - ris:      The cited sources, for managers of references
              - bibtex:   The cited sources, for LaTeX
              - csl-json: The cited sources, for Zotero, Pandoc and citation styles
              - csv:      A row for each document and what it says, for spreadsheets

          --out <FILE>
              Write to this file

      -h, --help
              Print help (see a summary with '-h')

    Examples:
      lyra report
      lyra report task:2 --full | less
      lyra report latest --out report.html
      lyra report latest --out report.pdf
      lyra report latest --format ris --out sources.ris
      lyra report latest --out documents.csv
      lyra report latest --format json | jq .findings[0]
    --- exit 0
    ");
}

#[test]
fn a_question_to_a_folder_ends_in_a_report_with_both_sides() {
    let home = with_library(HOME);
    let arguments = ["research", QUESTION, "--library", "library", "--offline", "--out", "r.json"];
    let answer = home.run_arguments(&arguments);
    assert_eq!(answer.code, Some(0), "{answer}");
    assert!(answer.stderr.contains("written to r.json"), "{answer}");
    assert!(answer.stdout.starts_with(&format!("{QUESTION}\n═══")), "{answer}");
    let report: Value =
        serde_json::from_str(&std::fs::read_to_string(home.path().join("r.json")).unwrap())
            .unwrap();
    let dispute = &report["findings"][0];
    assert_eq!(dispute["standing"], "disputed", "{dispute}");
    let sides = |name: &str| dispute[name].as_array().unwrap().len();
    assert_eq!((sides("supporting") + sides("refuting")), 3, "{dispute}");
    let task = report["task_id"].as_str().unwrap();
    let html = home.run(&format!("report {task} --format html"));
    assert!(html.stdout.starts_with("<!doctype html>"), "{html}");
    let brief = home.run(&format!("report {task} --format brief"));
    assert!(brief.stdout.starts_with(&format!("{QUESTION}\n═══")), "{brief}");
    assert!(brief.stdout.contains("The passage that refutes it most clearly:\n"), "{brief}");
    assert_eq!(home.run(&format!("report {task}")).stdout, brief.stdout);
    let full = home.run(&format!("report {task} --full"));
    assert_eq!(full.stdout, home.run(&format!("report {task} --format md")).stdout);
    assert!(full.stdout.contains("\n## Method\n"), "{full}");
    let text = home.run(&format!("report {task} --format text"));
    assert!(text.stdout.contains("\nAnswer\n──────\n"), "{text}");
    assert!(text.stdout.contains("\nMethod\n──────\n"), "{text}");
    assert!(!text.stdout.contains("**"), "{text}");
    let written = home.run(&format!("report {task} --out r.txt"));
    assert!(written.stderr.contains("written to r.txt"), "{written}");
    assert_eq!(std::fs::read_to_string(home.path().join("r.txt")).unwrap(), text.stdout);
}

#[test]
fn a_search_that_finds_nothing_says_so_and_writes_no_findings() {
    let home =
        with_library(&[("tea.md", "# Tea\n\nGreen tea contains less caffeine than coffee.")]);
    let answer = home.run_arguments(&[
        "research",
        "zzyzx",
        "--library",
        "library",
        "--offline",
        "--out",
        "r.json",
    ]);
    assert_eq!(answer.code, Some(0), "{answer}");
    let report: Value =
        serde_json::from_str(&std::fs::read_to_string(home.path().join("r.json")).unwrap())
            .unwrap();
    assert_eq!(report["state"], "nothing_found");
    assert_eq!(report["findings"].as_array().unwrap().len(), 0);
}

#[test]
fn a_japanese_question_gets_a_japanese_report() {
    let home = with_library(&[
        (
            "a.md",
            "---\nurl: https://hakusho.example/1\n---\n# 白書\n\n在宅勤務を認めた企業では、離職率が2割低下した。",
        ),
        (
            "b.md",
            "---\nurl: https://shimbun.example/2\n---\n# 記事\n\n在宅勤務を認めた企業では、離職率が2割低下した。担当者が説明した。",
        ),
    ]);
    let answer = home.run_arguments(&[
        "research",
        "在宅勤務は離職率を下げるか",
        "--library",
        "library",
        "--offline",
    ]);
    assert_eq!(answer.code, Some(0), "{answer}");
    assert!(answer.stdout.starts_with("在宅勤務は離職率を下げるか\n═"), "{answer}");
    assert!(answer.stdout.contains("在宅勤務を認めた企業では、離職率が2割低下した。"), "{answer}");
    assert!(!answer.stdout.contains("Confidence"), "{answer}");
}

#[test]
fn bad_input_is_refused_before_anything_is_stored() {
    let home = with_library(HOME);
    insta::assert_snapshot!(home.run("research tea --offline"), @"
    --- stderr
    error: offline there is nothing to search without --library
    hint: name a folder of documents with --library DIR, or leave --offline out
    --- exit 2
    ");
    insta::assert_snapshot!(home.run("research tea --library none --offline"), @"
    --- stderr
    error: the library none cannot be read: No such file or directory (os error 2)
    hint: name a folder with documents (md, txt, html, pdf, json)
    --- exit 2
    ");
    insta::assert_snapshot!(home.run("research tea --library library --offline --out report.doc"), @"
    --- stderr
    error: report.doc does not say what kind of report it is
    hint: end it with .md, .html, .pdf, .docx, .txt, .json, .csv, .ris, .bib or .csl.json
    --- exit 2
    ");
    insta::assert_snapshot!(home.run("research"), @"
    --- stderr
    error: the following required arguments were not provided:
      <QUESTION>

    Usage: lyra research <QUESTION>

    For more information, try '--help'.
    --- exit 2
    ");
    let long = "a".repeat(20_000);
    let answer = home.run_arguments(&["research", &long, "--library", "library", "--offline"]);
    assert_eq!(answer.code, Some(7));
    assert!(
        answer.stderr.contains("the question has 20000 characters; the limit is 4000"),
        "{answer}"
    );
    assert!(!home.data().join("lyra.db").exists());
    insta::assert_snapshot!(home.run("report task_01ARZ3NDEKTSV4RRFFQ69G5FAV"), @"
    --- stderr
    error: no task task_AAAAAAAAAAAAAAAAAAAAAAAAAA
    hint: `lyra task list` shows the tasks
    --- exit 3
    ");
}

/// A limit on the size of files stands for a disk that is full: it holds for the processes of one shell.
#[cfg(unix)]
#[test]
fn a_disk_that_is_full_ends_the_run_with_a_statement_and_what_was_found_stays() {
    let documents: Vec<(String, String)> = (0..12)
        .map(|it| {
            let paragraph = format!(
                "In town {it} working from home raised the productivity of office workers by {it} percent, a survey said. "
            );
            (format!("{it:02}.md"), format!("# Survey {it}\n\n{}", format!("{paragraph}\n\n").repeat(40)))
        })
        .collect();
    let documents: Vec<(&str, &str)> =
        documents.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let home = with_library(&documents);
    // The database is made while there is room.
    home.fill(|_| Ok(()));
    let run = home.command(&["research", QUESTION, "--library", "library", "--offline"]);
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", "ulimit -f 1400; trap '' XFSZ; exec \"$@\"", "sh"]);
    shell.arg(run.get_program()).args(run.get_args()).env_clear().env("HOME", home.path());
    let answer = home.answer(shell.current_dir(home.path()).output().unwrap());
    assert_eq!(answer.code, Some(5), "{answer}");
    let task = answer.stderr.split_whitespace().find(|it| it.starts_with("task_")).unwrap();
    let hint = format!(
        "hint: what was found is kept; fix the cause and go on with `lyra --offline research --resume {task}`"
    );
    assert!(answer.stderr.contains(&hint), "{answer}");
    let read = answer.stderr.lines().filter(|it| it.starts_with("  read ")).count();
    let kept = home.run(&format!("task show {task} --json")).json();
    assert_eq!(kept["counts"]["pages"], read, "{kept}");
    let checked = home.run("--offline doctor");
    assert!(checked.stdout.contains("every reference leads somewhere"), "{checked}");
}

#[test]
fn a_question_of_one_character_and_a_library_without_documents_find_nothing_and_say_why() {
    let home = with_library(HOME);
    std::fs::create_dir(home.path().join("empty")).unwrap();
    for (question, library, why) in [
        ("?", "library", "library: the query has no words\n"),
        ("a", "empty", "empty: there are no documents that can be read in it\n"),
    ] {
        let answer = home.run_arguments(&["research", question, "--library", library, "--offline"]);
        assert_eq!(answer.code, Some(0), "{answer}");
        assert!(answer.stderr.contains("warning: ") && answer.stderr.contains(why), "{answer}");
        assert!(answer.stdout.contains("Nothing was found.\n"), "{answer}");
        assert!(answer.stdout.contains("Pages read: 0."), "{answer}");
    }
}

#[test]
fn a_hypothesis_that_cannot_be_judged_gets_the_reason_and_no_number() {
    let home = with_library(HOME);
    for (hypothesis, reason) in [
        (
            "Le télétravail augmente la productivité des employés de bureau.",
            "the hypothesis is in a language that no model reads",
        ),
        (
            "Which workers are more productive at home?",
            "the hypothesis is a question that could not be turned into a statement",
        ),
        ("tea, coffee, cocoa", "the hypothesis is a list and not one statement"),
    ] {
        let answer = home.run_arguments(&[
            "research",
            QUESTION,
            "--hypothesis",
            hypothesis,
            "--library",
            "library",
            "--offline",
        ]);
        assert_eq!(answer.code, Some(0), "{answer}");
        let sentence = format!("Not enough evidence: {reason}.");
        let said = format!("{sentence} Hypothesis: {hypothesis} ");
        let shown = answer.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(shown.contains(&said), "{answer}");
    }
    assert_eq!(
        home.run_arguments(&[
            "sql",
            "SELECT count(*) FROM claims WHERE claim_extraction_method = 'hypothesis'",
            "--json"
        ])
        .json()["rows"],
        json!([[0]])
    );
}

#[test]
fn a_japanese_question_is_answered_from_english_and_japanese_documents_and_disputed_across() {
    let documents = [
        (
            "a.md",
            "---\nurl: https://one.example/a\n---\n# Review\n\nWorking from home raises the productivity of office workers.",
        ),
        (
            "b.md",
            "---\nurl: https://two.example/b\n---\n# Office\n\nWorking from home increased the productivity of office workers by 5 percent.",
        ),
        (
            "c.md",
            "---\nurl: https://three.example/c\n---\n# Productivity\n\nWorking from home lowers productivity.",
        ),
        ("d.md", "---\nurl: https://four.example/d\n---\n# 調査\n\n在宅勤務は生産性を高める。"),
        (
            "e.md",
            "---\nurl: https://five.example/e\n---\n# 橋\n\n新しい橋は1937年に開通し、多くの車が通った。",
        ),
    ];
    let home = with_library(&documents);
    let answer = home.run_arguments(&[
        "research",
        "在宅勤務は生産性を上げるか",
        "--hypothesis",
        "在宅勤務は生産性を上げる。",
        "--library",
        "library",
        "--offline",
    ]);
    assert_eq!(answer.code, Some(0), "{answer}");
    assert!(answer.stderr.contains("（別の言語での質問）"), "{answer}");
    let tasks = home.run("task list --json").json();
    let task = tasks["tasks"][0]["id"].as_str().unwrap();
    let report = home.run(&format!("report {task} --json")).json();
    let judged = &report["hypothesis"]["judged"];
    let sources = report["sources"].as_array().unwrap();
    let sites = |side: &str| -> BTreeSet<&str> {
        let numbers = judged[side].as_array().unwrap();
        let cited = sources.iter().filter(|it| numbers.contains(&it["number"]));
        cited.map(|it| it["site"].as_str().unwrap()).collect()
    };
    let for_it = BTreeSet::from(["library:a.md", "library:b.md", "library:d.md"]);
    assert_eq!(sites("supported_by"), for_it, "{judged}");
    assert_eq!(sites("refuted_by"), BTreeSet::from(["library:c.md"]), "{judged}");
}

#[test]
fn events_are_lines_of_json_and_an_interrupted_run_goes_on() {
    let home = with_library(HOME);
    let arguments = ["research", QUESTION, "--library", "library", "--offline", "--json-lines"];
    let mut child =
        home.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let first: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
    assert_eq!(first["event"], "task_started");
    let task = first["task_id"].as_str().unwrap().to_owned();
    // A kill at the worst of times: nothing may depend on a polite end.
    child.kill().unwrap();
    child.wait().unwrap();
    let resumed = home.run(&format!("research --resume {task} --json-lines"));
    assert_eq!(resumed.code, Some(0), "{resumed}");
    let events: Vec<Value> =
        resumed.stdout.lines().map(|it| serde_json::from_str(it).unwrap()).collect();
    assert_eq!(events[0]["event"], "task_resumed");
    assert_eq!(events[0]["offline"], true, "it was begun offline");
    let [.., ended, answer] = events.as_slice() else { panic!("{resumed}") };
    assert_eq!(ended["event"], "ended");
    assert_eq!((&answer["ok"], &answer["outcome"]["task_id"]), (&json!(true), &json!(task)));
    assert_eq!(answer["report"], home.run(&format!("report {task} --json")).json());
    let one = home.run(&format!("research --resume {task} --json")).json();
    assert_eq!((&one["ok"], &one["report"]["task_id"]), (&json!(true), &json!(task)));
    assert_eq!(home.run("egress --json").json()["totals"]["requests"], 0, "nothing was sent");
    let claims = home.run(&format!("claims {task} --json")).json();
    assert!(claims["total"].as_u64().unwrap() >= 2, "{claims}");
}

#[test]
fn a_language_model_extracts_claims_and_drafts_what_is_checked() {
    let home = with_library(HOME);
    let server = LlmServer::start(LlmDialect::Ollama);
    let url = format!("llm.url={}", server.url());
    let arguments = [
        "research",
        QUESTION,
        "--library",
        "library",
        "--offline",
        "--set",
        &url,
        "--set",
        "search.llm_share=1.0",
        "--out",
        "r.json",
    ];
    let answer = home.run_arguments(&arguments);
    assert_eq!(answer.code, Some(0), "{answer}");
    assert!(!server.requests().is_empty());
    let report: Value =
        serde_json::from_str(&std::fs::read_to_string(home.path().join("r.json")).unwrap())
            .unwrap();
    let sentences = report["draft"]["sentences"].as_array().unwrap();
    assert!(!sentences.is_empty(), "{}", report["draft"]);
    for sentence in sentences {
        assert!(!sentence["citations"].as_array().unwrap().is_empty(), "{sentence}");
    }
    assert_eq!(report["draft"]["model"], testweb::LLM_MODEL);
    // Nothing was sent beyond this machine.
    assert_eq!(home.run("egress --json").json()["totals"]["requests"], 0);
}

#[test]
fn a_language_model_on_a_bad_day_leaves_the_work_to_the_rules() {
    for mode in [LlmMode::Prose, LlmMode::NoBody, LlmMode::Status(500), LlmMode::Leaks] {
        let home = with_library(HOME);
        let server = LlmServer::start(LlmDialect::OpenAi);
        server.answer_with(mode.clone());
        let url = format!("llm.url={}", server.url());
        let arguments = [
            "research",
            QUESTION,
            "--library",
            "library",
            "--offline",
            "--set",
            &url,
            "--out",
            "r.json",
        ];
        let answer = home.run_arguments(&arguments);
        assert_eq!(answer.code, Some(0), "{mode:?} {answer}");
        let text = std::fs::read_to_string(home.path().join("r.json")).unwrap();
        let report: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(report["state"], "found", "{mode:?}");
        assert!(!text.contains("LYRA-"), "{mode:?}: a tag came out");
    }
}

#[test]
fn a_language_model_elsewhere_needs_permission() {
    let home = with_library(HOME);
    insta::assert_snapshot!(
        home.run("research tea --library library --offline --set llm.url=http://10.0.0.7:11434"),
        @r#"
    --- stderr
    error: llm.url = "http://10.0.0.7:11434" is not this machine; llm.allow_remote = true would allow it
    hint: `lyra config default` explains it, in section [fetch]
    --- exit 4
    "#
    );
}
