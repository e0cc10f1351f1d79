//! Which of a task's searches goes on next: the most promising one (UCB1 over what each brought per page so far).
//!
//! A search passes the turnstile before each cycle. So a search that brings little waits while others are more
//! promising, and gets what is left of the budget.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use evidence::SearchId;
use judge::novelty::{Branch, NoveltySettings, promise};
use tokio::sync::oneshot;

#[derive(Debug, Clone)]
pub(crate) struct Scheduler {
    state: Arc<Mutex<State>>,
}

struct State {
    at_once: usize,
    settings: NoveltySettings,
    inside: usize,
    branches: BTreeMap<SearchId, Branch>,
    waiting: Vec<(SearchId, oneshot::Sender<Turn>)>,
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State")
            .field("inside", &self.inside)
            .field("branches", &self.branches)
            .finish_non_exhaustive()
    }
}

/// A cycle's worth of work; dropping it lets the next search in.
#[derive(Debug)]
pub(crate) struct Turn {
    state: Arc<Mutex<State>>,
}

impl Scheduler {
    pub(crate) fn new(at_once: usize, settings: NoveltySettings) -> Self {
        let state = State {
            at_once: at_once.max(1),
            settings,
            inside: 0,
            branches: BTreeMap::new(),
            waiting: Vec::new(),
        };
        Self { state: Arc::new(Mutex::new(state)) }
    }

    /// Waits for this search's turn.
    pub(crate) async fn pass(&self, search: SearchId) -> Turn {
        let (sender, receiver) = oneshot::channel();
        {
            let mut state = lock(&self.state);
            let fresh = Branch { read: 0, useful: 0, open: true };
            state.branches.entry(search).or_insert(fresh);
            state.waiting.push((search, sender));
        }
        serve_waiting(&self.state);
        receiver.await.expect("whoever waits stays in the queue until it is served")
    }

    /// Says what a search has brought so far.
    pub(crate) fn report(&self, search: SearchId, read: usize, useful: usize) {
        lock(&self.state).branches.insert(search, Branch { read, useful, open: true });
    }
}

impl State {
    fn next(&mut self) -> Option<oneshot::Sender<Turn>> {
        if self.inside >= self.at_once {
            return None;
        }
        let all = self.branches.values().map(|it| it.read).sum();
        let mut best: Option<(usize, f64)> = None;
        for (index, (search, _)) in self.waiting.iter().enumerate() {
            let promised = self
                .branches
                .get(search)
                .map_or(f64::INFINITY, |it| promise(it, all, &self.settings));
            if best.is_none_or(|it| promised > it.1) {
                best = Some((index, promised));
            }
        }
        let (_, sender) = self.waiting.remove(best?.0);
        self.inside += 1;
        Some(sender)
    }
}

fn serve_waiting(state: &Arc<Mutex<State>>) {
    loop {
        let Some(next) = lock(state).next() else { return };
        drop(next.send(Turn { state: Arc::clone(state) }));
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        lock(&self.state).inside -= 1;
        serve_waiting(&self.state);
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    // Every change is whole before anything can panic.
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use evidence::Id;

    use super::*;

    #[tokio::test]
    async fn the_search_that_brings_more_goes_first() {
        let scheduler = Scheduler::new(1, NoveltySettings::default());
        let search = |it| SearchId::from_parts(1, it);
        scheduler.report(search(1), 20, 1);
        scheduler.report(search(2), 20, 15);
        let held = scheduler.pass(search(3)).await;
        scheduler.report(search(3), 20, 8);
        let order = Arc::new(Mutex::new(Vec::new()));
        let mut tasks = Vec::new();
        for it in [1, 3, 2] {
            let (scheduler, order) = (scheduler.clone(), Arc::clone(&order));
            tasks.push(tokio::spawn(async move {
                let turn = scheduler.pass(search(it)).await;
                order.lock().unwrap().push(it);
                drop(turn);
            }));
            tokio::task::yield_now().await;
        }
        drop(held);
        for task in tasks {
            task.await.unwrap();
        }
        assert_eq!(*order.lock().unwrap(), [2, 3, 1]);
    }
}
