//! How long a vector search takes, next to one plain pass over the bytes it has to look at.
//!
//! `cargo bench -p graph --bench vectors [-- --small]` prints a Markdown table; `--small` leaves out
//! the million rows (2 GB of disk). Numbers of different machines say little, ratios of one run do.
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot continue should stop where it is")]
#![expect(clippy::print_stdout, reason = "the table is the result")]

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use evidence::{Budget, ClaimId, EmbeddingId, Id, TaskId};
use graph::{
    Access, Cause, Graph, NewTask, Options, VectorAnswer, VectorQuery, VectorSettings, VectorTarget,
};
use rusqlite::{Connection, params};

const MODEL: &str = "bench";
const DIMENSION: usize = 384;
const TOP_K: usize = 10;
const SMALL: usize = 100_000;
const LARGE: usize = 1_000_000;
/// The claims of the task that scoped searches ask about.
const TASK_ROWS: usize = 10_000;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|it| it == "--memory") {
        return print_memory(Path::new(&arguments[at + 1]));
    }
    if !arguments.iter().any(|it| it == "--bench") {
        // A test run of all targets, which has no time for this.
        return;
    }
    let small_only = arguments.iter().any(|it| it == "--small");
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
    /// What models give for sentences: a few dozen directions carry most of the meaning, each less
    /// than the one before; topics of uneven size lie around subjects and blur into each other; and
    /// some noise goes in all directions.
    Sentences { meanings: Vec<Vec<f32>>, topics: Vec<Vec<f32>> },
}

const MEANINGS: usize = 64;
const SUBJECTS: usize = 200;
const TOPICS: usize = 20_000;
/// How far a sentence lies from its topic, next to how far topics lie from their subject.
const BLUR: f32 = 0.7;
const NOISE: f32 = 0.5;

impl Shape {
    fn sentences() -> Self {
        let mut random = fastrand::Rng::with_seed(11);
        let meanings = (0..MEANINGS).map(|_| direction(&mut random)).collect();
        let subjects: Vec<Vec<f32>> = (0..SUBJECTS).map(|_| meaning(&mut random)).collect();
        let topics = (0..TOPICS)
            .map(|_| added(&subjects[random.usize(..SUBJECTS)], &meaning(&mut random), 1.0))
            .collect();
        Self::Sentences { meanings, topics }
    }

    fn vector(&self, random: &mut fastrand::Rng) -> Vec<f32> {
        match self {
            Self::Gaussian => direction(random),
            Self::Sentences { meanings, topics } => {
                // Squaring favours the first topics: some are written about much more than others.
                let topic = &topics[(random.f64().powi(2) * TOPICS as f64) as usize];
                let weights = added(topic, &meaning(random), BLUR);
                let mut vector = vec![0.0; DIMENSION];
                for (weight, meaning) in weights.iter().zip(meanings) {
                    vector = added(&vector, meaning, *weight);
                }
                normalised(&added(&normalised(&vector), &direction(random), NOISE))
            }
        }
    }
}

/// How much of each meaning there is: numbers that become smaller.
fn meaning(random: &mut fastrand::Rng) -> Vec<f32> {
    (1..=MEANINGS).map(|at| gaussian(random) / (at as f32).sqrt()).collect()
}

fn direction(random: &mut fastrand::Rng) -> Vec<f32> {
    normalised(&(0..DIMENSION).map(|_| gaussian(random)).collect::<Vec<_>>())
}

/// The sum of a few uniform numbers is near enough to a normal one.
fn gaussian(random: &mut fastrand::Rng) -> f32 {
    (0..4).map(|_| random.f32() - 0.5).sum()
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
    let truth = nearest_of_all(&path, &queries);

    // Read again before every search, so that both meet the same load and neither finds the other's
    // bytes in a cache.
    let words = |bytes: usize| (0..bytes as u64 / 8).collect::<Vec<u64>>();
    let int8 = words(rows * DIMENSION);
    let pass = median((0..15).map(|_| plain_pass(&int8)).collect());
    let f32 = {
        let f32 = words(4 * rows * DIMENSION);
        median((0..15).map(|_| plain_pass(&f32)).collect())
    };
    let show_beside = |what: &str, time: Duration, pass: Duration, recall: &str| {
        let of = |pass: Duration| time.as_secs_f64() / pass.as_secs_f64();
        println!(
            "| {rows} {data} | {what} | {:.2} | {:.2} | {:.2} | {recall} |",
            time.as_secs_f64() * 1e3,
            of(pass),
            of(f32),
        );
    };
    let show = |what: &str, time: Duration| show_beside(what, time, pass, "");
    show("plain pass, int8 bytes, one thread", pass);
    show("plain pass, f32 bytes, one thread", f32);
    let measure = |what: &str, graph: &Graph| {
        let ((passes, times), answers): ((Vec<_>, Vec<_>), Vec<_>) = queries
            .iter()
            .map(|query| {
                let pass = plain_pass(&int8);
                let (time, answer) = timed(|| search(graph, query, None));
                ((pass, time), answer)
            })
            .unzip();
        let recall = format!("{:.3}", recall(&answers, &truth));
        show_beside(what, median(times), median(passes), &recall);
    };

    let one = open(&path, VectorSettings { scan_threads: 1, ..VectorSettings::default() });
    let (time, _) = timed(|| search(&one, &queries[0], None));
    show(&format!("first search ({} MB in all)", memory(&path)), time);
    measure("one thread", &one);
    drop(one);
    let many = open(&path, VectorSettings::default());
    search(&many, &queries[0], None);
    measure("as shipped", &many);
    let times = queries[..10].iter().map(|it| timed(|| search(&many, it, Some(task))).0).collect();
    show(&format!("a task of {TASK_ROWS} claims"), median(times));
}

/// The memory of a fresh process that opens the graph and searches once, in MB.
fn memory(path: &Path) -> String {
    let this = std::env::current_exe().unwrap();
    let child = Command::new(this).arg("--memory").arg(path).output().unwrap();
    String::from_utf8(child.stdout).unwrap()
}

fn print_memory(path: &Path) {
    // A reader, because the process that asks holds the write lock.
    let graph = Graph::open(path, Access::Read, Options::default()).unwrap();
    search(&graph, &[1.0; DIMENSION], None);
    // Where the system does not tell, the place stays empty.
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|it| it.strip_prefix("VmRSS:")).unwrap_or_default();
    let kilobytes = line.split_whitespace().next().and_then(|it| it.parse::<u64>().ok());
    print!("{}", kilobytes.map_or("?".to_owned(), |it| (it / 1024).to_string()));
}

fn open(path: &Path, vectors: VectorSettings) -> Graph {
    Graph::open(path, Access::Write, Options { vectors, ..Options::default() }).unwrap()
}

fn search(graph: &Graph, vector: &[f32], task: Option<TaskId>) -> VectorAnswer {
    let query = VectorQuery {
        target: VectorTarget::Claims,
        model_id: MODEL,
        vector,
        task,
        top_k: TOP_K,
        min_similarity: -1.0,
    };
    graph.vector_search(&query).unwrap()
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
    let graph = open(path, VectorSettings::default());
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
fn plain_pass(words: &[u64]) -> Duration {
    let sum = || black_box(words).iter().fold(0_u64, |sum, it| sum.wrapping_add(*it));
    timed(|| black_box(sum())).0
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = Instant::now();
    let value = work();
    (start.elapsed(), value)
}
