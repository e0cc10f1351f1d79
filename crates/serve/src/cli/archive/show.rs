//! `lyra archive show`: an archived answer, as text or as it is.

use clap::Args;
use evidence::PageId;
use extract::Input;
use fetch::{UnpackError, unpack};
use graph::{ArchiveKind, ArchiveRecord, Graph};
use jiff::Timestamp;
use serde_json::json;
use url::Url;

use super::target::{Target, read};
use crate::cli::{Field, minute, size};
use crate::clock::minute_and_zone;
use crate::failure::{Failure, Kind};
use crate::session::{Session, ask};
use crate::ui::{Column, Table, clean, record};
use crate::words::{Words, say};

/// Show an archived answer: what it says, its headers, or its bytes
///
/// The newest answer of an address or a page, or any record by its id, with where and when it was
/// archived. Without a flag the body is shown as `lyra read` reads it. Nothing is fetched.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra archive show https://example.org/
  lyra archive show p_01ARZ3NDEKTSV4RRFFQ69G5FAV --headers
  lyra archive show https://example.org/report.pdf --raw > report.pdf
  lyra archive show https://example.org/ --raw --packed | sha256sum

Next: `lyra archive verify` checks every record.")]
pub(crate) struct Show {
    /// The address, the page, or the record
    #[arg(value_name = "URL|PAGE_ID|RECORD_ID")]
    target: String,
    /// Write the bytes of the body to stdout, and nothing else
    #[arg(long, conflicts_with_all = ["headers", "json"])]
    raw: bool,
    /// The body as it was sent, still packed where its headers say so: its digest is the stored one
    #[arg(long, requires = "raw")]
    packed: bool,
    /// Show the headers that were sent and received
    #[arg(long, conflicts_with = "json")]
    headers: bool,
}

impl Show {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        let graph = session.reader()?;
        let target = Target::find(graph, &self.target)?;
        if self.headers {
            return show_headers(session, graph, &target);
        }
        let held = target.body(graph)?;
        let stored = read(session, &held)?;
        let body = stored.payload()?;
        if self.raw {
            return self.write_raw(session, &stored, body);
        }
        let headers = headers_of(&stored);
        let shown = Shown { target: &target, held: &held, headers: &headers, body };
        // What is known about a body that cannot be unpacked is shown all the same.
        let text = unpack_body(session, &headers, body).map(|it| shown.text(session, &it));
        if session.ui.is_json() {
            return shown.document(session, text?.as_deref());
        }
        shown.print_facts(session)?;
        print_text(session, text?.as_deref())
    }

    fn write_raw(
        &self,
        session: &Session,
        stored: &archive::Record,
        body: &[u8],
    ) -> Result<(), Failure> {
        // A stranger's bytes could drive the terminal.
        if session.ui.is_terminal() {
            return Err(Failure::bad_input("raw bytes are not for a terminal")
                .hint(|w| &w.hint.raw_to_file));
        }
        match self.packed {
            true => session.ui.write(body),
            false => {
                let headers = headers_of(stored);
                session.ui.write(&unpack_body(session, &headers, body)?)
            }
        }
    }
}

/// The bytes of a page as they came, unpacked, with their type and when they were archived.
pub(crate) fn original(
    session: &Session,
    graph: &Graph,
    page: PageId,
) -> Result<(String, Vec<u8>, Timestamp), Failure> {
    let target = Target::find(graph, &page.to_string())?;
    let held = target.body(graph)?;
    let stored = read(session, &held)?;
    let headers = headers_of(&stored);
    let bytes = unpack_body(session, &headers, stored.payload()?)?;
    let kind = headers.into_iter().find(|it| it.0 == "content-type").map(|it| it.1);
    Ok((kind.unwrap_or_default(), bytes, held.archived_at))
}

/// What became of a request, in a word or a number.
pub(super) fn answer_of(words: &Words, record: &ArchiveRecord) -> String {
    match (record.kind, record.status) {
        (ArchiveKind::Revisit, _) => String::from(&words.archive.not_modified),
        (_, Some(status)) => status.to_string(),
        (ArchiveKind::Request, None) => String::from(&words.archive.request),
        (ArchiveKind::Document, None) => String::from(&words.archive.rendered),
        (ArchiveKind::Picture, None) => String::from(&words.archive.picture),
        (ArchiveKind::Response, None) => "-".to_owned(),
    }
}

/// An answer with everything that is said about it.
struct Shown<'a> {
    target: &'a Target,
    /// The record that holds the body.
    held: &'a ArchiveRecord,
    headers: &'a [(String, String)],
    body: &'a [u8],
}

impl Shown<'_> {
    fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|header| header.0 == name).map(|header| header.1.as_str())
    }

    /// The body as text; `None` for pictures and the like.
    fn text(&self, session: &Session, body: &[u8]) -> Option<String> {
        let content_type = self.header("content-type").unwrap_or_default().to_ascii_lowercase();
        let kind = content_type.split(';').next().unwrap_or_default().trim();
        let readable = kind.is_empty()
            || kind.starts_with("text/")
            || ["html", "xml", "json", "pdf", "form-urlencoded"]
                .iter()
                .any(|it| kind.ends_with(it));
        readable.then(|| {
            let url = Url::parse(&self.held.url).ok();
            let input = Input {
                bytes: body,
                url: url.as_ref(),
                status: self.held.status,
                headers: self.headers,
            };
            extract::read(input, &session.settings.read).markdown()
        })
    }

    fn print_facts(&self, session: &Session) -> Result<(), Failure> {
        let ui = &session.ui;
        let words = ui.words();
        let facts = self.facts(words);
        let facts: Vec<(&str, &str)> =
            facts.iter().map(|(label, value)| (label.as_str(), value.as_str())).collect();
        ui.print(&record(&facts, ui.layout(3)))?;
        let versions = &self.target.versions;
        if versions.len() > 1 {
            ui.print("\n")?;
            let (limit, column) = (session.settings.output.rows, &words.column);
            let mut table =
                Table::new([&column.version, &column.answer, &column.record].map(Column::exact));
            for it in versions.iter().take(limit) {
                table.row([minute(it.archived_at), answer_of(words, it), it.record_id.clone()]);
            }
            ui.print(&table.render(ui.layout(1)))?;
            if versions.len() > limit {
                ui.note(&say!(words.rest.versions, shown = limit, total = versions.len()));
            }
        }
        Ok(())
    }

    fn facts(&self, words: &'static Words) -> Vec<Field> {
        let (record, label) = (&self.target.record, &words.archive);
        let time = |record: &ArchiveRecord| minute_and_zone(record.archived_at);
        let mut facts = vec![
            (&label.address, clean(&record.url)),
            (&label.archived, time(record)),
            (&label.answer, answer_of(words, record)),
        ];
        if record.record_id != self.held.record_id {
            let same = &words.archive.same_as_line;
            let same = say!(same, record = self.held.record_id, time = time(self.held));
            facts.push((&label.same_as, same));
        }
        let made_of = record.refers_to.as_ref().filter(|_| record.kind.is_made());
        facts.extend(made_of.map(|it| (&label.made_of, it.clone())));
        facts.extend(self.target.picture.iter().map(|it| (&label.picture_record, it.clone())));
        if let Some(location) = self.header("location") {
            facts.push((&label.leads_to, clean(location)));
        }
        let kind = self.header("content-type").unwrap_or(words.common.unknown.as_str());
        let length = size(self.body.len() as u64);
        let body = match self.header("content-encoding") {
            Some(it) => say!(label.body_packed, kind = kind, size = length, encoding = it),
            None => say!(label.body_plain, kind = kind, size = length),
        };
        facts.push((&label.body, clean(&body)));
        facts.extend(self.held.payload_digest.iter().map(|it| (&label.digest, it.clone())));
        facts.push((&label.record, record.record_id.clone()));
        let place = say!(label.place_line, file = self.held.file, byte = self.held.byte_start);
        facts.push((&label.place, place));
        facts
    }

    fn document(&self, session: &Session, text: Option<&str>) -> Result<(), Failure> {
        session.ui.document(&json!({
            "record": self.target.record,
            "held_by": self.held,
            "picture": self.target.picture,
            "headers": self.headers,
            "body_bytes": self.body.len(),
            "text": text,
            "versions": self.target.versions,
        }))
    }
}

fn print_text(session: &Session, text: Option<&str>) -> Result<(), Failure> {
    let ui = &session.ui;
    match text {
        Some(text) if !text.trim().is_empty() => {
            ui.print("\n")?;
            ui.print(&text.lines().map(clean).collect::<Vec<_>>().join("\n"))?;
        }
        Some(_) => ui.note(ui.words().common.no_content.as_str()),
        None => ui.note(ui.words().archive.not_text.as_str()),
    }
    Ok(())
}

/// Prints the head of the request and the head of its answer.
fn show_headers(session: &Session, graph: &Graph, target: &Target) -> Result<(), Failure> {
    // What was made of an answer has the headers of that.
    let of = target.record.refers_to.as_ref().filter(|_| target.record.kind.is_made());
    let answer = match of {
        Some(id) => ask(graph, |r| r.archive_record(id))?,
        None => None,
    };
    let shown = read(session, answer.as_ref().unwrap_or(&target.record))?;
    let mut heads = vec![shown.http()?.0.to_vec()];
    let other = shown.header("WARC-Concurrent-To").map(|it| it.trim_matches(['<', '>']));
    let other = match other {
        Some(id) => ask(graph, |r| r.archive_record(id))?,
        None => None,
    };
    if let Some(other) = other {
        let head = read(session, &other)?.http()?.0.to_vec();
        let place = if other.kind == ArchiveKind::Request { 0 } else { 1 };
        heads.insert(place, head);
    }
    let heads = heads.iter().map(|head| {
        let text = String::from_utf8_lossy(head);
        text.trim_end().lines().map(clean).collect::<Vec<_>>().join("\n")
    });
    session.ui.print(&heads.collect::<Vec<_>>().join("\n\n"))
}

/// The headers of an answer. What was made of one has none but its type.
fn headers_of(record: &archive::Record) -> Vec<(String, String)> {
    match (record.kind(), record.header("Content-Type")) {
        (Some(archive::Kind::Conversion), Some(it)) => {
            vec![("content-type".to_owned(), it.to_owned())]
        }
        _ => lower_case(record.http_headers()),
    }
}

fn lower_case(headers: Vec<(String, String)>) -> Vec<(String, String)> {
    headers.into_iter().map(|(name, value)| (name.to_ascii_lowercase(), value)).collect()
}

/// The body without its content encodings.
fn unpack_body(
    session: &Session,
    headers: &[(String, String)],
    body: &[u8],
) -> Result<Vec<u8>, Failure> {
    let encodings = headers.iter().filter(|it| it.0 == "content-encoding");
    let encodings = encodings.map(|it| it.1.as_str()).collect::<Vec<_>>().join(",");
    let limit = session.settings.fetch.max_unpacked_bytes;
    match unpack(&encodings, body, limit) {
        Ok(unpacked) => Ok(unpacked.unwrap_or_else(|| body.to_vec())),
        Err(error) => Err(match &error {
            UnpackError::TooLarge(_) => {
                Failure::new(Kind::Limit, error).hint(|w| &w.hint.raise_unpacked)
            }
            UnpackError::Unknown(_) | UnpackError::Broken(_) => {
                Failure::new(Kind::Data, error).hint(|w| &w.hint.save_packed)
            }
        }),
    }
}
