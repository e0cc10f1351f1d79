//! Measures models and search on public data and prints what came out as Markdown.
//!
//! `cargo xtask eval stance|embed|retrieval|scifact|language|extraction|injection|pdf|answers --data DIR`.
//! The data stays where it is; a set that is not there is named and left out. Read [`stance`],
//! [`embed`], [`retrieval`], [`scifact`], [`language`], [`extraction`], [`injection`], [`pdf`] and [`answers`] for what is
//! measured, [`metrics`] for how, [`fusion`] for how two rankings become one.

mod answers;
mod arguments;
mod data;
mod embed;
mod extraction;
mod fusion;
mod injection;
mod language;
mod metrics;
mod model;
mod pdf;
mod process;
mod report;
mod retrieval;
mod scifact;
mod stance;

use std::error::Error;
use std::fs;
use std::process::ExitCode;

use crate::report::Report;
use arguments::{Arguments, Subject, USAGE};

/// A failure, as a person reads it.
type Failure = Box<dyn Error>;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match Arguments::parse(&words).map_err(Failure::from).and_then(|it| run(&it)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            report::progress(&format!("eval: {problem}\n\n{USAGE}"));
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    let report = match arguments.subject {
        Subject::Stance => stance::run(arguments)?,
        Subject::Embed => embed::run(arguments)?,
        Subject::Retrieval => retrieval::run(arguments)?,
        Subject::SciFact => scifact::run(arguments)?,
        Subject::Language => language::run(arguments)?,
        Subject::Extraction => extraction::run(arguments)?,
        Subject::Pdf => pdf::run(arguments)?,
        Subject::Answers => answers::run(arguments)?,
        Subject::Injection => injection::run(arguments)?,
    };
    let Report { markdown, json } = report;
    if let Some(path) = &arguments.json {
        let text = serde_json::to_string_pretty(&json)? + "\n";
        fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    report::print(&markdown);
    Ok(())
}
