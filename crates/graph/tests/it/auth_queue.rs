//! Pages that ask for a person: queued once, settled once.

use std::sync::Arc;

use evidence::{AuthId, AuthPriority, AuthStatus, Id};
use graph::{AuthEntry, AuthFilter, AuthTarget, AuthWaiting, Cause, FixedClock, NewAuth, Options};
use jiff::{SignedDuration, Timestamp};

use crate::support::{World, count, graph, graph_with, options, task, write};

fn page(url: &str, priority: AuthPriority) -> NewAuth {
    NewAuth {
        task_id: None,
        url: url.to_owned(),
        domain: "news.co.jp".to_owned(),
        auth_type: "login".to_owned(),
        priority,
    }
}

fn queue(graph: &World, new: &NewAuth) -> AuthId {
    write(graph, |w| w.queue_auth(new))
}

fn all(graph: &World) -> Vec<AuthEntry> {
    graph.read(|r| r.auth_queue(&AuthFilter::default(), 100)).unwrap()
}

fn shown(entries: &[AuthEntry]) -> Vec<String> {
    entries.iter().map(|it| format!("{} {} {}", it.url, it.priority, it.status)).collect()
}

#[test]
fn a_page_waits_once_for_each_task_and_once_for_nobody() {
    let graph = graph();
    let (one, two) = write(&graph, |w| Ok((task(w, "q"), task(w, "r"))));
    let of = |task| NewAuth { task_id: task, ..page("https://news.co.jp/a", AuthPriority::Medium) };
    let first = [None, Some(one), Some(two)].map(|task| queue(&graph, &of(task)));
    let events = count(&graph, "events");
    let again = [None, Some(one), Some(two)].map(|task| queue(&graph, &of(task)));
    assert_eq!(first, again);
    assert_eq!(count(&graph, "auth_queue"), 3);
    assert_eq!(count(&graph, "events"), events, "nothing happened the second time");
    let of_task = AuthFilter { task: Some(one), status: None };
    let entries = graph.read(|r| r.auth_queue(&of_task, 10)).unwrap();
    assert_eq!(entries.iter().map(|it| it.id).collect::<Vec<_>>(), [first[1]]);
}

#[test]
fn the_most_urgent_come_first_then_who_waits_longest() {
    let clock = Arc::new(FixedClock::at("2026-01-15T12:00:00Z".parse().unwrap()));
    let graph = graph_with(Options { clock: clock.clone(), ..options() });
    for (path, priority) in [
        ("b", AuthPriority::Low),
        ("a", AuthPriority::Medium),
        ("日本", AuthPriority::High),
        ("d", AuthPriority::Medium),
        ("c", AuthPriority::High),
    ] {
        queue(&graph, &page(&format!("https://news.co.jp/{path}"), priority));
        clock.advance(SignedDuration::from_mins(1));
    }
    assert_eq!(
        shown(&all(&graph)),
        [
            "https://news.co.jp/日本 high pending",
            "https://news.co.jp/c high pending",
            "https://news.co.jp/a medium pending",
            "https://news.co.jp/d medium pending",
            "https://news.co.jp/b low pending",
        ]
    );
    let first = graph.read(|r| r.auth_queue(&AuthFilter::default(), 1)).unwrap();
    assert_eq!(first[0].url, "https://news.co.jp/日本");
    assert_eq!(
        graph.read(|r| r.auth_waiting(None)).unwrap(),
        AuthWaiting {
            pending: 5,
            high_priority: 2,
            domains: 1,
            oldest: Some("2026-01-15T12:00:00Z".parse().unwrap())
        }
    );
}

#[test]
fn an_empty_queue_counts_nothing() {
    let graph = graph();
    let nothing = AuthWaiting { pending: 0, high_priority: 0, domains: 0, oldest: None };
    assert_eq!(graph.read(|r| r.auth_waiting(None)).unwrap(), nothing);
    assert_eq!(all(&graph), []);
}

#[test]
fn a_domain_is_settled_for_all_who_wait_for_it() {
    let graph = graph();
    let task = write(&graph, |w| Ok(task(w, "q")));
    queue(&graph, &page("https://news.co.jp/a", AuthPriority::High));
    let of_task = page("https://m.news.co.jp/b", AuthPriority::High);
    queue(&graph, &NewAuth { task_id: Some(task), ..of_task });
    let other = page("https://other.com/", AuthPriority::Low);
    queue(&graph, &NewAuth { domain: "other.com".to_owned(), ..other });
    let domain = AuthTarget::Domain("WWW.news.co.jp".to_owned());
    assert_eq!(write(&graph, |w| w.resolve_auth(&domain)), 2);
    let waiting = graph.read(|r| r.auth_waiting(None)).unwrap();
    assert_eq!((waiting.pending, waiting.high_priority), (1, 0));
    assert_eq!(write(&graph, |w| w.skip_auth(&domain)), 0, "what is settled stays as it is");
    assert_eq!(
        shown(&all(&graph)),
        [
            "https://news.co.jp/a high resolved",
            "https://m.news.co.jp/b high resolved",
            "https://other.com/ low pending",
        ]
    );
    assert_eq!(write(&graph, |w| w.resolve_auth(&AuthTarget::Domain("c.com".to_owned()))), 0);
}

#[test]
fn an_entry_is_settled_once_and_an_unknown_one_is_named() {
    let clock = Arc::new(FixedClock::at("2026-01-15T12:00:00Z".parse().unwrap()));
    let graph = graph_with(Options { clock: clock.clone(), ..options() });
    let id = queue(&graph, &page("https://news.co.jp/a", AuthPriority::High));
    let cause = all(&graph)[0].cause_id.clone();
    clock.advance(SignedDuration::from_mins(5));
    let skipping = Cause::new("auth_skip").about("auth", id);
    assert_eq!(graph.write(skipping, |w| w.skip_auth(&AuthTarget::Entry(id))).unwrap(), 1);
    let entry = graph.read(|r| r.auth_entry(id)).unwrap();
    let later: Timestamp = "2026-01-15T12:05:00Z".parse().unwrap();
    assert_eq!((entry.status, entry.resolved_at), (AuthStatus::Skipped, Some(later)));
    assert_eq!(entry.cause_id, cause, "why it is there");
    assert_eq!(count(&graph, "events WHERE kind = 'auth_skip'"), 1);
    assert_eq!(write(&graph, |w| w.resolve_auth(&AuthTarget::Entry(id))), 0);
    let unknown = AuthTarget::Entry(AuthId::from_parts(1, 1));
    let error = graph.write(Cause::new("test"), |w| w.resolve_auth(&unknown)).unwrap_err();
    assert_eq!(error.to_string(), "no auth queue entry auth_00000000010000000000000001");
}

#[test]
fn a_page_that_asks_again_waits_again_unless_a_person_skipped_it() {
    let clock = Arc::new(FixedClock::at("2026-01-15T12:00:00Z".parse().unwrap()));
    let graph = graph_with(Options { clock: clock.clone(), ..options() });
    let [resolved, skipped] = ["a", "b"].map(|path| {
        let new = page(&format!("https://news.co.jp/{path}"), AuthPriority::Medium);
        (queue(&graph, &new), new)
    });
    write(&graph, |w| w.resolve_auth(&AuthTarget::Entry(resolved.0)));
    write(&graph, |w| w.skip_auth(&AuthTarget::Entry(skipped.0)));
    clock.advance(SignedDuration::from_hours(1));
    let asks = NewAuth { auth_type: "cloudflare".to_owned(), ..resolved.1 };
    assert_eq!(queue(&graph, &asks), resolved.0);
    assert_eq!(queue(&graph, &skipped.1), skipped.0);
    let entry = graph.read(|r| r.auth_entry(resolved.0)).unwrap();
    let later: Timestamp = "2026-01-15T13:00:00Z".parse().unwrap();
    assert_eq!((entry.status, entry.resolved_at), (AuthStatus::Pending, None));
    assert_eq!((entry.created_at, entry.auth_type.as_str()), (later, "cloudflare"));
    let entry = graph.read(|r| r.auth_entry(skipped.0)).unwrap();
    assert_eq!(entry.status, AuthStatus::Skipped);
}

#[test]
fn what_cannot_be_queued_is_named() {
    let graph = graph();
    let refused = |new: &NewAuth| {
        graph.write(Cause::new("test"), |w| w.queue_auth(new)).unwrap_err().to_string()
    };
    assert_eq!(refused(&page(" ", AuthPriority::Low)), "the address is empty");
    let nobodys = NewAuth {
        task_id: Some(evidence::TaskId::from_parts(1, 1)),
        ..page("https://news.co.jp/", AuthPriority::Low)
    };
    assert_eq!(refused(&nobodys), "no task task_00000000010000000000000001");
    assert_eq!(count(&graph, "auth_queue"), 0);
}

#[test]
fn a_session_replaces_the_one_before_and_is_in_no_copy() {
    let dir = tempfile::tempdir().unwrap();
    let graph =
        ::graph::Graph::open(&dir.path().join("lyra.db"), ::graph::Access::Write, options())
            .unwrap();
    let session = |sealed: &str| ::graph::SealedSession {
        domain: "news.co.jp".to_owned(),
        sealed: format!("{{\"sealed\":\"{sealed}\"}}"),
        route: "direct".to_owned(),
        created_at: "2026-01-15T12:00:00Z".parse().unwrap(),
        expires_at: "2026-01-29T12:00:00Z".parse().unwrap(),
    };
    for sealed in ["abc123abc123", "def456def456"] {
        graph.write(Cause::new("session_kept"), |w| w.keep_session(&session(sealed))).unwrap();
    }
    assert_eq!(graph.read(|r| r.sessions()).unwrap(), [session("def456def456")]);
    assert_eq!(graph.read(|r| r.session("other.jp")).unwrap(), None);

    let copy = dir.path().join("copy.db");
    graph.snapshot(&copy).unwrap();
    let bytes = std::fs::read(&copy).unwrap();
    assert!(!bytes.windows(12).any(|it| it == b"def456def456"), "the copy has it");
    let copy = ::graph::Graph::open(&copy, ::graph::Access::Read, options()).unwrap();
    assert_eq!(copy.read(|r| r.sessions()).unwrap(), []);

    let over =
        |it: &str| graph.write(Cause::new("session_over"), |w| w.forget_session(it)).unwrap();
    assert_eq!((over("news.co.jp"), over("news.co.jp")), (true, false));
    assert_eq!(graph.read(|r| r.sessions()).unwrap(), []);
}

#[test]
fn windows_that_were_open_for_a_task_are_counted() {
    let graph = graph();
    let task = write(&graph, |w| Ok(task(w, "q")));
    for seconds in [20, 45] {
        let cause = Cause::new(::graph::VISIT).in_task(task);
        let cause = cause.with(serde_json::json!({ "seconds": seconds }));
        graph.write(cause, |w| w.cause()).unwrap();
    }
    let visits = graph.read(|r| r.visits_of(task)).unwrap();
    assert_eq!((visits.visits, visits.seconds), (2, 65));
}
