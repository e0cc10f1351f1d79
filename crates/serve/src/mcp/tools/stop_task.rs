//! `stop_task`: the end of a task.

use research::calls::StopTask;
use serde_json::json;

use crate::mcp::call::Call;
use crate::mcp::response::Answer;
use crate::mcp::tool_error::ToolError;

pub(super) async fn run(call: &Call) -> Result<Answer, ToolError> {
    let asked: StopTask = Call::as_engine(call.arguments.clone())?;
    let engine = call.engine().await?;
    let stopped = engine.stop_task(asked).await?;
    let text = format!(
        "{} ended: {}\nsearches {} ({} satisfied), claims {}",
        stopped.task_id,
        stopped.final_status,
        stopped.summary.total_searches,
        stopped.summary.satisfied_searches,
        stopped.summary.total_claims
    );
    Ok(Answer::new(json!(stopped), text))
}
