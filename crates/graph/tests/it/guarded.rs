//! Guarded SQL: what works, and one test per way to break out of it.

mod exhaustion;
mod good_questions;
mod hostile;
mod limits;
mod mistakes;
mod reaching_out;
mod secrets;
mod several_statements;
mod the_schema;
mod writing;

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use evidence::{DomainCategory, Node, Stance};
use graph::{Access, Graph, NewEmbedding, QueryAnswer, QueryError, QuerySettings};
use serde_json::json;

use crate::support::{World, claim, fragment, graph, judge, options, page, task, write};

/// A small graph in two languages, with a secret in it.
fn world() -> World {
    let world = graph();
    write(&world, |w| {
        let task = task(w, "糖尿病の予防");
        let page = page(w, "who.int", "a", DomainCategory::Primary, Some(2020));
        let claim = claim(w, task, "運動は糖尿病を予防する");
        for (text, stance) in [
            ("週150分の運動で糖尿病の発症が減った", Stance::Supports),
            ("Exercise lowers the risk of diabetes", Stance::Supports),
            ("Updates and deletes are words too", Stance::Neutral),
        ] {
            judge(w, fragment(w, page, text), claim, stance, 0.9);
        }
        w.record_embedding(&NewEmbedding {
            target: Node::Claim(claim),
            model_id: "m",
            vector: &[0.5; 384],
        })?;
        Ok(())
    });
    raw(
        &world,
        "INSERT INTO sessions (domain, cookies, created_at, cause_id)
         SELECT 'bank.example', '[\"s3cret\"]', '2026-01-15', id FROM events LIMIT 1;
         CREATE VIEW v_claim_texts AS SELECT id, claim_text FROM claims;
         CREATE VIEW v_leak AS SELECT domain, cookies FROM sessions;
         CREATE VIEW v_leak_count AS SELECT count(*) AS n FROM sessions;",
    );
    world
}

/// Changes the file past the crate's own code.
fn raw(world: &World, sql: &str) {
    rusqlite::Connection::open(world.path().unwrap()).unwrap().execute_batch(sql).unwrap();
}

fn ask(graph: &Graph, sql: &str) -> Result<QueryAnswer, QueryError> {
    graph.query(sql, &QuerySettings::default())
}

/// Columns, then one line per row.
fn table(answer: &QueryAnswer) -> String {
    let mut lines = vec![answer.table.columns.join(" | ")];
    for row in &answer.table.rows {
        lines.push(row.iter().map(ToString::to_string).collect::<Vec<_>>().join(" | "));
    }
    lines.join("\n")
}

fn show(sql: &str) -> String {
    table(&ask(&world(), sql).unwrap())
}

/// Every file of the graph with its bytes; the lock and the shared memory of SQLite hold no data.
fn files(world: &World) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(world.dir.path())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| !path.to_string_lossy().ends_with("-shm"))
        .map(|path| (path.clone(), fs::read(path).unwrap()))
        .collect();
    files.sort();
    files
}

/// Runs an attack and answers with what it was told, after making sure that it left no trace: no
/// file has changed or appeared, and the next query is answered.
fn attack_within(sql: &str, limits: &QuerySettings) -> String {
    let world = world();
    ask(&world, "SELECT 1").unwrap();
    let before = files(&world);
    let started = Instant::now();
    let error = world.query(sql, limits).unwrap_err();
    let took = started.elapsed();
    // Without an end it would take for ever; a machine that has other things to do takes a while.
    assert!(took < Duration::from_millis(limits.timeout_ms + 30_000), "took {took:?}");
    assert!(files(&world) == before, "the files changed");
    assert_eq!(table(&ask(&world, "SELECT count(*) AS n FROM claims").unwrap()), "n\n1");
    error.to_string()
}

fn attack(sql: &str) -> String {
    attack_within(sql, &QuerySettings::default())
}

fn patient() -> QuerySettings {
    QuerySettings {
        timeout_ms: QuerySettings::MAX_TIMEOUT_MS,
        vm_steps: QuerySettings::MAX_VM_STEPS,
        ..QuerySettings::default()
    }
}
