//! The network as a command uses it: the door, the threads it works on, and Ctrl-C.

use std::sync::Arc;

use fetch::{Fetcher, Reason};
use graph::{Graph, GraphLedger};
use sandbox::NetworkAttempt;
use tokio::runtime::{Builder, EnterGuard, Runtime};
use tokio::sync::Notify;
use url::Url;

use crate::failure::{Failure, Hint, Kind, hint_for_missed};
use crate::interrupt;
use crate::session::Session;
use crate::ui::Doing;

#[derive(Debug)]
pub(crate) struct Network {
    /// What its requests wait for is shown while it is open.
    waits: Doing,
    // Before the runtime: what the door still has to record is recorded while there are threads for it.
    fetcher: Fetcher,
    graph: Arc<Graph>,
    runtime: Runtime,
    stop: Arc<Notify>,
}

impl Session {
    /// Opens the door to the network. It records what it does, so the graph is opened to be written.
    pub(crate) fn network(&self) -> Result<Network, Failure> {
        let runtime = Builder::new_multi_thread()
            .enable_all()
            .build()
            .map_err(|error| Failure::new(Kind::Internal, error))?;
        let graph = Arc::new(self.writer()?);
        let inside = runtime.enter();
        let policy = Arc::new(self.policy());
        let settings = self.settings.fetch.clone();
        let ledger = Arc::new(GraphLedger::under(Arc::clone(&graph), policy));
        let fetcher = Fetcher::open(ledger, &self.places.archive(), settings)?;
        fetcher.seal_sessions_with(self.places.session_key());
        let stop = Arc::new(Notify::new());
        let notified = Arc::clone(&stop);
        // What is being recorded is not interrupted: requests are called off, and their rows stay.
        interrupt::on_stop(move || notified.notify_one());
        drop(inside);
        let waits = self.at_something(Some(fetcher.clone()));
        Ok(Network { waits, fetcher, graph, runtime, stop })
    }

    /// Takes the network from this process, for work that is to stay on this machine; a language model on this machine
    /// stays in reach. Where the kernel cannot, nothing is sent all the same: that is the fetcher's own rule.
    pub(crate) fn refuse_network(&self) -> Result<(), Failure> {
        let attempt = self.settings.sandbox.network_attempt;
        let model = self.settings.model_server().and_then(|it| Url::parse(&it.url).ok());
        let port = model.and_then(|it| it.port_or_known_default());
        match sandbox::refuse_network(attempt, port) {
            Ok(()) => Ok(()),
            Err(error) if attempt == NetworkAttempt::Fatal => {
                Err(Failure::new(Kind::Config, error).hint(|w| &w.hint.network_attempt))
            }
            Err(error) => {
                tracing::warn!(%error, "the network could not be taken from this process");
                Ok(())
            }
        }
    }

    /// A failure because no source answered. Offline there is only one thing to do about it.
    pub(crate) fn no_answer(&self, message: String, hint: Hint) -> Failure {
        let offline = hint_for_missed(Reason::Offline).filter(|_| self.settings.fetch.offline);
        Failure { hint: Some(offline.unwrap_or(hint)), ..Failure::new(Kind::Network, message) }
    }
}

impl Network {
    pub(crate) fn fetcher(&self) -> &Fetcher {
        &self.fetcher
    }

    pub(crate) fn graph(&self) -> &Arc<Graph> {
        &self.graph
    }

    /// Lets what is made here work on the threads of the network.
    pub(crate) fn enter(&self) -> EnterGuard<'_> {
        self.runtime.enter()
    }

    /// Ends without waiting for threads: after Ctrl-C nobody wants what they compute, and the process ends.
    pub(crate) fn abandon(self) {
        drop(self.waits);
        self.runtime.shutdown_background();
    }

    /// Runs what needs the network to its end, or until Ctrl-C.
    pub(crate) fn run<T>(&self, work: impl AsyncFnOnce(&Fetcher) -> T) -> Result<T, Failure> {
        self.runtime.block_on(async {
            tokio::select! {
                answer = work(&self.fetcher) => Ok(answer),
                () = self.stop.notified() => Err(interrupt::ended()),
            }
        })
    }
}
