//! One binary for all tests that run `lyra` as a user would. One command, one file.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop where it stands")]

mod cli;
mod cli_calibration;
mod cli_claims;
mod cli_completions;
mod cli_config;
mod cli_demo;
mod cli_domain;
mod cli_export;
mod cli_feedback;
mod cli_import;
mod cli_man;
mod cli_task;
mod support;
mod world;
