//! One request from its turn to its records.
//!
//! The order is the promise of this crate: a turn, a row in the ledger, the request, the archive, and only
//! then the answer.

mod outcome;
mod plan;
mod records;

use std::sync::Arc;
use std::time::Duration;

use evidence::domain::normal_host;
use jiff::Timestamp;
use ledger::{EgressAnswer, NewEgress};
use tokio::time::Instant;
use url::Url;

pub(crate) use self::outcome::transient_reason;
pub(crate) use self::plan::{Call, Known, domain_scope};
use self::records::{Sent, arrival, record_failure, remembered};
use crate::archived::{Archived, encodings};
use crate::failure::Failure;
use crate::fetcher::Inner;
use crate::freshness::header;
use crate::headers::{leave_out_cookies, request_bytes, target};
use crate::host_queue::{Ended, Patience, Turn, Wait};
use crate::recorder::{Arrival, Departure, NotWritten, Response};
use crate::redirects::route_of;
use crate::transport::{self, Answer, Bounds};
use crate::unpack::{UnpackError, unpack};
use crate::{FetchFailure, Method, Reason};

/// Bodies of at least this size are unpacked on a blocking thread.
const LARGE: usize = 64 * 1024;

/// A whole answer, recorded.
#[derive(Debug)]
pub(crate) struct Called {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    pub(crate) not_modified: bool,
    pub(crate) record_id: Option<String>,
    pub(crate) at: Timestamp,
    pub(crate) elapsed: Duration,
    pub(crate) resting_until: Option<Timestamp>,
}

/// Makes a request. The answer is on the disk when it returns, even if it is a failure.
pub(crate) async fn call(
    inner: &Arc<Inner>,
    call: Call<'_>,
    patience: &mut Patience,
) -> Result<Called, FetchFailure> {
    let Some(time) = patience.for_answer(inner.bounds.time) else {
        let detail = format!("no time is left for {} to answer", call.host());
        return Err(call.missed(Reason::TimedOut, detail));
    };
    let mut turn = inner
        .queues
        .turn(&call.queues(inner), patience)
        .await
        .map_err(|wait| missed_turn(&call, wait))?;
    let session = match call.with_cookies() {
        true => inner.session_of(call.url).await,
        false => None,
    };
    let cookie = call.with_cookies().then(|| inner.cookies.header(call.url)).flatten();
    let lines = call.lines(inner, cookie.as_deref(), session.as_ref());
    let (method, body) = match &call.method {
        Method::Get => ("GET", &[][..]),
        Method::Head => ("HEAD", &[][..]),
        Method::Post { body, .. } => ("POST", body.as_slice()),
    };
    let prepared = request_bytes(method, &call.sent_url(), &lines, body);
    let departure = Departure {
        egress: NewEgress {
            task_id: call.request.task,
            purpose: call.purpose.clone(),
            route: route_of(&call.request.kind).as_str(),
            method,
            scheme: call.url.scheme().to_owned(),
            host: normal_host(call.host()),
            port: call.url.port_or_known_default().unwrap_or_default(),
            path: target(call.url),
            request_bytes: prepared,
        },
        cause: call.request.cause,
        queues: turn.queues(),
    };
    let seq = inner.recorder.departure(departure).await.map_err(|it| not_recorded(&call, &it))?;
    let mut row = OpenRow { inner, seq, sent_bytes: 0, answered: false };
    turn.leave().await;
    row.sent_bytes = prepared;
    inner.counters.sent(lines.iter().any(|it| it.name == "referer"));
    let at = inner.ledger.now();
    let request = transport::Request {
        url: call.sent_url(),
        host: call.host(),
        method: &call.method,
        lines: &lines,
    };
    let begun = Instant::now();
    let answer = transport::exchange(&inner.client, request, Bounds { time, ..inner.bounds }).await;
    patience.answered(begun);
    let failures = turn.failures();
    row.answered = true;
    let bytes = match &answer {
        Err(failure) if failure.unsent => 0,
        // A connection that broke may have taken everything with it.
        Ok(_) | Err(_) => prepared,
    };
    let sent = Sent { method, lines: &lines, body, bytes, seq, at };
    match answer {
        Err(failure) => {
            if failure.unsent {
                turn.take_back();
            }
            let ended = outcome::of_failure(inner, &call, &failure, failures);
            let resting_until = over(inner, turn, &ended);
            Err(record_failure(inner, &call, &sent, None, failure, resting_until).await)
        }
        Ok(mut answer) => {
            if session.is_some() {
                leave_out_cookies(&mut answer.head);
            }
            inner.counters.answered(answer.status, answer.address.is_some_and(|it| it.is_ipv6()));
            let ended = match &answer.cut {
                Some(cut) => outcome::of_failure(inner, &call, &cut.failure, failures),
                None => outcome::of_answer(inner, &call, &answer, failures),
            };
            let resting_until = over(inner, turn, &ended);
            finish(inner, &call, &sent, answer, resting_until).await
        }
    }
}

/// Ends a turn and stores its pace; returns until when the host rests, if it does.
fn over(inner: &Inner, turn: Turn, ended: &Ended) -> Option<Timestamp> {
    let queues = turn.queues();
    let resting_until = turn.over(ended);
    inner.recorder.paces(queues);
    resting_until
}

/// A row of the ledger that waits for its answer: also a request that is called off gives one.
struct OpenRow<'a> {
    inner: &'a Inner,
    seq: i64,
    /// What may have left by now.
    sent_bytes: u64,
    answered: bool,
}

impl Drop for OpenRow<'_> {
    fn drop(&mut self) {
        if self.answered {
            return;
        }
        self.inner.recorder.called_off(Arrival {
            seq: self.seq,
            answer: EgressAnswer {
                address: None,
                status: None,
                sent_bytes: self.sent_bytes,
                response_bytes: 0,
                outcome: "called_off".to_owned(),
            },
            exchange: None,
            cache: Vec::new(),
        });
    }
}

/// Unpacks and records an answer that has at least its head.
async fn finish(
    inner: &Arc<Inner>,
    call: &Call<'_>,
    sent: &Sent<'_>,
    mut answer: Answer,
    resting_until: Option<Timestamp>,
) -> Result<Called, FetchFailure> {
    if call.with_cookies() {
        let set: Vec<&str> = answer
            .headers
            .iter()
            .filter(|(name, _)| name == "set-cookie")
            .map(|(_, value)| value.as_str())
            .collect();
        if !set.is_empty() {
            inner.cookies.keep(call.url, set.into_iter());
            inner.session_changed(call.url).await;
        }
    }
    if let Some(cut) = answer.cut.take() {
        let partial = Some((answer, Some(cut.because)));
        return Err(record_failure(inner, call, sent, partial, cut.failure, resting_until).await);
    }
    let known = call.known.as_ref().filter(|_| answer.status == 304);
    let packed = Arc::new(std::mem::take(&mut answer.body));
    let unpacked = match unpacked(inner, &answer, &packed).await {
        Ok(unpacked) => unpacked,
        Err(error) => {
            let reason = match error {
                UnpackError::TooLarge(_) => Reason::TooLarge,
                UnpackError::Unknown(_) | UnpackError::Broken(_) => Reason::BrokenAnswer,
            };
            let failure = Failure::new(
                reason,
                format!("the answer of {} cannot be read: {error}", call.host()),
            );
            answer.body = Arc::unwrap_or_clone(packed);
            return Err(record_failure(
                inner,
                call,
                sent,
                Some((answer, None)),
                failure,
                resting_until,
            )
            .await);
        }
    };
    let response = match known {
        Some(known) => Response::NotModified {
            head: answer.head.clone(),
            refers_to: known.archived.record.clone(),
        },
        None => {
            Response::Full { head: answer.head.clone(), body: Arc::clone(&packed), truncated: None }
        }
    };
    let cache = remembered(call, &answer, sent.at);
    let arrival = arrival(call, sent, Some((&answer, packed.len())), "answered", response, cache);
    let recorded = inner.recorder.arrival(arrival).await.map_err(|it| not_recorded(call, &it))?;
    let (status, headers, body) = match known {
        Some(known) => {
            let archived = known.archived.clone();
            (archived.status, archived.headers, archived.body)
        }
        None => {
            let body = unpacked.unwrap_or_else(|| Arc::unwrap_or_clone(packed));
            (answer.status, answer.headers, body)
        }
    };
    Ok(Called {
        status,
        headers,
        body,
        not_modified: known.is_some(),
        record_id: recorded.record_id,
        at: sent.at,
        elapsed: answer.elapsed,
        resting_until,
    })
}

async fn unpacked(
    inner: &Inner,
    answer: &Answer,
    packed: &Arc<Vec<u8>>,
) -> Result<Option<Vec<u8>>, UnpackError> {
    let encodings = encodings(&answer.headers);
    let max = inner.settings.max_unpacked_bytes;
    if packed.len() < LARGE || encodings.is_empty() {
        return unpack(&encodings, packed, max);
    }
    let packed = Arc::clone(packed);
    tokio::task::spawn_blocking(move || unpack(&encodings, &packed, max))
        .await
        .expect("unpacking does not panic")
}

fn missed_turn(call: &Call<'_>, wait: Wait) -> FetchFailure {
    let (reason, detail, again_at) = match wait {
        Wait::Resting { name, until, because } => {
            let detail = format!("{name} is resting until {until:.0}: {because}");
            (Reason::Resting, detail, until)
        }
        Wait::DayUsedUp { name, until, requests } => {
            let detail = format!("today's {requests} requests to {name} are used up");
            (Reason::DailyBudget, detail, until)
        }
        Wait::Crowded { name, until } => {
            let detail =
                format!("{name} is asked slowly, and too many requests are before this one");
            (Reason::Resting, detail, until)
        }
        Wait::NotReadable(error) => {
            return call.missed(Reason::NotRecorded, format!("the ledger cannot be read: {error}"));
        }
    };
    FetchFailure { again_at: Some(again_at), ..call.missed(reason, detail) }
}

fn not_recorded(call: &Call<'_>, problem: &NotWritten) -> FetchFailure {
    call.missed(Reason::NotRecorded, format!("the request could not be recorded: {problem}"))
}

impl Called {
    /// An answer that came before.
    pub(crate) fn archived(archived: Archived) -> Self {
        Self {
            status: archived.status,
            headers: archived.headers,
            body: archived.body,
            not_modified: false,
            record_id: Some(archived.record.record_id),
            at: archived.archived_at,
            elapsed: Duration::ZERO,
            resting_until: None,
        }
    }

    /// Where the answer redirects to.
    pub(crate) fn redirect(&self, at: &Url) -> Option<Url> {
        if !matches!(self.status, 301 | 302 | 303 | 307 | 308) {
            return None;
        }
        let mut next = at.join(header(&self.headers, "location")?.trim()).ok()?;
        next.set_fragment(None);
        Some(next)
    }

    /// An API is asked again after these.
    pub(crate) fn is_transient(&self) -> bool {
        outcome::transient_status(self.status)
    }
}
