//! `lyra feedback`: what people tell the graph, what that changes, and how to take it back.
//!
//! Decisions about domains are those of `lyra domain`, under the names the other doors use.

use clap::{Args, Subcommand};
use evidence::calibration::CalibrationSource;
use evidence::{Claim, ClaimId, Confidence, Edge, EdgeId, Node, Stance};
use graph::{Cause, DomainChange, DomainEffect, FeedbackOutcome, Reader, RejectionRates};
use serde::Serialize;
use serde_json::json;

use super::domain::{Block, Clear, Unblock};
use super::input::{find, reason};
use super::{change, percent, print_record};
use crate::failure::Failure;
use crate::session::Session;

/// Block a domain, set a claim aside, correct a judgement; each can be taken back
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    DomainBlock(Block),
    DomainUnblock(Unblock),
    DomainClear(Clear),
    ClaimReject(Reject),
    ClaimRestore(Restore),
    EdgeCorrect(Correct),
}

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
struct Reject {
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
struct Restore {
    /// The claim's id, or the beginning of it
    claim: String,
}

/// Say what a passage really says about its claim
///
/// Takes effect at once, with full certainty, and becomes a sample the judge is measured by, also
/// when it confirms the judge. A citation is a fact and cannot be corrected.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra sql \"SELECT id, relation, source_id FROM edges WHERE target_id = 'CLAIM'\"
  lyra feedback edge-correct e_01ARZ3ND refutes --reason \"it says the contrary\"

The first one finds the edges of a claim; `lyra views` lists views that have them too.
Next: `lyra calibration stats` shows how many samples there are.")]
struct Correct {
    /// The edge's id, or the beginning of it
    edge: String,
    /// What the passage says: supports, refutes or neutral
    relation: Stance,
    /// Why, or `-` to read it from stdin
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
}

impl Arguments {
    pub(crate) fn name(&self) -> &'static str {
        match self.command {
            Command::DomainBlock(_) => "feedback domain-block",
            Command::DomainUnblock(_) => "feedback domain-unblock",
            Command::DomainClear(_) => "feedback domain-clear",
            Command::ClaimReject(_) => "feedback claim-reject",
            Command::ClaimRestore(_) => "feedback claim-restore",
            Command::EdgeCorrect(_) => "feedback edge-correct",
        }
    }

    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        match &self.command {
            Command::DomainBlock(arguments) => arguments.run(session),
            Command::DomainUnblock(arguments) => arguments.run(session),
            Command::DomainClear(arguments) => arguments.run(session),
            Command::ClaimReject(arguments) => arguments.run(session),
            Command::ClaimRestore(arguments) => arguments.run(session),
            Command::EdgeCorrect(arguments) => arguments.run(session),
        }
    }
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
    fn run(&self, session: &Session) -> Result<(), Failure> {
        let reason = reason(session, &self.reason)?;
        let verdict = judge_claim(session, &self.claim, Some(&reason))?;
        let take_back =
            format!("Take it back with: lyra feedback claim-restore {}", verdict.claim.id);
        let stays = "It stays in the graph, marked, and so does its evidence.";
        verdict.tell(session, &[stays, &take_back])
    }
}

impl Restore {
    fn run(&self, session: &Session) -> Result<(), Failure> {
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

/// What a correction changed.
#[derive(Serialize)]
struct Correction {
    feedback: FeedbackOutcome,
    edge: Edge,
    claim: Claim,
    confidence_before: Confidence,
    confidence_now: Confidence,
    #[serde(skip)]
    passage: String,
    #[serde(skip)]
    certainty_before: Option<f64>,
}

impl Correct {
    fn run(&self, session: &Session) -> Result<(), Failure> {
        let reason = self.reason.as_deref().map(|it| reason(session, it)).transpose()?;
        let graph = session.open_to_change()?;
        let id: EdgeId = find(&graph, &self.edge)?;
        let before = graph.read(|r| r.edge(id))?;
        let Node::Claim(claim) = before.target else {
            let message = format!("{id} is a citation: a fact, which cannot be corrected");
            return Err(Failure::bad_input(message).hint("only judgements about claims can be"));
        };
        let task = graph.read(|r| r.claim(claim))?.task_id;
        let cause = Cause::new("feedback").in_task(task).about("edge", id);
        let cause = cause.with(json!({ "action": "edge_correct", "by": "cli" }));
        let correction = graph.write(cause, |w| {
            let confidence_before = w.confidence_of(claim)?;
            let feedback = w.edge_correct(id, self.relation, reason.as_deref())?;
            Ok(Correction {
                feedback,
                edge: w.edge(id)?,
                claim: w.claim(claim)?,
                confidence_before,
                confidence_now: w.confidence_of(claim)?,
                passage: passage(w, before.source)?,
                certainty_before: before.nli_confidence,
            })
        })?;
        if session.ui.is_json() {
            return session.ui.document(&correction);
        }
        correction.tell(session)
    }
}

impl Correction {
    fn tell(&self, session: &Session) -> Result<(), Failure> {
        let Self { feedback, edge, claim, .. } = self;
        let number = |it: Option<f64>| it.map_or("none".to_owned(), |it| format!("{it:.2}"));
        let certainty = change(&number(self.certainty_before), &number(edge.nli_confidence));
        let mut fields = vec![
            ("Edge", edge.id.to_string()),
            ("Passage", self.passage.clone()),
            ("Claim", format!("{} {}", claim.id, claim.claim_text)),
            ("Relation", change(&words(feedback.before), &words(feedback.now))),
            ("Certainty", certainty),
            ("Confidence", confidence(self.confidence_before, self.confidence_now)),
        ];
        fields.extend(
            feedback
                .superseded_edges
                .iter()
                .map(|it| ("Replaced", format!("{it}, another judgement of this passage"))),
        );
        fields.extend(fitted(feedback, CalibrationSource::NliJudge));
        print_record(&session.ui, &fields)?;
        session.ui.note(if feedback.changed {
            "A sample was stored; the passage, the claim and all other edges are as they were."
        } else {
            "It was so already; a sample was stored, and nothing else was changed."
        });
        let before = words(feedback.before);
        let again = format!("lyra feedback edge-correct {} {before}", edge.id);
        session.ui.note(&format!("To say what it said before, with full certainty: {again}"));
        Ok(())
    }
}

/// The words an edge starts from.
fn passage(r: &Reader<'_>, source: Node) -> graph::Result<String> {
    Ok(match source {
        Node::Fragment(id) => r.fragment(id)?.text_content,
        Node::Claim(id) => r.claim(id)?.claim_text,
        Node::Page(id) => r.page(id)?.url,
    })
}

fn confidence(before: Confidence, now: Confidence) -> String {
    let shown = |it: Confidence| format!("{:.2} ±{:.2}", it.confidence, it.uncertainty);
    change(&shown(before), &shown(now))
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

/// A version that was fitted because enough samples came in.
fn fitted(feedback: &FeedbackOutcome, source: CalibrationSource) -> Option<(&'static str, String)> {
    let version = feedback.fitted_version?;
    let how = format!("lyra calibration activate {source} {version}");
    let words = format!("version {version} of {source} was fitted, not in force until: {how}");
    Some(("Calibration", words))
}

fn words(name: Option<&'static str>) -> String {
    name.unwrap_or("none").replace('_', " ")
}
