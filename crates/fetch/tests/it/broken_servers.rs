//! Every kind of broken server is an outcome with a reason, and no request waits for ever.

use std::io::Write;
use std::net::TcpListener;
use std::sync::LazyLock;
use std::thread;
use std::time::{Duration, Instant};

use fetch::{FetchSettings, Reason};

use crate::support::{Server, World, lifted, page, plain, redirect, shown};

/// A server that breaks in the way its path says.
fn broken() -> Server {
    Server::start(|it, stream| {
        let mut send = |text: &str| {
            // The client hangs up in the middle of some of these.
            let _ = stream.write_all(text.as_bytes());
        };
        match it.path.as_str() {
            "/cut" => send("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nonly this"),
            "/cut-chunks" => {
                send("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n");
            }
            "/silent-close" => {}
            "/no-http" => send("SSH-2.0-OpenSSH_9.6\r\n\r\n"),
            "/bad-length" => send("HTTP/1.1 200 OK\r\ncontent-length: many\r\n\r\n"),
            "/two-lengths" => {
                send("HTTP/1.1 200 OK\r\ncontent-length: 4\r\ncontent-length: 9\r\n\r\nfour");
            }
            "/many-headers" => {
                send("HTTP/1.1 200 OK\r\n");
                for number in 0..5_000 {
                    send(&format!("x-{number}: y\r\n"));
                }
                send("\r\n");
            }
            "/wide-header" => {
                send(&format!(
                    "HTTP/1.1 200 OK\r\nx: {}\r\ncontent-length: 0\r\n\r\n",
                    "y".repeat(100_000)
                ));
            }
            "/endless-header" => {
                send("HTTP/1.1 200 OK\r\nx: ");
                for _ in 0..100 {
                    send(&"y".repeat(100_000));
                }
            }
            "/announced" => send("HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\n"),
            "/endless" => {
                send("HTTP/1.1 200 OK\r\n\r\n");
                let chunk = vec![b'x'; 65_536];
                while stream.write_all(&chunk).is_ok() {}
            }
            "/slow" => {
                send("HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n");
                for _ in 0..20 {
                    send("x");
                    thread::sleep(Duration::from_millis(100));
                }
            }
            "/hangs" => thread::sleep(Duration::from_secs(2)),
            "/not-packed" => {
                send("HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 5\r\n\r\nplain");
            }
            "/strangely-packed" => {
                send("HTTP/1.1 200 OK\r\ncontent-encoding: zstd\r\ncontent-length: 5\r\n\r\nplain");
            }
            "/bomb" => {
                let length = BOMB.len();
                send(&format!(
                    "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: {length}\r\n\r\n"
                ));
                let _ = stream.write_all(&BOMB);
            }
            "/circle" => send(&redirect(302, "/circle-2")),
            "/circle-2" => send(&redirect(302, "/circle")),
            "/mailto" => send(&redirect(302, "mailto:someone@example.com")),
            "/nowhere" => send(&plain(302, "", "no location")),
            "/strange-location" => send(&redirect(302, "http://[broken/")),
            path if path.starts_with("/far/") => {
                let number: u32 = path["/far/".len()..].parse().unwrap();
                send(&redirect(302, &format!("/far/{}", number + 1)));
            }
            _ => send(&plain(404, "", "")),
        }
    })
}

/// Thirty million zeros, packed.
static BOMB: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packer.write_all(&vec![0; 30_000_000]).unwrap();
    packer.finish().unwrap()
});

#[tokio::test]
async fn every_broken_answer_has_its_reason() {
    let (world, server) = (World::new(), broken());
    // Packing takes longer than anybody waits here.
    LazyLock::force(&BOMB);
    // The rules of rests are tested elsewhere; here every path has a domain of its own.
    let fetcher = world.fetcher(FetchSettings { timeout_ms: 500, ..lifted(server.address) });
    let mut lines = Vec::new();
    for path in [
        "cut",
        "cut-chunks",
        "silent-close",
        "no-http",
        "bad-length",
        "two-lengths",
        "many-headers",
        "wide-header",
        "endless-header",
        "announced",
        "slow",
        "hangs",
        "not-packed",
        "strangely-packed",
        "bomb",
        "circle",
        "mailto",
        "nowhere",
        "strange-location",
    ] {
        let begun = Instant::now();
        let outcome = fetcher.fetch(page(&format!("http://{path}.test/{path}"))).await;
        assert!(begun.elapsed() < Duration::from_secs(30), "{path} took {:?}", begun.elapsed());
        lines.push(shown(&outcome));
    }
    insta::assert_snapshot!(lines.join("\n"), @r"
    BrokenAnswer: the answer of cut.test ended too early
    BrokenAnswer: the answer of cut-chunks.test ended too early
    BrokenAnswer: the answer of silent-close.test ended too early
    BrokenAnswer: no-http.test does not answer in HTTP
    BrokenAnswer: bad-length.test does not answer in HTTP
    BrokenAnswer: two-lengths.test does not answer in HTTP
    BrokenAnswer: the header of the answer of many-headers.test is too large
    BrokenAnswer: the header of the answer of wide-header.test is larger than 65536 bytes
    BrokenAnswer: the header of the answer of endless-header.test is too large
    TooLarge: the answer of announced.test is larger than 20971520 bytes
    TimedOut: slow.test did not answer within 0.5 s
    TimedOut: hangs.test did not answer within 0.5 s
    BrokenAnswer: the answer of not-packed.test cannot be read: the compressed body is broken
    BrokenAnswer: the answer of strangely-packed.test cannot be read: unknown content encoding: zstd
    TooLarge: the answer of bomb.test cannot be read: the body unpacks to more than 20971520 bytes
    TooManyRedirects: circle.test redirects in a circle
    BadAddress: mailto: addresses are not on the web
    302 no location
    302
    ");
    let far = fetcher.fetch(page("http://far.test/far/0")).await.unwrap_err();
    assert_eq!(far.reason, Reason::TooManyRedirects);
    assert_eq!(far.detail, "far.test redirects more than 10 times");
    assert!(world.ledger().iter().all(|it| it.outcome.is_some()), "every row has its answer");
}

#[tokio::test]
async fn an_endless_body_is_stopped_at_the_bound_and_what_came_is_archived() {
    let (world, server) = (World::new(), broken());
    let settings = FetchSettings { max_body_bytes: 1_000_000, ..lifted(server.address) };
    let fetcher = world.fetcher(settings);
    let outcome = fetcher.fetch(page("http://endless.test/endless")).await;
    assert_eq!(
        shown(&outcome),
        "TooLarge: the answer of endless.test is larger than 1000000 bytes"
    );
    let rows = world.graph.read(|it| it.archive_of("http://endless.test/endless")).unwrap();
    let row = rows.iter().find(|it| it.kind == graph::ArchiveKind::Response).unwrap();
    let record =
        archive::read_record(&world.archive(), &row.file, row.byte_start, row.byte_length).unwrap();
    assert_eq!(record.header("WARC-Truncated"), Some("length"));
    assert_eq!(record.http().unwrap().1.len(), 1_000_000);
    // What is not whole is not taken for the page later on.
    let archived = fetch::FetchRequest {
        freshness: fetch::Freshness::Archived,
        ..page("http://endless.test/endless")
    };
    assert_eq!(fetcher.fetch(archived).await.unwrap_err().reason, Reason::TooLarge);
    let last = world.ledger().pop().unwrap();
    assert_eq!((last.status, last.outcome.as_deref()), (Some(200), Some("too_large")));
}

#[tokio::test]
async fn hosts_that_are_not_there_are_told_apart() {
    let world = World::new();
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let fetcher = world.fetcher(FetchSettings { connect_timeout_ms: 500, ..lifted(closed) });
    let refused = fetcher.fetch(page("http://closed.test/")).await.unwrap_err();
    assert_eq!(refused.reason, Reason::CannotConnect);
    assert_eq!(refused.detail, "closed.test refused the connection");
    assert!(refused.again_at.is_some(), "the domain rests now");
    let unknown = fetcher.fetch(page("http://no-such-host.invalid/")).await.unwrap_err();
    assert_eq!(unknown.reason, Reason::UnknownHost);
    assert!(unknown.detail.contains("no-such-host.invalid"), "{}", unknown.detail);
    assert_eq!(
        world.ledger_lines(),
        [
            "robots GET closed.test/robots.txt - cannot_connect",
            "robots GET no-such-host.invalid/robots.txt - unknown_host",
        ]
    );
}
