//! Watches beside a run: how long at least one of the product's models was at work, and what took time beside them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use fetch::Reason;
use models::{Embedder, Pair, Result, StanceModel, Thresholds, Verdict};
use research::calls::{MissReason, Progress};
use serde::{Deserialize, Serialize};
use text::language::Languages;
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

/// Where the time beside the models went, while searches run one after the other.
///
/// Pages are told of in the order they were planned, and the others of a cycle are read meanwhile: when one is given up
/// because its time is over, what passed since the last sign of life was waiting.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Beside {
    /// How long nothing could be done but wait for sites that never answered.
    pub(crate) silent_sites: f64,
    pub(crate) sources: f64,
    pub(crate) citations: f64,
    pub(crate) pages: f64,
    pub(crate) judging: f64,
    /// The beginning and the end of searches.
    pub(crate) rest: f64,
}

/// Listens to a run and adds up [`Beside`].
#[derive(Debug)]
pub(crate) struct Listener(Arc<Mutex<Beside>>);

impl Listener {
    /// Listens from now on. Must be called inside a runtime.
    pub(crate) fn start(mut progress: Receiver<Progress>, meter: &Arc<Meter>) -> Self {
        let listener = Self(Arc::default());
        let (sums, meter) = (Arc::clone(&listener.0), Arc::clone(meter));
        tokio::spawn(async move {
            let mut last = (Instant::now(), meter.total());
            loop {
                let heard = progress.recv().await;
                let now = (Instant::now(), meter.total());
                let passed = now.0.duration_since(last.0).saturating_sub(now.1 - last.1);
                last = now;
                match heard {
                    Ok(heard) => lock(&sums).add(&heard, passed.as_secs_f64()),
                    // What was told too fast to be heard took no time.
                    Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => return,
                }
            }
        });
        listener
    }

    pub(crate) fn heard(&self) -> Beside {
        lock(&self.0).clone()
    }
}

impl Beside {
    fn add(&mut self, heard: &Progress, seconds: f64) {
        let sum = match heard {
            Progress::PageMissed { reason: MissReason::Page(Reason::TimedOut), .. } => {
                &mut self.silent_sites
            }
            Progress::Reading { .. } | Progress::PageRead { .. } | Progress::PageMissed { .. } => {
                &mut self.pages
            }
            Progress::Planned { .. } | Progress::Warning { .. } => &mut self.sources,
            Progress::Cited { .. } => &mut self.citations,
            Progress::Judged { .. } => &mut self.judging,
            _ => &mut self.rest,
        };
        *sum += seconds;
    }
}

fn lock(sums: &Mutex<Beside>) -> MutexGuard<'_, Beside> {
    // Each change is one addition.
    sums.lock().unwrap_or_else(PoisonError::into_inner)
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
