//! What is waited for at this moment: the pauses between requests to one host, for a person who watches.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;

/// A pause that a request waits for before it is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostPause {
    /// A host, an engine or an index.
    pub name: String,
    pub until: Timestamp,
}

#[derive(Debug, Default)]
pub(crate) struct Pauses {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    next: u64,
    /// In the order they began.
    now: BTreeMap<u64, HostPause>,
}

/// A pause while it lasts: dropped with it, also where the request is called off.
#[derive(Debug)]
pub(super) struct Pausing<'a> {
    pauses: &'a Pauses,
    number: u64,
}

impl Pauses {
    pub(super) fn begin(&self, name: &str, until: Timestamp) -> Pausing<'_> {
        let mut state = self.state();
        let number = state.next;
        state.next += 1;
        state.now.insert(number, HostPause { name: name.to_owned(), until });
        Pausing { pauses: self, number }
    }

    /// The pause that ends first: with it something goes on.
    pub(crate) fn first(&self) -> Option<HostPause> {
        self.state().now.values().min_by_key(|it| it.until).cloned()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Every change is a single insertion or removal.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Pausing<'_> {
    fn drop(&mut self) {
        self.pauses.state().now.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pause_that_ends_first_is_told_and_none_once_they_are_over() {
        let pauses = Pauses::default();
        let at = |second| Timestamp::from_second(second).unwrap();
        let slow = pauses.begin("slow.example", at(20));
        let quick = pauses.begin("quick.example", at(5));
        let expected = HostPause { name: "quick.example".to_owned(), until: at(5) };
        assert_eq!(pauses.first(), Some(expected));
        drop(quick);
        assert_eq!(pauses.first().unwrap().name, "slow.example");
        drop(slow);
        assert_eq!(pauses.first(), None);
    }
}
