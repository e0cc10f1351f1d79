//! Runs the tests: those beside the code (unit), then those that go through the door of a crate or of the program
//! (integration), and says how long each kind took. No test fails for being slow; see CONTRIBUTING.md for the times to
//! aim at.

use std::time::{Duration, Instant};

use crate::skipped::Skipped;
use crate::{Outcome, programs, tools};

/// What property tests draw their cases from.
const PROPERTY_SEED: &str = "20";

type Environment<'a> = [(&'a str, &'a str)];

/// Runs every test, or those whose name contains a filter. cargo-nextest is used when it is there; plain `cargo test` is
/// enough.
///
/// Tests that need public data run where `LYRA_EVAL_DATA` names it. What was skipped is counted last.
pub(crate) fn run(filter: &[String]) -> Outcome {
    let filter: Vec<&str> = filter.iter().map(String::as_str).collect();
    let skipped = Skipped::start()?;
    let mut environment = programs::environment()?;
    environment.push(("LYRA_SKIPPED", skipped.path()));
    // The same tree gives the same answer. Where cargo runs the tests itself, each run tries other cases.
    if std::env::var_os("PROPTEST_RNG_SEED").is_none() {
        environment.push(("PROPTEST_RNG_SEED", PROPERTY_SEED.to_owned()));
    }
    let environment: Vec<(&str, &str)> =
        environment.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let outcome = match (tools::has_cargo("nextest"), filter.is_empty()) {
        (true, true) => with_nextest(&environment),
        (true, false) => {
            let run = ["nextest", "run", "--workspace", "--no-fail-fast"];
            tools::cargo_with(&[&run, &filter[..]].concat(), &environment)
        }
        (false, _) => with_cargo(&filter, &environment),
    };
    skipped.report()?;
    outcome
}

fn with_nextest(environment: &Environment<'_>) -> Outcome {
    tools::cargo_with(&["nextest", "run", "--workspace", "--no-run"], environment)?;
    let run = ["nextest", "run", "--workspace", "--no-fail-fast", "-E"];
    let (unit, unit_took) =
        timed(|| tools::cargo_with(&[&run[..], &["not kind(test)"]].concat(), environment));
    let (integration, integration_took) =
        timed(|| tools::cargo_with(&[&run[..], &["kind(test)"]].concat(), environment));
    let examples = tools::cargo(&["test", "--workspace", "--doc", "--quiet"]);
    say_times(unit_took, integration_took);
    unit.and(integration).and(examples)
}

fn with_cargo(filter: &[&str], environment: &Environment<'_>) -> Outcome {
    tools::cargo_with(&["test", "--workspace", "--no-run"], environment)?;
    let run = |kinds: &[&str]| {
        let command = [&["test", "--workspace", "--no-fail-fast"], kinds, filter].concat();
        timed(|| tools::cargo_with(&command, environment))
    };
    let (unit, unit_took) = run(&["--lib", "--bins"]);
    let (integration, integration_took) = run(&["--test", "*"]);
    let examples =
        tools::cargo_with(&[&["test", "--workspace", "--doc"], filter].concat(), environment);
    say_times(unit_took, integration_took);
    unit.and(integration).and(examples)
}

fn timed(work: impl FnOnce() -> Outcome) -> (Outcome, Duration) {
    let begun = Instant::now();
    (work(), begun.elapsed())
}

fn say_times(unit: Duration, integration: Duration) {
    let (unit, integration) = (unit.as_secs(), integration.as_secs());
    tools::say(&format!("unit tests ran {unit} s, integration tests {integration} s"));
}
