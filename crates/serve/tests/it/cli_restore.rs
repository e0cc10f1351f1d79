//! `lyra restore`.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{Home, own_help};
use crate::two_tasks::{TwoTasks, assert_whole, copy_folder, report_of, sizeless, two_tasks};

const KILLS: u32 = 20;

#[test]
fn help_of_restore() {
    insta::assert_snapshot!(own_help("restore"), @"
    Check a backup, and put it in the place of the data

    Every file is held against its digest first; a backup that is damaged, cut off or of a newer Lyra
    changes nothing. Without --yes that is all. What is replaced is kept in a folder
    `before-restore-...` of the data folder until you delete it.

    Usage: lyra restore [OPTIONS] <FILE|DIR>

    Arguments:
      <FILE|DIR>
              What `lyra backup` wrote

    Options:
          --yes
              Do it

      -h, --help
              Print help (see a summary with '-h')

    Examples:
      lyra restore lyra-2026-11.tar.gz
      lyra restore lyra-2026-11.tar.gz --yes
      lyra --data-dir ./elsewhere restore lyra-2026-11.tar.gz --yes

    Next: `lyra task list` shows the tasks, `lyra doctor` checks everything.
    --- exit 0
    ");
}

/// A home with a backup of two tasks; since then one was deleted and another asked.
fn changed_since() -> (TwoTasks, String) {
    let two = two_tasks(2, 100);
    let report = report_of(&two.home, &two.ours);
    assert_eq!(two.home.run("backup kept.tar.gz").code, Some(0));
    assert_eq!(two.home.run(&format!("task delete {} --yes", two.ours)).code, Some(0));
    two.home.run("task new later");
    (two, report)
}

#[test]
fn without_yes_it_checks_the_backup_and_changes_nothing() {
    let (TwoTasks { home, .. }, _) = changed_since();
    let before = home.run("task list --json").stdout;
    insta::assert_snapshot!(sizeless(&home.run("restore kept.tar.gz")), @"
    Backup    0000-00-00 00:00 UTC, by Lyra 0.1.0
    Tasks     2
    Size      [n] bytes
    Replaces  lyra.db, archive (2 tasks, [n] bytes)
    --- stderr
    checking the backup
    Nothing was changed. To do it: lyra restore kept.tar.gz --yes
    --- exit 0
    ");
    assert_eq!(home.run("task list --json").stdout, before);
}

#[test]
fn with_yes_everything_is_as_it_was_and_what_was_there_is_kept() {
    let (TwoTasks { home, ours, .. }, report) = changed_since();
    let replaced = home.run("task list --json").stdout;
    let restored = home.run("restore kept.tar.gz --yes --json").json();
    assert_eq!((&restored["restored"], &restored["replaced"]["tasks"]), (&json!(true), &json!(2)));
    assert_eq!(report_of(&home, &ours), report);
    assert_whole(&home);
    let kept = restored["kept_in"].as_str().unwrap().to_owned();
    assert_eq!(home.run(&format!("--data-dir {kept} task list --json")).stdout, replaced);
    let again = home.run(&format!("task delete {ours} --yes"));
    assert!(again.stderr.contains("data from before a restore may still have the task"), "{again}");
}

#[test]
fn on_a_new_machine_a_folder_is_enough() {
    let TwoTasks { home, theirs, .. } = two_tasks(1, 10);
    home.write(".local/share/lyra/vault/notes/a.md", "# A note\n");
    assert_eq!(home.run("backup kept").code, Some(0));
    let new = Home::new();
    copy_folder(&home.path().join("kept"), &new.path().join("kept"));
    insta::assert_snapshot!(sizeless(&new.run("restore kept --yes")), @"
    Backup    0000-00-00 00:00 UTC, by Lyra 0.1.0
    Tasks     2
    Size      [n] bytes
    Replaces  none
    --- stderr
    checking the backup
    The backup is in place.
    --- exit 0
    ");
    assert_eq!(report_of(&new, &theirs), report_of(&home, &theirs));
    assert_eq!(new.run("vault read notes/a.md").code, Some(0));
}

/// What is said of a backup that was changed in one way, and that nothing changed.
fn refused(change: impl FnOnce(&Path)) -> String {
    let (TwoTasks { home, .. }, _) = changed_since();
    assert_eq!(home.run("backup spoiled").code, Some(0));
    let before = home.run("task list --json").stdout;
    change(&home.path().join("spoiled"));
    let look = home.run("restore spoiled");
    let deed = home.run("restore spoiled --yes");
    assert_eq!((look.code, deed.code), (Some(2), Some(2)), "{look}{deed}");
    assert_eq!(look.stderr, deed.stderr);
    assert_eq!(home.run("task list --json").stdout, before);
    assert_eq!(readying(&home), 0);
    look.stderr.lines().find(|it| it.starts_with("error")).unwrap().to_owned()
}

/// What a restore at work, or one that was cut short, has in the data folder.
fn readying(home: &Home) -> usize {
    let names = fs::read_dir(home.data()).unwrap().map(|it| it.unwrap().file_name());
    names.filter(|it| it.to_string_lossy().starts_with("restor")).count()
}

fn manifest(folder: &Path, change: impl FnOnce(&mut Value)) {
    let path = folder.join("manifest.json");
    let mut manifest: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    change(&mut manifest);
    fs::write(path, manifest.to_string()).unwrap();
}

#[test]
fn what_is_damaged_or_newer_is_refused_and_changes_nothing() {
    assert_eq!(
        refused(|it| manifest(it, |m| m["schema"] = json!(9_999))),
        "error: the backup was written by a newer Lyra (format 1, schema 9999)"
    );
    assert_eq!(
        refused(|it| fs::remove_file(it.join("manifest.json")).unwrap()),
        "error: this is no whole backup: its end is missing (no manifest)"
    );
    assert_eq!(
        refused(|it| {
            let mut bytes = fs::read(it.join("lyra.db")).unwrap();
            bytes[5_000] ^= 1;
            fs::write(it.join("lyra.db"), bytes).unwrap();
        }),
        "error: this is no whole backup: lyra.db is not as it was written"
    );
    assert_eq!(
        refused(|it| fs::write(it.join("stranger.txt"), "hello").unwrap()),
        "error: this is no whole backup: `stranger.txt` does not belong in one"
    );
    assert_eq!(
        refused(|it| manifest(it, |m| m["files"][0]["path"] = json!("../escape"))),
        "error: this is no whole backup: ../escape is missing"
    );
}

#[test]
fn a_file_that_was_cut_off_or_is_something_else_is_refused() {
    let (TwoTasks { home, .. }, _) = changed_since();
    let whole = fs::read(home.path().join("kept.tar.gz")).unwrap();
    for length in [0, 10, whole.len() / 2, whole.len() - 9] {
        fs::write(home.path().join("cut.tar.gz"), &whole[..length]).unwrap();
        let answer = home.run("restore cut.tar.gz --yes");
        assert_eq!(answer.code, Some(2), "{length}: {answer}");
        assert!(answer.stderr.contains("this is no whole backup"), "{answer}");
    }
    home.write("other.tar.gz", "not a backup at all");
    assert_eq!(home.run("restore other.tar.gz --yes").code, Some(2));
    assert_eq!(home.run("restore nowhere.tar.gz").code, Some(2));
}

#[test]
fn killed_at_any_moment_it_leaves_the_old_data_or_the_new() {
    let original = two_tasks(6, 60_000);
    assert_eq!(original.home.run("backup kept.tar.gz").code, Some(0));
    original.home.run("task new later");
    let copy = || {
        let home = Home::new();
        copy_folder(original.home.path(), home.path());
        home
    };
    let whole = copy();
    let begun = Instant::now();
    assert_eq!(whole.run("restore kept.tar.gz --yes").code, Some(0));
    let takes = begun.elapsed();
    let total = |home: &Home| home.run("task list --json").json()["total"].as_u64().unwrap();
    // The kills close in on the moment at which names are exchanged: before it the old data stays, after it the new is there.
    let (mut before, mut after) = (Duration::ZERO, takes * 2);
    let (mut old, mut new, mut between) = (0, 0, 0);
    for kill in 0..KILLS {
        let home = copy();
        let mut child = home
            .command(&["restore", "kept.tar.gz", "--yes"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let moment = (before + after) / 2;
        thread::sleep(moment);
        child.kill().unwrap();
        child.wait().unwrap();
        between += usize::from(readying(&home) > 0);
        match total(&home) {
            3 => (old, before) = (old + 1, moment),
            2 => (new, after) = (new + 1, moment),
            other => panic!("{other} tasks after kill {kill}"),
        }
        // No two runs take equally long.
        (before, after) = (before.mul_f64(0.9), after.mul_f64(1.1));
        assert_whole(&home);
        assert_eq!(home.run("gc --yes").code, Some(0));
        assert_eq!(readying(&home), 0);
        assert_eq!(report_of(&home, &original.ours), report_of(&original.home, &original.ours));
    }
    println!("{KILLS} kills: {old} left the old data, {new} the new, {between} came in the middle");
    assert!(old > 0, "every kill came too late");
    assert!(new > 0, "every kill came too early");
    assert!(between > 0, "no kill came in the middle");
}
