//! Pages that were missed before: which of them are asked for again.
//!
//! What may pass (a server that is down, a site that rests) is tried again by the next search that comes upon the page.
//! What lasts (it is gone, too large, behind a login) is not: it would cost a page of the budget and bring the same. A
//! page that a client names is always tried, and so is one that a person has opened the way to.

use std::collections::BTreeMap;

use evidence::{AuthStatus, TaskId};
use graph::{AuthFilter, Cause, Reader, Writer};
use serde_json::json;

use crate::calls::{MissReason, MissedPage};
use crate::engine::Inner;

use super::Context;
use super::steps::{FETCH, FetchStep, FetchTarget, Step, StepFailure, StepRow};

/// Entries of the queue for people that are looked at.
const MOST_ENTRIES: usize = 10_000;

/// Permanent misses of a task, by address.
pub(super) type PermanentMisses = BTreeMap<String, MissedPage>;

impl Inner {
    /// The pages of a task that are not asked for again, and why. The newest miss of a page counts.
    pub(super) fn permanent_misses(
        &self,
        r: &Reader<'_>,
        task: TaskId,
    ) -> graph::Result<PermanentMisses> {
        let mut lasting = PermanentMisses::new();
        for job in r.failed_jobs(task, FETCH)? {
            let row = StepRow::read(job)?;
            let Some(StepFailure::Missed(missed)) = row.failure else { continue };
            // A file is read again whenever it is found.
            let MissReason::Page(reason) = missed.reason else { continue };
            let Step::Fetch(FetchStep { target: FetchTarget::Http { .. }, .. }) = row.step else {
                continue;
            };
            match reason.is_lasting() {
                true => lasting.insert(missed.url.clone(), missed),
                false => lasting.remove(&missed.url),
            };
        }
        if lasting.values().any(|it| it.reason.needs_person()) {
            let filter = AuthFilter { task: Some(task), status: Some(AuthStatus::Resolved) };
            for entry in r.auth_queue(&filter, MOST_ENTRIES)? {
                if lasting.get(&entry.url).is_some_and(|it| it.reason.needs_person()) {
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
    pub(super) fn leave_page(&self, w: &Writer<'_>, missed: &MissedPage) -> graph::Result<()> {
        let event = Cause::new("page_not_asked").in_task(self.task.id).about("search", self.id());
        w.record_event(event.with(json!(missed)).after(w.cause()?))?;
        Ok(())
    }
}
