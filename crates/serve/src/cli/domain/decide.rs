//! `lyra domain block`, `unblock` and `clear`.

use clap::Args;
use evidence::domain::{DomainDecision, DomainPattern};
use graph::FeedbackAction;
use research::ClaimsMoved;

use super::check::{block_words, weighed};
use crate::cli::input::reason;
use crate::cli::{change, print_record};
use crate::failure::Failure;
use crate::feedback::{Decided, decide_domain};
use crate::session::Session;
use crate::words::{Words, say};

/// Block a domain, whatever the policy says
///
/// Nothing new is fetched from it. What was found there before stays, with its confidence. The
/// decision is kept in the graph with its reason.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra domain block spam.example.com --reason \"copies other sites\"
  lyra domain block '*.example.com' --reason \"all of it\"

Next: `lyra domain check HOST` explains what holds now; `lyra domain clear PATTERN --reason TEXT` takes it back.")]
pub(crate) struct Block {
    #[command(flatten)]
    decision: Decision,
}

/// Let a domain be read that the denylist, a dangerous pattern or its rejected claims block
///
/// The block stays on record, and the answer names the risk of lifting it.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  lyra domain unblock example.com --reason \"reviewed by hand\"

Next: `lyra domain check HOST` explains what holds now; `lyra domain clear PATTERN --reason TEXT` takes it back.")]
pub(crate) struct Unblock {
    #[command(flatten)]
    decision: Decision,
}

/// Take back what was decided about a pattern: policy and recorded blocks hold again
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
        let decided = decide_domain(
            &graph,
            action,
            &pattern,
            &reason,
            &policy,
            &session.settings.verification(),
        )?;
        if session.ui.is_json() {
            return session.ui.document(&decided);
        }
        tell(&decided, session, &pattern)
    }
}

fn tell(decided: &Decided, session: &Session, pattern: &DomainPattern) -> Result<(), Failure> {
    let (ui, feedback) = (&session.ui, &decided.feedback);
    let words = ui.words();
    let (label, none) = (&words.label, words.common.none.as_str());
    let (before, now) = (feedback.before.unwrap_or(none), feedback.now.unwrap_or(none));
    let mut fields = vec![
        (&label.pattern, pattern.to_string()),
        (&label.decision, change(words, &words.code(before), &words.code(now))),
        (&label.reason, decided.reason.clone()),
    ];
    let [held, holds] =
        [&decided.decision_before, &decided.decision_now].map(|it| holds(words, it));
    let effect = change(words, &held, &holds);
    fields.push((&label.effect, format!("{}: {effect}", decided.host)));
    fields.extend(feedback.domain_unblock_risk.map(|risk| {
        let lifted = decided.decision_now.signal.as_ref().map(|it| block_words(words, it));
        let risk = match lifted {
            Some(block) => say!(words.domain.risk_lifts, risk = words.code(risk), block = block),
            None => words.code(risk),
        };
        (&label.risk, risk)
    }));
    let ClaimsMoved { rejected, brought_back } = decided.claims;
    if rejected > 0 {
        fields.push((&label.claims, say!(words.domain.claims_rejected, n = rejected)));
    }
    if brought_back > 0 {
        fields.push((&label.claims, say!(words.domain.claims_back, n = brought_back)));
    }
    let closer = decided.closer_overrides.iter();
    let closer: Vec<String> = closer
        .map(|rule| format!("{} {}", words.code(rule.decision), rule.domain_pattern))
        .collect();
    if !closer.is_empty() {
        fields.push((&label.closer, closer.join(", ")));
    }
    print_record(ui, &fields)?;
    if !feedback.changed {
        ui.note(words.domain.decided_before.as_str());
        return Ok(());
    }
    let (stays, verb) = match feedback.action {
        FeedbackAction::DomainBlock => (&words.domain.block_stays, "clear"),
        FeedbackAction::DomainUnblock => (&words.domain.unblock_stays, "clear"),
        _ => (&words.domain.clear_stays, before),
    };
    ui.note(stays.as_str());
    let quote = if pattern.is_wildcard() { "'" } else { "" };
    let command = format!("lyra domain {verb} {quote}{pattern}{quote} --reason TEXT");
    ui.note(&say!(words.common.take_back, command = command));
    Ok(())
}

/// What holds for a host, in a few words.
fn holds(words: &Words, decision: &DomainDecision) -> String {
    match &decision.blocked {
        Some(block) => say!(words.domain.blocked, reason = words.code(block.reason)),
        None => weighed(words, decision.category),
    }
}
