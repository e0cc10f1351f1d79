//! `lyra backup`: everything in one file or folder.

use std::path::PathBuf;

use clap::Args;

use crate::backup;
use crate::cli::{print_record, size};
use crate::failure::Failure;
use crate::session::Session;
use crate::ui::quoted;
use crate::words::say;

/// Copy everything Lyra keeps into one file or folder
///
/// The database, the archived pages, the vault, and manuals that lie in the data folder, all as they are at one moment: other
/// commands and assistants may go on meanwhile. Settings, logs, added models and signed-in sessions
/// are not in it. Everything you asked is: keep it as safe as the data itself.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra backup lyra-2026-11.tar.gz
  lyra backup /mnt/disk/lyra-backup

Next: `lyra restore FILE` checks it and says what it would replace.")]
pub(crate) struct Arguments {
    /// A file ending in .tar.gz or .tgz, or a folder to make; must not exist yet
    #[arg(value_name = "FILE|DIR")]
    target: PathBuf,
}

impl Arguments {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        let written = backup::write(session, &self.target)?;
        let ui = &session.ui;
        if ui.is_json() {
            return ui.document(&written);
        }
        let words = &ui.words().backup;
        let manifest = &written.manifest;
        let pages = manifest.files.iter().filter(|it| it.path.starts_with("archive/")).count();
        print_record(
            ui,
            &[
                (&words.backup, written.written_to.display().to_string()),
                (&words.tasks, manifest.tasks.to_string()),
                (&words.files, say!(words.files_of, n = manifest.files.len(), archive = pages)),
                (&words.size, size(written.bytes)),
            ],
        )?;
        for path in &written.left_out {
            ui.warn(&say!(words.left_out, path = path));
        }
        let command = format!("lyra restore {}", quoted(&self.target.to_string_lossy()));
        ui.note(&say!(words.next, command = command));
        Ok(())
    }
}
