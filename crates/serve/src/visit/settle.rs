//! What follows when a person has opened a page: its session is kept, all pages of its site are free, and it is read.

use std::sync::Arc;

use evidence::{AuthId, AuthStatus, TaskId};
use fetch::{FetchRequest, Freshness};
use graph::{AuthFilter, AuthTarget, Cause};
use jiff::Timestamp;
use research::{Reading, read_page};
use serde::Serialize;

use super::{Visit, blocking, visit};
use crate::failure::{Failure, Kind};

/// What a person has opened.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Opened {
    pub(crate) auth_id: AuthId,
    pub(crate) url: String,
    pub(crate) domain: String,
    pub(crate) seconds: u64,
    /// How that was learned: `word`, `navigation`, `closed`, `time`.
    pub(crate) how: &'static str,
    /// Until when the session is used; nothing if the site set no cookie.
    pub(crate) session_until: Option<Timestamp>,
    /// Pages of the site that waited, in all tasks.
    pub(crate) pages: usize,
    pub(crate) tasks: Vec<TaskId>,
    /// Engines that are asked again.
    pub(crate) engines: Vec<String>,
    /// The page as it was read.
    pub(crate) page: Option<Page>,
}

#[derive(Debug, Clone, Serialize)]
pub(crate) struct Page {
    pub(crate) title: Option<String>,
    pub(crate) passages: usize,
    pub(crate) record_id: Option<String>,
}

impl Visit {
    pub(super) async fn through(self, how: &'static str) -> Result<Opened, Failure> {
        let site = self.site();
        let session_until =
            match self.cookies.is_empty() {
                true => {
                    self.fetcher.end_trial(&site);
                    None
                }
                false => self.fetcher.keep_session(&site).await.map_err(|error| {
                    Failure::new(Kind::Data, error).hint(|w| &w.hint.session_key)
                })?,
            };
        let seconds = self.opened.elapsed().as_secs();
        let cause = visit(&self.entry, self.event, seconds, "opened", how);
        let (graph, session) = (Arc::clone(&self.graph), Arc::clone(&self.session));
        let (engines, domain) = (self.engines.clone(), site.clone());
        let settled = blocking(move || {
            let now = graph.now();
            graph.write(cause, |w| {
                let filter = AuthFilter { task: None, status: Some(AuthStatus::Pending) };
                let mut waiting = w.auth_queue(&filter, usize::MAX >> 1)?;
                waiting.retain(|it| it.domain == domain);
                for entry in &waiting {
                    w.forget_cached(&entry.url)?;
                }
                w.resolve_auth(&AuthTarget::Domain(domain))?;
                for engine in &engines {
                    let Some(mut health) = w.engine_health(&engine.name)? else { continue };
                    for change in session.health.opened_by_person(&mut health, now) {
                        let cause = Cause::new("engine_policy").about("engine", &engine.name);
                        w.record_event(cause.with(change.detail()).after(w.cause()?))?;
                    }
                    w.keep_engine_health(&health)?;
                }
                // Also where nothing waited any more.
                w.cause()?;
                Ok(waiting)
            })
        });
        let settled = settled.await??;
        let mut tasks: Vec<TaskId> = settled.iter().filter_map(|it| it.task_id).collect();
        tasks.sort_unstable();
        tasks.dedup();
        let page = self.read().await?;
        Ok(Opened {
            auth_id: self.entry.id,
            url: self.entry.url.clone(),
            domain: site,
            seconds,
            how,
            session_until,
            pages: settled.len(),
            tasks,
            engines: self.engines.iter().map(|it| it.name.clone()).collect(),
            page,
        })
    }

    /// Reads the page that was just brought; of an engine nothing is read.
    async fn read(&self) -> Result<Option<Page>, Failure> {
        if !self.engines.is_empty() {
            return Ok(None);
        }
        let browser = browser::Browser::new(self.session.browser.clone(), &self.session.folder);
        let reading = Reading { options: &self.session.read, browser: Some(&browser) };
        let request = FetchRequest {
            freshness: Freshness::Archived,
            task: self.entry.task_id,
            cause: Some(self.event),
            ..FetchRequest::page(self.url.clone())
        };
        let read = read_page(&self.fetcher, request, reading).await?;
        Ok(Some(Page {
            title: read.document.metadata.title.clone(),
            passages: read.document.fragments.len(),
            record_id: read.record_id().map(str::to_owned),
        }))
    }
}
