use std::fs;
use std::path::Path;

use archive::{Error, Limits};

use crate::support::{archive, page, walk};

fn write(name: &str, bytes: &[u8]) -> (tempfile::TempDir, std::path::PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(name);
    fs::write(&path, bytes).unwrap();
    (dir, path)
}

/// A record as it is in an uncompressed file.
fn plain(block: &str) -> Vec<u8> {
    let length = block.len();
    format!("WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: <urn:a>\r\nContent-Length: {length}\r\n\r\n{block}\r\n\r\n")
        .into_bytes()
}

#[test]
fn a_file_cut_at_any_byte_of_its_last_record_keeps_everything_before_it() {
    let (dir, appended) =
        archive(&[page("https://example.org/a", b"first"), page("https://example.org/b", b"last")]);
    let last = appended[1].response.as_ref().unwrap();
    let whole = fs::read(dir.path().join(&last.file)).unwrap();
    assert_eq!(whole.len() as u64, last.byte_start + last.byte_length);
    for cut in last.byte_start + 1..whole.len() as u64 {
        let (_dir, path) = write("cut.warc.gz", &whole[..cut as usize]);
        let mut found: Vec<_> = archive::records(&path).unwrap().collect();
        let torn = found.pop().unwrap().unwrap_err();
        assert!(
            matches!(torn, Error::Torn { at, .. } if at == last.byte_start),
            "cut at {cut}: {torn}"
        );
        assert_eq!(found.iter().filter(|it| it.is_ok()).count(), 4, "cut at {cut}");
    }
    let (_dir, path) = write("cut.warc.gz", &whole[..last.byte_start as usize]);
    assert_eq!(archive::records(&path).unwrap().filter(|it| it.is_ok()).count(), 4);
}

#[test]
fn a_plain_file_cut_at_any_byte_of_its_last_record_keeps_everything_before_it() {
    let (first, last) = (plain("first"), plain("last\r\n\r\n"));
    let whole = [first.clone(), last].concat();
    for cut in first.len() + 1..whole.len() {
        let (_dir, path) = write("cut.warc", &whole[..cut]);
        let mut found: Vec<_> = archive::records(&path).unwrap().collect();
        let torn = found.pop().unwrap().unwrap_err();
        assert!(
            matches!(torn, Error::Torn { at, .. } if at == first.len() as u64),
            "cut at {cut}: {torn}"
        );
        assert_eq!(found.len(), 1, "cut at {cut}");
    }
}

#[test]
fn any_changed_byte_of_a_record_is_noticed() {
    let (dir, appended) = archive(&[page("https://example.org/a", b"the body of the page")]);
    let response = appended[0].response.as_ref().unwrap();
    let path = dir.path().join(&response.file);
    let whole = fs::read(&path).unwrap();
    // Bytes 3 to 9 of a gzip member are hints, its time, level and system: nothing of ours.
    let told = (response.byte_start..whole.len() as u64)
        .filter(|it| !(3..10).contains(&(it - response.byte_start)));
    for at in told {
        let mut changed = whole.clone();
        changed[at as usize] ^= 1;
        fs::write(&path, changed).unwrap();
        let read = archive::read_record(
            dir.path(),
            &response.file,
            response.byte_start,
            response.byte_length,
        );
        assert!(read.is_err(), "byte {at}");
    }
}

#[test]
fn what_is_not_a_record_is_told_and_where() {
    let member = |bytes: &[u8]| {
        use std::io::Write;
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    };
    let cases: [(&str, Vec<u8>); 14] = [
        ("empty", Vec::new()),
        ("text", b"hello".to_vec()),
        ("text with lines", b"hello\nworld\n".to_vec()),
        ("text behind a record", [plain("x"), b"hello".to_vec()].concat()),
        ("no length", b"WARC/1.1\r\nWARC-Type: resource\r\n\r\n\r\n\r\n".to_vec()),
        ("length of words", b"WARC/1.1\r\nContent-Length: many\r\n\r\n\r\n\r\n".to_vec()),
        ("no colon", b"WARC/1.1\r\nContent-Length\r\n\r\n\r\n\r\n".to_vec()),
        (
            "wrong length",
            plain("abc").iter().map(|it| if *it == b'3' { b'2' } else { *it }).collect(),
        ),
        ("terabytes", b"WARC/1.1\r\nContent-Length: 9999999999999\r\n\r\n".to_vec()),
        ("endless header", [b"WARC/1.1\r\nx: ".to_vec(), vec![b'x'; 70_000]].concat()),
        ("two in a member", member(&[plain("a"), plain("b")].concat())),
        ("half in a member", member(&plain("abc")[..80])),
        ("text in a member", member(b"hello")),
        ("zeros behind a member", [member(&plain("a")), vec![0; 100]].concat()),
    ];
    let lines = cases.map(|(name, bytes)| {
        let (_dir, path) = write("f", &bytes);
        format!("{name}: {}", walk(&path).replace('\n', " / "))
    });
    insta::assert_snapshot!(lines.join("\n"), @"
    empty: 
    text: f: byte 0: no WARC record begins here
    text with lines: f: byte 0: no WARC record begins here
    text behind a record: resource urn:a / f: byte 83: no WARC record begins here
    no length: f: byte 0: the record does not say how long it is
    length of words: f: byte 0: the record does not say how long it is
    no colon: f: byte 0: a line of the record's header has no colon
    wrong length: f: byte 0: the record is not as long as it says
    terabytes: f: byte 0: the block of the record is larger than 67108864 bytes
    endless header: f: byte 0: the header of the record is larger than 65536 bytes
    two in a member: f: byte 0: the gzip member holds more than one record
    half in a member: f: byte 0: the gzip member ends before its record
    text in a member: f: byte 0: no WARC record begins here
    zeros behind a member: resource urn:a / f: byte 92: no WARC record begins here
    ");
}

#[test]
fn limits_are_the_callers() {
    let (_dir, path) = write("a.warc", &plain("twelve bytes"));
    let read = |limits| archive::records_with(&path, limits).unwrap().next().unwrap();
    let exactly = Limits { block_bytes: 12, ..Limits::default() };
    assert_eq!(read(exactly).unwrap().record.block, b"twelve bytes");
    let error = read(Limits { block_bytes: 11, ..Limits::default() }).unwrap_err();
    assert!(matches!(error, Error::TooLarge { part: "block", limit: 11, .. }), "{error}");
    let error = read(Limits { header_bytes: 40, ..Limits::default() }).unwrap_err();
    assert!(matches!(error, Error::TooLarge { part: "header", limit: 40, .. }), "{error}");
}

#[test]
fn a_header_may_go_on_in_the_next_line_and_end_without_a_carriage_return() {
    let text =
        "WARC/0.18\nwarc-type: resource\nX-Long: one\n  two\nCONTENT-LENGTH:  1 \n\nx\r\n\r\n";
    let (_dir, path) = write("a.warc", text.as_bytes());
    let found = archive::records(&path).unwrap().next().unwrap().unwrap();
    assert_eq!(found.record.type_name(), "resource");
    assert_eq!(found.record.header("x-long"), Some("one two"));
    assert_eq!(found.record.block, b"x");
    assert_eq!((found.byte_start, found.byte_length), (0, text.len() as u64));
}

#[test]
fn a_record_is_read_only_from_its_place_and_only_inside_the_folder() {
    let (dir, appended) = archive(&[page("https://example.org/a", b"body")]);
    let at = appended[0].response.as_ref().unwrap();
    let read = |file: &str, start, length| {
        let error = archive::read_record(dir.path(), file, start, length).unwrap_err();
        error.to_string().replace(&format!("{}/", dir.path().display()), "")
    };
    let (start, length) = (at.byte_start, at.byte_length);
    let messages = [
        read(&at.file, start + 1, length),
        read(&at.file, start, length - 1),
        read(&at.file, start, length + 1),
        read(&at.file, 1 << 40, length),
        read("gone.warc.gz", start, length),
        read("../secret.warc.gz", start, length),
        read("/etc/passwd", 0, 10),
        read("", 0, 10),
    ];
    insta::assert_snapshot!(messages.join("\n"), @r#"
    lyra-20260115120000-00001.warc.gz: byte 868: no WARC record begins here
    lyra-20260115120000-00001.warc.gz: the record at byte 867 is cut off
    lyra-20260115120000-00001.warc.gz: byte 867: the record is shorter than it should be
    lyra-20260115120000-00001.warc.gz: byte 1099511627776: the file ends before this record
    cannot access gone.warc.gz
    "../secret.warc.gz" is not the name of a file in the archive
    "/etc/passwd" is not the name of a file in the archive
    "" is not the name of a file in the archive
    "#);
    let gone = archive::read_record(dir.path(), "gone.warc.gz", 0, 1).unwrap_err();
    assert!(gone.is_missing_file());
}

#[test]
fn the_parts_of_an_http_message_are_given() {
    let (dir, appended) = archive(&[page("https://example.org/a", b"body")]);
    let record = crate::support::read(dir.path(), appended[0].response.as_ref().unwrap());
    assert_eq!(record.status(), Some(200));
    assert_eq!(record.http_headers(), [("content-type".to_owned(), "text/html".to_owned())]);
    let request = crate::support::read(dir.path(), &appended[0].request);
    assert_eq!(request.status(), None);
    let mut first = archive::records(&dir.path().join(&appended[0].request.file)).unwrap();
    let warcinfo = first.next().unwrap().unwrap().record;
    assert_eq!(warcinfo.http().unwrap_err().to_string(), "the record holds no HTTP message");
    assert_eq!((warcinfo.kind(), warcinfo.http_headers()), (None, Vec::new()));
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let error = archive::records(Path::new("nowhere.warc")).unwrap_err();
    assert_eq!(error.to_string(), "cannot access nowhere.warc");
}
