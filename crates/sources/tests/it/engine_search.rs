//! Searching with engines: cache, health, circuits and failures.

use std::path::PathBuf;
use std::sync::Arc;

use fetch::{Fetcher, Reason};
use graph::{AuthFilter, CircuitState, FixedClock, Graph, GraphLedger, Options};
use jiff::SignedDuration;
use sources::{
    Block, EngineAnswer, EngineOutcome, EngineSearch, EngineSettings, Engines, LeftOut, Query,
    Searched, SerpKind,
};
use testweb::{Answer, Fault, TestWeb, World};

const HOSTS: [&str; 10] = [
    "html.duckduckgo.com",
    "lite.duckduckgo.com",
    "www.mojeek.com",
    "old-search.marginalia.nu",
    "en.wikipedia.org",
    "www.startpage.com",
    "www.ecosia.org",
    "www.bing.com",
    "search.brave.com",
    "www.google.com",
];

struct Fixture {
    web: TestWeb,
    clock: Arc<FixedClock>,
    engines: Engines,
    settings: EngineSettings,
    graph: Arc<Graph>,
    fetcher: Fetcher,
    _folder: tempfile::TempDir,
}

impl Fixture {
    fn new() -> Self {
        Self::with(|_| {})
    }

    fn with(change: impl FnOnce(&mut fetch::FetchSettings)) -> Self {
        let web = TestWeb::start(World::of_size(1, 10));
        let clock = Arc::new(FixedClock::at("2026-05-04T00:00:00Z".parse().unwrap()));
        let options = Options { clock: clock.clone(), ..Options::default() };
        let graph = Arc::new(Graph::in_memory(options).unwrap());
        let folder = tempfile::tempdir().unwrap();
        let ca: PathBuf = folder.path().join("ca.pem");
        std::fs::write(&ca, web.ca_pem()).unwrap();
        let mut settings = fetch::FetchSettings {
            hosts: HOSTS.iter().map(|it| format!("{it}={}", web.address())).collect(),
            allow_networks: vec!["127.0.0.0/8".to_owned()],
            ca_file: ca,
            ..fetch::FetchSettings::default()
        };
        change(&mut settings);
        let fetcher =
            Fetcher::open(Arc::new(GraphLedger::new(Arc::clone(&graph))), folder.path(), settings)
                .unwrap();
        Self {
            web,
            clock,
            engines: Engines::load(None),
            settings: EngineSettings::default(),
            graph,
            fetcher,
            _folder: folder,
        }
    }

    async fn search(&self, query: &Query, engines: &[&str]) -> Searched {
        let engines = engines.iter().map(|it| (*it).to_owned()).collect();
        let search = EngineSearch { engines, seed: 1, ..EngineSearch::default() };
        self.engines
            .search(&self.graph, &self.fetcher, query, &search, &self.settings)
            .await
            .unwrap()
    }

    async fn ask(&self, engine: &str) -> EngineAnswer {
        let answers = self.search(&query("heat pump"), &[engine]).await.answers;
        answers.into_iter().next().unwrap()
    }

    fn wait(&self, minutes: i64) {
        self.clock.advance(SignedDuration::from_mins(minutes));
    }

    fn health(&self, engine: &str) -> graph::EngineHealth {
        self.graph.read(|it| it.engine_health(engine)).unwrap().unwrap()
    }

    fn put_mojeek(&self, addresses: &[&str]) {
        self.web.put("www.mojeek.com", "/search", Answer::html(200, mojeek(addresses)));
    }

    /// What the log says about engines, in order.
    fn policy_log(&self) -> Vec<String> {
        let sql = "SELECT detail FROM events WHERE kind = 'engine_policy' ORDER BY id";
        let answer = self.graph.query(sql, &graph::QuerySettings::default()).unwrap();
        answer.table.rows.into_iter().map(|it| it[0].as_str().unwrap().to_owned()).collect()
    }
}

fn query(text: &str) -> Query {
    Query { text: text.to_owned(), language: Some("en".to_owned()), ..Query::default() }
}

fn mojeek(addresses: &[&str]) -> String {
    let result = |url: &&str| {
        format!(
            "<li><h2><a class='title' href='{url}'>Heat pump at {url}</a></h2><p class='s'>All about the heat pump.</p></li>"
        )
    };
    let results: String = addresses.iter().map(result).collect();
    format!("<html><body><ul class='results-standard'>{results}</ul></body></html>")
}

const CAPTCHA: &str =
    "<html><body><form action='/captcha'><p>Sorry, automated queries.</p></form></body></html>";

#[tokio::test]
async fn an_engine_is_asked_once_and_its_answer_remembered_for_a_day() {
    let fixture = Fixture::new();
    fixture.put_mojeek(&["https://a.example/1", "https://b.example/2"]);
    let first = fixture.ask("mojeek").await;
    assert_eq!(first.results.len(), 2);
    assert_eq!(
        (first.from_cache, first.page.as_str()),
        (false, "https://www.mojeek.com/search?lb=en&q=heat+pump")
    );
    assert!(first.record_id.is_some(), "the result page is in the archive");
    fixture.wait(23 * 60);
    let second = fixture.search(&query(" HEAT  ｐｕｍｐ"), &["mojeek"]).await.answers.remove(0);
    assert_eq!(
        (second.from_cache, &second.results, &second.record_id),
        (true, &first.results, &first.record_id)
    );
    fixture.wait(61);
    let third = fixture.ask("mojeek").await;
    assert!(!third.from_cache);
    assert_eq!(fixture.web.requests("mojeek.com"), 2);
}

#[tokio::test]
async fn another_period_or_language_is_another_question() {
    let fixture = Fixture::new();
    fixture.put_mojeek(&["https://a.example/1"]);
    fixture.ask("mojeek").await;
    fixture.wait(5);
    let later = Query { after: Some("2026-01-01".to_owned()), ..query("heat pump") };
    assert!(!fixture.search(&later, &["mojeek"]).await.answers[0].from_cache);
    fixture.wait(5);
    let other = Query { language: Some("ja".to_owned()), ..query("heat pump") };
    assert!(!fixture.search(&other, &["mojeek"]).await.answers[0].from_cache);
}

#[tokio::test]
async fn a_challenge_says_that_a_person_is_needed_and_is_not_remembered_as_an_answer() {
    let fixture = Fixture::new();
    fixture.web.put("www.mojeek.com", "/search", Answer::html(200, CAPTCHA));
    let answer = fixture.ask("mojeek").await;
    assert!(matches!(answer.outcome, EngineOutcome::Answered(SerpKind::Blocked(Block::Challenge))));
    assert_eq!(answer.needs_person(), Some(Block::Challenge));
    let queue = fixture.graph.read(|it| it.auth_queue(&AuthFilter::default(), 10)).unwrap();
    let waits: Vec<_> = queue.iter().map(|it| (it.url.as_str(), it.auth_type.as_str())).collect();
    assert_eq!(waits, [("https://www.mojeek.com/search?lb=en&q=heat+pump", "challenge")]);
    fixture.put_mojeek(&["https://a.example/1"]);
    fixture.wait(10);
    let answer = fixture.ask("mojeek").await;
    assert_eq!((answer.results.len(), answer.from_cache), (1, false));
    assert_eq!(fixture.health("mojeek").samples, 2);
}

#[tokio::test]
async fn two_challenges_open_the_circuit_and_a_probe_closes_it() {
    let fixture = Fixture::new();
    fixture.web.put("www.mojeek.com", "/search", Answer::html(200, CAPTCHA));
    fixture.ask("mojeek").await;
    fixture.wait(10);
    fixture.ask("mojeek").await;
    assert_eq!(fixture.health("mojeek").circuit_state, CircuitState::Open);
    let graph = &fixture.graph;
    let standings = graph.read(|it| fixture.engines.standings(it, graph.now())).unwrap();
    assert_eq!(standings["mojeek"].requests_today, 2);
    let chosen = fixture.search(&query("other"), &[]).await;
    let until = Some("2026-05-04T00:40:00Z".parse().unwrap());
    assert!(
        chosen.left_out.contains(&("mojeek".to_owned(), LeftOut::Resting { until })),
        "{:?}",
        chosen.left_out
    );
    fixture.put_mojeek(&["https://a.example/1"]);
    fixture.wait(31);
    fixture.ask("mojeek").await;
    assert_eq!(fixture.health("mojeek").circuit_state, CircuitState::Closed);
    let log: Vec<String> = fixture
        .policy_log()
        .into_iter()
        .filter(|it| it.contains("circuit") && !it.contains("unreachable"))
        .collect();
    assert_eq!(
        log,
        [
            r#"{"change":"circuit","from":"closed","to":"open","until":"2026-05-04T00:40:00Z","because":"challenge"}"#,
            r#"{"change":"circuit","from":"open","to":"half_open","until":null,"because":"time to probe"}"#,
            r#"{"change":"circuit","from":"half_open","to":"closed","until":null,"because":"results"}"#,
        ]
    );
}

#[tokio::test]
async fn a_changed_layout_gives_what_it_can_and_keeps_a_sample() {
    let fixture = Fixture::new();
    let changed = mojeek(&["https://a.example/1", "https://b.example/2"])
        .replace("results-standard", "x")
        .replace("class='title'", "");
    fixture.web.put("www.mojeek.com", "/search", Answer::html(200, changed));
    let answer = fixture.ask("mojeek").await;
    assert!(
        matches!(answer.outcome, EngineOutcome::Answered(SerpKind::Broken { .. })),
        "{:?}",
        answer.outcome
    );
    assert_eq!(answer.results.len(), 2);
    let health = fixture.health("mojeek");
    assert_eq!((health.broken_sample, health.parse_failure_rate), (answer.record_id, Some(1.0)));
    assert!(health.weight < 0.5, "{}", health.weight);
}

#[tokio::test]
async fn engines_that_fail_are_lines_in_the_outcome_and_the_search_goes_on() {
    let fixture = Fixture::new();
    fixture.put_mojeek(&["https://a.example/1"]);
    fixture.web.put("www.bing.com", "/search", Answer::html(429, "slow down"));
    fixture.web.put("www.ecosia.org", "/search", Answer::html(500, "oops"));
    fixture.web.script("www.startpage.com", vec![Fault::Close]);
    let searched = fixture
        .search(&query("heat pump"), &["bing", "mojeek", "startpage", "nowhere", "ecosia"])
        .await;
    let lines: Vec<String> = searched
        .answers
        .iter()
        .map(|answer| match &answer.outcome {
            EngineOutcome::Answered(kind) => {
                format!("{}: {kind:?} {}", answer.engine, answer.results.len())
            }
            EngineOutcome::Missed(missed) => format!("{}: {:?}", answer.engine, missed.reason),
            EngineOutcome::Unknown => format!("{}: unknown", answer.engine),
        })
        .collect();
    assert_eq!(
        lines,
        [
            "bing: Blocked(TooMany) 0",
            "mojeek: Results 1",
            "startpage: BrokenAnswer",
            "nowhere: unknown",
            "ecosia: Failed { status: 500 } 0",
        ]
    );
    assert_eq!(searched.hits.len(), 1);
    assert_eq!(fixture.health("ecosia").last_outcome.as_deref(), Some("server_error"));
    assert_eq!(fixture.health("startpage").last_outcome.as_deref(), Some("unreachable"));
}

#[tokio::test]
async fn the_last_mile_is_taken_only_when_the_others_gave_too_little() {
    let fixture = Fixture::new();
    let many: Vec<String> = (0..12).map(|it| format!("https://site{it}.example/")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    for (host, path) in [("www.mojeek.com", "/search"), ("old-search.marginalia.nu", "/search")] {
        fixture.web.put(host, path, Answer::html(200, mojeek(&many)));
    }
    let asked = |searched: &Searched| {
        searched.answers.iter().map(|it| it.engine.clone()).collect::<Vec<_>>()
    };
    let enough = fixture.search(&Query { limit: 5, ..query("heat pump") }, &[]).await;
    assert!(
        !asked(&enough).iter().any(|it| it == "google" || it == "brave"),
        "{:?}",
        asked(&enough)
    );
    fixture.wait(60 * 24);
    let little = fixture.search(&Query { limit: 50, ..query("heat pump two") }, &[]).await;
    let asked = asked(&little);
    assert_eq!(asked.len(), 9, "{asked:?}");
    let mut last: Vec<&str> = asked[7..].iter().map(String::as_str).collect();
    last.sort();
    assert_eq!(last, ["brave", "google"]);
}

#[tokio::test]
async fn nothing_is_asked_offline_and_no_engine_is_blamed() {
    let fixture = Fixture::with(|it| it.offline = true);
    let searched = fixture.search(&query("heat pump"), &["mojeek", "bing"]).await;
    for answer in &searched.answers {
        let EngineOutcome::Missed(missed) = &answer.outcome else { panic!("{:?}", answer.outcome) };
        assert_eq!(missed.reason, Reason::Offline);
    }
    assert_eq!(fixture.web.total_requests(), 0);
    assert!(fixture.graph.read(|it| it.engine_health("mojeek")).unwrap().is_none());
}

#[tokio::test]
async fn what_was_remembered_is_found_offline() {
    let fixture = Fixture::new();
    fixture.put_mojeek(&["https://a.example/1"]);
    fixture.ask("mojeek").await;
    let settings = fetch::FetchSettings { offline: true, ..fetch::FetchSettings::default() };
    let folder = tempfile::tempdir().unwrap();
    let fetcher = Fetcher::open(
        Arc::new(GraphLedger::new(Arc::clone(&fixture.graph))),
        folder.path(),
        settings,
    )
    .unwrap();
    let search = EngineSearch { engines: vec!["mojeek".to_owned()], ..EngineSearch::default() };
    let searched = fixture
        .engines
        .search(&fixture.graph, &fetcher, &query("heat pump"), &search, &fixture.settings)
        .await
        .unwrap();
    assert_eq!((searched.answers[0].from_cache, searched.hits.len()), (true, 1));
}

#[tokio::test]
async fn a_form_is_posted_and_its_results_come_from_a_page_a_person_could_open() {
    let fixture = Fixture::new();
    let html = "<div class='result results_links web-result'><h2 class='result__title'><a class='result__a' \
                href='//duckduckgo.com/l/?uddg=https%3A%2F%2Fa.example%2Fx'>A</a></h2></div>";
    fixture.web.put("html.duckduckgo.com", "/html/", Answer::html(200, html));
    let answer = fixture.ask("duckduckgo").await;
    assert_eq!(answer.results[0].url.as_str(), "https://a.example/x");
    assert_eq!(answer.page.as_str(), "https://html.duckduckgo.com/html/?kl=us-en&q=heat+pump");
    let hits = fixture.web.hits("html.duckduckgo.com");
    assert_eq!((hits.len(), hits[0].method.as_str()), (1, "POST"));
}

#[tokio::test]
async fn more_pages_are_asked_for_only_while_they_bring_something_new() {
    let mut fixture = Fixture::new();
    fixture.settings.max_pages = 3;
    fixture.put_mojeek(&["https://a.example/1", "https://b.example/2"]);
    let searched = fixture.search(&Query { limit: 50, ..query("heat pump") }, &["mojeek"]).await;
    assert_eq!(searched.hits.len(), 2);
    assert_eq!(fixture.web.requests("mojeek.com"), 2, "the second page was the first again");
}
