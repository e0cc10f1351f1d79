//! What one task costs in the two busiest views, beside a count and a scan of all edges in the same run.
//!
//! `cargo bench -p graph --bench views` builds 10k claims / 50k edges and 1 M claims / 5 M edges in the
//! temporary folder (some 3 GB, removed at the end) and prints a table; `-- --small` stops after the first.
#![expect(clippy::print_stdout, reason = "the table is what a benchmark is for")]
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot continue should stop where it is")]

use std::path::Path;
use std::time::{Duration, Instant};

use evidence::{ClaimId, EdgeId, EventId, FragmentId, Id, PageId, TaskId, WorkId};
use graph::{Access, Graph, Options};
use rusqlite::functions::FunctionFlags;
use rusqlite::{Connection, params};

const CLAIMS: usize = 100;
const BIG_CLAIMS: usize = 10_000;
const EDGES_OF_A_CLAIM: usize = 5;
const PAGES: usize = 20;
const FRAGMENTS_OF_A_PAGE: usize = 5;
/// One claim in this many has passages on both sides; the others are supported or undecided.
const DISPUTED: usize = 5;

const VIEWS: [&str; 2] = ["v_claim_evidence_summary", "v_contradictions"];

fn main() {
    let small = std::env::args().any(|it| it == "--small");
    println!("| graph | question | rows | p50 ms | p95 ms | / count | / scan |");
    println!("| --- | --- | ---: | ---: | ---: | ---: | ---: |");
    measure("10k claims, 50k edges", 100, None);
    if !small {
        measure("1 M claims, 5 M edges", 9_900, Some(BIG_CLAIMS));
    }
}

/// Builds a graph of `tasks` equal tasks and perhaps a big one, asks, and prints a line for each question.
fn measure(label: &str, tasks: usize, big: Option<usize>) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("lyra.db");
    drop(Graph::open(&path, Access::Write, Options::default()).unwrap());
    let built = Build::new(&path).run(tasks, big);
    let connection = as_the_product_reads(&path);

    let line = |question: &str, rows: usize, times: &Times, beside: Option<[&Times; 2]>| {
        let ratio = |it: &Times| times.p50().as_secs_f64() / it.p50().as_secs_f64();
        let ratios = beside.map(|times| times.map(|it| format!("{:.3}", ratio(it))));
        let [count, scan] = ratios.unwrap_or_default();
        let [p50, p95] = [times.p50(), times.p95()].map(|it| it.as_secs_f64() * 1000.0);
        println!("| {label} | {question} | {rows} | {p50:.3} | {p95:.3} | {count} | {scan} |");
    };
    let runs = if tasks > 1000 { 20 } else { 200 };
    let mut counting = connection.prepare("SELECT count(*) FROM edges").unwrap();
    let count = times((0..runs).map(|_| ()), |()| {
        counting.query_row([], |row| row.get::<_, i64>(0)).unwrap()
    });
    line("`SELECT count(*) FROM edges`", 1, &count, None);
    // The count only adds up what each page says it holds; this one looks at every edge.
    let mut scanning = connection.prepare("SELECT total(nli_confidence) FROM edges").unwrap();
    let scan = times((0..runs / 10).map(|_| ()), |()| {
        scanning.query_row([], |row| row.get::<_, f64>(0)).unwrap()
    });
    line("`SELECT total(nli_confidence) FROM edges`", 1, &scan, None);
    for view in VIEWS {
        let mut asking =
            connection.prepare(&format!("SELECT * FROM {view} WHERE task_id = ?1")).unwrap();
        let mut draw = Draw(7);
        let chosen: Vec<_> = (0..200).map(|_| &built.tasks[draw.below(tasks)]).collect();
        let rows = read_all(&mut asking, chosen[0]);
        let of_one = times(chosen.into_iter(), |task| read_all(&mut asking, task));
        line(
            &format!("`{view}`, one task of {CLAIMS} claims"),
            rows,
            &of_one,
            Some([&count, &scan]),
        );
        if let Some(task) = &built.big {
            let rows = read_all(&mut asking, task);
            let of_big = times((0..20).map(|_| ()), |()| read_all(&mut asking, task));
            let question = format!("`{view}`, the task of {BIG_CLAIMS} claims");
            line(&question, rows, &of_big, Some([&count, &scan]));
        }
    }
    let open = times((0..100).map(|_| ()), |()| {
        Graph::open(&path, Access::Read, Options::default()).unwrap().path().is_some()
    });
    line("opening the graph to read", 0, &open, None);
}

/// How long each of several runs took.
struct Times(Vec<Duration>);

fn times<A, T>(arguments: impl Iterator<Item = A>, mut run: impl FnMut(A) -> T) -> Times {
    let mut taken: Vec<_> = arguments
        .map(|argument| {
            let start = Instant::now();
            std::hint::black_box(run(argument));
            start.elapsed()
        })
        .collect();
    taken.sort();
    Times(taken)
}

impl Times {
    fn p50(&self) -> Duration {
        self.0[self.0.len() / 2]
    }

    fn p95(&self) -> Duration {
        self.0[self.0.len() * 95 / 100]
    }
}

fn read_all(statement: &mut rusqlite::Statement<'_>, task: &str) -> usize {
    let columns = statement.column_count();
    let mut rows = statement.query([task]).unwrap();
    let mut count = 0;
    while let Some(row) = rows.next().unwrap() {
        for index in 0..columns {
            std::hint::black_box(row.get_ref(index).unwrap());
        }
        count += 1;
    }
    count
}

/// A connection with the product's cache and the one function the bundled SQLite lacks.
fn as_the_product_reads(path: &Path) -> Connection {
    let connection = Connection::open(path).unwrap();
    connection.execute_batch("PRAGMA cache_size = -16384; PRAGMA query_only = ON").unwrap();
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    connection
        .create_scalar_function("sqrt", 1, flags, |it| it.get::<f64>(0).map(f64::sqrt))
        .unwrap();
    connection
}

/// Numbers that look random and are the same in every run (xorshift).
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }
}

struct Built {
    tasks: Vec<String>,
    big: Option<String>,
}

/// Writes rows past the repositories: five million edges one call at a time would take an hour.
struct Build {
    connection: Connection,
    draw: Draw,
    millis: u64,
    cause: String,
}

const TIME: &str = "2026-01-15T12:00:00.000Z";

impl Build {
    fn new(path: &Path) -> Self {
        let connection = Connection::open(path).unwrap();
        connection
            .execute_batch(
                "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF;
                 PRAGMA cache_size = -1048576;
                 DROP TRIGGER fragments_fts_insert; DROP TRIGGER claims_fts_insert;",
            )
            .unwrap();
        let mut build = Self { connection, draw: Draw(42), millis: 1, cause: String::new() };
        build.cause = build.id::<EventId>();
        build
            .connection
            .execute(
                "INSERT INTO events (id, kind, created_at) VALUES (?1, 'bench', ?2)",
                params![build.cause, TIME],
            )
            .unwrap();
        build
    }

    /// Ids as they are born in real use: in the order of time, random within a millisecond.
    fn id<T: Id>(&mut self) -> String {
        self.millis += 1;
        T::from_parts(self.millis, u128::from(self.draw.next())).to_string()
    }

    fn run(mut self, tasks: usize, big: Option<usize>) -> Built {
        self.connection.execute_batch("BEGIN").unwrap();
        let big_at = tasks / 2;
        let mut built = Built { tasks: Vec::with_capacity(tasks), big: None };
        for number in 0..tasks {
            if number == big_at {
                built.big = big.map(|claims| self.task(claims));
            }
            built.tasks.push(self.task(CLAIMS));
        }
        self.connection.execute_batch("COMMIT").unwrap();
        built
    }

    fn task(&mut self, claims: usize) -> String {
        let task = self.id::<TaskId>();
        self.connection
            .prepare_cached(
                "INSERT INTO tasks (id, query, budget_max_pages, budget_max_seconds, created_at, updated_at, cause_id)
                 VALUES (?1, 'q', 120, 3600, ?2, ?2, ?3)",
            )
            .unwrap()
            .execute(params![task, TIME, self.cause])
            .unwrap();
        let pages = PAGES * claims / CLAIMS;
        let fragments: Vec<String> = (0..pages).flat_map(|number| self.page(number)).collect();
        for number in 0..claims {
            self.claim(&task, number, &fragments);
        }
        task
    }

    /// A page, every second one of a work, four of five with a year; returns its passages.
    fn page(&mut self, number: usize) -> Vec<String> {
        let page = self.id::<PageId>();
        let year = (!number.is_multiple_of(5)).then(|| 1990 + self.draw.below(36) as i64);
        let work = number.is_multiple_of(2).then(|| self.id::<WorkId>());
        if let Some(work) = &work {
            self.connection
                .prepare_cached("INSERT INTO works (id, title, year, created_at, cause_id) VALUES (?1, 't', ?2, ?3, ?4)")
                .unwrap()
                .execute(params![work, year, TIME, self.cause])
                .unwrap();
        }
        self.connection
            .prepare_cached(
                "INSERT INTO pages (id, url, domain, domain_category, year, work_id, created_at, cause_id)
                 VALUES (?1, ?2, 'a.example', 'academic', ?3, ?4, ?5, ?6)",
            )
            .unwrap()
            .execute(params![page, format!("https://a.example/{page}"), year, work, TIME, self.cause])
            .unwrap();
        (0..FRAGMENTS_OF_A_PAGE)
            .map(|number| {
                let fragment = self.id::<FragmentId>();
                self.connection
                    .prepare_cached(
                        "INSERT INTO fragments (id, page_id, fragment_type, text_content, text_hash, created_at, cause_id)
                         VALUES (?1, ?2, 'paragraph', 'A short passage.', ?3, ?4, ?5)",
                    )
                    .unwrap()
                    .execute(params![fragment, page, format!("{number:032}"), TIME, self.cause])
                    .unwrap();
                fragment
            })
            .collect()
    }

    fn claim(&mut self, task: &str, number: usize, fragments: &[String]) {
        let claim = self.id::<ClaimId>();
        let hash = format!("{:016x}{:016x}", self.draw.next(), number);
        self.connection
            .prepare_cached(
                "INSERT INTO claims (id, task_id, claim_text, claim_text_hash, created_at, cause_id)
                 VALUES (?1, ?2, 'A short claim.', ?3, ?4, ?5)",
            )
            .unwrap()
            .execute(params![claim, task, hash, TIME, self.cause])
            .unwrap();
        let first = self.draw.below(fragments.len());
        for step in 0..EDGES_OF_A_CLAIM {
            // Passages of different pages: a step is longer than a page.
            let source = &fragments[(first + step * (FRAGMENTS_OF_A_PAGE + 2)) % fragments.len()];
            let relation = match (number % DISPUTED, step) {
                (0, 0 | 3) => "refutes",
                (_, 4) => "neutral",
                _ => "supports",
            };
            let edge = self.id::<EdgeId>();
            let certainty = self.draw.below(1001) as f64 / 1000.0;
            self.connection
                .prepare_cached(
                    "INSERT INTO edges (id, source_type, source_id, target_type, target_id, relation, nli_label,
                                        nli_confidence, source_domain_category, created_at, cause_id)
                     VALUES (?1, 'fragment', ?2, 'claim', ?3, ?4, ?4, ?5, 'academic', ?6, ?7)",
                )
                .unwrap()
                .execute(params![edge, source, claim, relation, certainty, TIME, self.cause])
                .unwrap();
        }
    }
}
