//! Which of a task's searches runs its next cycle: the most promising one (UCB1 over what each brought per page so far).
//!
//! A search waits for its turn before each cycle. So one that brings little waits while others are more promising, and
//! gets what is left of the budget.

use std::collections::BTreeMap;

use evidence::SearchId;
use judge::novelty::{Branch, NoveltySettings, promise};

use crate::gate::{Gate, Order, Pass};

#[derive(Debug, Clone)]
pub(crate) struct Scheduler {
    gate: Gate<ByPromise>,
}

/// A cycle's worth of work; dropping it lets the next search in.
pub(crate) type Turn = Pass<ByPromise>;

pub(crate) struct ByPromise {
    at_once: usize,
    settings: NoveltySettings,
    branches: BTreeMap<SearchId, Branch>,
}

impl Scheduler {
    pub(crate) fn new(at_once: usize, settings: NoveltySettings) -> Self {
        let order = ByPromise { at_once: at_once.max(1), settings, branches: BTreeMap::new() };
        Self { gate: Gate::new(order) }
    }

    /// Waits for this search's turn.
    pub(crate) async fn pass(&self, search: SearchId) -> Turn {
        self.gate.enter(search).await
    }

    /// Says what a search has brought so far.
    pub(crate) fn report(&self, search: SearchId, read: usize, useful: usize) {
        self.gate.change(|order| {
            order.branches.insert(search, Branch { read, useful, open: true });
        });
    }
}

impl Order for ByPromise {
    type Key = SearchId;

    fn next(&self, inside: &[SearchId], waiting: &[SearchId]) -> Option<usize> {
        if inside.len() >= self.at_once {
            return None;
        }
        let all = self.branches.values().map(|it| it.read).sum();
        let mut best: Option<(usize, f64)> = None;
        for (place, search) in waiting.iter().enumerate() {
            // One that was not tried yet goes first.
            let promised = self
                .branches
                .get(search)
                .map_or(f64::INFINITY, |it| promise(it, all, &self.settings));
            if best.is_none_or(|it| promised > it.1) {
                best = Some((place, promised));
            }
        }
        best.map(|it| it.0)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

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
