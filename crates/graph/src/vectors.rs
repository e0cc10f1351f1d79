//! Search by meaning: which claims or fragments have the vectors nearest to a query's.
//!
//! The `embeddings` rows are the truth. A search over everything scans a rounded copy of them in
//! memory (`matrix`) and compares the best candidates again with the rows themselves (`rows`). A search
//! within a task reads just the rows of that task. `docs/adr/0020` says why there is no index.

mod best;
mod code;
mod matrix;
mod rows;
mod simd;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};
use std::thread;

use evidence::{Node, NodeType, TaskId};
use serde::Serialize;
use settings::settings;

use self::matrix::Matrix;
use self::rows::{Query, Scored};
use crate::{Error, Graph, Result};

settings! {
    /// Search by meaning: an exact scan in memory.
    pub struct VectorSettings {}
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
    }
    removed {
        "ann_threshold_rows": "every search is exact now";
        "ann_rows_per_list": "every search is exact now";
        "ann_probe_lists": "every search is exact now";
        "ann_sample_per_list": "every search is exact now";
        "ann_rounds": "every search is exact now";
        "ann_tail_share": "every search is exact now";
        "ann_build_threads": "every search is exact now";
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
    /// Vectors that were compared with the query's.
    pub total_searched: usize,
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
    spaces: Mutex<HashMap<Space, Arc<RwLock<Matrix>>>>,
    cores: OnceLock<usize>,
}

impl Vectors {
    fn matrix(&self, space: &Space) -> Arc<RwLock<Matrix>> {
        let mut spaces = self.spaces.lock().unwrap_or_else(PoisonError::into_inner);
        spaces.entry(space.clone()).or_default().clone()
    }

    fn cores(&self) -> usize {
        *self.cores.get_or_init(|| thread::available_parallelism().map_or(1, usize::from))
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
            let total_searched = scored.len();
            let results = self.hits(r.connection, query, scored)?;
            Ok(VectorAnswer { results, total_searched })
        })
    }

    fn search_everything(
        &self,
        query: &VectorQuery<'_>,
        space: &Space,
        vector: &Query<'_>,
    ) -> Result<VectorAnswer> {
        let matrix = self.vectors().matrix(space);
        self.load_new_rows(&matrix, space)?;
        let (candidates, total_searched) = {
            let matrix = matrix.read().unwrap_or_else(PoisonError::into_inner);
            if let Some(dimension) = matrix.dimension() {
                vector.check_dimension(dimension, space)?;
            }
            let keep = self.vector_options().rescore.max(query.top_k);
            let best = matrix.scan(&vector.code, keep, self.scan_threads(matrix.rows()));
            (best.into_sorted(), matrix.rows())
        };
        self.read(|r| {
            let seqs = candidates.iter().map(|candidate| candidate.seq);
            let scored = rows::rescore(r.connection, vector, seqs)?;
            Ok(VectorAnswer { results: self.hits(r.connection, query, scored)?, total_searched })
        })
    }

    /// Adds the rows committed since the last search. Scans of other threads wait meanwhile.
    fn load_new_rows(&self, matrix: &RwLock<Matrix>, space: &Space) -> Result<()> {
        let mut matrix = matrix.write().unwrap_or_else(PoisonError::into_inner);
        while self.read(|r| rows::load(r.connection, space, &mut matrix))? {}
        Ok(())
    }

    fn scan_threads(&self, rows: usize) -> usize {
        let options = self.vector_options();
        let most = options.scan_threads.min(self.vectors().cores());
        (rows / options.rows_per_thread.max(1)).clamp(1, most.max(1))
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
        let shown = scored.into_iter().map(|scored| {
            let (id, text_preview) =
                rows::target(connection, query.target, &scored.target_id, chars)?;
            Ok(VectorHit { id, similarity: scored.similarity, text_preview })
        });
        shown.collect()
    }
}
