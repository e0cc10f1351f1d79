//! `get_auth_queue`: pages that wait for a person, one by one, by domain or by what they ask for.

use std::collections::{BTreeMap, BTreeSet};

use evidence::{AuthPriority, AuthStatus, SearchId, TaskId};
use graph::{AuthEntry, AuthFilter, JobState, Reader};
use serde_json::{Value, json};

use crate::mcp::call::Call;
use crate::mcp::response::Answer;
use crate::mcp::tool_error::ToolError;

pub(super) async fn run(call: &Call) -> Result<Answer, ToolError> {
    let task: Option<TaskId> = call.optional_id("task_id")?;
    let wanted: Option<AuthPriority> =
        call.option("priority_filter").as_str().and_then(|it| it.parse().ok());
    let (entries, blocking) = call
        .state
        .read(move |graph| {
            Ok(graph.read(|r| {
                if let Some(task) = task {
                    r.task(task)?;
                }
                let mut entries = pending(r, task)?;
                entries.retain(|it| wanted.is_none_or(|wanted| it.priority == wanted));
                let blocking = blocking(r, &entries)?;
                Ok((entries, blocking))
            })?)
        })
        .await?;
    let total = entries.len();
    let domains: BTreeSet<&str> = entries.iter().map(|it| it.domain.as_str()).collect();
    let mut text = format!("{total} pages on {} domains wait for a person", domains.len());
    for entry in entries.iter().take(5) {
        text += &format!("\n{} {} {} {}", entry.id, entry.priority, entry.auth_type, entry.domain);
    }
    let offset = call.offset();
    let (list, items) = match call.option("group_by").as_str() {
        Some("domain") => ("domains", by_domain(&entries)),
        Some("type") => ("types", by_type(&entries)),
        _ => ("queue", entries.iter().map(|it| shown(it, &blocking)).collect()),
    };
    let length = items.len();
    let items: Vec<Value> = items.into_iter().skip(offset).collect();
    let mut body = json!({ "total_domains": domains.len(), "total_pending": total });
    body[list] = items.into();
    let answer = Answer::new(body, text).paged(list, offset, length).quoting();
    Ok(match list {
        "domains" => answer.shortening(&["domains"]),
        "types" => answer.shortening(&["types"]),
        _ => answer.shortening(&["queue"]),
    })
}

/// Everything that waits, the most urgent first.
pub(super) fn pending(r: &Reader<'_>, task: Option<TaskId>) -> graph::Result<Vec<AuthEntry>> {
    r.auth_queue(&AuthFilter { task, status: Some(AuthStatus::Pending) }, usize::MAX >> 1)
}

type Blocking = BTreeMap<(TaskId, String), Vec<SearchId>>;

/// The searches that missed the pages of some entries.
pub(super) fn blocking(r: &Reader<'_>, entries: &[AuthEntry]) -> graph::Result<Blocking> {
    let tasks: BTreeSet<TaskId> = entries.iter().filter_map(|it| it.task_id).collect();
    let mut found = Blocking::new();
    for task in tasks {
        for search in r.searches_of(task)? {
            for job in r.jobs_of(search.id)? {
                let failure = job.failure.filter(|_| job.state == JobState::Failed);
                let Some(url) = failure.as_ref().and_then(|it| it["url"].as_str()) else {
                    continue;
                };
                let searches = found.entry((task, url.to_owned())).or_default();
                if !searches.contains(&search.id) {
                    searches.push(search.id);
                }
            }
        }
    }
    Ok(found)
}

/// The searches that an entry keeps from its page.
pub(super) fn blocked_by(entry: &AuthEntry, blocking: &Blocking) -> Vec<SearchId> {
    let found = entry.task_id.and_then(|task| blocking.get(&(task, entry.url.clone())));
    found.cloned().unwrap_or_default()
}

fn shown(entry: &AuthEntry, blocking: &Blocking) -> Value {
    json!({
        "id": entry.id,
        "domain": entry.domain,
        "url": entry.url,
        "type": entry.auth_type,
        "priority": entry.priority,
        "queued_at": entry.created_at,
        "task_id": entry.task_id,
        "blocking_searches": blocked_by(entry, blocking),
    })
}

fn is_high(entry: &&&AuthEntry) -> bool {
    entry.priority == AuthPriority::High
}

fn by_domain(entries: &[AuthEntry]) -> Vec<Value> {
    grouped(entries, |it| &it.domain)
        .into_iter()
        .map(|(domain, group)| {
            let tasks: BTreeSet<TaskId> = group.iter().filter_map(|it| it.task_id).collect();
            let types: BTreeSet<&str> = group.iter().map(|it| it.auth_type.as_str()).collect();
            json!({
                "domain": domain,
                "pending_count": group.len(),
                "high_priority_count": group.iter().filter(is_high).count(),
                "affected_tasks": tasks,
                "auth_types": types,
            })
        })
        .collect()
}

fn by_type(entries: &[AuthEntry]) -> Vec<Value> {
    grouped(entries, |it| &it.auth_type)
        .into_iter()
        .map(|(kind, group)| {
            let domains: BTreeSet<&str> = group.iter().map(|it| it.domain.as_str()).collect();
            json!({
                "type": kind,
                "pending_count": group.len(),
                "high_priority_count": group.iter().filter(is_high).count(),
                "domains": domains,
            })
        })
        .collect()
}

/// Groups in the order their most urgent entry has.
fn grouped<'a>(
    entries: &'a [AuthEntry],
    key: impl Fn(&'a AuthEntry) -> &'a String,
) -> Vec<(&'a str, Vec<&'a AuthEntry>)> {
    let mut groups: Vec<(&str, Vec<&AuthEntry>)> = Vec::new();
    for entry in entries {
        let name = key(entry).as_str();
        match groups.iter_mut().find(|it| it.0 == name) {
            Some(group) => group.1.push(entry),
            None => groups.push((name, vec![entry])),
        }
    }
    groups
}
