//! `lyra domain`: which domains may be read, why, and who decided.

mod check;
mod decide;
mod list;
mod policy;
mod rates;

use clap::{Args, Subcommand};

use crate::failure::Failure;
use crate::session::Session;

pub(crate) use decide::{Block, Clear, Unblock};

/// Explain and decide which domains may be read
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Check(check::Check),
    List(list::List),
    Log(list::Log),
    Rates(rates::Rates),
    Block(Block),
    Unblock(Unblock),
    Clear(Clear),
    Policy(policy::Policy),
}

impl Arguments {
    pub(crate) fn name(&self) -> &'static str {
        match self.command {
            Command::Check(_) => "domain check",
            Command::List(_) => "domain list",
            Command::Log(_) => "domain log",
            Command::Rates(_) => "domain rates",
            Command::Block(_) => "domain block",
            Command::Unblock(_) => "domain unblock",
            Command::Clear(_) => "domain clear",
            Command::Policy(_) => "domain policy",
        }
    }

    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        match &self.command {
            Command::Check(arguments) => arguments.run(session),
            Command::List(arguments) => arguments.run(session),
            Command::Log(arguments) => arguments.run(session),
            Command::Rates(arguments) => arguments.run(session),
            Command::Block(arguments) => arguments.run(session),
            Command::Unblock(arguments) => arguments.run(session),
            Command::Clear(arguments) => arguments.run(session),
            Command::Policy(arguments) => arguments.run(session),
        }
    }
}
