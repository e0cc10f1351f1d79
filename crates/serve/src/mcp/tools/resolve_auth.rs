//! `resolve_auth`: what a person did about pages that waited.

use std::collections::BTreeSet;

use evidence::domain::site_of;
use evidence::{AuthId, AuthStatus, TaskId};
use graph::{AuthTarget, Cause};
use serde_json::json;

use super::get_auth_queue::{blocked_by, blocking, pending};
use crate::mcp::call::Call;
use crate::mcp::response::Answer;
use crate::mcp::tool_error::ToolError;

pub(super) async fn run(call: &Call) -> Result<Answer, ToolError> {
    let data = &call.arguments["data"];
    let status: AuthStatus = data["status"]
        .as_str()
        .and_then(|it| it.parse().ok())
        .ok_or_else(|| ToolError::invalid("`data.status` is resolved, skipped or failed"))?;
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
    settle(call, target, status).await
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
        // A session comes from a browser of the user's, never through an assistant.
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
