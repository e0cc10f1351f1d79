//! Pages that ask for a person: the fetcher does not try its luck, it puts them on the queue.

use std::sync::Arc;

use evidence::domain::site_of;
use evidence::{AuthId, AuthPriority, EventId, TaskId};
use graph::{Cause, NewAuth};
use url::Url;

use crate::Fetcher;

/// A page that only a person can open.
#[derive(Debug, Clone)]
pub struct PersonNeeded {
    /// The address that was asked for, not that of the login it led to.
    pub url: Url,
    /// What a person is asked for: `login`, `consent`, `challenge`, or whose challenge it is, such as `cloudflare`.
    pub auth_type: String,
    pub task: Option<TaskId>,
    /// The event that led to the request.
    pub cause: Option<EventId>,
}

impl Fetcher {
    /// Puts a page on the queue; the category of its domain says how urgent it is. The same page of the same task
    /// waits there once.
    pub async fn queue_for_person(&self, needed: PersonNeeded) -> graph::Result<AuthId> {
        let inner = Arc::clone(&self.inner);
        let queueing = tokio::task::spawn_blocking(move || {
            let PersonNeeded { mut url, auth_type, task, cause: parent } = needed;
            url.set_fragment(None);
            let host = url.host_str().unwrap_or_default();
            let mut cause = Cause::new("auth_queue").about("url", &url);
            if let Some(task) = task {
                cause = cause.in_task(task);
            }
            if let Some(parent) = parent {
                cause = cause.after(parent);
            }
            let policy = inner.policy.current();
            inner.graph.write(cause, |writer| {
                let category = writer.decide(host, &policy)?.category;
                writer.queue_auth(&NewAuth {
                    task_id: task,
                    url: url.to_string(),
                    domain: site_of(host),
                    auth_type,
                    priority: AuthPriority::of(category),
                })
            })
        });
        queueing.await.expect("writing the graph does not panic")
    }
}
