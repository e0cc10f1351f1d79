//! `lyra evidence`: what supports and refutes one claim.

use clap::Args;
use evidence::{Adoption, Claim, Relation, Uncounted};
use graph::{ClaimEvidence, EvidenceItem, EvidenceYears, Extraction};
use report::Language;
use serde::Serialize;
use text::messages::Message;

use super::ids::{OneClaim, short};
use super::{Field, print_record};
use crate::failure::Failure;
use crate::session::{Session, ask};
use crate::ui::address;
use crate::words::{Words, say};

/// Show the quotes that support and refute a claim
///
/// Supporting passages first, then refuting, then neutral ones, the surest of each on top. An independent source counts
/// once, by its most decisive passage; what does not count follows and says why. Facts to judge by: neither year nor
/// category enters the confidence.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra evidence claim:1
  lyra evidence 9G5FAV
  lyra evidence c_01ARZ3NDEKTSV4RRFFQ69G5FAV --json

Next: `lyra feedback edge-correct EDGE refutes --reason \"...\"` corrects a judgement.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    claim: OneClaim,
}

impl Arguments {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        let graph = session.reader()?;
        let id = self.claim.find(graph)?;
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
        session.ui.speak(Language::of(&ask(graph, |r| r.task(claim.task_id))?.query));
        let words = session.ui.words();
        print_record(&session.ui, &about(words, &claim, &evidence))?;
        for item in &evidence.evidence {
            session.ui.print("\n")?;
            print_record(&session.ui, &described(words, item))?;
        }
        session.ui.note(match evidence.evidence.first() {
            None => words.evidence.unjudged.as_str(),
            Some(_) => words.evidence.correct.as_str(),
        });
        Ok(())
    }
}

fn about(words: &'static Words, claim: &Claim, evidence: &ClaimEvidence) -> Vec<Field> {
    let label = &words.label;
    let mut fields = vec![
        (&label.claim, short(&claim.id)),
        (&label.task, short(&claim.task_id)),
        (&label.text, claim.claim_text.clone()),
    ];
    if claim.claim_adoption_status == Adoption::NotAdopted {
        fields.push(match &claim.claim_rejection_reason {
            Some(reason) => {
                (&label.status, say!(words.evidence.status, reason = words.code(reason)))
            }
            None => (&label.status, String::from(&words.common.not_adopted)),
        });
    }
    let measured = &evidence.confidence;
    let confidence = say!(
        words.evidence.confidence,
        confidence = format!("{:.2}", measured.confidence),
        uncertainty = format!("{:.2}", measured.uncertainty),
        controversy = format!("{:.2}", measured.controversy),
    );
    fields.push((&label.confidence, confidence));
    if let Some(Extraction { method, confidence, confidence_raw }) = &evidence.extraction {
        let certainty = format!("{confidence:.2}");
        let certainty = match confidence == confidence_raw {
            true => say!(words.evidence.certainty, certainty = certainty),
            false => say!(
                words.evidence.certainty_corrected,
                certainty = certainty,
                stated = format!("{confidence_raw:.2}"),
            ),
        };
        let by = method.as_ref().map(|it| format!("{}, ", words.code(it))).unwrap_or_default();
        fields.push((&label.extraction, format!("{by}{certainty}")));
    }
    let is_neutral =
        |it: &&EvidenceItem| it.relation == Relation::Neutral && it.uncounted.is_none();
    let counts = say!(
        words.evidence.counts,
        supports = evidence.supporting_sources,
        refutes = evidence.refuting_sources,
        neutral = evidence.evidence.iter().filter(is_neutral).count(),
    );
    fields.push((&label.evidence, counts));
    let EvidenceYears { oldest, newest } = evidence.evidence_years;
    if let (Some(oldest), Some(newest)) = (oldest, newest) {
        let span = match oldest == newest {
            true => oldest.to_string(),
            false => say!(words.common.span, from = oldest, to = newest),
        };
        fields.push((&label.years, span));
    }
    fields
}

fn described(words: &'static Words, item: &EvidenceItem) -> Vec<Field> {
    let label = &words.label;
    let stance = match item.edge_human_corrected {
        true => &words.evidence.stance_corrected,
        false => &words.evidence.stance,
    };
    let certainty = format!("{:.2}", item.nli_confidence);
    let unknown = || String::from(&words.evidence.year_unknown);
    let mut source = vec![
        item.year.map_or_else(unknown, |year| year.to_string()),
        words.code(item.source_domain_category),
    ];
    source.extend(item.venue.clone());
    source.extend(item.doi.as_ref().map(|doi| format!("doi {doi}")));
    let mut fields = vec![
        (&label.edge, short(&item.edge_id)),
        (
            &label.relation,
            say!(stance, relation = words.code(item.relation), certainty = certainty),
        ),
    ];
    fields.extend(item.uncounted.map(|it| (&label.uncounted, String::from(uncounted(words, it)))));
    fields.push((&label.source, source.join(", ")));
    fields.extend(item.title.clone().map(|title| (&label.title, title)));
    fields.extend(item.url.as_ref().map(|url| (&label.url, address(url))));
    fields.push((&label.quote, item.quote.clone()));
    fields
}

fn uncounted(words: &'static Words, reason: Uncounted) -> &'static Message {
    match reason {
        Uncounted::SameVoice => &words.evidence.same_voice,
        Uncounted::NotAbout => &words.evidence.not_about,
        Uncounted::NoStatement => &words.evidence.no_statement,
        Uncounted::Retracted => &words.evidence.retracted,
    }
}
