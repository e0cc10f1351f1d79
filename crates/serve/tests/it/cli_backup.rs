//! `lyra backup`.

use std::fs;
use std::process::{Command, Stdio};
use std::sync::atomic::Ordering::SeqCst;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::thread;

use serde_json::{Value, json};

use crate::support::{Home, own_help};
use crate::two_tasks::{TwoTasks, sizeless, two_tasks, write_on};

#[test]
fn help_of_backup() {
    insta::assert_snapshot!(own_help("backup"), @"
    Copy everything Lyra keeps into one file or folder

    The database, the archived pages, the vault, and manuals that lie in the data folder, all as they
    are at one moment: other commands and assistants may go on meanwhile. Settings, logs, added models
    and signed-in sessions are not in it. Everything you asked is: keep it as safe as the data itself.

    Usage: lyra backup [OPTIONS] <FILE|DIR>

    Arguments:
      <FILE|DIR>
              A file ending in .tar.gz or .tgz, or a folder to make; must not exist yet

    Options:
      -h, --help
              Print help (see a summary with '-h')

    Examples:
      lyra backup lyra-2026-11.tar.gz
      lyra backup /mnt/disk/lyra-backup

    Next: `lyra restore FILE` checks it and says what it would replace.
    --- exit 0
    ");
}

#[test]
fn a_file_holds_everything_with_its_digests_and_other_programs_can_unpack_it() {
    let TwoTasks { home, .. } = two_tasks(2, 100);
    home.write(".local/share/lyra/vault/notes/a.md", "# A note\n");
    home.write(".local/share/lyra/logs/old.log", "not this");
    insta::assert_snapshot!(sizeless(&home.run("backup kept.tar.gz")), @"
    Backup  [home]/kept.tar.gz
    Tasks   2
    Files   3, 1 of them of the archive
    Size    [n] bytes
    --- stderr
    copying the database
    copying lyra-20260115120000-00001.warc.gz (1 of 1)
    Keep it safe: it holds your questions. To bring it back: lyra restore kept.tar.gz
    --- exit 0
    ");
    let folder = home.path().join("unpacked");
    fs::create_dir(&folder).unwrap();
    let unpacked = Command::new("tar")
        .args(["-xzf", "kept.tar.gz", "-C", "unpacked"])
        .current_dir(home.path())
        .status()
        .unwrap();
    assert!(unpacked.success());
    let manifest: Value =
        serde_json::from_slice(&fs::read(folder.join("manifest.json")).unwrap()).unwrap();
    assert_eq!((&manifest["lyra_backup"], &manifest["tasks"]), (&json!(1), &json!(2)));
    let sums: String = manifest["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| format!("{}  {}\n", it["sha256"].as_str().unwrap(), it["path"].as_str().unwrap()))
        .collect();
    assert!(
        sums.contains("  vault/notes/a.md")
            && sums.contains("  archive/lyra-")
            && !sums.contains("logs")
    );
    fs::write(folder.join("sums"), sums).unwrap();
    let checked = Command::new("sha256sum")
        .args(["--quiet", "-c", "sums"])
        .current_dir(&folder)
        .stdout(Stdio::null())
        .status()
        .unwrap();
    assert!(checked.success());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let rights = fs::metadata(home.path().join("kept.tar.gz")).unwrap().permissions().mode();
        assert_eq!(rights & 0o777, 0o600);
    }
    assert_eq!(left_over(&home), 0);
}

/// Folders in which a backup was made ready.
fn left_over(home: &Home) -> usize {
    let names = fs::read_dir(home.path()).unwrap().map(|it| it.unwrap().file_name());
    names.filter(|it| it.to_string_lossy().starts_with(".lyra-backup-")).count()
}

#[test]
fn it_overwrites_nothing_and_says_what_it_cannot_write() {
    let TwoTasks { home, .. } = two_tasks(1, 10);
    home.write("there.tar.gz", "mine");
    insta::assert_snapshot!(sizeless(&home.run("backup there.tar.gz")), @"
    --- stderr
    error: [home]/there.tar.gz exists already
    hint: choose another name, or remove it first
    --- exit 2
    ");
    insta::assert_snapshot!(sizeless(&home.run("backup kept.zip")), @"
    --- stderr
    error: a backup is a .tar.gz file or a folder, not .zip
    hint: name a file ending in .tar.gz, or a folder
    --- exit 2
    ");
    assert_eq!(fs::read(home.path().join("there.tar.gz")).unwrap(), b"mine");
    let nothing = Home::new();
    let answer = nothing.run("backup kept.tar.gz");
    assert_eq!(answer.code, Some(3), "{answer}");
    assert!(!nothing.path().join("kept.tar.gz").exists());
}

#[test]
fn what_others_write_meanwhile_is_in_it_whole_or_not_at_all() {
    let TwoTasks { home, .. } = two_tasks(3, 30_000);
    let (stop, written) = (AtomicBool::new(false), AtomicUsize::new(0));
    let backups: Vec<_> = thread::scope(|scope| {
        let writer = scope.spawn(|| write_on(&home, &stop, &written));
        while written.load(SeqCst) == 0 && !writer.is_finished() {
            thread::yield_now();
        }
        let backup = |n| {
            let before = written.load(SeqCst);
            let answer = home.run(&format!("backup kept-{n} --json"));
            (before..written.load(SeqCst), answer)
        };
        let backups = (0..3).map(backup).collect();
        stop.store(true, SeqCst);
        writer.join().unwrap();
        backups
    });
    for (n, (written, answer)) in backups.iter().enumerate() {
        assert_eq!(answer.code, Some(0), "{answer}");
        assert!(!written.is_empty(), "nobody wrote during backup {n}");
        let tasks = answer.json()["manifest"]["tasks"].as_u64().unwrap() as usize - 2;
        // One more may have been begun.
        assert!((written.start..=written.end + 1).contains(&tasks), "{tasks} of {written:?}");
        let elsewhere = format!("--data-dir elsewhere-{n}");
        assert_eq!(home.run(&format!("{elsewhere} restore kept-{n} --yes")).code, Some(0));
        let verified = home.run(&format!("{elsewhere} archive verify --json"));
        assert_eq!(
            (verified.code, &verified.json()["unnamed"]),
            (Some(0), &json!(0)),
            "{verified}"
        );
        // Two records for each page, and for the one that both tasks read two more: they came in one transaction.
        let data = format!("elsewhere-{n}");
        let pages = "SELECT count(*) FROM pages";
        let pages = home.run_arguments(&["--data-dir", &data, "sql", pages, "--json"]).json();
        let pages = pages["rows"][0][0].as_u64().unwrap();
        assert_eq!(verified.json()["rows"], pages * 2 + 2);
        assert_eq!(
            home.run(&format!("{elsewhere} task list --json")).json()["total"],
            answer.json()["manifest"]["tasks"]
        );
    }
}
