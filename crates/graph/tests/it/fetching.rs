//! What fetching remembers: the ledger, the archive's index, politeness, caches, engines.

use std::sync::Arc;

use evidence::TaskId;
use graph::{
    Access, ArchiveKind, ArchiveRecord, CachedFetch, CachedRobots, Cause, CircuitState,
    EgressAnswer, EgressFilter, EgressTotals, EngineHealth, FixedClock, Graph, NewEgress, Options,
    Pace,
};
use jiff::{SignedDuration, Timestamp};
use rusqlite::Connection;
use serde_json::json;

use crate::support::{World, count, graph, graph_with, options, task, write};

fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn request(host: &str, path: &str) -> NewEgress {
    NewEgress {
        task_id: None,
        purpose: "page".to_owned(),
        route: "http",
        method: "GET",
        scheme: "https".to_owned(),
        host: host.to_owned(),
        port: 443,
        path: path.to_owned(),
        request_bytes: 100,
    }
}

fn answered(status: u16, response_bytes: u64) -> EgressAnswer {
    EgressAnswer {
        address: Some("192.0.2.7".to_owned()),
        status: Some(status),
        sent_bytes: 100,
        response_bytes,
        outcome: "answered".to_owned(),
    }
}

/// The rows of the ledger, newest first, one on a line.
fn ledger(graph: &World, filter: &EgressFilter, limit: usize) -> String {
    let rows = graph.read(|r| r.egress(filter, limit)).unwrap();
    let lines = rows.iter().map(|row| {
        let status = row.status.map_or("-".to_owned(), |it| it.to_string());
        let received = row.response_bytes.map_or("-".to_owned(), |it| it.to_string());
        let outcome = row.outcome.as_deref().unwrap_or("-");
        format!(
            "{} {:.0} {} {}{} {status} {received} {outcome}",
            row.seq, row.requested_at, row.method, row.host, row.path
        )
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A ledger of four requests, a minute apart: one of a task, one without an answer.
fn four_requests() -> (World, TaskId) {
    let clock = Arc::new(FixedClock::at(time("2026-01-15T12:00:00Z")));
    let graph = graph_with(Options { clock: clock.clone(), ..options() });
    let task = write(&graph, |w| Ok(task(w, "q")));
    let requests = [
        (request("a.com", "/robots.txt"), Some(answered(404, 20))),
        (
            NewEgress { task_id: Some(task), ..request("a.com", "/?q=日本") },
            Some(answered(200, 5000)),
        ),
        (
            request("b.com", "/"),
            Some(EgressAnswer {
                address: None,
                status: None,
                sent_bytes: 0,
                response_bytes: 0,
                outcome: "unknown_host".to_owned(),
            }),
        ),
        (request("b.com", "/cut"), None),
    ];
    for (new, answer) in requests {
        let seq = write(&graph, |w| w.record_egress(&new));
        if let Some(answer) = answer {
            write(&graph, |w| w.answer_egress(seq, &answer));
        }
        clock.advance(SignedDuration::from_mins(1));
    }
    (graph, task)
}

#[test]
fn the_ledger_shows_what_left_newest_first_and_what_had_no_answer() {
    let (graph, _) = four_requests();
    insta::assert_snapshot!(ledger(&graph, &EgressFilter::default(), 10), @"
    4 2026-01-15T12:03:00Z GET b.com/cut - - -
    3 2026-01-15T12:02:00Z GET b.com/ - 0 unknown_host
    2 2026-01-15T12:01:00Z GET a.com/?q=日本 200 5000 answered
    1 2026-01-15T12:00:00Z GET a.com/robots.txt 404 20 answered
    ");
    insta::assert_snapshot!(ledger(&graph, &EgressFilter::default(), 1), @"4 2026-01-15T12:03:00Z GET b.com/cut - - -");
    assert_eq!(ledger(&graph, &EgressFilter::default(), 0), "");
}

#[test]
fn the_ledger_can_be_asked_about_a_task_a_host_and_a_time() {
    let (graph, task) = four_requests();
    let rows = |filter| {
        ledger(&graph, &filter, 10).lines().map(|it| it[..1].to_owned()).collect::<String>()
    };
    let all = EgressFilter::default;
    assert_eq!(rows(EgressFilter { task: Some(task), ..all() }), "2");
    assert_eq!(rows(EgressFilter { host: Some("b.com".to_owned()), ..all() }), "43");
    assert_eq!(rows(EgressFilter { host: Some("com".to_owned()), ..all() }), "");
    let since = |text| EgressFilter { since: Some(time(text)), ..all() };
    assert_eq!(rows(since("2026-01-15T12:02:00Z")), "43", "from that moment on");
    assert_eq!(rows(since("2026-01-15T12:02:00.001Z")), "4");
    let host = Some("a.com".to_owned());
    assert_eq!(
        rows(EgressFilter { task: Some(task), host, since: Some(time("2027-01-01T00:00:00Z")) }),
        ""
    );
}

#[test]
fn totals_add_up_what_the_filter_shows() {
    let (graph, task) = four_requests();
    let totals = |filter| graph.read(|r| r.egress_totals(&filter)).unwrap();
    assert_eq!(
        totals(EgressFilter::default()),
        EgressTotals {
            requests: 4,
            hosts: 2,
            sent_bytes: 300,
            response_bytes: 5020,
            unanswered: 1
        }
    );
    assert_eq!(
        totals(EgressFilter { task: Some(task), ..EgressFilter::default() }),
        EgressTotals {
            requests: 1,
            hosts: 1,
            sent_bytes: 100,
            response_bytes: 5000,
            unanswered: 0
        }
    );
    assert_eq!(
        totals(EgressFilter { host: Some("c.com".to_owned()), ..EgressFilter::default() }),
        EgressTotals { requests: 0, hosts: 0, sent_bytes: 0, response_bytes: 0, unanswered: 0 }
    );
}

#[test]
fn a_request_is_answered_once() {
    let graph = graph();
    let seq = write(&graph, |w| w.record_egress(&request("a.com", "/")));
    write(&graph, |w| w.answer_egress(seq, &answered(200, 10)));
    let again = graph.write(Cause::new("test"), |w| w.answer_egress(seq, &answered(500, 99)));
    assert_eq!(again.unwrap_err().to_string(), "the graph refused an operation");
    let row = &graph.read(|r| r.egress(&EgressFilter::default(), 1)).unwrap()[0];
    assert_eq!((row.status, row.response_bytes), (Some(200), Some(10)));
    assert_eq!(row.address.as_deref(), Some("192.0.2.7"));
    assert_eq!((row.sent_bytes, row.left()), (Some(100), 100));
    assert_eq!(row.finished_at, Some(time("2026-01-15T12:00:00Z")));
    let unknown = graph.write(Cause::new("test"), |w| w.answer_egress(77, &answered(200, 1)));
    assert_eq!(unknown.unwrap_err().to_string(), "no request 77");
}

#[test]
fn a_request_that_found_no_host_left_nothing_and_one_that_was_cut_off_counts() {
    let (graph, _) = four_requests();
    let rows = graph.read(|r| r.egress(&EgressFilter::default(), 2)).unwrap();
    let left: Vec<_> = rows.iter().map(|it| (it.sent_bytes, it.left())).collect();
    assert_eq!(left, [(None, 100), (Some(0), 0)]);
    let more = EgressAnswer { sent_bytes: 101, ..answered(200, 1) };
    let refused = graph.write(Cause::new("test"), |w| w.answer_egress(4, &more));
    assert!(refused.is_err(), "more than was prepared");
}

#[test]
fn the_ledger_can_be_added_to_and_not_changed() {
    let (graph, _) = four_requests();
    let connection = Connection::open(graph.path().unwrap()).unwrap();
    let refused = |sql: &str| connection.execute(sql, []).unwrap_err().to_string();
    assert_eq!(refused("DELETE FROM egress WHERE seq = 1"), "the ledger keeps every row");
    let once = "a row of the ledger is answered once and not changed";
    // Row 4 has no answer yet: even there nothing but the answer may be written.
    for change in [
        "seq = 40",
        "requested_at = '2020-01-01T00:00:00.000Z'",
        "task_id = (SELECT id FROM tasks)",
        "purpose = 'robots'",
        "route = 'tor'",
        "method = 'POST'",
        "scheme = 'http'",
        "host = 'c.com'",
        "port = 80",
        "path = '/'",
        "request_bytes = 0",
        "cause_id = (SELECT min(id) FROM events)",
    ] {
        assert_eq!(refused(&format!("UPDATE egress SET {change} WHERE seq = 4")), once, "{change}");
    }
    assert_eq!(refused("UPDATE egress SET response_bytes = 1 WHERE seq = 1"), once);
    assert_eq!(count(&graph, "egress"), 4);
}

#[test]
fn the_ledger_names_the_event_that_caused_each_request() {
    let graph = graph();
    write(&graph, |w| w.record_egress(&request("a.com", "/")));
    assert_eq!(
        count(&graph, "egress x JOIN events e ON e.id = x.cause_id WHERE e.kind = 'test'"),
        1
    );
}

fn response(number: u32, url: &str, at: &str) -> ArchiveRecord {
    ArchiveRecord {
        record_id: format!("urn:uuid:{number}"),
        kind: ArchiveKind::Response,
        url: url.to_owned(),
        status: Some(200),
        file: "lyra-1.warc.gz".to_owned(),
        byte_start: u64::from(number) * 100,
        byte_length: 100,
        payload_digest: Some("sha256:00".to_owned()),
        refers_to: None,
        egress_seq: None,
        archived_at: time(at),
    }
}

#[test]
fn archived_records_are_found_by_id_by_address_and_by_file() {
    let graph = graph();
    let seq = write(&graph, |w| w.record_egress(&request("a.com", "/")));
    let first = ArchiveRecord {
        egress_seq: Some(seq),
        ..response(1, "https://a.com/", "2026-01-15T12:00:00.5Z")
    };
    let asked = ArchiveRecord {
        kind: ArchiveKind::Request,
        status: None,
        payload_digest: None,
        ..response(2, "https://a.com/", "2026-01-16T00:00:00Z")
    };
    let revisit = ArchiveRecord {
        kind: ArchiveKind::Revisit,
        status: Some(304),
        refers_to: Some(first.record_id.clone()),
        ..response(3, "https://a.com/", "2026-01-16T00:00:00Z")
    };
    let other = ArchiveRecord {
        file: "lyra-0.warc.gz".to_owned(),
        ..response(4, "https://a.com/b", "2026-01-14T00:00:00Z")
    };
    write(&graph, |w| {
        [&first, &asked, &revisit, &other].into_iter().try_for_each(|it| w.record_archived(it))
    });

    graph
        .read(|r| {
            assert_eq!(r.archive_record("urn:uuid:3")?.as_ref(), Some(&revisit));
            assert_eq!(r.archive_record("urn:uuid:9")?, None);
            assert_eq!(
                r.archive_of("https://a.com/")?,
                [revisit.clone(), asked.clone(), first.clone()],
                "newest first"
            );
            assert_eq!(r.archive_of("https://a.com")?, [], "addresses are compared as they are");
            assert_eq!(
                r.newest_archived(10)?,
                [revisit.clone(), first.clone(), other.clone()],
                "answers only"
            );
            assert_eq!(r.newest_archived(1)?, std::slice::from_ref(&revisit));
            let mut walked = Vec::new();
            r.each_archived(|record| {
                walked.push(record);
                Ok(())
            })?;
            assert_eq!(
                walked,
                [other.clone(), first.clone(), asked.clone(), revisit.clone()],
                "as they lie in the files"
            );
            Ok(())
        })
        .unwrap();
}

#[test]
fn a_walk_over_the_archive_ends_when_its_caller_says_so() {
    let graph = graph();
    write(&graph, |w| {
        (1..4).try_for_each(|it| {
            w.record_archived(&response(it, "https://a.com/", "2026-01-15T12:00:00Z"))
        })
    });
    let mut seen = 0;
    let ended = graph.read(|r| {
        r.each_archived(|_| {
            seen += 1;
            Err(graph::Error::Interrupted)
        })
    });
    assert_eq!((ended.unwrap_err().to_string().as_str(), seen), ("interrupted", 1));
}

#[test]
fn a_record_is_indexed_once_and_refers_only_to_what_is_there() {
    let graph = graph();
    let first = response(1, "https://a.com/", "2026-01-15T12:00:00Z");
    write(&graph, |w| w.record_archived(&first));
    let refused = |record: &ArchiveRecord| {
        graph.write(Cause::new("test"), |w| w.record_archived(record)).is_err()
    };
    assert!(refused(&first));
    let lost = Some("urn:uuid:9".to_owned());
    assert!(refused(&ArchiveRecord {
        refers_to: lost,
        ..response(2, "https://a.com/", "2026-01-15T12:00:00Z")
    }));
    assert!(refused(&ArchiveRecord {
        egress_seq: Some(9),
        ..response(2, "https://a.com/", "2026-01-15T12:00:00Z")
    }));
    assert_eq!(count(&graph, "archive_records"), 1);
}

#[test]
fn politeness_is_kept_and_renewed() {
    let graph = graph();
    let fresh = Pace::new("domain:a.com");
    let resting = Pace {
        last_request_at: Some(time("2026-01-15T11:59:58.25Z")),
        level: 2.5,
        failures: 3,
        resting_until: Some(time("2026-01-15T13:00:00Z")),
        resting_because: Some("too_many_requests".to_owned()),
        day: Some("2026-01-15".to_owned()),
        requests_today: 41,
        ..fresh.clone()
    };
    assert_eq!(graph.read(|r| r.pace("domain:a.com")).unwrap(), None);
    for pace in [&fresh, &resting] {
        write(&graph, |w| w.keep_pace(pace));
        assert_eq!(graph.read(|r| r.pace("domain:a.com")).unwrap().as_ref(), Some(pace));
    }
    write(&graph, |w| w.keep_pace(&Pace::new("domain:b.com")));
    let resting_at = |text| graph.read(|r| r.resting(time(text))).unwrap();
    assert_eq!(resting_at("2026-01-15T12:59:59.999Z"), [resting]);
    assert_eq!(resting_at("2026-01-15T13:00:00Z"), [], "the rest is over");
}

#[test]
fn a_fetched_page_and_a_robots_file_are_remembered_and_replaced() {
    let graph = graph();
    let record = response(1, "https://a.com/b", "2026-01-15T12:00:00Z");
    let first = CachedFetch {
        url: "https://a.com/".to_owned(),
        final_url: Some("https://a.com/b".to_owned()),
        status: Some(200),
        etag: Some("W/\"7\"".to_owned()),
        last_modified: Some("Wed, 14 Jan 2026 00:00:00 GMT".to_owned()),
        content_hash: Some("h".to_owned()),
        fresh_until: Some(time("2026-01-15T12:10:00Z")),
        record_id: Some(record.record_id.clone()),
        checked_at: time("2026-01-15T12:00:00Z"),
    };
    let second = CachedFetch {
        etag: None,
        fresh_until: None,
        checked_at: time("2026-01-16T12:00:00Z"),
        ..first.clone()
    };
    write(&graph, |w| w.record_archived(&record));
    assert_eq!(graph.read(|r| r.cached_fetch("https://a.com/")).unwrap(), None);
    for fetch in [first, second] {
        write(&graph, |w| w.cache_fetch(&fetch));
        assert_eq!(graph.read(|r| r.cached_fetch("https://a.com/")).unwrap(), Some(fetch));
    }

    let unreachable = CachedRobots {
        origin: "https://a.com:443".to_owned(),
        status: None,
        body: Vec::new(),
        fetched_at: time("2026-01-15T12:00:00Z"),
        expires_at: time("2026-01-15T12:30:00Z"),
    };
    let found = CachedRobots {
        status: Some(200),
        body: b"User-agent: *\xff".to_vec(),
        ..unreachable.clone()
    };
    for robots in [unreachable, found] {
        write(&graph, |w| w.cache_robots(&robots));
        assert_eq!(graph.read(|r| r.cached_robots("https://a.com:443")).unwrap(), Some(robots));
    }
    assert_eq!(graph.read(|r| r.cached_robots("http://a.com:80")).unwrap(), None);
}

#[test]
fn an_engines_answer_is_good_until_it_is_over_and_then_let_go() {
    let graph = graph();
    let until = time("2026-01-15T12:30:00Z");
    let payload = json!({ "results": [{ "title": "題名", "rank": 1 }] });
    write(&graph, |w| w.cache_serp("mojeek q", &payload, until));
    let cached = |now: &str| graph.read(|r| r.cached_serp("mojeek q", time(now))).unwrap();
    assert_eq!(cached("2026-01-15T12:29:59.999Z"), Some(payload));
    assert_eq!(cached("2026-01-15T12:30:00Z"), None);
    assert_eq!(
        graph.read(|r| r.cached_serp("brave q", time("2026-01-15T12:00:00Z"))).unwrap(),
        None
    );
    write(&graph, |w| w.cache_serp("mojeek q", &json!([]), until));
    assert_eq!(cached("2026-01-15T12:00:00Z"), Some(json!([])), "the newer answer replaces it");

    write(&graph, |w| w.cache_serp("old", &json!([]), time("2026-01-15T12:00:00Z")));
    write(&graph, |w| w.cache_serp("new", &json!([]), until));
    assert_eq!(count(&graph, "cache_serp"), 2, "what was over is gone");
}

#[test]
fn the_health_of_an_engine_is_kept_and_renewed() {
    let graph = graph();
    let well = EngineHealth {
        engine: "mojeek".to_owned(),
        circuit_state: CircuitState::Closed,
        consecutive_failures: 0,
        open_until: None,
        success_rate_1h: Some(1.0),
        success_rate_24h: Some(0.875),
        captcha_rate: Some(0.0),
        http_error_rate: None,
        parse_failure_rate: Some(0.125),
        median_latency_ms: Some(812.5),
        ban_suspected: false,
        weight: 1.25,
        samples: 8,
        broken_sample: None,
        last_outcome: Some("results".to_owned()),
        updated_at: time("2026-01-15T12:00:00Z"),
    };
    let ill = EngineHealth {
        circuit_state: CircuitState::Open,
        consecutive_failures: 2,
        open_until: Some(time("2026-01-15T13:00:00Z")),
        ban_suspected: true,
        samples: 10,
        broken_sample: Some("urn:uuid:1".to_owned()),
        last_outcome: Some("captcha".to_owned()),
        ..well.clone()
    };
    let trying = EngineHealth { circuit_state: CircuitState::HalfOpen, ..ill.clone() };
    assert_eq!(graph.read(|r| r.engine_health("mojeek")).unwrap(), None);
    for health in [well, ill, trying] {
        write(&graph, |w| w.keep_engine_health(&health));
        assert_eq!(graph.read(|r| r.engine_health("mojeek")).unwrap(), Some(health));
    }
}

#[test]
fn what_was_made_of_an_answer_is_found_by_it() {
    let graph = graph();
    let answer = response(1, "https://a.com/", "2026-01-15T12:00:00Z");
    let made = |number, kind, at| ArchiveRecord {
        kind,
        status: None,
        refers_to: Some(answer.record_id.clone()),
        ..response(number, "https://a.com/#top", at)
    };
    let document = made(2, ArchiveKind::Document, "2026-01-15T12:00:01Z");
    let picture = made(3, ArchiveKind::Picture, "2026-01-15T12:00:02Z");
    let revisit = ArchiveRecord {
        kind: ArchiveKind::Revisit,
        ..made(4, ArchiveKind::Revisit, "2026-01-16T12:00:00Z")
    };
    write(&graph, |w| {
        [&answer, &document, &picture, &revisit]
            .into_iter()
            .try_for_each(|it| w.record_archived(it))
    });
    graph
        .read(|r| {
            assert_eq!(r.made_of(&answer.record_id)?, [picture.clone(), document.clone()]);
            assert_eq!(r.made_of(&document.record_id)?, []);
            assert_eq!(r.archive_record(&document.record_id)?.as_ref(), Some(&document));
            Ok(())
        })
        .unwrap();
}

#[test]
fn what_rendering_the_pages_of_a_site_was_worth_moves_with_each_page() {
    let graph = graph();
    assert_eq!(graph.read(|r| r.domain_route("a.com")).unwrap(), None);
    let mut shares = Vec::new();
    for needed in [true, true, false, true] {
        write(&graph, |w| w.record_rendered("a.com", needed));
        let route = graph.read(|r| r.domain_route("a.com")).unwrap().unwrap();
        shares.push((route.pages, (route.needs_scripts * 1_000.0).round()));
    }
    assert_eq!(shares, [(1, 1_000.0), (2, 1_000.0), (3, 700.0), (4, 790.0)]);
    assert_eq!(graph.read(|r| r.domain_route("b.com")).unwrap(), None);
}

#[test]
fn what_fetching_remembers_survives_the_next_opening() {
    let dir = tempfile::tempdir().unwrap();
    // The same seed twice would give two events one id.
    let unseeded = || Options { id_seed: None, ..options() };
    let open = || Graph::open(&dir.path().join("lyra.db"), Access::Write, unseeded()).unwrap();
    let graph = open();
    let seq = write(&graph, |w| {
        w.keep_pace(&Pace { requests_today: 7, ..Pace::new("engine:mojeek") })?;
        w.record_egress(&request("a.com", "/"))
    });
    drop(graph);
    let graph = open();
    assert_eq!(graph.read(|r| r.pace("engine:mojeek")).unwrap().unwrap().requests_today, 7);
    let next = write(&graph, |w| w.record_egress(&request("a.com", "/")));
    assert_eq!(next, seq + 1, "the ledger continues where it was");
}
