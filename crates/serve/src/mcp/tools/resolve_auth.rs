//! `resolve_auth`: what a person did about pages that waited.

use std::collections::BTreeSet;
use std::sync::Arc;

use evidence::domain::site_of;
use evidence::{AuthId, AuthStatus, TaskId};
use graph::{AuthFilter, AuthTarget, Cause};
use serde_json::json;

use super::get_auth_queue::{blocked_by, blocking, pending};
use crate::mcp::call::Call;
use crate::mcp::response::Answer;
use crate::mcp::tool_error::{Code, ToolError};
use crate::mcp::visits::Over;
use crate::visit::{Context, Opened, Word};

/// What is asked for beside the ends of an entry: a window.
const OPEN: &str = "open";

pub(super) async fn run(call: &Call) -> Result<Answer, ToolError> {
    let data = &call.arguments["data"];
    let asked = data["status"].as_str().unwrap_or_default();
    let status: Option<AuthStatus> = asked.parse().ok();
    if status.is_none() && asked != OPEN {
        return Err(ToolError::invalid("`data.status` is open, resolved, skipped or failed"));
    }
    let is_item = call.text("target") == Some("item");
    let (wanted, other) = if is_item { ("auth_id", "domain") } else { ("domain", "auth_id") };
    if !data[other].is_null() {
        return Err(ToolError::invalid(format!("`data.{other}` does not go with this target"))
            .hint(format!("give `data.{wanted}`")));
    }
    let given = data[wanted]
        .as_str()
        .ok_or_else(|| ToolError::invalid(format!("`data.{wanted}` is missing")))?;
    let target = match is_item {
        true => AuthTarget::Entry(given.parse::<AuthId>()?),
        false => AuthTarget::Domain(given.trim().to_lowercase()),
    };
    let Some(status) = status else { return open(call, target).await };
    let word = if status == AuthStatus::Resolved { Word::Done } else { Word::GiveUp };
    let is_meant = |id: AuthId, domain: &str| match &target {
        AuthTarget::Entry(meant) => *meant == id,
        AuthTarget::Domain(host) => site_of(host) == domain,
    };
    match call.state.visits.say(is_meant, word).await? {
        Some(Over::Through(it)) => opened(call, &target, &it).await,
        Some(Over::Failed(error)) => Err(error),
        Some(Over::NotThrough(why)) if status == AuthStatus::Resolved => {
            let message = format!("the page still asks for a person ({})", why.as_str());
            Err(ToolError::new(Code::AuthRequired, message)
                .hint("`open` shows it again; `skipped` does without it"))
        }
        Some(Over::NotThrough(_)) | None => settle(call, target, status).await,
    }
}

/// Opens a window on the user's screen, for an entry or the most urgent one of a domain.
async fn open(call: &Call, target: AuthTarget) -> Result<Answer, ToolError> {
    let wanted = target.clone();
    let entry = call
        .state
        .read(move |graph| {
            let waiting = graph.read(|r| pending(r, None))?;
            Ok(waiting.into_iter().find(|it| match &wanted {
                AuthTarget::Entry(id) => it.id == *id,
                AuthTarget::Domain(host) => it.domain == site_of(host),
            }))
        })
        .await?;
    let entry = entry.ok_or_else(|| {
        ToolError::invalid("no such page waits").hint("get_auth_queue lists those that do")
    })?;
    let context = Arc::new(Context::of(call.state.session()));
    let minutes = context.patience.as_secs() / 60;
    call.state.visits.open(context, call.engine().await?, entry.id).await?;
    let body = json!({
        "auth_id": entry.id,
        "domain": entry.domain,
        "status": AuthStatus::Pending,
        "window_open": true,
        "session_stored": false,
    });
    let text = format!(
        "{}: a window is open on the user's screen for {minutes} min; call again with `resolved` when they say so",
        entry.id
    );
    Ok(Answer::new(body, text))
}

/// What a person opened in a window.
async fn opened(call: &Call, target: &AuthTarget, it: &Opened) -> Result<Answer, ToolError> {
    let (id, domain) = (it.auth_id, it.domain.clone());
    let searches = call
        .state
        .read(move |graph| {
            Ok(graph.read(|r| {
                let filter = AuthFilter { task: None, status: Some(AuthStatus::Resolved) };
                let mut free = r.auth_queue(&filter, usize::MAX >> 1)?;
                free.retain(|it| it.id == id || it.domain == domain);
                let blocking = blocking(r, &free)?;
                let searches = free.iter().flat_map(|it| blocked_by(it, &blocking));
                Ok(searches.collect::<BTreeSet<_>>())
            })?)
        })
        .await?;
    let mut body = json!({
        "auth_id": it.auth_id,
        "domain": it.domain,
        "status": AuthStatus::Resolved,
        "window_open": false,
        "resolved_count": it.pages,
        "affected_tasks": it.tasks,
        "unblocked_searches": searches,
        "session_stored": it.session_until.is_some(),
        "session_until": it.session_until,
        "engines": it.engines,
    });
    if matches!(target, AuthTarget::Domain(_)) {
        body.as_object_mut().map(|it| it.remove("auth_id"));
    }
    let text = format!("{}: {} pages are open now", it.domain, it.pages);
    Ok(Answer::new(body, text))
}

async fn settle(call: &Call, target: AuthTarget, status: AuthStatus) -> Result<Answer, ToolError> {
    let asked = target.clone();
    let (count, entries, blocking) = call
        .write(move |graph| {
            let (before, blocking) = graph.read(|r| {
                let mut waiting = pending(r, None)?;
                match &asked {
                    AuthTarget::Entry(id) => {
                        r.auth_entry(*id)?;
                        waiting.retain(|it| it.id == *id);
                    }
                    AuthTarget::Domain(host) => {
                        let site = site_of(host);
                        waiting.retain(|it| it.domain == site);
                    }
                }
                let blocking = blocking(r, &waiting)?;
                Ok((waiting, blocking))
            })?;
            let waited =
                before.iter().map(|it| graph.now().as_second() - it.created_at.as_second());
            let cause = Cause::new("auth_settled").with(json!({
                "status": status,
                "pages": before.len(),
                "waited_seconds": waited.max(),
            }));
            let count = graph.write(cause, |w| match status {
                AuthStatus::Resolved => w.resolve_auth(&asked),
                AuthStatus::Skipped => w.skip_auth(&asked),
                _ => w.fail_auth(&asked),
            })?;
            Ok((count, before, blocking))
        })
        .await?;
    let tasks: BTreeSet<TaskId> = entries.iter().filter_map(|it| it.task_id).collect();
    let searches: BTreeSet<_> = entries.iter().flat_map(|it| blocked_by(it, &blocking)).collect();
    let body = json!({
        "status": status,
        "resolved_count": count,
        "affected_tasks": tasks,
        "unblocked_searches": searches,
        "window_open": false,
        // A session comes from a window of the user's, never through an assistant.
        "session_stored": false,
    });
    let mut answer = Answer::new(body, String::new());
    let (name, value) = match &target {
        AuthTarget::Entry(id) => ("auth_id", id.to_string()),
        AuthTarget::Domain(host) => ("domain", site_of(host)),
    };
    answer.text = format!("{value}: {count} pages are now {status}");
    answer.body.insert(name.to_owned(), value.into());
    Ok(answer)
}
