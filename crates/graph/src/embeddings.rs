//! Vectors of claims and fragments, as rows. Searching them is the business of `vectors`.

use evidence::{EmbeddingId, Node};
use rusqlite::{OptionalExtension, params};

use crate::row::RowExt;
use crate::{Error, Result, Writer};

/// The vector a model gave a claim or a fragment.
#[derive(Debug, Clone)]
pub struct NewEmbedding<'a> {
    pub target: Node,
    pub model_id: &'a str,
    pub vector: &'a [f32],
}

impl Writer<'_> {
    /// Records a vector; a target has one per model.
    pub fn record_embedding(&self, new: &NewEmbedding<'_>) -> Result<EmbeddingId> {
        if matches!(new.target, Node::Page(_)) {
            return Err(Error::invalid(
                "an embedding",
                "belongs to a claim or a fragment, not a page",
            ));
        }
        if new.vector.is_empty() || !new.vector.iter().all(|it| it.is_finite()) {
            return Err(Error::invalid(
                "the vector",
                "is empty or holds numbers that are not finite",
            ));
        }
        let (kind, target) = (new.target.kind().as_str(), new.target.id());
        let known = self
            .connection
            .prepare_cached(
                "SELECT id FROM embeddings WHERE target_type = ?1 AND target_id = ?2 AND model_id = ?3",
            )?
            .query_row(params![kind, target, new.model_id], |row| row.parse("id"))
            .optional()?;
        if let Some(id) = known {
            return Ok(id);
        }
        match new.target {
            Node::Claim(id) => drop(self.claim(id)?),
            Node::Fragment(id) => drop(self.fragment(id)?),
            Node::Page(_) => {}
        }
        let id: EmbeddingId = self.mint();
        let blob: Vec<u8> = new.vector.iter().flat_map(|it| it.to_le_bytes()).collect();
        self.connection
            .prepare_cached(
                "INSERT INTO embeddings (id, target_type, target_id, model_id, dimension, embedding_blob, created_at, cause_id)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            )?
            .execute(params![
                id.to_string(),
                kind,
                target,
                new.model_id,
                new.vector.len() as i64,
                blob,
                self.now(),
                self.cause()?.to_string(),
            ])?;
        Ok(id)
    }
}

/// The numbers of a stored vector: f32, little-endian.
pub(crate) fn numbers(blob: &[u8]) -> Vec<f32> {
    blob.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
}
