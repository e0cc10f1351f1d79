//! `lyra refs`: whether the references of a text are true.

mod check;
mod show;

use clap::{Args, Subcommand};

use crate::failure::Failure;
use crate::session::Session;

/// Check references: do they exist, and say what they are cited for
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Check(check::Check),
}

impl Arguments {
    pub(crate) fn name(&self) -> &'static str {
        match self.command {
            Command::Check(_) => "refs check",
        }
    }

    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        match &self.command {
            Command::Check(arguments) => arguments.run(session),
        }
    }
}
