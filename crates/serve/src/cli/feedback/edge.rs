//! `lyra feedback edge-correct`.

use clap::Args;
use evidence::calibration::CalibrationSource;
use evidence::{EdgeId, Stance};

use super::{confidence, fitted, spaced};
use crate::cli::complete;
use crate::cli::ids::{find, short};
use crate::cli::input::reason;
use crate::cli::{change, print_record};
use crate::failure::Failure;
use crate::feedback::{self, Correction};
use crate::session::Session;
use crate::words::say;

/// Say what a passage really says about its claim
///
/// Takes effect at once, with full certainty, and becomes a sample the judge is measured by, also
/// when it confirms the judge. A citation is a fact and cannot be corrected.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra evidence 9G5FAV
  lyra feedback edge-correct 2W7TQA refutes --reason \"it says the contrary\"

The first one shows the edges of a claim.
Next: `lyra calibration stats` shows how many samples there are.")]
pub(super) struct Correct {
    /// The judgement: latest, or the beginning or end of its id, as `lyra evidence` shows it
    #[arg(add = complete::edges())]
    edge: String,
    /// What the passage says: supports, refutes or neutral
    relation: Stance,
    /// Why, or `-` to read it from stdin
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
}

impl Correct {
    pub(super) fn run(&self, session: &Session) -> Result<(), Failure> {
        let reason = self.reason.as_deref().map(|it| reason(session, it)).transpose()?;
        let graph = session.open_to_change()?;
        let id: EdgeId = find(&graph, &self.edge)?;
        let correction = feedback::correct_edge(&graph, id, self.relation, reason.as_deref())?;
        if session.ui.is_json() {
            return session.ui.document(&correction);
        }
        tell(&correction, session)
    }
}

fn tell(correction: &Correction, session: &Session) -> Result<(), Failure> {
    let Correction { feedback, edge, claim, .. } = correction;
    let (ui, words) = (&session.ui, session.ui.words());
    let label = &words.label;
    let none = || String::from(&words.common.none);
    let number = |share: Option<f64>| share.map_or_else(none, |share| format!("{share:.2}"));
    let certainty =
        change(words, &number(correction.certainty_before), &number(edge.nli_confidence));
    let (before, now) = (spaced(words, feedback.before), spaced(words, feedback.now));
    let confidence = confidence(words, correction.confidence_before, correction.confidence_now);
    let told = change(words, &words.code(&before), &words.code(&now));
    let mut fields = vec![
        (&label.edge, short(&edge.id)),
        (&label.passage, correction.passage.clone()),
        (&label.claim, format!("{} {}", short(&claim.id), claim.claim_text)),
        (&label.relation, told),
        (&label.certainty, certainty),
        (&label.confidence, confidence),
    ];
    let replaced = feedback.superseded_edges.iter();
    fields.extend(
        replaced.map(|edge| (&label.replaced, say!(words.feedback.another_judgement, edge = edge))),
    );
    fields.extend(fitted(words, feedback, CalibrationSource::NliJudge));
    print_record(ui, &fields)?;
    let stored = &words.feedback;
    ui.note(if feedback.changed { &stored.sample_stored } else { &stored.sample_only }.as_str());
    // What the judge said stays on record, but only another word of a person replaces this one.
    if feedback.before != feedback.now {
        let command = format!("lyra feedback edge-correct {} {before}", edge.id);
        ui.note(&say!(words.feedback.take_back_certain, command = command));
    }
    Ok(())
}
