//! A gate that lets some in at a time and keeps the others waiting: one queue for slots and for searches.
//!
//! Who goes next is up to an [`Order`]; the gate makes sure that a waiter that gave up keeps no place.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

/// Decides who goes next.
pub(crate) trait Order {
    /// What is known of one who waits or is inside.
    type Key: Clone + PartialEq + fmt::Debug;

    /// The place among those who wait, in the order they came, of the one to let in now.
    fn next(&self, inside: &[Self::Key], waiting: &[Self::Key]) -> Option<usize>;
}

/// Clones share the gate.
pub(crate) struct Gate<O: Order> {
    state: Arc<Mutex<State<O>>>,
}

struct State<O: Order> {
    order: O,
    inside: Vec<O::Key>,
    /// In the order they came; the two lists are parallel.
    waiting: Vec<O::Key>,
    senders: Vec<oneshot::Sender<Pass<O>>>,
}

/// A place inside; dropping it lets the next one in.
pub(crate) struct Pass<O: Order> {
    key: O::Key,
    gate: Gate<O>,
}

impl<O: Order> Gate<O> {
    pub(crate) fn new(order: O) -> Self {
        let (inside, waiting, senders) = (Vec::new(), Vec::new(), Vec::new());
        Self { state: Arc::new(Mutex::new(State { order, inside, waiting, senders })) }
    }

    /// Waits to be let in. Dropping the future gives up the place in the queue.
    pub(crate) async fn enter(&self, key: O::Key) -> Pass<O> {
        let (sender, receiver) = oneshot::channel();
        {
            let mut state = self.lock();
            state.waiting.push(key);
            state.senders.push(sender);
        }
        self.let_in();
        receiver.await.expect("one who waits stays in the queue until let in")
    }

    /// How many of those inside are such.
    pub(crate) fn inside(&self, is_such: impl Fn(&O::Key) -> bool) -> usize {
        self.lock().inside.iter().filter(|it| is_such(it)).count()
    }

    /// Changes what the order goes by.
    pub(crate) fn change(&self, change: impl FnOnce(&mut O)) {
        change(&mut self.lock().order);
    }

    fn let_in(&self) {
        loop {
            // The lock is free again before a pass is sent or dropped.
            let Some((key, sender)) = self.lock().take_next() else { return };
            // One who gave up meanwhile: the pass comes back, is dropped here, and the next is let in.
            drop(sender.send(Pass { key, gate: self.clone() }));
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<O>> {
        // Every change is whole before anything can panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<O: Order> State<O> {
    fn take_next(&mut self) -> Option<(O::Key, oneshot::Sender<Pass<O>>)> {
        let next = self.order.next(&self.inside, &self.waiting)?;
        let (key, sender) = (self.waiting.remove(next), self.senders.remove(next));
        self.inside.push(key.clone());
        Some((key, sender))
    }
}

impl<O: Order> Drop for Pass<O> {
    fn drop(&mut self) {
        {
            let mut state = self.gate.lock();
            let own = state.inside.iter().position(|it| *it == self.key);
            state.inside.swap_remove(own.expect("a pass is for one who is inside"));
        }
        self.gate.let_in();
    }
}

impl<O: Order> Clone for Gate<O> {
    fn clone(&self) -> Self {
        Self { state: Arc::clone(&self.state) }
    }
}

impl<O: Order> fmt::Debug for Gate<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.lock();
        f.debug_struct("Gate")
            .field("inside", &state.inside)
            .field("waiting", &state.waiting)
            .finish_non_exhaustive()
    }
}

impl<O: Order> fmt::Debug for Pass<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Pass").field(&self.key).finish()
    }
}
