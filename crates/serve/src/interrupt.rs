//! Ctrl-C: the first stops the statement that runs, the second ends the process at once.
//!
//! Ending at any moment is safe, SQLite keeps every transaction whole; the polite way only adds a
//! message that says so. A command that does not stop in time (it prints, say) is ended too.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::failure::{Failure, Kind};

type Stop = Box<dyn Fn() + Send>;

static PRESSED: AtomicUsize = AtomicUsize::new(0);
static STOP: Mutex<Option<Stop>> = Mutex::new(None);

/// How long a command may take to notice that its statement was stopped.
const PATIENCE: Duration = Duration::from_secs(2);

/// Listens from now on. `give_up`, which must not return, ends the process with a failure.
pub(crate) fn listen(give_up: impl Fn(Failure) + Send + Sync + 'static) {
    let give_up = Arc::new(give_up);
    let listening = ctrlc::set_handler(move || {
        let is_first = PRESSED.fetch_add(1, Ordering::SeqCst) == 0;
        match (is_first, stop().is_some()) {
            (true, true) => {
                let give_up = Arc::clone(&give_up);
                thread::spawn(move || {
                    insist();
                    give_up(ended());
                });
            }
            (true, false) => give_up(stopped()),
            (false, _) => give_up(ended()),
        }
    });
    if let Err(error) = listening {
        // The system's own answer to Ctrl-C stays in force: it ends the process.
        tracing::warn!(error = &error as &(dyn std::error::Error + 'static), "no Ctrl-C handler");
    }
}

/// Says how to stop what runs from now on.
pub(crate) fn on_stop(how: impl Fn() + Send + 'static) {
    *stop() = Some(Box::new(how));
}

/// Fails if the user has asked to stop. For work that changes nothing.
pub(crate) fn check() -> Result<(), Failure> {
    if PRESSED.load(Ordering::SeqCst) == 0 { Ok(()) } else { Err(stopped()) }
}

/// Stops statement after statement: a command runs many, and between two there is nothing to stop.
fn insist() {
    let deadline = Instant::now() + PATIENCE;
    while Instant::now() < deadline {
        if let Some(stop) = &*stop() {
            stop();
        }
        thread::sleep(Duration::from_millis(10));
    }
}

fn stopped() -> Failure {
    Failure::new(Kind::Interrupted, "interrupted").hint(|w| &w.hint.nothing_changed)
}

/// What was asked to stop has stopped, between two records.
pub(crate) fn ended() -> Failure {
    Failure::new(Kind::Interrupted, "interrupted").hint(|w| &w.hint.recorded_is_kept)
}

fn stop() -> MutexGuard<'static, Option<Stop>> {
    STOP.lock().unwrap_or_else(PoisonError::into_inner)
}
