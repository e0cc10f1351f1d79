//! Benchmarks: each prints ratios against a baseline of the same run.

use crate::{Outcome, tools};

/// Those that make their own data.
const BENCHES: &[(&str, &str)] = &[
    ("graph", "views"),
    ("graph", "vectors"),
    ("fetch", "door"),
    ("browser", "cost"),
    ("library", "find"),
    ("research", "growth"),
    ("serve", "startup"),
    ("serve", "mcp"),
];

/// Those that measure on public data, and compare with other programs where these are installed.
const PUBLIC_BENCHES: &[(&str, &str)] = &[("models", "encode"), ("extract", "read")];

/// Names the folder of the public data.
const DATA: &str = "LYRA_EVAL_DATA";

pub(crate) fn run(arguments: &[String]) -> Outcome {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    for (package, bench) in BENCHES {
        let call = [&["bench", "--package", package, "--bench", bench, "--"], &arguments[..]];
        tools::cargo(&call.concat())?;
    }
    for (package, bench) in PUBLIC_BENCHES {
        if std::env::var_os(DATA).is_none() {
            tools::say(&format!(
                "{package} {bench}: skipped: set {DATA} to the folder of the public data"
            ));
            continue;
        }
        tools::cargo(&["bench", "--package", package, "--bench", bench])?;
    }
    Ok(())
}
