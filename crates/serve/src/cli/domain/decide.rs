//! `lyra domain block`, `unblock` and `clear`, which `lyra feedback` offers under its own names.

use clap::Args;
use evidence::domain::{DomainDecision, DomainPattern};
use graph::FeedbackAction;

use super::check::{block_words, weighed};
use crate::cli::input::reason;
use crate::cli::{change, print_record};
use crate::failure::Failure;
use crate::feedback::{Decided, decide_domain};
use crate::session::Session;

/// Block a domain, whatever the policy says
///
/// Nothing new is fetched from it. What was found there before stays, with its confidence. The
/// decision is kept in the graph with its reason. `lyra feedback domain-block` is the same.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra domain block spam.example.com --reason \"copies other sites\"
  lyra domain block '*.example.com' --reason \"all of it\"

Next: `lyra domain check HOST` explains what holds now; `lyra domain clear PATTERN` takes it back.")]
pub(crate) struct Block {
    #[command(flatten)]
    decision: Decision,
}

/// Let a domain be read that the denylist, a dangerous pattern or its rejected claims block
///
/// The block stays on record, and the answer names the risk of lifting it.
/// `lyra feedback domain-unblock` is the same.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  lyra domain unblock example.com --reason \"reviewed by hand\"

Next: `lyra domain check HOST` explains what holds now; `lyra domain clear PATTERN` takes it back.")]
pub(crate) struct Unblock {
    #[command(flatten)]
    decision: Decision,
}

/// Take back what was decided about a pattern: policy and recorded blocks hold again
///
/// `lyra feedback domain-clear` is the same.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  lyra domain clear '*.example.com' --reason \"the site changed hands\"

Next: `lyra domain list` shows what is decided.")]
pub(crate) struct Clear {
    #[command(flatten)]
    decision: Decision,
}

#[derive(Debug, Args)]
struct Decision {
    /// `example.com` for that host alone, `*.example.com` for it and everything below
    pattern: String,
    /// Why, or `-` to read it from stdin
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

impl Block {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        self.decision.run(session, FeedbackAction::DomainBlock)
    }
}

impl Unblock {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        self.decision.run(session, FeedbackAction::DomainUnblock)
    }
}

impl Clear {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        self.decision.run(session, FeedbackAction::DomainClearOverride)
    }
}

impl Decision {
    fn run(&self, session: &Session, action: FeedbackAction) -> Result<(), Failure> {
        let pattern: DomainPattern = self.pattern.parse()?;
        let reason = reason(session, &self.reason)?;
        let graph = match action {
            FeedbackAction::DomainClearOverride => session.open_to_change()?,
            _ => session.writer()?,
        };
        let policy = session.noted_policy(&graph)?;
        let decided = decide_domain(&graph, action, &pattern, &reason, &policy)?;
        if session.ui.is_json() {
            return session.ui.document(&decided);
        }
        tell(&decided, session, &pattern)
    }
}

fn tell(decided: &Decided, session: &Session, pattern: &DomainPattern) -> Result<(), Failure> {
    let (ui, feedback) = (&session.ui, &decided.feedback);
    let (before, now) = (feedback.before.unwrap_or("none"), feedback.now.unwrap_or("none"));
    let mut fields = vec![
        ("Pattern", pattern.to_string()),
        ("Decision", change(before, now)),
        ("Reason", decided.reason.clone()),
    ];
    let effect = change(&holds(&decided.decision_before), &holds(&decided.decision_now));
    fields.push(("Effect", format!("{}: {effect}", decided.host)));
    fields.extend(feedback.domain_unblock_risk.map(|risk| {
        let signal = decided.decision_now.signal.as_ref();
        let what = signal.map(|it| format!(", it lifts {}", block_words(it)));
        ("Risk", format!("{risk}{}", what.unwrap_or_default()))
    }));
    let closer = decided.closer_overrides.iter();
    let closer: Vec<String> =
        closer.map(|it| format!("{} {}", it.decision, it.domain_pattern)).collect();
    if !closer.is_empty() {
        fields.push(("Before it come", closer.join(", ")));
    }
    print_record(ui, &fields)?;
    if !feedback.changed {
        ui.note("It was decided so before, for the same reason; nothing was changed.");
        return Ok(());
    }
    let (stays, verb) = match feedback.action {
        FeedbackAction::DomainBlock => {
            ("Pages and claims found there stay, with their confidence.", "clear")
        }
        FeedbackAction::DomainUnblock => {
            ("What spoke against it stays on record, and does not hold.", "clear")
        }
        _ => ("Policy and recorded blocks hold again; the log keeps the decision.", before),
    };
    ui.note(stays);
    let quote = if pattern.is_wildcard() { "'" } else { "" };
    let command = format!("lyra domain {verb} {quote}{pattern}{quote} --reason TEXT");
    ui.note(&format!("Take it back with: {command}"));
    Ok(())
}

/// What holds for a host, in a few words.
fn holds(decision: &DomainDecision) -> String {
    match &decision.blocked {
        Some(block) => format!("blocked ({})", block.reason),
        None => weighed(decision.category),
    }
}
