//! `feedback`: what a person decided about a domain, a claim or a judgement.

use evidence::domain::DomainPattern;
use evidence::{ClaimId, Confidence, EdgeId, Stance};
use graph::{FeedbackAction, FeedbackOutcome};
use research::ClaimsMoved;
use serde_json::{Value, json};

use super::search::rounded;
use crate::feedback::{correct_edge, decide_domain, judge_claim};
use crate::mcp::call::Call;
use crate::mcp::response::Answer;
use crate::mcp::tool_error::ToolError;

/// What each action takes, beside `action`.
const FIELDS: &[(&str, &[&str])] = &[
    ("domain_block", &["domain_pattern", "reason"]),
    ("domain_unblock", &["domain_pattern", "reason"]),
    ("domain_clear_override", &["domain_pattern", "reason"]),
    ("claim_reject", &["claim_id", "reason"]),
    ("claim_restore", &["claim_id"]),
    ("edge_correct", &["edge_id", "correct_relation", "reason"]),
];

pub(super) async fn run(call: &Call) -> Result<Answer, ToolError> {
    let action = call.required_text("action")?;
    check_fields(call, action)?;
    match action {
        "claim_reject" | "claim_restore" => claim(call, action == "claim_reject").await,
        "edge_correct" => edge(call).await,
        "domain_block" => domain(call, FeedbackAction::DomainBlock).await,
        "domain_unblock" => domain(call, FeedbackAction::DomainUnblock).await,
        _ => domain(call, FeedbackAction::DomainClearOverride).await,
    }
}

/// Each action takes fields of its own; one that would be ignored is a misunderstanding.
fn check_fields(call: &Call, action: &str) -> Result<(), ToolError> {
    let taken = FIELDS.iter().find(|it| it.0 == action).map_or(&[][..], |it| it.1);
    let given = call.arguments.as_object().into_iter().flat_map(|it| it.keys());
    for field in given.filter(|it| *it != "action") {
        if !taken.contains(&field.as_str()) {
            return Err(ToolError::invalid(format!("{action} takes no `{field}`"))
                .hint(format!("it takes {}", taken.join(", "))));
        }
    }
    let is_optional = |field: &str| action == "edge_correct" && field == "reason";
    match taken.iter().find(|it| !is_optional(it) && call.text(it).is_none()) {
        Some(missing) => Err(ToolError::invalid(format!("{action} needs `{missing}`"))),
        None => Ok(()),
    }
}

/// The reason, within what the settings take.
fn reason(call: &Call) -> Result<Option<String>, ToolError> {
    let most = call.state.session().settings.feedback.max_reason_chars;
    match call.reason() {
        Some(text) if text.chars().count() > most => {
            Err(ToolError::invalid(format!("`reason` has more than {most} characters")))
        }
        given => Ok(given.map(str::to_owned)),
    }
}

async fn claim(call: &Call, reject: bool) -> Result<Answer, ToolError> {
    let id: ClaimId = call.id("claim_id")?;
    let reason = reason(call)?;
    let state = std::sync::Arc::clone(&call.state);
    let verdict = call
        .write(move |graph| {
            graph.read(|r| r.claim(id))?;
            let policy = state.session().noted_policy(graph)?;
            let reason = reason.as_deref().filter(|_| reject);
            let settings = state.session().settings.verification();
            Ok(judge_claim(graph, id, reason, &policy, &settings)?)
        })
        .await?;
    Ok(told(&verdict.feedback, Some((verdict.confidence_before, verdict.confidence_now))))
}

async fn edge(call: &Call) -> Result<Answer, ToolError> {
    let id: EdgeId = call.id("edge_id")?;
    let relation: Stance = call
        .required_text("correct_relation")?
        .parse()
        .map_err(|_| ToolError::invalid("`correct_relation` is supports, refutes or neutral"))?;
    let reason = reason(call)?;
    let correction =
        call.write(move |graph| Ok(correct_edge(graph, id, relation, reason.as_deref())?)).await?;
    Ok(told(&correction.feedback, Some((correction.confidence_before, correction.confidence_now))))
}

async fn domain(call: &Call, action: FeedbackAction) -> Result<Answer, ToolError> {
    let pattern: DomainPattern = call.required_text("domain_pattern")?.parse()?;
    let reason = reason(call)?.ok_or_else(|| ToolError::invalid("`reason` is empty"))?;
    let state = std::sync::Arc::clone(&call.state);
    let decided = call
        .write(move |graph| {
            let policy = state.session().noted_policy(graph)?;
            let settings = state.session().settings.verification();
            Ok(decide_domain(graph, action, &pattern, &reason, &policy, &settings)?)
        })
        .await?;
    let mut answer = told(&decided.feedback, None);
    let ClaimsMoved { rejected, brought_back } = decided.claims;
    if rejected > 0 {
        answer.text += &format!("\nclaims from there: {rejected} rejected from now on");
    }
    if brought_back > 0 {
        answer.text += &format!("\nclaims from there: {brought_back} brought back");
    }
    Ok(answer)
}

fn told(outcome: &FeedbackOutcome, confidence: Option<(Confidence, Confidence)>) -> Answer {
    let mut body = json!(outcome);
    if let Some((before, now)) = confidence {
        body["confidence_before"] = rounded(&json!(before.confidence));
        body["confidence_now"] = rounded(&json!(now.confidence));
    }
    let words = |value: Option<&str>| value.unwrap_or("none").to_owned();
    let mut text = format!(
        "{} {}: {} -> {}",
        outcome.action.as_str(),
        outcome.target,
        words(outcome.before),
        words(outcome.now)
    );
    if !outcome.changed {
        text += " (it was so already)";
    }
    if let Value::Number(now) = &body["confidence_now"] {
        text += &format!("\nconfidence of the claim: {} -> {now}", body["confidence_before"]);
    }
    Answer::new(body, text)
}
