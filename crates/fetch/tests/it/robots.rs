//! What sites ask of programs is asked for once and kept.

use fetch::{FetchSettings, Reason};
use jiff::SignedDuration;
use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::support::{Server, World, api, lifted, page, plain, redirect, shown};

/// A server whose robots.txt a test can change.
fn with_robots(status: u16, text: &str) -> (Server, Arc<AtomicU16>, Arc<Mutex<String>>) {
    let (now, body) = (Arc::new(AtomicU16::new(status)), Arc::new(Mutex::new(text.to_owned())));
    let (status, text) = (Arc::clone(&now), Arc::clone(&body));
    let server = Server::with(move |request| match request.path.as_str() {
        "/robots.txt" => Some(plain(status.load(Ordering::Relaxed), "", &text.lock().unwrap())),
        _ => Some(plain(200, "", "page")),
    });
    (server, now, body)
}

#[tokio::test]
async fn what_robots_txt_forbids_is_not_asked_for() {
    let world = World::new();
    let (server, ..) =
        with_robots(200, "User-agent: *\nDisallow: /\nUser-agent: lyra\nDisallow: /private\n");
    let fetcher = world.fetcher(lifted(server.address));
    assert_eq!(shown(&fetcher.fetch(page("http://a.test/public")).await), "200 page");
    assert_eq!(
        shown(&fetcher.fetch(page("http://a.test/private/x?y=z")).await),
        "Robots: robots.txt of a.test asks programs not to read this page"
    );
    // An API is made for programs.
    assert_eq!(shown(&fetcher.fetch(api("http://a.test/private/works")).await), "200 page");
    assert_eq!(
        server.paths(),
        ["GET a.test/robots.txt", "GET a.test/public", "GET a.test/private/works"]
    );
}

#[tokio::test]
async fn robots_txt_is_asked_for_once_a_day_for_each_origin() {
    let world = World::new();
    let (server, _, text) = with_robots(200, "");
    let settings = lifted(server.address);
    let fetcher = world.fetcher(settings.clone());
    for path in ["1", "2"] {
        fetcher.fetch(page(&format!("http://a.test/{path}"))).await.unwrap();
    }
    fetcher.fetch(page("http://www.a.test/1")).await.unwrap();
    let robots = || server.paths().iter().filter(|it| it.ends_with("/robots.txt")).count();
    assert_eq!(robots(), 2);
    drop(fetcher);
    // It survives a restart.
    let world = world.restarted();
    let fetcher = world.fetcher(settings);
    "User-agent: *\nDisallow: /".clone_into(&mut text.lock().unwrap());
    fetcher.fetch(page("http://a.test/3")).await.unwrap();
    assert_eq!(robots(), 2);
    world.clock.advance(SignedDuration::from_mins(24 * 60 + 1));
    assert_eq!(fetcher.fetch(page("http://a.test/4")).await.unwrap_err().reason, Reason::Robots);
    assert_eq!(robots(), 3);
}

#[tokio::test]
async fn a_robots_txt_that_fails_closes_the_site_and_one_that_is_missing_does_not() {
    let world = World::new();
    for status in [401, 403, 404, 410] {
        let (server, ..) = with_robots(status, "User-agent: *\nDisallow: /");
        let fetcher = world.fetcher(lifted(server.address));
        assert_eq!(
            shown(&fetcher.fetch(page(&format!("http://s{status}.test/x"))).await),
            "200 page"
        );
    }
    let (server, status, _) = with_robots(500, "");
    let fetcher = world.fetcher(lifted(server.address));
    let missed = fetcher.fetch(page("http://broken.test/x")).await.unwrap_err();
    assert_eq!(missed.reason, Reason::Robots);
    assert_eq!(
        missed.detail,
        "robots.txt of broken.test answers 500; until it can be read nothing else is asked for"
    );
    status.store(404, Ordering::Relaxed);
    assert_eq!(
        fetcher.fetch(page("http://broken.test/x")).await.unwrap_err().reason,
        Reason::Robots
    );
    world.clock.advance(SignedDuration::from_mins(61));
    assert_eq!(shown(&fetcher.fetch(page("http://broken.test/x")).await), "200 page");
}

#[tokio::test]
async fn the_last_good_robots_txt_stands_in_for_one_that_fails() {
    let world = World::new();
    let (server, status, _) = with_robots(200, "User-agent: *\nDisallow: /private");
    let fetcher = world.fetcher(lifted(server.address));
    fetcher.fetch(page("http://a.test/1")).await.unwrap();
    status.store(502, Ordering::Relaxed);
    world.clock.advance(SignedDuration::from_hours(25));
    assert_eq!(shown(&fetcher.fetch(page("http://a.test/2")).await), "200 page");
    assert_eq!(
        fetcher.fetch(page("http://a.test/private")).await.unwrap_err().reason,
        Reason::Robots
    );
    // After thirty days it is too old to go by.
    world.clock.advance(SignedDuration::from_hours(30 * 24));
    assert_eq!(fetcher.fetch(page("http://a.test/3")).await.unwrap_err().reason, Reason::Robots);
}

#[tokio::test]
async fn redirects_of_robots_txt_are_followed() {
    let world = World::new();
    let server = Server::with(|request| match (request.host(), request.path.as_str()) {
        ("a.test", "/robots.txt") => Some(redirect(301, "http://www.a.test/robots.txt")),
        ("www.a.test", "/robots.txt") => Some(redirect(302, "/rules")),
        ("www.a.test", "/rules") => Some(plain(200, "", "User-agent: *\nDisallow: /no")),
        ("circle.test", "/robots.txt") => Some(redirect(302, "/robots.txt")),
        _ => Some(plain(200, "", "page")),
    });
    let fetcher = world.fetcher(lifted(server.address));
    assert_eq!(fetcher.fetch(page("http://a.test/no")).await.unwrap_err().reason, Reason::Robots);
    assert_eq!(shown(&fetcher.fetch(page("http://a.test/yes")).await), "200 page");
    assert_eq!(shown(&fetcher.fetch(page("http://circle.test/x")).await), "200 page");
    let circle = server.paths().iter().filter(|it| *it == "GET circle.test/robots.txt").count();
    assert_eq!(circle, 6);
}

#[tokio::test]
async fn a_crawl_delay_lengthens_the_pause() {
    let world = World::new();
    let (server, ..) = with_robots(200, "User-agent: *\nCrawl-delay: 0.4\nDisallow:");
    let fetcher = world.fetcher(lifted(server.address));
    let begun = Instant::now();
    for path in ["1", "2", "3"] {
        fetcher.fetch(page(&format!("http://a.test/{path}"))).await.unwrap();
    }
    assert!(begun.elapsed() >= Duration::from_millis(1_200), "{:?}", begun.elapsed());
    let (server, ..) = with_robots(200, "User-agent: *\nCrawl-delay: 600\nDisallow:");
    let fetcher = world.fetcher(FetchSettings { max_wait_ms: 1_000, ..lifted(server.address) });
    let missed = fetcher.fetch(page("http://slow.test/1")).await.unwrap_err();
    assert_eq!(missed.reason, Reason::Resting);
    let wait = missed.again_at.unwrap().duration_since(world.graph.now()).as_secs();
    assert!((590..=610).contains(&wait), "{wait}");
}

#[tokio::test]
async fn sitemaps_come_from_robots_txt() {
    let world = World::new();
    let (server, ..) = with_robots(
        200,
        "Sitemap: http://a.test/map.xml\nSitemap: /other.xml\nSitemap: http://127.0.0.9:22/x\n\
         Sitemap: file:///etc/passwd\nSitemap: http://a.test/map.xml\n",
    );
    let fetcher = world.fetcher(lifted(server.address));
    let found = fetcher.sitemaps_of(&"http://a.test/deep/page?x".parse().unwrap()).await;
    let found: Vec<&str> = found.iter().map(|it| it.as_str()).collect();
    assert_eq!(found, ["http://a.test/map.xml", "http://a.test/other.xml"]);
    assert_eq!(server.paths(), ["GET a.test/robots.txt"]);
}
