//! Finding things by a part of their id, which is what people type.

use evidence::{AuthId, ClaimId, EdgeId, FragmentId, Id, PageId, SearchId, TaskId};

use crate::row::RowExt;
use crate::{Reader, Result};

/// A kind of thing that people name by a part of its id.
pub trait Lookup: Id {
    const TABLE: &'static str;
    /// What tells one from the others, in SQL.
    const ABOUT: &'static str;
}

macro_rules! lookup {
    ($($id:ty: $table:literal, $about:literal;)+) => { $(
        impl Lookup for $id {
            const TABLE: &'static str = $table;
            const ABOUT: &'static str = $about;
        }
    )+ };
}

lookup! {
    TaskId: "tasks", "query";
    SearchId: "queries", "query_text";
    PageId: "pages", "coalesce(title, url)";
    FragmentId: "fragments", "text_content";
    ClaimId: "claims", "claim_text";
    EdgeId: "edges", "relation";
    AuthId: "auth_queue", "url";
}

/// An id, and a line that tells it from others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named<T> {
    pub id: T,
    pub about: String,
}

impl Reader<'_> {
    /// The first `limit` that start with `beginning` or end with `ending`, in the order of their ids.
    pub fn ids_like<T: Lookup>(
        &self,
        beginning: &str,
        ending: Option<&str>,
        limit: u32,
    ) -> Result<Vec<Named<T>>> {
        // A range, not LIKE: `_` and `%` are letters here, and `~` sorts after everything in an id.
        let sql = format!(
            "SELECT id, {} AS about FROM {}
             WHERE (id >= ?1 AND id < ?1 || '~') OR substr(id, -length(?2)) = ?2
             ORDER BY id LIMIT ?3",
            T::ABOUT,
            T::TABLE
        );
        self.named(&sql, (beginning, ending, limit))
    }

    /// The newest `limit` after the first `skipped`, newest first.
    pub fn newest<T: Lookup>(&self, skipped: u32, limit: u32) -> Result<Vec<Named<T>>> {
        let sql = format!(
            "SELECT id, {} AS about FROM {} ORDER BY id DESC LIMIT ?2 OFFSET ?1",
            T::ABOUT,
            T::TABLE
        );
        self.named(&sql, (skipped, limit))
    }

    fn named<T: Lookup>(&self, sql: &str, given: impl rusqlite::Params) -> Result<Vec<Named<T>>> {
        let mut statement = self.connection.prepare_cached(sql)?;
        let found = statement
            .query_map(given, |row| Ok(Named { id: row.parse("id")?, about: row.get("about")? }))?;
        Ok(found.collect::<rusqlite::Result<_>>()?)
    }
}
