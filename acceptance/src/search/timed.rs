//! Watches beside a run: how long at least one of the product's models was at work, and how long a search could do
//! nothing but wait for a page that never came.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use fetch::Reason;
use models::{Embedder, Languages, Pair, Result, StanceModel, Thresholds, Verdict};
use research::calls::Progress;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

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

/// Adds up how long searches, one after the other, stood still for sites that never answered.
///
/// Pages are told of in the order they were planned, and the others of a cycle are read meanwhile: when one is given up
/// because its time is over, what passed since the last sign of life was waiting.
#[derive(Debug)]
pub(crate) struct Standstill(Arc<Mutex<Duration>>);

impl Standstill {
    /// Listens from now on. Must be called inside a runtime.
    pub(crate) fn watch(mut progress: Receiver<Progress>) -> Self {
        let total = Arc::new(Mutex::new(Duration::ZERO));
        let own = Arc::clone(&total);
        let silence = Reason::TimedOut.as_str();
        tokio::spawn(async move {
            let mut last = Instant::now();
            loop {
                match progress.recv().await {
                    Ok(Progress::PageMissed { reason, .. }) if reason == silence => {
                        *own.lock().unwrap_or_else(PoisonError::into_inner) += last.elapsed();
                    }
                    // What was told too fast to be heard is waiting that is not counted.
                    Ok(_) | Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => return,
                }
                last = Instant::now();
            }
        });
        Self(total)
    }

    pub(crate) fn total(&self) -> Duration {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
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
