//! Automation of the repository that needs code. `cargo xtask help` lists it.
//!
//! Steps run the ordinary tools as a person would and stop at the first that fails.

mod arrows;
mod bench;
mod programs;
mod skipped;
mod tidy;
mod tools;

use std::process::ExitCode;

use skipped::Skipped;

const HELP: &str = "\
Automation of this repository.

  cargo xtask test [FILTER]    run all tests, or those whose name contains FILTER
  cargo xtask tools            write docs/tools.md from the tools themselves
  cargo xtask lint             format, clippy, house rules, dependencies, docs
  cargo xtask bench [--small]  measure; the numbers in docs/benchmarks.md come from here
  cargo xtask eval WHAT ...    quality on public data; `cargo xtask eval` says more
  cargo xtask acceptance WHAT  the criteria on the small internet; `cargo xtask acceptance` says more
  cargo xtask audit            ask the advisory database about dependencies (network)
";

/// A step that failed, in one line.
type Outcome = Result<(), String>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match arguments.split_first() {
        Some((verb, rest)) => match verb.as_str() {
            "test" => test(rest),
            "tools" => programs::reference(),
            "lint" => lint(),
            "bench" => bench::run(rest),
            "eval" => measured("eval", rest),
            "acceptance" => measured("acceptance", rest),
            "audit" => tools::cargo_deny(&["check", "advisories"]),
            "help" | "--help" | "-h" => {
                tools::say(HELP);
                Ok(())
            }
            other => Err(format!("`{other}` is not a task\n\n{HELP}")),
        },
        None => Err(format!("name a task\n\n{HELP}")),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            tools::say(&format!("xtask: {problem}"));
            ExitCode::FAILURE
        }
    }
}

/// Runs a program of the workspace that measures the product, built as users have it.
fn measured(package: &str, arguments: &[String]) -> Outcome {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let run = ["run", "--release", "--quiet", "--package", package, "--"];
    tools::cargo(&[&run, &arguments[..]].concat())
}

/// Runs every test. cargo-nextest is used when it is there; plain `cargo test` is enough.
///
/// Tests that need public data run where `LYRA_EVAL_DATA` names it. What was skipped is counted last.
fn test(filter: &[String]) -> Outcome {
    let filter: Vec<&str> = filter.iter().map(String::as_str).collect();
    let skipped = Skipped::start()?;
    let mut environment = programs::environment()?;
    environment.push(("LYRA_SKIPPED", skipped.path()));
    let environment: Vec<(&str, &str)> =
        environment.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let outcome = if tools::has_cargo("nextest") {
        let run = ["nextest", "run", "--workspace", "--no-fail-fast"];
        let tests = tools::cargo_with(&[&run, &filter[..]].concat(), &environment);
        match filter.is_empty() {
            true => tests.and_then(|()| tools::cargo(&["test", "--workspace", "--doc", "--quiet"])),
            false => tests,
        }
    } else {
        let run = ["test", "--workspace", "--no-fail-fast"];
        tools::cargo_with(&[&run, &filter[..]].concat(), &environment)
    };
    skipped.report()?;
    outcome
}

fn lint() -> Outcome {
    tools::cargo(&["fmt", "--all", "--check"])?;
    tools::cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])?;
    let left_out = "clippy -p models --all-targets --features cuda -- -D warnings";
    tools::cargo(&left_out.split(' ').collect::<Vec<_>>())?;
    tidy::run()?;
    arrows::check()?;
    tools::cargo_deny(&["check", "bans", "licenses", "sources"])?;
    tools::cargo_with(
        &["doc", "--workspace", "--no-deps", "--document-private-items", "--quiet"],
        &[("RUSTDOCFLAGS", "-D warnings")],
    )
}
