//! The time that pauses are measured in.

use std::sync::Arc;

use graph::Graph;
use jiff::Timestamp;
use tokio::time::Instant;

use crate::pace::later;

/// The graph's clock, which never steps back here: a clock that is set back must not shorten a pause, and one
/// that stands still must not make a wait endless.
#[derive(Debug)]
pub(crate) struct Time {
    graph: Arc<Graph>,
    begun_at: Timestamp,
    begun: Instant,
}

impl Time {
    pub(crate) fn new(graph: Arc<Graph>) -> Self {
        let begun_at = graph.now();
        Self { graph, begun_at, begun: Instant::now() }
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.graph.now().max(later(self.begun_at, self.begun.elapsed()))
    }
}
