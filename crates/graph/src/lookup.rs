//! Finding things by the beginning of their id, which is what people type.

use evidence::{ClaimId, EdgeId, Id, TaskId};

use crate::row::RowExt;
use crate::{Reader, Result};

/// A kind of thing that people name by the beginning of its id.
pub trait Lookup: Id {
    const TABLE: &'static str;
}

impl Lookup for TaskId {
    const TABLE: &'static str = "tasks";
}

impl Lookup for ClaimId {
    const TABLE: &'static str = "claims";
}

impl Lookup for EdgeId {
    const TABLE: &'static str = "edges";
}

impl Reader<'_> {
    /// The first `limit` ids that start with `beginning`, in order.
    pub fn ids_starting_with<T: Lookup>(&self, beginning: &str, limit: u32) -> Result<Vec<T>> {
        // A range, not LIKE, so that the index answers; `~` sorts after everything in an id.
        let sql = format!(
            "SELECT id FROM {} WHERE id >= ?1 AND id < ?1 || '~' ORDER BY id LIMIT ?2",
            T::TABLE
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let ids = statement.query_map((beginning, limit), |row| row.parse("id"))?;
        Ok(ids.collect::<rusqlite::Result<_>>()?)
    }
}
