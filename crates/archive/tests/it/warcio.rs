//! Our files under the eyes of another program:
//! `LYRA_WARCIO_PYTHON=python3 cargo nextest run -p archive warcio`, a Python that has `warcio`.

use std::process::Command;

use archive::{Exchange, Options, Response, Writer};

use crate::support::{OK, options, page};

/// Every kind of record, and bodies that readers stumble over.
fn write_everything(dir: &std::path::Path) {
    let mut writer = Writer::open(dir, Options { file_bytes: 2500, ..options() }).unwrap();
    let gzip = {
        use std::io::Write;
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all("<p>圧縮された本文</p>".as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    let first = writer.append(&page("https://example.org/a", b"<p>body</p>")).unwrap();
    let response = first.response.unwrap();
    let full = |head, body| Response::Full { head, body, truncated: None };
    let not_modified = b"HTTP/1.1 304 Not Modified\r\n\r\n";
    let rest = [
        Exchange {
            response: Response::NotModified { head: not_modified, refers_to: &response },
            ..page("https://example.org/a", b"")
        },
        Exchange { response: Response::None, ..page("https://example.org/dead", b"") },
        page("https://example.org/empty", b""),
        page("https://example.org/?q=%E6%97%A5%E6%9C%AC&b=c", b"\r\n\r\nWARC/1.1\r\n\r\n"),
        Exchange {
            request_head: b"POST /a HTTP/1.1\r\ncontent-length: 3\r\n\r\n",
            request_body: b"q=1",
            ..page("https://example.org/post", "日本語".as_bytes())
        },
        Exchange {
            response: full(
                b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ntransfer-encoding: chunked\r\n\r\n",
                &gzip,
            ),
            ..page("https://example.org/packed", b"")
        },
        Exchange {
            response: Response::Full { head: OK, body: b"half", truncated: Some("time") },
            address: Some("2001:db8::7"),
            ..page("https://example.org/cut", b"")
        },
        Exchange {
            response: full(b"HTTP/2 404\r\ncontent-length: 4\r\n\r\n", b"gone"),
            address: None,
            ..page("https://example.org/gone", b"")
        },
    ];
    for exchange in &rest {
        writer.append(exchange).unwrap();
    }
    writer.sync().unwrap();
}

#[test]
fn warcio_reads_our_files_without_complaint_and_finds_the_same_bodies() {
    let Some(python) = testkit::program("LYRA_WARCIO_PYTHON") else { return };
    let dir = tempfile::tempdir().unwrap();
    write_everything(dir.path());
    let files = archive::files(dir.path()).unwrap();
    assert!(files.len() > 1, "rotated: {files:?}");

    let script = "
import sys
from warcio.checker import Checker
from warcio.archiveiterator import ArchiveIterator

class Command:
    inputs, verbose = sys.argv[1:], True

code = Checker(Command).process_all()
for name in sys.argv[1:]:
    with open(name, 'rb') as file:
        for record in ArchiveIterator(file, verify_http=False):
            url = record.rec_headers.get_header('WARC-Target-URI')
            if record.rec_type in ('response', 'revisit'):
                body = record.content_stream().read().decode('utf-8')
                print('read', record.rec_type, url, record.http_headers.get_statuscode(), repr(body))
sys.exit(code)
";
    let output = Command::new(python)
        .args(["-c", script])
        .args(files)
        .current_dir(dir.path())
        .env("PYTHONIOENCODING", "utf-8")
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{printed}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    let verdicts = |text: &str| printed.lines().filter(|it| it.trim() == text).count();
    insta::assert_snapshot!(verdicts("digest pass"), @"20");
    insta::assert_snapshot!(verdicts("digest present but not checked (revisit)"), @"1");
    let read: Vec<&str> = printed.lines().filter(|it| it.starts_with("read ")).collect();
    insta::assert_snapshot!(read.join("\n"), @r"
    read response https://example.org/a 200 '<p>body</p>'
    read revisit https://example.org/a 304 ''
    read response https://example.org/empty 200 ''
    read response https://example.org/?q=%E6%97%A5%E6%9C%AC&b=c 200 '\r\n\r\nWARC/1.1\r\n\r\n'
    read response https://example.org/post 200 '日本語'
    read response https://example.org/packed 200 '<p>圧縮された本文</p>'
    read response https://example.org/cut 200 'half'
    read response https://example.org/gone 404 'gone'
    ");
}
