use std::fs;
use std::io::Read;

use archive::{Exchange, Kind, Options, Response, Writer};
use proptest::prelude::*;

use crate::support::{OK, archive, noon, options, page, read, walk};

/// The whole file, unpacked, with ids replaced by what they stand for.
fn unpacked(dir: &std::path::Path, file: &str) -> String {
    let packed = fs::read(dir.join(file)).unwrap();
    let mut text = String::new();
    flate2::read::MultiGzDecoder::new(&*packed).read_to_string(&mut text).unwrap();
    let mut ids: Vec<String> = Vec::new();
    for at in text.match_indices("<urn:uuid:").map(|(at, _)| at) {
        let id = text[at..at + 47].to_owned();
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    for (number, id) in ids.iter().enumerate() {
        text = text.replace(id, &format!("<id-{number}>"));
    }
    text.replace("\r\n", "\n")
}

#[test]
fn an_exchange_becomes_a_request_and_a_response_that_know_each_other() {
    let (dir, appended) = archive(&[page("https://example.org/a", "<p>本文</p>".as_bytes())]);
    insta::assert_snapshot!(unpacked(dir.path(), &appended[0].request.file), @"
    WARC/1.1
    WARC-Type: warcinfo
    WARC-Record-ID: <id-0>
    WARC-Date: 2026-01-15T12:00:00Z
    WARC-Filename: lyra-20260115120000-00001.warc.gz
    WARC-Block-Digest: sha256:538a773ed93404b27e3c70d7658a0527b6ea22352501734c230466c9957f5911
    Content-Type: application/warc-fields
    Content-Length: 146

    software: lyra-test/1
    format: WARC File Format 1.1
    conformsTo: https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/


    WARC/1.1
    WARC-Type: request
    WARC-Record-ID: <id-1>
    WARC-Warcinfo-ID: <id-0>
    WARC-Date: 2026-01-15T12:00:00Z
    WARC-Target-URI: https://example.org/a
    WARC-IP-Address: 192.0.2.7
    WARC-Concurrent-To: <id-2>
    WARC-Block-Digest: sha256:380881b212ba710d88877faa43991c0de7575d7fae25a86984353ebc4f416c0e
    Content-Type: application/http;msgtype=request
    Content-Length: 38

    GET /a HTTP/1.1
    host: example.org



    WARC/1.1
    WARC-Type: response
    WARC-Record-ID: <id-2>
    WARC-Warcinfo-ID: <id-0>
    WARC-Date: 2026-01-15T12:00:00Z
    WARC-Target-URI: https://example.org/a
    WARC-IP-Address: 192.0.2.7
    WARC-Concurrent-To: <id-1>
    WARC-Block-Digest: sha256:e78cb58da77ac4df33aad03d497c3dcfc5324853a2dccb77e7d5aa62cfa32a12
    WARC-Payload-Digest: sha256:ce10249986132e31b74162eff84d57c63eca2fe67a6e398a5cc3b8dab46025ff
    Content-Type: application/http;msgtype=response
    Content-Length: 57

    HTTP/1.1 200 OK
    content-type: text/html

    <p>本文</p>
    ");
}

#[test]
fn a_page_that_did_not_change_refers_to_the_response_that_holds_it() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = Writer::open(dir.path(), options()).unwrap();
    let first = writer.append(&page("https://example.org/a", b"body")).unwrap().response.unwrap();
    let head = b"HTTP/1.1 304 Not Modified\r\netag: \"7\"\r\n\r\n";
    let at = "2026-01-16T12:00:00.125Z".parse().unwrap();
    let response = Response::NotModified { head, refers_to: &first };
    let again = Exchange { at, response, ..page("https://example.org/a", b"") };
    let revisit = writer.append(&again).unwrap().response.unwrap();
    writer.sync().unwrap();

    assert_eq!(revisit.kind, Kind::Revisit);
    assert_eq!(revisit.payload_digest, first.payload_digest);
    let record = read(dir.path(), &revisit);
    let header = |name| record.header(name).unwrap();
    assert_eq!(
        header("WARC-Profile"),
        "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
    );
    assert_eq!(header("WARC-Refers-To"), format!("<{}>", first.record_id));
    assert_eq!(header("WARC-Refers-To-Target-URI"), "https://example.org/a");
    assert_eq!(header("WARC-Refers-To-Date"), "2026-01-15T12:00:00Z");
    assert_eq!(header("WARC-Date"), "2026-01-16T12:00:00.125Z");
    assert_eq!(record.http().unwrap(), (&head[..], &b""[..]));
    assert_eq!(record.status(), Some(304));
}

#[test]
fn a_request_without_an_answer_is_archived_alone() {
    let (dir, appended) =
        archive(&[Exchange { response: Response::None, ..page("https://example.org/a", b"") }]);
    assert_eq!(appended[0].response, None);
    let file = &appended[0].request.file;
    insta::assert_snapshot!(walk(&dir.path().join(file)), @"
    warcinfo lyra-20260115120000-00001.warc.gz
    request https://example.org/a
    ");
    assert_eq!(read(dir.path(), &appended[0].request).header("WARC-Concurrent-To"), None);
}

#[test]
fn a_body_that_was_cut_says_why() {
    let response = Response::Full { head: OK, body: b"half", truncated: Some("length") };
    let (dir, appended) =
        archive(&[Exchange { response, ..page("https://example.org/huge", b"") }]);
    let record = read(dir.path(), appended[0].response.as_ref().unwrap());
    assert_eq!(record.header("WARC-Truncated"), Some("length"));
}

#[test]
fn the_header_about_chunks_that_are_gone_is_renamed_and_nothing_else() {
    let head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-Transfer-Encoding: no\r\n\
                 content-encoding: gzip\r\ntransfer-encoding:gzip\r\n\r\n";
    let response =
        Response::Full { head, body: b"Transfer-Encoding: chunked\r\n", truncated: None };
    let (dir, appended) = archive(&[Exchange { response, ..page("https://example.org/a", b"") }]);
    let record = read(dir.path(), appended[0].response.as_ref().unwrap());
    let (head, body) = record.http().unwrap();
    insta::assert_snapshot!(String::from_utf8_lossy(head).replace("\r\n", "\n"), @"
    HTTP/1.1 200 OK
    X-Archive-Orig-Transfer-Encoding: chunked
    X-Transfer-Encoding: no
    content-encoding: gzip
    X-Archive-Orig-transfer-encoding:gzip
    ");
    assert_eq!(body, b"Transfer-Encoding: chunked\r\n");
    assert_eq!(record.digests().wrong, [""; 0]);
}

#[test]
fn a_new_file_is_begun_once_one_is_full() {
    let dir = tempfile::tempdir().unwrap();
    let options = Options { file_bytes: 1, ..options() };
    let mut writer = Writer::open(dir.path(), options).unwrap();
    for url in ["https://example.org/1", "https://example.org/2", "https://example.org/3"] {
        writer.append(&page(url, b"body")).unwrap();
    }
    writer.sync().unwrap();
    let files = archive::files(dir.path()).unwrap();
    let walked: Vec<String> = files.iter().map(|it| walk(&dir.path().join(it))).collect();
    insta::assert_snapshot!(walked.join("\n"), @"
    warcinfo lyra-20260115120000-00001.warc.gz
    request https://example.org/1
    response https://example.org/1
    warcinfo lyra-20260115120000-00002.warc.gz
    request https://example.org/2
    response https://example.org/2
    warcinfo lyra-20260115120000-00003.warc.gz
    request https://example.org/3
    response https://example.org/3
    ");
}

#[test]
fn a_file_below_its_size_goes_on_growing() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = Writer::open(dir.path(), options()).unwrap();
    let first = writer.append(&page("https://example.org/1", b"body")).unwrap();
    writer.sync().unwrap();
    let second = writer.append(&page("https://example.org/2", b"body")).unwrap();
    writer.sync().unwrap();
    let response = first.response.unwrap();
    assert_eq!(second.request.file, response.file);
    assert_eq!(second.request.byte_start, response.byte_start + response.byte_length);
}

#[test]
fn a_second_writer_begins_a_file_of_its_own() {
    let dir = tempfile::tempdir().unwrap();
    let mut files = Vec::new();
    let mut ids = Vec::new();
    for _ in 0..2 {
        let mut writer = Writer::open(dir.path(), options()).unwrap();
        let appended = writer.append(&page("https://example.org/a", b"body")).unwrap();
        files.push(appended.request.file);
        ids.extend([appended.request.record_id, appended.response.unwrap().record_id]);
    }
    assert_eq!(files, ["lyra-20260115120000-00001.warc.gz", "lyra-20260115120000-00002.warc.gz"]);
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 4, "the same exchange, but four records");
}

#[test]
fn opening_alone_makes_no_file() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("new/archive");
    let mut writer = Writer::open(&folder, options()).unwrap();
    writer.sync().unwrap();
    assert_eq!(archive::files(&folder).unwrap(), [""; 0]);
    assert_eq!(archive::files(&dir.path().join("never made")).unwrap(), [""; 0]);
}

#[cfg(unix)]
#[test]
fn files_are_for_their_owner_because_requests_hold_cookies() {
    use std::os::unix::fs::PermissionsExt;
    let (dir, appended) = archive(&[page("https://example.org/a", b"")]);
    let mode =
        fs::metadata(dir.path().join(&appended[0].request.file)).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn what_could_not_be_read_back_is_refused_and_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = Writer::open(dir.path(), options()).unwrap();
    let good = page("https://example.org/a", b"body");
    let long = format!("https://example.org/{}", "a".repeat(70_000));
    let full = |head, body, truncated| Response::Full { head, body, truncated };
    let huge = vec![0; 64 * 1024 * 1024];
    let refused = [
        Exchange { url: "", ..good },
        Exchange { url: "https://example.org/a\r\nWARC-Type: warcinfo", ..good },
        Exchange { url: &long, ..good },
        Exchange { address: Some("192.0.2.7:443"), ..good },
        Exchange { request_head: b"GET / HTTP/1.1\r\n", ..good },
        Exchange { request_head: b"GET / HTTP/1.1\r\n\r\nx: y\r\n\r\n", ..good },
        Exchange { response: full(b"", b"", None), ..good },
        Exchange { response: full(OK, b"", Some("tired")), ..good },
        Exchange { response: full(OK, &huge, None), ..good },
    ];
    let messages: Vec<String> =
        refused.iter().map(|it| writer.append(it).unwrap_err().to_string()).collect();
    insta::assert_snapshot!(messages.join("\n"), @"
    the address of the page cannot be archived: it is empty or has spaces in it
    the address of the page cannot be archived: it is empty or has spaces in it
    the address of the page cannot be archived: it is too long
    the address of the server cannot be archived: it is not an IP address
    the head of the request cannot be archived: it does not end with its first empty line
    the head of the request cannot be archived: it does not end with its first empty line
    the head of the response cannot be archived: it does not end with its first empty line
    the reason of a cut cannot be archived: it is none of those the standard names
    the response cannot be archived: it is larger than a record may be
    ");
    assert_eq!(archive::files(dir.path()).unwrap(), [""; 0]);
    writer.append(&good).unwrap();
    let lines = Options { software: "a\nb".to_owned(), ..options() };
    let error = Writer::open(dir.path(), lines).unwrap_err();
    assert_eq!(error.to_string(), "the name of the program cannot be archived: it has lines");
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    fs::write(&file, "in the way").unwrap();
    let error = Writer::open(&file.join("archive"), options()).unwrap_err();
    assert_eq!(error.to_string(), format!("cannot access {}", file.join("archive").display()));
}

#[test]
fn the_largest_record_that_is_written_can_be_read() {
    let body = vec![b'x'; 64 * 1024 * 1024 - OK.len()];
    let (dir, appended) = archive(&[page("https://example.org/large", &body)]);
    let record = read(dir.path(), appended[0].response.as_ref().unwrap());
    assert_eq!(record.http().unwrap().1.len(), body.len());
}

/// A head as servers send them: any header values, one empty line, at the end.
fn head(first_line: &'static str) -> impl Strategy<Value = Vec<u8>> {
    let line = proptest::collection::vec(any::<u8>(), 0..30).prop_map(|bytes| {
        let value: Vec<u8> = bytes.into_iter().filter(|it| !matches!(it, b'\r' | b'\n')).collect();
        [b"x-any: ".as_slice(), &value, b"\r\n"].concat()
    });
    proptest::collection::vec(line, 0..5)
        .prop_map(move |lines| [first_line.as_bytes(), &lines.concat(), b"\r\n"].concat())
}

proptest! {
    #[test]
    fn what_is_written_is_read_back_byte_for_byte(
        exchanges in proptest::collection::vec(
            (
                head("POST / HTTP/1.1\r\n"),
                proptest::collection::vec(any::<u8>(), 0..200),
                head("HTTP/1.1 200 OK\r\n"),
                proptest::collection::vec(any::<u8>(), 0..2000),
            ),
            1..6,
        ),
        file_bytes in 1..6000_u64,
    ) {
        let dir = tempfile::tempdir().unwrap();
        let mut writer = Writer::open(dir.path(), Options { file_bytes, ..options() }).unwrap();
        let mut stored = Vec::new();
        for (request_head, request_body, response_head, body) in &exchanges {
            let response = Response::Full { head: response_head, body, truncated: None };
            let exchange = Exchange {
                url: "https://example.org/あ",
                at: noon(),
                address: Some("2001:db8::7"),
                request_head,
                request_body,
                response,
            };
            let appended = writer.append(&exchange).unwrap();
            stored.push((appended.request, request_head, request_body));
            stored.push((appended.response.unwrap(), response_head, body));
        }
        writer.sync().unwrap();
        for (stored, head, body) in &stored {
            let record = read(dir.path(), stored);
            prop_assert_eq!(record.http().unwrap(), (head.as_slice(), body.as_slice()));
            prop_assert_eq!(record.record_id(), Some(stored.record_id.as_str()));
            prop_assert_eq!(record.url(), Some("https://example.org/あ"));
            prop_assert_eq!(record.kind(), Some(stored.kind));
            prop_assert_eq!(record.date(), Some(stored.date));
            prop_assert_eq!(record.header("WARC-Payload-Digest"), stored.payload_digest.as_deref());
            prop_assert!(record.digests().wrong.is_empty());
        }
        let walked: usize = archive::files(dir.path()).unwrap().iter().map(|file| {
            archive::records(&dir.path().join(file)).unwrap().map(Result::unwrap)
                .filter(|it| it.record.kind().is_some()).count()
        }).sum();
        prop_assert_eq!(walked, stored.len());
    }
}
