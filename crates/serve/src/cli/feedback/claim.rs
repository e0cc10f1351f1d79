//! `lyra feedback claim-reject` and `claim-restore`.

use clap::Args;
use evidence::ClaimId;
use evidence::calibration::CalibrationSource;
use graph::{DomainChange, DomainEffect, RejectionRates};

use super::{confidence, fitted, words};
use crate::cli::input::{find, reason};
use crate::cli::{change, percent, print_record};
use crate::failure::Failure;
use crate::feedback::{self, ClaimVerdict};
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

impl Reject {
    pub(super) fn run(&self, session: &Session) -> Result<(), Failure> {
        let reason = reason(session, &self.reason)?;
        let verdict = judge_claim(session, &self.claim, Some(&reason))?;
        let take_back =
            format!("Take it back with: lyra feedback claim-restore {}", verdict.claim.id);
        let stays = "It stays in the graph, marked, and so does its evidence.";
        tell(&verdict, session, &[stays, &take_back])
    }
}

impl Restore {
    pub(super) fn run(&self, session: &Session) -> Result<(), Failure> {
        let verdict = judge_claim(session, &self.claim, None)?;
        let again = format!(
            "Set it aside again with: lyra feedback claim-reject {} --reason TEXT",
            verdict.claim.id
        );
        tell(&verdict, session, &["Why it had been set aside stays in the log.", &again])
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
    // Whether there is such a claim is known before the policy is noted.
    graph.read(|r| r.claim(id))?;
    let policy = session.noted_policy(&graph)?;
    Ok(feedback::judge_claim(&graph, id, reason, &policy)?)
}

fn tell(verdict: &ClaimVerdict, session: &Session, notes: &[&str]) -> Result<(), Failure> {
    let ui = &session.ui;
    if ui.is_json() {
        return ui.document(verdict);
    }
    let ClaimVerdict { feedback, claim, .. } = verdict;
    let (before, now) = (words(feedback.before), words(feedback.now));
    let mut fields = vec![
        ("Claim", claim.id.to_string()),
        ("Text", claim.claim_text.clone()),
        ("Status", change(&before, &now)),
    ];
    fields.extend(claim.claim_rejection_reason.iter().map(|it| ("Reason", it.clone())));
    fields.push(("Confidence", confidence(verdict.confidence_before, verdict.confidence_now)));
    fields.extend(match (&feedback.domain, &verdict.rejection_rates) {
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
