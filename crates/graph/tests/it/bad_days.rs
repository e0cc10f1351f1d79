//! What is left after a process was killed in the middle of its work.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use evidence::{ClaimId, DomainCategory, Stance};
use graph::{Access, Cause, Graph, Options, Writer};

use crate::support::{claim, fragment, judge, page, task};

/// Several files at a time, because most of the time is spent waiting for the disk; a fresh file now
/// and then keeps the checks quick and also kills some writers while they make one.
const FILES: u64 = 8;
const KILLS_PER_FILE: usize = 25;
const CHILD: &str = "LYRA_TEST_WRITE_UNTIL_KILLED";

#[test]
fn a_writer_killed_at_200_random_moments_loses_no_committed_row() {
    // The same test is the writer when it is started as one: no second program is needed.
    if let Some(path) = std::env::var_os(CHILD) {
        return write_until_killed(Path::new(&path));
    }
    let commits: usize = std::thread::scope(|scope| {
        let files: Vec<_> =
            (0..FILES).map(|seed| scope.spawn(move || kill_writers(seed))).collect();
        files.into_iter().map(|it| it.join().unwrap()).sum()
    });
    println!("{commits} committed transactions, none lost");
    assert!(commits >= 100, "the writers hardly came to write: {commits}");
}

/// Answers with the number of transactions that were committed, all of them found again.
fn kill_writers(seed: u64) -> usize {
    let mut random = fastrand::Rng::with_seed(seed);
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("lyra.db");
    let mut committed: Vec<(ClaimId, u32)> = Vec::new();
    for _ in 0..KILLS_PER_FILE {
        // One in ten is killed while it starts, the others in the middle of writing.
        let moment = match random.u32(..10) {
            0 => Moment::AfterStart(Duration::from_micros(random.u64(..30_000))),
            _ => Moment::AfterFirstCommit(Duration::from_micros(random.u64(..60_000))),
        };
        committed.extend(run_and_kill(&path, moment));
        check(&path, &committed);
    }
    committed.len()
}

fn check(path: &Path, committed: &[(ClaimId, u32)]) {
    let graph = Graph::open(path, Access::Write, Options::default()).unwrap();
    graph
        .read(|r| {
            for (claim, passages) in committed {
                assert_eq!(r.evidence_of(*claim)?.evidence.len() as u32, *passages, "{claim}");
                r.claim(*claim)?;
            }
            Ok(())
        })
        .unwrap();
    assert_eq!(graph.check().unwrap(), Vec::<String>::new());
}

enum Moment {
    AfterStart(Duration),
    AfterFirstCommit(Duration),
}

/// Answers with what the writer said it had committed before it was killed.
fn run_and_kill(path: &Path, moment: Moment) -> Vec<(ClaimId, u32)> {
    let test = "bad_days::a_writer_killed_at_200_random_moments_loses_no_committed_row";
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .env(CHILD, path)
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .unwrap();
    let mut committed = Vec::new();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let pause = match moment {
        Moment::AfterStart(pause) => pause,
        Moment::AfterFirstCommit(pause) => {
            committed.extend(lines.by_ref().map(Result::unwrap).find_map(|it| read_line(&it)));
            pause
        }
    };
    std::thread::sleep(pause);
    child.kill().unwrap();
    // A last line may have been cut off: what was not said in full was not said.
    committed.extend(lines.map_while(Result::ok).filter_map(|it| read_line(&it)));
    let status = child.wait().unwrap();
    assert_eq!(status.code(), None, "it was killed and did not end by itself");
    committed
}

fn read_line(line: &str) -> Option<(ClaimId, u32)> {
    let (claim, passages) = line.strip_prefix("committed ")?.strip_suffix('.')?.split_once(' ')?;
    Some((claim.parse().unwrap(), passages.parse().unwrap()))
}

#[expect(
    clippy::print_stdout,
    reason = "this is how the writer tells its parent what it committed"
)]
fn write_until_killed(path: &Path) {
    let open = || Graph::open(path, Access::Write, Options::default()).unwrap();
    let mut graph = open();
    let mut random = fastrand::Rng::new();
    let task = graph.write(Cause::new("start"), |w| Ok(task(w, "killed"))).unwrap();
    loop {
        // Closing folds the journal back into the file: a moment of its own to be killed in.
        if random.u32(..5) == 0 {
            drop(graph);
            graph = open();
        }
        // Small and large transactions, so that journals are cut in all places.
        let passages = random.u32(1..12);
        let record = |w: &Writer<'_>| {
            let name = random.u64(..).to_string();
            let page = page(w, "a.com", &name, DomainCategory::Low, None);
            let claim = claim(w, task, &format!("主張 {name}"));
            for number in 0..passages {
                let text = format!("{number} 言葉 {name} {}", "x".repeat(random.usize(..1_500)));
                judge(w, fragment(w, page, &text), claim, Stance::Supports, 0.9);
            }
            Ok(claim)
        };
        let claim = graph.write(Cause::new("work"), record).unwrap();
        println!("committed {claim} {passages}.");
    }
}
