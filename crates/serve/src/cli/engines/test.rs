//! `lyra engines test`.

use clap::Args;
use serde::Serialize;
use sources::{
    Block, Candidate, EngineAnswer, EngineOutcome, EngineSearch, Operator, Query, SerpKind,
};
use url::Url;

use crate::failure::{Failure, Hint};
use crate::session::Session;
use crate::ui::{Column, Table};
use crate::words::{Words, say};

/// Ask each engine once and show what it answers
///
/// The request is like any other: it keeps the limits of the engine, is in the ledger and counts for
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
                .hint(|w| &w.hint.engines));
        }
        let disabled = &session.settings.engines.choice.disabled;
        let names = engines.all().iter().map(|engine| engine.name.clone());
        let all = names.filter(|name| !disabled.contains(name));
        let names: Vec<String> =
            if self.names.is_empty() { all.collect() } else { self.names.clone() };
        if names.is_empty() {
            return Err(
                Failure::bad_input("all engines are disabled").hint(|w| &w.hint.engines_disabled)
            );
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
        let message = "no engine answered as it should".to_owned();
        Err(session.no_answer(message, Hint::new(|w| &w.hint.engines_resting)))
    }
}

fn show(session: &Session, answers: &[EngineAnswer]) -> Result<(), Failure> {
    if session.ui.is_json() {
        #[derive(Serialize)]
        struct Tested<'a> {
            answers: Vec<Row<'a>>,
        }
        return session.ui.document(&Tested { answers: answers.iter().map(row).collect() });
    }
    let words = session.ui.words();
    let column = &words.column;
    let mut table = Table::new([
        Column::exact(&column.engine),
        Column::exact(&column.answer),
        Column::number(&column.results),
        Column::number(&column.milliseconds),
        Column::text(&column.first_result),
    ]);
    for answer in answers {
        let (kind, why) = told(words, &answer.outcome);
        let first = answer.results.first().map(|it| format!("{} ({})", it.title, it.url));
        let latency = answer.elapsed.as_millis().to_string();
        let results = answer.results.len().to_string();
        let text = if why.is_empty() { first.unwrap_or_default() } else { words.code(why) };
        table.row([answer.engine.clone(), kind.to_owned(), results, latency, text]);
    }
    session.ui.print(&table.render(session.ui.layout(3)))?;
    for answer in answers.iter().filter(|it| it.needs_person().is_some()) {
        let message = &words.engines.needs_person;
        session.ui.note(&say!(message, engine = answer.engine, page = answer.page));
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
fn told(words: &'static Words, outcome: &EngineOutcome) -> (&'static str, String) {
    let words = &words.engines;
    let (word, why) = match outcome {
        EngineOutcome::Answered(kind) => match kind {
            SerpKind::Results => (&words.results, String::new()),
            SerpKind::NoResults => (&words.nothing_found, String::new()),
            SerpKind::Blocked(block) => (&words.blocked, block.to_string()),
            SerpKind::Broken { why } => (&words.broken, why.clone()),
            SerpKind::Failed { .. } => (&words.failed, kind.to_string()),
        },
        EngineOutcome::Missed(missed) => (&words.missed, missed.detail.clone()),
        EngineOutcome::Unknown => (&words.unknown, String::from(&words.no_such_engine)),
    };
    (word.as_str(), why)
}
