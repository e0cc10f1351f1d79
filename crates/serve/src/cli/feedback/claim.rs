//! `lyra feedback claim-reject` and `claim-restore`.

use clap::Args;
use evidence::calibration::CalibrationSource;
use graph::{DomainChange, DomainEffect, RejectionRates};

use super::{confidence, fitted, spaced};
use crate::cli::ids::{OneClaim, short};
use crate::cli::input::reason;
use crate::cli::{change, percent, print_record};
use crate::failure::Failure;
use crate::feedback::{self, ClaimVerdict};
use crate::session::Session;
use crate::words::{Words, say};

/// Set a claim aside: it stays visible, marked as not adopted, with the reason
///
/// Its confidence does not change, because that comes from the evidence alone. When too many claims
/// of a domain were set aside, the domain is blocked (settings domain.high_rejection_*).
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  lyra feedback claim-reject 9G5FAV --reason \"not what the source says\"

Next: `lyra claims TASK --not-adopted` lists what was set aside; `lyra feedback claim-restore CLAIM`
takes it back.")]
pub(super) struct Reject {
    #[command(flatten)]
    claim: OneClaim,
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
  lyra feedback claim-restore 9G5FAV

Next: `lyra claims TASK` shows it among the others.")]
pub(super) struct Restore {
    #[command(flatten)]
    claim: OneClaim,
}

impl Reject {
    pub(super) fn run(&self, session: &Session) -> Result<(), Failure> {
        let reason = reason(session, &self.reason)?;
        let verdict = judge_claim(session, &self.claim, Some(&reason))?;
        let words = session.ui.words();
        let command = format!("lyra feedback claim-restore {}", verdict.claim.id);
        let take_back = say!(words.common.take_back, command = command);
        tell(&verdict, session, &[words.feedback.stays.as_str(), &take_back])
    }
}

impl Restore {
    pub(super) fn run(&self, session: &Session) -> Result<(), Failure> {
        let verdict = judge_claim(session, &self.claim, None)?;
        let words = &session.ui.words().feedback;
        let again = say!(words.set_aside_again, claim = verdict.claim.id);
        tell(&verdict, session, &[words.log_keeps_why.as_str(), &again])
    }
}

/// Sets a claim aside for a reason, or without one lets it count again.
fn judge_claim(
    session: &Session,
    claim: &OneClaim,
    reason: Option<&str>,
) -> Result<ClaimVerdict, Failure> {
    let graph = session.open_to_change()?;
    let id = claim.find(&graph)?;
    // Whether there is such a claim is known before the policy is noted.
    graph.read(|r| r.claim(id))?;
    let policy = session.noted_policy(&graph)?;
    Ok(feedback::judge_claim(&graph, id, reason, &policy, &session.settings.verification())?)
}

fn tell(verdict: &ClaimVerdict, session: &Session, notes: &[&str]) -> Result<(), Failure> {
    let ui = &session.ui;
    if ui.is_json() {
        return ui.document(verdict);
    }
    let words = ui.words();
    let label = &words.label;
    let ClaimVerdict { feedback, claim, .. } = verdict;
    let (before, now) = (spaced(words, feedback.before), spaced(words, feedback.now));
    let mut fields = vec![
        (&label.claim, short(&claim.id)),
        (&label.text, claim.claim_text.clone()),
        (&label.status, change(words, &words.code(&before), &words.code(&now))),
    ];
    fields.extend(claim.claim_rejection_reason.iter().map(|why| (&label.reason, why.clone())));
    let confidence = confidence(words, verdict.confidence_before, verdict.confidence_now);
    fields.push((&label.confidence, confidence));
    fields.extend(match (&feedback.domain, &verdict.rejection_rates) {
        (Some(effect), _) => Some((&label.domain, effect_words(words, effect))),
        (None, Some(rates)) => Some((&label.domain, rates_words(words, rates))),
        (None, None) => None,
    });
    fields.extend(fitted(words, feedback, CalibrationSource::LlmExtract));
    print_record(ui, &fields)?;
    if !feedback.changed {
        ui.note(words.common.already.as_str());
        return Ok(());
    }
    notes.iter().for_each(|note| ui.note(note));
    Ok(())
}

fn effect_words(words: &Words, effect: &DomainEffect) -> String {
    let rates = rates_words(words, &effect.rates);
    let message = match effect.change {
        DomainChange::Blocked => &words.feedback.now_blocked,
        DomainChange::Freed => &words.feedback.now_free,
        DomainChange::Protected => &words.feedback.protected,
    };
    say!(message, rates = rates)
}

fn rates_words(words: &Words, rates: &RejectionRates) -> String {
    say!(
        words.feedback.rates,
        domain = rates.domain,
        rejected = rates.combined_rejected_claims,
        claims = rates.claims,
        share = percent(rates.domain_claim_combined_rejection_rate),
    )
}
