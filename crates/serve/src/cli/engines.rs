//! `lyra engines`: which web engines there are, how they are doing, and what they answer.

pub(crate) mod list;
mod test;

use clap::{Args, Subcommand};
use sources::{Engines, HealthSettings};

use crate::failure::Failure;
use crate::session::Session;

/// List the web search engines and how they are doing, or try them
///
/// A file NAME.toml in the folder `engines` beside the configuration file adds an engine or replaces the
/// shipped one.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    List(list::List),
    Test(test::Test),
}

impl Arguments {
    pub(crate) fn name(&self) -> &'static str {
        match self.command {
            Command::List(_) => "engines list",
            Command::Test(_) => "engines test",
        }
    }

    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        match &self.command {
            Command::List(arguments) => arguments.run(session),
            Command::Test(arguments) => arguments.run(session),
        }
    }
}

impl Session {
    /// The engines there are. A mistake in a user's file is told, and does not stop the command.
    pub(crate) fn engines(&self) -> Engines {
        let engines = Engines::load(Some(&self.places.engines()));
        for problem in engines.problems() {
            self.ui.warn(&format!("{}: {}", problem.file.display(), problem.problem));
        }
        engines
    }

    fn engine_health(&self) -> HealthSettings {
        self.settings.engines.health.clone()
    }
}
