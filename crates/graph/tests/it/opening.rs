//! Opening a graph: what is taken, what is refused, and that a refusal changes nothing.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use evidence::DomainCategory;
use graph::{
    Access, Cause, EgressFilter, Error, FindSettings, Graph, Options, QuerySettings, SCHEMA_VERSION,
};
use rusqlite::Connection;
use tempfile::TempDir;

use crate::support::{fragment, options, page, task, write};

fn open(path: &Path, access: Access) -> graph::Result<Graph> {
    let options = Options { lock_wait: Duration::from_millis(50), ..options() };
    Graph::open(path, access, options)
}

/// A folder and the path of a database that is not there yet.
fn place() -> (TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("lyra.db");
    (dir, path)
}

/// Every file below `dir` with its bytes.
fn files(dir: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.clone(), fs::read(path).unwrap()))
        .collect();
    files.sort();
    files
}

/// The message with which both a reader and a writer are sent away from a folder that stays as it was.
fn refusal(dir: &TempDir, path: &Path) -> String {
    let before = files(dir.path());
    let [reader, writer] = [Access::Read, Access::Write].map(|it| open(path, it).unwrap_err());
    assert_eq!(reader.to_string(), writer.to_string());
    assert!(files(dir.path()) == before, "something changed in the folder");
    reader.to_string().replace(&path.display().to_string(), "PATH")
}

/// A database of schema 1, made from the script that made them, with one passage in it.
fn first_schema(path: &Path) {
    let connection = Connection::open(path).unwrap();
    connection.pragma_update(None, "journal_mode", "wal").unwrap();
    connection.execute_batch(include_str!("../../migrations/0001_evidence_graph.sql")).unwrap();
    connection
        .execute_batch(
            "INSERT INTO events (id, kind, created_at) VALUES ('ev_01ARZ3NDEKTSV4RRFFQ69G5FAV', 'old', '2025-01-01T00:00:00.000Z');
             INSERT INTO pages (id, url, domain, domain_category, created_at, cause_id)
             VALUES ('p_01ARZ3NDEKTSV4RRFFQ69G5FAV', 'https://a.com/', 'a.com', 'low', '2025-01-01T00:00:00.000Z', 'ev_01ARZ3NDEKTSV4RRFFQ69G5FAV');
             INSERT INTO fragments (id, page_id, fragment_type, text_content, text_hash, created_at, cause_id)
             VALUES ('f_01ARZ3NDEKTSV4RRFFQ69G5FAV', 'p_01ARZ3NDEKTSV4RRFFQ69G5FAV', 'paragraph', '古い記録', 'h',
                     '2025-01-01T00:00:00.000Z', 'ev_01ARZ3NDEKTSV4RRFFQ69G5FAV');
             PRAGMA application_id = 0x4c595241; PRAGMA user_version = 1;",
        )
        .unwrap();
}

fn schema_of(path: &Path) -> i64 {
    Connection::open(path)
        .unwrap()
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .unwrap()
}

#[test]
fn an_older_database_is_brought_up_to_date_with_its_rows() {
    for access in [Access::Write, Access::Read] {
        let (_dir, path) = place();
        first_schema(&path);
        let graph = open(&path, access).unwrap();
        assert_eq!(schema_of(&path), SCHEMA_VERSION);
        let answer = graph.read(|r| r.find("記録", &FindSettings::default())).unwrap();
        assert_eq!(answer.found.len(), 1, "rows from before the index are in it");
        assert_eq!(answer.found[0].snippet, "古い記録");
    }
}

/// Takes back what the ninth schema added: what it says of the logs is gone, and its migration says it again.
fn without_deletion(connection: &Connection) {
    connection
        .execute_batch(
            "DROP TRIGGER events_keep_delete; DROP TRIGGER events_keep_update; DROP TRIGGER claim_events_keep_delete;
             DROP TRIGGER nli_corrections_keep_delete; DROP TRIGGER egress_keep_update;
             DROP TABLE unfinished; DROP TABLE leaving; DROP TABLE deleted_tasks;",
        )
        .unwrap();
}

/// Takes back what sessions and rendered pages added.
fn without_rendering(connection: &Connection) {
    connection
        .execute_batch(
            "ALTER TABLE sessions DROP COLUMN route;
             DROP TABLE domain_routes; DROP INDEX archive_records_made_of;
             ALTER TABLE archive_records DROP COLUMN made;",
        )
        .unwrap();
}

/// Takes back what the seventh and later schemas added.
pub(crate) fn without_voices(connection: &Connection) {
    let views: Vec<String> = connection
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'view'")
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .collect::<rusqlite::Result<_>>()
        .unwrap();
    for view in views {
        connection.execute(&format!("DROP VIEW {view}"), []).unwrap();
    }
    without_rendering(connection);
    without_deletion(connection);
    connection
        .execute_batch(
            "DELETE FROM lyra_meta WHERE key = 'views';
             ALTER TABLE fragments DROP COLUMN quote;
             DROP INDEX edges_by_target;
             ALTER TABLE edges DROP COLUMN statement_kind; ALTER TABLE edges DROP COLUMN uncounted;
             CREATE INDEX edges_by_target
               ON edges(target_id, relation, nli_confidence, source_type, source_id, source_domain_category);
             DROP INDEX pages_by_cluster; ALTER TABLE pages DROP COLUMN retracted_at;
             DROP INDEX calibration_versions_active;
             ALTER TABLE calibration_versions DROP COLUMN model;
             CREATE UNIQUE INDEX calibration_versions_active ON calibration_versions(source) WHERE is_active = 1;
             PRAGMA user_version = 6;",
        )
        .unwrap();
}

/// Takes back what the fifth schema added.
fn without_research(connection: &Connection) {
    let first = include_str!("../../migrations/0001_evidence_graph.sql");
    let jobs = first.split_once("CREATE TABLE jobs").unwrap().1.split_once(";\n").unwrap().0;
    let waiting = "CREATE INDEX jobs_waiting ON jobs(state, priority DESC, id)";
    without_voices(connection);
    connection
        .execute_batch(&format!(
            "DROP INDEX events_by_kind; DROP TABLE selected_fragments; DROP TABLE report_drafts; DROP TABLE jobs;
             CREATE TABLE jobs{jobs}; {waiting};
             ALTER TABLE tasks DROP COLUMN seconds_used; ALTER TABLE tasks DROP COLUMN llm_seconds;
             ALTER TABLE queries DROP COLUMN independent_sources;
             ALTER TABLE queries DROP COLUMN has_primary_source; ALTER TABLE queries DROP COLUMN stop_reason;
             ALTER TABLE pages DROP COLUMN modified_at; ALTER TABLE pages DROP COLUMN sketch;
             ALTER TABLE pages DROP COLUMN flags;"
        ))
        .unwrap();
}

/// A database of schema 2 with what fetching knew then: the tables are made again as they were.
fn second_schema(path: &Path) {
    drop(open(path, Access::Write).unwrap());
    let connection = Connection::open(path).unwrap();
    without_research(&connection);
    connection
        .execute_batch(
            "DROP TABLE archive_records; DROP TABLE egress; DROP TABLE pace; DROP TABLE robots;
             DROP TABLE cache_fetch;
             CREATE TABLE cache_fetch (
               url TEXT PRIMARY KEY, etag TEXT, last_modified TEXT, content_hash TEXT,
               page_id TEXT REFERENCES pages(id), created_at TEXT NOT NULL, checked_at TEXT NOT NULL,
               cause_id TEXT NOT NULL REFERENCES events(id)
             ) STRICT, WITHOUT ROWID;
             DROP TABLE engine_health;
             CREATE TABLE engine_health (
               engine TEXT PRIMARY KEY,
               circuit_state TEXT NOT NULL DEFAULT 'closed' CHECK (circuit_state IN ('closed', 'half_open', 'open')),
               consecutive_failures INTEGER NOT NULL DEFAULT 0, open_until TEXT,
               success_rate_1h REAL, success_rate_24h REAL, captcha_rate REAL, http_error_rate REAL,
               parse_failure_rate REAL, median_latency_ms REAL,
               ban_suspected INTEGER NOT NULL DEFAULT 0 CHECK (ban_suspected IN (0, 1)),
               weight REAL NOT NULL DEFAULT 1, updated_at TEXT NOT NULL,
               cause_id TEXT NOT NULL REFERENCES events(id)
             ) STRICT, WITHOUT ROWID;
             INSERT INTO events (id, kind, created_at) VALUES ('ev_01ARZ3NDEKTSV4RRFFQ69G5FAV', 'old', '2025-01-01T00:00:00.000Z');
             INSERT INTO cache_fetch (url, etag, last_modified, content_hash, created_at, checked_at, cause_id)
             VALUES ('https://a.com/', '\"7\"', 'Wed, 01 Jan 2025 00:00:00 GMT', 'h',
                     '2025-01-01T00:00:00.000Z', '2025-01-02T00:00:00.000Z', 'ev_01ARZ3NDEKTSV4RRFFQ69G5FAV');
             INSERT INTO engine_health (engine, circuit_state, consecutive_failures, weight, updated_at, cause_id)
             VALUES ('mojeek', 'open', 3, 0.5, '2025-01-02T00:00:00.000Z', 'ev_01ARZ3NDEKTSV4RRFFQ69G5FAV');
             PRAGMA user_version = 2;",
        )
        .unwrap();
}

#[test]
fn what_fetching_knew_before_there_was_an_archive_is_kept() {
    let (_dir, path) = place();
    second_schema(&path);
    let graph = open(&path, Access::Write).unwrap();
    assert_eq!(schema_of(&path), SCHEMA_VERSION);
    let (fetch, health) = graph
        .read(|r| {
            Ok((r.cached_fetch("https://a.com/")?.unwrap(), r.engine_health("mojeek")?.unwrap()))
        })
        .unwrap();
    assert_eq!(fetch.etag.as_deref(), Some("\"7\""));
    assert_eq!(fetch.last_modified.as_deref(), Some("Wed, 01 Jan 2025 00:00:00 GMT"));
    assert_eq!(fetch.checked_at, "2025-01-02T00:00:00Z".parse().unwrap());
    assert_eq!(
        (fetch.status, fetch.final_url, fetch.fresh_until, fetch.record_id),
        (None, None, None, None)
    );
    assert_eq!(health.circuit_state, graph::CircuitState::Open);
    assert_eq!((health.consecutive_failures, health.weight), (3, 0.5));
    assert_eq!((health.samples, health.broken_sample, health.last_outcome), (0, None, None));
}

/// A database of schema 3 whose ledger holds a request: its first tables are made again by the script that made them.
fn third_schema(path: &Path) {
    drop(open(path, Access::Write).unwrap());
    let connection = Connection::open(path).unwrap();
    without_research(&connection);
    connection.execute_batch("DROP TABLE archive_records; DROP TABLE egress;").unwrap();
    let script = include_str!("../../migrations/0003_fetching.sql");
    connection.execute_batch(script.split_once("CREATE TABLE pace").unwrap().0).unwrap();
    connection
        .execute_batch(
            "INSERT INTO events (id, kind, created_at) VALUES ('ev_01ARZ3NDEKTSV4RRFFQ69G5FAV', 'old', '2025-01-01T00:00:00.000Z');
             INSERT INTO egress (requested_at, purpose, route, method, scheme, host, port, path, request_bytes,
                                 response_bytes, outcome, finished_at, cause_id)
             VALUES ('2025-01-01T00:00:00.000Z', 'page', 'http', 'GET', 'https', 'a.com', 443, '/', 250,
                     0, 'unknown_host', '2025-01-01T00:00:01.000Z', 'ev_01ARZ3NDEKTSV4RRFFQ69G5FAV');
             PRAGMA user_version = 3;",
        )
        .unwrap();
}

#[test]
fn a_ledger_from_before_counts_what_was_prepared() {
    let (_dir, path) = place();
    third_schema(&path);
    let graph = open(&path, Access::Write).unwrap();
    assert_eq!(schema_of(&path), SCHEMA_VERSION);
    let row = &graph.read(|r| r.egress(&EgressFilter::default(), 10)).unwrap()[0];
    assert_eq!((row.request_bytes, row.sent_bytes, row.left()), (250, None, 250));
}

#[test]
fn an_older_database_in_use_is_not_changed_under_its_user() {
    let (_dir, path) = place();
    first_schema(&path);
    fs::write(path.with_file_name("lyra.db.lock"), "").unwrap();
    let lock = fs::File::open(path.with_file_name("lyra.db.lock")).unwrap();
    lock.lock().unwrap();
    assert!(matches!(open(&path, Access::Read), Err(Error::InUse { .. })));
    assert_eq!(schema_of(&path), 1);
}

#[test]
fn a_newer_database_is_refused_and_left_alone() {
    let (_dir, path) = place();
    drop(open(&path, Access::Write).unwrap());
    let newer = SCHEMA_VERSION + 1;
    Connection::open(&path).unwrap().pragma_update(None, "user_version", newer).unwrap();
    let before = fs::read(&path).unwrap();
    for access in [Access::Read, Access::Write] {
        assert_eq!(
            open(&path, access).unwrap_err().to_string(),
            format!(
                "{} was written by a newer Lyra (schema {newer}, this one knows up to {SCHEMA_VERSION})",
                path.display()
            )
        );
        assert!(fs::read(&path).unwrap() == before);
    }
}

#[test]
fn a_database_of_another_program_is_refused_and_left_alone() {
    let (dir, path) = place();
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE bookmarks (url)").unwrap();
    assert_eq!(refusal(&dir, &path), "PATH belongs to another program");
}

#[test]
fn a_database_that_names_another_program_is_refused_even_when_it_is_empty() {
    let (dir, path) = place();
    Connection::open(&path).unwrap().execute_batch("PRAGMA application_id = 77").unwrap();
    assert_eq!(refusal(&dir, &path), "PATH belongs to another program");
}

#[test]
fn a_database_of_another_program_keeps_what_is_still_in_its_journal() {
    let (_dir, path) = place();
    let theirs = Connection::open(&path).unwrap();
    theirs
        .execute_batch("PRAGMA journal_mode = wal; CREATE TABLE bookmarks (url); INSERT INTO bookmarks VALUES (1)")
        .unwrap();
    let (copy_dir, copy) = place();
    for suffix in ["", "-wal"] {
        let name = |path: &Path| format!("{}{suffix}", path.display());
        fs::copy(name(&path), name(&copy)).unwrap();
    }
    let data = || {
        let mut files = files(copy_dir.path());
        files.retain(|(path, _)| {
            ["db", "db-wal"].contains(&path.extension().unwrap().to_str().unwrap())
        });
        files
    };
    let before = data();
    assert_eq!(before.len(), 2);
    for access in [Access::Read, Access::Write] {
        assert!(matches!(open(&copy, access), Err(Error::Foreign { .. })));
        assert!(data() == before);
    }
}

#[test]
fn a_text_file_is_refused_and_left_alone() {
    for text in ["dear diary", &"dear diary ".repeat(1000)] {
        let (dir, path) = place();
        fs::write(&path, text).unwrap();
        assert_eq!(refusal(&dir, &path), "PATH is not a SQLite database");
    }
}

#[test]
fn an_empty_file_is_a_new_graph_for_a_writer_and_an_empty_one_for_a_reader() {
    let (dir, path) = place();
    fs::write(&path, "").unwrap();
    let reader = open(&path, Access::Read).unwrap();
    assert_eq!(reader.read(|r| r.tasks()).unwrap(), []);
    assert_eq!(files(dir.path()), [(path.clone(), Vec::new())]);
    let writer = open(&path, Access::Write).unwrap();
    write(&writer, |w| Ok(task(w, "q")));
    assert_eq!(writer.read(|r| r.tasks()).unwrap().len(), 1);
}

#[test]
fn a_first_start_that_was_cut_short_is_no_obstacle() {
    let (_dir, path) = place();
    Connection::open(&path).unwrap().pragma_update(None, "journal_mode", "wal").unwrap();
    assert_eq!(fs::metadata(&path).unwrap().len(), 4096);
    assert_eq!(open(&path, Access::Read).unwrap().read(|r| r.tasks()).unwrap(), []);
    let writer = open(&path, Access::Write).unwrap();
    write(&writer, |w| Ok(task(w, "q")));
}

/// The message and its cause, as an interface would print them.
fn chain(error: &dyn std::error::Error, path: &Path) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text += &format!(": {error}");
        cause = error.source();
    }
    text.replace(&path.display().to_string(), "PATH")
}

#[test]
fn a_folder_is_not_a_database() {
    let (dir, path) = place();
    fs::create_dir(&path).unwrap();
    for access in [Access::Read, Access::Write] {
        let error = open(&path, access).unwrap_err();
        assert_eq!(chain(&error, &path), "cannot access PATH: is a directory");
    }
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn a_pipe_is_refused_and_not_waited_for() {
    let (_dir, path) = place();
    let made = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
    assert!(made.success());
    for access in [Access::Read, Access::Write] {
        let error = open(&path, access).unwrap_err();
        assert_eq!(chain(&error, &path), "cannot access PATH: not a regular file");
    }
}

#[test]
fn a_path_that_leads_through_a_file_cannot_be_opened() {
    let (dir, path) = place();
    fs::write(&path, "not a folder").unwrap();
    let below = path.join("lyra.db");
    let before = files(dir.path());
    for access in [Access::Read, Access::Write] {
        let error = open(&below, access).unwrap_err();
        assert!(matches!(&error, Error::File { path, .. } if *path == below), "{error:?}");
    }
    assert!(files(dir.path()) == before);
}

#[test]
fn a_missing_folder_is_made_by_a_writer_only() {
    let (dir, _) = place();
    let path = dir.path().join("a/b/lyra.db");
    drop(open(&path, Access::Read).unwrap());
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    drop(open(&path, Access::Write).unwrap());
    assert!(path.is_file());
}

#[test]
fn a_reader_of_a_missing_file_sees_an_empty_graph_and_leaves_no_trace() {
    let (dir, path) = place();
    let reader = open(&path, Access::Read).unwrap();
    assert_eq!(reader.read(|r| r.tasks()).unwrap(), []);
    assert_eq!(reader.path(), None);
    let error = reader.write(Cause::new("test"), |_| Ok(())).unwrap_err();
    assert!(matches!(error, Error::ReadOnly));
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[test]
fn a_second_writer_is_told_who_the_first_is() {
    let (_dir, path) = place();
    let first = open(&path, Access::Write).unwrap();
    let error = open(&path, Access::Write).unwrap_err();
    let Error::InUse { holder: Some(holder), .. } = &error else { panic!("{error:?}") };
    assert!(holder.starts_with(&format!("process {}, lyra", std::process::id())), "{holder}");
    assert_eq!(chain(&error, &path), format!("PATH is in use by another lyra process ({holder})"));
    drop(first);
    drop(open(&path, Access::Write).unwrap());
}

#[test]
fn a_reader_beside_a_writer_sees_what_is_committed() {
    let (_dir, path) = place();
    let writer = open(&path, Access::Write).unwrap();
    let reader = open(&path, Access::Read).unwrap();
    write(&writer, |w| {
        task(w, "q");
        assert_eq!(reader.read(|r| r.tasks()).unwrap(), [], "not committed yet");
        Ok(())
    });
    assert_eq!(reader.read(|r| r.tasks()).unwrap().len(), 1);
    assert!(matches!(reader.write(Cause::new("test"), |_| Ok(())), Err(Error::ReadOnly)));
}

#[test]
fn a_closed_graph_is_one_file_and_its_lock() {
    let (dir, path) = place();
    let graph = open(&path, Access::Write).unwrap();
    write(&graph, |w| Ok(task(w, "q")));
    graph.query("SELECT 1", &QuerySettings::default()).unwrap();
    drop(graph);
    let names: Vec<_> = files(dir.path())
        .iter()
        .map(|(path, _)| path.file_name().unwrap().to_str().unwrap().to_owned())
        .collect();
    assert_eq!(names, ["lyra.db", "lyra.db.lock"], "the journal was folded back");
}

/// A graph of some hundred pages, closed, and its bytes to be spoiled.
fn large() -> (TempDir, PathBuf, Vec<u8>) {
    let (dir, path) = place();
    let graph = open(&path, Access::Write).unwrap();
    write(&graph, |w| {
        let page = page(w, "a.com", "a", DomainCategory::Low, None);
        for number in 0..400 {
            fragment(w, page, &format!("passage {number} {}", "word ".repeat(200)));
        }
        Ok(())
    });
    drop(graph);
    let bytes = fs::read(&path).unwrap();
    assert!(bytes.len() > 100 * 4096);
    (dir, path, bytes)
}

fn pages_of(path: &Path, name: &str) -> Vec<usize> {
    Connection::open(path)
        .unwrap()
        .prepare("SELECT pageno FROM dbstat WHERE name = ?1 AND pagetype = 'leaf' ORDER BY path")
        .unwrap()
        .query_map([name], |row| row.get::<_, i64>(0))
        .unwrap()
        .map(|it| usize::try_from(it.unwrap()).unwrap())
        .collect()
}

/// The first error met on the way to every row.
fn open_and_read(path: &Path) -> graph::Result<usize> {
    let graph = open(path, Access::Read)?;
    graph.read(|r| {
        let found = r.find("word", &FindSettings { limit: 1000, ..FindSettings::default() })?;
        Ok(r.tasks()?.len() + found.found.len())
    })
}

fn damaged(bytes: &[u8], path: &Path) {
    fs::write(path, bytes).unwrap();
    let error = open_and_read(path).unwrap_err();
    assert!(matches!(error, Error::Damaged { .. }), "{error:?}");
    assert_eq!(error.to_string(), "the database is damaged");
    assert!(fs::read(path).unwrap() == bytes, "reading changed it");
}

#[test]
fn pages_overwritten_in_the_middle_are_reported_as_damage() {
    let (_dir, path, mut bytes) = large();
    assert_eq!(open_and_read(&path).unwrap(), 400);
    let (from, to) = (bytes.len() / 2, bytes.len() / 2 + 20 * 4096);
    bytes[from..to].fill(0xaa);
    damaged(&bytes, &path);
}

#[test]
fn a_check_of_the_whole_file_finds_what_reading_has_not_met_yet() {
    let (_dir, path, mut bytes) = large();
    let graph = open(&path, Access::Write).unwrap();
    assert_eq!(graph.check().unwrap(), Vec::<String>::new());
    drop(graph);
    let index = pages_of(&path, "sqlite_autoindex_fragments_2")[0];
    bytes[(index - 1) * 4096..index * 4096].fill(0);
    fs::write(&path, bytes).unwrap();
    let graph = open(&path, Access::Read).unwrap();
    assert_eq!(graph.read(|r| r.tasks()).unwrap(), []);
    let problems = graph.check().unwrap();
    assert!(problems.iter().any(|it| it.contains(&format!("page {index}"))), "{problems:?}");
}

#[test]
fn a_check_finds_full_text_that_does_not_match_its_rows_and_references_to_nothing() {
    let (_dir, path, _) = large();
    Connection::open(&path)
        .unwrap()
        .execute_batch(
            "DROP TRIGGER fragments_fts_delete; PRAGMA foreign_keys = OFF;
             DELETE FROM fragments WHERE seq = 7; UPDATE fragments SET page_id = 'p' WHERE seq < 4;",
        )
        .unwrap();
    let graph = open(&path, Access::Write).unwrap();
    assert_eq!(
        graph.check().unwrap(),
        [
            "fragments refers to a row of pages that is not there, 3 times",
            "fragments_fts does not match the rows it was made from",
        ]
    );
}

#[test]
fn a_header_with_impossible_values_is_reported_as_damage() {
    let (_dir, path, mut bytes) = large();
    bytes[16..32].fill(0xff);
    damaged(&bytes, &path);
}

#[test]
fn a_schema_that_cannot_be_read_is_reported_as_damage() {
    let (_dir, path, mut bytes) = large();
    bytes[100..4096].fill(0xff);
    damaged(&bytes, &path);
}

#[test]
fn a_truncated_file_is_reported_as_damage() {
    let (_dir, path, bytes) = large();
    for length in [bytes.len() / 2, 4096, 3000, 600, 100] {
        damaged(&bytes[..length], &path);
    }
}
