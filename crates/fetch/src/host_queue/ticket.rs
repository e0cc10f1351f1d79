//! Waiting for a turn, and what is counted when it is over.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use jiff::Timestamp;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

use super::{HostQueue, HostQueueState, HostQueues};
use crate::pace::{self, PaceRules, later};
use crate::time::Time;

/// A queue that a request needs a turn in.
#[derive(Debug, Clone)]
pub(crate) struct Wanted {
    /// `domain:example.com`, `engine:mojeek`, `api:openalex`.
    pub(crate) scope: String,
    pub(crate) rules: PaceRules,
    /// A longer pause that robots.txt asks for.
    pub(crate) at_least: Duration,
}

impl Wanted {
    /// The scope as a person names it.
    pub(crate) fn name(&self) -> &str {
        self.scope.split_once(':').map_or(&self.scope, |(_, name)| name)
    }
}

/// How long a request is ready to wait, over all its requests: for turns, and apart from that for answers.
#[derive(Debug)]
pub(crate) struct Patience {
    turns: Duration,
    answers: Option<Duration>,
}

impl Patience {
    pub(crate) fn new(turns: Duration, answers: Option<Duration>) -> Self {
        Self { turns, answers }
    }

    /// How long the next request may be under way; `None` where no time is left for one.
    pub(crate) fn for_answer(&self, usual: Duration) -> Option<Duration> {
        match self.answers {
            Some(left) => Some(left.min(usual)).filter(|it| !it.is_zero()),
            None => Some(usual),
        }
    }

    /// A request was under way since then.
    pub(crate) fn answered(&mut self, since: Instant) {
        if let Some(left) = &mut self.answers {
            *left = left.saturating_sub(since.elapsed());
        }
    }

    /// Waits for something else than a turn; `None` when patience is over.
    pub(crate) async fn wait_for<T>(&mut self, what: impl Future<Output = T>) -> Option<T> {
        let begun = Instant::now();
        let waited = tokio::time::timeout(self.turns, what).await.ok();
        self.spend(begun);
        waited
    }

    fn spend(&mut self, since: Instant) {
        self.turns = self.turns.saturating_sub(since.elapsed());
    }
}

/// Why there is no turn now.
#[derive(Debug)]
pub(crate) enum Wait {
    Resting { name: String, until: Timestamp, because: String },
    DayUsedUp { name: String, until: Timestamp, requests: u32 },
    Crowded { name: String, until: Timestamp },
    NotReadable(ledger::LedgerError),
}

/// The right to send one request now. Dropped without [`Turn::over`], the request counts as made.
#[derive(Debug)]
pub(crate) struct Turn {
    held: Vec<HostPermit>,
    time: Arc<Time>,
    slots: Arc<Semaphore>,
    /// For preparing the request; once it is sent, for a slot.
    permit: Option<OwnedSemaphorePermit>,
    over: bool,
}

#[derive(Debug)]
struct HostPermit {
    queue: Arc<HostQueue>,
    rules: PaceRules,
    _permit: OwnedSemaphorePermit,
}

/// A turn in a queue whose pause is not over yet; later requests count it too.
type Next = (HostPermit, Waiting);

/// How a request ended, as far as politeness is concerned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ended {
    Well,
    /// Neither a success nor a sign that the site wants fewer requests.
    Oddly,
    Badly {
        because: String,
        asked: Option<Duration>,
    },
}

/// A place in a queue, given up when dropped.
#[derive(Debug)]
struct Waiting(Arc<HostQueue>);

impl Waiting {
    fn in_line(queue: &Arc<HostQueue>) -> Self {
        queue.waiting.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(queue))
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

impl HostQueues {
    /// Waits for a turn in all queues, in their order, as long as patience lasts.
    pub(crate) async fn turn(
        &self,
        wanted: &[Wanted],
        patience: &mut Patience,
    ) -> Result<Turn, Wait> {
        let begun = Instant::now();
        let deadline = begun + patience.turns;
        let turn = self.wait(wanted, deadline).await;
        patience.spend(begun);
        turn
    }

    async fn wait(&self, wanted: &[Wanted], deadline: Instant) -> Result<Turn, Wait> {
        let mut next: Vec<Next> = Vec::with_capacity(wanted.len());
        for it in wanted {
            let queue = self.queue(&it.scope, &it.rules).await.map_err(Wait::NotReadable)?;
            let now = self.time.now();
            let queued = self.queue_time(&queue, it, now);
            if let Some(wait) = too_late(it, self.look(&queue, it, now), queued, now, deadline) {
                return Err(wait);
            }
            let waiting = Waiting::in_line(&queue);
            let Some(permit) = timely(&queue.turns, deadline).await else {
                let until = later(self.time.now(), it.rules.mean_gap(now).max(it.at_least));
                return Err(Wait::Crowded { name: it.name().to_owned(), until });
            };
            next.push((HostPermit { queue, rules: it.rules.clone(), _permit: permit }, waiting));
        }
        loop {
            let now = self.time.now();
            let (mut ready, mut waits_for) = (now, "");
            for (it, (held, _)) in wanted.iter().zip(&next) {
                let turn = self.look(&held.queue, it, now);
                if let Some(wait) = too_late(it, turn.clone(), Duration::ZERO, now, deadline) {
                    return Err(wait);
                }
                let time = time_of(&turn, now);
                if time > ready {
                    (ready, waits_for) = (time, it.name());
                }
            }
            if ready > now {
                let _pausing = self.pauses.begin(waits_for, ready);
                tokio::time::sleep(until(ready, now)).await;
                continue;
            }
            let Some(permit) = timely(&self.prepared, deadline).await else {
                let until = later(now, Duration::from_secs(1));
                return Err(Wait::Crowded { name: "the web".to_owned(), until });
            };
            if self.start(wanted, &next) {
                let held = next.into_iter().map(|(held, _)| held).collect();
                let slots = Arc::clone(&self.slots);
                let time = Arc::clone(&self.time);
                return Ok(Turn { held, time, slots, permit: Some(permit), over: false });
            }
        }
    }

    /// Counts the request in all queues, unless another was faster in one of them.
    fn start(&self, wanted: &[Wanted], next: &[Next]) -> bool {
        let now = self.time.now();
        let mut states: Vec<_> = next.iter().map(|(it, _)| it.queue.state()).collect();
        let all = |(it, state): (&Wanted, &std::sync::MutexGuard<'_, HostQueueState>)| {
            it.rules.turn(&state.pace, state.gap.max(it.at_least), now) == pace::Turn::Now
        };
        if !wanted.iter().zip(&states).all(all) {
            return false;
        }
        for (it, state) in wanted.iter().zip(&mut states) {
            it.rules.start(&mut state.pace, now);
            state.gap = it.rules.gap(fastrand::f64());
        }
        true
    }

    fn look(&self, queue: &HostQueue, wanted: &Wanted, now: Timestamp) -> pace::Turn {
        let state = queue.state();
        wanted.rules.turn(&state.pace, state.gap.max(wanted.at_least), now)
    }

    /// How long the requests already in the queue will take.
    fn queue_time(&self, queue: &HostQueue, wanted: &Wanted, now: Timestamp) -> Duration {
        let waiting = u32::try_from(queue.waiting()).unwrap_or(u32::MAX);
        wanted.rules.mean_gap(now).max(wanted.at_least).saturating_mul(waiting)
    }
}

/// Takes a permit in order of arrival, if there is one before the deadline.
async fn timely(semaphore: &Arc<Semaphore>, deadline: Instant) -> Option<OwnedSemaphorePermit> {
    let permit = Arc::clone(semaphore).acquire_owned();
    tokio::time::timeout_at(deadline, permit).await.ok()?.ok()
}

fn time_of(turn: &pace::Turn, now: Timestamp) -> Timestamp {
    match turn {
        pace::Turn::Now => now,
        pace::Turn::At(time) => *time,
        pace::Turn::Resting { until, .. } | pace::Turn::DayUsedUp { until, .. } => *until,
    }
}

fn until(time: Timestamp, now: Timestamp) -> Duration {
    Duration::try_from(time.duration_since(now)).unwrap_or_default()
}

/// Says why a turn would come after the deadline, if it would.
fn too_late(
    wanted: &Wanted,
    turn: pace::Turn,
    queued: Duration,
    now: Timestamp,
    deadline: Instant,
) -> Option<Wait> {
    let latest = later(now, deadline.saturating_duration_since(Instant::now()));
    let at = later(time_of(&turn, now), queued);
    if at <= latest {
        return None;
    }
    let name = wanted.name().to_owned();
    Some(match turn {
        pace::Turn::Resting { until, because } => Wait::Resting { name, until, because },
        pace::Turn::DayUsedUp { until, requests } => Wait::DayUsedUp { name, until, requests },
        pace::Turn::Now | pace::Turn::At(_) => Wait::Crowded { name, until: at },
    })
}

impl Turn {
    /// The queues it is a turn in: their paces count this request.
    pub(crate) fn queues(&self) -> Vec<Arc<HostQueue>> {
        self.held.iter().map(|it| Arc::clone(&it.queue)).collect()
    }

    /// Waits until there is room on the way: the last step before the request leaves. Those before it take no
    /// longer than requests may take.
    pub(crate) async fn leave(&mut self) {
        let slot = Arc::clone(&self.slots).acquire_owned().await;
        self.permit = slot.ok();
    }

    /// Failures in a row in the first queue, this request not counted.
    pub(crate) fn failures(&self) -> u32 {
        self.held.first().map_or(0, |it| it.queue.state().pace.failures)
    }

    /// The request found no connection, so it counts against nothing.
    pub(crate) fn take_back(&self) {
        for it in &self.held {
            it.rules.take_back(&mut it.queue.state().pace);
        }
    }

    /// Counts how the request ended and lets the next one in; returns until when the host rests, if it does.
    pub(crate) fn over(mut self, ended: &Ended) -> Option<Timestamp> {
        self.over = true;
        let now = self.time.now();
        let mut resting_until = None;
        for it in &self.held {
            let mut state = it.queue.state();
            it.rules.finish(&mut state.pace, now);
            match ended {
                Ended::Well => {
                    state.failures_before = state.pace.failures;
                    it.rules.succeed(&mut state.pace, now);
                }
                Ended::Oddly => {}
                Ended::Badly { because, asked } => {
                    it.rules.fail(&mut state.pace, now, because, *asked);
                }
            }
            resting_until = resting_until.max(state.pace.resting_until.filter(|it| *it > now));
        }
        resting_until
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if self.over {
            return;
        }
        let now = self.time.now();
        for it in &self.held {
            it.rules.finish(&mut it.queue.state().pace, now);
        }
    }
}
