//! `lyra task delete`.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use testweb::Answer as Page;

use crate::mcp_client::Client;
use crate::support::{Home, online, own_help};
use crate::two_tasks::{
    OURS, SHARED, THEIRS, TwoTasks, assert_whole, copy_folder, files_with, report_of, sizeless,
    two_tasks,
};

/// At moments spread over the time that the whole takes.
const KILLS: u32 = 20;

#[test]
fn help_of_task_delete() {
    insta::assert_snapshot!(own_help("task delete"), @"
    Delete a task for good: its texts, its rows, and the archived pages no other task uses

    Without --yes it says what would go and changes nothing. What other tasks use stays. Of the task its
    id and the time of the deletion stay; the ledger of requests keeps times, hosts and sizes and loses
    paths. Backups, exports and reports you wrote to files are yours to delete.

    Usage: lyra task delete [OPTIONS] <TASK>

    Arguments:
      <TASK>
              The task: latest, task:3 (the third in `lyra task list`), or the beginning or end of its
              id

    Options:
          --yes
              Do it: there is no way back

      -h, --help
              Print help (see a summary with '-h')

    Examples:
      lyra task delete task:3
      lyra task delete task:3 --yes

    Next: `lyra gc` removes what nothing needs any more; `lyra export TASK` keeps a copy before.
    --- exit 0
    ");
}

#[test]
fn without_yes_it_says_what_would_go_and_changes_nothing() {
    let TwoTasks { home, ours, .. } = two_tasks(3, 100);
    let before = home.run("task list --json").stdout;
    insta::assert_snapshot!(sizeless(&home.run(&format!("task delete {ours}"))), @"
    Deleting task_AAAAAAAAAAAAAAAAAAAAAAAAAA would remove for good: Is zirkelquast 秘匿 true?
    Database        29 rows: 1 claim, 3 pages, 3 passages, 3 vectors
    Texts, vectors  [n] bytes
    Archive         6 records, [n] bytes
    Ledger          4 requests lose their paths
    Stays           1 page that other tasks use
    --- stderr
    Nothing was changed. To do it: lyra task delete task_AAAAAAAAAAAAAAAAAAAAAAAAAA --yes
    --- exit 0
    ");
    assert_eq!(home.run("task list --json").stdout, before);
    let told = home.run(&format!("task delete {ours} --json")).json();
    assert_eq!((&told["deleted"], &told["removed"]["rows"]["pages"]), (&json!(false), &json!(3)));
    assert_eq!(told["removed"]["shared_pages"], 1);
}

#[test]
fn with_yes_no_file_has_a_word_of_the_task_and_the_other_task_is_as_it_was() {
    let TwoTasks { home, ours, theirs } = two_tasks(3, 100);
    let before = report_of(&home, &theirs);
    assert!(!files_with(&home.data(), OURS).is_empty());
    insta::assert_snapshot!(sizeless(&home.run(&format!("task delete {ours} --yes"))), @"
    Deleted: task_AAAAAAAAAAAAAAAAAAAAAAAAAA Is zirkelquast 秘匿 true?
    Database        29 rows: 1 claim, 3 pages, 3 passages, 3 vectors
    Texts, vectors  [n] bytes
    Archive         6 records, [n] bytes
    Ledger          4 requests lose their paths
    Stays           1 page that other tasks use
    --- stderr
    writing lyra-20260115120000-00001.warc.gz again without what goes (1 of 1)
    making the database smaller
    [n] bytes are free again.
    --- exit 0
    ");
    assert_eq!(files_with(home.path(), OURS), Vec::<PathBuf>::new());
    assert!(
        !files_with(&home.data(), THEIRS).is_empty()
            && !files_with(&home.data(), SHARED).is_empty()
    );
    assert_eq!(report_of(&home, &theirs), before);
    assert_whole(&home);
    let again = home.run(&format!("task delete {ours} --yes"));
    assert_eq!(again.code, Some(3));
    assert!(again.stderr.contains("was deleted on"), "{again}");
    assert_eq!(home.run(&format!("task delete {theirs} --yes")).code, Some(0));
    assert_eq!(files_with(home.path(), SHARED), Vec::<PathBuf>::new());
    assert_eq!(home.run("archive verify --json").json()["records"], 0);
}

#[test]
fn it_speaks_the_language_of_the_question() {
    let TwoTasks { home, ours, .. } = two_tasks(1, 10);
    let japanese = home.run_arguments(&["task", "new", "秘匿された案件は真実か"]).stdout;
    insta::assert_snapshot!(sizeless(&home.run(&format!("task delete {}", japanese.trim()))), @"
    task_AAAAAAAAAAAAAAAAAAAAAAAAAA を削除すると、次のものが完全に消えます: 秘匿された案件は真実か
    データベース    2 行
    本文・ベクトル  [n] bytes
    アーカイブ      0 件、0 B
    --- stderr
    何も変更していません。実行するには: lyra task delete task_AAAAAAAAAAAAAAAAAAAAAAAAAA --yes
    --- exit 0
    ");
    assert_eq!(home.run(&format!("task delete {ours}")).code, Some(0));
}

#[test]
fn a_task_at_work_in_another_process_is_not_deleted() {
    let TwoTasks { home, ours, .. } = two_tasks(1, 10);
    home.fill(|w| w.set_task_status(ours.parse().unwrap(), evidence::TaskStatus::Exploring, None));
    let at_work = home.graph();
    let refused = home.run(&format!("--set storage.lock_wait_ms=100 task delete {ours} --yes"));
    assert_eq!(refused.code, Some(6));
    assert!(
        refused.stderr.contains("end that first (Ctrl-C, or stop_task in the assistant)"),
        "{refused}"
    );
    drop(at_work);
    assert_eq!(home.run(&format!("task delete {ours} --yes")).code, Some(0));
}

/// Real searches on the small internet: result pages, pages, the ledger and the archive as the product writes them.
#[test]
fn after_real_searches_no_file_has_a_word_of_the_deleted_task() {
    let (web, home) = online();
    let page = |word: &str| {
        let text = format!(
            "People who took {word} every day recovered faster from {word} fever than others. 秘匿{word}"
        );
        Page::html(
            200,
            format!("<html lang=en><title>{word} study</title><main><p>{text}</p></main></html>"),
        )
    };
    web.put("alpha.test", &format!("/{OURS}"), page(OURS));
    web.put("beta.test", "/common", page(SHARED));
    web.put("gamma.test", &format!("/{THEIRS}"), page(THEIRS));
    let quick = ["fetch.spacing_min_ms=50", "fetch.spacing_max_ms=100", "fetch.per_second=50"];
    let quick: Vec<&str> = quick.iter().flat_map(|it| ["--set", it]).collect();
    let mut client = Client::start(&home, &quick);
    let tasks = [(OURS, "alpha.test"), (THEIRS, "gamma.test")].map(|(word, host)| {
        let question = format!("Does {word} help against fever?");
        let task = client.ok("create_task", json!({ "query": question }))["task_id"].clone();
        let urls = [format!("https://{host}/{word}"), "https://beta.test/common".to_owned()];
        let options = json!({ "urls": urls, "engines": ["mojeek"], "sources": ["web"], "max_pages": 2,
                               "wait_seconds": 100 });
        let query = format!("{word} fever 秘匿{word}");
        let found = client.ok("search", json!({ "task_id": task, "query": query, "options": options }));
        assert_eq!(found["running"], false);
        client.ok("stop_task", json!({ "task_id": task }));
        task.as_str().unwrap().to_owned()
    });
    assert_eq!(client.leave(), Some(0));
    let [ours, theirs] = tasks;
    let before = report_of(&home, &theirs);
    let kinds: BTreeSet<String> = files_with(&home.data(), OURS)
        .iter()
        .map(|it| it.extension().unwrap().to_string_lossy().replace("db-wal", "db"))
        .collect();
    let expected = ["db", "gz"].map(str::to_owned);
    assert_eq!(kinds, BTreeSet::from(expected), "the database and the archive have it, no log has");
    let deleted = home.run(&format!("task delete {ours} --yes --json")).json();
    assert_eq!(deleted["removed"]["shared_pages"], 1);
    assert!(deleted["removed"]["archive_records"].as_u64().unwrap() >= 4, "{deleted}");
    assert_eq!(files_with(home.path(), OURS), Vec::<PathBuf>::new());
    assert_eq!(files_with(home.path(), &format!("秘匿{OURS}")), Vec::<PathBuf>::new());
    assert_eq!(report_of(&home, &theirs), before);
    assert_whole(&home);
    let ledger = home.run("egress --all --json").json();
    let rows = ledger["requests"].as_array().unwrap();
    let emptied: Vec<&Value> = rows.iter().filter(|it| it["path"] == "").collect();
    assert_eq!(emptied.len() as u64, deleted["removed"]["ledger_rows"].as_u64().unwrap());
    assert!(
        emptied
            .iter()
            .any(|it| it["host"] == "alpha.test" && it["response_bytes"].as_u64() > Some(0))
    );
}

#[test]
fn killed_at_any_moment_it_leaves_an_archive_that_can_be_read_and_is_ended_by_the_next_command() {
    let TwoTasks { home: original, ours, theirs } = two_tasks(20, 60_000);
    let copy = || {
        let home = Home::new();
        copy_folder(&original.data(), &home.data());
        home
    };
    let line = format!("task delete {ours} --yes");
    let arguments: Vec<&str> = line.split(' ').collect();
    let begun = Instant::now();
    let whole = copy();
    let begun_at = begun.elapsed();
    assert_eq!(whole.run(&line).code, Some(0));
    let takes = begun.elapsed() - begun_at;
    let expected = report_of(&original, &theirs);
    let (mut before, mut between) = (0, 0);
    for kill in 0..KILLS {
        let home = copy();
        let mut child =
            home.command(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        thread::sleep(takes * kill / KILLS + Duration::from_millis(u64::from(kill % 7)));
        child.kill().unwrap();
        child.wait().unwrap();
        // As it was left: a reader changes nothing.
        let verified = home.run("archive verify --json");
        assert_eq!(verified.code, Some(0), "{verified}");
        assert_eq!(report_of(&home, &theirs), expected);
        let is_there = home.run(&format!("task show {ours}")).code == Some(0);
        if is_there {
            before += 1;
            home.run(&line);
        } else {
            between += usize::from(!files_with(&home.data(), OURS).is_empty());
            home.run("task new next");
        }
        assert_eq!(files_with(&home.data(), OURS), Vec::<PathBuf>::new(), "kill {kill}");
        assert_eq!(home.run("gc --yes").code, Some(0));
        assert_whole(&home);
        fs::remove_dir_all(home.path()).unwrap();
    }
    println!(
        "{KILLS} kills: {before} before the task was gone, {between} with bytes left to remove"
    );
    // The first is killed at once. How many fall between depends on the machine and is printed.
    assert!(before > 0, "no kill came before the end");
}
