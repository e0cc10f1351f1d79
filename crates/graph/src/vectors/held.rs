//! What an open graph holds of one space: an index file or none, and the rows after it in memory.
//!
//! Every search first brings it up to date, then scans under a shared lock. Builds run on a thread
//! with a connection of its own; until one has finished, answers stay exact.

use std::error::Error as StdError;
use std::mem;
use std::sync::{PoisonError, RwLock};
use std::thread::{self, JoinHandle};

use super::best::Candidate;
use super::build::{build, index_path};
use super::ivf::{Flaw, Ivf};
use super::matrix::Matrix;
use super::rows::{self, Query};
use super::{Space, VectorIndex, VectorMethod};
use crate::{Access, Error, Graph, Result};

/// Invariant: `index` covers the rows up to its last seq, `rows` holds exactly those after it.
#[derive(Debug, Default)]
pub(super) struct Held {
    index: Option<Ivf>,
    rows: Matrix,
    looked_for_file: bool,
    build: Option<JoinHandle<Result<Ivf>>>,
    /// After a failed build: the size from which on another is tried.
    retry_from: usize,
}

/// A bug in a build must not end the search that noticed it.
#[derive(Debug, thiserror::Error)]
#[error("the build panicked")]
struct Panicked;

/// What a scan found, before it is compared in full precision.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) candidates: Vec<Candidate>,
    pub(super) total: usize,
    pub(super) compared: usize,
    pub(super) method: VectorMethod,
}

/// Scans everything that is committed now.
pub(super) fn search(
    graph: &Graph,
    held: &RwLock<Held>,
    space: &Space,
    query: &Query<'_>,
    top_k: usize,
) -> Result<Found> {
    loop {
        {
            let mut held = held.write().unwrap_or_else(PoisonError::into_inner);
            held.bring_up_to_date(graph, space)?;
            held.start_build_if_due(graph, space);
        }
        let scanned = {
            let held = held.read().unwrap_or_else(PoisonError::into_inner);
            if let Some(dimension) = held.dimension() {
                query.check_dimension(dimension, space)?;
            }
            held.scan(graph, query, top_k)
        };
        match scanned {
            Ok(found) => return Ok(found),
            Err(flaw) => {
                held.write().unwrap_or_else(PoisonError::into_inner).forget_index(&flaw);
            }
        }
    }
}

/// Brings the index file up to date on the caller's thread; searches of the space wait.
pub(super) fn build_now(
    graph: &Graph,
    held: &RwLock<Held>,
    space: &Space,
) -> Result<Option<VectorIndex>> {
    let Some(database) = graph.path() else { return Ok(None) };
    let mut held = held.write().unwrap_or_else(PoisonError::into_inner);
    held.wait_for_build();
    held.bring_up_to_date(graph, space)?;
    if held.total() < graph.vector_options().ann_threshold_rows.max(1) {
        return Ok(None);
    }
    if held.index.is_none() || held.rows.rows() > 0 {
        if graph.access() == Access::Read {
            return Err(Error::ReadOnly);
        }
        let start = held.snapshot();
        let options = graph.vector_options();
        let index = build(database, space, start, options, &graph.vectors().stop)?;
        held.adopt(index);
    }
    Ok(held.index.as_ref().map(|index| VectorIndex {
        rows: index.coverage().rows,
        lists: index.lists(),
        bytes: index.bytes(),
    }))
}

impl Held {
    fn dimension(&self) -> Option<usize> {
        self.index.as_ref().map(Ivf::dimension).or(self.rows.dimension())
    }

    fn total(&self) -> usize {
        self.indexed() + self.rows.rows()
    }

    fn indexed(&self) -> usize {
        self.index
            .as_ref()
            .map_or(0, |it| usize::try_from(it.coverage().rows).unwrap_or(usize::MAX))
    }

    fn last_seq(&self) -> i64 {
        let indexed = || self.index.as_ref().map(|it| it.coverage().last_seq);
        self.rows.last_seq().or_else(indexed).unwrap_or(0)
    }

    fn bring_up_to_date(&mut self, graph: &Graph, space: &Space) -> Result<()> {
        if self.build.as_ref().is_some_and(JoinHandle::is_finished) {
            self.wait_for_build();
        }
        if !mem::replace(&mut self.looked_for_file, true) {
            self.open_index(graph, space)?;
        }
        loop {
            let (after, dimension) = (self.last_seq(), self.dimension());
            let more = graph
                .read(|r| rows::load(r.connection, space, after, dimension, &mut self.rows))?;
            if !more {
                return Ok(());
            }
        }
    }

    /// Uses the index an earlier run left, if it still says what the rows say.
    fn open_index(&mut self, graph: &Graph, space: &Space) -> Result<()> {
        let Some(database) = graph.path() else { return Ok(()) };
        match Ivf::open(&index_path(database, space), space) {
            Err(Flaw::Missing) => {}
            Err(flaw) => ignore(space, &flaw),
            Ok(index) => {
                let covered = index.coverage();
                let last_id = graph.read(|r| rows::embedding_id(r.connection, covered.last_seq))?;
                if last_id.as_ref() != Some(&covered.last_id) {
                    ignore(space, &Flaw::Foreign);
                } else if covered.rows >= graph.vector_options().ann_threshold_rows as u64 {
                    self.index = Some(index);
                }
            }
        }
        Ok(())
    }

    fn scan(&self, graph: &Graph, query: &Query<'_>, top_k: usize) -> Result<Found, Flaw> {
        let options = graph.vector_options();
        let keep = options.rescore.max(top_k);
        let threads = |rows: usize| {
            let most = options.scan_threads.min(graph.vectors().cores());
            (rows / options.rows_per_thread.max(1)).clamp(1, most.max(1))
        };
        let tail = self.rows.rows();
        let (mut best, mut compared) = (self.rows.scan(&query.code, keep, threads(tail)), tail);
        let mut method = VectorMethod::Exact;
        if let Some(index) = &self.index {
            let probe = options.ann_probe_lists;
            let threads = threads(probe.saturating_mul(options.ann_rows_per_list));
            let (indexed, rows) = index.scan(&query.code, keep, probe, threads)?;
            best = best.merge(indexed);
            compared += rows;
            method = VectorMethod::Ann;
        }
        Ok(Found { candidates: best.into_sorted(), total: self.total(), compared, method })
    }

    fn forget_index(&mut self, flaw: &Flaw) {
        // Another search may have been faster.
        if self.index.take().is_some() {
            tracing::warn!(%flaw, "the vector index failed while it was read; it is built anew");
            self.rows = Matrix::default();
        }
    }

    fn start_build_if_due(&mut self, graph: &Graph, space: &Space) {
        let options = graph.vector_options();
        let due = match self.index {
            None => self.total() >= options.ann_threshold_rows.max(1),
            Some(_) => self.rows.rows() as f64 > self.indexed() as f64 * options.ann_tail_share,
        };
        let (Some(database), Access::Write) = (graph.path(), graph.access()) else { return };
        if !due || self.build.is_some() || self.total() < self.retry_from {
            return;
        }
        let (database, space, options) = (database.to_owned(), space.clone(), options.clone());
        let (start, stop) = (self.snapshot(), graph.vectors().stop.clone());
        let thread = thread::Builder::new()
            .name("vector-index".to_owned())
            .spawn(move || build(&database, &space, start, &options, &stop));
        match thread {
            Ok(thread) => self.build = Some(thread),
            Err(error) => self.build_failed(&error),
        }
    }

    /// Takes over the result of a background build, waiting for it if it still runs.
    pub(super) fn wait_for_build(&mut self) {
        match self.build.take().map(JoinHandle::join) {
            None | Some(Ok(Err(Error::Interrupted))) => {}
            Some(Ok(Ok(index))) => self.adopt(index),
            Some(Ok(Err(error))) => self.build_failed(&error),
            Some(Err(_panic)) => self.build_failed(&Panicked),
        }
    }

    /// Exact search goes on, and a build is not tried again at every search.
    fn build_failed(&mut self, error: &(dyn StdError + 'static)) {
        tracing::warn!(error, "the vector index could not be built; search stays exact");
        self.retry_from = self.total() + self.total() / 10;
    }

    fn adopt(&mut self, index: Ivf) {
        self.rows = self.rows.after(index.coverage().last_seq);
        self.index = Some(index);
    }

    /// The rows a build need not load again.
    fn snapshot(&self) -> Matrix {
        if self.index.is_none() { self.rows.clone() } else { Matrix::default() }
    }
}

fn ignore(space: &Space, flaw: &Flaw) {
    tracing::warn!(model = space.model, %flaw, "the vector index is not used");
}
