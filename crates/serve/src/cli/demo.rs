//! `lyra demo`: a small invented investigation, and what the graph can answer about it.

mod example;

use std::path::{Path, PathBuf};

use clap::Args;
use evidence::{Adoption, ClaimId, Relation, TaskId};
use graph::{
    Access, Cause, ClaimEvidence, Event, FindAnswer, FindOptions, Graph, Options, PolicyFile, Rows,
    TaskClaim,
};
use serde::Serialize;
use serde_json::Value;

use crate::failure::Failure;
use crate::ui::{Column, Table, Ui, record};
use example::Example;

/// A word that two of the Japanese sources use.
const WORD: &str = "離職";
const LINES: usize = 3;

/// See what the graph can answer, on a small invented investigation
///
/// Fills a temporary graph from a bundled example in Japanese and English, with sources that agree and
/// sources that do not, and asks it a few questions. Your own data is not touched.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra demo
  lyra demo --keep ./demo && lyra --data-dir ./demo views

Next: `lyra task new \"your question\"`.")]
pub(crate) struct Arguments {
    /// Keep the graph in this folder, to go on exploring it
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
}

/// Everything the demonstration shows.
#[derive(Debug, Serialize)]
struct Shown {
    task_id: TaskId,
    question: String,
    claims: Vec<TaskClaim>,
    disputes: Vec<Dispute>,
    timeline: Rows,
    word: &'static str,
    found: FindAnswer,
    trace: Vec<Event>,
}

#[derive(Debug, Serialize)]
struct Dispute {
    claim_id: ClaimId,
    claim_text: String,
    #[serde(flatten)]
    evidence: ClaimEvidence,
}

impl Arguments {
    pub(crate) fn run(&self, ui: &Ui) -> Result<(), Failure> {
        match &self.keep {
            Some(folder) => {
                let database = folder.join("lyra.db");
                if database.exists() {
                    let message = format!("{} exists already", database.display());
                    return Err(Failure::bad_input(message).hint("choose an empty folder"));
                }
                show(ui, &database, &format!("lyra --data-dir {}", folder.display()))
            }
            None => {
                let folder = tempfile::tempdir()?;
                show(ui, &folder.path().join("lyra.db"), "lyra")
            }
        }
    }
}

fn show(ui: &Ui, database: &Path, lyra: &str) -> Result<(), Failure> {
    let shown = ask(database)?;
    if ui.is_json() {
        return ui.document(&shown);
    }
    ui.print(&rendered(ui, &shown))?;
    ui.note(&next_steps(lyra, &shown));
    Ok(())
}

fn ask(database: &Path) -> Result<Shown, Failure> {
    let policy = PolicyFile::open(None).current();
    let graph = Graph::open(database, Access::Write, Options::default())?;
    let task_id = graph.write(Cause::new("demo"), |w| Example::bundled().record(w, &policy))?;
    let shown = graph.read(|r| {
        let claims = r.claims_of(task_id)?;
        let mut disputes = Vec::new();
        for it in claims.iter().filter(|it| it.support_count > 0 && it.refute_count > 0) {
            disputes.push(Dispute {
                claim_id: it.claim.id,
                claim_text: it.claim.claim_text.clone(),
                evidence: r.evidence_of(it.claim.id)?,
            });
        }
        Ok(Shown {
            task_id,
            question: r.task(task_id)?.query,
            trace: r.causes_of(claims[0].claim.cause_id)?,
            claims,
            disputes,
            timeline: r.query_view("v_evidence_timeline", Some(task_id), 20)?,
            word: WORD,
            found: r.find(WORD, &FindOptions { task: Some(task_id), ..FindOptions::default() })?,
        })
    })?;
    Ok(shown)
}

fn rendered(ui: &Ui, shown: &Shown) -> String {
    let mut text = heading("An invented investigation", "架空の調査例");
    text += &record(
        &[("Question", &shown.question), ("Task", &shown.task_id.to_string())],
        ui.layout(LINES),
    );
    text += &heading("What is claimed, and how sure is that?", "主張と確からしさ");
    text += &claims(ui, &shown.claims);
    for dispute in &shown.disputes {
        text += &heading("Where do sources disagree?", "対立する根拠");
        text += &format!("{}\n\n", dispute.claim_text);
        text += &sides(ui, &dispute.evidence);
    }
    text += &heading("When was it said?", "年ごとの根拠");
    text += &timeline(ui, &shown.timeline);
    text += &heading(&format!("Who writes about {}?", shown.word), "全文検索");
    text += &found(ui, &shown.found);
    text += &heading("Why is the first claim here?", "由来");
    text += &trace(ui, shown);
    text
}

fn heading(english: &str, japanese: &str) -> String {
    format!("\n── {english} / {japanese}\n\n")
}

fn claims(ui: &Ui, claims: &[TaskClaim]) -> String {
    let mut table = Table::new([
        Column::number("CONFIDENCE"),
        Column::number("CONTROV."),
        Column::number("+"),
        Column::number("-"),
        Column::text("CLAIM"),
    ]);
    for it in claims {
        let mark = match it.claim.claim_adoption_status {
            Adoption::Adopted => String::new(),
            Adoption::NotAdopted => {
                format!(
                    "[not adopted: {}] ",
                    it.claim.claim_rejection_reason.as_deref().unwrap_or("-")
                )
            }
        };
        table.row([
            format!("{:.2} ±{:.2}", it.confidence.confidence, it.confidence.uncertainty),
            format!("{:.2}", it.confidence.controversy),
            it.support_count.to_string(),
            it.refute_count.to_string(),
            format!("{mark}{}", it.claim.claim_text),
        ]);
    }
    table.render(ui.layout(LINES))
}

fn sides(ui: &Ui, evidence: &ClaimEvidence) -> String {
    let mut table = Table::new([
        Column::exact("SAYS"),
        Column::number("SURE"),
        Column::number("YEAR"),
        Column::exact("SOURCE"),
        Column::text("QUOTE"),
    ]);
    for it in evidence.evidence.iter().filter(|it| it.relation != Relation::Neutral) {
        table.row([
            it.relation.to_string(),
            format!("{:.2}", it.nli_confidence),
            it.year.map_or("?".to_owned(), |year| year.to_string()),
            it.source_domain_category.to_string(),
            it.excerpt.clone(),
        ]);
    }
    table.render(ui.layout(LINES))
}

fn timeline(ui: &Ui, rows: &Rows) -> String {
    let wanted = ["year", "support_count", "refute_count", "neutral_count"];
    let places: Vec<usize> = wanted
        .iter()
        .filter_map(|name| rows.columns.iter().position(|column| column == name))
        .collect();
    let mut table = Table::new([
        Column::number("YEAR"),
        Column::number("SUPPORTS"),
        Column::number("REFUTES"),
        Column::number("NEUTRAL"),
    ]);
    for row in &rows.rows {
        table.row(places.iter().map(|place| match &row[*place] {
            Value::Null => "?".to_owned(),
            value => value.to_string(),
        }));
    }
    table.render(ui.layout(LINES))
}

fn found(ui: &Ui, answer: &FindAnswer) -> String {
    let mut table = Table::new([Column::text("TITLE"), Column::text("PASSAGE")]);
    for it in &answer.found {
        table.row([it.title.clone().unwrap_or_default(), it.snippet.clone()]);
    }
    table.render(ui.layout(LINES))
}

fn trace(ui: &Ui, shown: &Shown) -> String {
    let first = &shown.claims[0];
    let causes = shown.trace.iter().map(|it| format!("{} ({})", it.kind, it.id));
    let source = shown.disputes.first().and_then(|it| it.evidence.evidence.first());
    let mut fields = vec![("claim", first.claim.claim_text.clone())];
    if let Some(source) = source {
        fields.push(("passage", source.excerpt.clone()));
        fields.push(("page", source.url.clone().unwrap_or_default()));
    }
    fields.push(("cause", causes.collect::<Vec<_>>().join(" <- ")));
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, &**value)).collect();
    record(&fields, ui.layout(LINES))
}

fn next_steps(lyra: &str, shown: &Shown) -> String {
    if lyra == "lyra" {
        return "\nThe sources are invented, and the graph is gone again. To keep one and explore it:\n\
                \n  lyra demo --keep ./demo\n"
            .to_owned();
    }
    let task = shown.task_id;
    format!(
        "\nThe sources are invented. Explore the graph with:\n\
         \n  {lyra} views v_contradictions --task {task}\
         \n  {lyra} find 在宅勤務\
         \n  {lyra} sql \"SELECT relation, count(*) FROM edges GROUP BY relation\"\n"
    )
}
