//! Fetching pages: what is sent, what comes back, and what need not be requested again.

use std::io::Write;

use fetch::{FetchRequest, FetchSettings, Freshness, Kind, Method, Origin, Reason};
use graph::ArchiveKind;
use jiff::SignedDuration;

use crate::support::{
    Server, World, again, api, lifted, no_limits, noon, page, plain, redirect, shown,
};

#[tokio::test]
async fn a_page_is_brought_with_its_robots_asked_first() {
    let (world, server) = (World::new(), Server::echo());
    let fetcher = world.fetcher(lifted(server.address));
    let fetched = fetcher.fetch(page("http://news.test/article?id=7#part")).await.unwrap();
    assert_eq!(fetched.status, 200);
    assert_eq!(fetched.body, b"news.test/article?id=7");
    assert_eq!(fetched.url.as_str(), "http://news.test/article?id=7");
    assert_eq!(fetched.requested.as_str(), "http://news.test/article?id=7#part");
    assert_eq!(fetched.origin, Origin::Network);
    assert_eq!(server.paths(), ["GET news.test/robots.txt", "GET news.test/article?id=7"]);
    assert_eq!(
        world.ledger_lines(),
        [
            "robots GET news.test/robots.txt 404 answered",
            "page GET news.test/article?id=7 200 answered"
        ]
    );
    let row = &world.ledger()[1];
    assert_eq!(
        (row.address.as_deref(), row.port, row.route.as_str()),
        (Some("127.0.0.1"), 80, "http")
    );
    let record =
        world.graph.read(|it| it.archive_record(fetched.record_id.as_ref().unwrap())).unwrap();
    let record = record.unwrap();
    assert_eq!(
        (record.kind, record.status, record.egress_seq),
        (ArchiveKind::Response, Some(200), Some(row.seq))
    );
    let bytes =
        archive::read_record(&world.archive(), &record.file, record.byte_start, record.byte_length);
    assert_eq!(bytes.unwrap().http().unwrap().1, b"news.test/article?id=7");
}

#[tokio::test]
async fn redirects_are_followed_and_each_step_is_recorded() {
    let world = World::new();
    let server = Server::with(|request| match (request.host(), request.path.as_str()) {
        ("a.test", "/") => Some(redirect(301, "/next")),
        ("a.test", "/next") => Some(redirect(302, "//b.test/end#x")),
        ("b.test", "/end") => Some(plain(200, "", "here")),
        _ => None,
    });
    let fetcher = world.fetcher(lifted(server.address));
    let fetched = fetcher.fetch(page("http://a.test/")).await.unwrap();
    assert_eq!(
        (fetched.url.as_str(), fetched.body.as_slice()),
        ("http://b.test/end", &b"here"[..])
    );
    let between: Vec<&str> = fetched.redirects.iter().map(|it| it.as_str()).collect();
    assert_eq!(between, ["http://a.test/next"]);
    assert_eq!(
        world.ledger_lines(),
        [
            "robots GET a.test/robots.txt 404 answered",
            "page GET a.test/ 301 answered",
            "page GET a.test/next 302 answered",
            "robots GET b.test/robots.txt 404 answered",
            "page GET b.test/end 200 answered",
        ]
    );
    for (url, status) in
        [("http://a.test/", 301), ("http://a.test/next", 302), ("http://b.test/end", 200)]
    {
        let kept = world.graph.read(|it| it.archive_of(url)).unwrap();
        let responses: Vec<_> =
            kept.iter().filter(|it| it.kind == ArchiveKind::Response).map(|it| it.status).collect();
        assert_eq!(responses, [Some(status)], "{url}");
    }
}

#[tokio::test]
async fn a_form_is_sent_once_and_becomes_a_question_after_a_redirect() {
    let world = World::new();
    let server = Server::with(|request| match request.path.as_str() {
        "/search" => Some(redirect(303, "/results")),
        "/results" => Some(plain(200, "", &format!("{} {}", request.method, request.body.len()))),
        _ => None,
    });
    let fetcher = world.fetcher(lifted(server.address));
    let kind = Kind::Engine { name: "mojeek".to_owned(), limits: no_limits() };
    let mut request = FetchRequest::new("http://engine.test/search".parse().unwrap(), kind);
    request.method = Method::Post {
        content_type: "application/x-www-form-urlencoded".to_owned(),
        body: b"q=kyoto".to_vec(),
    };
    assert_eq!(shown(&fetcher.fetch(request).await), "200 GET 0");
    let seen = server.seen();
    assert_eq!(seen[0].body, b"q=kyoto");
    assert_eq!(seen[0].header("content-type"), Some("application/x-www-form-urlencoded"));
    assert_eq!(seen[1].header("content-type"), None);
    assert_eq!(
        world.ledger_lines(),
        [
            "engine:mojeek POST engine.test/search 303 answered",
            "engine:mojeek GET engine.test/results 200 answered"
        ]
    );
}

#[tokio::test]
async fn only_the_head_of_a_page_can_be_asked_for() {
    let world = World::new();
    let server = Server::with(|request| match request.path.as_str() {
        "/robots.txt" => None,
        _ => Some(
            "HTTP/1.1 200 OK\r\ncontent-length: 5000\r\ncontent-encoding: gzip\r\n\r\n".to_owned(),
        ),
    });
    let fetcher = world.fetcher(lifted(server.address));
    let fetched = fetcher
        .fetch(FetchRequest { method: Method::Head, ..page("http://a.test/x") })
        .await
        .unwrap();
    assert_eq!((fetched.status, fetched.body.len()), (200, 0));
    assert_eq!(server.paths()[1], "HEAD a.test/x");
    // It is not the page, so the page is asked for afterwards.
    assert_eq!(world.graph.read(|it| it.cached_fetch("http://a.test/x")).unwrap(), None);
}

#[tokio::test]
async fn a_page_with_an_etag_is_asked_whether_it_changed() {
    let world = World::new();
    let server =
        Server::with(|request| match (request.path.as_str(), request.header("if-none-match")) {
            ("/robots.txt", _) => None,
            (_, Some("\"v1\"")) => Some(plain(304, "etag: \"v1\"\r\n", "")),
            _ => Some(plain(200, "etag: \"v1\"\r\ncontent-type: text/html\r\n", "<p>first</p>")),
        });
    let fetcher = world.fetcher(lifted(server.address));
    let first = fetcher.fetch(page("http://a.test/x")).await.unwrap();
    let second = fetcher.fetch(page("http://a.test/x")).await.unwrap();
    assert_eq!((first.origin, second.origin), (Origin::Network, Origin::NotModified));
    assert_eq!((second.status, second.body.as_slice()), (200, &b"<p>first</p>"[..]));
    assert_eq!(second.record_id, first.record_id);
    let content_type = second.headers.iter().find(|(name, _)| name == "content-type");
    assert_eq!(content_type.unwrap().1, "text/html");
    let kinds: Vec<_> = world.graph.read(|it| it.archive_of("http://a.test/x")).unwrap();
    let revisit = kinds.iter().find(|it| it.kind == ArchiveKind::Revisit).unwrap();
    assert_eq!((revisit.refers_to.as_ref(), revisit.status), (first.record_id.as_ref(), Some(304)));
    let whole = fetcher.fetch(again("http://a.test/x")).await.unwrap();
    assert_eq!(whole.origin, Origin::Network);
    assert_eq!(fetcher.metrics().not_modified, 1);
}

#[tokio::test]
async fn a_page_without_an_etag_is_asked_by_its_date() {
    let world = World::new();
    let date = "Wed, 21 Oct 2015 07:28:00 GMT";
    let server = Server::with(move |request| {
        match (request.path.as_str(), request.header("if-modified-since")) {
            ("/robots.txt", _) => None,
            (_, Some(since)) if since == date => Some(plain(304, "", "")),
            _ => Some(plain(200, &format!("last-modified: {date}\r\n"), "dated")),
        }
    });
    let fetcher = world.fetcher(lifted(server.address));
    fetcher.fetch(page("http://a.test/x")).await.unwrap();
    let second = fetcher.fetch(page("http://a.test/x")).await.unwrap();
    assert_eq!((second.origin, second.body.as_slice()), (Origin::NotModified, &b"dated"[..]));
}

#[tokio::test]
async fn what_the_server_calls_fresh_is_not_asked_for_again() {
    let world = World::new();
    let server = Server::with(|request| match request.path.as_str() {
        "/robots.txt" => None,
        "/old" => Some(redirect(301, "/fresh")),
        "/moved-for-now" => Some(redirect(302, "/fresh")),
        "/no-store" => Some(plain(200, "cache-control: no-store\r\n", "secret")),
        _ => Some(plain(200, "cache-control: max-age=60\r\n", "fresh")),
    });
    let fetcher = world.fetcher(lifted(server.address));
    for url in ["http://a.test/old", "http://a.test/moved-for-now", "http://a.test/no-store"] {
        fetcher.fetch(page(url)).await.unwrap();
    }
    let asked = server.seen().len();
    let fetched = fetcher.fetch(page("http://a.test/fresh")).await.unwrap();
    assert_eq!((fetched.origin, fetched.body.as_slice()), (Origin::Archive, &b"fresh"[..]));
    assert_eq!(fetched.elapsed.as_nanos(), 0);
    let fetched = fetcher.fetch(page("http://a.test/old")).await.unwrap();
    assert_eq!((fetched.origin, fetched.url.as_str()), (Origin::Archive, "http://a.test/fresh"));
    assert_eq!(server.seen().len(), asked, "nobody was asked");
    // A redirect that is not for good is asked for again, and what may not be stored as well.
    assert_eq!(
        fetcher.fetch(page("http://a.test/moved-for-now")).await.unwrap().origin,
        Origin::Network
    );
    assert_eq!(
        fetcher.fetch(page("http://a.test/no-store")).await.unwrap().origin,
        Origin::Network
    );
    world.clock.advance(jiff::SignedDuration::from_secs(61));
    assert_eq!(fetcher.fetch(page("http://a.test/fresh")).await.unwrap().origin, Origin::Network);
}

#[tokio::test]
async fn offline_the_archive_still_answers_and_nobody_is_asked() {
    let world = World::new();
    let server = Server::echo();
    let settings = lifted(server.address);
    let fetcher = world.fetcher(settings.clone());
    fetcher.fetch(page("http://a.test/kept")).await.unwrap();
    drop(fetcher);
    let asked = server.connections();
    let fetcher = world.fetcher(fetch::FetchSettings { offline: true, ..settings });
    let archived = FetchRequest { freshness: Freshness::Archived, ..page("http://a.test/kept") };
    let fetched = fetcher.fetch(archived).await.unwrap();
    assert_eq!((fetched.origin, fetched.body.as_slice()), (Origin::Archive, &b"a.test/kept"[..]));
    for request in [
        page("http://a.test/kept"),
        again("http://a.test/kept"),
        api("http://a.test/works"),
        FetchRequest { freshness: Freshness::Archived, ..page("http://a.test/never") },
    ] {
        let missed = fetcher.fetch(request).await.unwrap_err();
        assert_eq!(missed.reason, Reason::Offline);
        assert_eq!(missed.detail, "Lyra runs offline and sends no requests");
    }
    assert!(fetcher.sitemaps_of(&"http://a.test/".parse().unwrap()).await.is_empty());
    assert_eq!(server.connections(), asked);
    assert_eq!(world.ledger().len(), 2);
}

#[tokio::test]
async fn packed_bodies_are_unpacked_and_archived_as_they_were_sent() {
    let world = World::new();
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packer.write_all("本文".repeat(200).as_bytes()).unwrap();
    let packed = packer.finish().unwrap();
    let sent = packed.clone();
    let server = Server::start(move |it, stream| {
        let head = match it.path.as_str() {
            "/robots.txt" => "HTTP/1.1 404 X\r\ncontent-length: 0\r\n\r\n".to_owned(),
            _ => format!(
                "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ntransfer-encoding: chunked\r\n\r\n{:x}\r\n",
                sent.len()
            ),
        };
        stream.write_all(head.as_bytes()).unwrap();
        if it.path != "/robots.txt" {
            stream.write_all(&sent).unwrap();
            stream.write_all(b"\r\n0\r\n\r\n").unwrap();
        }
    });
    let fetcher = world.fetcher(lifted(server.address));
    let fetched = fetcher.fetch(page("http://a.test/x")).await.unwrap();
    assert_eq!(String::from_utf8(fetched.body).unwrap(), "本文".repeat(200));
    let id = fetched.record_id.unwrap();
    let row = world.graph.read(|it| it.archive_record(&id)).unwrap().unwrap();
    let record =
        archive::read_record(&world.archive(), &row.file, row.byte_start, row.byte_length).unwrap();
    let (head, body) = record.http().unwrap();
    assert_eq!(body, packed);
    let head = String::from_utf8(head.to_vec()).unwrap();
    assert!(head.contains("\r\nX-Archive-Orig-transfer-encoding: chunked\r\n"), "{head}");
    let archived = FetchRequest { freshness: Freshness::Archived, ..page("http://a.test/x") };
    assert_eq!(fetcher.fetch(archived).await.unwrap().body, "本文".repeat(200).as_bytes());
}

#[tokio::test]
async fn cookies_stay_with_the_domain_that_set_them() {
    let world = World::new();
    let server = Server::with(|request| match request.path.as_str() {
        "/robots.txt" => None,
        "/set" => Some(plain(200, "set-cookie: id=7; Domain=shop.test\r\n", "")),
        "/hand-over" => Some(redirect(302, "http://other.test/show")),
        _ => Some(plain(200, "", request.header("cookie").unwrap_or("none"))),
    });
    let fetcher = world.fetcher(lifted(server.address));
    fetcher.fetch(page("http://www.shop.test/set")).await.unwrap();
    assert_eq!(shown(&fetcher.fetch(page("http://www.shop.test/show")).await), "200 id=7");
    assert_eq!(shown(&fetcher.fetch(page("http://www.shop.test/hand-over")).await), "200 none");
    assert_eq!(shown(&fetcher.fetch(api("http://www.shop.test/works")).await), "200 none");
}

#[tokio::test]
async fn a_site_that_sets_a_cookie_and_comes_back_is_no_circle() {
    let world = World::new();
    let server = Server::with(|request| match (request.path.as_str(), request.header("cookie")) {
        ("/robots.txt", _) => None,
        (_, None) => Some(plain(302, "location: /x\r\nset-cookie: seen=1\r\n", "")),
        _ => Some(plain(200, "", "welcome")),
    });
    let fetcher = world.fetcher(lifted(server.address));
    assert_eq!(shown(&fetcher.fetch(page("http://a.test/x")).await), "200 welcome");
}

#[tokio::test]
async fn keys_reach_the_api_and_nothing_that_is_kept() {
    let world = World::new();
    let server = Server::with(|request| match request.path.as_str() {
        path if path.starts_with("/away") => Some(redirect(302, "http://stranger.test/x")),
        _ => Some(plain(200, "", "{}")),
    });
    let fetcher = world.fetcher(lifted(server.address));
    for url in ["http://api.test/works?q=x", "http://api.test/away"] {
        let mut request = api(url);
        request.secret_headers = vec![("x-api-key".to_owned(), "hunter2".to_owned())];
        request.secret_query = vec![("appId".to_owned(), "hunter3".to_owned())];
        fetcher.fetch(request).await.unwrap();
    }
    let seen = server.seen();
    assert_eq!(seen[0].path, "/works?q=x&appId=hunter3");
    assert_eq!(seen[0].header("x-api-key"), Some("hunter2"));
    assert_eq!((seen[2].host(), seen[2].path.as_str()), ("stranger.test", "/x"));
    assert_eq!(seen[2].header("x-api-key"), None);
    drop(fetcher);
    let ledger = world.ledger();
    assert_eq!(ledger[0].path, "/works?q=x");
    for (_, bytes) in files(world.dir.path()) {
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains("hunter2") && !text.contains("hunter3"));
    }
    let mut requests = 0;
    for file in archive::files(&world.archive()).unwrap() {
        for record in archive::records(&world.archive().join(file)).unwrap() {
            let block = String::from_utf8_lossy(&record.unwrap().record.block).into_owned();
            requests += usize::from(block.contains("x-api-key: [left out]"));
            assert!(!block.contains("hunter"), "{block}");
        }
    }
    assert_eq!(requests, 2);
}

fn files(dir: &std::path::Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let entries = std::fs::read_dir(dir).unwrap().map(|it| it.unwrap().path());
    entries.filter(|it| it.is_file()).map(|it| (it.clone(), std::fs::read(it).unwrap())).collect()
}

#[tokio::test]
async fn a_blocked_domain_is_not_asked() {
    let (world, server) = (World::new(), Server::echo());
    let policy = world.dir.path().join("domains.toml");
    std::fs::write(&policy, "[[denylist]]\npatterns = ['*.spam.test']\nreason = 'copies others'\n")
        .unwrap();
    let fetcher = fetch::Fetcher::open(
        std::sync::Arc::new(graph::GraphLedger::under(
            std::sync::Arc::clone(&world.graph),
            std::sync::Arc::new(graph::PolicyFile::open(Some(&policy))),
        )),
        &world.archive(),
        lifted(server.address),
    )
    .unwrap();
    assert_eq!(
        shown(&fetcher.fetch(page("http://www.spam.test/x")).await),
        "BlockedDomain: www.spam.test is blocked: copies others"
    );
    assert_eq!(server.connections(), 0);
    assert_eq!(shown(&fetcher.fetch(page("http://fine.test/x")).await), "200 fine.test/x");
}

#[tokio::test]
async fn the_same_page_asked_for_by_many_is_fetched_once() {
    let world = World::new();
    let server = Server::start(|it, stream| {
        if it.path != "/robots.txt" {
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
        stream.write_all(plain(200, "", "").as_bytes()).unwrap();
    });
    let fetcher = world.fetcher(lifted(server.address));
    let requests = (0..20).map(|_| {
        let fetcher = fetcher.clone();
        tokio::spawn(async move { fetcher.fetch(page("http://a.test/x")).await.unwrap().status })
    });
    for request in requests.collect::<Vec<_>>() {
        assert_eq!(request.await.unwrap(), 200);
    }
    assert_eq!(server.paths(), ["GET a.test/robots.txt", "GET a.test/x"]);
}

/// A request of work that began at noon and is done again.
fn since_noon(request: FetchRequest) -> FetchRequest {
    FetchRequest { freshness: Freshness::Since(noon()), ..request }
}

#[tokio::test]
async fn what_came_back_since_the_work_began_is_not_asked_for_again() {
    let world = World::new();
    let server = Server::with(|request| match request.path.as_str() {
        "/robots.txt" | "/gone" => None,
        "/moved" => Some(redirect(302, "/page")),
        path => Some(plain(200, "", &format!("{} {path}", String::from_utf8_lossy(&request.body)))),
    });
    let fetcher = world.fetcher(lifted(server.address));
    for round in 0..2 {
        for (path, answer) in
            [("page", "200  /page"), ("gone", "404 not here"), ("moved", "200  /page")]
        {
            let request = since_noon(page(&format!("http://a.test/{path}")));
            let fetched = fetcher.fetch(request).await.unwrap();
            assert_eq!(
                format!("{} {}", fetched.status, String::from_utf8_lossy(&fetched.body)),
                answer
            );
            let expected = match (round, path) {
                // What it leads to came back for the first page.
                (0, "moved") | (1, _) => Origin::Archive,
                _ => Origin::Network,
            };
            assert_eq!(fetched.origin, expected, "{path} {round}");
        }
        for body in ["one", "two"] {
            let method = Method::Post { content_type: "text/plain".to_owned(), body: body.into() };
            let request = since_noon(FetchRequest { method, ..api("http://works.test/batch") });
            assert_eq!(shown(&fetcher.fetch(request).await), format!("200 {body} /batch"));
        }
    }
    assert_eq!(
        server.paths(),
        [
            "GET a.test/robots.txt",
            "GET a.test/page",
            "GET a.test/gone",
            "GET a.test/moved",
            "POST works.test/batch",
            "POST works.test/batch",
        ]
    );
}

#[tokio::test]
async fn what_came_back_before_the_work_began_is_asked_for_again() {
    let (world, server) = (World::new(), Server::echo());
    let fetcher = world.fetcher(lifted(server.address));
    fetcher.fetch(api("http://works.test/a")).await.unwrap();
    world.clock.advance(SignedDuration::from_secs(60));
    let later = noon() + SignedDuration::from_secs(30);
    let request =
        || FetchRequest { freshness: Freshness::Since(later), ..api("http://works.test/a") };
    assert_eq!(fetcher.fetch(request()).await.unwrap().origin, Origin::Network);
    assert_eq!(fetcher.fetch(request()).await.unwrap().origin, Origin::Archive);
    assert_eq!(server.paths(), ["GET works.test/a", "GET works.test/a"]);
    drop(fetcher);
    let fetcher = world.fetcher(FetchSettings { offline: true, ..lifted(server.address) });
    assert_eq!(fetcher.fetch(request()).await.unwrap().origin, Origin::Archive);
    let never = FetchRequest { url: "http://works.test/b".parse().unwrap(), ..request() };
    assert_eq!(fetcher.fetch(never).await.unwrap_err().reason, Reason::Offline);
}

#[tokio::test]
async fn an_api_that_was_busy_when_the_work_was_cut_off_is_asked_again() {
    let world = World::new();
    let server = Server::with(|_| Some(plain(503, "", "busy")));
    let settings = FetchSettings { api_attempts: 1, ..lifted(server.address) };
    let fetcher = world.fetcher(settings);
    for _ in 0..2 {
        assert_eq!(shown(&fetcher.fetch(since_noon(api("http://works.test/a"))).await), "503 busy");
        world.clock.advance(SignedDuration::from_hours(1));
    }
    assert_eq!(server.paths().len(), 2);
}
