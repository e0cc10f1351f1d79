//! `lyra restore`.

use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::GzEncoder;
use graph::{Access, ArchiveKind, ArchiveRecord, Cause, Graph, Options};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

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

/// A header of a tar file, and what it says follows.
fn header(name: &str, kind: u8, size: u64) -> Vec<u8> {
    let mut block = vec![0; 512];
    block[..name.len()].copy_from_slice(name.as_bytes());
    block[100..108].copy_from_slice(b"0000600\0");
    block[124..136].copy_from_slice(format!("{size:011o}\0").as_bytes());
    block[156] = kind;
    block[257..265].copy_from_slice(b"ustar  \0");
    block[148..156].fill(b' ');
    let sum: u32 = block.iter().map(|it| u32::from(*it)).sum();
    block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    block
}

/// A packed file of a header and so many zeros, and of what else is given.
fn packed(name: &str, kind: u8, size: u64, rest: &[u8]) -> Vec<u8> {
    let mut out = GzEncoder::new(Vec::new(), Compression::new(6));
    out.write_all(&header(name, kind, size)).unwrap();
    io::copy(&mut io::repeat(0).take(size.div_ceil(512) * 512), &mut out).unwrap();
    out.write_all(rest).unwrap();
    out.finish().unwrap()
}

#[test]
fn a_small_file_that_wants_to_be_large_takes_neither_memory_nor_disk() {
    let home = Home::new();
    const LARGE: u64 = 300 << 20;
    let name = packed("././@LongLink", b'L', LARGE, &header("vault/a.md", b'0', 0));
    let extension = packed("x", b'x', LARGE, &header("vault/a.md", b'0', 0));
    let file = packed("lyra.db", b'0', LARGE, &[]);
    for (bytes, said) in [
        (name, "it has a name of more than 4096 bytes"),
        (extension, "it has something that is no file"),
        (file, "lyra.db: it unpacks to far more than a backup does"),
    ] {
        assert!(bytes.len() < 1 << 20);
        fs::write(home.path().join("bomb.tar.gz"), bytes).unwrap();
        for arguments in ["restore bomb.tar.gz", "restore bomb.tar.gz --yes"] {
            let answer = home.run(arguments);
            assert_eq!(answer.code, Some(2), "{answer}");
            assert!(
                answer.stderr.contains(&format!("this is no whole backup: {said}")),
                "{answer}"
            );
        }
        assert_eq!(readying(&home), 0);
    }
}

/// Has the database name a file of the user as one of its archive.
fn name_a_secret(data: &Path) {
    let graph = Graph::open(&data.join("lyra.db"), Access::Write, Options::default()).unwrap();
    let pages = graph.read(|r| r.archive_files()).unwrap();
    assert_ne!(pages.len(), 0);
    graph
        .write(Cause::new("test"), |w| {
            w.record_archived(&ArchiveRecord {
                record_id: "<urn:uuid:0198a000-0000-7000-8000-000000000001>".to_owned(),
                kind: ArchiveKind::Response,
                url: "https://a.example/".to_owned(),
                status: Some(200),
                file: "../../../../secret.md".to_owned(),
                byte_start: 0,
                byte_length: 1,
                payload_digest: None,
                refers_to: None,
                egress_seq: None,
                archived_at: "2026-01-15T12:00:00Z".parse().unwrap(),
            })
        })
        .unwrap();
}

#[test]
fn a_database_that_names_files_outside_its_archive_reaches_none_of_them() {
    let TwoTasks { home, .. } = two_tasks(1, 10);
    home.write("secret.md", "my secret");
    assert_eq!(home.run("backup spoiled").code, Some(0));
    name_a_secret(&home.data());
    let said = "\"../../../../secret.md\" is not the name of a file in the archive";
    for arguments in ["backup other", "archive verify"] {
        let answer = home.run(arguments);
        assert_eq!(answer.code, Some(5), "{answer}");
        assert!(answer.stderr.contains(said), "{answer}");
    }
    let spoiled = home.path().join("spoiled");
    fs::copy(home.data().join("lyra.db"), spoiled.join("lyra.db")).unwrap();
    let bytes = fs::read(spoiled.join("lyra.db")).unwrap();
    let digest: String = Sha256::digest(&bytes).iter().map(|it| format!("{it:02x}")).collect();
    manifest(&spoiled, |it| {
        (it["files"][0]["bytes"], it["files"][0]["sha256"]) = (json!(bytes.len()), json!(digest));
    });
    let new = Home::new();
    let answer = new.run(&format!("restore {} --yes", spoiled.display()));
    assert_eq!(answer.code, Some(2), "{answer}");
    assert!(answer.stderr.contains(said), "{answer}");
    assert_eq!(readying(&new), 0);
    assert_eq!(fs::read_to_string(home.path().join("secret.md")).unwrap(), "my secret");
}

#[test]
fn a_long_name_comes_back_from_a_packed_backup() {
    let TwoTasks { home, .. } = two_tasks(1, 10);
    let path = format!("vault/{}/a.md", "notes".repeat(30));
    home.write(&format!(".local/share/lyra/{path}"), "# A note\n");
    assert_eq!(home.run("backup kept.tar.gz").code, Some(0));
    let new = Home::new();
    fs::copy(home.path().join("kept.tar.gz"), new.path().join("kept.tar.gz")).unwrap();
    assert_eq!(new.run("restore kept.tar.gz --yes").code, Some(0));
    assert_eq!(fs::read_to_string(new.data().join(path)).unwrap(), "# A note\n");
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
