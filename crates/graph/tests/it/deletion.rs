//! Deleting a task: what goes, what stays, and how narrow the door in the logs is.

use std::fs;

use evidence::{DomainCategory, Node, Stance, TaskId};
use graph::{
    ArchiveKind, ArchiveRecord, CachedFetch, Cause, EgressAnswer, EgressFilter, NewEgress,
    NewEmbedding, NewSearch, NewSerpItem, SHIPPED_POLICY, Unneeded, parse_policy,
};
use rusqlite::Connection;
use serde_json::json;

use crate::support::{World, claim, count, fragment, graph, judge, page, task, write};

/// Words of one task only, of the other only, and of the page both read.
const OURS: &str = "zirkelquast";
const THEIRS: &str = "lumpenfrosch";
const SHARED: &str = "gemeingut";
const JAPANESE: &str = "秘匿案件";

struct Two {
    graph: World,
    ours: TaskId,
    theirs: TaskId,
}

fn record(id: &str, host: &str, path: &str, seq: i64, start: u64) -> ArchiveRecord {
    ArchiveRecord {
        record_id: id.to_owned(),
        kind: ArchiveKind::Response,
        url: format!("https://{host}/{path}"),
        status: Some(200),
        file: "lyra-20260115120000-00001.warc.gz".to_owned(),
        byte_start: start,
        byte_length: 100,
        payload_digest: None,
        refers_to: None,
        egress_seq: Some(seq),
        archived_at: "2026-01-15T12:00:00Z".parse().unwrap(),
    }
}

/// Two tasks that met on one page; each has one of its own and a page of results.
fn two() -> Two {
    let graph = graph();
    let tasks = [(OURS, 0), (THEIRS, 1)].map(|(word, number)| {
        let id = write(&graph, |w| Ok(task(w, &format!("{word} {JAPANESE}?"))));
        let cause = || Cause::new("search_start").in_task(id).with(json!({ "query": word }));
        graph
            .write(cause(), |w| {
                let search = w.record_search(&NewSearch {
                    task_id: id,
                    query: format!("about {word}"),
                    options: json!({}),
                })?;
                let claim = claim(w, id, &format!("{word} is true {JAPANESE}{number}"));
                for (host, name) in [("shared.example", SHARED), ("own.example", word)] {
                    let page = page(w, host, name, DomainCategory::Low, None);
                    let passage = fragment(w, page, &format!("{name} is what this page says"));
                    judge(w, passage, claim, Stance::Supports, 0.9);
                    w.record_serp_item(&NewSerpItem {
                        search_id: search,
                        engine: "test".to_owned(),
                        rank: 1,
                        url: format!("https://{host}/{name}"),
                        title: Some(word.to_owned()),
                        snippet: None,
                        published_at: None,
                        source_tag: None,
                        page_id: Some(page),
                    })?;
                    w.record_embedding(&NewEmbedding {
                        target: Node::Fragment(passage),
                        model_id: &format!("model-{number}"),
                        vector: &[0.5; 4],
                    })?;
                    let seq = w.record_egress(&NewEgress {
                        task_id: Some(id),
                        purpose: "page".to_owned(),
                        route: "http",
                        method: "GET",
                        scheme: "https".to_owned(),
                        host: host.to_owned(),
                        port: 443,
                        path: format!("/{name}?for={word}"),
                        request_bytes: 100,
                    })?;
                    w.answer_egress(
                        seq,
                        &EgressAnswer {
                            address: None,
                            status: Some(200),
                            sent_bytes: 100,
                            response_bytes: 900,
                            outcome: "answered".to_owned(),
                        },
                    )?;
                    let record_id = format!("urn:{number}:{name}");
                    let at = 1_000 + 1_000 * number + if name == SHARED { 0 } else { 100 };
                    w.record_archived(&record(&record_id, host, name, seq, at))?;
                    w.cache_fetch(&CachedFetch {
                        url: format!("https://{host}/{name}"),
                        final_url: None,
                        status: Some(200),
                        etag: None,
                        last_modified: None,
                        content_hash: None,
                        fresh_until: None,
                        record_id: Some(record_id),
                        checked_at: "2026-01-15T12:00:00Z".parse().unwrap(),
                    })?;
                }
                w.cache_serp(
                    &format!("test {word}"),
                    &json!([word]),
                    "2027-01-01T00:00:00Z".parse().unwrap(),
                )
            })
            .unwrap();
        id
    });
    let [ours, theirs] = tasks;
    Two { graph, ours, theirs }
}

/// Everything the file holds, its journal included, as bytes.
fn holds(graph: &World, word: &str) -> bool {
    fs::read_dir(graph.dir.path()).unwrap().any(|entry| {
        let bytes = fs::read(entry.unwrap().path()).unwrap();
        bytes.windows(word.len()).any(|it| it == word.as_bytes())
    })
}

#[test]
fn a_deleted_task_leaves_nothing_of_its_own_and_the_other_keeps_everything() {
    let Two { graph, ours, theirs } = two();
    let before = graph.read(|r| r.content_lines(theirs)).unwrap();
    let planned = graph.read(|r| r.deletion_of(ours)).unwrap();
    assert!(holds(&graph, OURS));

    let removed = graph.delete_task(ours).unwrap();
    assert_eq!(removed, planned, "a look counts what the deed does");
    let rows = |table| removed.rows_of(table);
    assert_eq!(
        (
            rows("tasks"),
            rows("queries"),
            rows("claims"),
            rows("pages"),
            rows("fragments"),
            rows("edges")
        ),
        (1, 1, 1, 1, 1, 2)
    );
    assert_eq!((removed.archive_records, removed.archive_bytes), (1, 100));
    assert_eq!((removed.ledger_rows, removed.shared_pages), (2, 1));

    let unfinished = graph.read(|r| r.unfinished()).unwrap();
    assert_eq!(unfinished.rewrite, ["lyra-20260115120000-00001.warc.gz"]);
    assert!(unfinished.compact);
    let compacted = graph.compact().unwrap();
    assert!(compacted.journal_emptied);
    assert!(!graph.read(|r| r.unfinished()).unwrap().compact);

    assert!(!holds(&graph, OURS), "no word of the task is in any file");
    assert!(holds(&graph, THEIRS) && holds(&graph, SHARED));
    assert_eq!(graph.read(|r| r.content_lines(theirs)).unwrap(), before);
    assert_eq!(graph.check().unwrap(), Vec::<String>::new());
    assert_eq!(count(&graph, "leaving"), 0);
    let tombstone = graph.read(|r| r.tombstone(ours)).unwrap().unwrap();
    assert_eq!(tombstone.deleted_at, "2026-01-15T12:00:00Z".parse().unwrap());
    assert_eq!(graph.read(|r| r.tombstone(theirs)).unwrap(), None);
}

#[test]
fn words_only_the_index_knew_are_gone_from_it() {
    let Two { graph, ours, .. } = two();
    graph.delete_task(ours).unwrap();
    graph.compact().unwrap();
    let connection = Connection::open(graph.path().unwrap()).unwrap();
    // Terms are stored without the beginning they share with the one before: the end of each tells.
    let mut statement = connection
        .prepare("SELECT block FROM fragments_fts_data UNION ALL SELECT block FROM claims_fts_data")
        .unwrap();
    let blocks: Vec<Vec<u8>> =
        statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    let holds =
        |word: &[u8]| blocks.iter().any(|it| it.windows(word.len()).any(|part| part == word));
    assert!(holds(&THEIRS.as_bytes()[1..]));
    assert!(!holds(&OURS.as_bytes()[1..]));
}

#[test]
fn the_ledger_keeps_time_host_and_size_and_nothing_that_tells_more() {
    let Two { graph, ours, theirs } = two();
    graph.delete_task(ours).unwrap();
    let all = graph.read(|r| r.egress(&EgressFilter::default(), 10)).unwrap();
    let told: Vec<String> = all
        .iter()
        .map(|it| {
            format!(
                "{} {}{} {} {:?}",
                it.seq,
                it.host,
                it.path,
                it.request_bytes,
                it.task_id == Some(theirs)
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            "4 own.example/lumpenfrosch?for=lumpenfrosch 100 true",
            "3 shared.example/gemeingut?for=lumpenfrosch 100 true",
            "2 own.example 100 false",
            "1 shared.example 100 false",
        ]
    );
    let causes = graph.read(|r| r.causes_of(all[3].cause_id.parse().unwrap())).unwrap();
    assert_eq!(causes.iter().map(|it| &*it.kind).collect::<Vec<_>>(), ["task_delete"]);
    assert_eq!(causes[0].subject_id.as_deref(), Some(&*ours.to_string()));
}

#[test]
fn what_rows_of_others_still_name_stays_as_a_bare_fact() {
    let Two { graph, ours, .. } = two();
    graph.delete_task(ours).unwrap();
    // The shared page came in with the first search.
    assert_eq!(count(&graph, &format!("events WHERE task_id = '{ours}'")), 1);
    let bare =
        "detail = '{}' AND subject_id IS NULL AND cause_id IS NULL AND kind = 'search_start'";
    assert_eq!(count(&graph, &format!("events WHERE task_id = '{ours}' AND {bare}")), 1);
    assert_eq!(
        count(&graph, "pages p JOIN events e ON e.id = p.cause_id WHERE p.url LIKE '%gemeingut'"),
        1
    );
}

#[test]
fn when_the_other_goes_too_nothing_is_left() {
    let Two { graph, ours, theirs } = two();
    graph.delete_task(ours).unwrap();
    let removed = graph.delete_task(theirs).unwrap();
    assert_eq!((removed.archive_records, removed.rows_of("pages")), (3, 2));
    for table in [
        "pages",
        "fragments",
        "claims",
        "edges",
        "archive_records",
        "cache_fetch",
        "cache_serp",
        "embeddings",
    ] {
        assert_eq!(count(&graph, table), 0, "{table}");
    }
    graph.compact().unwrap();
    assert!(!holds(&graph, SHARED) && !holds(&graph, THEIRS));
    assert_eq!(count(&graph, "deleted_tasks"), 2);
    assert_eq!(graph.check().unwrap(), Vec::<String>::new());
}

#[test]
fn the_door_in_the_logs_opens_for_a_deleted_task_only_and_no_further() {
    let Two { graph, ours, theirs } = two();
    let claimed = write(&graph, |w| {
        let claim = claim(w, theirs, "another");
        w.claim_reject(claim, "no", &parse_policy(SHIPPED_POLICY).unwrap())?;
        Ok(claim)
    });
    let raw = Connection::open(graph.path().unwrap()).unwrap();
    let refused = |sql: &str| raw.execute(sql, []).unwrap_err().to_string();
    assert_eq!(refused("DELETE FROM events"), "events is append-only");
    assert_eq!(refused("UPDATE events SET detail = '{}'"), "events is append-only");
    assert_eq!(
        refused(&format!("DELETE FROM claim_events WHERE claim_id = '{claimed}'")),
        "claim_events is append-only"
    );
    let enter = |log: &str, row: &str, task: TaskId| {
        format!("INSERT INTO leaving VALUES ('{log}', '{row}', '{task}')")
    };
    assert_eq!(refused(&enter("egress", "3", theirs)), "only a deleted task leaves the logs");

    graph.delete_task(ours).unwrap();
    // Even with a tombstone at hand a row of the ledger loses nothing but its path and its cause, and never goes.
    raw.execute(&enter("egress", "3", ours), []).unwrap();
    let ledger = "a row of the ledger is answered once and not changed";
    for change in [
        "host = 'other.example', path = '', task_id = NULL",
        "path = '', task_id = NULL, request_bytes = 1",
        "path = '/else', task_id = NULL",
        "path = ''",
        "path = '', task_id = NULL, status = 404",
    ] {
        assert_eq!(
            refused(&format!("UPDATE egress SET {change} WHERE seq = 3")),
            ledger,
            "{change}"
        );
    }
    assert_eq!(refused("DELETE FROM egress WHERE seq = 3"), "the ledger keeps every row");
    let event: String = raw
        .query_row(
            "SELECT id FROM events WHERE task_id = ?1 LIMIT 1",
            [theirs.to_string()],
            |row| row.get(0),
        )
        .unwrap();
    raw.execute(&enter("events", &event, ours), []).unwrap();
    for change in [
        "detail = '{\"a\":1}', subject_type = NULL",
        "kind = 'other', detail = '{}'",
        "detail = '{}', task_id = NULL",
    ] {
        assert_eq!(
            refused(&format!("UPDATE events SET {change} WHERE id = '{event}'")),
            "events is append-only",
            "{change}"
        );
    }
}

#[test]
fn tidying_takes_vectors_of_other_models_and_what_a_deletion_left_and_nothing_of_a_task() {
    let Two { graph, theirs, .. } = two();
    let before = graph.read(|r| r.content_lines(theirs)).unwrap();
    write(&graph, |w| {
        let lonely = page(w, "lonely.example", "nobody", DomainCategory::Low, None);
        fragment(w, lonely, "nobody needs this");
        Ok(())
    });
    let wish = Unneeded { vector_models: vec!["model-1".to_owned()] };
    let planned = graph.read(|r| r.unneeded(&wish, graph.now())).unwrap();
    let removed = graph.tidy(&wish).unwrap();
    assert_eq!(removed, planned);
    let rows: Vec<_> = removed.rows.iter().map(|(table, rows)| format!("{table} {rows}")).collect();
    assert_eq!(rows, ["embeddings 2", "fragments 1", "pages 1"]);
    assert_eq!(graph.read(|r| r.content_lines(theirs)).unwrap(), before);
    assert!(graph.tidy(&wish).unwrap().is_empty(), "once is enough");
    let all = Unneeded::default();
    assert!(graph.read(|r| r.unneeded(&all, graph.now())).unwrap().is_empty());
    assert_eq!(graph.check().unwrap(), Vec::<String>::new());
}

#[test]
fn a_task_that_is_not_there_is_said_so() {
    let Two { graph, ours, .. } = two();
    graph.delete_task(ours).unwrap();
    assert_eq!(graph.delete_task(ours).unwrap_err().to_string(), format!("no task {ours}"));
    assert_eq!(
        graph.read(|r| r.deletion_of(ours)).unwrap_err().to_string(),
        format!("no task {ours}")
    );
}
