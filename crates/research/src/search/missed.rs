//! Pages that were missed before: which of them are asked for again.
//!
//! What may pass (a server that is down, a site that rests) is tried again by the next search that comes upon the page.
//! What lasts (it is gone, too large, behind a login) is not: it would cost a page of the budget and bring the same. A
//! page that a client names is always tried, and so is one that a person has opened the way to.

use std::collections::BTreeMap;

use evidence::{AuthStatus, TaskId};
use fetch::Reason;
use graph::{AuthFilter, Cause, Reader, Writer};
use serde_json::{Value, json};

use crate::calls::MissedPage;
use crate::engine::Inner;

use super::{Context, kind};

/// Entries of the queue for people that are looked at.
const MOST_ENTRIES: usize = 10_000;

/// Misses of a task that last, by address.
pub(super) type Lasting = BTreeMap<String, MissedPage>;

impl Inner {
    /// The pages of a task that are not asked for again, and why. The newest miss of a page counts.
    pub(super) fn lasting_misses(&self, r: &Reader<'_>, task: TaskId) -> graph::Result<Lasting> {
        let mut lasting = Lasting::new();
        for job in r.failed_jobs(task, kind::FETCH)? {
            let missed = job.failure.and_then(|it| serde_json::from_value(it).ok());
            let Some(missed) = missed.filter(|_| job.payload["how"].as_str() == Some("http"))
            else {
                continue;
            };
            let missed: MissedPage = missed;
            match reason_of(&missed).is_some_and(Reason::is_lasting) {
                true => lasting.insert(missed.url.clone(), missed),
                false => lasting.remove(&missed.url),
            };
        }
        if lasting.values().any(waits_for_person) {
            let filter = AuthFilter { task: Some(task), status: Some(AuthStatus::Resolved) };
            for entry in r.auth_queue(&filter, MOST_ENTRIES)? {
                if lasting.get(&entry.url).is_some_and(waits_for_person) {
                    lasting.remove(&entry.url);
                }
            }
        }
        for missed in lasting.values_mut() {
            missed.detail = format!("{}; not asked again", missed.detail);
        }
        Ok(lasting)
    }
}

impl Context {
    /// Logs that a page is left, and why.
    pub(super) fn leave_page(&self, w: &Writer<'_>, missed: &MissedPage) -> graph::Result<Value> {
        let detail = json!({ "url": missed.url, "reason": missed.reason, "detail": missed.detail });
        let event = Cause::new("page_not_asked").in_task(self.task.id).about("search", self.id());
        w.record_event(event.with(detail.clone()).after(w.cause()?))?;
        Ok(detail)
    }
}

fn reason_of(missed: &MissedPage) -> Option<Reason> {
    serde_json::from_value(Value::String(missed.reason.clone())).ok()
}

fn waits_for_person(missed: &MissedPage) -> bool {
    matches!(reason_of(missed), Some(Reason::Login | Reason::Challenge))
}
