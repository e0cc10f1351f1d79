//! What work needs while it runs, and who goes first when there is not enough of it.
//!
//! Four kinds of slots: `gpu` and `browser_headful` (one each, and never both at the same time: they fight for the same
//! memory), `network_client` and `cpu_nlp`. The higher priority gets the next free slot; equals go in the order they
//! came.

use crate::gate::{Gate, Order, Pass};

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
    gate: Gate<SlotOrder>,
}

/// A slot that is held; dropping it lets the next one in.
#[derive(Debug)]
pub struct Permit {
    _pass: Pass<SlotOrder>,
}

struct SlotOrder {
    network_clients: usize,
    cpu_nlp: usize,
}

impl Slots {
    pub fn new(network_clients: usize, cpu_nlp: usize) -> Self {
        let order = SlotOrder { network_clients: network_clients.max(1), cpu_nlp: cpu_nlp.max(1) };
        Self { gate: Gate::new(order) }
    }

    /// Waits for a slot. Dropping the future gives up the place in the queue.
    pub async fn acquire(&self, slot: Slot, priority: u32) -> Permit {
        Permit { _pass: self.gate.enter((slot, priority)).await }
    }

    /// How many hold a slot of this kind now.
    pub fn running(&self, slot: Slot) -> usize {
        self.gate.inside(|it| it.0 == slot)
    }
}

impl Order for SlotOrder {
    type Key = (Slot, u32);

    fn next(&self, inside: &[(Slot, u32)], waiting: &[(Slot, u32)]) -> Option<usize> {
        let held = |slot: Slot| inside.iter().filter(|it| it.0 == slot).count();
        let has_room = |slot: Slot| match slot {
            Slot::Gpu | Slot::BrowserHeadful => held(Slot::Gpu) + held(Slot::BrowserHeadful) == 0,
            Slot::NetworkClient => held(slot) < self.network_clients,
            Slot::CpuNlp => held(slot) < self.cpu_nlp,
        };
        let fits = (0..waiting.len()).filter(|it| has_room(waiting[*it].0));
        fits.min_by_key(|it| std::cmp::Reverse(waiting[*it].1))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

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
    async fn a_caller_that_gives_up_holds_nothing() {
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
