//! Who is connected, and who has to leave when there is no room.
//!
//! A connection is either waited for (for the head or the body of its next request) or served. Clients that stop in
//! the middle of a request must not keep others out: a newcomer takes the place of the one that was waited for the
//! longest, of the address that keeps most of them waiting. Nobody who is served has to leave.

use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::AbortHandle;

/// How long to wait for a seat before looking again for somebody who can leave.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

pub(super) struct Lobby {
    seats: Arc<Semaphore>,
    numbers: AtomicU64,
    guests: Mutex<BTreeMap<u64, Entry>>,
}

struct Entry {
    from: IpAddr,
    task: AbortHandle,
    /// Since which moment it is waited for, as a number that only grows; none while it is served.
    waited_since: Option<u64>,
}

impl Lobby {
    pub(super) fn new(seats: usize) -> Self {
        Self {
            seats: Arc::new(Semaphore::new(seats)),
            numbers: AtomicU64::new(0),
            guests: Mutex::default(),
        }
    }

    /// A number that nobody has.
    pub(super) fn number(&self) -> u64 {
        self.numbers.fetch_add(1, Ordering::Relaxed)
    }

    /// A seat for a newcomer; `None` when the house is closed.
    pub(super) async fn seat(&self) -> Option<OwnedSemaphorePermit> {
        loop {
            if let Ok(seat) = Arc::clone(&self.seats).try_acquire_owned() {
                return Some(seat);
            }
            self.send_one_away();
            let freed = Arc::clone(&self.seats).acquire_owned();
            if let Ok(seat) = tokio::time::timeout(LOOK_AGAIN, freed).await {
                return seat.ok();
            }
        }
    }

    /// Begins a connection. It finds itself among the guests: they are locked until it is there.
    pub(super) fn enter(
        &self,
        number: u64,
        from: IpAddr,
        connection: impl Future<Output = ()> + Send + 'static,
    ) {
        let waited_since = Some(self.number());
        let mut guests = self.guests();
        let task = tokio::spawn(connection).abort_handle();
        guests.insert(number, Entry { from, task, waited_since });
    }

    /// A guest is served until what this returns is dropped.
    pub(super) fn serve(self: &Arc<Self>, number: u64) -> Served {
        self.wait_since(number, None);
        Served { lobby: Arc::clone(self), number }
    }

    fn wait_since(&self, number: u64, moment: Option<u64>) {
        if let Some(guest) = self.guests().get_mut(&number) {
            guest.waited_since = moment;
        }
    }

    fn send_one_away(&self) {
        let mut guests = self.guests();
        let mut waiting: HashMap<IpAddr, usize> = HashMap::new();
        for guest in guests.values().filter(|it| it.waited_since.is_some()) {
            *waiting.entry(guest.from).or_default() += 1;
        }
        let first = guests
            .iter()
            .filter_map(|(number, it)| Some((waiting.get(&it.from)?, it.waited_since?, *number)))
            .max_by_key(|(crowd, since, _)| (**crowd, std::cmp::Reverse(*since)));
        if let Some(guest) = first.and_then(|(_, _, number)| guests.remove(&number)) {
            guest.task.abort();
            tracing::debug!("a connection that was waited for made room");
        }
    }

    fn guests(&self) -> MutexGuard<'_, BTreeMap<u64, Entry>> {
        self.guests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection, as long as it lasts.
pub(super) struct Guest {
    pub(super) lobby: Arc<Lobby>,
    pub(super) number: u64,
}

impl Drop for Guest {
    fn drop(&mut self) {
        self.lobby.guests().remove(&self.number);
    }
}

/// A request that is being answered.
pub(super) struct Served {
    lobby: Arc<Lobby>,
    number: u64,
}

impl Drop for Served {
    fn drop(&mut self) {
        let now = self.lobby.number();
        self.lobby.wait_since(self.number, Some(now));
    }
}
