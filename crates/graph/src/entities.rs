//! Names that claims mention, each once, and which claim mentions them.

use evidence::{ClaimId, EntityId};
use rusqlite::{OptionalExtension, params};

use crate::row::RowExt;
use crate::{Result, Writer};

/// A name as a claim writes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEntity {
    pub kind: &'static str,
    pub name: String,
    /// What the same name in other letters has in common.
    pub normalized: String,
}

impl Writer<'_> {
    /// Notes that a claim mentions a name; the name is stored as it was written first.
    pub fn mention(&self, claim: ClaimId, entity: &NewEntity) -> Result<EntityId> {
        let known = self
            .connection
            .prepare_cached("SELECT id FROM entities WHERE kind = ?1 AND normalized_name = ?2")?
            .query_row(params![entity.kind, entity.normalized], |row| row.parse("id"))
            .optional()?;
        let cause = self.cause()?.to_string();
        let id = match known {
            Some(id) => id,
            None => {
                let id: EntityId = self.mint();
                self.connection
                    .prepare_cached(
                        "INSERT INTO entities (id, kind, name, normalized_name, created_at, cause_id)
                         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                    )?
                    .execute(params![
                        id.to_string(),
                        entity.kind,
                        entity.name,
                        entity.normalized,
                        self.now(),
                        cause
                    ])?;
                id
            }
        };
        self.connection
            .prepare_cached(
                "INSERT OR IGNORE INTO entity_links (entity_id, target_type, target_id, role, created_at, cause_id)
                 VALUES (?1, 'claim', ?2, 'mentioned', ?3, ?4)",
            )?
            .execute(params![id.to_string(), claim.to_string(), self.now(), cause])?;
        Ok(id)
    }
}
