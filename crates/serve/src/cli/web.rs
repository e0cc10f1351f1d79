//! `lyra web`: the page.

use std::path::PathBuf;

use clap::Args;

use super::ids::find_task;
use super::{Invocation, complete};
use crate::cli::research::whole;
use crate::failure::Failure;
use crate::ui::Ui;
use crate::web::{self, Opening};

/// Open the page: watch an investigation, weigh and correct it
///
/// Serves this machine only (127.0.0.1), prints an address that lets one browser in, once, and opens it. Everything the
/// page needs is in this program: it loads nothing from anywhere. The database is left to other programs when nothing
/// runs. Ctrl-C ends it; what is at work is paused and goes on where it was.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra web
  lyra web latest
  lyra web --no-open --port 8780
  lyra web --library ./documents --offline

Next: ask something on the page, or see one with `lyra demo --web`.")]
pub(crate) struct Arguments {
    /// Show this first: latest, task:3, or the beginning or end of its id
    #[arg(value_name = "TASK", add = complete::tasks())]
    task: Option<String>,
    /// The port to listen on; 0 takes a free one
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    port: u16,
    /// Print the address and open no browser
    #[arg(long)]
    no_open: bool,
    /// A folder of documents that questions may read, besides those of the setting mcp.library; may be repeated
    #[arg(long, value_name = "DIR")]
    library: Vec<PathBuf>,
}

impl Arguments {
    pub(crate) fn run(&self, invocation: &Invocation, ui: &mut Ui) -> Result<(), Failure> {
        let mut library = Vec::new();
        for folder in &self.library {
            library.push(whole(folder)?);
        }
        let session = invocation.session(ui)?;
        session.run_to_end("web", |session| {
            let path = match &self.task {
                Some(task) => format!("/task/{}", find_task(session.reader()?, task)?),
                None => "/".to_owned(),
            };
            let opening = Opening {
                port: self.port,
                open_browser: !self.no_open,
                path,
                library,
                plans: Vec::new(),
            };
            web::serve(session, opening)
        })
    }
}
