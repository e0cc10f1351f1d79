//! `lyra archive`: the bytes that came back, as they came.

mod list;
pub(crate) mod show;
mod target;
mod verify;

use clap::{Args, Subcommand};

use crate::failure::Failure;
use crate::session::Session;

/// Show and check pages as they were sent
///
/// Requests and answers lie in the folder `archive` of the data directory, in files that other programs
/// for web archives read too.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Show(show::Show),
    List(list::List),
    Verify(verify::Verify),
}

impl Arguments {
    pub(crate) fn name(&self) -> &'static str {
        match self.command {
            Command::Show(_) => "archive show",
            Command::List(_) => "archive list",
            Command::Verify(_) => "archive verify",
        }
    }

    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        match &self.command {
            Command::Show(arguments) => arguments.run(session),
            Command::List(arguments) => arguments.run(session),
            Command::Verify(arguments) => arguments.run(session),
        }
    }
}
