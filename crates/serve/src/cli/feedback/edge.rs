//! `lyra feedback edge-correct`.

use clap::Args;
use evidence::calibration::CalibrationSource;
use evidence::{EdgeId, Stance};

use super::{confidence, fitted, words};
use crate::cli::input::{find, reason};
use crate::cli::{change, print_record};
use crate::failure::Failure;
use crate::feedback::{self, Correction};
use crate::session::Session;

/// Say what a passage really says about its claim
///
/// Takes effect at once, with full certainty, and becomes a sample the judge is measured by, also
/// when it confirms the judge. A citation is a fact and cannot be corrected.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra evidence c_01ARZ3ND
  lyra feedback edge-correct e_01ARZ3ND refutes --reason \"it says the contrary\"

The first one shows the edges of a claim.
Next: `lyra calibration stats` shows how many samples there are.")]
pub(super) struct Correct {
    /// The edge's id, or the beginning of it
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
    let number = |it: Option<f64>| it.map_or("none".to_owned(), |it| format!("{it:.2}"));
    let certainty = change(&number(correction.certainty_before), &number(edge.nli_confidence));
    let mut fields = vec![
        ("Edge", edge.id.to_string()),
        ("Passage", correction.passage.clone()),
        ("Claim", format!("{} {}", claim.id, claim.claim_text)),
        ("Relation", change(&words(feedback.before), &words(feedback.now))),
        ("Certainty", certainty),
        ("Confidence", confidence(correction.confidence_before, correction.confidence_now)),
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
    // What the judge said stays on record, but only another word of a person replaces this one.
    if feedback.before != feedback.now {
        let before = words(feedback.before);
        let command = format!("lyra feedback edge-correct {} {before}", edge.id);
        session.ui.note(&format!("Take it back, with full certainty: {command}"));
    }
    Ok(())
}
