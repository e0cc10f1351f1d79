//! The services of the real internet that Lyra rests on, each asked once: search engines, academic indexes, a page.
//!
//! For a person, by hand, when a service may have changed; no test needs it. A service that answers in a form Lyra cannot
//! read has failed; one that cannot be reached, refuses or asks for a person says nothing about Lyra.

use std::path::Path;
use std::sync::Arc;

use ::fetch::{FetchRequest, FetchSettings, Fetcher};
use graph::{Access, Graph, GraphLedger};
use research::read_page;
use sources::academic::Academic;
use sources::{
    AskedBy, EngineOutcome, EngineSearch, EngineSettings, Engines, Failure, Query, SerpKind,
};
use url::Url;

use crate::criteria::say;

/// What is asked.
struct Questions {
    page: &'static str,
    /// Every engine and index has something about it.
    query: &'static str,
}

const REAL: Questions =
    Questions { page: "https://example.com/", query: "history of the printing press" };

/// What one service showed.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Finding {
    Passed(String),
    Failed(String),
    NotAsked(String),
}

#[derive(Debug)]
struct Check {
    service: String,
    finding: Finding,
}

impl Check {
    fn line(&self) -> String {
        match &self.finding {
            Finding::Passed(what) => format!("[x] {}: {what}", self.service),
            Finding::Failed(why) => format!("[!] {}: failed: {why}", self.service),
            Finding::NotAsked(why) => format!("[ ] {}: could not be asked: {why}", self.service),
        }
    }
}

/// Asks them all, prints the checklist, and gives the exit code: 0 all passed, 1 one failed, 2 one could not be asked.
pub(crate) fn run() -> u8 {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let runtime = tokio::runtime::Runtime::new().expect("threads can be started");
    let checks = runtime.block_on(ask_all(&REAL, folder.path(), FetchSettings::default()));
    for check in &checks {
        say(&check.line());
    }
    exit_code(&checks)
}

fn exit_code(checks: &[Check]) -> u8 {
    let any = |is: fn(&Finding) -> bool| checks.iter().any(|it| is(&it.finding));
    if any(|it| matches!(it, Finding::Failed(_))) {
        1
    } else if any(|it| matches!(it, Finding::NotAsked(_))) {
        2
    } else {
        0
    }
}

async fn ask_all(questions: &Questions, folder: &Path, settings: FetchSettings) -> Vec<Check> {
    let graph = Graph::open(&folder.join("lyra.db"), Access::Write, graph::Options::default());
    let graph = Arc::new(graph.expect("a new graph"));
    let ledger = Arc::new(GraphLedger::new(Arc::clone(&graph)));
    let fetcher = Fetcher::open(ledger, &folder.join("archive"), settings);
    let fetcher = fetcher.expect("the settings are good");
    let query = Query { text: questions.query.to_owned(), limit: 5, ..Query::default() };
    let mut checks = vec![page(&fetcher, questions.page).await];
    checks.extend(indexes(&fetcher, &query).await);
    checks.extend(engines(&graph, &fetcher, &query).await);
    checks
}

async fn page(fetcher: &Fetcher, address: &str) -> Check {
    let request = FetchRequest::page(Url::parse(address).expect("a good address"));
    let finding = match read_page(fetcher, request, &extract::ReadSettings::default()).await {
        Ok(read) if read.problem.is_none() && !read.document.text.is_empty() => {
            Finding::Passed(format!("{} characters", read.document.text.chars().count()))
        }
        Ok(read) => Finding::Failed(format!("status {}, no text", read.fetched.status)),
        Err(missed) => Finding::NotAsked(missed.detail),
    };
    Check { service: address.to_owned(), finding }
}

async fn indexes(fetcher: &Fetcher, query: &Query) -> Vec<Check> {
    let answer = Academic::default().search(fetcher, query, AskedBy::default()).await;
    let finding = |found: usize, failure: Option<Failure>| match failure {
        None if found > 0 => Finding::Passed(format!("{found} works")),
        None => Finding::Failed("it found nothing".to_owned()),
        Some(
            it @ (Failure::Unreadable { .. }
            | Failure::Refused { .. }
            | Failure::Status { status: 400 | 404 | 405 | 410, .. }),
        ) => Finding::Failed(it.to_string()),
        Some(other) => Finding::NotAsked(other.to_string()),
    };
    let checks = answer
        .outcomes
        .into_iter()
        .map(|it| Check { service: it.source, finding: finding(it.found, it.failure) });
    checks.collect()
}

async fn engines(graph: &Arc<Graph>, fetcher: &Fetcher, query: &Query) -> Vec<Check> {
    let engines = Engines::load(None);
    let search = EngineSearch { fresh: true, ..EngineSearch::default() };
    let mut checks = Vec::new();
    for engine in engines.all() {
        let settings = EngineSettings::default();
        let answer = engines
            .ask(graph, fetcher, &engine.name, query, &search, &settings)
            .await
            .expect("the graph can be written");
        let finding = match answer.outcome {
            EngineOutcome::Answered(SerpKind::Results) => {
                Finding::Passed(format!("{} results", answer.results.len()))
            }
            EngineOutcome::Answered(kind @ (SerpKind::NoResults | SerpKind::Broken { .. })) => {
                Finding::Failed(kind.to_string())
            }
            EngineOutcome::Answered(kind) => Finding::NotAsked(kind.to_string()),
            EngineOutcome::Missed(missed) => Finding::NotAsked(missed.detail),
            EngineOutcome::Unknown => Finding::Failed("there is no such engine".to_owned()),
        };
        checks.push(Check { service: engine.name.clone(), finding });
    }
    checks
}

#[cfg(test)]
mod tests {
    use testweb::{Answer, EngineMode, TestWeb, World, topics};

    use super::*;

    const PAGE: &str = "https://example.test/";

    /// The small internet in place of the real one.
    async fn asked(change: impl FnOnce(&TestWeb)) -> (Vec<Check>, u8) {
        let web = TestWeb::start(World::new(1));
        let text = "This page is there for examples in documents, and everybody may use it as one.";
        web.put(
            "example.test",
            "/",
            Answer::html(200, format!("<html><main><p>{text}</p></main>")),
        );
        change(&web);
        let folder = tempfile::tempdir().expect("a temporary folder");
        let ca_file = folder.path().join("ca.pem");
        std::fs::write(&ca_file, web.ca_pem()).expect("a file in the temporary folder");
        let settings = FetchSettings {
            hosts: web.hosts_setting(),
            allow_networks: vec!["127.0.0.1/32".to_owned()],
            ca_file,
            ..FetchSettings::default()
        };
        let questions = Questions { page: PAGE, query: topics()[0].name.en };
        let checks = ask_all(&questions, folder.path(), settings).await;
        let code = exit_code(&checks);
        (checks, code)
    }

    fn line(checks: &[Check], service: &str) -> String {
        let found = checks.iter().find(|it| it.service == service);
        found.map(Check::line).unwrap_or_default()
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_service_whose_answer_cannot_be_read_fails_and_one_that_is_down_is_not_asked() {
        let (checks, code) = asked(|web| {
            web.set_engine("bing", EngineMode::ChangedLayout);
            web.set_engine("brave", EngineMode::Down);
        })
        .await;
        assert_eq!(line(&checks, PAGE), "[x] https://example.test/: 78 characters");
        assert!(line(&checks, "mojeek").starts_with("[x] mojeek: "), "{checks:?}");
        assert!(line(&checks, "openalex").starts_with("[x] openalex: "), "{checks:?}");
        assert!(line(&checks, "bing").starts_with("[!] bing: failed: "), "{checks:?}");
        assert!(
            line(&checks, "brave").starts_with("[ ] brave: could not be asked: "),
            "{checks:?}"
        );
        assert_eq!(code, 1);
    }

    #[test]
    fn the_exit_code_says_the_worst_that_was_found() {
        let check = |finding| Check { service: "one".to_owned(), finding };
        let passed = || check(Finding::Passed("10 results".to_owned()));
        let failed = || check(Finding::Failed("it cannot be read".to_owned()));
        let not_asked = || check(Finding::NotAsked("it is down".to_owned()));
        assert_eq!(exit_code(&[passed(), passed()]), 0);
        assert_eq!(exit_code(&[passed(), not_asked()]), 2);
        assert_eq!(exit_code(&[not_asked(), failed(), passed()]), 1);
    }
}
