//! `calibration_rollback`: takes the version in force back.

use evidence::calibration::CalibrationSource;
use graph::Cause;
use serde_json::json;

use super::calibration_metrics::of_calibration;
use crate::mcp::call::Call;
use crate::mcp::response::Answer;
use crate::mcp::tool_error::ToolError;

pub(super) async fn run(call: &Call) -> Result<Answer, ToolError> {
    let source: CalibrationSource = call
        .required_text("source")?
        .parse()
        .map_err(|_| ToolError::invalid("`source` is nli_judge or llm_extract"))?;
    let version = call.number("version").map(|it| u32::try_from(it).unwrap_or(u32::MAX));
    let reason = call.reason().map(str::to_owned);
    let rollback = call
        .write(move |graph| {
            let cause = Cause::new("calibration").about("calibration", source);
            graph
                .write(cause, |w| w.rollback_calibration(source, version, reason.as_deref()))
                .map_err(of_calibration)
        })
        .await?;
    let now = rollback
        .rolled_back_to
        .map_or("the judge's own certainty".to_owned(), |it| format!("version {it}"));
    let text = format!(
        "{source}: version {} was taken back, {now} is in force; {} edges changed",
        rollback.previous_version, rollback.edges_changed
    );
    let mut body = json!(rollback);
    // 0 is the judge's own certainty, as in the arguments.
    body["rolled_back_to"] = rollback.rolled_back_to.unwrap_or(0).into();
    Ok(Answer::new(body, text))
}
