//! Any text as a query: no panic, no hang, nothing changed.
#![no_main]

use std::sync::LazyLock;

use graph::{Cause, Graph, Options, QuerySettings};
use libfuzzer_sys::fuzz_target;

static GRAPH: LazyLock<Graph> = LazyLock::new(|| {
    let graph = Graph::in_memory(Options::default()).expect("a graph in memory");
    graph.write(Cause::new("fuzz"), |_| Ok(())).expect("it can be written");
    graph
});

fuzz_target!(|sql: &str| {
    let limits = QuerySettings { timeout_ms: 200, ..QuerySettings::default() };
    // Most are refused; what matters is that the next one is answered.
    let _ = GRAPH.query(sql, &limits);
    assert_eq!(GRAPH.query("SELECT 1", &limits).expect("it still answers").table.rows.len(), 1);
});
