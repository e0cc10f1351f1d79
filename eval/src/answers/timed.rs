//! The models of the engine with a watch each, to see where the time of a question goes.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use models::{Embedder, InUse, Pair, Result, StanceModel, Thresholds, Verdict};
use text::language::Languages;

/// Adds up how long calls took, all threads together.
#[derive(Debug, Default)]
pub(super) struct Watch {
    nanoseconds: AtomicU64,
    texts: AtomicU64,
}

impl Watch {
    pub(super) fn seconds(&self) -> f64 {
        self.nanoseconds.load(Ordering::Relaxed) as f64 / 1e9
    }

    /// Texts or pairs that were computed.
    pub(super) fn texts(&self) -> u64 {
        self.texts.load(Ordering::Relaxed)
    }

    fn during<T>(&self, texts: usize, work: impl FnOnce() -> T) -> T {
        let started = Instant::now();
        let done = work();
        let took = u64::try_from(started.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.nanoseconds.fetch_add(took, Ordering::Relaxed);
        self.texts.fetch_add(texts as u64, Ordering::Relaxed);
        done
    }
}

#[derive(Debug)]
pub(super) struct TimedEmbedder {
    pub(super) model: Arc<dyn Embedder>,
    pub(super) watch: Arc<Watch>,
}

impl Embedder for TimedEmbedder {
    fn id(&self) -> &str {
        self.model.id()
    }

    fn dimension(&self) -> usize {
        self.model.dimension()
    }

    fn languages(&self) -> &Languages {
        self.model.languages()
    }

    fn max_tokens(&self) -> usize {
        self.model.max_tokens()
    }

    fn memory(&self) -> usize {
        self.model.memory()
    }

    fn device(&self) -> InUse {
        self.model.device()
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        self.watch.during(texts.len(), || self.model.embed(texts))
    }
}

#[derive(Debug)]
pub(super) struct TimedStance {
    pub(super) model: Arc<dyn StanceModel>,
    pub(super) watch: Arc<Watch>,
}

impl StanceModel for TimedStance {
    fn id(&self) -> &str {
        self.model.id()
    }

    fn languages(&self) -> &Languages {
        self.model.languages()
    }

    fn max_tokens(&self) -> usize {
        self.model.max_tokens()
    }

    fn thresholds(&self) -> Thresholds {
        self.model.thresholds()
    }

    fn memory(&self) -> usize {
        self.model.memory()
    }

    fn device(&self) -> InUse {
        self.model.device()
    }

    fn judge(&self, pairs: &[Pair<'_>]) -> Result<Vec<Verdict>> {
        self.watch.during(pairs.len(), || self.model.judge(pairs))
    }
}
