//! How long a vector search takes, next to one plain pass over the bytes it has to look at.
//!
//! `cargo bench -p graph --bench vectors [-- --small]` prints a Markdown table; `--small` leaves out
//! the million rows (2 GB of disk). Numbers of different machines say little, ratios of one run do.
#![expect(
    clippy::unwrap_used,
    reason = "a benchmark that cannot go on should stop where it stands"
)]
#![expect(clippy::print_stdout, reason = "the table is the result")]

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use evidence::{Budget, ClaimId, EmbeddingId, Id, TaskId};
use graph::{
    Access, Cause, Graph, NewTask, Options, VectorAnswer, VectorMethod, VectorOptions, VectorQuery,
    VectorTarget,
};
use rusqlite::{Connection, params};

const DIMENSION: usize = 384;
const TOP_K: usize = 10;
const SMALL: usize = 100_000;
const LARGE: usize = 1_000_000;
/// The claims of the task that scoped searches ask about.
const TASK_ROWS: usize = 10_000;

fn main() {
    let small_only = std::env::args().any(|it| it == "--small");
    println!("| vectors | what | median ms | of int8 pass | of f32 pass | recall@{TOP_K} |");
    println!("| --- | --- | ---: | ---: | ---: | ---: |");
    for (data, shape) in [("sentence-like", Shape::sentences()), ("gaussian", Shape::Gaussian)] {
        run(SMALL, data, &shape);
        if !small_only {
            run(LARGE, data, &shape);
        }
    }
}

/// Where vectors come from.
enum Shape {
    /// No structure at all: every vector is about as far from every other. The hard case.
    Gaussian,
    /// Topics of uneven size around subjects, as sentences of many pages have: `parents[i]` is a
    /// centre, rows are a topic's centre and noise.
    Topics { centres: Vec<Vec<f32>>, noise: f32 },
}

impl Shape {
    fn sentences() -> Self {
        let mut random = fastrand::Rng::with_seed(11);
        let subjects: Vec<Vec<f32>> = (0..200).map(|_| direction(&mut random)).collect();
        let centres = (0..20_000)
            .map(|_| {
                let subject = &subjects[random.usize(..subjects.len())];
                normalised(&added(subject, &direction(&mut random), 1.0))
            })
            .collect();
        Self::Topics { centres, noise: 0.9 }
    }

    fn vector(&self, random: &mut fastrand::Rng) -> Vec<f32> {
        match self {
            Self::Gaussian => direction(random),
            Self::Topics { centres, noise } => {
                // Squaring favours the first topics: some are written about much more than others.
                let at = random.f64().powi(2) * centres.len() as f64;
                normalised(&added(&centres[at as usize], &direction(random), *noise))
            }
        }
    }
}

fn direction(random: &mut fastrand::Rng) -> Vec<f32> {
    // The sum of uniform numbers is near enough to a normal one.
    let gaussian = |random: &mut fastrand::Rng| (0..4).map(|_| random.f32() - 0.5).sum::<f32>();
    normalised(&(0..DIMENSION).map(|_| gaussian(random)).collect::<Vec<_>>())
}

fn added(a: &[f32], b: &[f32], share: f32) -> Vec<f32> {
    a.iter().zip(b).map(|(a, b)| a + share * b).collect()
}

fn normalised(vector: &[f32]) -> Vec<f32> {
    let norm = vector.iter().map(|it| it * it).sum::<f32>().sqrt();
    vector.iter().map(|it| it / norm).collect()
}

fn run(rows: usize, data: &str, shape: &Shape) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("lyra.db");
    let task = fill(&path, rows, shape);
    let mut random = fastrand::Rng::with_seed(99);
    let queries: Vec<Vec<f32>> = (0..50).map(|_| shape.vector(&mut random)).collect();

    let int8 = plain_pass(rows * DIMENSION);
    let f32 = plain_pass(4 * rows * DIMENSION);
    let show = |what: &str, time: Duration, recall: &str| {
        let of = |pass: Duration| time.as_secs_f64() / pass.as_secs_f64();
        println!(
            "| {rows} {data} | {what} | {:.2} | {:.2} | {:.2} | {recall} |",
            time.as_secs_f64() * 1e3,
            of(int8),
            of(f32),
        );
    };
    show("plain pass, int8 bytes, one thread", int8, "");
    show("plain pass, f32 bytes, one thread", f32, "");

    let exact_only = |scan_threads| VectorOptions {
        ann_threshold_rows: usize::MAX,
        scan_threads,
        ..VectorOptions::default()
    };
    let one = open(&path, exact_only(1));
    let before = resident();
    let (first, answer) = timed(|| search(&one, &queries[0], None));
    show(
        &format!("first search, loading the rows (+{} MB)", resident().saturating_sub(before)),
        first,
        "",
    );
    assert_eq!((answer.method, answer.total_searched), (VectorMethod::Exact, rows));
    let (time, exact) = ask(&one, &queries, None);
    let truth = nearest_of_all(&path, &queries);
    show("exact, one thread", time, &format!("{:.3}", recall(&exact, &truth)));
    drop(one);
    let many = open(&path, exact_only(VectorOptions::default().scan_threads));
    search(&many, &queries[0], None);
    let (time, again) = ask(&many, &queries, None);
    show("exact, as shipped", time, &format!("{:.3}", recall(&again, &truth)));
    let (time, _) = ask(&many, &queries[..10], Some(task));
    show(&format!("exact, a task of {TASK_ROWS} claims"), time, "");
    drop(many);

    if rows < VectorOptions::default().ann_threshold_rows {
        return;
    }
    let probes: Vec<usize> = std::env::var("PROBES")
        .map(|it| it.split(',').map(|it| it.parse().unwrap()).collect())
        .unwrap_or_else(|_| vec![VectorOptions::default().ann_probe_lists]);
    for ann_probe_lists in probes {
        let graph = open(&path, VectorOptions { ann_probe_lists, ..VectorOptions::default() });
        let (time, index) =
            timed(|| graph.build_vector_index(VectorTarget::Claims, "bench").unwrap().unwrap());
        show(
            &format!("building the index: {} lists, {} MB", index.lists, index.bytes >> 20),
            time,
            "",
        );
        drop(graph);
        let graph = open(&path, VectorOptions { ann_probe_lists, ..VectorOptions::default() });
        let before = resident();
        let (first, answer) = timed(|| search(&graph, &queries[0], None));
        assert_eq!((answer.method, answer.total_searched), (VectorMethod::Ann, rows));
        show(&format!("ann, first search (+{} MB)", resident().saturating_sub(before)), first, "");
        ask(&graph, &queries, None);
        let (time, found) = ask(&graph, &queries, None);
        show(
            &format!("ann, {ann_probe_lists} lists, {} rows compared", found[0].compared),
            time,
            &format!("{:.3}", recall(&found, &truth)),
        );
    }
}

fn open(path: &Path, vectors: VectorOptions) -> Graph {
    Graph::open(path, Access::Write, Options { vectors, ..Options::default() }).unwrap()
}

fn search(graph: &Graph, vector: &[f32], task: Option<TaskId>) -> VectorAnswer {
    let query = VectorQuery {
        target: VectorTarget::Claims,
        model_id: "bench",
        vector,
        task,
        top_k: TOP_K,
        min_similarity: -1.0,
    };
    graph.vector_search(&query).unwrap()
}

/// Asks every query and returns the median time and the answers.
fn ask(graph: &Graph, queries: &[Vec<f32>], task: Option<TaskId>) -> (Duration, Vec<VectorAnswer>) {
    let (mut times, answers): (Vec<_>, Vec<_>) =
        queries.iter().map(|it| timed(|| search(graph, it, task))).unzip();
    times.sort();
    (times[times.len() / 2], answers)
}

fn recall(found: &[VectorAnswer], truth: &[Vec<String>]) -> f64 {
    let common = found.iter().zip(truth).map(|(found, truth)| {
        found.results.iter().filter(|it| truth.contains(&it.id.id())).count()
    });
    common.sum::<usize>() as f64 / truth.iter().map(Vec::len).sum::<usize>() as f64
}

/// What a search should find: every row compared in f64, past the crate's own code.
fn nearest_of_all(path: &Path, queries: &[Vec<f32>]) -> Vec<Vec<String>> {
    let connection = Connection::open(path).unwrap();
    let mut statement =
        connection.prepare("SELECT target_id, embedding_blob FROM embeddings").unwrap();
    let mut rows = statement.query([]).unwrap();
    let mut best: Vec<Vec<(f64, String)>> = vec![Vec::new(); queries.len()];
    while let Some(row) = rows.next().unwrap() {
        let blob = row.get_ref(1).unwrap().as_blob().unwrap();
        let vector: Vec<f64> =
            blob.as_chunks().0.iter().map(|it| f64::from(f32::from_le_bytes(*it))).collect();
        for (query, best) in queries.iter().zip(&mut best) {
            let mut sums = [0.0_f64; 8];
            let chunks = query.as_chunks::<8>().0.iter().zip(vector.as_chunks::<8>().0);
            for (query, row) in chunks {
                for at in 0..8 {
                    sums[at] += f64::from(query[at]) * row[at];
                }
            }
            let similarity = sums.iter().sum::<f64>();
            if best.len() < TOP_K || similarity > best[TOP_K - 1].0 {
                best.push((similarity, row.get(0).unwrap()));
                best.sort_by(|a, b| b.0.total_cmp(&a.0));
                best.truncate(TOP_K);
            }
        }
    }
    best.into_iter().map(|it| it.into_iter().map(|(_, id)| id).collect()).collect()
}

/// Writes claims and vectors straight into the tables; a million through the repositories would
/// take longer than all measurements together.
fn fill(path: &Path, rows: usize, shape: &Shape) -> TaskId {
    let graph = open(path, VectorOptions::default());
    let new = NewTask {
        query: "bench".to_owned(),
        hypothesis: None,
        language: None,
        budget: Budget { max_pages: 1, max_seconds: 1 },
        config: serde_json::json!({}),
    };
    let task = graph.write(Cause::new("bench"), |w| w.create_task(&new)).unwrap();
    drop(graph);
    let connection = Connection::open(path).unwrap();
    // Full text needs a tokenizer that this connection does not know, and no search here uses it.
    connection
        .execute_batch(
            "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF;
             DROP TRIGGER claims_fts_insert; BEGIN;",
        )
        .unwrap();
    let mut claim = connection
        .prepare(
            "INSERT INTO claims (id, task_id, claim_text, claim_text_hash, created_at, cause_id)
             VALUES (?1, ?2, ?3, ?4, '2026-01-15T12:00:00.000Z', 'ev')",
        )
        .unwrap();
    let mut embedding = connection
        .prepare(
            "INSERT INTO embeddings (id, target_type, target_id, model_id, dimension, embedding_blob, created_at, cause_id)
             VALUES (?1, 'claim', ?2, 'bench', ?3, ?4, '2026-01-15T12:00:00.000Z', 'ev')",
        )
        .unwrap();
    let mut random = fastrand::Rng::with_seed(7);
    for row in 0..rows {
        let id = ClaimId::from_parts(1, row as u128).to_string();
        // The task's claims lie spread among those of others, as they would after many tasks.
        let spread = rows / TASK_ROWS;
        let owner =
            if row % spread == 0 { task } else { TaskId::from_parts(1, (row % spread) as u128) };
        let text = format!("Claim number {row}: 二型糖尿病の患者では血糖値が下がった。");
        claim.execute(params![id, owner.to_string(), text, row.to_string()]).unwrap();
        let blob: Vec<u8> =
            shape.vector(&mut random).iter().flat_map(|it| it.to_le_bytes()).collect();
        let embedding_id = EmbeddingId::from_parts(1, row as u128).to_string();
        embedding.execute(params![embedding_id, id, DIMENSION as i64, blob]).unwrap();
    }
    drop((claim, embedding));
    connection.execute_batch("COMMIT; PRAGMA journal_mode = WAL;").unwrap();
    task
}

/// The fastest thing that looks at every byte once: adding them up, eight at a time.
fn plain_pass(bytes: usize) -> Duration {
    let words: Vec<u64> = (0..bytes as u64 / 8).collect();
    let sum = || black_box(&words).iter().fold(0_u64, |sum, it| sum.wrapping_add(*it));
    let mut times: Vec<Duration> = (0..15).map(|_| timed(|| black_box(sum())).0).collect();
    times.sort();
    times[times.len() / 2]
}

/// Memory of this process in MB, where the system tells.
fn resident() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|it| it.strip_prefix("VmRSS:"));
    line.and_then(|it| it.trim().split(' ').next()?.parse::<u64>().ok()).unwrap_or(0) / 1024
}

fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = Instant::now();
    let value = work();
    (start.elapsed(), value)
}
