//! The research engine as commands use it: with the door, the models and the settings of this session.

use std::sync::Arc;

use browser::Browser;
use fetch::{Fetcher, ModelServer};
use graph::{Graph, GraphLedger};
use models::{Embedder, StanceModel};
use research::{Engine, LlmServer, Parts};
use sources::Engines;
use sources::academic::Academic;

use crate::failure::Failure;
use crate::installed::Installed;
use crate::network::Network;
use crate::session::Session;

impl Session {
    /// Puts the engine together behind an open door.
    pub(crate) fn engine(&self, network: &Network) -> Result<Engine, Failure> {
        let installed = Installed::of(self);
        let (embedder, stance) = (installed.embedder(self)?, installed.stance(self)?);
        let graph = Arc::clone(network.graph());
        self.engine_with(graph, network.fetcher().clone(), embedder, stance)
    }

    /// The browser that renders pages; it starts with the first of them.
    pub(crate) fn browser(&self) -> Browser {
        Browser::new(self.settings.browser.clone(), &self.places.browser())
    }

    /// Puts the engine together from a door and models that may load later.
    pub(crate) fn engine_with(
        &self,
        graph: Arc<Graph>,
        fetcher: Fetcher,
        embedder: Arc<dyn Embedder>,
        stance: Arc<dyn StanceModel>,
    ) -> Result<Engine, Failure> {
        let llm = match self.settings.model_server() {
            Some(options) => Some(LlmServer {
                server: ModelServer::open(Arc::new(GraphLedger::new(Arc::clone(&graph))), options)?,
                settings: self.settings.llm.clone(),
            }),
            None => None,
        };
        let engines = Engines::load(Some(&self.places.engines()));
        for problem in engines.problems() {
            self.ui.warn(&format!("{}: {}", problem.file.display(), problem.problem));
        }
        Ok(Engine::new(Parts {
            graph,
            fetcher,
            browser: Some(self.browser()),
            policy: Arc::new(self.policy_file()),
            embedder,
            thresholds: self.settings.models.thresholds(),
            stance,
            engines,
            academic: Academic::new(
                self.settings.academic.clone(),
                self.settings.academic.likeness.clone(),
            ),
            llm,
            settings: self.settings.research(),
        }))
    }
}
