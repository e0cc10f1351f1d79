//! `lyra auth`: pages that ask for a person.

mod list;
mod open;
mod sessions;
mod settle;

use clap::{Args, Subcommand};

use crate::failure::Failure;
use crate::session::Session;

/// Open the pages that ask for a person
///
/// Lyra signs in nowhere and proves nothing: a page that asks for a login or for a proof of being human waits
/// here, and the rest goes on. You open it in a window of its own; what the site then lets you see, it shows Lyra too.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    List(list::List),
    Open(open::Open),
    Done(settle::Done),
    Skip(settle::Skip),
    Sessions(sessions::Sessions),
    Forget(sessions::Forget),
}

impl Arguments {
    pub(crate) fn name(&self) -> &'static str {
        match self.command {
            Command::List(_) => "auth list",
            Command::Open(_) => "auth open",
            Command::Done(_) => "auth done",
            Command::Skip(_) => "auth skip",
            Command::Sessions(_) => "auth sessions",
            Command::Forget(_) => "auth forget",
        }
    }

    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        match &self.command {
            Command::List(arguments) => arguments.run(session),
            Command::Open(arguments) => arguments.run(session),
            Command::Done(arguments) => arguments.run(session),
            Command::Skip(arguments) => arguments.run(session),
            Command::Sessions(arguments) => arguments.run(session),
            Command::Forget(arguments) => arguments.run(session),
        }
    }
}
