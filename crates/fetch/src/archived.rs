//! Answers that need no request: what the archive holds.

use std::path::Path;

use jiff::Timestamp;
use ledger::{ArchiveKind, ArchiveRecord, CachedFetch, Ledger, LedgerError};

use crate::unpack::unpack;

/// A whole answer out of the archive.
#[derive(Debug, Clone)]
pub(crate) struct Archived {
    pub(crate) status: u16,
    /// Names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    /// The address that answered, after redirects.
    pub(crate) final_url: String,
    pub(crate) record: archive::Stored,
    pub(crate) archived_at: Timestamp,
}

/// Brings back what is remembered of an address; `None` where its record cannot be read any more.
pub(crate) fn of_cached(
    ledger: &dyn Ledger,
    dir: &Path,
    cached: &CachedFetch,
    max_unpacked: u64,
) -> Result<Option<Archived>, LedgerError> {
    let Some(id) = &cached.record_id else { return Ok(None) };
    let Some(row) = ledger.archive_record(id)? else { return Ok(None) };
    let mut found = read(dir, &row, max_unpacked);
    if let (Some(found), Some(final_url)) = (&mut found, &cached.final_url) {
        found.final_url.clone_from(final_url);
    }
    Ok(found)
}

/// The newest good answer of an address in the archive, also where nothing else is remembered of it.
pub(crate) fn newest(
    ledger: &dyn Ledger,
    dir: &Path,
    url: &str,
    max_unpacked: u64,
) -> Result<Option<Archived>, LedgerError> {
    let rows = ledger.archive_of(url)?;
    let good = |record: &&ArchiveRecord| {
        record.kind == ArchiveKind::Response
            && record.status.is_some_and(|it| (200..300).contains(&it))
    };
    Ok(rows.iter().filter(good).find_map(|it| read(dir, it, max_unpacked)))
}

/// What came back to a request since a moment, whatever its status; `None` where nothing whole did. `body` is what was
/// sent along: requests with another one are others.
pub(crate) fn came_back(
    ledger: &dyn Ledger,
    dir: &Path,
    url: &str,
    body: &[u8],
    since: Timestamp,
    max_unpacked: u64,
) -> Result<Option<Archived>, LedgerError> {
    let digest = (!body.is_empty()).then(|| archive::payload_digest(body));
    let rows = ledger.archive_of(url)?;
    let rows: Vec<ArchiveRecord> = rows.into_iter().filter(|it| it.archived_at >= since).collect();
    let same = |answer: &&ArchiveRecord| {
        rows.iter().any(|record| {
            record.kind == ArchiveKind::Request
                && record.egress_seq == answer.egress_seq
                && record.payload_digest == digest
        })
    };
    for row in rows.iter().filter(|it| it.kind.is_answer()).filter(same) {
        let page = match (&row.kind, &row.refers_to) {
            // The server said that an older answer still holds.
            (ArchiveKind::Revisit, Some(id)) => ledger.archive_record(id)?,
            _ => Some(row.clone()),
        };
        if let Some(found) = page.and_then(|it| read(dir, &it, max_unpacked)) {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

fn read(dir: &Path, row: &ArchiveRecord, max_unpacked: u64) -> Option<Archived> {
    let damaged = |problem: &dyn std::fmt::Display| {
        tracing::warn!(record = row.record_id, %problem, "an archived answer cannot be read");
    };
    let record = archive::read_record(dir, &row.file, row.byte_start, row.byte_length)
        .inspect_err(|it| damaged(it))
        .ok()?;
    // A body that was cut off is evidence of what came, not the page.
    if record.header("WARC-Truncated").is_some() {
        return None;
    }
    let status = record.status()?;
    let headers: Vec<(String, String)> = record
        .http_headers()
        .into_iter()
        .map(|(name, value)| (name.to_ascii_lowercase(), value))
        .collect();
    let encodings = encodings(&headers);
    let (_, body) = record.http().inspect_err(|it| damaged(it)).ok()?;
    let unpacked = unpack(&encodings, body, max_unpacked).inspect_err(|it| damaged(it)).ok()?;
    Some(Archived {
        status,
        headers,
        body: unpacked.unwrap_or_else(|| body.to_vec()),
        final_url: row.url.clone(),
        record: archive::Stored {
            record_id: row.record_id.clone(),
            kind: archive::Kind::Response,
            url: row.url.clone(),
            file: row.file.clone(),
            byte_start: row.byte_start,
            byte_length: row.byte_length,
            payload_digest: row.payload_digest.clone(),
            date: row.archived_at,
        },
        archived_at: row.archived_at,
    })
}

/// The content encodings of an answer, in the order they were applied.
pub(crate) fn encodings(headers: &[(String, String)]) -> String {
    let given = headers.iter().filter(|(name, _)| name == "content-encoding");
    given.map(|(_, value)| value.as_str()).collect::<Vec<_>>().join(",")
}
