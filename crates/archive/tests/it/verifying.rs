use std::fs;

use archive::{Exchange, Response, Verified};

use crate::support::{OK, archive, page};

#[test]
fn a_whole_file_has_all_its_digests_checked() {
    let post = Exchange {
        request_head: b"POST /a HTTP/1.1\r\n\r\n",
        request_body: b"q=1",
        ..page("https://example.org/a", b"")
    };
    let (dir, appended) = archive(&[page("https://example.org/a", b"body"), post]);
    let verified = archive::verify(&dir.path().join(&appended[0].request.file)).unwrap();
    // One digest in the first record and in a request without a body, two in the others.
    assert_eq!(verified, Verified { records: 5, digests: 8, problems: Vec::new() });
}

#[test]
fn a_digest_that_is_wrong_is_named_with_its_record() {
    let response = Response::Full { head: OK, body: b"body", truncated: None };
    let (dir, appended) = archive(&[Exchange { response, ..page("https://example.org/a", b"") }]);
    let stored = appended[0].response.as_ref().unwrap();
    let record = crate::support::read(dir.path(), stored);
    // A forger who packs the record anew, with another body of the same length.
    let mut text = "WARC/1.1\r\n".to_owned();
    for (name, value) in &record.headers {
        text += &format!("{name}: {value}\r\n");
    }
    text += "\r\nHTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\nBODY\r\n\r\n";
    let path = dir.path().join("forged.warc");
    fs::write(&path, text).unwrap();
    let verified = archive::verify(&path).unwrap();
    assert_eq!((verified.records, verified.digests), (1, 2));
    let problems: Vec<String> = verified
        .problems
        .iter()
        .map(|problem| {
            assert_eq!(problem.record_id.as_ref(), Some(&stored.record_id));
            format!("{} {}", problem.at, problem.what)
        })
        .collect();
    insta::assert_snapshot!(problems.join("\n"), @"
    0 WARC-Block-Digest is not that of the bytes
    0 WARC-Payload-Digest is not that of the bytes
    ");
}

#[test]
fn a_torn_record_is_a_problem_of_its_file_and_not_the_end_of_the_check() {
    let (dir, appended) = archive(&[page("https://example.org/a", b"body")]);
    let path = dir.path().join(&appended[0].request.file);
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() - 1]).unwrap();
    let verified = archive::verify(&path).unwrap();
    assert_eq!(verified.records, 2);
    assert_eq!(verified.problems.len(), 1);
    let start = appended[0].response.as_ref().unwrap().byte_start;
    assert_eq!(verified.problems[0].at, start);
    assert_eq!(verified.problems[0].what, "the record is cut off");
}

#[test]
fn an_empty_file_has_nothing_to_check() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("empty.warc.gz");
    fs::write(&path, "").unwrap();
    assert_eq!(archive::verify(&path).unwrap(), Verified::default());
    let error = archive::verify(&dir.path().join("gone.warc.gz")).unwrap_err();
    assert!(error.is_missing_file());
}
