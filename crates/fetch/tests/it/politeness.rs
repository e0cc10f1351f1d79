//! Limits as the servers see them.

use std::collections::BTreeMap;
use std::io::Write;
use std::thread;
use std::time::{Duration, Instant};

use fetch::{FetchRequest, FetchSettings, Kind, Limits, Reason, Verdict};
use jiff::SignedDuration;

use crate::support::{Seen, Server, World, again, api, lifted, no_limits, page, plain, shown};

/// A server that takes a moment for every page.
fn slow(millis: u64) -> Server {
    Server::start(move |_, stream| {
        thread::sleep(Duration::from_millis(millis));
        stream.write_all(plain(200, "", "ok").as_bytes()).unwrap();
    })
}

fn by_domain(server: &Server) -> BTreeMap<String, Vec<Seen>> {
    let mut domains: BTreeMap<String, Vec<Seen>> = BTreeMap::new();
    for seen in server.seen() {
        let domain = seen.host().split('.').rev().take(2).collect::<Vec<_>>().join(".");
        domains.entry(domain).or_default().push(seen);
    }
    for seen in domains.values_mut() {
        seen.sort_by_key(|it| it.begun);
    }
    domains
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn five_hundred_errands_to_a_hundred_domains_break_no_limit() {
    let (world, server) = (World::new(), slow(5));
    let settings = FetchSettings {
        spacing_min_ms: 60,
        spacing_max_ms: 120,
        max_concurrent: 500,
        timeout_ms: 30_000,
        ..lifted(server.address)
    };
    let fetcher = world.fetcher(settings);
    let requests: Vec<_> = (0..500)
        .map(|number| {
            let fetcher = fetcher.clone();
            // Two hosts of one domain share its limits.
            let host = if number % 2 == 0 { "www" } else { "m" };
            let url = format!("http://{host}.site-{}.test/{number}", number % 100);
            tokio::spawn(async move { fetcher.fetch(page(&url)).await })
        })
        .collect();
    for request in requests {
        assert_eq!(request.await.unwrap().unwrap().status, 200);
    }
    let domains = by_domain(&server);
    assert_eq!(domains.len(), 100);
    let mut requests = 0;
    for (domain, seen) in &domains {
        requests += seen.len();
        for pair in seen.windows(2) {
            assert!(pair[0].ended <= pair[1].begun, "{domain} was asked twice at once");
            let gap = pair[1].begun - pair[0].begun;
            assert!(gap >= Duration::from_millis(60), "{domain} was asked after {gap:?}");
        }
    }
    // Each host's robots.txt is asked for once: a site is on one host here, as its numbers are even or odd.
    assert_eq!(requests, 500 + 100);
    assert_eq!(world.ledger().len(), 600);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_more_errands_run_at_once_than_the_settings_say() {
    let (world, server) = (World::new(), slow(50));
    let settings = FetchSettings { max_concurrent: 4, ..lifted(server.address) };
    let fetcher = world.fetcher(settings);
    let requests: Vec<_> = (0..40)
        .map(|number| {
            let fetcher = fetcher.clone();
            tokio::spawn(
                async move { fetcher.fetch(page(&format!("http://s{number}.test/"))).await },
            )
        })
        .collect();
    for request in requests {
        request.await.unwrap().unwrap();
    }
    // A request is open for the 50 ms at least that the server takes for it.
    let open = Duration::from_millis(50);
    let seen = server.seen();
    let at = |one: &Seen| {
        seen.iter().filter(|it| it.begun <= one.begun && one.begun < it.begun + open).count()
    };
    let most = seen.iter().map(at).max();
    assert_eq!(most, Some(4));
}

#[tokio::test]
async fn the_rate_holds_back_what_the_spacing_would_let_through() {
    let (world, server) = (World::new(), slow(0));
    let settings = FetchSettings { per_second: 10.0, burst: 3, ..lifted(server.address) };
    let fetcher = world.fetcher(settings);
    let begun = Instant::now();
    for number in 0..12 {
        fetcher.fetch(page(&format!("http://a.test/{number}"))).await.unwrap();
    }
    // Thirteen requests with robots.txt: three at once, ten more at ten a second.
    assert!(begun.elapsed() >= Duration::from_millis(990), "{:?}", begun.elapsed());
    let seen = &by_domain(&server)["test.a"];
    for (at, from) in seen.iter().enumerate() {
        for (upto, to) in seen.iter().enumerate().skip(at) {
            let most = 3.0 + 10.0 * (to.begun - from.begun).as_secs_f64();
            assert!(
                (upto - at + 1) as f64 <= most,
                "{} requests in too short a time",
                upto - at + 1
            );
        }
    }
}

#[tokio::test]
async fn a_refusal_brings_a_rest_that_survives_a_restart() {
    let world = World::new();
    let server = Server::with(|request| match request.path.as_str() {
        "/robots.txt" => None,
        "/closed" => Some(plain(403, "", "go away")),
        _ => Some(plain(200, "", "open")),
    });
    let settings = lifted(server.address);
    let fetcher = world.fetcher(settings.clone());
    let fetched = fetcher.fetch(page("http://www.a.test/closed")).await.unwrap();
    assert_eq!((fetched.status, fetched.problem()), (403, Some(Reason::Forbidden)));
    let missed = fetcher.fetch(page("http://m.a.test/open")).await.unwrap_err();
    assert_eq!(missed.reason, Reason::Resting);
    assert_eq!(missed.detail, "a.test is resting until 2026-03-04T12:30:00Z: it answered 403");
    assert_eq!(missed.again_at.unwrap().as_second(), crate::support::noon().as_second() + 1_800);
    drop(fetcher);
    let world = world.restarted();
    let fetcher = world.fetcher(settings);
    let asked = server.connections();
    assert_eq!(
        fetcher.fetch(page("http://m.a.test/open")).await.unwrap_err().reason,
        Reason::Resting
    );
    assert_eq!(server.connections(), asked);
    assert_eq!(shown(&fetcher.fetch(page("http://other.test/x")).await), "200 open");
    world.clock.advance(SignedDuration::from_mins(31));
    assert_eq!(shown(&fetcher.fetch(page("http://m.a.test/open")).await), "200 open");
}

#[tokio::test]
async fn a_server_that_asks_for_a_pause_gets_it() {
    let world = World::new();
    let server = Server::with(|request| match request.path.as_str() {
        "/robots.txt" => None,
        "/hour" => Some(plain(429, "retry-after: 3600\r\n", "")),
        "/date" => Some(plain(503, "retry-after: Wed, 04 Mar 2026 14:00:00 GMT\r\n", "")),
        "/second" => Some(plain(429, "retry-after: 1\r\n", "")),
        _ => Some(plain(200, "", "ok")),
    });
    let fetcher = world.fetcher(lifted(server.address));
    fetcher.fetch(page("http://hour.test/hour")).await.unwrap();
    assert_eq!(
        shown(&fetcher.fetch(page("http://hour.test/x")).await),
        "Resting: hour.test is resting until 2026-03-04T13:00:00Z: \
         it answered 429 and asked for 3600 s of rest"
    );
    fetcher.fetch(page("http://date.test/date")).await.unwrap();
    let missed = fetcher.fetch(page("http://date.test/x")).await.unwrap_err();
    assert_eq!(missed.again_at.unwrap().to_string()[..19], *"2026-03-04T14:00:00");
    // A pause that a request can wait for is waited for.
    fetcher.fetch(page("http://second.test/second")).await.unwrap();
    let begun = Instant::now();
    assert_eq!(shown(&fetcher.fetch(page("http://second.test/x")).await), "200 ok");
    assert!(begun.elapsed() >= Duration::from_millis(900), "{:?}", begun.elapsed());
}

#[tokio::test]
async fn a_page_that_is_not_there_is_no_reason_to_rest() {
    let (world, server) = (World::new(), Server::with(|_| None));
    let fetcher = world.fetcher(lifted(server.address));
    for number in 0..5 {
        let fetched = fetcher.fetch(page(&format!("http://a.test/{number}"))).await.unwrap();
        assert_eq!(fetched.problem(), Some(Reason::NotFound));
    }
}

#[tokio::test]
async fn a_challenge_found_by_reading_makes_the_domain_rest_longer_each_time() {
    let (world, server) = (World::new(), Server::echo());
    let fetcher = world.fetcher(lifted(server.address));
    let mut minutes = Vec::new();
    for number in 0..4 {
        let fetched = fetcher.fetch(page(&format!("http://a.test/{number}"))).await.unwrap();
        fetcher.judged(&fetched, Verdict::Page).await;
        fetcher.judged(&fetched, Verdict::Challenge).await;
        let missed = fetcher.fetch(page("http://a.test/x")).await.unwrap_err();
        assert_eq!(missed.reason, Reason::Resting);
        let rest = missed.again_at.unwrap().duration_since(world.graph.now());
        minutes.push((rest.as_secs_f64() / 60.0).round());
        world.clock.advance(SignedDuration::from_hours(3));
    }
    assert_eq!(minutes, [30.0, 30.0, 60.0, 60.0]);
    assert_eq!(fetcher.metrics().challenges, 4);
}

#[tokio::test]
async fn a_day_has_only_so_many_requests() {
    let (world, server) = (World::new(), Server::echo());
    let fetcher = world.fetcher(FetchSettings { per_day: 3, ..lifted(server.address) });
    fetcher.fetch(page("http://a.test/1")).await.unwrap();
    fetcher.fetch(page("http://a.test/2")).await.unwrap();
    let missed = fetcher.fetch(page("http://a.test/3")).await.unwrap_err();
    assert_eq!(missed.reason, Reason::DailyBudget);
    assert_eq!(missed.detail, "today's 3 requests to a.test are used up");
    assert_eq!(missed.again_at.unwrap().to_string(), "2026-03-05T00:00:00Z");
    world.clock.advance(SignedDuration::from_hours(12));
    fetcher.fetch(page("http://a.test/3")).await.unwrap();
}

#[tokio::test]
async fn a_policy_can_slow_a_domain_down() {
    let (world, server) = (World::new(), Server::echo());
    let policy = world.dir.path().join("domains.toml");
    let rule = "[[rules]]\npatterns = ['*.a.test']\nmax_pages_per_day = 2\n";
    std::fs::write(&policy, rule).unwrap();
    let fetcher = fetch::Fetcher::open(
        std::sync::Arc::new(graph::GraphLedger::under(
            std::sync::Arc::clone(&world.graph),
            std::sync::Arc::new(graph::PolicyFile::open(Some(&policy))),
        )),
        &world.archive(),
        lifted(server.address),
    )
    .unwrap();
    fetcher.fetch(page("http://a.test/1")).await.unwrap();
    assert_eq!(
        fetcher.fetch(page("http://a.test/2")).await.unwrap_err().reason,
        Reason::DailyBudget
    );
    fetcher.fetch(page("http://b.test/1")).await.unwrap();
    fetcher.fetch(page("http://b.test/2")).await.unwrap();
}

#[tokio::test]
async fn a_request_that_would_wait_too_long_fails_at_once() {
    let (world, server) = (World::new(), slow(0));
    let settings = FetchSettings {
        spacing_min_ms: 1_000,
        spacing_max_ms: 1_000,
        max_wait_ms: 3_500,
        ..lifted(server.address)
    };
    let fetcher = world.fetcher(settings);
    // The robots.txt is there, so each request is one request.
    fetcher.fetch(page("http://a.test/0")).await.unwrap();
    let begun = Instant::now();
    let requests: Vec<_> = (1..=8)
        .map(|number| {
            let fetcher = fetcher.clone();
            tokio::spawn(async move {
                let outcome = fetcher.fetch(page(&format!("http://a.test/{number}"))).await;
                (outcome, begun.elapsed())
            })
        })
        .collect();
    let mut brought = 0;
    for request in requests {
        match request.await.unwrap() {
            (Ok(_), _) => brought += 1,
            (Err(missed), after) => {
                assert_eq!(missed.reason, Reason::Resting);
                assert!(missed.again_at.is_some());
                assert!(after < Duration::from_millis(500), "told after {after:?}");
            }
        }
    }
    assert_eq!(brought, 3);
}

#[tokio::test]
async fn an_api_is_asked_again_with_longer_and_longer_pauses() {
    let world = World::new();
    let server = Server::with({
        let tries = std::sync::atomic::AtomicUsize::new(0);
        move |_| match tries.fetch_add(1, std::sync::atomic::Ordering::Relaxed) {
            0 => Some(plain(503, "", "")),
            1 => Some(plain(429, "retry-after: 1\r\n", "")),
            2 => Some(plain(500, "", "")),
            _ => Some(plain(200, "", "{}")),
        }
    });
    let fetcher = world.fetcher(FetchSettings { api_backoff_ms: 100, ..lifted(server.address) });
    assert_eq!(shown(&fetcher.fetch(api("http://api.test/works")).await), "200 {}");
    let mut seen = server.seen();
    seen.sort_by_key(|it| it.begun);
    let pauses: Vec<f64> =
        seen.windows(2).map(|it| (it[1].begun - it[0].begun).as_secs_f64()).collect();
    assert_eq!(pauses.len(), 3);
    // 100 ms, the second that was asked for, 400 ms; each up to a tenth shorter.
    for (pause, least) in pauses.iter().zip([0.09, 0.9, 0.36]) {
        assert!(*pause >= least && *pause < least + 0.5, "{pauses:?}");
    }
    assert_eq!(world.ledger().len(), 4);
}

#[tokio::test]
async fn an_api_that_stays_broken_is_given_up() {
    let (world, server) = (World::new(), Server::with(|_| Some(plain(503, "", "down"))));
    let settings = FetchSettings { api_backoff_ms: 10, api_attempts: 3, ..lifted(server.address) };
    let fetcher = world.fetcher(settings);
    assert_eq!(shown(&fetcher.fetch(api("http://api.test/works")).await), "503 down");
    assert_eq!(server.connections(), 3);
    // A key that is refused is not a reason to ask again.
    let server = Server::with(|_| Some(plain(401, "", "no key")));
    let fetcher = world.fetcher(lifted(server.address));
    let kind = Kind::Api { name: "other".to_owned(), limits: no_limits() };
    let request = FetchRequest::new("http://api.test/works".parse().unwrap(), kind);
    assert_eq!(shown(&fetcher.fetch(request).await), "401 no key");
    assert_eq!(server.connections(), 1);
}

#[tokio::test]
async fn an_api_that_asks_for_an_hour_is_not_waited_for() {
    let world = World::new();
    let server = Server::with(|_| Some(plain(429, "retry-after: 3600\r\n", "later")));
    let fetcher = world.fetcher(lifted(server.address));
    let begun = Instant::now();
    assert_eq!(shown(&fetcher.fetch(api("http://api.test/1")).await), "429 later");
    assert_eq!(
        shown(&fetcher.fetch(api("http://api.test/2")).await),
        "Resting: works is resting until 2026-03-04T13:00:00Z: \
         it answered 429 and asked for 3600 s of rest"
    );
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    assert_eq!(server.connections(), 1);
}

#[tokio::test]
async fn what_was_asked_today_is_counted_across_a_restart() {
    let (world, server) = (World::new(), Server::echo());
    let settings = FetchSettings { per_day: 3, ..lifted(server.address) };
    let fetcher = world.fetcher(settings.clone());
    fetcher.fetch(page("http://a.test/1")).await.unwrap();
    drop(fetcher);
    let world = world.restarted();
    let fetcher = world.fetcher(settings);
    fetcher.fetch(page("http://a.test/2")).await.unwrap();
    assert_eq!(
        fetcher.fetch(page("http://a.test/3")).await.unwrap_err().reason,
        Reason::DailyBudget
    );
    assert_eq!(server.connections(), 3);
}

#[tokio::test]
async fn a_page_is_never_asked_for_twice_the_same_way() {
    let (world, server) = (
        World::new(),
        Server::with(|request| match request.path.as_str() {
            "/robots.txt" => None,
            _ => Some(plain(503, "", "down")),
        }),
    );
    let fetcher = world.fetcher(lifted(server.address));
    assert_eq!(shown(&fetcher.fetch(again("http://a.test/x")).await), "503 down");
    assert_eq!(server.paths(), ["GET a.test/robots.txt", "GET a.test/x"]);
}

#[tokio::test]
async fn an_engine_keeps_its_own_limits_and_those_of_its_domain() {
    let (world, server) = (World::new(), slow(0));
    let fetcher = world.fetcher(lifted(server.address));
    let engine = |name: &str, url: &str| {
        let limits = Limits {
            spacing: (Duration::from_millis(200), Duration::from_millis(200)),
            per_day: Some(3),
            ..no_limits()
        };
        FetchRequest::new(url.parse().unwrap(), Kind::Engine { name: name.to_owned(), limits })
    };
    let begun = Instant::now();
    for number in 0..3 {
        fetcher.fetch(engine("one", &format!("http://e.test/?q={number}"))).await.unwrap();
    }
    assert!(begun.elapsed() >= Duration::from_millis(400), "{:?}", begun.elapsed());
    let missed = fetcher.fetch(engine("one", "http://e.test/?q=4")).await.unwrap_err();
    assert_eq!(
        (missed.reason, missed.detail.as_str()),
        (Reason::DailyBudget, "today's 3 requests to one are used up")
    );
    // No robots.txt was asked for: a person's query is no crawl.
    assert_eq!(server.connections(), 3);
    let pace = world.graph.read(|it| it.pace("domain:e.test")).unwrap().unwrap();
    assert_eq!(pace.requests_today, 3);
}

#[tokio::test]
async fn one_refusal_does_not_stop_an_engine_and_a_second_does() {
    let (world, server) = (World::new(), Server::with(|_| Some(plain(403, "", "no"))));
    let fetcher = world.fetcher(lifted(server.address));
    let engine = || {
        let kind = Kind::Engine { name: "one".to_owned(), limits: no_limits() };
        FetchRequest::new("http://e.test/?q=x".parse().unwrap(), kind)
    };
    assert_eq!(shown(&fetcher.fetch(engine()).await), "403 no");
    assert_eq!(shown(&fetcher.fetch(engine()).await), "403 no");
    assert_eq!(fetcher.fetch(engine()).await.unwrap_err().reason, Reason::Resting);
    assert_eq!(server.connections(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_time_for_an_answer_begins_when_the_request_leaves() {
    let (world, server) = (World::new(), slow(50));
    let fetcher = world.fetcher(lifted(server.address));
    let limits =
        Limits { spacing: (Duration::from_millis(500), Duration::from_millis(500)), ..no_limits() };
    let requests: Vec<_> = (0..5)
        .map(|number| {
            let fetcher = fetcher.clone();
            let kind = Kind::Api { name: "works".to_owned(), limits: limits.clone() };
            let url = format!("http://works.test/{number}").parse().unwrap();
            let answer_within = Some(Duration::from_millis(400));
            let request = FetchRequest { answer_within, ..FetchRequest::new(url, kind) };
            tokio::spawn(async move { shown(&fetcher.fetch(request).await) })
        })
        .collect();
    let begun = Instant::now();
    for request in requests {
        assert_eq!(request.await.unwrap(), "200 ok");
    }
    assert!(begun.elapsed() >= Duration::from_secs(2), "the last one waited for four others");
}

#[tokio::test]
async fn all_tries_of_an_errand_share_the_time_for_its_answer() {
    let (world, server) = (World::new(), slow(3_000));
    let fetcher = world.fetcher(lifted(server.address));
    let request = FetchRequest {
        answer_within: Some(Duration::from_millis(300)),
        ..api("http://works.test/silent")
    };
    let begun = Instant::now();
    let outcome = fetcher.fetch(request).await;
    assert_eq!(shown(&outcome), "TimedOut: works.test did not answer within 0.3 s");
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    assert_eq!(world.ledger_lines(), ["api:works GET works.test/silent - timed_out"]);
}
