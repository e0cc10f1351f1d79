//! What people tell the graph: that a domain may or may not be read, that a claim does not count,
//! that a passage says something else than the judge thought.
//!
//! People give the right answer and its reason, never a number. Each act takes effect at once and
//! leaves its own audit row beside the event in the log; saying the same thing twice adds nothing,
//! except for corrections, each of which is a sample to measure the judge by.

mod claim;
mod domain;
mod edge;

use evidence::domain::UnblockRisk;
use evidence::{CorrectionId, EdgeId, OverrideRuleId};
use serde::Serialize;

use crate::{DomainEffect, Error, Result, Writer};

/// The six things a person can say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FeedbackAction {
    DomainBlock,
    DomainUnblock,
    DomainClearOverride,
    ClaimReject,
    ClaimRestore,
    EdgeCorrect,
}

impl FeedbackAction {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::DomainBlock => "domain_block",
            Self::DomainUnblock => "domain_unblock",
            Self::DomainClearOverride => "domain_clear_override",
            Self::ClaimReject => "claim_reject",
            Self::ClaimRestore => "claim_restore",
            Self::EdgeCorrect => "edge_correct",
        }
    }
}

/// What an act of feedback changed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FeedbackOutcome {
    pub action: FeedbackAction,
    /// The pattern in its normal spelling, or the id.
    pub target: String,
    /// `false` when it was so already.
    pub changed: bool,
    /// The decision, adoption status or relation before ...
    pub before: Option<&'static str>,
    /// ... and now.
    pub now: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule_id: Option<OverrideRuleId>,
    /// The riskiest recorded block an unblock lifts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub domain_unblock_risk: Option<UnblockRisk>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub correction_id: Option<CorrectionId>,
    /// Other judgements of the same pair, which moved into the log.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub superseded_edges: Vec<EdgeId>,
    /// What a rejected or restored claim meant for its domain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub domain: Option<DomainEffect>,
    /// A calibration version that was fitted because enough samples came in; not in force.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fitted_version: Option<u32>,
}

impl FeedbackOutcome {
    fn of(action: FeedbackAction, target: impl ToString) -> Self {
        Self {
            action,
            target: target.to_string(),
            changed: false,
            before: None,
            now: None,
            rule_id: None,
            domain_unblock_risk: None,
            correction_id: None,
            superseded_edges: Vec::new(),
            domain: None,
            fitted_version: None,
        }
    }
}

impl Writer<'_> {
    /// A reason as it is stored: trimmed, not empty, of bounded length.
    fn reason<'r>(&self, reason: &'r str) -> Result<&'r str> {
        let (reason, limit) = (reason.trim(), self.rules().feedback.max_reason_chars);
        if reason.is_empty() {
            return Err(Error::invalid("the reason", "is empty"));
        }
        if reason.chars().nth(limit).is_some() {
            return Err(Error::invalid("the reason", format!("is longer than {limit} characters")));
        }
        Ok(reason)
    }
}
