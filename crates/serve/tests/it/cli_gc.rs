//! `lyra gc`.

use std::fs;
use std::path::PathBuf;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::support::{Home, own_help};
use crate::two_tasks::{
    OURS, THEIRS, TwoTasks, assert_whole, copy_folder, files_with, report_of, sizeless, two_tasks,
};

const KILLS: u32 = 10;

#[test]
fn help_of_gc() {
    insta::assert_snapshot!(own_help("gc"), @"
    Remove what nothing needs any more

    Without --yes it says what would go and changes nothing. Nothing of a task goes: pages that no task
    met, archive records without a row or of deleted tasks, vectors of models that are not active,
    cached result pages that are over, and what a command that was cut short left behind. The database
    is written anew without free pages.

    Usage: lyra gc [OPTIONS]

    Options:
          --yes
              Do it

      -h, --help
              Print help (see a summary with '-h')

    Examples:
      lyra gc
      lyra gc --yes

    Next: `lyra archive verify` checks the archive, `lyra doctor` the database.
    --- exit 0
    ");
}

#[test]
fn where_nothing_is_there_is_nothing_to_do_and_no_database_is_made() {
    let home = Home::new();
    insta::assert_snapshot!(sizeless(&home.run("gc")), @"
    --- stderr
    There is nothing to tidy up.
    --- exit 0
    ");
    assert_eq!(home.run("gc --yes").code, Some(0));
    assert!(!home.data().join("lyra.db").exists());
}

/// A home with vectors of another model, an archive file whose rows were never written, and what a restore left behind.
fn untidy() -> TwoTasks {
    let two = two_tasks(2, 100);
    let options = archive::Options { software: "lyra-test".to_owned(), ..Default::default() };
    let mut killed = archive::Writer::open(&two.home.data().join("archive"), options).unwrap();
    killed
        .append(&archive::Exchange {
            url: "https://lost.example/verloren",
            at: "2026-01-16T12:00:00Z".parse().unwrap(),
            address: None,
            request_head: b"GET /verloren HTTP/1.1\r\nhost: lost.example\r\n\r\n",
            request_body: b"",
            response: archive::Response::None,
        })
        .unwrap();
    killed.sync().unwrap();
    fs::create_dir(two.home.data().join("restoring-20260115T120000.part")).unwrap();
    two
}

#[test]
fn without_yes_it_says_what_nothing_needs() {
    let TwoTasks { home, .. } = untidy();
    insta::assert_snapshot!(sizeless(&home.run("gc")), @"
    Nothing needs these; tidying would remove them:
    Database        5 rows: 5 vectors
    Texts, vectors  [n] bytes
    Archive         0 records, [n] bytes
    Left over       1 archive file with [n] bytes that no row names
    --- stderr
    Nothing was changed. To do it: lyra gc --yes
    --- exit 0
    ");
    let told = home.run("gc --json").json();
    assert_eq!(
        (&told["done"], &told["removed"]["rows"]),
        (&json!(false), &json!({ "embeddings": 5 }))
    );
    assert_eq!(told["left_behind"], json!(["restoring-20260115T120000.part"]));
    assert_eq!(files_with(&home.data(), "verloren").len(), 1);
}

#[test]
fn with_yes_it_removes_that_and_nothing_of_a_task() {
    let TwoTasks { home, ours, theirs } = untidy();
    let before = [&ours, &theirs].map(|it| report_of(&home, it));
    insta::assert_snapshot!(sizeless(&home.run("gc --yes")), @"
    Removed what nothing needs:
    Database        5 rows: 5 vectors
    Texts, vectors  [n] bytes
    Archive         0 records, [n] bytes
    Left over       1 archive file with [n] bytes that no row names
    --- stderr
    writing lyra-20260116120000-00001.warc.gz again without what goes (1 of 1)
    making the database smaller
    [n] bytes are free again.
    --- exit 0
    ");
    assert_eq!([&ours, &theirs].map(|it| report_of(&home, it)), before);
    assert_eq!(files_with(&home.data(), "verloren"), Vec::<PathBuf>::new());
    assert!(!home.data().join("restoring-20260115T120000.part").exists());
    assert_whole(&home);
    insta::assert_snapshot!(sizeless(&home.run("gc")), @"
    --- stderr
    There is nothing to tidy up.
    --- exit 0
    ");
}

#[test]
fn archives_of_others_in_the_same_folder_are_left_alone() {
    let TwoTasks { home, .. } = untidy();
    let foreign = home.data().join("archive/crawl-of-mine.warc.gz");
    fs::copy(
        fs::read_dir(home.data().join("archive")).unwrap().next().unwrap().unwrap().path(),
        &foreign,
    )
    .unwrap();
    assert_eq!(home.run("gc --yes").code, Some(0));
    assert!(foreign.exists());
}

#[test]
fn doctor_shows_a_deletion_that_was_cut_short_until_it_is_ended() {
    let TwoTasks { home, ours, .. } = two_tasks(1, 100);
    assert_eq!(home.run("doctor --offline").code, Some(0));
    // Its rows go, and the process ends before it touches a file.
    home.graph().delete_task(ours.parse().unwrap()).unwrap();
    let looked = home.run("doctor --offline");
    assert_eq!(looked.code, Some(5), "{looked}");
    let lines: Vec<&str> = looked.stdout.lines().collect();
    let at = lines.iter().position(|it| it.contains(" deletion ")).unwrap();
    let said = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(
        said(lines[at]),
        "problem deletion one was cut short: what was deleted is still in 1 archive file, free pages of the database"
    );
    assert_eq!(said(lines[at + 1]), "hint: `lyra gc --yes` removes the rest");
    assert_eq!(home.run("gc --yes").code, Some(0));
    let looked = home.run("doctor --offline");
    assert_eq!((looked.code, looked.stdout.contains("deletion")), (Some(0), false), "{looked}");
}

#[test]
fn killed_at_any_moment_it_loses_nothing_and_the_next_one_ends_it() {
    let TwoTasks { home: original, ours, theirs } = two_tasks(12, 60_000);
    // Files that hold records of a deleted task: its rows go, and the process ends before it touches a file.
    original.graph().delete_task(ours.parse().unwrap()).unwrap();
    let copy = || {
        let home = Home::new();
        copy_folder(&original.data(), &home.data());
        home
    };
    let whole = copy();
    let begun = Instant::now();
    assert_eq!(whole.run("gc --yes").code, Some(0));
    let takes = begun.elapsed();
    let expected = report_of(&original, &theirs);
    let mut between = 0;
    for kill in 0..KILLS {
        let home = copy();
        let mut child = home
            .command(&["gc", "--yes"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        thread::sleep(takes * kill / KILLS + Duration::from_millis(u64::from(kill % 5)));
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(home.run("archive verify --json").code, Some(0));
        assert_eq!(report_of(&home, &theirs), expected);
        between += usize::from(!files_with(&home.data(), OURS).is_empty());
        assert_eq!(home.run("gc --yes").code, Some(0));
        assert_eq!(files_with(&home.data(), OURS), Vec::<PathBuf>::new(), "kill {kill}");
        assert!(!files_with(&home.data(), THEIRS).is_empty());
        assert_whole(&home);
    }
    println!("{KILLS} kills, {between} with bytes left to remove");
    assert!(between > 0, "no kill came in time");
}
