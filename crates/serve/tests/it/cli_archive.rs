//! `lyra archive`.

use std::fs;

use archive::{Appended, Exchange, Response, Stored, Writer};
use evidence::DomainCategory;
use graph::{ArchiveKind, ArchiveRecord, CachedFetch, NewPage};
use jiff::Timestamp;

use crate::support::{Answer, Home, online, own_help};

const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nhost: example.org\r\naccept: */*\r\n\r\n";
const HTML: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n";

fn page<'a>(url: &'a str, at: &str, head: &'a [u8], body: &'a [u8]) -> Exchange<'a> {
    Exchange {
        url,
        at: at.parse().unwrap(),
        address: Some("192.0.2.7"),
        request_head: REQUEST,
        request_body: b"",
        response: Response::Full { head, body, truncated: None },
    }
}

/// A home whose archive holds these exchanges, and the index rows of them.
struct Archived {
    home: Home,
    writer: Writer,
}

impl Archived {
    fn new() -> Self {
        let home = Home::new();
        let options = archive::Options { software: "lyra-test".to_owned(), ..Default::default() };
        let writer = Writer::open(&home.data().join("archive"), options).unwrap();
        Self { home, writer }
    }

    /// Adds an exchange without telling the index.
    fn append(&mut self, exchange: &Exchange<'_>) -> Appended {
        let appended = self.writer.append(exchange).unwrap();
        self.writer.sync().unwrap();
        appended
    }

    /// Adds an exchange and its rows; answers with the response.
    fn add(&mut self, exchange: &Exchange<'_>) -> Stored {
        let appended = self.append(exchange);
        let response = appended.response.unwrap();
        let (status, refers_to) = match exchange.response {
            Response::Full { head, .. } => (status(head), None),
            Response::NotModified { head, refers_to } => {
                (status(head), Some(refers_to.record_id.clone()))
            }
            Response::None => unreachable!("tests that need no answer append"),
        };
        self.index(&appended.request, None, None);
        self.index(&response, status, refers_to);
        response
    }

    fn index(&self, stored: &Stored, status: Option<u16>, refers_to: Option<String>) {
        let kind = match stored.kind {
            archive::Kind::Request => ArchiveKind::Request,
            archive::Kind::Response => ArchiveKind::Response,
            archive::Kind::Revisit => ArchiveKind::Revisit,
            archive::Kind::Conversion => ArchiveKind::Document,
        };
        let row = ArchiveRecord {
            record_id: stored.record_id.clone(),
            kind,
            url: stored.url.clone(),
            status,
            file: stored.file.clone(),
            byte_start: stored.byte_start,
            byte_length: stored.byte_length,
            payload_digest: stored.payload_digest.clone(),
            refers_to,
            egress_seq: None,
            archived_at: stored.date,
        };
        // Each writing has a cause of its own, so the ids must not repeat.
        let options = graph::Options::default();
        let database = self.home.data().join("lyra.db");
        let graph = graph::Graph::open(&database, graph::Access::Write, options).unwrap();
        graph.write(graph::Cause::new("test"), |w| w.record_archived(&row)).unwrap();
    }

    fn run(&self, line: &str) -> Answer {
        self.home.run(line)
    }

    /// What a command answers, with the ids of records replaced by the order they appear in.
    fn show(&self, line: &str) -> String {
        let mut text = self.run(line).to_string();
        let mut ids: Vec<String> = Vec::new();
        for (at, _) in text.match_indices("urn:uuid:") {
            let id = text.get(at..at + 45).unwrap_or_default().to_owned();
            if id.len() == 45 && !ids.contains(&id) {
                ids.push(id);
            }
        }
        for (number, id) in ids.iter().enumerate() {
            text = text.replace(id, &format!("urn:uuid:[{number}]"));
        }
        text
    }
}

fn status(head: &[u8]) -> Option<u16> {
    std::str::from_utf8(&head[9..12]).unwrap().parse().ok()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn the_help_shows_how_to_use_it() {
    insta::assert_snapshot!(own_help("archive show"), @"
    Show an archived answer: what it says, its headers, or its bytes

    The newest answer of an address or a page, or any record by its id, with where and when it was
    archived. Without a flag the body is shown as `lyra read` reads it. Nothing is fetched.

    Usage: lyra archive show [OPTIONS] <URL|PAGE_ID|RECORD_ID>

    Arguments:
      <URL|PAGE_ID|RECORD_ID>
              The address, the page, or the record

    Options:
          --raw
              Write the bytes of the body to stdout, and nothing else

          --packed
              The body as it was sent, still packed where its headers say so: its digest is the stored
              one

          --headers
              Show the headers that were sent and received

      -h, --help
              Print help (see a summary with '-h')

    Examples:
      lyra archive show https://example.org/
      lyra archive show p_AAAAAAAAAAAAAAAAAAAAAAAAAA --headers
      lyra archive show https://example.org/report.pdf --raw > report.pdf
      lyra archive show https://example.org/ --raw --packed | sha256sum

    Next: `lyra archive verify` checks every record.
    --- exit 0
    ");
    insta::assert_snapshot!(own_help("archive verify"), @"
    Check every archived record: that it is where it should be, whole, and as it was written

    Reads all files of the archive, compares the digests in them, and compares them with the index in
    the graph. Records that no row names are counted and no damage: a run that was stopped leaves them.
    Looking changes nothing. Ends with code 5 when something is damaged or missing.

    Usage: lyra archive verify [OPTIONS]

    Options:
          --all
              List all problems instead of the first

      -h, --help
              Print help (see a summary with '-h')

    Examples:
      lyra archive verify
      lyra archive verify --json

    Next: `lyra archive show RECORD_ID` shows one record.
    --- exit 0
    ");
}

#[test]
fn an_answer_is_shown_with_its_place_and_its_content() {
    let mut archived = Archived::new();
    let body = "<html><head><title>観測</title></head><body><h1>観測</h1><p>平均気温は 1.5 度上がった。</p></body></html>";
    archived.add(&page("https://example.org/", "2026-01-15T12:00:00Z", HTML, body.as_bytes()));
    insta::assert_snapshot!(archived.show("archive show https://example.org"), @"
    address   https://example.org/
    archived  0000-00-00 00:00 UTC
    answer    200
    body      text/html; charset=utf-8, 120 B
    digest    sha256:4e694316fd4167ea0f0ef0a66b04d32462c885bda87ff6b0e68898a72bca65d2
    record    urn:uuid:[0]
    place     lyra-20260115120000-00001.warc.gz at byte 876

    # 観測

    平均気温は 1.5 度上がった。
    --- exit 0
    ");
}

#[test]
fn a_page_that_did_not_change_is_shown_from_the_answer_it_stands_for() {
    let mut archived = Archived::new();
    let url = "https://example.org/a";
    let first =
        archived.add(&page(url, "2026-01-15T12:00:00Z", HTML, b"<p>The old text of the page.</p>"));
    let head = b"HTTP/1.1 304 Not Modified\r\n\r\n";
    let response = Response::NotModified { head, refers_to: &first };
    let again =
        archived.add(&Exchange { response, ..page(url, "2026-01-16T12:00:00Z", HTML, b"") });
    insta::assert_snapshot!(archived.show(&format!("archive show {url}")), @"
    address   https://example.org/a
    archived  0000-00-00 00:00 UTC
    answer    not modified
    same as   urn:uuid:[0] of 0000-00-00 00:00 UTC
    body      text/html; charset=utf-8, 32 B
    digest    sha256:25fcc5ea7d7c7b97f8f58af7297221d53ef8039f0f7742fd61b5b6b63313f655
    record    urn:uuid:[1]
    place     lyra-20260115120000-00001.warc.gz at byte 878

    VERSION           ANSWER        RECORD
    ───────           ──────        ──────
    0000-00-00 00:00  not modified  urn:uuid:[1]
    0000-00-00 00:00  200           urn:uuid:[0]

    The old text of the page.
    --- exit 0
    ");
    let json = archived.run(&format!("archive show {url} --json")).json();
    assert_eq!(json["record"]["record_id"], again.record_id.as_str());
    assert_eq!(json["held_by"]["record_id"], first.record_id.as_str());
    assert_eq!(json["text"], "The old text of the page.\n");
    assert_eq!(json["headers"][0], serde_json::json!(["content-type", "text/html; charset=utf-8"]));
    assert_eq!(json["versions"].as_array().unwrap().len(), 2);
}

#[test]
fn an_older_version_is_shown_by_its_record() {
    let mut archived = Archived::new();
    let url = "https://example.org/a";
    let first = archived.add(&page(url, "2026-01-15T12:00:00Z", HTML, b"first"));
    archived.add(&page(url, "2026-01-16T12:00:00Z", HTML, b"second"));
    let raw = |target: &str| archived.run(&format!("archive show {target} --raw")).stdout;
    assert_eq!(raw(url), "second");
    assert_eq!(raw(&first.record_id), "first");
}

#[test]
fn a_page_is_shown_by_its_id_and_an_address_that_led_elsewhere_by_what_it_led_to() {
    let mut archived = Archived::new();
    let url = "https://example.org/a";
    let stored = archived.add(&page(url, "2026-01-15T12:00:00Z", HTML, b"body"));
    let page = archived.home.fill(|w| {
        w.cache_fetch(&CachedFetch {
            url: "https://example.org/old".to_owned(),
            final_url: Some(url.to_owned()),
            status: Some(200),
            etag: None,
            last_modified: None,
            content_hash: None,
            fresh_until: None,
            record_id: Some(stored.record_id.clone()),
            checked_at: Timestamp::UNIX_EPOCH,
        })?;
        w.record_page(&NewPage {
            url: url.to_owned(),
            domain: "example.org".to_owned(),
            domain_category: DomainCategory::Unverified,
            title: None,
            language: None,
            year: None,
            work_id: None,
        })
    });
    assert_eq!(archived.run(&format!("archive show {page} --raw")).stdout, "body");
    assert_eq!(archived.run("archive show https://example.org/old --raw").stdout, "body");
}

#[test]
fn packed_bodies_are_unpacked_unless_their_bytes_are_asked_for() {
    let mut archived = Archived::new();
    let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n";
    let packed = gzip("<p>圧縮された本文です。</p>".as_bytes());
    let stored = archived.add(&page("https://example.org/", "2026-01-15T12:00:00Z", head, &packed));
    let raw = archived.run("archive show https://example.org/ --raw");
    assert_eq!(raw.stdout, "<p>圧縮された本文です。</p>");
    let output = archived
        .home
        .command(&["archive", "show", "https://example.org/", "--raw", "--packed"])
        .output()
        .unwrap();
    assert_eq!(output.stdout, packed);
    let json = archived.run("archive show https://example.org/ --json").json();
    assert_eq!(json["record"]["payload_digest"], stored.payload_digest.unwrap());
    assert_eq!(json["body_bytes"], packed.len());
    assert_eq!(json["text"], "圧縮された本文です。\n");
}

#[test]
fn a_body_that_cannot_be_unpacked_is_a_failure_with_a_way_out() {
    let mut archived = Archived::new();
    let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n";
    archived.add(&page("https://example.org/", "2026-01-15T12:00:00Z", head, b"not gzip"));
    insta::assert_snapshot!(archived.show("archive show https://example.org/"), @"
    address   https://example.org/
    archived  0000-00-00 00:00 UTC
    answer    200
    body      text/html, 8 B, packed as gzip
    digest    sha256:3b8f5bf20f566bdf49deca1673231f1fee18efd371451863d186d8d2be69f5e7
    record    urn:uuid:[0]
    place     lyra-20260115120000-00001.warc.gz at byte 877
    --- stderr
    error: the compressed body is broken
    cause: unexpected end of file
    hint: `--raw --packed > FILE` saves the body as it was sent
    --- exit 5
    ");
    insta::assert_snapshot!(archived.show("archive show https://example.org/ --raw"), @"
    --- stderr
    error: the compressed body is broken
    cause: unexpected end of file
    hint: `--raw --packed > FILE` saves the body as it was sent
    --- exit 5
    ");
    assert_eq!(archived.run("archive show https://example.org/ --raw --packed").stdout, "not gzip");
}

#[test]
fn a_body_that_unpacks_to_more_than_the_limit_is_not_unpacked() {
    let mut archived = Archived::new();
    let head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n";
    let packed = gzip(&[b'x'; 2000]);
    archived.add(&page("https://example.org/", "2026-01-15T12:00:00Z", head, &packed));
    let line = "archive show https://example.org/ --raw --set fetch.max_unpacked_bytes=";
    assert_eq!(archived.run(&format!("{line}2000")).stdout.len(), 2000);
    insta::assert_snapshot!(archived.show(&format!("{line}1999")), @"
    --- stderr
    error: the body unpacks to more than 1999 bytes
    hint: raise fetch.max_unpacked_bytes, or save it as it was sent: `--raw --packed > FILE`
    --- exit 7
    ");
}

#[test]
fn pictures_and_redirects_say_what_they_are() {
    let mut archived = Archived::new();
    let picture = b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n";
    archived.add(&page("https://example.org/a.png", "2026-01-15T12:00:00Z", picture, b"\x89PNG"));
    let moved = b"HTTP/1.1 301 Moved Permanently\r\nLocation: https://example.org/new\r\n\r\n";
    archived.add(&page("https://example.org/old", "2026-01-15T12:00:00Z", moved, b""));
    insta::assert_snapshot!(archived.show("archive show https://example.org/a.png"), @"
    address   https://example.org/a.png
    archived  0000-00-00 00:00 UTC
    answer    200
    body      image/png, 4 B
    digest    sha256:0f4636c78f65d3639ece5a064b5ae753e3408614a14fb18ab4d7540d2c248543
    record    urn:uuid:[0]
    place     lyra-20260115120000-00001.warc.gz at byte 882
    --- stderr
    This is not text: `--raw > FILE` saves it.
    --- exit 0
    ");
    insta::assert_snapshot!(archived.show("archive show https://example.org/old"), @"
    address   https://example.org/old
    archived  0000-00-00 00:00 UTC
    answer    301
    leads to  https://example.org/new
    body      unknown, 0 B
    digest    sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
    record    urn:uuid:[0]
    place     lyra-20260115120000-00001.warc.gz at byte 1901
    --- stderr
    There is no content to show.
    --- exit 0
    ");
}

#[test]
fn headers_are_those_that_were_sent_and_received() {
    let mut archived = Archived::new();
    let head = b"HTTP/1.1 200 OK\r\nServer: a\x1b[31mb\r\nTransfer-Encoding: chunked\r\n\r\n";
    let stored = archived.add(&page("https://example.org/", "2026-01-15T12:00:00Z", head, b"body"));
    let by_address = archived.show("archive show https://example.org/ --headers");
    insta::assert_snapshot!(by_address, @"
    GET / HTTP/1.1
    host: example.org
    accept: */*

    HTTP/1.1 200 OK
    Server: a␛[31mb
    X-Archive-Orig-Transfer-Encoding: chunked
    --- exit 0
    ");
    assert_eq!(archived.show(&format!("archive show {} --headers", stored.record_id)), by_address);
}

#[test]
fn what_is_not_archived_is_told() {
    let archived = Archived::new();
    let lines = [
        "archive show https://example.org/",
        "archive show urn:uuid:00000000-0000-8000-8000-000000000000",
        "archive show p_01ARZ3NDEKTSV4RRFFQ69G5FAV",
        "archive show p_nonsense",
        "archive show example",
    ];
    let answers: Vec<String> = lines.iter().map(|it| archived.show(it)).collect();
    insta::assert_snapshot!(answers.join("\n\n"), @"
    --- stderr
    error: nothing is archived of https://example.org/
    hint: `lyra archive list` shows what is there; `lyra read URL` fetches a page
    --- exit 3

    --- stderr
    error: no archived record urn:uuid:[0]
    hint: `lyra archive list` shows what is there; `lyra read URL` fetches a page
    --- exit 3

    --- stderr
    error: no page p_AAAAAAAAAAAAAAAAAAAAAAAAAA
    --- exit 3

    --- stderr
    error: `p_nonsense` is not a page id; it should look like p_AAAAAAAAAAAAAAAAAAAAAAAAAA
    --- exit 2

    --- stderr
    error: `example` is no address, page or record: relative URL without a base
    hint: addresses look like https://example.org/page, pages like p_01ARZ3ND..., records like urn:uuid:...
    --- exit 2
    ");
}

#[test]
fn the_list_shows_answers_newest_first() {
    let mut archived = Archived::new();
    insta::assert_snapshot!(archived.show("archive list"), @"
    --- stderr
    The archive is empty.
    --- exit 0
    ");
    let missing = b"HTTP/1.1 404 Not Found\r\n\r\n";
    archived.add(&page("https://example.org/a", "2026-01-15T12:00:00Z", HTML, b"a"));
    archived.add(&page("https://example.org/b", "2026-01-16T12:00:00Z", missing, b"b"));
    insta::assert_snapshot!(archived.show("archive list"), @"
    TIME              ANSWER   SIZE  ADDRESS                RECORD
    ────              ──────   ────  ───────                ──────
    0000-00-00 00:00  404     532 B  https://example.org/b  urn:uuid:[0]
    0000-00-00 00:00  200     555 B  https://example.org/a  urn:uuid:[1]
    --- exit 0
    ");
    insta::assert_snapshot!(archived.show("archive list --limit 1"), @"
    TIME              ANSWER   SIZE  ADDRESS                RECORD
    ────              ──────   ────  ───────                ──────
    0000-00-00 00:00  404     532 B  https://example.org/b  urn:uuid:[0]
    --- stderr
    The newest 1; --all shows the rest.
    --- exit 0
    ");
    let json = archived.run("archive list --limit 1 --json").json();
    assert_eq!(
        (&json["records"][0]["url"], &json["more"]),
        (&"https://example.org/b".into(), &true.into())
    );
    assert_eq!(
        archived.run("archive list --all --json").json()["records"].as_array().unwrap().len(),
        2
    );
}

#[test]
fn a_sound_archive_is_verified() {
    let mut archived = Archived::new();
    insta::assert_snapshot!(archived.show("archive verify"), @"
    --- stderr
    The archive is empty.
    --- exit 0
    ");
    archived.add(&page("https://example.org/a", "2026-01-15T12:00:00Z", HTML, b"a"));
    archived.add(&page("https://example.org/b", "2026-01-15T12:00:00Z", HTML, b"b"));
    insta::assert_snapshot!(archived.show("archive verify"), @"
    1 file, 5 records, 7 digests, 4 rows of the index: all as they were written.
    --- stderr
    Checking lyra-20260115120000-00001.warc.gz (1 of 1).
    --- exit 0
    ");
    let json = archived.run("archive verify --json").json();
    assert_eq!(
        json,
        serde_json::json!({
            "ok": true, "files": 1, "records": 5, "digests": 7, "rows": 4, "unnamed": 0, "cut_off": 0,
            "problems": []
        })
    );
}

#[test]
fn what_a_stopped_run_left_behind_is_no_damage() {
    let mut archived = Archived::new();
    archived.add(&page("https://example.org/a", "2026-01-15T12:00:00Z", HTML, b"a"));
    let lost = archived.append(&page("https://example.org/b", "2026-01-15T12:00:00Z", HTML, b"b"));
    let path = archived.home.data().join("archive").join(&lost.request.file);
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() - 5]).unwrap();
    insta::assert_snapshot!(archived.show("archive verify"), @"
    1 file, 4 records, 5 digests, 2 rows of the index: all as they were written.
    --- stderr
    Checking lyra-20260115120000-00001.warc.gz (1 of 1).
    1 record is not in the index: a run was stopped before naming it.
    1 file ends inside a record: a run was stopped; nothing refers to it.
    --- exit 0
    ");
}

#[test]
fn every_kind_of_damage_is_named_and_the_rest_is_checked() {
    let mut archived = Archived::new();
    let times = ["2026-01-15T12:00:00Z"; 4];
    let urls = ["a", "b", "c", "d"].map(|it| format!("https://example.org/{it}"));
    let stored: Vec<Stored> = urls
        .iter()
        .zip(times)
        .map(|(url, at)| archived.add(&page(url, at, HTML, b"The body of a page.")))
        .collect();
    let folder = archived.home.data().join("archive");
    let path = folder.join(&stored[0].file);
    let mut bytes = fs::read(&path).unwrap();
    // The middle of the second page's record is spoiled, and the file ends inside the last.
    bytes[(stored[1].byte_start + stored[1].byte_length / 2) as usize] ^= 0xff;
    bytes.truncate((stored[3].byte_start + 10) as usize);
    fs::write(&path, &bytes).unwrap();
    // A row that points at a file that is gone, and one that says something else than its record.
    let gone = Stored {
        record_id: "urn:uuid:11111111-1111-8111-8111-111111111111".to_owned(),
        file: "lyra-20200101000000-00001.warc.gz".to_owned(),
        ..stored[0].clone()
    };
    archived.index(&gone, Some(200), None);
    let answer = archived.show("archive verify");
    insta::assert_snapshot!(answer, @"
    FILE                               BYTE  PROBLEM                                                RECORD
    ────                               ────  ───────                                                ──────
    lyra-20200101000000-00001.warc.gz   878  the file is not there                                  urn:uuid:[0]
    lyra-20260115120000-00001.warc.gz  1920  corrupt gzip stream does not have a matching checksum  urn:uuid:[1]
    lyra-20260115120000-00001.warc.gz  4005  the record is cut off                                  urn:uuid:[2]
    1 file, 7 records, 9 digests, 9 rows of the index: 3 problems.
    --- stderr
    Checking lyra-20200101000000-00001.warc.gz (1 of 2).
    Checking lyra-20260115120000-00001.warc.gz (2 of 2).
    error: 3 problems were found in the archive
    hint: restore the files from a copy; what is listed no longer counts as evidence
    --- exit 5
    ");
    let json = archived.run("archive verify --json");
    assert_eq!(json.code, Some(5));
    assert_eq!(json.json()["ok"], false);
    assert_eq!(json.json()["rows"], 9, "also those behind the damage");
}

#[test]
fn an_index_that_says_something_else_than_the_record_is_named() {
    let mut archived = Archived::new();
    let appended =
        archived.append(&page("https://example.org/a", "2026-01-15T12:00:00Z", HTML, b"a"));
    let wrong = Stored {
        url: "https://example.org/forged".to_owned(),
        payload_digest: Some("sha256:00".to_owned()),
        ..appended.response.unwrap()
    };
    archived.index(&appended.request, None, None);
    archived.index(&wrong, Some(200), None);
    insta::assert_snapshot!(archived.show("archive verify"), @"
    FILE                               BYTE  PROBLEM                                      RECORD
    ────                               ────  ───────                                      ──────
    lyra-20260115120000-00001.warc.gz   878  its address is not that of the index         urn:uuid:[0]
    lyra-20260115120000-00001.warc.gz   878  its payload digest is not that of the index  urn:uuid:[0]
    1 file, 3 records, 4 digests, 2 rows of the index: 2 problems.
    --- stderr
    Checking lyra-20260115120000-00001.warc.gz (1 of 1).
    error: 2 problems were found in the archive
    hint: restore the files from a copy; what is listed no longer counts as evidence
    --- exit 5
    ");
}

#[test]
fn a_damaged_record_cannot_be_shown_and_says_so() {
    let mut archived = Archived::new();
    let stored = archived.add(&page("https://example.org/a", "2026-01-15T12:00:00Z", HTML, b"a"));
    let path = archived.home.data().join("archive").join(&stored.file);
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() - 5]).unwrap();
    insta::assert_snapshot!(archived.show("archive show https://example.org/a"), @"
    --- stderr
    error: [home]/.local/share/lyra/archive/lyra-20260115120000-00001.warc.gz: the record at byte 878 is cut off
    hint: `lyra archive verify` checks all of the archive
    --- exit 5
    ");
    fs::remove_file(&path).unwrap();
    insta::assert_snapshot!(archived.show("archive show https://example.org/a"), @"
    --- stderr
    error: cannot access [home]/.local/share/lyra/archive/lyra-20260115120000-00001.warc.gz
    cause: No such file or directory (os error 2)
    hint: the file was moved or deleted: bring it back from a copy
    --- exit 5
    ");
}

/// The whole way: what `lyra read` fetched is shown from the archive, is sound, and stands in the ledger.
#[test]
fn what_was_fetched_is_archived_as_the_server_sent_it() {
    let (web, home) = online();
    let body = "<html><body><p>The level of the sea rose.</p></body></html>";
    web.put("page.test", "/sea", testweb::Answer::html(200, body));
    assert_eq!(home.run("read http://page.test/sea --quiet").code, Some(0));

    assert_eq!(home.run("archive show http://page.test/sea --raw").stdout, body);
    let headers = home.run("archive show http://page.test/sea --headers").stdout;
    assert!(headers.starts_with("GET /sea HTTP/1.1\n"), "{headers}");
    assert!(headers.contains("\n\nHTTP/1.1 200 OK\n"), "{headers}");

    let verified = home.run("archive verify --json").json();
    assert_eq!((&verified["ok"], &verified["problems"]), (&true.into(), &serde_json::json!([])));
    // The page and robots.txt, asked and answered.
    assert_eq!((&verified["rows"], &verified["unnamed"]), (&4.into(), &0.into()));

    let ledger = home.run("egress --host page.test --json").json();
    assert_eq!(ledger["totals"]["requests"], 2);
    assert_eq!(ledger["totals"]["unanswered"], 0);
    let rows = ledger["requests"].as_array().unwrap();
    let paths: Vec<_> = rows.iter().map(|it| (&it["path"], &it["status"])).collect();
    assert_eq!(paths[0], (&"/sea".into(), &200.into()));
    assert_eq!(paths[1].0, "/robots.txt");
}
