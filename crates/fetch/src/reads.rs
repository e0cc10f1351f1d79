//! Questions to the graph, away from the threads that serve everybody.

use std::sync::Arc;

use graph::{Graph, Reader};
use tokio::sync::Semaphore;

/// Threads that ask at the same time: the graph answers one after another, so more would only wait there.
const AT_ONCE: usize = 4;

/// The way to the graph and to the files beside it.
#[derive(Debug)]
pub(crate) struct Reads {
    graph: Arc<Graph>,
    turns: Semaphore,
}

impl Reads {
    pub(crate) fn new(graph: Arc<Graph>) -> Self {
        Self { graph, turns: Semaphore::new(AT_ONCE) }
    }

    /// Asks the graph.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&Reader<'_>) -> graph::Result<T> + Send + 'static,
    ) -> graph::Result<T> {
        self.blocking(move |graph| graph.read(ask)).await
    }

    /// Runs what reads files as well.
    pub(crate) async fn blocking<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&Graph) -> graph::Result<T> + Send + 'static,
    ) -> graph::Result<T> {
        let _turn = self.turns.acquire().await.expect("the semaphore is never closed");
        let graph = Arc::clone(&self.graph);
        let found = tokio::task::spawn_blocking(move || ask(&graph)).await;
        found.expect("reading the graph does not panic")
    }
}
