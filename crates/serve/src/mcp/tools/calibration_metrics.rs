//! `calibration_metrics`: how far stated certainty can be trusted, in numbers.

use evidence::calibration::CalibrationSource;
use graph::{CalibrationStats, Cause, Evaluation};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::search::rounded;
use crate::mcp::call::Call;
use crate::mcp::response::Answer;
use crate::mcp::tool_error::{Code, ToolError};

const USUAL_LIMIT: u64 = 20;

pub(super) async fn run(call: &Call) -> Result<Answer, ToolError> {
    let source = call
        .text("source")
        .map(str::parse::<CalibrationSource>)
        .transpose()
        .map_err(|_| ToolError::invalid("`source` is nli_judge or llm_extract"))?;
    match (call.required_text("action")?, source) {
        ("evaluate", Some(source)) => evaluate(call, source).await,
        ("evaluate", None) => {
            Err(ToolError::invalid("evaluate needs `source`").hint("nli_judge or llm_extract"))
        }
        ("get_evaluations", source) => evaluations(call, source).await,
        (_, source) => stats(call, source).await,
    }
}

/// The source that was named, or all of them.
fn sources(named: Option<CalibrationSource>) -> Vec<CalibrationSource> {
    match named {
        Some(source) => vec![source],
        None => CalibrationSource::ALL.to_vec(),
    }
}

async fn stats(call: &Call, source: Option<CalibrationSource>) -> Result<Answer, ToolError> {
    let stats: Vec<CalibrationStats> = call
        .state
        .read(move |graph| {
            let of =
                |source| graph.read(|r| r.calibration_stats(source, &graph.rules().calibration));
            Ok(sources(source).into_iter().map(of).collect::<graph::Result<_>>()?)
        })
        .await?;
    let lines: Vec<String> = stats
        .iter()
        .map(|it| {
            let version = it.current_version.map_or("none".to_owned(), |it| it.to_string());
            format!("{}: {} samples, version in force {version}", it.source, it.sample_count)
        })
        .collect();
    Ok(Answer::new(json!({ "stats": stats }), lines.join("\n")))
}

async fn evaluate(call: &Call, source: CalibrationSource) -> Result<Answer, ToolError> {
    let evaluated = call
        .write(move |graph| {
            let cause = Cause::new("calibration").about("calibration", source);
            graph.write(cause, |w| w.evaluate_calibration(source)).map_err(of_calibration)
        })
        .await?;
    let it = &evaluated.evaluation;
    let text = format!(
        "{}: {} samples, Brier score {:.4}, calibration error {:.4}",
        it.source, it.samples_evaluated, it.brier_score, it.expected_calibration_error
    );
    let body = json!({
        "evaluation": shown(it),
        "degradation_detected": evaluated.degradation.is_some(),
        "rolled_back_to": evaluated.rolled_back.and_then(|it| it.rolled_back_to),
    });
    Ok(Answer::new(body, text))
}

async fn evaluations(call: &Call, source: Option<CalibrationSource>) -> Result<Answer, ToolError> {
    let since: Option<Timestamp> =
        call.text("since").map(str::parse).transpose().map_err(|_| {
            ToolError::invalid("`since` is not a time").hint("e.g. 2026-01-15T00:00:00Z")
        })?;
    let mut found: Vec<Evaluation> = call
        .state
        .read(move |graph| {
            let mut found = Vec::new();
            for source in sources(source) {
                found.extend(graph.read(|r| r.calibration_evaluations(source, u32::MAX, since))?);
            }
            Ok(found)
        })
        .await?;
    found.sort_by_key(|it| std::cmp::Reverse(it.id));
    let (total, offset) = (found.len(), call.offset());
    let limit = call.number("limit").unwrap_or(USUAL_LIMIT) as usize;
    let shown: Vec<Value> = found.iter().skip(offset).take(limit).map(shown).collect();
    let text = format!("{} of {total} evaluations, newest first", shown.len());
    let body = json!({ "evaluations": shown, "total_count": total });
    Ok(Answer::new(body, text).shortening(&["evaluations"]).paged("evaluations", offset, total))
}

/// An evaluation with its diagram, in numbers that cost little.
fn shown(it: &Evaluation) -> Value {
    let mut value = json!(it);
    for name in
        ["brier_score", "brier_score_calibrated", "improvement_ratio", "expected_calibration_error"]
    {
        value[name] = rounded(&value[name]);
    }
    if let Some(bins) = value["bins"].as_array_mut() {
        for bin in bins {
            for name in ["lower", "upper", "mean_confidence", "accuracy"] {
                bin[name] = rounded(&bin[name]);
            }
        }
    }
    if let Some(fields) = value.as_object_mut() {
        fields.retain(|name, value| name != "cause_id" && !value.is_null());
    }
    value
}

/// What calibration refuses has a code of its own.
pub(super) fn of_calibration(error: graph::Error) -> ToolError {
    match &error {
        graph::Error::Invalid { .. } | graph::Error::Unknown { .. } => {
            ToolError::new(Code::CalibrationError, error.to_string()).hint(
                "calibration_metrics get_stats shows samples and versions; feedback brings samples",
            )
        }
        _ => error.into(),
    }
}
