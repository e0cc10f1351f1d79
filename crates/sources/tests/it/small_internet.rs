//! The small internet, and a fetcher connected to it.

use std::fs;
use std::sync::Arc;

use fetch::{FetchSettings, Fetcher};
use graph::{Access, EgressFilter, Graph, GraphLedger, Options};
use sources::academic::{Academic, AcademicSettings};
use sources::canonical::LikenessSettings;
use sources::{ApiLimits, AskedBy};
use tempfile::TempDir;
use testweb::{TestWeb, World};

pub(crate) struct SmallInternet {
    pub(crate) web: TestWeb,
    pub(crate) fetcher: Fetcher,
    pub(crate) graph: Arc<Graph>,
    pub(crate) dir: TempDir,
}

impl SmallInternet {
    pub(crate) fn new() -> Self {
        Self::with(|_| {})
    }

    /// With changed fetch settings.
    pub(crate) fn with(change: impl FnOnce(&mut FetchSettings)) -> Self {
        let web = TestWeb::start(World::new(1));
        let dir = tempfile::tempdir().unwrap();
        let ca_file = dir.path().join("ca.pem");
        fs::write(&ca_file, web.ca_pem()).unwrap();
        let mut settings = FetchSettings {
            hosts: web.hosts_setting(),
            allow_networks: vec!["127.0.0.0/8".to_owned()],
            ca_file,
            api_attempts: 3,
            api_backoff_ms: 1,
            api_backoff_max_ms: 5,
            ..FetchSettings::default()
        };
        change(&mut settings);
        let graph = Graph::open(&dir.path().join("lyra.db"), Access::Write, Options::default());
        let graph = Arc::new(graph.unwrap());
        let fetcher = Fetcher::open(
            Arc::new(GraphLedger::new(Arc::clone(&graph))),
            &dir.path().join("archive"),
            settings,
        )
        .unwrap();
        Self { web, fetcher, graph, dir }
    }

    /// Requests to a host as the server saw them, without their queries.
    pub(crate) fn asked(&self, host: &str) -> Vec<String> {
        let paths = self.web.hits(host).into_iter().map(|it| it.path);
        paths.map(|it| it.split('?').next().unwrap_or_default().to_owned()).collect()
    }

    /// The ledger's addresses.
    pub(crate) fn ledger(&self) -> Vec<String> {
        let rows = self.graph.read(|it| it.egress(&EgressFilter::default(), 1_000)).unwrap();
        rows.into_iter().map(|it| format!("{}{}", it.host, it.path)).collect()
    }
}

/// The indexes without their pauses, which would only make the tests slow.
pub(crate) fn settings() -> AcademicSettings {
    AcademicSettings::with_limits(&ApiLimits {
        concurrent: 1,
        per_second: 0.0,
        spacing_min_ms: 0,
        spacing_max_ms: 0,
        per_day: 0,
    })
}

pub(crate) fn academic(settings: AcademicSettings) -> Academic {
    Academic::new(settings, LikenessSettings::default())
}

pub(crate) fn nobody() -> AskedBy {
    AskedBy::default()
}
