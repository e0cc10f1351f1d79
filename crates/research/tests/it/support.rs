//! The small internet and a fetcher for it; an engine with the models of the product.

use std::fs;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use fetch::{FetchSettings, Fetcher};
use graph::{Access, Graph, GraphLedger, Options, PolicyFile, QuerySettings};
use models::{Embedder, StanceModel};
use research::{Engine, Parts};
use sources::academic::{Academic, AcademicSettings};
use sources::{ApiLimits, Engines};
use tempfile::TempDir;
use testweb::{Answer, TestWeb, World};

pub(crate) struct Online {
    pub(crate) web: TestWeb,
    pub(crate) graph: Arc<Graph>,
    pub(crate) fetcher: Fetcher,
    pub(crate) folder: TempDir,
}

/// Opens a fetcher whose pauses are short; everything else is as in the product.
pub(crate) fn online() -> Online {
    online_in(World::new(1))
}

pub(crate) fn online_in(world: World) -> Online {
    let web = TestWeb::start(world);
    let folder = tempfile::tempdir().unwrap();
    let (graph, fetcher) = open_fetcher(&web, folder.path());
    Online { web, graph, fetcher, folder }
}

/// A graph in a folder, and a fetcher for the small internet that records in it.
pub(crate) fn open_fetcher(web: &TestWeb, folder: &Path) -> (Arc<Graph>, Fetcher) {
    let graph = Graph::open(&folder.join("lyra.db"), Access::Write, Options::default());
    let graph = Arc::new(graph.unwrap());
    let ca_file = folder.join("ca.pem");
    fs::write(&ca_file, web.ca_pem()).unwrap();
    let settings = FetchSettings {
        hosts: web.hosts_setting(),
        allow_networks: vec!["127.0.0.1/32".to_owned()],
        ca_file,
        spacing_min_ms: 5,
        spacing_max_ms: 10,
        per_second: 1_000.0,
        ..FetchSettings::default()
    };
    let ledger = Arc::new(GraphLedger::new(Arc::clone(&graph)));
    (graph, Fetcher::open(ledger, &folder.join("archive"), settings).unwrap())
}

/// The rows of a question in SQL, each as its values.
pub(crate) fn rows(graph: &Graph, sql: &str) -> Vec<Vec<serde_json::Value>> {
    graph.query(sql, &QuerySettings::default()).unwrap().table.rows
}

impl Online {
    pub(crate) fn parts(&self) -> Parts {
        parts((Arc::clone(&self.graph), self.fetcher.clone()))
    }

    pub(crate) fn put(&self, host: &str, path: &str, html: &str) {
        self.web.put(host, path, Answer::html(200, html.to_owned()));
    }

    /// What the server was asked for, robots.txt left out.
    pub(crate) fn asked(&self, host: &str) -> Vec<String> {
        let hits = self.web.hits(host);
        hits.into_iter().map(|it| it.path).filter(|it| it != "/robots.txt").collect()
    }
}

static EMBEDDER: LazyLock<Arc<dyn Embedder>> =
    LazyLock::new(|| models::builtin::embedder().unwrap());
static STANCE: LazyLock<Arc<dyn StanceModel>> =
    LazyLock::new(|| models::builtin::stance().unwrap());

const MOJEEK: &str = include_str!("../../../sources/engines/mojeek.toml");

/// Search engines of the small internet that answer as Mojeek does, at `https://NAME.test/search`.
pub(crate) fn declare_engines(folder: &Path, names: &[&str]) -> Engines {
    let folder = folder.join("engines");
    fs::create_dir_all(&folder).unwrap();
    for name in names {
        let text = MOJEEK.replace("https://www.mojeek.com/", &format!("https://{name}.test/"));
        fs::write(folder.join(format!("{name}.toml")), text).unwrap();
    }
    let engines = Engines::load(Some(&folder));
    assert_eq!(engines.problems().len(), 0);
    engines
}

/// A result page that lists these addresses.
pub(crate) fn result_page(addresses: &[&str]) -> Answer {
    let result = |url: &&str| {
        format!(
            "<li><h2><a class='title' href='{url}'>Aspirin at {url}</a></h2><p class='s'>All about aspirin.</p></li>"
        )
    };
    let results: String = addresses.iter().map(result).collect();
    Answer::html(
        200,
        format!("<html><body><ul class='results-standard'>{results}</ul></body></html>"),
    )
}

/// A page with something to read.
pub(crate) fn aspirin_page(title: &str) -> String {
    format!(
        "<html lang=en><title>{title}</title><main><p>Aspirin thins the blood, and people who took it every day bled \
         more often than people who did not take it.</p></main>"
    )
}

/// The indexes, asked as fast as they answer.
pub(crate) fn quick_indexes() -> Academic {
    let limits = ApiLimits {
        concurrent: 2,
        per_second: 1_000.0,
        spacing_min_ms: 0,
        spacing_max_ms: 0,
        per_day: 10_000,
    };
    let settings = AcademicSettings::with_limits(&limits);
    Academic::new(settings, sources::canonical::LikenessSettings::default())
}

/// What an engine works with: the product's models and settings.
pub(crate) fn parts((graph, fetcher): (Arc<Graph>, Fetcher)) -> Parts {
    Parts {
        browser: None,
        graph,
        fetcher,
        policy: Arc::new(PolicyFile::open(None)),
        embedder: Arc::clone(&EMBEDDER),
        stance: Arc::clone(&STANCE),
        thresholds: models::Overrides::default(),
        engines: Engines::load(None),
        academic: Academic::default(),
        llm: None,
        settings: research::Settings::default(),
    }
}

/// An engine that may use no network, with its data in a folder.
pub(crate) fn offline_engine(folder: &Path) -> Engine {
    Engine::new(offline_parts(folder))
}

/// What an engine without network works with, its data in a folder.
pub(crate) fn offline_parts(folder: &Path) -> Parts {
    let graph = Graph::open(&folder.join("lyra.db"), Access::Write, Options::default());
    let graph = Arc::new(graph.unwrap());
    let settings = FetchSettings { offline: true, ..FetchSettings::default() };
    let ledger = Arc::new(GraphLedger::new(Arc::clone(&graph)));
    let fetcher = Fetcher::open(ledger, &folder.join("archive"), settings).unwrap();
    parts((graph, fetcher))
}
