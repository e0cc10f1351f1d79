//! `lyra restore`: bring a backup back.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use crate::backup::{self, Manifest, Replaced};
use crate::cli::{Field, minute, print_record, size};
use crate::failure::Failure;
use crate::session::Session;
use crate::ui::quoted;
use crate::words::{Words, say};

/// Check a backup, and put it in the place of the data
///
/// Every file is held against its digest first; a backup that is damaged, cut off or of a newer Lyra changes nothing. Without
/// --yes that is all. What is replaced is kept in a folder `before-restore-...` of the data folder until you delete it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra restore lyra-2026-11.tar.gz
  lyra restore lyra-2026-11.tar.gz --yes
  lyra --data-dir ./elsewhere restore lyra-2026-11.tar.gz --yes

Next: `lyra task list` shows the tasks, `lyra doctor` checks everything.")]
pub(crate) struct Arguments {
    /// What `lyra backup` wrote
    #[arg(value_name = "FILE|DIR")]
    source: PathBuf,
    /// Do it
    #[arg(long)]
    yes: bool,
}

impl Arguments {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        session.go_on()?;
        let ui = &session.ui;
        ui.note(ui.words().backup.checking.as_str());
        if self.yes { self.restore(session) } else { self.look(session) }
    }

    fn look(&self, session: &Session) -> Result<(), Failure> {
        #[derive(Serialize)]
        struct Looked<'a> {
            restored: bool,
            manifest: &'a Manifest,
            replaced: &'a Replaced,
        }
        let (manifest, replaced) = backup::look(session, &self.source)?;
        let ui = &session.ui;
        if ui.is_json() {
            return ui.document(&Looked {
                restored: false,
                manifest: &manifest,
                replaced: &replaced,
            });
        }
        let words = ui.words();
        print_record(ui, &described(words, &manifest, &replaced))?;
        let source = quoted(&self.source.to_string_lossy());
        let command = format!("lyra restore {source} --yes");
        ui.note(&say!(words.tidy.dry_run, command = command));
        Ok(())
    }

    fn restore(&self, session: &Session) -> Result<(), Failure> {
        #[derive(Serialize)]
        struct Done<'a> {
            restored: bool,
            #[serde(flatten)]
            what: &'a backup::Restored,
        }
        let done = backup::restore(session, &self.source)?;
        let ui = &session.ui;
        if ui.is_json() {
            return ui.document(&Done { restored: true, what: &done });
        }
        let words = ui.words();
        print_record(ui, &described(words, &done.manifest, &done.replaced))?;
        match &done.kept_in {
            Some(path) => ui.note(&say!(words.backup.restored_kept, path = path.display())),
            None => ui.note(words.backup.restored.as_str()),
        }
        Ok(())
    }
}

fn described(words: &'static Words, manifest: &Manifest, replaced: &Replaced) -> Vec<Field> {
    let label = &words.backup;
    let written = say!(label.written, time = minute(manifest.created_at), version = manifest.lyra);
    let mut fields = vec![
        (&label.backup, written),
        (&label.tasks, manifest.tasks.to_string()),
        (&label.size, size(manifest.bytes())),
    ];
    let names = replaced.names.join(", ");
    fields.push((
        &label.replaces,
        match (&*names, replaced.tasks) {
            ("", _) => String::from(&words.common.none),
            (names, Some(tasks)) => {
                say!(label.replaces_tasks, names = names, n = tasks, size = size(replaced.bytes))
            }
            (names, None) => say!(label.replaces_names, names = names, size = size(replaced.bytes)),
        },
    ));
    fields
}
