//! The thread that packs answers and puts them on the disk.

use std::sync::mpsc::Receiver;

use archive::Stored;
use ledger::{ArchiveKind, ArchiveRecord};
use url::Url;

use super::{Arrival, Exchange, Filed, Filing, Job, Made, NotWritten, Response, one_line, take};

/// Answers in one sync of the file at most: compression takes time, and no request should wait long for others.
const MAX_ANSWERS: usize = 32;

/// Works until the queue is closed and empty; archived jobs are passed to `done`.
pub(super) fn run(mut archive: archive::Writer, filed: &Receiver<Filed>, done: impl Fn(Job)) {
    while let Some(batch) = take(filed, MAX_ANSWERS, |it| it.what.bytes()) {
        let mut written: Vec<_> =
            batch.into_iter().map(|it| (append(&mut archive, &it.what), it)).collect();
        let any = written.iter().any(|(rows, _)| holds_rows(rows));
        if any && let Err(error) = archive.sync() {
            let problem = NotWritten(one_line(&error));
            for (rows, _) in written.iter_mut().filter(|(rows, _)| holds_rows(rows)) {
                *rows = Err(problem.clone());
            }
        }
        for (rows, filed) in written {
            done(Job::Filed(Box::new(filed), rows));
        }
    }
}

fn holds_rows(rows: &Result<Vec<ArchiveRecord>, NotWritten>) -> bool {
    rows.as_ref().is_ok_and(|it| !it.is_empty())
}

fn append(archive: &mut archive::Writer, what: &Filing) -> Result<Vec<ArchiveRecord>, NotWritten> {
    match what {
        Filing::Arrival(arrival) => append_answer(archive, arrival),
        Filing::Made(made) => made.iter().map(|it| append_made(archive, it)).collect(),
    }
}

fn append_made(archive: &mut archive::Writer, made: &Made) -> Result<ArchiveRecord, NotWritten> {
    let conversion = archive::Conversion {
        url: &made.url,
        at: made.at,
        media_type: made.media_type,
        bytes: &made.bytes,
        made_of: &made.of,
    };
    let stored =
        archive.append_conversion(&conversion).map_err(|error| refused(&error, &made.url))?;
    Ok(ArchiveRecord {
        record_id: stored.record_id,
        kind: made.kind,
        url: stored.url,
        status: None,
        file: stored.file,
        byte_start: stored.byte_start,
        byte_length: stored.byte_length,
        payload_digest: stored.payload_digest,
        refers_to: Some(made.of.clone()),
        egress_seq: made.egress_seq,
        archived_at: stored.date,
    })
}

fn refused(error: &archive::Error, url: &str) -> NotWritten {
    let problem = one_line(error);
    // The host alone: what follows it may be the words of a question, and a log outlives a deleted task.
    let url = Url::parse(url).ok();
    let host = url.as_ref().and_then(Url::host_str);
    tracing::error!(problem, host, "the archive did not take an answer");
    NotWritten(problem)
}

/// Puts the records of an answer into the WARC file.
fn append_answer(
    archive: &mut archive::Writer,
    arrival: &Arrival,
) -> Result<Vec<ArchiveRecord>, NotWritten> {
    let Some(exchange) = &arrival.exchange else { return Ok(Vec::new()) };
    let appended =
        archive.append(&exchange.as_archived()).map_err(|error| refused(&error, &exchange.url))?;
    let refers_to = match &exchange.response {
        Response::NotModified { refers_to, .. } => Some(refers_to.record_id.clone()),
        Response::Full { .. } | Response::None => None,
    };
    let row = |stored: Stored, kind, refers_to, status| ArchiveRecord {
        record_id: stored.record_id,
        kind,
        url: exchange.url.clone(),
        status,
        file: stored.file,
        byte_start: stored.byte_start,
        byte_length: stored.byte_length,
        payload_digest: stored.payload_digest,
        refers_to,
        egress_seq: Some(arrival.seq),
        archived_at: stored.date,
    };
    let mut rows = vec![row(appended.request, ArchiveKind::Request, None, None)];
    if let Some(response) = appended.response {
        let kind = match refers_to.is_some() {
            true => ArchiveKind::Revisit,
            false => ArchiveKind::Response,
        };
        rows.push(row(response, kind, refers_to, exchange.status));
    }
    Ok(rows)
}

impl Filing {
    fn bytes(&self) -> usize {
        match self {
            Self::Arrival(arrival) => match &arrival.exchange {
                Some(Exchange { response: Response::Full { body, .. }, .. }) => body.len(),
                _ => 0,
            },
            Self::Made(made) => made.iter().map(|it| it.bytes.len()).sum(),
        }
    }
}

impl Exchange {
    fn as_archived(&self) -> archive::Exchange<'_> {
        archive::Exchange {
            url: &self.url,
            at: self.at,
            address: self.address.as_deref(),
            request_head: &self.request_head,
            request_body: &self.request_body,
            response: match &self.response {
                Response::Full { head, body, truncated } => {
                    archive::Response::Full { head, body, truncated: *truncated }
                }
                Response::NotModified { head, refers_to } => {
                    archive::Response::NotModified { head, refers_to }
                }
                Response::None => archive::Response::None,
            },
        }
    }
}
