//! `lyra`: the one binary. It reads the command line, runs one command and ends with its exit code.
//!
//! `cli` holds the commands, one file each; `session` gives them the graph; `ui` is the only
//! module that writes to the terminal, `failure` the only one that decides what an error means,
//! `words` has what is said, in each language.

mod backup;
mod cli;
mod clock;
mod config;
mod engine;
mod failure;
mod feedback;
mod installed;
mod interrupt;
mod library;
mod log;
mod mcp;
mod network;
mod session;
mod tidy;
mod ui;
mod visit;
mod web;
mod words;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().collect();
    if sandbox::is_child(&arguments) {
        return sandbox::run_child(
            &arguments,
            &[extract::HANDLER, sources::SERP_HANDLER, models::HANDLER],
        );
    }
    files::keep_to_owner();
    failure::install_panic_hook();
    cli::run(arguments)
}
