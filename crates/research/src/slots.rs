//! What work needs while it runs, and who goes first when there is not enough of it.
//!
//! Four kinds of slots: `gpu` and `browser_headful` (one each, and never both at the same time: they fight for the same
//! memory), `network_client` and `cpu_nlp`. Whoever waits with the higher priority gets the next free slot; equals go
//! in the order they came.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

/// What a step needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Slot {
    Gpu,
    BrowserHeadful,
    NetworkClient,
    CpuNlp,
}

impl Slot {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Gpu => "gpu",
            Self::BrowserHeadful => "browser_headful",
            Self::NetworkClient => "network_client",
            Self::CpuNlp => "cpu_nlp",
        }
    }
}

/// Who goes first: larger numbers do.
pub mod priority {
    pub const SERP: u32 = 100;
    pub const PREFETCH: u32 = 90;
    pub const EXTRACT: u32 = 80;
    pub const EMBED: u32 = 70;
    pub const LLM_FAST: u32 = 50;
    pub const LLM_SLOW: u32 = 40;
}

/// The slots of one process. Clones share them.
#[derive(Debug, Clone)]
pub struct Slots {
    state: Arc<Mutex<State>>,
}

struct State {
    network_clients: usize,
    cpu_nlp: usize,
    running: Vec<Slot>,
    waiting: Vec<Waiting>,
    arrivals: u64,
}

struct Waiting {
    slot: Slot,
    priority: u32,
    arrival: u64,
    permit: oneshot::Sender<Permit>,
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State")
            .field("running", &self.running)
            .field("waiting", &self.waiting.len())
            .finish_non_exhaustive()
    }
}

/// A slot that is held; dropping it lets the next one in.
#[derive(Debug)]
pub struct Permit {
    slot: Slot,
    state: Arc<Mutex<State>>,
}

impl Slots {
    pub fn new(network_clients: usize, cpu_nlp: usize) -> Self {
        let state = State {
            network_clients: network_clients.max(1),
            cpu_nlp: cpu_nlp.max(1),
            running: Vec::new(),
            waiting: Vec::new(),
            arrivals: 0,
        };
        Self { state: Arc::new(Mutex::new(state)) }
    }

    /// Waits for a slot. Dropping the future gives up the place in the queue.
    pub async fn acquire(&self, slot: Slot, priority: u32) -> Permit {
        let (sender, receiver) = oneshot::channel();
        {
            let mut state = lock(&self.state);
            state.arrivals += 1;
            let arrival = state.arrivals;
            state.waiting.push(Waiting { slot, priority, arrival, permit: sender });
        }
        serve_waiting(&self.state);
        receiver.await.expect("whoever waits stays in the queue until it is served")
    }

    /// How many hold a slot of this kind now.
    pub fn running(&self, slot: Slot) -> usize {
        lock(&self.state).count(slot)
    }
}

impl State {
    fn count(&self, slot: Slot) -> usize {
        self.running.iter().filter(|it| **it == slot).count()
    }

    fn has_room_for(&self, slot: Slot) -> bool {
        let alone = || self.count(Slot::Gpu) + self.count(Slot::BrowserHeadful) == 0;
        match slot {
            Slot::Gpu | Slot::BrowserHeadful => alone(),
            Slot::NetworkClient => self.count(slot) < self.network_clients,
            Slot::CpuNlp => self.count(slot) < self.cpu_nlp,
        }
    }

    fn next(&mut self) -> Option<Waiting> {
        let fits = (0..self.waiting.len()).filter(|it| self.has_room_for(self.waiting[*it].slot));
        let first = fits.min_by_key(|it| {
            let waiting = &self.waiting[*it];
            (std::cmp::Reverse(waiting.priority), waiting.arrival)
        })?;
        let waiting = self.waiting.remove(first);
        self.running.push(waiting.slot);
        Some(waiting)
    }
}

fn serve_waiting(state: &Arc<Mutex<State>>) {
    loop {
        let Some(next) = lock(state).next() else { return };
        let permit = Permit { slot: next.slot, state: Arc::clone(state) };
        // Somebody who gave up meanwhile: the permit comes back, is dropped here, and the next is served.
        drop(next.permit.send(permit));
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        {
            let mut state = lock(&self.state);
            let held = state.running.iter().position(|it| *it == self.slot);
            state.running.swap_remove(held.expect("a permit stands for a running slot"));
        }
        serve_waiting(&self.state);
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    // Every change is whole before anything can panic.
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn gpu_and_headful_browser_never_run_together() {
        let slots = Slots::new(4, 2);
        let gpu = slots.acquire(Slot::Gpu, priority::EMBED).await;
        let waiting = tokio::spawn({
            let slots = slots.clone();
            async move { slots.acquire(Slot::BrowserHeadful, priority::PREFETCH).await }
        });
        tokio::task::yield_now().await;
        assert_eq!((slots.running(Slot::Gpu), slots.running(Slot::BrowserHeadful)), (1, 0));
        drop(gpu);
        let browser = waiting.await.unwrap();
        assert_eq!((slots.running(Slot::Gpu), slots.running(Slot::BrowserHeadful)), (0, 1));
        drop(browser);
        assert_eq!(slots.running(Slot::BrowserHeadful), 0);
    }

    #[tokio::test]
    async fn the_higher_priority_goes_first_and_equals_in_order() {
        let slots = Slots::new(1, 1);
        let first = slots.acquire(Slot::NetworkClient, priority::SERP).await;
        let order = Arc::new(Mutex::new(Vec::new()));
        let mut tasks = Vec::new();
        for (name, priority) in [("page", 90), ("other page", 90), ("serp", 100), ("slow", 40)] {
            let (slots, order) = (slots.clone(), Arc::clone(&order));
            tasks.push(tokio::spawn(async move {
                let permit = slots.acquire(Slot::NetworkClient, priority).await;
                order.lock().unwrap().push(name);
                drop(permit);
            }));
            tokio::task::yield_now().await;
        }
        drop(first);
        for task in tasks {
            task.await.unwrap();
        }
        assert_eq!(*order.lock().unwrap(), ["serp", "page", "other page", "slow"]);
    }

    #[tokio::test]
    async fn whoever_gives_up_holds_nothing() {
        let slots = Slots::new(1, 1);
        let held = slots.acquire(Slot::CpuNlp, 1).await;
        let given_up = tokio::spawn({
            let slots = slots.clone();
            async move { slots.acquire(Slot::CpuNlp, 9).await }
        });
        tokio::task::yield_now().await;
        given_up.abort();
        assert!(given_up.await.unwrap_err().is_cancelled());
        drop(held);
        let next = slots.acquire(Slot::CpuNlp, 1).await;
        assert_eq!(slots.running(Slot::CpuNlp), 1);
        drop(next);
    }

    #[tokio::test]
    async fn slots_of_one_kind_do_not_wait_for_another() {
        let slots = Slots::new(2, 1);
        let _busy = slots.acquire(Slot::CpuNlp, 1).await;
        let _one = slots.acquire(Slot::NetworkClient, 1).await;
        let _two = slots.acquire(Slot::NetworkClient, 1).await;
        assert_eq!((slots.running(Slot::NetworkClient), slots.running(Slot::CpuNlp)), (2, 1));
    }
}
