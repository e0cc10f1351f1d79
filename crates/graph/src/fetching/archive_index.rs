//! Where archived bytes are: one row for each record of the WARC files.

use ledger::{ArchiveKind, ArchiveRecord};
use rusqlite::{OptionalExtension, Row, params};

use crate::row::RowExt;
use crate::{Reader, Result, Writer};

fn from_row(row: &Row<'_>) -> rusqlite::Result<ArchiveRecord> {
    let made = row.get_ref("made")?.as_str_or_null()?;
    let kind = match (row.get_ref("kind")?.as_str()?, made) {
        (_, Some("picture")) => ArchiveKind::Picture,
        (_, Some(_)) => ArchiveKind::Document,
        ("request", None) => ArchiveKind::Request,
        ("revisit", None) => ArchiveKind::Revisit,
        // The schema allows no fourth.
        (_, None) => ArchiveKind::Response,
    };
    Ok(ArchiveRecord {
        record_id: row.get("record_id")?,
        kind,
        url: row.get("url")?,
        status: row.get("status")?,
        file: row.get("file")?,
        byte_start: row.get("byte_start")?,
        byte_length: row.get("byte_length")?,
        payload_digest: row.get("payload_digest")?,
        refers_to: row.get("refers_to")?,
        egress_seq: row.get("egress_seq")?,
        archived_at: row.parse("archived_at")?,
    })
}

impl Writer<'_> {
    /// Stores the position of a record of the archive; its bytes are on the disk already.
    pub fn record_archived(&self, record: &ArchiveRecord) -> Result<()> {
        let (kind, made) = match record.kind {
            ArchiveKind::Document | ArchiveKind::Picture => {
                (ArchiveKind::Response.as_str(), Some(record.kind.as_str()))
            }
            kind => (kind.as_str(), None),
        };
        self.connection
            .prepare_cached(
                "INSERT INTO archive_records (record_id, kind, url, status, file, byte_start, byte_length,
                    payload_digest, refers_to, egress_seq, archived_at, cause_id, made)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
            )?
            .execute(params![
                record.record_id,
                kind,
                record.url,
                record.status,
                record.file,
                record.byte_start,
                record.byte_length,
                record.payload_digest,
                record.refers_to,
                record.egress_seq,
                crate::store::timestamp(record.archived_at),
                self.cause()?.to_string(),
                made,
            ])?;
        Ok(())
    }
}

impl Reader<'_> {
    /// The record with this id.
    pub fn archive_record(&self, record_id: &str) -> Result<Option<ArchiveRecord>> {
        Ok(self
            .connection
            .prepare_cached("SELECT * FROM archive_records WHERE record_id = ?1")?
            .query_row([record_id], from_row)
            .optional()?)
    }

    /// All records of an address, newest first.
    pub fn archive_of(&self, url: &str) -> Result<Vec<ArchiveRecord>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT * FROM archive_records WHERE url = ?1 ORDER BY archived_at DESC, record_id DESC",
        )?;
        let rows = statement.query_map([url], from_row)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// What was made of an answer, newest first.
    pub fn made_of(&self, record_id: &str) -> Result<Vec<ArchiveRecord>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT * FROM archive_records WHERE refers_to = ?1 AND made IS NOT NULL
             ORDER BY archived_at DESC, record_id DESC",
        )?;
        let rows = statement.query_map([record_id], from_row)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// The newest answers in the archive, newest first.
    pub fn newest_archived(&self, limit: usize) -> Result<Vec<ArchiveRecord>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT * FROM archive_records WHERE kind <> 'request'
             ORDER BY archived_at DESC, record_id DESC LIMIT ?1",
        )?;
        let rows = statement.query_map([limit as i64], from_row)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Every record, file by file in file order; `each` may stop by returning an error.
    pub fn each_archived(&self, mut each: impl FnMut(ArchiveRecord) -> Result<()>) -> Result<()> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT * FROM archive_records ORDER BY file, byte_start")?;
        for record in statement.query_map([], from_row)? {
            each(record?)?;
        }
        Ok(())
    }
}
