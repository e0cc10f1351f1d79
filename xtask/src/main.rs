//! Automation of the repository that needs code. `cargo xtask help` lists it.
//!
//! Steps run the ordinary tools as a person would and stop at the first that fails.

mod arrows;
mod bench;
mod docs;
mod paid_services;
mod programs;
mod skipped;
mod test_rules;
mod testing;
mod tidy;
mod tools;

use std::process::ExitCode;

const HELP: &str = "\
Automation of this repository.

  cargo xtask test [FILTER]    run all tests, or those whose name contains FILTER
  cargo xtask tools            write docs/tools.md from the tools themselves
  cargo xtask docs             write the reference pages of the book, and build the book where mdBook is installed
  cargo xtask lint             format, clippy, house rules, dependencies, docs
  cargo xtask bench [--small]  measure; the numbers in docs/benchmarks.md come from here
  cargo xtask eval WHAT ...    quality on public data; `cargo xtask eval` says more
  cargo xtask acceptance WHAT  the criteria on the small internet; `cargo xtask acceptance` says more
  cargo xtask verify           ask the real services, each once (network); exit code 0 all passed, 1 one failed, 2 one
                               could not be asked
  cargo xtask audit [--where-reached]
                               ask the advisory database about dependencies (network); with the option, say so and
                               go on where it cannot be reached
";

/// A step that failed, in one line.
type Outcome = Result<(), String>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match arguments.split_first() {
        Some((verb, rest)) => match verb.as_str() {
            "test" => testing::run(rest),
            "tools" => programs::reference(&["mcp", "tools"], "en", "docs/tools.md"),
            "docs" => docs::write(),
            "lint" => lint(),
            "bench" => bench::run(rest),
            "eval" => measured("eval", rest),
            "acceptance" => acceptance(rest),
            // Its exit code says more than success or failure.
            "verify" => {
                return tools::cargo_code(
                    &[&MEASURED[..], &["acceptance", "--", "services"]].concat(),
                );
            }
            "audit" => audit(rest),
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

/// How a program of the workspace is run that measures the product; its name follows.
const MEASURED: [&str; 4] = ["run", "--release", "--quiet", "--package"];

/// Runs a program of the workspace that measures the product, built as users have it.
fn measured(package: &str, arguments: &[String]) -> Outcome {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    tools::cargo(&[&MEASURED[..], &[package, "--"], &arguments[..]].concat())
}

/// Attacks are made on the program itself, which is expected beside the one that makes them.
fn acceptance(arguments: &[String]) -> Outcome {
    if arguments.first().is_some_and(|it| it == "attacks") {
        tools::cargo(&["build", "--release", "--quiet", "--package", "serve"])?;
    }
    measured("acceptance", arguments)
}

/// Where the advisory database lies.
const ADVISORIES: (&str, u16) = ("github.com", 443);

fn audit(arguments: &[String]) -> Outcome {
    match arguments.first().map(String::as_str) {
        Some("--where-reached") if !tools::is_reached(ADVISORIES) => {
            tools::say(
                "the advisory database cannot be reached from here: advisories are not checked",
            );
            Ok(())
        }
        Some("--where-reached") | None => tools::cargo_deny(&["check", "advisories"]),
        Some(other) => Err(format!("audit knows no {other}")),
    }
}

fn lint() -> Outcome {
    tools::cargo(&["fmt", "--all", "--check"])?;
    tools::cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])?;
    let left_out = "clippy -p models --all-targets --features cuda -- -D warnings";
    tools::cargo(&left_out.split(' ').collect::<Vec<_>>())?;
    // The programs for libFuzzer, without it: nothing is linked, so that no C++ compiler is needed.
    tools::cargo_with(
        &["clippy", "-p", "fuzz", "--features", "libfuzzer", "--bins", "--", "-D", "warnings"],
        &[("CUSTOM_LIBFUZZER_PATH", "target/libfuzzer.a")],
    )?;
    tidy::run()?;
    arrows::check()?;
    tools::cargo_deny(&["check", "bans", "licenses", "sources"])?;
    tools::cargo_with(
        &["doc", "--workspace", "--no-deps", "--document-private-items", "--quiet"],
        &[("RUSTDOCFLAGS", "-D warnings")],
    )?;
    docs::build()
}
