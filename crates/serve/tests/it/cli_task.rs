//! `lyra task`.

use serde_json::{Value, json};

use evidence::{Budget, DomainCategory, TaskStatus};
use graph::{NewSearch, NewTask, Writer};

use crate::support::{Home, steady};

fn task(w: &Writer<'_>, query: &str) -> graph::Result<evidence::TaskId> {
    w.create_task(&NewTask {
        query: query.to_owned(),
        hypothesis: None,
        language: None,
        budget: Budget { max_pages: 120, max_seconds: 3600 },
        config: json!({}),
    })
}

#[test]
fn help_of_task() {
    insta::assert_snapshot!(Home::new().run("task --help"), @"
    List tasks, show one, end one, delete one

    Usage: lyra task [OPTIONS] <COMMAND>

    Commands:
      new     Record a question to investigate, and print its task id
      list    List the tasks, newest first
      show    Show a task: question, limits, searches, how much was gathered
      stop    End a task; everything it gathered stays
      delete  Delete a task for good: its texts, its rows, and the archived pages no other task uses
      help    Print this message or the help of the given subcommand(s)

    Options:
      -h, --help  Print help

    Options of every command:
          --json             Answer with one JSON document; failures too, on stderr
          --json-lines       Answer in lines of JSON: what happens, and the answer last
      -q, --quiet            Print answers and errors only
          --color <WHEN>     When to use colour [default: the setting output.color] [possible values:
                             auto, always, never]
          --data-dir <DIR>   Folder of the database and the logs
          --config <FILE>    Configuration file
          --offline          Send nothing over the network
          --set <KEY=VALUE>  Change a setting for this run, e.g. task.max_pages=40; may be repeated
    --- exit 0
    ");
}

#[test]
fn help_of_task_new() {
    insta::assert_snapshot!(Home::new().run("task new --help"), @r#"
    Record a question to investigate, and print its task id

    The same question may be asked twice: each time is a task of its own.

    Usage: lyra task new [OPTIONS] <QUESTION>

    Arguments:
      <QUESTION>
              The question, or `-` to read it from stdin

    Options:
          --hypothesis <TEXT>
              What you expect the answer to be

          --language <TAG>
              Language of the question, e.g. ja or en-GB

          --max-pages <N>
              Pages the task may fetch [default: the setting task.max_pages]

          --minutes <M>
              Minutes the task may take [default: the setting task.max_seconds]

      -h, --help
              Print help (see a summary with '-h')

    Options of every command:
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

    Examples:
      lyra task new "Does vitamin D prevent colds?" --hypothesis "It does in winter"
      echo '再生可能エネルギーの費用は下がったか' | lyra task new -

    Next: `lyra task show TASK` shows what has been gathered.
    --- exit 0
    "#);
}

#[test]
fn help_of_task_list() {
    insta::assert_snapshot!(Home::new().run("task list --help"), @"
    List the tasks, newest first

    Usage: lyra task list [OPTIONS]

    Options:
          --status <STATUS>  Only tasks of this status: created, exploring, paused, completed or failed
          --limit <N>        Show at most N tasks [default: the setting output.rows]
          --all              Show all tasks
      -h, --help             Print help

    Options of every command:
          --json             Answer with one JSON document; failures too, on stderr
          --json-lines       Answer in lines of JSON: what happens, and the answer last
      -q, --quiet            Print answers and errors only
          --color <WHEN>     When to use colour [default: the setting output.color] [possible values:
                             auto, always, never]
          --data-dir <DIR>   Folder of the database and the logs
          --config <FILE>    Configuration file
          --offline          Send nothing over the network
          --set <KEY=VALUE>  Change a setting for this run, e.g. task.max_pages=40; may be repeated

    Examples:
      lyra task list
      lyra task list --status exploring --all

    Next: `lyra task show task:2` shows the second one. Wherever a task is named, latest, task:2 and the
    end of its id will do.
    --- exit 0
    ");
}

#[test]
fn help_of_task_show() {
    insta::assert_snapshot!(Home::new().run("task show --help"), @"
    Show a task: question, limits, searches, how much was gathered

    Usage: lyra task show [OPTIONS] [TASK]

    Arguments:
      [TASK]  The task: latest, task:3 (the third in `lyra task list`), or the beginning or end of its
              id [default: latest]

    Options:
      -h, --help  Print help

    Options of every command:
          --json             Answer with one JSON document; failures too, on stderr
          --json-lines       Answer in lines of JSON: what happens, and the answer last
      -q, --quiet            Print answers and errors only
          --color <WHEN>     When to use colour [default: the setting output.color] [possible values:
                             auto, always, never]
          --data-dir <DIR>   Folder of the database and the logs
          --config <FILE>    Configuration file
          --offline          Send nothing over the network
          --set <KEY=VALUE>  Change a setting for this run, e.g. task.max_pages=40; may be repeated

    Examples:
      lyra task show
      lyra task show task:2 --json

    Next: `lyra claims TASK` shows what is claimed, and how sure that is.
    --- exit 0
    ");
}

#[test]
fn help_of_task_stop() {
    insta::assert_snapshot!(Home::new().run("task stop --help"), @r#"
    End a task; everything it gathered stays

    A task that has ended already is left as it is.

    Usage: lyra task stop [OPTIONS] <TASK>

    Arguments:
      <TASK>
              The task: latest, task:3 (the third in `lyra task list`), or the beginning or end of its
              id

    Options:
          --reason <TEXT>
              Why it ends

      -h, --help
              Print help (see a summary with '-h')

    Options of every command:
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

    Example:
      lyra task stop latest --reason "answered"
    --- exit 0
    "#);
}

#[test]
fn a_new_task_answers_its_id_on_stdout_and_the_rest_on_stderr() {
    insta::assert_snapshot!(Home::new().run_arguments(&["task", "new", "再生可能エネルギーの費用は下がったか"]), @r"
    task_AAAAAAAAAAAAAAAAAAAAAAAAAA
    --- stderr
    記録しました。確認するには: lyra task show task_AAAAAAAAAAAAAAAAAAAAAAAAAA
    --- exit 0
    ");
}

#[test]
fn quiet_leaves_only_the_id() {
    let answer = Home::new().run("task new question --quiet");
    assert_eq!(steady(&answer.stdout), "task_AAAAAAAAAAAAAAAAAAAAAAAAAA\n");
    assert_eq!(answer.stderr, "");
}

#[test]
fn a_new_task_takes_its_budget_from_flags_then_settings() {
    let home = Home::new();
    let answer = home.run(
        "task new question --json --hypothesis maybe --language ja --max-pages 7 --set task.max_seconds=60",
    );
    assert_eq!(answer.code, Some(0));
    let document: Value = serde_json::from_str(&steady(&answer.stdout)).unwrap();
    assert_eq!(
        document,
        json!({ "ok": true, "task": {
            "id": "task_AAAAAAAAAAAAAAAAAAAAAAAAAA",
            "query": "question",
            "hypothesis": "maybe",
            "language": "ja",
            "status": "created",
            "budget": { "max_pages": 7, "max_seconds": 60 },
            "created_at": "0000-00-00T00:00:00.000Z",
            "updated_at": "0000-00-00T00:00:00.000Z",
            "stopped_at": null,
            "stop_reason": null,
            "cause_id": "ev_BBBBBBBBBBBBBBBBBBBBBBBBBB",
        }})
    );
}

#[test]
fn a_question_can_come_from_stdin() {
    let home = Home::new();
    let answer = home.run_with_stdin("海面は上昇したか\n".as_bytes(), "task new - --json");
    assert_eq!(answer.json()["task"]["query"], "海面は上昇したか");
}

#[test]
fn questions_that_cannot_be_used_are_refused_and_nothing_is_created() {
    let home = Home::new();
    insta::assert_snapshot!(home.run_arguments(&["task", "new", "  "]), @r"
    --- stderr
    error: the question is empty
    --- exit 2
    ");
    insta::assert_snapshot!(home.run_arguments(&["task", "new", &"長".repeat(4001)]), @r"
    --- stderr
    error: the question has 4001 characters; the limit is 4000
    hint: shorten it, or raise the setting task.max_text_chars
    --- exit 7
    ");
    insta::assert_snapshot!(home.run_arguments(&["task", "new", "bell\u{7}"]), @r"
    --- stderr
    error: the question contains a control character (U+0007)
    --- exit 2
    ");
    insta::assert_snapshot!(home.run_with_stdin(b"\xff\xfe", "task new -"), @r"
    --- stderr
    error: the question on stdin is not UTF-8
    --- exit 2
    ");
    insta::assert_snapshot!(home.run_with_stdin(&[b'a'; 20_000], "task new -"), @r"
    --- stderr
    error: the question on stdin has more than 4000 characters
    hint: shorten it, or raise the setting task.max_text_chars
    --- exit 7
    ");
    insta::assert_snapshot!(home.run("task new question --language 日本語"), @r"
    --- stderr
    error: invalid value '日本語' for '--language <TAG>': expected a tag such as ja or en-GB

    For more information, try '--help'.
    --- exit 2
    ");
    insta::assert_snapshot!(home.run("task new question --max-pages 0"), @r"
    --- stderr
    error: invalid value '0' for '--max-pages <N>': 0 is not in 1..=100000

    For more information, try '--help'.
    --- exit 2
    ");
    assert!(!home.data().join("lyra.db").exists());
}

#[test]
fn a_question_of_exactly_the_limit_is_taken() {
    let home = Home::new();
    assert_eq!(home.run_arguments(&["task", "new", &"長".repeat(4000)]).code, Some(0));
    assert_eq!(home.run("task new 1234 --set task.max_text_chars=3").code, Some(7));
    assert_eq!(home.run("task new 123 --set task.max_text_chars=3").code, Some(0));
}

#[test]
fn an_empty_graph_lists_nothing_and_is_not_created() {
    let home = Home::new();
    insta::assert_snapshot!(home.run("task list"), @r#"
    --- stderr
    No tasks yet. Ask something: lyra "your question"
    --- exit 0
    "#);
    assert_eq!(home.run("task list --json").json(), json!({ "ok": true, "total": 0, "tasks": [] }));
    assert!(!home.data().join("lyra.db").exists());
}

fn three_tasks() -> Home {
    let home = Home::new();
    home.fill(|w| {
        task(w, "Does vitamin D prevent respiratory infections in adults?")?;
        let japanese = task(w, "再生可能エネルギーの発電コストは\n2020年以降に下がったのか")?;
        w.set_task_status(japanese, TaskStatus::Exploring, None)?;
        task(w, "\u{1b}[2J\u{202e}a title from a hostile page")
    });
    home
}

#[test]
fn tasks_are_listed_newest_first_and_cannot_drive_the_terminal() {
    insta::assert_snapshot!(three_tasks().run("task list"), @"
    TASK    ID      STATUS     CREATED           QUESTION
    ────    ──      ──────     ───────           ────────
    task:1  FNHH3H  created    0000-00-00 00:00  ␛[2J�a title from a hostile page
    task:2  FNHH3G  exploring  0000-00-00 00:00  再生可能エネルギーの発電コストは 2020年以降に下がったのか
    task:3  FNHH3E  created    0000-00-00 00:00  Does vitamin D prevent respiratory infections in adults?
    --- exit 0
    ");
}

#[test]
fn tasks_can_be_chosen_by_status_and_number() {
    let home = three_tasks();
    insta::assert_snapshot!(home.run("task list --status exploring"), @"
    TASK    ID      STATUS     CREATED           QUESTION
    ────    ──      ──────     ───────           ────────
    task:2  FNHH3G  exploring  0000-00-00 00:00  再生可能エネルギーの発電コストは 2020年以降に下がったのか
    --- exit 0
    ");
    insta::assert_snapshot!(home.run("task list --status failed"), @r"
    --- stderr
    No task has this status.
    --- exit 0
    ");
    insta::assert_snapshot!(home.run("task list --limit 1"), @"
    TASK    ID      STATUS   CREATED           QUESTION
    ────    ──      ──────   ───────           ────────
    task:1  FNHH3H  created  0000-00-00 00:00  ␛[2J�a title from a hostile page
    --- stderr
    1 of 3 tasks; --all shows the rest.
    --- exit 0
    ");
    insta::assert_snapshot!(home.run("task list --status done"), @r"
    --- stderr
    error: invalid value 'done' for '--status <STATUS>': `done` is not a task status; expected one of: created, exploring, paused, completed, failed

    For more information, try '--help'.
    --- exit 2
    ");
    let document = home.run("task list --limit 2 --json").json();
    assert_eq!(document["total"], 3);
    assert_eq!(document["tasks"].as_array().unwrap().len(), 2);
    assert_eq!(home.run("task list --all --set output.rows=1").stdout.lines().count(), 2 + 3);
}

#[test]
fn a_task_is_shown_with_what_it_gathered() {
    let home = Home::new();
    let id = home.fill(|w| {
        let id = w.create_task(&NewTask {
            query: "海面は上昇したか".to_owned(),
            hypothesis: Some("上昇した".to_owned()),
            language: Some("ja".to_owned()),
            budget: Budget { max_pages: 40, max_seconds: 600 },
            config: json!({}),
        })?;
        let search = w.record_search(&NewSearch {
            task_id: id,
            query: "海面上昇 観測".to_owned(),
            options: json!({}),
        })?;
        w.finish_search(search, evidence::SearchStatus::Satisfied, 3, 2)?;
        let page = w.record_page(&graph::NewPage {
            url: "https://example.com/".to_owned(),
            domain: "example.com".to_owned(),
            domain_category: DomainCategory::Unverified,
            title: None,
            language: None,
            year: None,
            work_id: None,
        })?;
        w.record_serp_item(&graph::NewSerpItem {
            search_id: search,
            engine: "e".to_owned(),
            rank: 1,
            url: "https://example.com/".to_owned(),
            title: None,
            snippet: None,
            published_at: None,
            source_tag: None,
            page_id: Some(page),
        })?;
        Ok(id)
    });
    let beginning = &id.to_string()["task_".len()..][..10];
    insta::assert_snapshot!(home.run(&format!("task show {beginning}")), @"
    調査  task_AAAAAAAAAAAAAAAAAAAAAAAAAA
    質問  海面は上昇したか
    仮説  上昇した
    言語  ja
    状態  作成済み
    上限  40 ページ、600 秒
    作成  0000-00-00 00:00
    収集  検索 1、ページ 1、箇所 0、主張 0、判定 0

    検索    状態  ページ  クエリ
    ────    ────  ──────  ──────
    FNHH3G  充足       3  海面上昇 観測
    --- exit 0
    ");
    let document = home.run(&format!("task show {id} --json")).json();
    assert_eq!(
        document["counts"],
        json!({ "searches": 1, "pages": 1, "fragments": 0, "claims": 0, "edges": 0 })
    );
    assert_eq!(document["task"]["hypothesis"], "上昇した");
    assert_eq!(document["searches"][0]["status"], "satisfied");
}

#[test]
fn ids_that_name_no_task_are_told_apart() {
    let home = three_tasks();
    insta::assert_snapshot!(home.run("task show task_01ARZ3NDEKTSV4RRFFQ69G5FAV"), @r"
    --- stderr
    error: no task task_AAAAAAAAAAAAAAAAAAAAAAAAAA
    hint: `lyra task list` shows the tasks
    --- exit 3
    ");
    insta::assert_snapshot!(home.run("task show c_01ARZ3NDEKTSV4RRFFQ69G5FAV"), @r"
    --- stderr
    error: `c_AAAAAAAAAAAAAAAAAAAAAAAAAA` is not a task id; it should look like task_BBBBBBBBBBBBBBBBBBBBBBBBBB
    hint: `lyra task list` shows the tasks
    --- exit 2
    ");
    insta::assert_snapshot!(home.run("task show ../../etc/passwd"), @r"
    --- stderr
    error: `../../etc/passwd` is not a task id; it should look like task_AAAAAAAAAAAAAAAAAAAAAAAAAA
    hint: `lyra task list` shows the tasks
    --- exit 2
    ");
    insta::assert_snapshot!(home.run("task show 7ZZ"), @r"
    --- stderr
    error: no task task_7ZZ
    hint: `lyra task list` shows the tasks
    --- exit 3
    ");
    insta::assert_snapshot!(home.run("task show 01KF"), @"
    --- stderr
    error: `01KF` may be any of 3 tasks
    hint: give more of the id: task_AAAAAAAAAAAAAAAAAAAAAAAAAA (Does vitamin D prevent respiratory infections in…); task_BBBBBBBBBBBBBBBBBBBBBBBBBB (再生可能エネルギーの発電コストは 2020年以降に下がったのか); task_CCCCCCCCCCCCCCCCCCCCCCCCCC (␛[2J�a title from a hostile page)
    --- exit 2
    ");
}

#[test]
fn a_task_is_stopped_once_and_keeps_its_reason() {
    let home = Home::new();
    let id = home.fill(|w| task(w, "question"));
    insta::assert_snapshot!(home.run(&format!("task stop {id} --reason answered")), @r"
    task_AAAAAAAAAAAAAAAAAAAAAAAAAA
    --- stderr
    Ended. What it gathered stays.
    --- exit 0
    ");
    insta::assert_snapshot!(home.run(&format!("task stop {id} --reason again")), @r"
    task_AAAAAAAAAAAAAAAAAAAAAAAAAA
    --- stderr
    It had ended before; nothing was changed.
    --- exit 0
    ");
    let task = home.run(&format!("task show {id} --json")).json()["task"].clone();
    assert_eq!((&task["status"], &task["stop_reason"]), (&json!("completed"), &json!("answered")));
    insta::assert_snapshot!(home.run(&format!("task show {id}")), @r"
    Task      task_AAAAAAAAAAAAAAAAAAAAAAAAAA
    Question  question
    Status    completed
    Budget    120 pages, 3600 seconds
    Created   0000-00-00 00:00
    Ended     0000-00-00 00:00
    Reason    answered
    Gathered  searches 0, pages 0, fragments 0, claims 0, edges 0
    --- exit 0
    ");
}

#[test]
fn stopping_an_unknown_task_creates_no_database() {
    let home = Home::new();
    insta::assert_snapshot!(home.run("task stop task_01ARZ3NDEKTSV4RRFFQ69G5FAV"), @r"
    --- stderr
    error: no task task_AAAAAAAAAAAAAAAAAAAAAAAAAA
    hint: `lyra task list` shows the tasks
    --- exit 3
    ");
    assert!(!home.data().join("lyra.db").exists());
}

#[test]
fn a_second_writer_is_told_who_the_first_is_and_readers_go_on() {
    let home = Home::new();
    let first = home.graph();
    let answer = home.run("task new question --set storage.lock_wait_ms=50");
    assert_eq!(answer.code, Some(6));
    let expected = format!(
        "error: {} is in use by another lyra process (process {},",
        home.data().join("lyra.db").display(),
        std::process::id()
    );
    assert!(answer.stderr.starts_with(&expected), "{answer}");
    assert_eq!(
        answer.stderr.lines().nth(1).unwrap(),
        "hint: wait for that process or stop it; `--set storage.lock_wait_ms=60000` waits longer"
    );
    assert_eq!(home.run("task list").code, Some(0));
    drop(first);
    assert_eq!(home.run("task new question").code, Some(0));
    assert_eq!(home.run("task list --json").json()["total"], 1);
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_command_that_waits_and_changes_nothing() {
    use std::process::{Command, Stdio};
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    let home = Home::new();
    let first = home.graph();
    let mut command =
        home.command(&["task", "new", "question", "--set", "storage.lock_wait_ms=600000"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // The first line of the log is written when the command listens for Ctrl-C.
    let started = Instant::now();
    while !home.data().join("logs").exists() {
        assert!(started.elapsed() < Duration::from_secs(20), "the command did not start");
        sleep(Duration::from_millis(10));
    }
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let answer = home.answer(child.wait_with_output().unwrap());
    insta::assert_snapshot!(answer, @r"
    --- stderr
    error: interrupted
    hint: nothing was changed
    --- exit 130
    ");
    drop(first);
    assert_eq!(home.run("task list --json").json()["total"], 0);
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_command_whose_output_nobody_reads() {
    use std::io::Read;
    use std::process::{Command, Stdio};

    let home = Home::new();
    // More than a pipe holds, so that the command waits for its reader.
    home.fill(|w| (0..50).try_for_each(|_| task(w, &"長".repeat(4000)).map(drop)));
    let mut command = home.command(&["task", "list"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
    for _ in 0..2 {
        let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(kill.success());
    }
    let status = child.wait().unwrap();
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!(
        stderr,
        "error: interrupted\nhint: what was recorded before is kept, and nothing is half done\n"
    );
    assert_eq!(status.code(), Some(130));
}
