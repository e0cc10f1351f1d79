//! What an engine needs to work on the small internet, in this process or in one of its own.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use fetch::{Fetcher, ModelServer, ModelServerOptions};
use graph::{Access, Clock, Graph, GraphLedger, PolicyFile, SystemClock};
use jiff::{SignedDuration, Timestamp};
use llm::LlmSettings;
use research::{Engine, LlmServer, Parts};
use serde::{Deserialize, Serialize};
use sources::academic::{Academic, AcademicSettings};
use sources::{ApiLimits, Engines};
use testweb::{SiteKind, TestWeb};

use super::timed::{Meter, TimedEmbedder, TimedStance};
use crate::clock::Fast;

/// The small internet as a client sees it. Everything a person would write into settings and the policy file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Environment {
    hosts: Vec<String>,
    ca_pem: String,
    policy: String,
    /// From when on time runs fast.
    began: Timestamp,
    /// By how much time moves on with each look at the clock. Only where one process does it all: the next one would
    /// not know how often the last one looked.
    each_look: SignedDuration,
    /// Where a language model listens.
    model_url: Option<String>,
}

/// Pages and APIs may be asked as fast as they answer: politeness is measured elsewhere.
const AT_ONCE: ApiLimits = ApiLimits {
    concurrent: 4,
    per_second: 100_000.0,
    spacing_min_ms: 0,
    spacing_max_ms: 0,
    per_day: 1_000_000,
};

/// A site that failed rests longer than a run takes, as for a user; only that time runs fast here.
const RESTS: u64 = 7 * 24 * 60;

const MAX_ANSWER_BYTES: usize = 1 << 20;

/// The sites with a known category; all others are unknown, as on the web.
const CATEGORIES: [(SiteKind, &str); 5] = [
    (SiteKind::Register, "government"),
    (SiteKind::Office, "government"),
    (SiteKind::Journal, "academic"),
    (SiteKind::News, "trusted"),
    (SiteKind::Encyclopedia, "low"),
];

impl Environment {
    pub(crate) fn of(web: &TestWeb) -> Self {
        let mut policy = String::new();
        for (kind, category) in CATEGORIES {
            let hosts: Vec<&str> = web.world().sites_of(kind).map(|it| it.host.as_str()).collect();
            if !hosts.is_empty() {
                policy += &format!(
                    "[[rules]]\npatterns = {hosts:?}\ndomain_category = \"{category}\"\n\n"
                );
            }
        }
        Self {
            hosts: web.hosts_setting(),
            ca_pem: web.ca_pem().to_owned(),
            policy,
            began: SystemClock.now(),
            each_look: SignedDuration::from_secs(10),
            model_url: None,
        }
    }

    /// The same for processes that resume where others were killed.
    pub(crate) fn for_processes(web: &TestWeb) -> Self {
        Self { each_look: SignedDuration::ZERO, ..Self::of(web) }
    }

    pub(crate) fn with_model(self, url: String) -> Self {
        Self { model_url: Some(url), ..self }
    }

    /// Opens an engine whose data is in a folder. Must be called inside a runtime.
    pub(crate) fn engine(&self, folder: &Path, meter: &Arc<Meter>) -> Engine {
        let options = graph::Options {
            clock: Arc::new(Fast::since(self.began, self.each_look)),
            ..graph::Options::default()
        };
        let graph = Graph::open(&folder.join("lyra.db"), Access::Write, options);
        let ca_file = folder.join("ca.pem");
        fs::write(&ca_file, &self.ca_pem).expect("a file in the temporary folder");
        let policy = folder.join("domains.toml");
        fs::write(&policy, &self.policy).expect("a file in the temporary folder");
        let settings = fetch::FetchSettings {
            hosts: self.hosts.clone(),
            allow_networks: vec!["127.0.0.1/32".to_owned()],
            ca_file,
            spacing_min_ms: 0,
            spacing_max_ms: 0,
            per_second: 0.0,
            per_day: 0,
            timeout_ms: 5_000,
            rest_min_minutes: RESTS,
            rest_max_minutes: RESTS,
            ..fetch::FetchSettings::default()
        };
        let graph = Arc::new(graph.expect("a graph in the temporary folder"));
        let llm = self.model_url.clone().map(|url| LlmServer {
            server: ModelServer::open(
                Arc::new(GraphLedger::new(Arc::clone(&graph))),
                ModelServerOptions {
                    url,
                    allow_remote: false,
                    key: None,
                    offline: false,
                    max_answer_bytes: MAX_ANSWER_BYTES,
                },
            )
            .expect("the address is of this machine"),
            settings: LlmSettings::default(),
        });
        let fetcher = Fetcher::open(
            Arc::new(GraphLedger::new(Arc::clone(&graph))),
            &folder.join("archive"),
            settings,
        );
        let academic = AcademicSettings::with_limits(&AT_ONCE);
        let stance = models::builtin::stance().expect("the model comes with the program");
        Engine::new(Parts {
            browser: None,
            graph,
            fetcher: fetcher.expect("the settings are good"),
            policy: Arc::new(PolicyFile::open(Some(&policy))),
            embedder: Arc::new(TimedEmbedder::new(meter)),
            thresholds: models::Overrides::default(),
            stance: Arc::new(TimedStance::new(stance, meter)),
            engines: Engines::load(None),
            academic: Academic::new(academic, sources::canonical::LikenessSettings::default()),
            llm,
            settings: research::Settings::default(),
        })
    }
}
