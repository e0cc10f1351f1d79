//! SQL from outside.

use std::sync::LazyLock;

use graph::{Cause, Graph, Options, QuerySettings};

static GRAPH: LazyLock<Graph> = LazyLock::new(|| {
    let graph = Graph::in_memory(Options::default()).expect("a graph in memory");
    graph.write(Cause::new("fuzz"), |_| Ok(())).expect("it can be written");
    graph
});

/// Any text as a query: no hang, nothing changed.
pub fn sql(bytes: &[u8]) {
    let limits = QuerySettings { timeout_ms: 200, ..QuerySettings::default() };
    // Most are refused; what matters is that the next one is answered.
    let _ = GRAPH.query(&String::from_utf8_lossy(bytes), &limits);
    assert_eq!(GRAPH.query("SELECT 1", &limits).expect("it still answers").table.rows.len(), 1);
}
