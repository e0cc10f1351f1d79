//! Rows that can be read and are wrong all the same: damage inside a row leaves it looking like one.

use std::str::FromStr;

use evidence::{
    ClaimId, EdgeId, EmbeddingId, EventId, FragmentId, PageId, SearchId, SerpItemId, TaskId,
    WorkId, text_hash,
};
use jiff::Timestamp;
use rusqlite::types::Value;

/// Whether a row cannot be what was written: its id or time is none, or its text is not the one its
/// hash was taken from. Quoted evidence is exact or it is nothing.
pub(super) fn is_spoiled(table: &str, columns: &[String], values: &[Value]) -> bool {
    let text = |column: &str| {
        let index = columns.iter().position(|it| it == column)?;
        match values.get(index) {
            Some(Value::Text(text)) => Some(text.as_str()),
            _ => None,
        }
    };
    let bad_id = text("id").is_some_and(|id| !is_id(table, id));
    let bad_time =
        TIMES.iter().filter_map(|column| text(column)).any(|time| !parses::<Timestamp>(time));
    let bad_text = match table {
        "fragments" => text("text_content").map(text_hash).as_deref() != text("text_hash"),
        "claims" => text("claim_text").map(text_hash).as_deref() != text("claim_text_hash"),
        _ => false,
    };
    bad_id || bad_time || bad_text
}

/// Columns that hold a time, in any table.
const TIMES: &[&str] = &[
    "archived_at",
    "checked_at",
    "created_at",
    "expires_at",
    "fetched_at",
    "finished_at",
    "fresh_until",
    "last_request_at",
    "open_until",
    "requested_at",
    "resting_until",
    "updated_at",
];

fn is_id(table: &str, id: &str) -> bool {
    match table {
        "claims" => parses::<ClaimId>(id),
        "edges" => parses::<EdgeId>(id),
        "embeddings" => parses::<EmbeddingId>(id),
        "events" => parses::<EventId>(id),
        "fragments" => parses::<FragmentId>(id),
        "pages" => parses::<PageId>(id),
        "queries" => parses::<SearchId>(id),
        "serp_items" => parses::<SerpItemId>(id),
        "tasks" => parses::<TaskId>(id),
        "works" => parses::<WorkId>(id),
        _ => true,
    }
}

fn parses<T: FromStr>(text: &str) -> bool {
    text.parse::<T>().is_ok()
}
