//! What holds for every command: help, version, streams, exit codes, logs, bad days.

use std::fs;
use std::io;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::support::Home;

#[test]
fn the_version_names_the_schema_and_touches_nothing() {
    let home = Home::new();
    let answer = home.run("--version");
    assert_eq!(answer.code, Some(0));
    let schema = graph::SCHEMA_VERSION;
    assert_eq!(answer.stdout, format!("lyra {} (schema {schema})\n", env!("CARGO_PKG_VERSION")));
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);
}

#[test]
fn without_a_command_the_help_is_the_answer() {
    insta::assert_snapshot!(Home::new().run(""), @r#"
    A local-first research engine that keeps its evidence in a graph anybody can audit

    Usage: lyra [OPTIONS] "your question"
           lyra [OPTIONS] COMMAND

    Ask:
      research     Investigate a question and write a report
      crawl        Read a site from one page on, the best links first
      sources      List what can be asked, or ask it what exists
      answer       Answer what an assistant asks you
      demo         See a whole investigation of a small invented library

    Read:
      web          Open the page: watch an investigation, weigh and correct it
      report       Write the report of a task
      task         List tasks, show one, end one, delete one
      find         Find passages and claims by their words, best first
      read         Show what Lyra reads from a page or a file
      manual       Find and read in your manuals
      archive      Show and check pages as they were sent
      versions     Show what a page said before, and which quotes it no longer has

    Weigh:
      claims       Show what is claimed in a task, and how sure that is
      evidence     Show the quotes that support and refute a claim
      refs         Check references: do they exist, and say what they are cited for
      feedback     Set a claim aside, correct a judgement; both can be taken back
      domain       Explain and decide which domains may be read
      views        Answer prepared questions about what was found
      sql          Ask the graph in SQL, read-only
      calibration  Measure and correct how far stated certainty can be trusted

    Keep:
      vault        Keep results in the vault: list, find, read, write
      export       Write a task out, for another graph or for notebooks
      import       Take in a task that `lyra export` wrote
      backup       Copy everything Lyra keeps into one file or folder
      restore      Check a backup, and put it in the place of the data

    Look after:
      doctor       Check installation, settings and database; save a damaged one
      config       Show the settings, and where files live
      models       List, add, choose and try models
      engines      List the web search engines and how they are doing, or try them
      auth         Open the pages that ask for a person
      egress       List every request that left this machine
      log          Show what Lyra wrote to its log
      mcp          Serve assistants over the Model Context Protocol (MCP)
      gc           Remove what nothing needs any more
      completions  Print the completion script of a shell
      man          Print the manual page, or write those of all commands

    Options:
          --json             Answer with one JSON document; failures too, on stderr
          --json-lines       Answer in lines of JSON: what happens, and the answer last
      -q, --quiet            Print answers and errors only
          --color <WHEN>     When to use colour [default: the setting output.color] [possible values:
                             auto, always, never]
          --data-dir <DIR>   Folder of the database and the logs
          --config <FILE>    Configuration file
          --offline          Send nothing over the network
          --set <KEY=VALUE>  Change a setting for this run, e.g. task.max_pages=40; may be repeated
      -h, --help             Print help (see more with '--help')
      -V, --version          Print version

    Start with `lyra demo`, then `lyra "your question"`; `lyra help COMMAND` explains a command.
    --- exit 0
    "#);
}

#[test]
fn the_long_help_lists_exit_codes_and_variables() {
    insta::assert_snapshot!(Home::new().run("--help"), @r#"
    A local-first research engine that keeps its evidence in a graph anybody can audit

    Lyra keeps questions (tasks), the pages and passages found for them, the claims taken from those,
    and which passage supports or refutes which claim. Answers go to stdout, everything else to stderr.

    Usage: lyra [OPTIONS] "your question"
           lyra [OPTIONS] COMMAND

    Ask:
      research     Investigate a question and write a report
      crawl        Read a site from one page on, the best links first
      sources      List what can be asked, or ask it what exists
      answer       Answer what an assistant asks you
      demo         See a whole investigation of a small invented library

    Read:
      web          Open the page: watch an investigation, weigh and correct it
      report       Write the report of a task
      task         List tasks, show one, end one, delete one
      find         Find passages and claims by their words, best first
      read         Show what Lyra reads from a page or a file
      manual       Find and read in your manuals
      archive      Show and check pages as they were sent
      versions     Show what a page said before, and which quotes it no longer has

    Weigh:
      claims       Show what is claimed in a task, and how sure that is
      evidence     Show the quotes that support and refute a claim
      refs         Check references: do they exist, and say what they are cited for
      feedback     Set a claim aside, correct a judgement; both can be taken back
      domain       Explain and decide which domains may be read
      views        Answer prepared questions about what was found
      sql          Ask the graph in SQL, read-only
      calibration  Measure and correct how far stated certainty can be trusted

    Keep:
      vault        Keep results in the vault: list, find, read, write
      export       Write a task out, for another graph or for notebooks
      import       Take in a task that `lyra export` wrote
      backup       Copy everything Lyra keeps into one file or folder
      restore      Check a backup, and put it in the place of the data

    Look after:
      doctor       Check installation, settings and database; save a damaged one
      config       Show the settings, and where files live
      models       List, add, choose and try models
      engines      List the web search engines and how they are doing, or try them
      auth         Open the pages that ask for a person
      egress       List every request that left this machine
      log          Show what Lyra wrote to its log
      mcp          Serve assistants over the Model Context Protocol (MCP)
      gc           Remove what nothing needs any more
      completions  Print the completion script of a shell
      man          Print the manual page, or write those of all commands

    Options:
          --json
              Answer with one JSON document; failures too, on stderr

          --json-lines
              Answer in lines of JSON: what happens, and the answer last

      -q, --quiet
              Print answers and errors only

          --color <WHEN>
              When to use colour [default: the setting output.color]
              
              [possible values: auto, always, never]

          --data-dir <DIR>
              Folder of the database and the logs

          --config <FILE>
              Configuration file

          --offline
              Send nothing over the network

          --set <KEY=VALUE>
              Change a setting for this run, e.g. task.max_pages=40; may be repeated

      -h, --help
              Print help (see a summary with '-h')

      -V, --version
              Print version

    Exit codes:
        0  done
        1  a bug in Lyra; the message carries an error id
        2  the command line or what was given cannot be used
        3  nothing is stored under this id
        4  the configuration cannot be used
        5  the data directory or the database cannot be used
        6  another process is using the database
        7  a limit was reached
        8  a page could not be fetched
        9  what was checked is not as it should be
      130  interrupted (Ctrl-C)

    Environment:
      LYRA_CONFIG             the configuration file, like --config
      LYRA_DATA_DIR           the data directory, like --data-dir
      LYRA_<SECTION>_<KEY>    any setting, e.g. LYRA_TASK_MAX_PAGES=40
      LYRA_LOG                what to log, e.g. debug, or info,graph=trace
      NO_COLOR                no colour, unless --color always
      LC_ALL, LANG            Japanese messages if it begins with ja
    --- exit 0
    "#);
}

#[test]
fn a_mistyped_command_is_answered_with_the_nearest() {
    insta::assert_snapshot!(Home::new().run("tsk list"), @"
    --- stderr
    error: there is no command `tsk`
    hint: `lyra task list`
    --- exit 2
    ");
    insta::assert_snapshot!(Home::new().run("task list --limti 3"), @r"
    --- stderr
    error: unexpected argument '--limti' found

      tip: a similar argument exists: '--limit'

    Usage: lyra task list --limit <N>

    For more information, try '--help'.
    --- exit 2
    ");
}

#[test]
fn with_json_a_mistyped_command_line_is_one_object() {
    let answer = Home::new().run("task list --limit 0 --json");
    assert_eq!(answer.code, Some(2));
    assert_eq!(answer.stdout, "");
    assert_eq!(
        serde_json::from_str::<Value>(&answer.stderr).unwrap(),
        json!({ "ok": false, "error": {
            "code": "bad_input",
            "message": "invalid value '0' for '--limit <N>': it must be at least 1; --all shows everything",
            "hint": "try `lyra --help`",
        }})
    );
}

#[test]
fn a_failure_says_what_why_and_what_next() {
    let home = Home::new();
    home.write("data", "this is no folder");
    insta::assert_snapshot!(home.run("task list --data-dir data"), @r"
    --- stderr
    warning: cannot write the log in [home]/data/logs: Not a directory (os error 20)
    error: cannot access [home]/data/lyra.db
    cause: Not a directory (os error 20)
    hint: the data directory must be a folder; choose one with --data-dir
    --- exit 5
    ");
    assert_eq!(fs::read_to_string(home.path().join("data")).unwrap(), "this is no folder");
}

#[test]
fn with_json_a_failure_is_one_object_on_stderr() {
    let home = Home::new();
    let answer = home.run("task show 01ARZ3ND --json");
    assert_eq!(answer.code, Some(3));
    assert_eq!(answer.stdout, "");
    assert_eq!(
        serde_json::from_str::<Value>(&answer.stderr).unwrap(),
        json!({ "ok": false, "error": {
            "code": "not_found",
            "message": "no task task_01ARZ3ND",
            "hint": "`lyra task list` shows the tasks",
        }})
    );
}

/// A database, changed in four bytes of its header.
fn home_with_header(offset: usize, bytes: [u8; 4]) -> (Home, Vec<u8>) {
    let home = Home::new();
    drop(home.graph());
    let path = home.data().join("lyra.db");
    let mut content = fs::read(&path).unwrap();
    content[offset..offset + 4].copy_from_slice(&bytes);
    fs::write(path, &content).unwrap();
    (home, content)
}

const USER_VERSION: usize = 60;
const APPLICATION_ID: usize = 68;

#[test]
fn a_database_of_another_program_is_refused_and_left_as_it_is() {
    let (home, content) = home_with_header(APPLICATION_ID, *b"GPKG");
    insta::assert_snapshot!(home.run("task list"), @r"
    --- stderr
    error: [home]/.local/share/lyra/lyra.db belongs to another program
    hint: the file was left as it is; choose another folder with --data-dir
    --- exit 5
    ");
    insta::assert_snapshot!(home.run("task new question"), @r"
    --- stderr
    error: [home]/.local/share/lyra/lyra.db belongs to another program
    hint: the file was left as it is; choose another folder with --data-dir
    --- exit 5
    ");
    assert_eq!(fs::read(home.data().join("lyra.db")).unwrap(), content);
}

#[test]
fn a_database_of_a_newer_lyra_is_refused_and_left_as_it_is() {
    let (home, content) = home_with_header(USER_VERSION, [0, 0, 0x27, 0x0f]);
    let answer = home.run("task new question");
    assert_eq!(answer.code, Some(5));
    assert_eq!(
        answer.stderr,
        format!(
            "error: {} was written by a newer Lyra (schema 9999, this one knows up to {})\n\
             hint: update Lyra; the file was left as it is\n",
            home.data().join("lyra.db").display(),
            graph::SCHEMA_VERSION
        )
    );
    assert_eq!(fs::read(home.data().join("lyra.db")).unwrap(), content);
}

#[test]
fn a_file_that_is_no_database_is_refused_and_left_as_it_is() {
    let home = Home::new();
    let text = "Dear diary, this is not a database at all.\n".repeat(200);
    home.write(".local/share/lyra/lyra.db", &text);
    insta::assert_snapshot!(home.run("task new question"), @r"
    --- stderr
    error: [home]/.local/share/lyra/lyra.db is not a SQLite database
    hint: the file was left as it is; choose another folder with --data-dir
    --- exit 5
    ");
    assert_eq!(fs::read_to_string(home.data().join("lyra.db")).unwrap(), text);
}

#[test]
fn a_damaged_database_says_how_to_recover() {
    let home = Home::new();
    drop(home.graph());
    let path = home.data().join("lyra.db");
    let mut content = fs::read(&path).unwrap();
    // The header stays, every page behind it is noise.
    content[100..].fill(0x5a);
    fs::write(&path, &content).unwrap();
    insta::assert_snapshot!(home.run("task list"), @r"
    --- stderr
    error: the database is damaged
    cause: database disk image is malformed
    hint: copy the file first, then bring what can be read into a new one: `lyra doctor --salvage NEW.db`
    --- exit 5
    ");
    assert_eq!(fs::read(&path).unwrap(), content);
}

#[test]
fn a_folder_in_the_place_of_the_database_is_refused() {
    let home = Home::new();
    fs::create_dir_all(home.data().join("lyra.db")).unwrap();
    insta::assert_snapshot!(home.run("task list"), @"
    --- stderr
    error: cannot access [home]/.local/share/lyra/lyra.db
    cause: is a directory
    hint: there is a folder where the file should be; choose another place with --data-dir
    --- exit 5
    ");
}

#[test]
fn a_reader_who_leaves_early_is_no_failure() {
    let home = Home::new();
    let (reader, writer) = io::pipe().unwrap();
    drop(reader);
    let output = home.command(&["config", "default"]).stdout(writer).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_a_failure() {
    let home = Home::new();
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = home.command(&["config", "default"]).stdout(Stdio::from(full)).output().unwrap();
    assert_eq!(output.status.code(), Some(5));
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "error: cannot write the output\ncause: No space left on device (os error 28)\n"
    );
}

#[test]
fn colour_is_used_when_asked_for_and_never_in_a_pipe_by_itself() {
    let home = Home::new();
    home.run("task new question");
    let header = |line: &str| {
        let answer = home.run_with(("NO_COLOR", "1"), line);
        answer.stdout.lines().next().unwrap().to_owned()
    };
    let plain = "TASK    ID      STATUS   CREATED           QUESTION";
    assert_eq!(header("task list"), plain);
    assert_eq!(header("task list --color never"), plain);
    assert_eq!(header("task list --color always"), format!("\u{1b}[1m{plain}\u{1b}[0m"));
    assert_eq!(header("task list --set output.color=always"), format!("\u{1b}[1m{plain}\u{1b}[0m"));
}

#[test]
fn variables_that_look_like_settings_are_pointed_out_unless_quiet() {
    let home = Home::new();
    let variable = ("LYRA_TASK_MAXPAGES", "3");
    assert_eq!(
        home.run_with(variable, "task list").stderr,
        "warning: the variable LYRA_TASK_MAXPAGES is not a setting of Lyra; did you mean LYRA_TASK_MAX_PAGES?\n\
         No tasks yet. Ask something: lyra \"your question\"\n"
    );
    assert_eq!(home.run_with(variable, "task list --quiet").stderr, "");
    assert_eq!(
        serde_json::from_str::<Value>(&home.run_with(variable, "task list --json").stderr).unwrap(),
        json!({ "warning": "the variable LYRA_TASK_MAXPAGES is not a setting of Lyra; did you mean LYRA_TASK_MAX_PAGES?" })
    );
}

/// The events in the log, without what changes from run to run.
fn logged(home: &Home) -> Vec<Value> {
    let mut lines = Vec::new();
    for entry in fs::read_dir(home.data().join("logs")).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        lines.extend(text.lines().map(|it| serde_json::from_str::<Value>(it).unwrap()));
    }
    for line in &mut lines {
        line.as_object_mut().unwrap().remove("time").unwrap();
        if let Some(milliseconds) = line["fields"].get_mut("milliseconds") {
            *milliseconds = json!(0);
        }
    }
    lines
}

#[test]
fn the_log_tells_the_beginning_and_end_of_a_command_and_not_its_arguments() {
    let home = Home::new();
    home.run("task new secret-question");
    home.run("task show nonsense!");
    let event = |message: &str, fields: Value| json!({ "level": "info", "target": "lyra::session", "message": message, "fields": fields });
    assert_eq!(
        logged(&home),
        [
            event("command started", json!({ "command": "task new" })),
            event(
                "command ended",
                json!({ "command": "task new", "milliseconds": 0, "exit_code": 0 })
            ),
            event("command started", json!({ "command": "task show" })),
            event(
                "command ended",
                json!({ "command": "task show", "milliseconds": 0, "exit_code": 2, "failure": "bad_input" })
            ),
        ]
    );
}

#[test]
fn commands_that_only_print_leave_no_trace() {
    let home = Home::new();
    for line in
        ["config show", "config path", "config default", "completions bash", "man", "--help"]
    {
        assert_eq!(home.run(line).code, Some(0), "{line}");
    }
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);
}

#[test]
fn a_log_that_cannot_be_written_is_one_warning() {
    let home = Home::new();
    home.write(".local/share/lyra/logs", "this is no folder");
    insta::assert_snapshot!(home.run("task new question"), @r"
    task_AAAAAAAAAAAAAAAAAAAAAAAAAA
    --- stderr
    warning: cannot write the log in [home]/.local/share/lyra/logs: File exists (os error 17)
    Recorded. See it with: lyra task show task_AAAAAAAAAAAAAAAAAAAAAAAAAA
    --- exit 0
    ");
}

#[test]
fn what_to_log_can_be_chosen() {
    let home = Home::new();
    home.run_with(("LYRA_LOG", "off"), "task list");
    assert!(!home.data().join("logs").exists());
    home.run("task list --set log.level=error");
    assert!(!home.data().join("logs").exists());
    home.run_with(("LYRA_LOG", "lyra=debug"), "task list");
    assert_eq!(logged(&home).len(), 2);
    let answer = home.run_with(("LYRA_LOG", "a=b=c"), "task list");
    assert_eq!(answer.code, Some(0));
    assert_eq!(
        answer.stderr.lines().next().unwrap(),
        "warning: LYRA_LOG is ignored: invalid filter directive: too many '=' in filter directive, expected 0 or 1"
    );
}
