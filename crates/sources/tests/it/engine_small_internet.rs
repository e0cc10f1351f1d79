//! The parsers against the engines of the small internet, whose pages were written independently after the same real ones.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Instant;

use fetch::Fetcher;
use graph::{Clock, Graph, GraphLedger, Options};
use jiff::{SignedDuration, Timestamp};
use sources::{
    EngineAnswer, EngineOutcome, EngineSearch, EngineSettings, Engines, Fault, Query,
    SHIPPED_ENGINES, SerpKind,
};
use testweb::{EngineMode, TestWeb, World, topics};

const ENGINES: [&str; 9] = [
    "duckduckgo",
    "duckduckgo_lite",
    "mojeek",
    "marginalia",
    "startpage",
    "ecosia",
    "bing",
    "brave",
    "google",
];

/// The real time, set forward: pauses between engines pass quickly, pauses inside a request pass at all.
#[derive(Debug)]
struct SetForward {
    begun: Instant,
    hours: AtomicI64,
}

impl Clock for SetForward {
    fn now(&self) -> Timestamp {
        let begin: Timestamp = "2026-05-04T00:00:00Z".parse().unwrap();
        let passed = SignedDuration::try_from(self.begun.elapsed()).unwrap();
        begin + passed + SignedDuration::from_hours(self.hours.load(Ordering::SeqCst))
    }
}

struct Fixture {
    web: TestWeb,
    clock: Arc<SetForward>,
    engines: Engines,
    graph: Arc<Graph>,
    fetcher: Fetcher,
    _folder: tempfile::TempDir,
}

impl Fixture {
    fn new() -> Self {
        let web = TestWeb::start(World::new(1));
        let clock = Arc::new(SetForward { begun: Instant::now(), hours: AtomicI64::new(0) });
        let options = Options { clock: clock.clone(), ..Options::default() };
        let graph = Arc::new(Graph::in_memory(options).unwrap());
        let folder = tempfile::tempdir().unwrap();
        let ca_file = folder.path().join("ca.pem");
        std::fs::write(&ca_file, web.ca_pem()).unwrap();
        let settings = fetch::FetchSettings {
            hosts: web.hosts_setting(),
            allow_networks: vec!["127.0.0.0/8".to_owned()],
            ca_file,
            ..fetch::FetchSettings::default()
        };
        let fetcher =
            Fetcher::open(Arc::new(GraphLedger::new(Arc::clone(&graph))), folder.path(), settings)
                .unwrap();
        // Google's challenge is behind a redirect, which has to wait its turn like any request.
        let google = SHIPPED_ENGINES.iter().find(|it| it.name == "google").unwrap().declaration;
        let google = google
            .replace("[20.0, 40.0]", "[0.0, 0.0]")
            .replace("per_second = 0.05", "per_second = 0.25");
        std::fs::write(folder.path().join("google.toml"), google).unwrap();
        let engines = Engines::load(Some(folder.path()));
        assert_eq!(engines.problems(), []);
        Self { web, clock, engines, graph, fetcher, _folder: folder }
    }

    /// Asks an engine in a mode, a day after whatever was asked before.
    async fn ask(&self, engine: &str, mode: EngineMode, text: &str) -> EngineAnswer {
        self.clock.hours.fetch_add(25, Ordering::SeqCst);
        self.web.set_engine(engine, mode);
        let query = Query { text: text.to_owned(), ..Query::default() };
        let search = EngineSearch { fresh: true, ..EngineSearch::default() };
        self.engines
            .ask(&self.graph, &self.fetcher, engine, &query, &search, &EngineSettings::default())
            .await
            .unwrap()
    }

    fn fault(&self, engine: &str) -> Option<Fault> {
        let health = self.graph.read(|it| it.engine_health(engine)).unwrap().unwrap();
        EngineSettings::default().health.fault(&health)
    }
}

fn kind(answer: &EngineAnswer) -> String {
    match &answer.outcome {
        EngineOutcome::Answered(SerpKind::Broken { .. }) => "Broken".to_owned(),
        EngineOutcome::Answered(kind) => format!("{kind:?}"),
        EngineOutcome::Missed(missed) => format!("missed {:?}", missed.reason),
        EngineOutcome::Unknown => "unknown".to_owned(),
    }
}

fn addresses(answer: &EngineAnswer) -> Vec<String> {
    answer.results.iter().map(|it| it.url.to_string()).collect()
}

#[tokio::test]
async fn all_engines_give_the_same_results_without_their_adverts() {
    let fixture = Fixture::new();
    for (text, count) in [(topics()[0].name.en, 10), (topics()[0].name.ja, 10)] {
        let mut seen: BTreeMap<Vec<String>, Vec<&str>> = BTreeMap::new();
        for engine in ENGINES {
            let answer = fixture.ask(engine, EngineMode::Normal, text).await;
            assert_eq!(kind(&answer), "Results", "{engine}: {text}");
            assert!(
                answer.results.iter().all(|it| !it.title.is_empty() && it.snippet.is_some()),
                "{engine}"
            );
            assert!(!addresses(&answer).iter().any(|it| it.contains("advert")), "{engine}");
            seen.entry(addresses(&answer)).or_default().push(engine);
        }
        assert_eq!(seen.len(), 1, "{seen:#?}");
        assert_eq!(seen.keys().next().unwrap().len(), count, "{text}");
    }
}

#[tokio::test]
async fn bad_days_are_told_apart() {
    let fixture = Fixture::new();
    for (mode, expected) in [
        (EngineMode::NoResults, "NoResults"),
        (EngineMode::Captcha, "Blocked(Challenge)"),
        (EngineMode::ChangedLayout, "Broken"),
        (EngineMode::Http(429), "Blocked(TooMany)"),
        (EngineMode::Http(403), "Blocked(Refused)"),
        (EngineMode::Http(500), "Failed { status: 500 }"),
        (EngineMode::Down, "missed BrokenAnswer"),
    ] {
        let mut kinds = Vec::new();
        for engine in ENGINES {
            let answer = fixture.ask(engine, mode, topics()[0].name.en).await;
            kinds.push(format!("{engine}: {}", kind(&answer)));
        }
        // Marginalia has no challenge: it says that there were too many requests.
        let expected = |engine: &str| match (engine, mode) {
            ("marginalia", EngineMode::Captcha) => "Blocked(TooMany)",
            _ => expected,
        };
        let wanted: Vec<String> =
            ENGINES.iter().map(|it| format!("{it}: {}", expected(it))).collect();
        assert_eq!(kinds, wanted, "{mode:?}");
    }
}

#[tokio::test]
async fn what_a_changed_layout_holds_is_recovered() {
    let fixture = Fixture::new();
    let mut lines = Vec::new();
    for engine in ENGINES {
        let before = addresses(&fixture.ask(engine, EngineMode::Normal, topics()[0].name.en).await);
        let after =
            addresses(&fixture.ask(engine, EngineMode::ChangedLayout, topics()[0].name.en).await);
        let kept = before.iter().filter(|it| after.contains(it)).count();
        lines.push(format!("{engine}: {kept} of {}, {} more", before.len(), after.len() - kept));
    }
    insta::assert_snapshot!(lines.join("\n"), @r"
    duckduckgo: 10 of 10, 0 more
    duckduckgo_lite: 10 of 10, 0 more
    mojeek: 10 of 10, 0 more
    marginalia: 10 of 10, 0 more
    startpage: 10 of 10, 0 more
    ecosia: 10 of 10, 0 more
    bing: 10 of 10, 0 more
    brave: 10 of 10, 0 more
    google: 10 of 10, 0 more
    ");
}

#[tokio::test]
async fn two_bad_answers_are_a_fault_and_one_good_one_ends_it() {
    let fixture = Fixture::new();
    for (mode, fault) in [
        (EngineMode::Captcha, Fault::Blocking),
        (EngineMode::Http(429), Fault::Blocking),
        (EngineMode::Down, Fault::Failing),
        (EngineMode::ChangedLayout, Fault::Layout),
    ] {
        fixture.ask("mojeek", EngineMode::Normal, "one").await;
        assert_eq!(fixture.fault("mojeek"), None, "{mode:?}");
        fixture.ask("mojeek", mode, topics()[0].name.en).await;
        fixture.ask("mojeek", mode, topics()[0].name.en).await;
        assert_eq!(fixture.fault("mojeek"), Some(fault), "{mode:?}");
    }
}
