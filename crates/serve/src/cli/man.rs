//! `lyra man`: the manual, from the same words as `--help`.

use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, CommandFactory};
use clap_mangen::Man;
use serde_json::json;

use super::Cli;
use super::reference::commands;
use crate::failure::{Failure, Kind};
use crate::ui::{Ui, clean};
use crate::words::say;

/// Print the manual page, or write those of all commands
///
/// Manual pages are in English; `--markdown` and `lyra COMMAND --help` are in your language.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra man | man -l -
  lyra man --dir ~/.local/share/man/man1
  lyra man --markdown > commands.md")]
pub(crate) struct Arguments {
    /// Write lyra.1, lyra-task.1 and the others into this folder
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Print every command as one page of Markdown
    #[arg(long, conflicts_with = "dir")]
    markdown: bool,
}

impl Arguments {
    pub(crate) fn run(&self, ui: &Ui) -> Result<(), Failure> {
        match &self.dir {
            Some(dir) => {
                write_pages(dir).map_err(|source| {
                    let error = CannotWrite { dir: dir.clone(), source };
                    Failure::new(Kind::BadInput, error).hint(|w| &w.hint.writable_folder)
                })?;
                if ui.is_json() {
                    return ui.document(&json!({ "dir": dir.to_string_lossy() }));
                }
                let folder = clean(&dir.to_string_lossy());
                ui.note(&say!(ui.words().transfer.manual_pages, folder = folder));
                Ok(())
            }
            None if self.markdown => {
                let page = commands(ui.language_of_words());
                if ui.is_json() { ui.document(&json!({ "page": page })) } else { ui.print(&page) }
            }
            None => {
                let mut page = Vec::new();
                Man::new(Cli::command()).render(&mut page)?;
                if ui.is_json() {
                    return ui.document(&json!({ "page": String::from_utf8_lossy(&page) }));
                }
                ui.write(&page)
            }
        }
    }
}

fn write_pages(dir: &Path) -> io::Result<()> {
    std::fs::create_dir_all(dir)?;
    clap_mangen::generate_to(Cli::command(), dir)
}

#[derive(Debug, thiserror::Error)]
#[error("cannot write manual pages into {}", dir.display())]
struct CannotWrite {
    dir: PathBuf,
    source: io::Error,
}
