//! `notify_user`: a notification on the user's desktop.

use serde_json::json;

use crate::mcp::call::Call;
use crate::mcp::elicitation::{Notice, notify};
use crate::mcp::response::Answer;
use crate::mcp::tool_error::ToolError;

pub(super) async fn run(call: &Call) -> Result<Answer, ToolError> {
    let payload = &call.arguments["payload"];
    let text = |name: &str| payload[name].as_str().map(str::to_owned);
    let event = call.required_text("event")?.to_owned();
    let notice = Notice {
        urgent: matches!(event.as_str(), "warning" | "auth_required" | "decision_required"),
        title: text("title").unwrap_or_else(|| "Lyra".to_owned()),
        reason: text("message").unwrap_or_default(),
        url: text("url"),
        timeout_seconds: payload["timeout_seconds"].as_u64(),
    };
    let sent = notify(call.state.session(), notice).await;
    tracing::info!(event, notification_id = sent.id, shown = sent.shown, "the user was notified");
    let text = match sent.shown {
        true => format!("{}: shown on the desktop", sent.id),
        false => format!("{}: this machine shows no notifications", sent.id),
    };
    Ok(Answer::new(json!({ "notification_id": sent.id, "shown": sent.shown }), text))
}
