//! `lyra feedback claim-reject` and `claim-restore`.

use clap::Args;
use evidence::calibration::CalibrationSource;
use evidence::{Claim, ClaimId, Confidence};
use graph::{Cause, DomainChange, DomainEffect, FeedbackOutcome, Reader, RejectionRates};
use serde::Serialize;
use serde_json::json;

use super::{confidence, fitted, words};
use crate::cli::input::{find, reason};
use crate::cli::{change, percent, print_record};
use crate::failure::Failure;
use crate::session::Session;

/// Set a claim aside: it stays visible, marked as not adopted, with the reason
///
/// Its confidence does not change, because that comes from the evidence alone. When too many claims
/// of a domain were set aside, the domain is blocked (settings domain.high_rejection_*).
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  lyra feedback claim-reject c_01ARZ3ND --reason \"not what the source says\"

Next: `lyra claims TASK --not-adopted` lists what was set aside; `lyra feedback claim-restore CLAIM`
takes it back.")]
pub(super) struct Reject {
    /// The claim's id, or the beginning of it
    claim: String,
    /// Why it does not count, or `-` to read it from stdin
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

/// Let a claim count again that was set aside
///
/// A domain that was blocked for its rejected claims is freed when too few of them are left.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  lyra feedback claim-restore c_01ARZ3ND

Next: `lyra claims TASK` shows it among the others.")]
pub(super) struct Restore {
    /// The claim's id, or the beginning of it
    claim: String,
}

/// What a verdict about a claim changed.
#[derive(Serialize)]
struct ClaimVerdict {
    feedback: FeedbackOutcome,
    claim: Claim,
    confidence_before: Confidence,
    confidence_now: Confidence,
    /// Of the domain the claim was taken from, where it was taken from a page.
    rejection_rates: Option<RejectionRates>,
}

impl Reject {
    pub(super) fn run(&self, session: &Session) -> Result<(), Failure> {
        let reason = reason(session, &self.reason)?;
        let verdict = judge_claim(session, &self.claim, Some(&reason))?;
        let take_back =
            format!("Take it back with: lyra feedback claim-restore {}", verdict.claim.id);
        let stays = "It stays in the graph, marked, and so does its evidence.";
        verdict.tell(session, &[stays, &take_back])
    }
}

impl Restore {
    pub(super) fn run(&self, session: &Session) -> Result<(), Failure> {
        let verdict = judge_claim(session, &self.claim, None)?;
        let again = format!(
            "Set it aside again with: lyra feedback claim-reject {} --reason TEXT",
            verdict.claim.id
        );
        verdict.tell(session, &["Why it had been set aside stays in the log.", &again])
    }
}

/// Sets a claim aside for a reason, or without one lets it count again.
fn judge_claim(
    session: &Session,
    given: &str,
    reason: Option<&str>,
) -> Result<ClaimVerdict, Failure> {
    let graph = session.open_to_change()?;
    let id: ClaimId = find(&graph, given)?;
    let task = graph.read(|r| r.claim(id))?.task_id;
    let policy = session.noted_policy(&graph)?;
    let action = if reason.is_some() { "claim_reject" } else { "claim_restore" };
    let cause = Cause::new("feedback").in_task(task).about("claim", id);
    Ok(graph.write(cause.with(json!({ "action": action, "by": "cli" })), |w| {
        let confidence_before = w.confidence_of(id)?;
        let feedback = match reason {
            Some(reason) => w.claim_reject(id, reason, &policy)?,
            None => w.claim_restore(id, &policy)?,
        };
        let claim = w.claim(id)?;
        Ok(ClaimVerdict {
            feedback,
            confidence_before,
            confidence_now: w.confidence_of(id)?,
            rejection_rates: rates_behind(w, &claim)?,
            claim,
        })
    })?)
}

/// The rates of the domain a claim was taken from.
fn rates_behind(r: &Reader<'_>, claim: &Claim) -> graph::Result<Option<RejectionRates>> {
    let Some(fragment) = claim.origin_fragment_id else { return Ok(None) };
    let page = r.page(r.fragment(fragment)?.page_id)?;
    r.rejection_rates_of(&page.domain).map(Some)
}

impl ClaimVerdict {
    fn tell(&self, session: &Session, notes: &[&str]) -> Result<(), Failure> {
        let ui = &session.ui;
        if ui.is_json() {
            return ui.document(self);
        }
        let Self { feedback, claim, .. } = self;
        let (before, now) = (words(feedback.before), words(feedback.now));
        let mut fields = vec![
            ("Claim", claim.id.to_string()),
            ("Text", claim.claim_text.clone()),
            ("Status", change(&before, &now)),
        ];
        fields.extend(claim.claim_rejection_reason.iter().map(|it| ("Reason", it.clone())));
        fields.push(("Confidence", confidence(self.confidence_before, self.confidence_now)));
        fields.extend(match (&feedback.domain, &self.rejection_rates) {
            (Some(effect), _) => Some(("Domain", effect_words(effect))),
            (None, Some(rates)) => Some(("Domain", rates_words(rates))),
            (None, None) => None,
        });
        fields.extend(fitted(feedback, CalibrationSource::LlmExtract));
        print_record(ui, &fields)?;
        if !feedback.changed {
            ui.note("It was so already; nothing was changed.");
            return Ok(());
        }
        notes.iter().for_each(|it| ui.note(it));
        Ok(())
    }
}

fn effect_words(effect: &DomainEffect) -> String {
    let rates = rates_words(&effect.rates);
    match effect.change {
        DomainChange::Blocked => format!("{rates}; it is blocked now"),
        DomainChange::Freed => format!("{rates}; it is free again"),
        DomainChange::Protected => {
            format!("{rates}; only people block a domain of its category, so it stays readable")
        }
    }
}

fn rates_words(rates: &RejectionRates) -> String {
    let RejectionRates { domain, claims, combined_rejected_claims: rejected, .. } = rates;
    let share = percent(rates.domain_claim_combined_rejection_rate);
    format!("{domain}: {rejected} of {claims} claims rejected ({share})")
}
