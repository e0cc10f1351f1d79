//! Saving what is left of files that are really damaged.

use std::fs;
use std::path::{Path, PathBuf};

use evidence::{DomainCategory, Stance};
use graph::{
    Access, Cause, EgressFilter, Error, FindSettings, Graph, NewEgress, NewSearch, NewSerpItem,
    Options, SalvageReport, SalvagedTable, Stop, salvage,
};
use rusqlite::Connection;
use tempfile::TempDir;

use crate::support::{claim, fragment, judge, options, page, paper, task};

const PAGE: usize = 4096;
const SOURCES: usize = 60;
const PASSAGES: usize = 10;

/// A graph of 60 pages with 10 judged passages each, closed.
fn investigation() -> (TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("lyra.db");
    let graph = Graph::open(&path, Access::Write, options()).unwrap();
    let task = graph.write(Cause::new("task_create"), |w| Ok(task(w, "q"))).unwrap();
    let note = serde_json::json!({ "note": "n".repeat(300) });
    for number in 0..SOURCES {
        graph
            .write(Cause::new("search").in_task(task).with(note.clone()), |w| {
                let page = match number % 2 {
                    0 => page(w, "a.com", &number.to_string(), DomainCategory::Low, Some(2020)),
                    _ => paper(w, &format!("10.1/{number}"), "題名", Some(2021), "v"),
                };
                let search = w.record_search(&NewSearch {
                    task_id: task,
                    query: format!("query {number}"),
                    options: serde_json::json!({}),
                })?;
                w.record_serp_item(&NewSerpItem {
                    search_id: search,
                    engine: "e".to_owned(),
                    rank: 1,
                    url: format!("https://{number}"),
                    title: None,
                    snippet: None,
                    published_at: None,
                    source_tag: None,
                    page_id: Some(page),
                })?;
                let claim = claim(w, task, &format!("主張 {number}"));
                for passage in 0..PASSAGES {
                    // A long word fills pages without giving the tokenizer much to do.
                    let text = format!("passage {number}-{passage} 言葉 {}", "x".repeat(800));
                    judge(w, fragment(w, page, &text), claim, Stance::Supports, 0.5);
                }
                Ok(())
            })
            .unwrap();
    }
    drop(graph);
    (dir, path)
}

fn table<'a>(report: &'a SalvageReport, name: &str) -> &'a SalvagedTable {
    report.tables.iter().find(|it| it.name == name).unwrap()
}

/// Every row of every table, as text.
fn dump(path: &Path) -> Vec<String> {
    let connection = Connection::open(path).unwrap();
    let tables: Vec<String> = connection
        .prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name")
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    let mut lines = Vec::new();
    for table in tables {
        let mut statement = connection.prepare(&format!("SELECT * FROM {table}")).unwrap();
        let width = statement.column_count();
        let mut rows = statement.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            let values: Vec<_> =
                (0..width).map(|it| format!("{:?}", row.get_ref(it).unwrap())).collect();
            lines.push(format!("{table}: {}", values.join(" ")));
        }
    }
    lines.sort();
    lines
}

/// Salvages, and makes sure of what holds for every salvage: the damaged file is as it was, nothing
/// is left beside the new one, the new one is sound, searchable, sealed, and holds what it says.
fn save(dir: &TempDir, damaged: &Path) -> (SalvageReport, Graph) {
    let before = fs::read(damaged).unwrap();
    let new = dir.path().join("saved/new.db");
    let report = salvage(damaged, &new, options(), &Stop::default()).unwrap();
    assert!(fs::read(damaged).unwrap() == before, "the damaged file changed");
    let names: Vec<_> = fs::read_dir(dir.path().join("saved"))
        .unwrap()
        .map(|it| it.unwrap().file_name().into_string().unwrap())
        .filter(|it| !it.ends_with(".lock"))
        .collect();
    assert_eq!(names, ["new.db"]);

    let graph = Graph::open(&new, Access::Write, options()).unwrap();
    let connection = Connection::open(&new).unwrap();
    let broken: i64 = connection
        .query_row("SELECT count(*) FROM pragma_foreign_key_check", [], |row| row.get(0))
        .unwrap();
    assert_eq!(broken, 0);
    for table in &report.tables {
        let rows: u64 = connection
            .query_row(&format!("SELECT count(*) FROM {}", table.name), [], |row| {
                row.get::<_, i64>(0)
            })
            .unwrap()
            .unsigned_abs();
        let stand_ins = if table.name == "events" { report.stand_in_events } else { 0 };
        assert_eq!(rows, table.read - table.left_out + stand_ins, "{table:?}");
    }
    let sealed = connection.execute("DELETE FROM events", []).unwrap_err().to_string();
    assert_eq!(sealed, "events is append-only");
    let fragments =
        usize::try_from(table(&report, "fragments").read - table(&report, "fragments").left_out)
            .unwrap();
    let options = FindSettings {
        limit: 10_000,
        target: graph::FindTarget::Fragments,
        ..FindSettings::default()
    };
    let found = graph.read(|r| r.find("言葉", &options)).unwrap();
    assert_eq!(found.found.len(), fragments, "what is there is found");
    (report, graph)
}

/// The numbers of the pages that hold the rows of a table or an index.
fn pages_of(path: &Path, name: &str) -> Vec<usize> {
    page_numbers(path, name, "pagetype = 'leaf'")
}

fn every_page_of(path: &Path, name: &str) -> Vec<usize> {
    page_numbers(path, name, "true")
}

fn page_numbers(path: &Path, name: &str, kind: &str) -> Vec<usize> {
    Connection::open(path)
        .unwrap()
        .prepare(&format!("SELECT pageno FROM dbstat WHERE name = ?1 AND {kind} ORDER BY path"))
        .unwrap()
        .query_map([name], |row| row.get::<_, i64>(0))
        .unwrap()
        .map(|it| usize::try_from(it.unwrap()).unwrap())
        .collect()
}

fn spoil(path: &Path, pages: &[usize]) {
    let mut bytes = fs::read(path).unwrap();
    for page in pages {
        bytes[(page - 1) * PAGE..page * PAGE].fill(0xa5);
    }
    fs::write(path, bytes).unwrap();
}

#[test]
fn a_whole_file_is_saved_whole() {
    let (dir, path) = investigation();
    let (report, graph) = save(&dir, &path);
    assert!(report.is_complete(), "{report:?}");
    assert_eq!(table(&report, "fragments").read, 600);
    assert_eq!(dump(graph.path().unwrap()), dump(&path));
}

#[test]
fn rows_on_both_sides_of_spoiled_pages_are_saved() {
    let (dir, path) = investigation();
    let leaves = pages_of(&path, "fragments");
    assert!(leaves.len() > 100, "{}", leaves.len());
    let (first, last) = (leaves[0], leaves[leaves.len() - 1]);
    spoil(&path, &[first, leaves[20], leaves[21], leaves[22], leaves[60], leaves[62], last]);
    let (report, _graph) = save(&dir, &path);
    let fragments = table(&report, "fragments");
    assert_eq!(fragments.left_out, 0);
    assert_eq!(fragments.lost, Some(600 - fragments.read), "an index knows how many there were");
    let per_leaf = 600 / leaves.len() as u64 + 1;
    assert!(fragments.read >= 600 - 7 * per_leaf, "{fragments:?}");
    let edges = table(&report, "edges");
    assert_eq!((edges.read, edges.lost), (600, Some(0)));
    assert_eq!(edges.left_out, 600 - fragments.read, "an edge is not kept without its passage");
    assert_eq!(table(&report, "claims").left_out, 0);
}

#[test]
fn a_spoiled_log_does_not_take_the_evidence_with_it() {
    let (dir, path) = investigation();
    let leaves = pages_of(&path, "events");
    assert!(leaves.len() >= 3, "{}", leaves.len());
    spoil(&path, &leaves[1..2]);
    let (report, graph) = save(&dir, &path);
    assert!(report.stand_in_events > 5, "{report:?}");
    assert_eq!(table(&report, "events").read + report.stand_in_events, 61);
    assert_eq!(table(&report, "events").lost, None, "nothing tells how many there were");
    for name in ["tasks", "pages", "fragments", "claims", "edges"] {
        assert_eq!(
            (table(&report, name).lost, table(&report, name).left_out),
            (Some(0), 0),
            "{name}"
        );
    }
    let task = graph.read(|r| r.tasks()).unwrap()[0].id;
    let causes = graph.read(|r| {
        let mut kinds = Vec::new();
        for claim in r.claims_of(task)? {
            kinds.push(r.causes_of(claim.claim.cause_id)?[0].kind.clone());
        }
        Ok(kinds)
    });
    let causes = causes.unwrap();
    assert_eq!(causes.iter().filter(|it| *it == "lost").count() as u64, report.stand_in_events);
    assert_eq!(causes.len(), SOURCES);
}

#[test]
fn what_can_stand_without_a_lost_row_stays_and_what_cannot_goes() {
    let (dir, path) = investigation();
    spoil(&path, &pages_of(&path, "works"));
    let (report, _graph) = save(&dir, &path);
    let works = table(&report, "works");
    assert_eq!((works.read, works.lost), (0, Some(30)));
    let pages = table(&report, "pages");
    assert_eq!((pages.read, pages.left_out, pages.cleared), (60, 0, 30), "a page without its work");
    let names = table(&report, "work_identifiers");
    assert_eq!((names.read, names.left_out), (30, 30), "a name without its work");
    assert_eq!(table(&report, "fragments").left_out, 0);
}

#[test]
fn a_lost_task_takes_what_belongs_to_it_but_not_its_pages() {
    let (dir, path) = investigation();
    spoil(&path, &pages_of(&path, "tasks"));
    let (report, _graph) = save(&dir, &path);
    assert_eq!(table(&report, "tasks").read, 0);
    for (name, rows) in [("claims", 60), ("queries", 60), ("serp_items", 60), ("edges", 600)] {
        assert_eq!(
            (table(&report, name).read, table(&report, name).left_out),
            (rows, rows),
            "{name}"
        );
    }
    let events = table(&report, "events");
    assert_eq!((events.left_out, events.cleared), (0, 0), "the log still names the task");
    assert_eq!((table(&report, "fragments").read, table(&report, "fragments").left_out), (600, 0));
}

#[test]
fn a_spoiled_index_costs_no_row() {
    let (dir, path) = investigation();
    for name in ["edges_by_target", "sqlite_autoindex_fragments_1", "fragments_fts_data"] {
        spoil(&path, &pages_of(&path, name));
    }
    let (report, _graph) = save(&dir, &path);
    assert!(report.is_complete(), "{report:?}");
}

#[test]
fn a_file_cut_off_is_saved_as_far_as_it_goes() {
    let (dir, path) = investigation();
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() / 3 * 2]).unwrap();
    assert!(matches!(Graph::open(&path, Access::Read, options()), Err(Error::Damaged { .. })));
    let (report, _graph) = save(&dir, &path);
    assert!(!report.is_complete());
    let fragments = table(&report, "fragments");
    assert!((200..600).contains(&(fragments.read - fragments.left_out)), "{fragments:?}");
}

#[test]
fn a_file_with_a_spoiled_header_is_saved_whole() {
    let (dir, path) = investigation();
    let expected = dump(&path);
    let mut bytes = fs::read(&path).unwrap();
    bytes[..60].fill(0xff);
    fs::write(&path, &bytes).unwrap();
    assert!(matches!(Graph::open(&path, Access::Read, options()), Err(Error::NotADatabase { .. })));
    let (report, graph) = save(&dir, &path);
    assert!(report.is_complete(), "{report:?}");
    assert_eq!(dump(graph.path().unwrap()), expected);
}

#[test]
fn rows_that_are_still_in_the_journal_are_saved() {
    let (dir, path) = investigation();
    let other_ids = Options { id_seed: Some(2), ..options() };
    let graph = Graph::open(&path, Access::Write, other_ids).unwrap();
    graph.write(Cause::new("late"), |w| Ok(task(w, "遅い"))).unwrap();
    let copy = dir.path().join("copy.db");
    for suffix in ["", "-wal"] {
        let name = |path: &Path| format!("{}{suffix}", path.display());
        fs::copy(name(&path), name(&copy)).unwrap();
    }
    let (report, _graph) = save(&dir, &copy);
    assert_eq!(table(&report, "tasks").read, 2);
    assert!(report.is_complete(), "{report:?}");
}

#[test]
fn rows_full_of_nonsense_are_left_out() {
    let (dir, path) = investigation();
    let connection = Connection::open(&path).unwrap();
    connection
        .execute_batch(
            "PRAGMA ignore_check_constraints = ON;
             UPDATE pages SET domain_category = 'garbage' WHERE url = 'https://a.com/0';",
        )
        .unwrap();
    drop(connection);
    let (report, _graph) = save(&dir, &path);
    assert_eq!((table(&report, "pages").read, table(&report, "pages").left_out), (60, 1));
    assert_eq!(table(&report, "fragments").left_out, 10);
    assert_eq!(table(&report, "edges").left_out, 10);
    assert_eq!(table(&report, "serp_items").cleared, 1);
}

#[test]
fn a_passage_whose_words_changed_is_no_evidence_any_more() {
    let (dir, path) = investigation();
    let mut bytes = fs::read(&path).unwrap();
    let words = b"passage 7-3 ";
    let at = bytes.windows(words.len()).position(|it| it == words).unwrap();
    bytes[at..at + 7].copy_from_slice(b"massage");
    fs::write(&path, &bytes).unwrap();
    let (report, _graph) = save(&dir, &path);
    assert_eq!((table(&report, "fragments").read, table(&report, "fragments").left_out), (600, 1));
    assert_eq!(table(&report, "edges").left_out, 1);
}

#[test]
fn spoiled_at_random_a_file_still_gives_what_it_has() {
    let (_keep, path) = investigation();
    let whole = fs::read(&path).unwrap();
    let schema = every_page_of(&path, "sqlite_schema");
    for seed in 0..6 {
        let dir = tempfile::tempdir().unwrap();
        let damaged = dir.path().join("lyra.db");
        let mut bytes = whole.clone();
        let mut random = fastrand::Rng::with_seed(seed);
        let mut random = |below: usize| random.usize(..below);
        for _ in 0..40 {
            let (page, at, length) = (random(bytes.len() / PAGE), random(PAGE), 1 + random(600));
            let value = u8::try_from(random(256)).unwrap();
            // Without the schema nothing can be read: see below.
            if !schema.contains(&(page + 1)) {
                bytes[page * PAGE..][at..(at + length).min(PAGE)].fill(value);
            }
        }
        fs::write(&damaged, bytes).unwrap();
        let (report, _graph) = save(&dir, &damaged);
        assert!(table(&report, "fragments").read >= 590, "seed {seed}: {report:?}");
    }
}

/// The ledger is sealed against changes, and salvage has to make some: a request of a lost task stays.
#[test]
fn a_ledger_without_its_task_is_saved_and_sealed_again() {
    let (dir, path) = investigation();
    let graph = Graph::open(&path, Access::Write, Options { id_seed: None, ..options() }).unwrap();
    let task = graph.read(|r| r.tasks()).unwrap()[0].id;
    graph
        .write(Cause::new("fetch"), |w| {
            w.record_egress(&NewEgress {
                task_id: Some(task),
                purpose: "page".to_owned(),
                route: "http",
                method: "GET",
                scheme: "https".to_owned(),
                host: "a.com".to_owned(),
                port: 443,
                path: "/".to_owned(),
                request_bytes: 10,
            })
        })
        .unwrap();
    drop(graph);
    spoil(&path, &every_page_of(&path, "tasks"));
    let (report, graph) = save(&dir, &path);
    assert_eq!((table(&report, "egress").read, table(&report, "egress").cleared), (1, 1));
    assert_eq!(graph.read(|r| r.egress(&EgressFilter::default(), 10)).unwrap()[0].task_id, None);
    let connection = Connection::open(graph.path().unwrap()).unwrap();
    let sealed = connection.execute("DELETE FROM egress", []).unwrap_err().to_string();
    assert_eq!(sealed, "the ledger keeps every row");
}

#[test]
fn nothing_is_overwritten() {
    let (dir, path) = investigation();
    let taken = dir.path().join("taken.db");
    fs::write(&taken, "precious").unwrap();
    for new in [&taken, &path] {
        let error = salvage(&path, new, options(), &Stop::default()).unwrap_err();
        assert!(matches!(&error, Error::File { path, .. } if path == new), "{error:?}");
    }
    assert_eq!(fs::read(&taken).unwrap(), b"precious");
}

#[test]
fn what_cannot_be_ours_is_refused_and_nothing_is_made() {
    let dir = tempfile::tempdir().unwrap();
    let (text, foreign, missing) =
        (dir.path().join("a.txt"), dir.path().join("b.db"), dir.path().join("c.db"));
    fs::write(&text, "dear diary ".repeat(100)).unwrap();
    Connection::open(&foreign)
        .unwrap()
        .execute_batch("PRAGMA application_id = 7; CREATE TABLE x (y)")
        .unwrap();
    let new = dir.path().join("new.db");
    let refused = |path: &Path| salvage(path, &new, options(), &Stop::default()).unwrap_err();
    assert!(matches!(refused(&text), Error::NotADatabase { .. }));
    assert!(matches!(refused(&foreign), Error::Foreign { .. }));
    assert!(matches!(refused(&missing), Error::File { .. }));
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2);
}

#[test]
fn a_file_whose_schema_is_spoiled_is_beyond_help_and_nothing_is_made() {
    let (dir, path) = investigation();
    let mut bytes = fs::read(&path).unwrap();
    bytes[100..PAGE].fill(0xff);
    fs::write(&path, &bytes).unwrap();
    let new = dir.path().join("new.db");
    assert!(matches!(
        salvage(&path, &new, options(), &Stop::default()),
        Err(Error::Damaged { .. })
    ));
    let names: Vec<_> = fs::read_dir(dir.path())
        .unwrap()
        .map(|it| it.unwrap().file_name().into_string().unwrap())
        .collect();
    assert!(names.iter().all(|it| it.starts_with("lyra.db")), "{names:?}");
}

#[test]
fn a_salvage_that_is_stopped_leaves_nothing_of_the_new_file() {
    let (dir, path) = investigation();
    let stop = Stop::default();
    stop.request();
    let new = dir.path().join("saved/new.db");
    let error = salvage(&path, &new, options(), &stop).unwrap_err();
    assert!(matches!(error, Error::Interrupted), "{error:?}");
    assert_eq!(fs::read_dir(dir.path().join("saved")).unwrap().count(), 0);
}
