//! How long `manual_find` takes over 10,000 sections, next to `rg` counting the same words in the same files.
//!
//! `cargo bench -p library --bench find` prints a Markdown table. `rg` is taken from the path or from the variable
//! `LYRA_RG`; both are warm, and runs are interleaved, so that a busy moment of the machine hits both alike.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a program for people to run and read"
)]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use library::{FindRequest, LibrarySettings, ManualOptions, Manuals, Moment};

const FILES: usize = 200;
const SECTIONS: usize = 50;
const SECTION_BYTES: usize = 2_000;
const RUNS: usize = 30;

const REQUESTS: [&str; 4] = [
    "暗号化した外部記憶媒体の持ち出し手順",
    "lost laptop encryption",
    "第12条の例外",
    "監査証跡の改ざん検知",
];

fn main() {
    if !std::env::args().any(|it| it == "--bench") {
        // A test run of all targets, which has no time for this.
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("manuals");
    let bytes = generate(&root);
    let before = resident();
    let started = Instant::now();
    let manuals = Manuals::new(ManualOptions {
        root: root.clone(),
        state: folder.path().join("state"),
        dictionaries: None,
        settings: LibrarySettings::default(),
    });
    let (files, sections) = manuals.refresh().unwrap();
    let indexed = started.elapsed();
    let megabytes = |it: usize| it as f64 / 1e6;
    println!(
        "{files} files, {sections} sections, {:.1} MB; indexed in {:.0} ms",
        megabytes(bytes),
        millis(indexed)
    );
    let rg = std::env::var("LYRA_RG").unwrap_or_else(|_| "rg".to_owned());
    let has_rg = Command::new(&rg)
        .arg("--version")
        .stdout(Stdio::null())
        .status()
        .is_ok_and(|it| it.success());
    if !has_rg {
        println!("rg is not installed and LYRA_RG does not name it: no baseline, no ratios");
    }
    println!("\n| request | words | candidates | first ms | p50 ms | rg -c p50 ms | ratio |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    for request in REQUESTS {
        let words = library::query_words(request);
        let (first, candidates) = find(&manuals, request);
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..RUNS {
            ours.push(find(&manuals, request).0);
            if has_rg {
                theirs.push(count(&rg, &words, &root));
            }
        }
        let (ours, theirs) = (median(ours), has_rg.then(|| median(theirs)));
        let shown = |it: Option<f64>| it.map_or_else(|| "-".to_owned(), |it| format!("{it:.2}"));
        let ratio = theirs.map(|it| millis(ours) / millis(it));
        println!(
            "| {request} | {} | {candidates} | {:.1} | {:.1} | {} | {} |",
            words.len(),
            millis(first),
            millis(ours),
            shown(theirs.map(millis)),
            shown(ratio)
        );
    }
    if let (Some(before), Some(after)) = (before, resident()) {
        let grown = after.saturating_sub(before);
        println!(
            "\nmemory grew by {:.1} MB, {:.2} times the text",
            megabytes(grown),
            grown as f64 / bytes as f64
        );
    } else {
        println!("\nmemory: not known on this system");
    }
}

fn find(manuals: &Manuals, query: &str) -> (Duration, usize) {
    let start = Instant::now();
    let moment = Moment { now_ms: 1_700_000_000_000, elapsed: &|| start.elapsed() };
    let request = FindRequest { query: query.to_owned(), ..FindRequest::default() };
    let candidates = manuals.find(&request, &moment).unwrap().summary.candidates;
    (start.elapsed(), candidates)
}

fn count(rg: &str, words: &[String], root: &Path) -> Duration {
    let mut command = Command::new(rg);
    command.args(["--count", "--fixed-strings", "--no-ignore"]);
    words.iter().for_each(|it| {
        command.args(["-e", it.as_str()]);
    });
    command.arg(root).stdout(Stdio::null());
    let start = Instant::now();
    command.status().unwrap();
    start.elapsed()
}

/// Sections of Japanese and English sentences, in which the words of the requests are rare, as they are in life.
fn generate(root: &Path) -> usize {
    const PLAIN: [&str; 12] = [
        "担当者は作業の前に記録を確かめ、終わった後に責任者へ報告する。",
        "この章は各部署の役割を定める。",
        "設備の点検は毎月の初めに行い、結果を台帳に残す。",
        "会議室の予約は総務課が受け付ける。",
        "The team reviews the schedule every week and writes down what has changed.",
        "Questions go to the service desk during office hours.",
        "温度と湿度は一日に二回測り、範囲を外れたら窓を閉める。",
        "Each form is signed by two people before it is filed.",
        "変更は申請書に書き、承認を受けてから実施する。",
        "清掃は業者に委託し、年に一度見直す。",
        "Reports are kept in the archive and can be read by all members.",
        "新しい機器は受け入れ試験の後に使い始める。",
    ];
    const RARE: [&str; 10] = [
        "ただし、第12条の場合はこの限りでない。",
        "外部記憶媒体は暗号化して持ち出す。",
        "A lost laptop is reported at once.",
        "Encryption keys are kept in the vault.",
        "監査証跡は改ざんを検知できる形で残す。",
        "詳しくは第3章を参照。",
        "ＵＳＢメモリの使用は禁止する。",
        "暗号化されていない端末は接続できない。",
        "See section 4 for stolen devices.",
        "別表１のとおりとする。",
    ];
    let mut state = 42_u64;
    let mut next = |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut total = 0;
    for file in 0..FILES {
        let folder = root.join(format!("manual{:02}", file % 10));
        fs::create_dir_all(&folder).unwrap();
        let mut text = String::new();
        for section in 0..SECTIONS {
            let (level, title) = match section {
                0 => ("#", format!("手引き {file}")),
                _ if section % 7 == 1 => {
                    ("##", format!("第{}章 運用 {}", section / 7 + 1, next(1000)))
                }
                _ => ("###", format!("第{section}条（項目 {}）", next(1000))),
            };
            text.push_str(&format!("{level} {title}\n\n"));
            let start = text.len();
            while text.len() - start < SECTION_BYTES {
                text.push_str(if next(150) == 0 {
                    RARE[next(RARE.len())]
                } else {
                    PLAIN[next(PLAIN.len())]
                });
                text.push_str(if next(4) == 0 { "\n\n" } else { "\n" });
            }
        }
        total += text.len();
        fs::write(folder.join(format!("file{file:03}.md")), text).unwrap();
    }
    total
}

/// The memory of this process that is in use, where the system tells.
fn resident() -> Option<usize> {
    let text = fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|it| it.starts_with("VmRSS:"))?;
    let kilobytes: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
