//! What the fetcher archives under the eyes of another program:
//! `LYRA_WARCIO_PYTHON=python3 cargo nextest run -p fetch warcio`, a Python that has `warcio`.

use std::path::Path;
use std::process::Command;

use fetch::{FetchResponse, Origin};
use testweb::{SiteKind, TestWeb, World as Internet};

use crate::small_internet::settings;
use crate::support::{World, page, shown};

/// Each record as a line, the body of a response in hexadecimal digits; the verdicts of the checker before them.
const SCRIPT: &str = "
import sys
from warcio.checker import Checker
from warcio.archiveiterator import ArchiveIterator

class Command:
    inputs, verbose = sys.argv[1:], True

code = Checker(Command).process_all()
for name in sys.argv[1:]:
    with open(name, 'rb') as file:
        for record in ArchiveIterator(file, verify_http=True):
            if record.rec_type in ('request', 'response', 'revisit'):
                url = record.rec_headers.get_header('WARC-Target-URI')
                status = '-'
                if record.rec_type != 'request':
                    status = record.http_headers.get_statuscode()
                cut = record.rec_headers.get_header('WARC-Truncated') or 'whole'
                body = record.content_stream().read().hex()
                print('read', record.rec_type, url, status, cut, body, sep='|')
sys.exit(code)
";

/// A record as warcio sees it.
#[derive(Debug)]
struct Seen {
    kind: String,
    url: String,
    status: String,
    cut: String,
    body: String,
}

/// What warcio reads from an archive, and how often it found a digest right.
fn read_by_warcio(python: &std::ffi::OsStr, archive: &Path) -> (Vec<Seen>, usize) {
    let output = Command::new(python)
        .args(["-c", SCRIPT])
        .args(archive::files(archive).unwrap())
        .current_dir(archive)
        .env("PYTHONIOENCODING", "utf-8")
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{printed}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    let seen = printed
        .lines()
        .filter_map(|it| it.strip_prefix("read|"))
        .map(|line| {
            let mut parts = line.split('|').map(str::to_owned);
            let mut part = || parts.next().unwrap();
            let (kind, url, status) = (part(), part(), part());
            Seen { kind, url, status, cut: part(), body: part() }
        })
        .collect();
    (seen, printed.lines().filter(|it| it.trim() == "digest pass").count())
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|it| format!("{it:02x}")).collect()
}

#[tokio::test]
async fn warcio_reads_what_the_door_archived_and_finds_the_same_bodies() {
    let Some(python) = testkit::program("LYRA_WARCIO_PYTHON") else { return };
    let world = World::new();
    let web = TestWeb::start(Internet::new(7));
    let fetcher = world.fetcher(settings(&world, &web));
    let address = |kind: SiteKind| web.world().pages_of(&kind.host(1)).next().unwrap().url.clone();
    let mut brought: Vec<FetchResponse> = Vec::new();
    for kind in [
        SiteKind::News,
        SiteKind::ETag,
        SiteKind::Moved,
        SiteKind::Gzip,
        SiteKind::Deflate,
        SiteKind::Chunked,
        SiteKind::ShiftJis,
        SiteKind::Pdf,
        SiteKind::Missing,
        SiteKind::ServerError,
        SiteKind::Busy,
    ] {
        brought.push(fetcher.fetch(page(&address(kind))).await.unwrap());
    }
    let again = fetcher.fetch(page(&address(SiteKind::ETag))).await.unwrap();
    assert_eq!(again.origin, Origin::NotModified);
    for kind in [SiteKind::CutShort, SiteKind::Closed] {
        let missed = fetcher.fetch(page(&address(kind))).await;
        assert!(missed.is_err(), "{kind:?}: {}", shown(&missed));
    }
    drop(fetcher);

    let (seen, passed) = read_by_warcio(&python, &world.archive());
    // Each page's robots.txt was archived as well; the hosts show what they are, the paths are made up.
    let pages = seen.iter().filter(|it| !it.url.ends_with("/robots.txt"));
    let lines: Vec<String> = pages
        .map(|page| {
            let host = page.url.split('/').nth(2).unwrap();
            format!("{} {host} {} {}", page.kind, page.status, page.cut)
        })
        .collect();
    insta::assert_snapshot!(lines.join("\n"), @"
    request news-1.test - whole
    response news-1.test 200 whole
    request etag-1.test - whole
    response etag-1.test 200 whole
    request moved-1.test - whole
    response moved-1.test 301 whole
    request moved-1.test - whole
    response moved-1.test 200 whole
    request gzip-1.test - whole
    response gzip-1.test 200 whole
    request deflate-1.test - whole
    response deflate-1.test 200 whole
    request chunked-1.test - whole
    response chunked-1.test 200 whole
    request shift-jis-1.test - whole
    response shift-jis-1.test 200 whole
    request pdf-1.test - whole
    response pdf-1.test 200 whole
    request missing-1.test - whole
    response missing-1.test 404 whole
    request error-1.test - whole
    response error-1.test 500 whole
    request busy-1.test - whole
    response busy-1.test 429 whole
    request etag-1.test - whole
    revisit etag-1.test 304 whole
    request cut-short-1.test - whole
    response cut-short-1.test 200 disconnect
    ");
    let checked = seen.iter().filter(|it| it.kind != "revisit").count();
    let files = archive::files(&world.archive()).unwrap().len();
    // Besides the records, each file begins with one about itself.
    assert_eq!(passed, checked + files);
    for fetched in &brought {
        let url = fetched.url.as_str();
        let response = seen.iter().find(|it| it.kind == "response" && it.url == url).unwrap();
        assert_eq!(response.status, fetched.status.to_string(), "{url}");
        assert_eq!(response.body, hexadecimal(&fetched.body), "{url}");
    }
}
