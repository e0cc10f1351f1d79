//! Quality on public data: runs the `eval` crate, which knows the models.

use crate::{Outcome, tools};

pub(crate) fn run(arguments: &[String]) -> Outcome {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    tools::cargo(
        &[&["run", "--release", "--quiet", "--package", "eval", "--"], &arguments[..]].concat(),
    )
}
