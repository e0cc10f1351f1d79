//! A text drafted from the graph. Every sentence cites passages, and is checked against them before it is shown.

use evidence::{FragmentId, TaskId};
use llm::{DraftEvidence, Llm};
use report::{Report, ReportSettings};
use research::{Engine, Result};
use serde_json::json;

use crate::investigate::{Event, PlanSettings};

/// Has the model write an answer and records it with what the check said of each sentence.
pub(crate) async fn write(
    engine: &Engine,
    llm: &Llm,
    task: TaskId,
    settings: &PlanSettings,
    options: ReportSettings,
    tell: &mut impl FnMut(Event),
) -> Result<()> {
    let report = engine.report(task, options).await?;
    let passages = passages(&report, settings.draft_passages);
    if passages.is_empty() {
        return Ok(());
    }
    tell(Event::Drafting { passages: passages.len() });
    let names: Vec<String> = passages.iter().map(|it| it.0.to_string()).collect();
    let evidence: Vec<DraftEvidence<'_>> = names
        .iter()
        .zip(&passages)
        .map(|(name, it)| DraftEvidence { fragment: name, text: &it.1 })
        .collect();
    let drafting = llm.draft(&report.question, &evidence);
    let drafted = match engine.timed_model(task, drafting).await? {
        Ok(drafted) => drafted.value,
        Err(error) => {
            tell(Event::ModelSilent { message: format!("it wrote no draft: {error}") });
            return Ok(());
        }
    };
    let sentences: Vec<(String, Vec<FragmentId>)> = drafted
        .into_iter()
        .map(|sentence| {
            (sentence.text, sentence.fragments.iter().filter_map(|it| it.parse().ok()).collect())
        })
        .collect();
    let checked = engine.check_sentences(sentences.clone()).await?;
    let failed = checked.iter().filter(|it| **it == Some(false)).count();
    let unchecked = checked.iter().filter(|it| it.is_none()).count();
    let rows: Vec<_> = sentences
        .iter()
        .zip(&checked)
        .map(|((text, fragments), entailed)| json!({ "text": text, "fragments": fragments, "entailed": entailed }))
        .collect();
    tell(Event::Drafted { sentences: rows.len(), failed, unchecked });
    let model = llm.connect().await.map_or_else(|_| "llm".to_owned(), |it| it.1);
    engine.record_draft(task, model, rows.into()).await
}

/// The passages a draft may rest on: those behind the findings, best findings first, each once.
fn passages(report: &Report, most: usize) -> Vec<(FragmentId, String)> {
    let mut chosen: Vec<(FragmentId, String)> = Vec::new();
    for finding in &report.findings {
        for evidence in finding.supporting.iter().chain(&finding.refuting) {
            if chosen.len() >= most {
                return chosen;
            }
            if !chosen.iter().any(|it| it.0 == evidence.fragment_id) {
                chosen.push((evidence.fragment_id, evidence.quote.clone()));
            }
        }
    }
    chosen
}
