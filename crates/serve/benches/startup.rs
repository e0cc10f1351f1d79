//! How long `lyra` takes to start, beside `sqlite3 FILE 'select 1'` in the same run; and how large it is, which must
//! stay below the limit.
//!
//! Runs are interleaved, so that a busy moment of the machine hits all of them alike.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a program for people to run and read"
)]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use models::builtin::PROGRAM_LIMIT;

const RUNS: usize = 200;

fn main() {
    let bytes = fs::metadata(env!("CARGO_BIN_EXE_lyra")).unwrap().len();
    let [size, limit] = [bytes, PROGRAM_LIMIT].map(|it| it as f64 / 1e6);
    println!("The program has {size:.1} MB; at most {limit:.0} are allowed.\n");
    assert!(bytes <= PROGRAM_LIMIT, "the program is too large");
    let folder = tempfile::tempdir().unwrap();
    let lyra = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lyra"));
        command.env_clear().env("HOME", folder.path()).arg("--data-dir").arg(folder.path());
        command.args(arguments);
        command
    };
    for n in 0..10 {
        run(lyra(&["task", "new", &format!("question {n}")]));
    }
    let database = folder.path().join("lyra.db");
    let mut commands = vec![
        ("`lyra --version`", Vec::new(), lyra(&["--version"])),
        ("`lyra task list`", Vec::new(), lyra(&["task", "list"])),
        (
            "completing the id of a task",
            Vec::new(),
            completing(lyra(&["--", "line"]), folder.path()),
        ),
    ];
    if Command::new("sqlite3").arg("-version").stdout(Stdio::null()).status().is_ok() {
        commands.insert(0, ("`sqlite3 FILE 'select 1'`", Vec::new(), sqlite(&database)));
    } else {
        println!("the sqlite3 program is not installed: no baseline, no ratios\n");
    }
    for _ in 0..RUNS {
        for (_, times, command) in &mut commands {
            let start = Instant::now();
            assert!(command.stdout(Stdio::null()).status().unwrap().success());
            times.push(start.elapsed());
        }
    }
    println!("| command | p50 ms | p95 ms | p50 beside the first |");
    println!("| --- | --- | --- | --- |");
    let mut baseline = None;
    for (name, mut times, _) in commands {
        times.sort();
        let (median, p95) = (times[RUNS / 2], times[RUNS * 95 / 100]);
        let baseline = *baseline.get_or_insert(median);
        println!(
            "| {name} | {:.2} | {:.2} | {:.2}x |",
            millis(median),
            millis(p95),
            millis(median) / millis(baseline)
        );
    }
}

/// What bash runs when a task is to be completed.
fn completing(mut command: Command, folder: &Path) -> Command {
    command.env("_LYRA_COMPLETE", "bash").env("_LYRA_COMP_TYPE", "63");
    command.env("_LYRA_LINE", format!("lyra --data-dir {} report ", folder.display()));
    command
}

fn sqlite(database: &Path) -> Command {
    let mut command = Command::new("sqlite3");
    command.arg(database).arg("select 1");
    command
}

fn run(mut command: Command) {
    assert!(command.stdout(Stdio::null()).status().unwrap().success());
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
