//! Engines over folders and over the small internet.

use std::path::Path;
use std::sync::Arc;

use fetch::{FetchSettings, Fetcher};
use graph::{Access, Graph, GraphLedger, Options, PolicyFile};
use planner::{Event, Outcome, Plan, PlanSettings, investigate};
use report::ReportSettings;
use research::{Engine, LlmServer, Parts};
use sources::Engines;
use sources::academic::Academic;
use tempfile::TempDir;

pub(crate) fn library(documents: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in documents {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// An engine with its data in a folder.
pub(crate) fn engine(home: &Path, settings: FetchSettings, llm: Option<LlmServer>) -> Engine {
    engine_with(home, settings, Engines::load(None), llm)
}

pub(crate) fn engine_with(
    home: &Path,
    settings: FetchSettings,
    engines: Engines,
    llm: Option<LlmServer>,
) -> Engine {
    let graph = Graph::open(&home.join("lyra.db"), Access::Write, Options::default()).unwrap();
    let graph = Arc::new(graph);
    let ledger = Arc::new(GraphLedger::new(Arc::clone(&graph)));
    let fetcher = Fetcher::open(ledger, &home.join("archive"), settings).unwrap();
    Engine::new(Parts {
        browser: None,
        graph,
        fetcher,
        policy: Arc::new(PolicyFile::open(None)),
        embedder: models::builtin::embedder().unwrap(),
        stance: models::builtin::stance().unwrap(),
        thresholds: models::Overrides::default(),
        engines,
        academic: Academic::default(),
        llm,
        settings: research::Settings::default(),
    })
}

pub(crate) fn offline() -> FetchSettings {
    FetchSettings { offline: true, ..FetchSettings::default() }
}

/// Investigates with a report of the usual settings; gives the outcome and what the planner said.
pub(crate) async fn run(
    engine: &Engine,
    plan: Plan,
    settings: &PlanSettings,
) -> (Outcome, Vec<Event>) {
    run_for(engine, plan, settings, ReportSettings::default()).await
}

pub(crate) async fn run_for(
    engine: &Engine,
    plan: Plan,
    settings: &PlanSettings,
    report: ReportSettings,
) -> (Outcome, Vec<Event>) {
    let mut events = Vec::new();
    let llm = engine.language_model();
    let outcome =
        investigate(engine, llm.as_deref(), plan, settings, report, |it| events.push(it)).await;
    (outcome.unwrap(), events)
}

/// The searches that were begun: `against` marks those for refutations.
pub(crate) fn rounds(events: &[Event]) -> Vec<String> {
    let line = |it: &Event| match it {
        Event::Round { query, refute: true, why, .. } => {
            Some(format!("against: {query} ({why:?})"))
        }
        Event::Round { query, why, .. } => Some(format!("{query} ({why:?})")),
        _ => None,
    };
    events.iter().filter_map(line).collect()
}
