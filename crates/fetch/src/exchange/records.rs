//! What is written down about a request: the answer in the ledger, the exchange in the archive, the page in the
//! memory for the next visit.

use std::sync::Arc;

use jiff::Timestamp;
use ledger::{CachedFetch, EgressAnswer};

use super::{Call, not_recorded, outcome};
use crate::failure::Failure;
use crate::fetcher::Inner;
use crate::freshness::{fresh_until, header};
use crate::headers::{Line, request_head};
use crate::recorder::{Arrival, Exchange, Response};
use crate::transport::Answer;
use crate::{FetchFailure, Kind, Method};

/// What was sent.
#[derive(Debug)]
pub(super) struct Sent<'a> {
    pub(super) method: &'static str,
    pub(super) lines: &'a [Line],
    pub(super) body: &'a [u8],
    /// 0 where no connection came about.
    pub(super) bytes: u64,
    pub(super) seq: i64,
    pub(super) at: Timestamp,
}

/// The rows by which the page is known at the next visit.
pub(super) fn remembered(call: &Call<'_>, answer: &Answer, now: Timestamp) -> Vec<CachedFetch> {
    let readable = matches!(call.request.kind, Kind::Page | Kind::Part | Kind::Api { .. });
    let whole = answer.status == 200 || (answer.status == 304 && call.known.is_some());
    if !readable || !whole || call.method != Method::Get || call.robots {
        return Vec::new();
    }
    let before = call.known.as_ref().filter(|_| answer.status == 304).map(|it| &it.cached);
    let given = |name: &str, old: Option<&String>| {
        header(&answer.headers, name).map(str::to_owned).or_else(|| old.cloned())
    };
    let fresh_until = fresh_until(&answer.headers, now);
    let own = CachedFetch {
        url: call.url.to_string(),
        final_url: Some(call.url.to_string()),
        status: Some(200),
        etag: given("etag", before.and_then(|it| it.etag.as_ref())),
        last_modified: given("last-modified", before.and_then(|it| it.last_modified.as_ref())),
        content_hash: before.and_then(|it| it.content_hash.clone()),
        fresh_until,
        record_id: None,
        checked_at: now,
    };
    let mut rows = Vec::new();
    // The address that was asked for first is remembered too; its validators are those of the redirect, so none.
    if let Some(first) = call.way.first().filter(|it| *it != call.url) {
        rows.push(CachedFetch {
            url: first.to_string(),
            etag: None,
            last_modified: None,
            fresh_until: fresh_until.filter(|_| call.permanent),
            ..own.clone()
        });
    }
    rows.push(own);
    rows
}

/// Records a request that brought no page, and says so.
pub(super) async fn record_failure(
    inner: &Arc<Inner>,
    call: &Call<'_>,
    sent: &Sent<'_>,
    partial: Option<(Answer, Option<&'static str>)>,
    failure: Failure,
    again_at: Option<Timestamp>,
) -> FetchFailure {
    let status = partial.as_ref().map(|(it, _)| it.status);
    let outcome = outcome::word(failure.reason);
    let arrival = match partial {
        None => arrival(call, sent, None, &outcome, Response::None, Vec::new()),
        Some((mut answer, truncated)) => {
            let body = Arc::new(std::mem::take(&mut answer.body));
            let length = body.len();
            let response = Response::Full { head: answer.head.clone(), body, truncated };
            arrival(call, sent, Some((&answer, length)), &outcome, response, Vec::new())
        }
    };
    match inner.recorder.arrival(arrival).await {
        Ok(_) => FetchFailure { again_at, status, ..call.missed(failure.reason, failure.detail) },
        Err(problem) => not_recorded(call, &problem),
    }
}

pub(super) fn arrival(
    call: &Call<'_>,
    sent: &Sent<'_>,
    answer: Option<(&Answer, usize)>,
    outcome: &str,
    response: Response,
    cache: Vec<CachedFetch>,
) -> Arrival {
    let address = answer.and_then(|(it, _)| it.address).map(|it| it.ip().to_string());
    let status = answer.map(|(it, _)| it.status);
    Arrival {
        seq: sent.seq,
        answer: EgressAnswer {
            address: address.clone(),
            status,
            sent_bytes: sent.bytes,
            response_bytes: answer.map_or(0, |(it, body)| (it.head.len() + body) as u64),
            outcome: outcome.to_owned(),
        },
        // An archive holds what went over the wire; the ledger knows of the attempt.
        exchange: (sent.bytes > 0).then(|| Exchange {
            url: call.url.to_string(),
            at: sent.at,
            address,
            request_head: request_head(sent.method, call.url, sent.lines),
            request_body: sent.body.to_vec(),
            status,
            response,
        }),
        cache,
    }
}
