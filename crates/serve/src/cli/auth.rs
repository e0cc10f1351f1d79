//! `lyra auth`: pages that ask for a person.

mod list;

use clap::{Args, Subcommand};

use crate::failure::Failure;
use crate::session::Session;

/// Show which pages ask for a person
///
/// Lyra signs in nowhere and proves nothing: a page that asks for a login or for a proof of being human waits
/// here, and the rest goes on.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    List(list::List),
}

impl Arguments {
    pub(crate) fn name(&self) -> &'static str {
        match self.command {
            Command::List(_) => "auth list",
        }
    }

    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        match &self.command {
            Command::List(arguments) => arguments.run(session),
        }
    }
}
