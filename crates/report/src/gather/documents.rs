//! One row for each document that was read: what it says about the question, or that it says nothing.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use evidence::{ClaimId, PageId, Publisher, Relation, StatementKind, Uncounted};
use graph::{EvidenceMaterial, PageMaterial, TaskMaterials};

use super::pages::{Pages, archive, document_of, document_title, year_of};
use super::quote::quote;
use crate::report::{DocumentRow, Finding, Says};

/// Characters of the words a document says something with: a row of a table is short.
const ROW_CHARS: usize = 220;

/// What a document says, from the passage that says it most clearly.
struct Saying {
    says: Says,
    uncounted: Option<Uncounted>,
    kind: Option<StatementKind>,
    quote: Option<String>,
    certainty: f64,
}

/// What each document says about the hypothesis, or else what findings about the question rest on it.
pub(super) fn documents(
    materials: &TaskMaterials,
    hypothesis: Option<(ClaimId, &str)>,
    findings: &[Finding],
    pages: &Pages<'_>,
) -> Vec<DocumentRow> {
    let mut judged: BTreeMap<PageId, Vec<&EvidenceMaterial>> = BTreeMap::new();
    for judgement in &materials.evidence {
        if let (Some(page), Some((claim, _))) = (judgement.page_id, hypothesis)
            && judgement.claim_id == claim
        {
            judged.entry(page).or_default().push(judgement);
        }
    }
    let of_pages = |own: &[&PageMaterial]| {
        let judgements = own.iter().filter_map(|it| judged.get(&it.id)).flatten().copied();
        let clearest = judgements.min_by_key(|it| clearness(it)).zip(hypothesis);
        let on_hypothesis = clearest.map(|(it, (_, statement))| saying(it, statement));
        let document = document_of(&own.first()?.url);
        on_hypothesis
            .filter(|it| it.says != Says::NotAbout)
            .or_else(|| speaks_of_it(document, findings))
    };
    let documents = pages.documents(&materials.evidence).into_iter();
    let mut rows: Vec<(Saying, DocumentRow)> = documents
        .filter_map(|(url, own)| {
            let page = own.first()?;
            let saying = of_pages(&own).unwrap_or(Saying {
                says: Says::NotAbout,
                uncounted: None,
                kind: None,
                quote: None,
                certainty: 0.0,
            });
            let row = DocumentRow {
                source: pages.cited_number(url),
                title: document_title(page),
                url: url.to_owned(),
                year: own.iter().find_map(|it| year_of(it)),
                site: Publisher::of_domain(&page.domain).to_string(),
                published_at: own.iter().find_map(|it| it.published_at.clone()),
                archive: own.iter().find_map(|it| archive(it)),
                says: saying.says,
                uncounted: saying.uncounted,
                statement_kind: saying.kind,
                quote: saying.quote.clone(),
            };
            Some((saying, row))
        })
        .collect();
    rows.sort_by(|(a, _), (b, _)| {
        let takes_side = |it: &Saying| matches!(it.says, Says::Supports | Says::Refutes);
        let key = |it: &Saying| {
            let is_foreign = pages.is_foreign(it.quote.as_deref());
            (!takes_side(it), it.uncounted.is_some(), it.says, is_foreign)
        };
        key(a).cmp(&key(b)).then_with(|| b.certainty.total_cmp(&a.certainty))
    });
    rows.into_iter().map(|it| it.1).collect()
}

/// The clearest has the least: what counts before what does not, a side before none, conclusions before the rest.
fn clearness(judgement: &EvidenceMaterial) -> (u8, bool, Reverse<u64>) {
    let takes_side = judgement.relation != Relation::Neutral;
    let group = match judgement.uncounted {
        None if takes_side => 0,
        Some(Uncounted::SameVoice) => 1,
        Some(Uncounted::Retracted) => 2,
        None => 3,
        Some(Uncounted::NoStatement) => 4,
        Some(Uncounted::NotAbout) => 5,
    };
    let is_conclusion = judgement.statement_kind == Some(StatementKind::Conclusion);
    (group, !is_conclusion, Reverse((judgement.nli_confidence * 1e9) as u64))
}

fn saying(judgement: &EvidenceMaterial, statement: &str) -> Saying {
    let says = match (judgement.uncounted, judgement.relation) {
        (Some(Uncounted::NotAbout), _) => Says::NotAbout,
        (None | Some(Uncounted::SameVoice | Uncounted::Retracted), Relation::Supports) => {
            Says::Supports
        }
        (None | Some(Uncounted::SameVoice | Uncounted::Retracted), Relation::Refutes) => {
            Says::Refutes
        }
        // A passage that only names the matter, as an aim does, takes no side whatever a model reads in it.
        _ => Says::NoSide,
    };
    let takes_side = matches!(says, Says::Supports | Says::Refutes);
    let quote = |text: &String| quote(text, None, statement, ROW_CHARS).text.to_owned();
    Saying {
        says,
        uncounted: judgement.uncounted.filter(|_| takes_side),
        kind: judgement.statement_kind,
        quote: judgement.text.as_ref().filter(|_| says != Says::NotAbout).map(quote),
        certainty: judgement.nli_confidence,
    }
}

/// The first finding about the question that rests on a document.
fn speaks_of_it(document: &str, findings: &[Finding]) -> Option<Saying> {
    let found = findings.iter().filter(|it| it.about_question).find_map(|finding| {
        let mut evidence = finding.supporting.iter().chain(&finding.refuting);
        Some((finding, evidence.find(|it| document_of(&it.url) == document)?))
    });
    let (finding, evidence) = found?;
    Some(Saying {
        says: Says::SpeaksOfIt,
        uncounted: None,
        kind: evidence.statement_kind,
        quote: Some(quote(&evidence.quote, None, &finding.text, ROW_CHARS).text.to_owned()),
        certainty: evidence.nli_confidence,
    })
}
