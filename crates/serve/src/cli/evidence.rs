//! `lyra evidence`: what supports and refutes one claim.

use clap::Args;
use evidence::{Adoption, Claim, Relation};
use graph::{ClaimEvidence, EvidenceItem, EvidenceYears, Extraction};
use serde::Serialize;

use super::input::find_claim;
use super::print_record;
use crate::failure::Failure;
use crate::session::{Session, ask};

/// Show what supports and refutes a claim: source, year, category, quote
///
/// Supporting passages first, then refuting, then neutral ones, the surest of each on top. Facts to
/// judge by: neither year nor category enters the confidence.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra evidence c_01ARZ3ND
  lyra evidence 01ARZ3ND --json

Next: `lyra feedback edge-correct EDGE refutes --reason \"...\"` corrects a judgement.")]
pub(crate) struct Arguments {
    /// The claim's id, or the beginning of it
    claim: String,
}

impl Arguments {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        let graph = session.reader()?;
        let id = find_claim(graph, &self.claim)?;
        let (claim, evidence) = ask(graph, |r| Ok((r.claim(id)?, r.evidence_of(id)?)))?;
        if session.ui.is_json() {
            #[derive(Serialize)]
            struct Shown {
                claim: Claim,
                #[serde(flatten)]
                evidence: ClaimEvidence,
            }
            return session.ui.document(&Shown { claim, evidence });
        }
        print_record(&session.ui, &about(&claim, &evidence))?;
        for item in &evidence.evidence {
            session.ui.print("\n")?;
            print_record(&session.ui, &described(item))?;
        }
        session.ui.note(match evidence.evidence.first() {
            None => "Nothing has been judged against this claim yet.",
            Some(_) => {
                "A judgement is wrong? lyra feedback edge-correct EDGE supports|refutes|neutral --reason \"...\""
            }
        });
        Ok(())
    }
}

fn about(claim: &Claim, evidence: &ClaimEvidence) -> Vec<(&'static str, String)> {
    let mut fields = vec![
        ("Claim", claim.id.to_string()),
        ("Task", claim.task_id.to_string()),
        ("Text", claim.claim_text.clone()),
    ];
    if claim.claim_adoption_status == Adoption::NotAdopted {
        let reason = claim.claim_rejection_reason.as_ref().map(|it| format!(": {it}"));
        fields.push(("Status", format!("not adopted{}", reason.unwrap_or_default())));
    }
    let it = &evidence.confidence;
    let (confidence, uncertainty) = (it.confidence, it.uncertainty);
    fields.push((
        "Confidence",
        format!("{confidence:.2} ±{uncertainty:.2}, controversy {:.2}", it.controversy),
    ));
    if let Some(Extraction { method, confidence, confidence_raw }) = &evidence.extraction {
        let corrected = match confidence == confidence_raw {
            true => String::new(),
            false => format!(" ({confidence_raw:.2} as stated)"),
        };
        let by = method.as_ref().map(|it| format!("{it}, ")).unwrap_or_default();
        fields.push(("Extraction", format!("{by}certainty {confidence:.2}{corrected}")));
    }
    let count = |relation| evidence.evidence.iter().filter(|it| it.relation == relation).count();
    let [supports, refutes, neutral] =
        [Relation::Supports, Relation::Refutes, Relation::Neutral].map(count);
    fields.push(("Evidence", format!("supports {supports}, refutes {refutes}, neutral {neutral}")));
    let EvidenceYears { oldest, newest } = evidence.evidence_years;
    if let (Some(oldest), Some(newest)) = (oldest, newest) {
        let span =
            if oldest == newest { oldest.to_string() } else { format!("{oldest} to {newest}") };
        fields.push(("Years", span));
    }
    fields
}

fn described(item: &EvidenceItem) -> Vec<(&'static str, String)> {
    let corrected = if item.edge_human_corrected { ", corrected by a person" } else { "" };
    let stance = format!("{}, certainty {:.2}{corrected}", item.relation, item.nli_confidence);
    let mut source = vec![
        item.year.map_or("year unknown".to_owned(), |it| it.to_string()),
        item.source_domain_category.to_string(),
    ];
    source.extend(item.venue.clone());
    source.extend(item.doi.as_ref().map(|it| format!("doi {it}")));
    let mut fields = vec![
        ("Edge", item.edge_id.to_string()),
        ("Relation", stance),
        ("Source", source.join(", ")),
    ];
    fields.extend(item.title.clone().map(|it| ("Title", it)));
    fields.extend(item.url.clone().map(|it| ("URL", it)));
    fields.push(("Quote", item.excerpt.clone()));
    fields
}
