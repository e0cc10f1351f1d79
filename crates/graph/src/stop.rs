//! Stopping work from another thread (Ctrl-C).

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rusqlite::Connection;

use crate::Result;

/// How many instructions of SQLite run between two looks at a [`Stop`].
const STRIDE: i32 = 1_000;

/// A cancellation flag, shared by the worker and those who may cancel it.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    pub fn request(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    /// Forgets a wish that came when nothing was running.
    pub(crate) fn reset(&self) {
        self.0.store(false, Ordering::SeqCst);
    }

    /// Lets every statement of a connection that is used for nothing else end when it is wished.
    pub(crate) fn end_statements_of(&self, connection: &mut Connection) -> Result<()> {
        let stop = self.clone();
        connection.progress_handler(STRIDE, Some(move || stop.is_requested()))?;
        Ok(())
    }
}

/// Stops what runs on a graph now: its own statement, and an untrusted query.
pub struct InterruptHandle {
    own: rusqlite::InterruptHandle,
    guarded: Stop,
}

impl fmt::Debug for InterruptHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InterruptHandle").finish_non_exhaustive()
    }
}

impl InterruptHandle {
    pub(crate) fn new(own: rusqlite::InterruptHandle, guarded: Stop) -> Self {
        Self { own, guarded }
    }

    pub fn interrupt(&self) {
        self.own.interrupt();
        self.guarded.request();
    }
}
