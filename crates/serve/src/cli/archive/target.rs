//! Which record is meant: by its id, or the newest answer of a page or an address.

use evidence::PageId;
use graph::{ArchiveKind, ArchiveRecord, Graph};
use url::Url;

use crate::cli::ids::find;
use crate::failure::{Failure, Kind};
use crate::session::{Session, ask};

/// The record to show, and what else the archive has of its address.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) record: ArchiveRecord,
    /// The answers of the address, newest first, with the one that is shown.
    pub(super) versions: Vec<ArchiveRecord>,
    /// The picture that was taken with a rendered page.
    pub(super) picture: Option<String>,
}

impl Target {
    pub(super) fn find(graph: &Graph, given: &str) -> Result<Self, Failure> {
        if given.starts_with("urn:") {
            let record = ask(graph, |r| r.archive_record(given))?;
            let record = record.ok_or_else(|| missing(format!("no archived record {given}")))?;
            let versions = answers_of(graph, &record.url)?;
            return Self::with(graph, record, versions);
        }
        let url = match given.starts_with("p_") {
            true => {
                let page: PageId = find(graph, given)?;
                ask(graph, |r| r.page(page))?.url
            }
            false => address(given)?,
        };
        let mut versions = answers_of(graph, &url)?;
        if versions.is_empty() {
            // An address that leads elsewhere is remembered with the answer it led to.
            let record = ask(graph, |r| match r.cached_fetch(&url)?.and_then(|it| it.record_id) {
                Some(id) => r.archive_record(&id),
                None => Ok(None),
            })?;
            versions.extend(record);
        }
        match versions.first() {
            Some(record) => Self::with(graph, record.clone(), versions),
            None => Err(missing(format!("nothing is archived of {url}"))),
        }
    }

    fn with(
        graph: &Graph,
        record: ArchiveRecord,
        versions: Vec<ArchiveRecord>,
    ) -> Result<Self, Failure> {
        let made = match (&record.refers_to, record.kind) {
            (Some(of), ArchiveKind::Document) => ask(graph, |r| r.made_of(of))?,
            _ => Vec::new(),
        };
        // It was put away right behind its document.
        let mut later = made.into_iter().rev().filter(|it| it.archived_at >= record.archived_at);
        let picture = later.find(|it| it.kind == ArchiveKind::Picture);
        Ok(Self { record, versions, picture: picture.map(|it| it.record_id) })
    }

    /// The response that holds the body: a revisit refers to it.
    pub(super) fn body(&self, graph: &Graph) -> Result<ArchiveRecord, Failure> {
        let repeats = self.record.refers_to.as_ref();
        match repeats.filter(|_| self.record.kind == ArchiveKind::Revisit) {
            Some(id) => ask(graph, |r| r.archive_record(id))?
                .ok_or_else(|| missing(format!("no archived record {id}"))),
            None => Ok(self.record.clone()),
        }
    }
}

/// Reads the record that a row points at.
pub(super) fn read(session: &Session, row: &ArchiveRecord) -> Result<archive::Record, Failure> {
    let folder = session.places.archive();
    Ok(archive::read_record(&folder, &row.file, row.byte_start, row.byte_length)?)
}

fn answers_of(graph: &Graph, url: &str) -> Result<Vec<ArchiveRecord>, Failure> {
    let mut records = ask(graph, |r| r.archive_of(url))?;
    // A picture is shown to those who name it.
    records.retain(|it| !matches!(it.kind, ArchiveKind::Request | ArchiveKind::Picture));
    Ok(records)
}

/// An address as the door writes it.
fn address(given: &str) -> Result<String, Failure> {
    Url::parse(given).map(String::from).map_err(|error| {
        Failure::bad_input(format!("`{given}` is no address, page or record: {error}"))
            .hint(|w| &w.hint.archive_target)
    })
}

fn missing(message: String) -> Failure {
    Failure::new(Kind::NotFound, message).hint(|w| &w.hint.archive_list)
}
