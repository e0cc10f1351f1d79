//! The product's models with a watch beside them: how long at least one of them was at work.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use models::{Embedder, Languages, Pair, Result, StanceModel, Thresholds, Verdict};

/// Adds up the time in which a model works; a second in which two do counts once.
#[derive(Debug, Default)]
pub(crate) struct Meter(Mutex<Watch>);

#[derive(Debug, Default)]
struct Watch {
    at_work: usize,
    since: Option<Instant>,
    total: Duration,
}

impl Meter {
    pub(crate) fn total(&self) -> Duration {
        let watch = self.watch();
        watch.total + watch.since.map_or(Duration::ZERO, |it| it.elapsed())
    }

    fn during<T>(&self, work: impl FnOnce() -> T) -> T {
        {
            let mut watch = self.watch();
            watch.at_work += 1;
            watch.since.get_or_insert_with(Instant::now);
        }
        let done = work();
        let mut watch = self.watch();
        watch.at_work -= 1;
        if watch.at_work == 0
            && let Some(since) = watch.since.take()
        {
            watch.total += since.elapsed();
        }
        done
    }

    fn watch(&self) -> MutexGuard<'_, Watch> {
        // A model that panicked leaves a watch that runs on, and a share that is too good by one call.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Debug)]
pub(crate) struct TimedEmbedder {
    model: Arc<dyn Embedder>,
    meter: Arc<Meter>,
}

impl TimedEmbedder {
    pub(crate) fn new(meter: &Arc<Meter>) -> Self {
        let model = models::builtin::embedder().expect("the model comes with the program");
        Self { model, meter: Arc::clone(meter) }
    }
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

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        self.meter.during(|| self.model.embed(texts))
    }
}

#[derive(Debug)]
pub(crate) struct TimedStance {
    model: Arc<dyn StanceModel>,
    meter: Arc<Meter>,
}

impl TimedStance {
    pub(crate) fn new(model: Arc<dyn StanceModel>, meter: &Arc<Meter>) -> Self {
        Self { model, meter: Arc::clone(meter) }
    }
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

    fn judge(&self, pairs: &[Pair<'_>]) -> Result<Vec<Verdict>> {
        self.meter.during(|| self.model.judge(pairs))
    }
}
