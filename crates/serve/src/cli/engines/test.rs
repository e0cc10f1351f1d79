//! `lyra engines test`.

use clap::Args;
use serde::Serialize;
use sources::{
    Block, Candidate, EngineAnswer, EngineOutcome, EngineSearch, Operator, Query, SerpKind,
};
use url::Url;

use crate::failure::{Failure, Kind};
use crate::session::Session;
use crate::ui::{Column, Table};

/// Ask each engine once and show what it answers
///
/// The request is like any other: it keeps the limits of the engine, stands in the ledger and counts for
/// its health. Answers in the cache are not used.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra engines test mojeek
  lyra engines test --query \"heat pumps\"

Next: `lyra engines list` shows what is remembered of the answers.")]
pub(crate) struct Test {
    /// The engines; without a name, all that are not disabled
    names: Vec<String>,
    /// What to ask
    #[arg(long, value_name = "TEXT", default_value = "history of the printing press")]
    query: String,
}

#[derive(Debug, Serialize)]
struct Row<'a> {
    engine: &'a str,
    outcome: &'a EngineOutcome,
    results: &'a [Candidate],
    page: &'a Url,
    dropped: &'a [Operator],
    latency_ms: u128,
    record_id: Option<&'a str>,
    needs_person: Option<Block>,
}

impl Test {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        let engines = session.engines();
        if let Some(unknown) = self.names.iter().find(|it| engines.get(it).is_none()) {
            return Err(Failure::bad_input(format!("there is no engine `{unknown}`"))
                .hint("`lyra engines list` names them"));
        }
        let disabled = &session.settings.engines.choice.disabled;
        let all =
            engines.all().iter().map(|it| it.name.clone()).filter(|it| !disabled.contains(it));
        let names: Vec<String> =
            if self.names.is_empty() { all.collect() } else { self.names.clone() };
        if names.is_empty() {
            return Err(Failure::bad_input("all engines are disabled").hint("see engines.disabled"));
        }
        let query = Query { text: self.query.clone(), language: None, ..Query::default() };
        let search = EngineSearch { engines: names, fresh: true, ..EngineSearch::default() };
        let settings = session.settings.engines.clone();
        let network = session.network()?;
        let searched = network.run(async |fetcher| {
            engines.search(network.graph(), fetcher, &query, &search, &settings).await
        })??;
        show(session, &searched.answers)?;
        let well = |it: &EngineAnswer| {
            matches!(it.outcome, EngineOutcome::Answered(SerpKind::Results | SerpKind::NoResults))
        };
        if searched.answers.iter().any(well) {
            return Ok(());
        }
        Err(Failure::new(Kind::Network, "no engine answered as it should")
            .hint(session.hint_without_answer(
                "`lyra engines list` shows which are resting, and until when",
            )))
    }
}

fn show(session: &Session, answers: &[EngineAnswer]) -> Result<(), Failure> {
    let row = |it| row(it);
    if session.ui.is_json() {
        #[derive(Serialize)]
        struct Tested<'a> {
            answers: Vec<Row<'a>>,
        }
        return session.ui.document(&Tested { answers: answers.iter().map(row).collect() });
    }
    let mut table = Table::new([
        Column::exact("ENGINE"),
        Column::exact("ANSWER"),
        Column::number("RESULTS"),
        Column::number("MS"),
        Column::text("FIRST RESULT, OR WHY NOT"),
    ]);
    for answer in answers {
        let (kind, why) = told(&answer.outcome);
        let first = answer.results.first().map(|it| format!("{} ({})", it.title, it.url));
        let latency = answer.elapsed.as_millis().to_string();
        let results = answer.results.len().to_string();
        let text = if why.is_empty() { first.unwrap_or_default() } else { why };
        table.row([answer.engine.clone(), kind.to_owned(), results, latency, text]);
    }
    session.ui.print(&table.render(session.ui.layout(3)))?;
    for answer in answers.iter().filter(|it| it.needs_person().is_some()) {
        session
            .ui
            .note(&format!("{} needs a person: open {} in a browser", answer.engine, answer.page));
    }
    Ok(())
}

fn row(answer: &EngineAnswer) -> Row<'_> {
    Row {
        engine: &answer.engine,
        outcome: &answer.outcome,
        results: &answer.results,
        page: &answer.page,
        dropped: &answer.dropped,
        latency_ms: answer.elapsed.as_millis(),
        record_id: answer.record_id.as_deref(),
        needs_person: answer.needs_person(),
    }
}

/// An outcome in a word, and why, where there is more to say.
pub(in crate::cli) fn told(outcome: &EngineOutcome) -> (&'static str, String) {
    match outcome {
        EngineOutcome::Answered(kind) => match kind {
            SerpKind::Results => ("results", String::new()),
            SerpKind::NoResults => ("nothing found", String::new()),
            SerpKind::Blocked(block) => ("blocked", block.to_string()),
            SerpKind::Broken { why } => ("broken", why.clone()),
            SerpKind::Failed { .. } => ("failed", kind.to_string()),
        },
        EngineOutcome::Missed(missed) => ("missed", missed.detail.clone()),
        EngineOutcome::Unknown => ("unknown", "there is no such engine".to_owned()),
    }
}
