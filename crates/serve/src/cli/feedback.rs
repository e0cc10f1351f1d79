//! `lyra feedback`: what people tell the graph, what that changes, and how to take it back.
//!
//! Decisions about domains are those of `lyra domain`; their old names go on here for one release, hidden.

mod claim;
mod edge;

use clap::{Args, Subcommand};
use evidence::Confidence;
use evidence::calibration::CalibrationSource;
use graph::FeedbackOutcome;

use super::domain::{Block, Clear, Unblock};
use super::{Field, change};
use crate::failure::Failure;
use crate::session::Session;
use crate::words::{Words, say};

/// Set a claim aside, correct a judgement; both can be taken back
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    #[command(hide = true)]
    DomainBlock(Block),
    #[command(hide = true)]
    DomainUnblock(Unblock),
    #[command(hide = true)]
    DomainClear(Clear),
    ClaimReject(claim::Reject),
    ClaimRestore(claim::Restore),
    EdgeCorrect(edge::Correct),
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

fn confidence(words: &Words, before: Confidence, now: Confidence) -> String {
    let shown = |it: Confidence| format!("{:.2} ±{:.2}", it.confidence, it.uncertainty);
    change(words, &shown(before), &shown(now))
}

/// A version that was fitted because enough samples came in.
fn fitted(
    words: &'static Words,
    feedback: &FeedbackOutcome,
    source: CalibrationSource,
) -> Option<Field> {
    let version = feedback.fitted_version?;
    let command = format!("lyra calibration activate {source} {version}");
    let message = &words.feedback.fitted;
    let told = say!(message, version = version, source = source, command = command);
    Some((&words.label.calibration, told))
}

/// A code with spaces, as people read it.
fn spaced(words: &Words, code: Option<&'static str>) -> String {
    code.unwrap_or(words.common.none.as_str()).replace('_', " ")
}
