//! Benchmarks: each prints ratios against a baseline of the same run.

use crate::{Outcome, tools};

const GRAPH_BENCHES: &[&str] = &["views", "vectors"];

pub(crate) fn run(arguments: &[String]) -> Outcome {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    for bench in GRAPH_BENCHES {
        let call = [&["bench", "--package", "graph", "--bench", bench, "--"], &arguments[..]];
        tools::cargo(&call.concat())?;
    }
    tools::cargo(
        &[&["bench", "--package", "serve", "--bench", "startup", "--"], &arguments[..]].concat(),
    )
}
