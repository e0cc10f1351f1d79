//! The thread that writes the graph: takes what waits, writes it in one transaction, answers everybody.

use std::sync::mpsc::Receiver;

use graph::{ArchiveKind, ArchiveRecord, Cause, Graph, Writer};

use super::{Arrival, Departure, Filed, Job, NotWritten, Recorded, one_line, stopped, take};

/// Jobs in one transaction at most: nobody waits long for others.
const MAX_JOBS: usize = 256;

/// Works until the queue is closed and empty.
pub(super) fn run(graph: &Graph, jobs: &Receiver<Job>) {
    while let Some(batch) = take(jobs, MAX_JOBS, |_| 0) {
        write(graph, batch);
    }
}

fn write(graph: &Graph, batch: Vec<Job>) {
    let together = graph.write(Cause::new("fetch"), |writer| {
        batch.iter().map(|it| record(writer, it)).collect::<graph::Result<Vec<_>>>()
    });
    match together {
        Ok(rows) => {
            for (job, row) in batch.into_iter().zip(rows) {
                answer(job, Ok(row));
            }
        }
        // One job that cannot be written must not take the others with it.
        Err(_) => {
            for job in batch {
                let row = graph.write(Cause::new("fetch"), |writer| record(writer, &job));
                let row = row.map_err(|error| NotWritten(one_line(&error)));
                if let Err(problem) = &row {
                    tracing::error!(%problem, "the graph did not take a row of the door");
                }
                answer(job, row);
            }
        }
    }
}

/// What the rows of one job gave.
enum Row {
    Seq(i64),
    Recorded(Recorded),
    Nothing,
}

fn record(writer: &Writer<'_>, job: &Job) -> graph::Result<Row> {
    match job {
        Job::Departure(departure, _) => {
            let Departure { egress, cause, lanes } = departure.as_ref();
            for lane in lanes {
                writer.keep_pace(&lane.pace())?;
            }
            let seq = match cause {
                Some(cause) => writer.record_egress_after(egress, *cause)?,
                None => writer.record_egress(egress)?,
            };
            Ok(Row::Seq(seq))
        }
        Job::Arrival(filed, archived) => record_arrival(writer, &filed.arrival, archived),
        Job::Paces(lanes) => {
            for lane in lanes {
                writer.keep_pace(&lane.pace())?;
            }
            Ok(Row::Nothing)
        }
        Job::Robots(robots) => {
            writer.cache_robots(robots)?;
            Ok(Row::Nothing)
        }
    }
}

fn record_arrival(
    writer: &Writer<'_>,
    arrival: &Arrival,
    archived: &Result<Vec<ArchiveRecord>, NotWritten>,
) -> graph::Result<Row> {
    writer.answer_egress(arrival.seq, &arrival.answer)?;
    let mut recorded = Recorded::default();
    // What is not archived is not remembered either: nobody could read it back.
    let Ok(rows) = archived else { return Ok(Row::Recorded(recorded)) };
    for row in rows {
        writer.record_archived(row)?;
    }
    if let Some(response) = rows.iter().find(|it| it.kind != ArchiveKind::Request) {
        recorded.record_id =
            Some(response.refers_to.clone().unwrap_or_else(|| response.record_id.clone()));
        for cache in &arrival.cache {
            let mut cache = cache.clone();
            cache.record_id.clone_from(&recorded.record_id);
            cache.content_hash = response.payload_digest.clone().or(cache.content_hash);
            writer.cache_fetch(&cache)?;
        }
    }
    Ok(Row::Recorded(recorded))
}

fn answer(job: Job, row: Result<Row, NotWritten>) {
    // Whoever asked may be gone; what was written stays written.
    match job {
        Job::Departure(_, reply) => {
            let _ = reply.send(row.and_then(|it| match it {
                Row::Seq(seq) => Ok(seq),
                Row::Recorded(_) | Row::Nothing => Err(stopped()),
            }));
        }
        Job::Arrival(filed, archived) => {
            let Filed { arrival, reply } = *filed;
            // The body is given up before the caller hears of it, so that the caller can have it alone.
            drop(arrival);
            let Some(reply) = reply else { return };
            let _ = reply.send(archived.and(row).map(|it| match it {
                Row::Recorded(recorded) => recorded,
                Row::Seq(_) | Row::Nothing => Recorded::default(),
            }));
        }
        Job::Paces(_) | Job::Robots(_) => {}
    }
}
