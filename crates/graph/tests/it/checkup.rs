//! Looking at the whole file: what a sound one answers, and what each kind of damage is called.

use std::fs;

use evidence::{DomainCategory, Stance};
use graph::{
    Access, Checkup, CheckupOptions, CheckupStep, Error, Graph, Stop, check_up, sqlite_info,
    writer_of,
};
use rusqlite::Connection;
use tempfile::TempDir;

use crate::support::{World, claim, fragment, graph, judge, options, page, task, write};

fn investigation() -> World {
    let world = graph();
    write(&world, |w| {
        let task = task(w, "海面は上昇したか");
        let claim = claim(w, task, "Sea level rose");
        let page = page(w, "a.com", "x", DomainCategory::Low, None);
        for number in 0..40 {
            let text = format!("観測 {number} {}", "水位 ".repeat(200));
            judge(w, fragment(w, page, &text), claim, Stance::Supports, 0.5);
        }
        Ok(())
    });
    world
}

/// Changes the file past the crate's own code, and looks at it.
fn after(sql: &str) -> Checkup {
    let world = investigation();
    let connection = Connection::open(world.path().unwrap()).unwrap();
    connection.execute_batch(sql).unwrap();
    look(&world)
}

fn look(world: &World) -> Checkup {
    let path = world.path().unwrap();
    check_up(path, &CheckupOptions::default(), &Stop::default(), |_| {}).unwrap().unwrap()
}

fn rows(expected: [u64; 5]) -> Vec<(String, Option<u64>)> {
    let tables = ["tasks", "pages", "fragments", "claims", "edges"];
    tables.into_iter().zip(expected).map(|(name, rows)| (name.to_owned(), Some(rows))).collect()
}

#[test]
fn a_sound_file_is_called_sound_while_somebody_writes() {
    let world = investigation();
    let mut steps = Vec::new();
    let path = world.path().unwrap();
    let options = CheckupOptions::default();
    let found = check_up(path, &options, &Stop::default(), |it| steps.push(it)).unwrap().unwrap();
    assert_eq!(
        found,
        Checkup {
            schema_version: graph::SCHEMA_VERSION,
            damage: vec![],
            dangling: vec![],
            full_text: vec![],
            rows: rows([1, 1, 40, 1, 40]),
        }
    );
    assert!(found.is_sound());
    assert_eq!(steps, [CheckupStep::Pages, CheckupStep::References, CheckupStep::FullText]);
}

#[test]
fn rows_that_lead_nowhere_are_counted_by_table() {
    let found = after("PRAGMA foreign_keys = OFF; DELETE FROM tasks;");
    assert_eq!(found.dangling, ["claims refers to a row of tasks that is not there, 1 times"]);
    assert!(!found.is_sound());
}

#[test]
fn full_text_that_lost_rows_is_noticed() {
    let found =
        after("DROP TRIGGER fragments_fts_insert; DELETE FROM fragments_fts_docsize WHERE id < 4;");
    assert_eq!(found.full_text, ["fragments_fts knows 37 rows of 40"]);
}

#[test]
fn a_spoiled_page_is_damage_and_the_rest_is_still_counted() {
    let world = investigation();
    let path = world.path().unwrap().to_owned();
    let pages: Vec<usize> = Connection::open(&path)
        .unwrap()
        .prepare("SELECT pageno FROM dbstat WHERE name = 'fragments' AND pagetype = 'leaf'")
        .unwrap()
        .query_map([], |row| row.get::<_, i64>(0))
        .unwrap()
        .map(|it| usize::try_from(it.unwrap()).unwrap())
        .collect();
    // The journal is folded back, so that what is spoiled is what is read.
    Connection::open(&path).unwrap().execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    let mut bytes = fs::read(&path).unwrap();
    bytes[(pages[2] - 1) * 4096..pages[2] * 4096].fill(0xa5);
    fs::write(&path, &bytes).unwrap();
    let found = look(&world);
    assert!(found.damage[0].contains(&format!("page {}", pages[2])), "{found:?}");
    assert_eq!(found.dangling, ["database disk image is malformed"]);
    assert_eq!(found.rows[2], ("fragments".to_owned(), None));
    assert_eq!(found.rows[4], ("edges".to_owned(), Some(40)));
    assert_eq!(fs::read(&path).unwrap(), bytes, "looking changes nothing");
}

#[test]
fn what_cannot_be_opened_is_an_error_and_nothing_is_nothing() {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("lyra.db");
    let ask = || check_up(&path, &CheckupOptions::default(), &Stop::default(), |_| {});
    assert!(matches!(ask(), Ok(None)));
    fs::write(&path, "").unwrap();
    assert!(matches!(ask(), Ok(None)));
    fs::write(&path, "a diary").unwrap();
    assert!(matches!(ask(), Err(Error::NotADatabase { .. })));
}

#[test]
fn a_look_can_be_stopped() {
    let world = investigation();
    let stop = Stop::default();
    let asked = stop.clone();
    let options = CheckupOptions::default();
    let result = check_up(world.path().unwrap(), &options, &stop, move |_| asked.request());
    assert!(matches!(result, Err(Error::Interrupted)), "{result:?}");
}

#[test]
fn the_writer_is_named_and_the_question_does_not_lock_anybody_out() {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("lyra.db");
    assert_eq!(writer_of(&path).unwrap(), None);
    let graph = Graph::open(&path, Access::Write, options()).unwrap();
    let writer = writer_of(&path).unwrap().unwrap();
    assert!(writer.starts_with(&format!("process {}, lyra ", std::process::id())), "{writer}");
    drop(graph);
    assert_eq!(writer_of(&path).unwrap(), None);
    Graph::open(&path, Access::Write, options()).unwrap();
}

#[test]
fn the_bundled_sqlite_has_full_text() {
    let info = sqlite_info().unwrap();
    assert_eq!(info.version, rusqlite::version());
    assert!(info.full_text);
    assert!(!info.math_functions, "the graph brings its own sqrt; see views::register_functions");
}
