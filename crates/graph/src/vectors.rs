//! Search by meaning: which claims or fragments have the vectors nearest to a query's.
//!
//! The `embeddings` rows are the truth. A search over everything scans a rounded copy of them in
//! memory (`matrix`), above a size the nearest lists of an index file (`ivf`), and compares the best
//! candidates again with the rows themselves (`rows`). A search within a task reads just the rows of
//! that task. Where vectors come from is the business of other crates.

mod best;
mod build;
mod clusters;
mod code;
mod held;
mod ivf;
mod matrix;
mod rows;
mod simd;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};
use std::thread;

use evidence::{Node, NodeType, TaskId};
use serde::{Deserialize, Serialize};

use self::held::Held;
use self::rows::{Query, Scored};
use crate::{Error, Graph, Result};

/// The limits of vector search. `VectorOptions::default()` is what the product uses.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VectorOptions {
    /// Most results one search may ask for.
    pub max_top_k: usize,
    /// Characters of text shown with a result.
    pub preview_chars: usize,
    /// Candidates of the rounded scan that are compared again in full precision.
    pub rescore: usize,
    /// Most threads one scan may use.
    pub scan_threads: usize,
    /// Rows that are worth a thread of their own: below, starting one costs more than it saves.
    pub rows_per_thread: usize,
    /// Vectors of one model and target from which on an index file is built and used.
    pub ann_threshold_rows: usize,
    /// Rows in a list of the index, on average.
    pub ann_rows_per_list: usize,
    /// Lists a search reads.
    pub ann_probe_lists: usize,
    /// Rows per list that the lists are found with.
    pub ann_sample_per_list: usize,
    /// How often the centres of the lists are improved.
    pub ann_rounds: usize,
    /// Share of newer rows, next to those in the index, from which on it is built anew.
    pub ann_tail_share: f64,
    /// Threads that build an index.
    pub ann_build_threads: usize,
}

impl Default for VectorOptions {
    fn default() -> Self {
        Self {
            max_top_k: 50,
            preview_chars: 200,
            rescore: 100,
            scan_threads: 8,
            rows_per_thread: 16_384,
            ann_threshold_rows: 200_000,
            ann_rows_per_list: 1000,
            ann_probe_lists: 64,
            ann_sample_per_list: 50,
            ann_rounds: 8,
            ann_tail_share: 0.1,
            ann_build_threads: 2,
        }
    }
}

/// What a search looks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum VectorTarget {
    Claims,
    Fragments,
}

impl VectorTarget {
    fn node_type(self) -> &'static str {
        match self {
            Self::Claims => NodeType::Claim.as_str(),
            Self::Fragments => NodeType::Fragment.as_str(),
        }
    }
}

/// A question to the vectors of one model.
#[derive(Debug, Clone)]
pub struct VectorQuery<'a> {
    pub target: VectorTarget,
    /// The model that made `vector`; only its vectors can be compared with it.
    pub model_id: &'a str,
    pub vector: &'a [f32],
    /// Only the claims of this task, or the fragments that take a stance on them.
    pub task: Option<TaskId>,
    pub top_k: usize,
    /// Least cosine similarity of a result, between -1 and 1.
    pub min_similarity: f64,
}

/// How the candidates of an answer were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum VectorMethod {
    /// Every vector was compared.
    Exact,
    /// Only vectors in the neighbourhood of the query were compared.
    Ann,
}

/// One result: what it is, how near, and how its text begins.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VectorHit {
    pub id: Node,
    /// Cosine of the angle between the two vectors.
    pub similarity: f64,
    pub text_preview: String,
}

/// The nearest first; equally near ones by id.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VectorAnswer {
    pub results: Vec<VectorHit>,
    /// Vectors the search ranged over.
    pub total_searched: usize,
    /// Those of them that were compared one by one: all, unless the method is `ann`.
    pub compared: usize,
    pub method: VectorMethod,
}

/// What an index file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct VectorIndex {
    pub rows: u64,
    pub lists: usize,
    pub bytes: u64,
}

/// The vectors that can be compared with each other: one model, one kind of target.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Space {
    target: VectorTarget,
    model: String,
}

/// The copies of vectors that an open graph holds, made when first asked for.
#[derive(Debug, Default)]
pub(crate) struct Vectors {
    held: Mutex<HashMap<Space, Arc<RwLock<Held>>>>,
    stop: Arc<AtomicBool>,
    cores: OnceLock<usize>,
}

impl Vectors {
    fn held(&self, space: &Space) -> Arc<RwLock<Held>> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.entry(space.clone()).or_default().clone()
    }

    fn cores(&self) -> usize {
        *self.cores.get_or_init(|| thread::available_parallelism().map_or(1, usize::from))
    }
}

impl Drop for Vectors {
    /// Ends running builds: they look at the flag every few milliseconds of work.
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        let held = self.held.get_mut().unwrap_or_else(PoisonError::into_inner);
        for held in held.values() {
            held.write().unwrap_or_else(PoisonError::into_inner).wait_for_build();
        }
    }
}

impl Graph {
    /// Finds the claims or fragments whose vectors are nearest to the query's by cosine.
    ///
    /// Sees every row committed before the call. A model without vectors has no results; vectors of
    /// another length than the query's are an error, because they cannot come from one model.
    pub fn vector_search(&self, query: &VectorQuery<'_>) -> Result<VectorAnswer> {
        let options = self.vector_options();
        if !(1..=options.max_top_k).contains(&query.top_k) {
            let problem = format!("is not between 1 and {}", options.max_top_k);
            return Err(Error::invalid("top_k", problem));
        }
        if !(-1.0..=1.0).contains(&query.min_similarity) {
            return Err(Error::invalid("the least similarity", "is not between -1 and 1"));
        }
        let space = Space { target: query.target, model: query.model_id.to_owned() };
        let vector = Query::new(query.vector)?;
        match query.task {
            Some(task) => self.search_task(query, &space, &vector, task),
            None => self.search_everything(query, &space, &vector),
        }
    }

    fn search_task(
        &self,
        query: &VectorQuery<'_>,
        space: &Space,
        vector: &Query<'_>,
        task: TaskId,
    ) -> Result<VectorAnswer> {
        self.read(|r| {
            r.task(task)?;
            let scored = rows::score_task(r.connection, space, vector, task)?;
            let total = scored.len();
            let results = self.hits(r.connection, query, scored)?;
            let method = VectorMethod::Exact;
            Ok(VectorAnswer { results, total_searched: total, compared: total, method })
        })
    }

    fn search_everything(
        &self,
        query: &VectorQuery<'_>,
        space: &Space,
        vector: &Query<'_>,
    ) -> Result<VectorAnswer> {
        let held = self.vectors().held(space);
        let found = held::search(self, &held, space, vector, query.top_k)?;
        self.read(|r| {
            let seqs = found.candidates.iter().map(|it| it.seq);
            let scored = rows::rescore(r.connection, vector, seqs)?;
            Ok(VectorAnswer {
                results: self.hits(r.connection, query, scored)?,
                total_searched: found.total,
                compared: found.compared,
                method: found.method,
            })
        })
    }

    /// The nearest of the scored rows, as they are shown.
    fn hits(
        &self,
        connection: &rusqlite::Connection,
        query: &VectorQuery<'_>,
        mut scored: Vec<Scored>,
    ) -> Result<Vec<VectorHit>> {
        scored.retain(|it| it.similarity >= query.min_similarity);
        scored.sort_unstable_by(Scored::order);
        scored.truncate(query.top_k);
        let chars = self.vector_options().preview_chars;
        let shown = scored.into_iter().map(|it| {
            let (id, text_preview) = rows::target(connection, query.target, &it.target_id, chars)?;
            Ok(VectorHit { id, similarity: it.similarity, text_preview })
        });
        shown.collect()
    }

    /// Builds the index file of a model's vectors now, or waits for the build that is running.
    ///
    /// Searches start builds by themselves, in the background. There is none for fewer vectors than
    /// `ann_threshold_rows` and for a graph without a file; an index that covers every row is kept.
    pub fn build_vector_index(
        &self,
        target: VectorTarget,
        model_id: &str,
    ) -> Result<Option<VectorIndex>> {
        let space = Space { target, model: model_id.to_owned() };
        held::build_now(self, &self.vectors().held(&space), &space)
    }
}
