//! Everything is written down: the ledger before a request leaves, the archive before the caller sees the answer.
//!
//! Two threads do it. One compresses answers and writes the WARC files, the other writes the ledger. Each
//! takes what waits in its queue together (one sync of the file, one transaction), so many requests share the
//! price of the disk, and no request that wants to leave waits while an answer is packed.

mod ledger_thread;
mod warc;

use std::path::Path;
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;
use std::{fmt, thread};

use evidence::EventId;
use jiff::Timestamp;
use ledger::{
    ArchiveKind, ArchiveRecord, CachedFetch, CachedRobots, EgressAnswer, Ledger, NewEgress,
};
use tokio::sync::oneshot;

use crate::OpenError;
use crate::host_queue::HostQueue;

/// The two queues, as requests see them.
pub(crate) struct Recorder {
    warc_worker: Worker<Filed>,
    // Dropped after `warc_worker`, whose last answers it still has to record.
    ledger_worker: Worker<Job>,
}

/// A thread and its queue. Dropping it finishes the queued jobs first.
struct Worker<J> {
    queue: Option<mpsc::Sender<J>>,
    thread: Option<JoinHandle<()>>,
}

impl fmt::Debug for Recorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recorder").finish_non_exhaustive()
    }
}

/// Why something is not on the disk, in one line.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{0}")]
pub(crate) struct NotWritten(pub(crate) String);

type Reply<T> = oneshot::Sender<Result<T, NotWritten>>;

/// Something to write down.
#[derive(Debug)]
enum Job {
    Departure(Box<Departure>, Reply<i64>),
    /// With where the archive holds it.
    Filed(Box<Filed>, Result<Vec<ArchiveRecord>, NotWritten>),
    /// What rendering a page of a site showed.
    Rendered {
        domain: String,
        needed: bool,
    },
    Paces(Vec<Arc<HostQueue>>),
    Robots(CachedRobots),
}

/// An answer on its way through both threads, and who waits for it.
#[derive(Debug)]
struct Filed {
    what: Filing,
    reply: Option<Reply<Recorded>>,
}

#[derive(Debug)]
enum Filing {
    Arrival(Box<Arrival>),
    Made(Vec<Made>),
}

/// Something made of an archived answer.
#[derive(Debug)]
pub(crate) struct Made {
    pub(crate) kind: ArchiveKind,
    pub(crate) url: String,
    pub(crate) at: Timestamp,
    pub(crate) media_type: &'static str,
    pub(crate) bytes: Vec<u8>,
    /// The record of the answer, and the request it answers.
    pub(crate) of: String,
    pub(crate) egress_seq: Option<i64>,
}

/// A request about to leave.
#[derive(Debug)]
pub(crate) struct Departure {
    pub(crate) egress: NewEgress,
    pub(crate) cause: Option<EventId>,
    /// Whose pace counts it.
    pub(crate) queues: Vec<Arc<HostQueue>>,
}

/// How it ended.
#[derive(Debug)]
pub(crate) struct Arrival {
    pub(crate) seq: i64,
    pub(crate) answer: EgressAnswer,
    pub(crate) exchange: Option<Exchange>,
    /// What to remember for the next visit; the archive record and the digest are filled in here.
    pub(crate) cache: Vec<CachedFetch>,
}

/// An exchange for the archive.
#[derive(Debug)]
pub(crate) struct Exchange {
    pub(crate) url: String,
    pub(crate) at: Timestamp,
    pub(crate) address: Option<String>,
    pub(crate) request_head: Vec<u8>,
    pub(crate) request_body: Vec<u8>,
    pub(crate) status: Option<u16>,
    pub(crate) response: Response,
}

#[derive(Debug)]
pub(crate) enum Response {
    Full { head: Vec<u8>, body: Arc<Vec<u8>>, truncated: Option<&'static str> },
    NotModified { head: Vec<u8>, refers_to: archive::Stored },
    None,
}

/// Where an answer was written.
#[derive(Debug, Clone, Default)]
pub(crate) struct Recorded {
    /// The response, or the response that a revisit stands for.
    pub(crate) record_id: Option<String>,
}

impl Recorder {
    pub(crate) fn open(
        ledger: Arc<dyn Ledger>,
        dir: &Path,
        file_bytes: u64,
    ) -> Result<Self, OpenError> {
        let options = archive::Options {
            file_bytes,
            software: concat!("Lyra/", env!("CARGO_PKG_VERSION")).to_owned(),
        };
        let writer = archive::Writer::open(dir, options).map_err(OpenError::Archive)?;
        let ledger_worker =
            Worker::start("ledger", move |jobs| ledger_thread::run(ledger.as_ref(), &jobs))?;
        let done = ledger_worker.queue.clone();
        let warc_worker = Worker::start("warc", move |filed| {
            warc::run(writer, &filed, |job| {
                // The ledger worker outlives this one; a job it did not take drops its reply, which is an answer.
                let _ = done.as_ref().map(|it| it.send(job));
            });
        })?;
        Ok(Self { warc_worker, ledger_worker })
    }

    /// Returns once the request is in the ledger.
    pub(crate) async fn departure(&self, departure: Departure) -> Result<i64, NotWritten> {
        let (reply, answer) = oneshot::channel();
        self.ledger_worker.send(Job::Departure(Box::new(departure), reply));
        answer.await.unwrap_or_else(|_| Err(stopped()))
    }

    /// Returns once the answer is archived and indexed. What was sent is written also when the caller is gone.
    pub(crate) fn arrival(
        &self,
        arrival: Arrival,
    ) -> impl Future<Output = Result<Recorded, NotWritten>> + use<> {
        let (reply, answer) = oneshot::channel();
        self.warc_worker
            .send(Filed { what: Filing::Arrival(Box::new(arrival)), reply: Some(reply) });
        async move { answer.await.unwrap_or_else(|_| Err(stopped())) }
    }

    /// Returns once what was made of an answer is archived and indexed; names the first of it.
    pub(crate) async fn made(&self, made: Vec<Made>) -> Result<Recorded, NotWritten> {
        let (reply, answer) = oneshot::channel();
        self.warc_worker.send(Filed { what: Filing::Made(made), reply: Some(reply) });
        answer.await.unwrap_or_else(|_| Err(stopped()))
    }

    pub(crate) fn rendered(&self, domain: String, needed: bool) {
        self.ledger_worker.send(Job::Rendered { domain, needed });
    }

    /// Records how an abandoned request ended.
    pub(crate) fn called_off(&self, arrival: Arrival) {
        self.warc_worker.send(Filed { what: Filing::Arrival(Box::new(arrival)), reply: None });
    }

    /// Keeps the paces of these queues, as they are when it is their turn to be written.
    pub(crate) fn paces(&self, queues: Vec<Arc<HostQueue>>) {
        self.ledger_worker.send(Job::Paces(queues));
    }

    pub(crate) fn robots(&self, robots: CachedRobots) {
        self.ledger_worker.send(Job::Robots(robots));
    }
}

impl<J: Send + 'static> Worker<J> {
    fn start(
        name: &str,
        work: impl FnOnce(mpsc::Receiver<J>) + Send + 'static,
    ) -> Result<Self, OpenError> {
        let (queue, jobs) = mpsc::channel();
        let thread = thread::Builder::new()
            .name(name.to_owned())
            .spawn(move || work(jobs))
            .map_err(OpenError::Thread)?;
        Ok(Self { queue: Some(queue), thread: Some(thread) })
    }

    fn send(&self, job: J) {
        if let Some(queue) = &self.queue {
            // The thread only ends after this side; a job it did not take drops its reply, which is an answer.
            let _ = queue.send(job);
        }
    }
}

impl<J> Drop for Worker<J> {
    /// Waits until everything in the queue is on the disk.
    fn drop(&mut self) {
        drop(self.queue.take());
        if let Some(thread) = self.thread.take() {
            // A panic there was shown by its thread; there is nothing left to save here.
            let _ = thread.join();
        }
    }
}

/// The jobs waiting in a queue, up to a number of jobs and bytes; `None` once the queue is closed and empty.
fn take<J>(
    jobs: &mpsc::Receiver<J>,
    most: usize,
    bytes_of: impl Fn(&J) -> usize,
) -> Option<Vec<J>> {
    /// Bytes of bodies in one batch at most: they are all in memory.
    const MAX_BYTES: usize = 64 * 1024 * 1024;
    let first = jobs.recv().ok()?;
    let mut bytes = bytes_of(&first);
    let mut batch = vec![first];
    while batch.len() < most && bytes < MAX_BYTES {
        let Ok(job) = jobs.try_recv() else { break };
        bytes += bytes_of(&job);
        batch.push(job);
    }
    Some(batch)
}

fn one_line(error: &dyn std::error::Error) -> String {
    let mut line = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        line = format!("{line}: {cause}");
        source = cause.source();
    }
    line
}

fn stopped() -> NotWritten {
    NotWritten("the recorder has stopped".to_owned())
}
