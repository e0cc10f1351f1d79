//! `lyra feedback edge-correct`.

use clap::Args;
use evidence::calibration::CalibrationSource;
use evidence::{Claim, Confidence, Edge, EdgeId, Node, Stance};
use graph::{Cause, FeedbackOutcome, Reader};
use serde::Serialize;
use serde_json::json;

use super::{confidence, fitted, words};
use crate::cli::input::{find, reason};
use crate::cli::{change, print_record};
use crate::failure::Failure;
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
    pub(super) fn run(&self, session: &Session) -> Result<(), Failure> {
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
        // What the judge said stays on record, but only another word of a person replaces this one.
        if feedback.before != feedback.now {
            let before = words(feedback.before);
            let command = format!("lyra feedback edge-correct {} {before}", edge.id);
            session.ui.note(&format!("Take it back, with full certainty: {command}"));
        }
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
