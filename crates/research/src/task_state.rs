//! What the process knows of a task while its searches run: which are running, since when, and whether to continue.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;

use evidence::SearchId;
use judge::novelty::NoveltySettings;
use llm::Llm;
use tokio::sync::watch;

use crate::error::EngineError;
use crate::llm::LlmServer;
use crate::scheduler::Scheduler;
use crate::search::{Sketches, TaskMemory};

/// Whether searches continue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Go,
    /// What is at hand is finished; what waits for others, and the rest, waits for a resume.
    Pause,
    /// The searches end here.
    Stop,
}

#[derive(Debug)]
pub(crate) struct TaskState {
    pub(crate) scheduler: Scheduler,
    /// Judging sees all claims of the task, so one search judges at a time.
    pub(crate) judging: tokio::sync::Mutex<()>,
    pub(crate) mode: watch::Sender<Mode>,
    /// A change counter, for those who wait for a change.
    pub(crate) changes: watch::Sender<u64>,
    running: Mutex<BTreeMap<SearchId, watch::Receiver<bool>>>,
    /// Why searches failed, until a caller is told.
    broken: Mutex<BTreeMap<SearchId, EngineError>>,
    meter: Mutex<Meter>,
    memory: Mutex<TaskMemory>,
    /// Nothing until a page is compared for the first time.
    sketches: Mutex<Option<Sketches>>,
    /// The language model of the task, made when it is first needed.
    llm: OnceLock<Arc<Llm>>,
    model_calls: AtomicUsize,
    /// Pages that were read in an older version since the process began.
    versions_read: AtomicUsize,
    model_is_lost: AtomicBool,
}

/// Measures working time: while several searches run, each second counts once.
#[derive(Debug, Default)]
struct Meter {
    at_work: usize,
    since: Option<Instant>,
    seconds: f64,
}

impl TaskState {
    pub(crate) fn new(cycles_at_once: usize, novelty: NoveltySettings) -> Self {
        Self {
            scheduler: Scheduler::new(cycles_at_once, novelty),
            judging: tokio::sync::Mutex::new(()),
            mode: watch::Sender::new(Mode::Go),
            changes: watch::Sender::new(0),
            running: Mutex::default(),
            broken: Mutex::default(),
            meter: Mutex::default(),
            memory: Mutex::default(),
            sketches: Mutex::default(),
            llm: OnceLock::new(),
            model_calls: AtomicUsize::new(0),
            versions_read: AtomicUsize::new(0),
            model_is_lost: AtomicBool::new(false),
        }
    }

    /// Takes one of the older versions that may be read in place of pages, if one is left.
    pub(crate) fn take_version(&self, most: usize) -> bool {
        let next = |read: usize| (read < most).then_some(read + 1);
        self.versions_read.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next).is_ok()
    }

    pub(crate) fn mode(&self) -> Mode {
        *self.mode.borrow()
    }

    pub(crate) fn changed(&self) {
        self.changes.send_modify(|it| *it += 1);
    }

    /// What earlier assessments left. Given back with [`Self::remember`]; until then another one would load it anew.
    pub(crate) fn take_memory(&self) -> TaskMemory {
        std::mem::take(&mut *self.memory.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn remember(&self, memory: TaskMemory) {
        *self.memory.lock().unwrap_or_else(PoisonError::into_inner) = memory;
    }

    pub(crate) fn sketches(&self) -> MutexGuard<'_, Option<Sketches>> {
        // Every change is a single insertion.
        self.sketches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The language model, unless there is none or it cannot be reached.
    pub(crate) fn llm(&self, server: Option<&LlmServer>) -> Option<Arc<Llm>> {
        let server = server.filter(|_| !self.model_is_lost.load(Ordering::Relaxed))?;
        Some(Arc::clone(self.llm.get_or_init(|| Arc::new(server.for_task()))))
    }

    pub(crate) fn give_up_model(&self) {
        self.model_is_lost.store(true, Ordering::Relaxed);
    }

    pub(crate) fn count_model_call(&self) {
        self.model_calls.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn model_calls(&self) -> usize {
        self.model_calls.load(Ordering::Relaxed)
    }

    /// The searches at work, and how to learn that they ended.
    pub(crate) fn running(&self) -> MutexGuard<'_, BTreeMap<SearchId, watch::Receiver<bool>>> {
        // Every change is a single insertion or removal.
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Searches that could not continue, for example on a full disk.
    pub(crate) fn broken(&self) -> MutexGuard<'_, BTreeMap<SearchId, EngineError>> {
        // Every change is a single insertion or removal.
        self.broken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn begin_work(&self) {
        let mut meter = self.meter();
        meter.lap();
        meter.at_work += 1;
        meter.since = Some(Instant::now());
    }

    pub(crate) fn end_work(&self) {
        let mut meter = self.meter();
        meter.lap();
        meter.at_work -= 1;
        if meter.at_work == 0 {
            meter.since = None;
        }
    }

    /// Working seconds since the last time this was asked.
    pub(crate) fn take_seconds(&self) -> f64 {
        let mut meter = self.meter();
        meter.lap();
        std::mem::take(&mut meter.seconds)
    }

    /// Working seconds that were not taken yet.
    pub(crate) fn seconds(&self) -> f64 {
        let mut meter = self.meter();
        meter.lap();
        meter.seconds
    }

    fn meter(&self) -> MutexGuard<'_, Meter> {
        // Numbers are changed one after the other; a torn change would lose milliseconds.
        self.meter.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Meter {
    fn lap(&mut self) {
        if let Some(since) = self.since {
            let now = Instant::now();
            self.seconds += now.duration_since(since).as_secs_f64();
            self.since = Some(now);
        }
    }
}
