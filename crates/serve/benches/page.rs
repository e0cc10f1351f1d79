//! The page with a large investigation: how long the first answer of each screen takes, and what the server holds.
//!
//! `cargo bench -p serve --bench page` fills a graph with a task of 10,000 claims beside 50 small ones.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a program for people to run and read"
)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use evidence::{Budget, DomainCategory, FragmentType, Node, Stance, TaskId};
use graph::{Access, Cause, Graph, NewClaim, NewEdge, NewFragment, NewPage, NewTask, Writer};
use serde_json::json;

const CLAIMS: usize = 10_000;
const EDGES_PER_CLAIM: usize = 4;
const PAGES: usize = 1_000;
const OTHERS: usize = 50;
const RUNS: usize = 30;

fn main() {
    // With a folder of one's own the graph stays, to be looked at in a browser.
    let kept = std::env::var_os("LYRA_BENCH_KEEP").map(std::path::PathBuf::from);
    let temporary = tempfile::tempdir().unwrap();
    let folder = kept.as_deref().unwrap_or(temporary.path());
    let task = fill(folder);
    let mut command = Command::new(env!("CARGO_BIN_EXE_lyra"));
    command.env_clear().env("HOME", folder).arg("--data-dir").arg(folder);
    command.args(["--offline", "web", "--no-open"]).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let (authority, entrance) =
        line.trim().strip_prefix("http://").unwrap().split_once('/').unwrap();
    let opened = get(authority, &format!("/{entrance}"), "");
    let cookie = opened.split("set-cookie: ").nth(1).unwrap().split(';').next().unwrap().to_owned();
    let before = resident(child.id());
    println!("| screen | first ms | p50 ms | p95 ms | kB |");
    println!("| --- | --- | --- | --- | --- |");
    for (name, path) in [
        ("questions", "/".to_owned()),
        ("search", "/?q=outcome+1234".to_owned()),
        ("answer", format!("/task/{task}")),
        ("live", format!("/task/{task}/live")),
        ("graph", format!("/task/{task}/graph")),
        ("graph of 1,000 claims", format!("/task/{task}/graph?most=1000")),
        ("documents", format!("/task/{task}/documents")),
        ("report", format!("/task/{task}/report")),
        ("ledger", "/house/sent".to_owned()),
    ] {
        let mut times: Vec<Duration> = Vec::new();
        let mut size = 0;
        for _ in 0..RUNS {
            let begun = Instant::now();
            let answer = get(authority, &path, &cookie);
            times.push(begun.elapsed());
            assert!(answer.starts_with("HTTP/1.1 200"), "{path}: {}", &answer[..200]);
            size = answer.len();
        }
        let first = times[0];
        times.sort();
        let millis = |it: Duration| it.as_secs_f64() * 1_000.0;
        let (median, p95) = (times[RUNS / 2], times[RUNS * 95 / 100]);
        println!(
            "| {name} | {:.0} | {:.0} | {:.0} | {} |",
            millis(first),
            millis(median),
            millis(p95),
            size / 1_000
        );
    }
    println!("resident: {before:.0} MB at first, {:.0} MB at the end", resident(child.id()));
    child.kill().unwrap();
    child.wait().unwrap();
}

fn get(authority: &str, path: &str, cookie: &str) -> String {
    let mut stream = TcpStream::connect(authority).unwrap();
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: {authority}\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

/// Megabytes of memory, where the system says it.
fn resident(process: u32) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find(|it| it.starts_with("VmRSS:")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|it| it.parse::<f64>().ok()).unwrap_or(f64::NAN) / 1e3
}

fn fill(folder: &Path) -> TaskId {
    let database = folder.join("lyra.db");
    let graph = Graph::open(&database, Access::Write, graph::Options::default()).unwrap();
    for number in 0..OTHERS {
        graph.write(Cause::new("bench"), |w| investigation(w, number, 20, 10)).unwrap();
    }
    graph.write(Cause::new("bench"), |w| investigation(w, OTHERS, CLAIMS, PAGES)).unwrap()
}

fn investigation(
    w: &Writer<'_>,
    number: usize,
    claims: usize,
    pages: usize,
) -> graph::Result<TaskId> {
    let task = w.create_task(&NewTask {
        query: format!("Does treatment {number} change outcomes?"),
        hypothesis: None,
        language: None,
        budget: Budget { max_pages: 100, max_seconds: 600 },
        config: json!({}),
    })?;
    let mut passages = Vec::new();
    for page in 0..pages {
        let page_id = w.record_page(&NewPage {
            url: format!("https://site{page}.example/{number}"),
            domain: format!("site{page}.example"),
            domain_category: DomainCategory::Unverified,
            title: Some(format!("Study {page} of treatment {number}")),
            language: None,
            year: Some(2000 + (page % 25) as i32),
            work_id: None,
        })?;
        for part in 0..4 {
            passages.push(w.record_fragment(&NewFragment {
                page_id,
                fragment_type: FragmentType::Paragraph,
                text: format!(
                    "Treatment {number} changed outcome {page} in part {part} of the study."
                ),
                heading_context: None,
                element_index: None,
                chars: None,
                language: None,
            })?);
        }
    }
    for claim in 0..claims {
        let id = w.record_claim(&NewClaim {
            task_id: task,
            text: format!("Treatment {number} changes outcome {claim}."),
            language: None,
            origin_fragment_id: Some(passages[claim % passages.len()]),
            extraction_method: Some("extractive".to_owned()),
            extraction_confidence: Some(0.9),
        })?;
        for edge in 0..EDGES_PER_CLAIM {
            let refutes = (claim + edge) % 5 == 0;
            w.add_edge(&NewEdge::Stance {
                source: Node::Fragment(passages[(claim * 7 + edge * 13) % passages.len()]),
                target: id,
                stance: if refutes { Stance::Refutes } else { Stance::Supports },
                confidence: 0.85,
                model: "bench".to_owned(),
                kind: None,
                about: true,
            })?;
        }
    }
    Ok(task)
}
