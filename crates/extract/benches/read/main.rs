//! How fast pages are read, beside trafilatura on the same pages; and what large pages cost.
//!
//! ```text
//! LYRA_EVAL_DATA=DIR cargo bench -p extract --bench read                          # ours alone
//! pip install -r crates/extract/benches/read/requirements.txt                            # in an environment of your choice
//! LYRA_EVAL_DATA=DIR LYRA_BENCH_PYTHON=python3 cargo bench -p extract --bench read # beside trafilatura, in turns
//! ```
//!
//! CPU seconds of one thread are counted on both sides; rounds alternate, and the best of each counts.
//! Without the data only the large pages, which are made here, are measured.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a program for people to run and read"
)]

use std::fs::{self, File};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use extract::{Input, ReadSettings};
use flate2::read::GzDecoder;

const ROUNDS: usize = 3;
const MEGABYTES: [usize; 4] = [1, 2, 4, 8];

fn main() {
    large_pages();
    match std::env::var_os("LYRA_EVAL_DATA") {
        Some(data) => real_pages(&PathBuf::from(data).join("extraction/wcxb_dev/html")),
        None => println!("\nReal pages: skipped, LYRA_EVAL_DATA names no folder of public data."),
    }
}

fn real_pages(folder: &Path) {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()).collect();
    paths.sort();
    let pages: Vec<Vec<u8>> = paths.iter().map(|it| unpacked(it)).collect();
    let bytes: usize = pages.iter().map(Vec::len).sum();
    read_all(&pages);
    let python = std::env::var_os("LYRA_BENCH_PYTHON");
    let (mut ours, mut theirs) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..ROUNDS {
        let before = cpu();
        read_all(&pages);
        ours = ours.min((cpu() - before).as_secs_f64());
        if let Some(python) = &python {
            let script =
                Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/read/trafilatura_side.py");
            let output = Command::new(python).arg(script).arg(folder).output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            theirs = theirs.min(String::from_utf8(output.stdout).unwrap().trim().parse().unwrap());
        }
    }
    let count = pages.len() as f64;
    println!(
        "\n{} pages, {:.0} kB on average; CPU seconds of one thread, best of {ROUNDS}",
        pages.len(),
        bytes as f64 / count / 1e3
    );
    println!("| | ms a page | pages a second | MB a second |\n| --- | ---: | ---: | ---: |");
    let row = |name: &str, seconds: f64| {
        let (page, rate) = (seconds / count * 1e3, count / seconds);
        println!("| {name} | {page:.2} | {rate:.0} | {:.1} |", bytes as f64 / 1e6 / seconds);
    };
    row("Lyra, whole documents", ours);
    if python.is_some() {
        row("trafilatura, text alone", theirs);
        println!("\nLyra reads {:.1} times as many pages a second.", theirs / ours);
    }
}

fn large_pages() {
    println!(
        "| page of | s | to 1 MB | memory of the process at most | left out |\n| --- | ---: | ---: | ---: | --- |"
    );
    let mut first = None;
    for megabytes in MEGABYTES {
        let page = made(megabytes << 20);
        let started = Instant::now();
        let document = read(&page);
        let seconds = started.elapsed().as_secs_f64();
        let problems: Vec<String> = document.problems.iter().map(ToString::to_string).collect();
        let ratio = seconds / *first.get_or_insert(seconds);
        println!(
            "| {megabytes} MB | {seconds:.2} | {ratio:.1} | {} | {} |",
            peak(),
            problems.join("; ")
        );
    }
}

/// A page of ordinary markup: sections, paragraphs with links, lists, tables, English and Japanese.
fn made(bytes: usize) -> Vec<u8> {
    let mut page = "<!doctype html><html lang=en><title>Large</title><body><main>".to_owned();
    let mut number = 0;
    while page.len() < bytes {
        number += 1;
        page += &format!(
            "<section class=\"part p{number}\"><h2>Part {number}</h2><p>The level of the sea in the year {number} was \
             measured at <a href=\"/station/{number}\">station {number}</a>, and it was higher than before. Nobody knew why.</p>\
             <p>第{number}章では、海面の上昇について説明する。観測所の記録によると、前の年より高かった。</p>\
             <ul><li>first item {number}</li><li>second item</li></ul><table><tr><th>Year<th>Rise<tr><td>{number}<td>4 mm</table></section>\n"
        );
    }
    page.into_bytes()
}

fn read_all(pages: &[Vec<u8>]) {
    for page in pages {
        std::hint::black_box(read(page));
    }
}

fn read(bytes: &[u8]) -> extract::Document {
    let headers = [("content-type".to_owned(), "text/html".to_owned())];
    extract::read(Input { bytes, headers: &headers, ..Input::default() }, &ReadSettings::default())
}

fn unpacked(path: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    GzDecoder::new(BufReader::new(File::open(path).unwrap())).read_to_end(&mut bytes).unwrap();
    bytes
}

/// CPU time of this process; wall time where the system does not tell.
fn cpu() -> Duration {
    let stat = fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds = stat.split_ascii_whitespace().next().and_then(|it| it.parse().ok());
    nanoseconds.map_or_else(|| Instant::now().duration_since(*START), Duration::from_nanos)
}

static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);

fn peak() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|it| it.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|it| it.trim().trim_end_matches(" kB").parse::<f64>().ok());
    kilobytes.map_or_else(|| "unknown".to_owned(), |it| format!("{:.0} MB", it / 1e3))
}
