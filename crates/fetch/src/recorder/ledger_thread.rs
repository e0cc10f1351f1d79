//! The thread that writes the ledger: takes the queued jobs, writes them in one transaction, answers every request.

use std::sync::mpsc::Receiver;

use ledger::{ArchiveKind, ArchiveRecord, Entry, Ledger};

use super::{
    Arrival, Departure, Filed, Filing, Job, NotWritten, Recorded, one_line, stopped, take,
};

/// Jobs in one transaction at most: no request waits long for others.
const MAX_JOBS: usize = 256;
/// The event that rows of requests without a cause lead back to.
const CAUSE: &str = "fetch";

/// Works until the queue is closed and empty.
pub(super) fn run(ledger: &dyn Ledger, jobs: &Receiver<Job>) {
    while let Some(batch) = take(jobs, MAX_JOBS, |_| 0) {
        write(ledger, batch);
    }
}

fn write(ledger: &dyn Ledger, batch: Vec<Job>) {
    let entries: Vec<Entry> = batch.iter().map(entry).collect();
    match ledger.record(CAUSE, &entries) {
        Ok(numbers) => {
            for (job, number) in batch.into_iter().zip(numbers) {
                answer(job, Ok(number));
            }
        }
        // One job that cannot be written must not take the others with it.
        Err(_) => {
            for (job, entry) in batch.into_iter().zip(entries) {
                let numbers = ledger.record(CAUSE, &[entry]);
                let number = numbers
                    .map(|numbers| numbers.first().copied().flatten())
                    .map_err(|error| NotWritten(one_line(&error)));
                if let Err(problem) = &number {
                    tracing::error!(%problem, "the ledger did not take a row of the fetcher");
                }
                answer(job, number);
            }
        }
    }
}

fn entry(job: &Job) -> Entry {
    match job {
        Job::Departure(departure, _) => {
            let Departure { egress, cause, queues } = departure.as_ref();
            let paces = queues.iter().map(|queue| queue.pace()).collect();
            Entry::Request { request: egress.clone(), cause: *cause, paces }
        }
        Job::Filed(filed, archived) => {
            // What is not archived is not remembered either: it could not be read back.
            let archived = archived.as_deref().unwrap_or_default();
            let Filing::Arrival(arrival) = &filed.what else {
                return Entry::Made(archived.to_vec());
            };
            let Arrival { seq, answer, cache, .. } = arrival.as_ref();
            Entry::Answer {
                seq: *seq,
                answer: answer.clone(),
                archived: archived.to_vec(),
                cached: response(archived).map_or_else(Vec::new, |response| {
                    let mut cached = cache.clone();
                    for fetch in &mut cached {
                        fetch.record_id = Some(stands_for(response));
                        fetch.content_hash =
                            response.payload_digest.clone().or(fetch.content_hash.take());
                    }
                    cached
                }),
            }
        }
        Job::Rendered { domain, needed } => {
            Entry::Rendered { domain: domain.clone(), needed: *needed }
        }
        Job::Paces(queues) => Entry::Paces(queues.iter().map(|queue| queue.pace()).collect()),
        Job::Robots(robots) => Entry::Robots(robots.clone()),
    }
}

fn response(archived: &[ArchiveRecord]) -> Option<&ArchiveRecord> {
    archived.iter().find(|record| record.kind != ArchiveKind::Request)
}

/// The record whose body a response has: its own, or that of the response it repeats.
fn stands_for(response: &ArchiveRecord) -> String {
    match (response.kind, &response.refers_to) {
        (ArchiveKind::Revisit, Some(repeats)) => repeats.clone(),
        _ => response.record_id.clone(),
    }
}

fn answer(job: Job, number: Result<Option<i64>, NotWritten>) {
    // The caller may be gone; what was written stays written.
    match job {
        Job::Departure(_, reply) => {
            let _ = reply.send(number.and_then(|number| number.ok_or_else(stopped)));
        }
        Job::Filed(filed, archived) => {
            let Filed { what, reply } = *filed;
            // The body is given up before the caller hears of it, so that the caller can have it alone.
            drop(what);
            let Some(reply) = reply else { return };
            let record_id =
                archived.as_deref().ok().and_then(|records| response(records)).map(stands_for);
            let _ = reply.send(archived.and(number).map(|_| Recorded { record_id }));
        }
        Job::Paces(_) | Job::Robots(_) | Job::Rendered { .. } => {}
    }
}
