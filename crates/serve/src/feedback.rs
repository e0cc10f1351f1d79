//! Feedback of people, the same through every door: the change, with the state before and after.

use evidence::domain::{DomainDecision, DomainPattern, DomainPolicy, OverrideRule, site_of};
use evidence::{Claim, ClaimId, Confidence, Edge, EdgeId, Node, Stance};
use graph::{Cause, FeedbackAction, FeedbackOutcome, Graph, Reader, RejectionRates};
use judge::VerificationSettings;
use research::{ClaimsMoved, verify_claims_from};
use serde::Serialize;
use serde_json::json;

use crate::failure::Failure;

/// What a verdict about a claim changed.
#[derive(Debug, Serialize)]
pub(crate) struct ClaimVerdict {
    pub(crate) feedback: FeedbackOutcome,
    pub(crate) claim: Claim,
    pub(crate) confidence_before: Confidence,
    pub(crate) confidence_now: Confidence,
    /// Of the domain the claim was taken from, where it was taken from a page.
    pub(crate) rejection_rates: Option<RejectionRates>,
}

/// What a correction changed.
#[derive(Debug, Serialize)]
pub(crate) struct Correction {
    pub(crate) feedback: FeedbackOutcome,
    pub(crate) edge: Edge,
    pub(crate) claim: Claim,
    pub(crate) confidence_before: Confidence,
    pub(crate) confidence_now: Confidence,
    #[serde(skip)]
    pub(crate) passage: String,
    #[serde(skip)]
    pub(crate) certainty_before: Option<f64>,
}

/// What a decision changed, for the host the pattern is written around.
#[derive(Debug, Serialize)]
pub(crate) struct Decided {
    pub(crate) feedback: FeedbackOutcome,
    pub(crate) reason: String,
    pub(crate) host: String,
    pub(crate) decision_before: DomainDecision,
    pub(crate) decision_now: DomainDecision,
    /// Decisions about a part of what the pattern covers, which come before it.
    pub(crate) closer_overrides: Vec<OverrideRule>,
    /// Claims that were taken from what the pattern covers.
    pub(crate) claims: ClaimsMoved,
}

/// Sets a claim aside for a reason, or without one lets it count again.
pub(crate) fn judge_claim(
    graph: &Graph,
    id: ClaimId,
    reason: Option<&str>,
    policy: &DomainPolicy,
    settings: &VerificationSettings,
) -> graph::Result<ClaimVerdict> {
    let task = graph.read(|r| r.claim(id))?.task_id;
    let action = if reason.is_some() { "claim_reject" } else { "claim_restore" };
    let cause = Cause::new("feedback").in_task(task).about("claim", id);
    graph.write(cause.with(json!({ "action": action })), |w| {
        let confidence_before = w.confidence_of(id)?;
        let feedback = match reason {
            Some(reason) => w.claim_reject(id, reason, policy)?,
            None => w.claim_restore(id, policy)?,
        };
        // A site that is blocked or freed by its rates takes its claims with it.
        if let Some(effect) = &feedback.domain {
            verify_claims_from(w, |host| site_of(host) == effect.domain, policy, settings)?;
        }
        let claim = w.claim(id)?;
        Ok(ClaimVerdict {
            feedback,
            confidence_before,
            confidence_now: w.confidence_of(id)?,
            rejection_rates: rates_behind(w, &claim)?,
            claim,
        })
    })
}

/// The rates of the domain a claim was taken from.
fn rates_behind(r: &Reader<'_>, claim: &Claim) -> graph::Result<Option<RejectionRates>> {
    let Some(fragment) = claim.origin_fragment_id else { return Ok(None) };
    let page = r.page(r.fragment(fragment)?.page_id)?;
    r.rejection_rates_of(&page.domain).map(Some)
}

/// Records what a passage really says about its claim.
pub(crate) fn correct_edge(
    graph: &Graph,
    id: EdgeId,
    relation: Stance,
    reason: Option<&str>,
) -> Result<Correction, Failure> {
    let before = graph.read(|r| r.edge(id))?;
    let Node::Claim(claim) = before.target else {
        let message = format!("{id} is a citation: a fact, which cannot be corrected");
        return Err(Failure::bad_input(message).hint(|w| &w.hint.judgements_only));
    };
    let task = graph.read(|r| r.claim(claim))?.task_id;
    let cause = Cause::new("feedback").in_task(task).about("edge", id);
    let cause = cause.with(json!({ "action": "edge_correct" }));
    Ok(graph.write(cause, |w| {
        let confidence_before = w.confidence_of(claim)?;
        let feedback = w.edge_correct(id, relation, reason)?;
        Ok(Correction {
            feedback,
            edge: w.edge(id)?,
            claim: w.claim(claim)?,
            confidence_before,
            confidence_now: w.confidence_of(claim)?,
            passage: passage(w, before.source)?,
            certainty_before: before.nli_confidence,
        })
    })?)
}

/// The words an edge starts from.
fn passage(r: &Reader<'_>, source: Node) -> graph::Result<String> {
    Ok(match source {
        Node::Fragment(id) => r.fragment(id)?.text_content,
        Node::Claim(id) => r.claim(id)?.claim_text,
        Node::Page(id) => r.page(id)?.url,
    })
}

/// Blocks a pattern, lets it be read, or takes back what was decided about it.
pub(crate) fn decide_domain(
    graph: &Graph,
    action: FeedbackAction,
    pattern: &DomainPattern,
    reason: &str,
    policy: &DomainPolicy,
    settings: &VerificationSettings,
) -> graph::Result<Decided> {
    let cause = Cause::new("feedback").about("domain", pattern);
    let cause = cause.with(json!({ "action": action }));
    let by = graph.caller().unwrap_or("unknown");
    graph.write(cause, |w| {
        let host = pattern.domain().to_owned();
        let decision_before = w.decide(&host, policy)?;
        let feedback = match action {
            FeedbackAction::DomainBlock => w.domain_block(pattern, reason, by)?,
            FeedbackAction::DomainUnblock => w.domain_unblock(pattern, reason, by)?,
            _ => w.domain_clear_override(pattern, reason, by)?,
        };
        let mut closer_overrides = w.domain_overrides()?;
        closer_overrides.retain(|it| is_closer(&it.domain_pattern, pattern));
        let decision_now = w.decide(&host, policy)?;
        let claims = verify_claims_from(w, |it| pattern.matches(it), policy, settings)?;
        let reason = reason.to_owned();
        Ok(Decided {
            feedback,
            reason,
            host,
            decision_before,
            decision_now,
            closer_overrides,
            claims,
        })
    })
}

/// Whether `it` speaks about a part of what `pattern` covers.
fn is_closer(it: &DomainPattern, pattern: &DomainPattern) -> bool {
    pattern.is_wildcard() && it != pattern && pattern.matches(it.domain())
}
