//! `lyra`: the one binary. It reads the command line, runs one command and ends with its exit code.
//!
//! `cli` holds the commands, one file each; `session` gives them the graph; `ui` is the only
//! module that writes to the terminal, `failure` the only one that decides what an error means.

mod cli;
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
mod ui;

use std::process::ExitCode;

fn main() -> ExitCode {
    failure::install_panic_hook();
    cli::run(std::env::args_os().collect())
}
