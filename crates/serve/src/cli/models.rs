//! `lyra models`: which models there are, which are active, and what they can do.

pub(crate) mod list;
mod manage;
mod test;

use clap::{Args, Subcommand};

use crate::failure::Failure;
use crate::session::Session;

/// List, add, choose and try models
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    List(list::List),
    Test(test::Test),
    Add(manage::Add),
    Use(manage::Use),
    Remove(manage::Remove),
}

impl Arguments {
    pub(crate) fn name(&self) -> &'static str {
        match self.command {
            Command::List(_) => "models list",
            Command::Test(_) => "models test",
            Command::Add(_) => "models add",
            Command::Use(_) => "models use",
            Command::Remove(_) => "models remove",
        }
    }

    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        match &self.command {
            Command::List(arguments) => arguments.run(session),
            Command::Test(arguments) => arguments.run(session),
            Command::Add(arguments) => arguments.run(session),
            Command::Use(arguments) => arguments.run(session),
            Command::Remove(arguments) => arguments.run(session),
        }
    }
}
