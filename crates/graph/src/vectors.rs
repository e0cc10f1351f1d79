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
use serde::Serialize;
use settings::settings;

use self::held::Held;
use self::rows::{Query, Scored};
use crate::{Error, Graph, Result};

settings! {
    /// Search by meaning: exact in memory, and an index file above a size.
    pub struct VectorOptions {}
    expert {
        /// The most results one search may ask for.
        max_top_k: usize = 50, in 1..=10_000;
        /// Characters of text shown with a result.
        preview_chars: usize = 200, in 1..=100_000;
        /// Candidates of the rounded scan that are compared again in full precision.
        rescore: usize = 100, in 1..=100_000;
        /// The most threads one scan may use.
        scan_threads: usize = 8, in 1..=256;
        /// Vectors that are worth a thread of their own.
        rows_per_thread: usize = 16_384, in 1..=1_000_000_000;
        /// Vectors of one model from which an index file is built and used.
        ann_threshold_rows: usize = 200_000, in 1..=1_000_000_000;
        /// Vectors in a list of the index, on average.
        ann_rows_per_list: usize = 1000, in 1..=1_000_000;
        /// Lists a search reads; more find more, and take longer.
        ann_probe_lists: usize = 64, in 1..=1_000_000;
        /// Vectors per list that the lists are found with.
        ann_sample_per_list: usize = 50, in 1..=100_000;
        /// How often the centres of the lists are improved.
        ann_rounds: usize = 8, in 0..=1_000;
        /// The share of vectors newer than the index from which it is built again.
        ann_tail_share: f64 = 0.1, in 0.0..=1.0;
        /// Threads that build an index.
        ann_build_threads: usize = 2, in 1..=256;
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
