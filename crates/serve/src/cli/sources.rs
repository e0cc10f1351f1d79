//! `lyra sources`: what can be asked, and what it says exists.

mod list;
mod search;

pub(super) use search::FieldOf;
pub(crate) use search::day;

use ::sources::academic::Academic;
use ::sources::apis::Apis;
use clap::{Args, Subcommand};

use crate::failure::Failure;
use crate::session::Session;

/// List what can be asked, or ask it what exists
///
/// Sources are search engines (`lyra engines`), the academic indexes, official public APIs and folders of
/// your own documents. A file NAME.toml in the folder `sources` beside the configuration file adds a public
/// API or replaces the shipped one.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    List(list::List),
    Search(Box<search::Search>),
}

impl Arguments {
    pub(crate) fn name(&self) -> &'static str {
        match self.command {
            Command::List(_) => "sources list",
            Command::Search(_) => "sources search",
        }
    }

    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        match &self.command {
            Command::List(arguments) => arguments.run(session),
            Command::Search(arguments) => arguments.run(session),
        }
    }
}

impl Session {
    pub(crate) fn academic(&self) -> Academic {
        let settings = &self.settings.academic;
        Academic::new(settings.clone(), settings.likeness.clone())
    }

    /// The public APIs there are. A mistake in a user's file is told, and does not stop the command.
    pub(crate) fn apis(&self) -> Apis {
        let apis = Apis::load(Some(&self.places.sources()), self.settings.apis.clone());
        for problem in apis.problems() {
            self.ui.warn(&format!("{}: {}", problem.file.display(), problem.problem));
        }
        apis
    }
}
