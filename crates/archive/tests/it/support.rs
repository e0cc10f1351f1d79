//! Short ways to write an archive and to see what is in it.

use std::path::Path;

use archive::{Appended, Exchange, Options, Response, Stored, Writer};
use jiff::Timestamp;
use tempfile::TempDir;

pub(crate) const REQUEST: &[u8] = b"GET /a HTTP/1.1\r\nhost: example.org\r\n\r\n";
pub(crate) const OK: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n";

pub(crate) fn noon() -> Timestamp {
    "2026-01-15T12:00:00Z".parse().unwrap()
}

pub(crate) fn options() -> Options {
    Options { software: "lyra-test/1".to_owned(), ..Options::default() }
}

/// A page that was asked for and came whole.
pub(crate) fn page<'a>(url: &'a str, body: &'a [u8]) -> Exchange<'a> {
    Exchange {
        url,
        at: noon(),
        address: Some("192.0.2.7"),
        request_head: REQUEST,
        request_body: b"",
        response: Response::Full { head: OK, body, truncated: None },
    }
}

/// A folder with an archive, written in one go.
pub(crate) fn archive(exchanges: &[Exchange<'_>]) -> (TempDir, Vec<Appended>) {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = Writer::open(dir.path(), options()).unwrap();
    let appended = exchanges.iter().map(|it| writer.append(it).unwrap()).collect();
    writer.sync().unwrap();
    (dir, appended)
}

pub(crate) fn read(dir: &Path, stored: &Stored) -> archive::Record {
    archive::read_record(dir, &stored.file, stored.byte_start, stored.byte_length).unwrap()
}

/// The records of a file, one on a line: type and address, or what stopped the reading.
pub(crate) fn walk(path: &Path) -> String {
    let folder = format!("{}/", path.parent().unwrap().display());
    let lines = archive::records(path).unwrap().map(|entry| match entry {
        Ok(entry) => format!(
            "{} {}",
            entry.record.type_name(),
            entry.record.url().or(entry.record.header("WARC-Filename")).unwrap_or_default()
        ),
        Err(error) => error.to_string().replace(&folder, ""),
    });
    lines.collect::<Vec<_>>().join("\n")
}
