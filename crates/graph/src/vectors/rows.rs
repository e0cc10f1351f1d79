//! The `embeddings` rows behind a search: loading them, comparing them as they were recorded, and
//! the text a hit is shown with.

use std::cmp::Ordering;

use evidence::{Node, TaskId};
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::code::{Code, dot};
use super::matrix::Matrix;
use super::simd::MAX_LENGTH;
use super::{Space, VectorTarget};
use crate::embeddings::numbers;
use crate::{Error, Result};

/// Rows loaded in one go, before others may use the connection.
const BATCH: usize = 8192;

/// A query with what every comparison needs of it.
#[derive(Debug)]
pub(super) struct Query<'a> {
    numbers: &'a [f32],
    norm: f64,
    pub(super) code: Code,
}

impl<'a> Query<'a> {
    pub(super) fn new(numbers: &'a [f32]) -> Result<Self> {
        if numbers.is_empty() || !numbers.iter().all(|it| it.is_finite()) {
            let problem = "is empty or holds numbers that are not finite";
            return Err(Error::invalid("the query vector", problem));
        }
        if numbers.len() > MAX_LENGTH {
            let problem = format!("has more than {MAX_LENGTH} numbers");
            return Err(Error::invalid("the query vector", problem));
        }
        let norm = dot(numbers, numbers).sqrt();
        Ok(Self { numbers, norm, code: Code::new(numbers) })
    }

    /// A model's vectors all have one length, and the query must have it too.
    pub(super) fn check_dimension(&self, dimension: usize, space: &Space) -> Result<()> {
        if self.numbers.len() == dimension {
            return Ok(());
        }
        let problem = format!(
            "has {} numbers, but the vectors of model `{}` have {dimension}",
            self.numbers.len(),
            space.model
        );
        Err(Error::invalid("the query vector", problem))
    }

    /// Cosine of the angle to a stored vector; zero where one of the two has no direction.
    fn similarity(&self, blob: &[u8]) -> f64 {
        let row = numbers(blob);
        let cosine = dot(self.numbers, &row) / (self.norm * dot(&row, &row).sqrt());
        if cosine.is_finite() { cosine.clamp(-1.0, 1.0) } else { 0.0 }
    }
}

/// A target with its similarity in full precision.
#[derive(Debug)]
pub(super) struct Scored {
    pub(super) similarity: f64,
    pub(super) target_id: String,
}

impl Scored {
    /// Nearest first; equals by id.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        let nearest = other.similarity.total_cmp(&self.similarity);
        nearest.then_with(|| self.target_id.cmp(&other.target_id))
    }
}

/// Adds rows recorded after the last of `into`, oldest first; false once there are no more.
pub(super) fn load(connection: &Connection, space: &Space, into: &mut Matrix) -> Result<bool> {
    let after = into.last_seq().unwrap_or(0);
    let mut statement = connection.prepare_cached(
        "SELECT seq, embedding_blob FROM embeddings
         WHERE target_type = ?1 AND model_id = ?2 AND seq > ?3 ORDER BY seq LIMIT ?4",
    )?;
    let mut rows =
        statement.query(params![space.target.node_type(), space.model, after, BATCH as i64])?;
    let mut loaded = 0;
    while let Some(row) = rows.next()? {
        let blob = vector(row, 1)?;
        let expected = into.dimension().unwrap_or(blob.len() / 4);
        if blob.len() != 4 * expected || !(1..=MAX_LENGTH).contains(&expected) {
            let problem = format!(
                "`{}` has vectors of different or impossible lengths ({expected} and {} numbers)",
                space.model,
                blob.len() / 4
            );
            return Err(Error::invalid("the model", problem));
        }
        into.push(row.get(0)?, blob);
        loaded += 1;
    }
    Ok(loaded == BATCH)
}

/// Compares the rows with these numbers again, as they were recorded.
pub(super) fn rescore(
    connection: &Connection,
    query: &Query<'_>,
    seqs: impl Iterator<Item = i64>,
) -> Result<Vec<Scored>> {
    let mut statement = connection
        .prepare_cached("SELECT target_id, embedding_blob FROM embeddings WHERE seq = ?1")?;
    let mut scored = Vec::new();
    for seq in seqs {
        // A row that was taken out since it was loaded is not an answer.
        let row = statement
            .query_row([seq], |row| {
                let similarity = query.similarity(vector(row, 1)?);
                Ok(Scored { similarity, target_id: row.get(0)? })
            })
            .optional()?;
        scored.extend(row);
    }
    Ok(scored)
}

/// Compares the rows that belong to a task, all of them as they were recorded.
///
/// A fragment belongs to the tasks whose claims it takes a stance on.
pub(super) fn score_task(
    connection: &Connection,
    space: &Space,
    query: &Query<'_>,
    task: TaskId,
) -> Result<Vec<Scored>> {
    let sql = match space.target {
        VectorTarget::Claims => {
            "SELECT m.target_id, m.embedding_blob FROM embeddings m
             WHERE m.target_type = 'claim' AND m.model_id = ?1
               AND m.target_id IN (SELECT id FROM claims WHERE task_id = ?2)"
        }
        VectorTarget::Fragments => {
            "SELECT m.target_id, m.embedding_blob FROM embeddings m
             WHERE m.target_type = 'fragment' AND m.model_id = ?1
               AND m.target_id IN (
                 SELECT e.source_id FROM claims c JOIN edges e ON e.target_id = c.id
                 WHERE c.task_id = ?2 AND e.source_type = 'fragment')"
        }
    };
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params![space.model, task.to_string()])?;
    let mut scored = Vec::new();
    while let Some(row) = rows.next()? {
        let blob = vector(row, 1)?;
        query.check_dimension(blob.len() / 4, space)?;
        scored.push(Scored { similarity: query.similarity(blob), target_id: row.get(0)? });
    }
    Ok(scored)
}

/// The target of a hit and the beginning of its text.
pub(super) fn target(
    connection: &Connection,
    target: VectorTarget,
    id: &str,
    chars: usize,
) -> Result<(Node, String)> {
    let (node, sql) = match target {
        VectorTarget::Claims => {
            (Node::Claim(id.parse()?), "SELECT claim_text FROM claims WHERE id = ?1")
        }
        VectorTarget::Fragments => {
            (Node::Fragment(id.parse()?), "SELECT text_content FROM fragments WHERE id = ?1")
        }
    };
    let text = connection
        .prepare_cached(sql)?
        .query_row([id], |row| {
            Ok(row.get_ref(0)?.as_str()?.chars().take(chars).collect::<String>())
        })
        .optional()?
        .ok_or_else(|| Error::unknown(node.kind().as_str(), id))?;
    Ok((node, text))
}

fn vector<'row>(row: &'row Row<'_>, column: usize) -> rusqlite::Result<&'row [u8]> {
    Ok(row.get_ref(column)?.as_blob()?)
}
