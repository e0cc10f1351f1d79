//! `lyra import`: a task from another graph.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;

use clap::Args;
use graph::ImportError;
use serde_json::json;
use text::messages::Message;

use crate::failure::{Failure, Kind};
use crate::session::Session;
use crate::ui;
use crate::words::{Words, say};

/// Take in a task that `lyra export` wrote
///
/// All of it or nothing: a file with a bad line changes nothing. What this graph already has (a page
/// by its URL, a paper by its DOI, a passage by its text) is recognised and not added again, so
/// importing twice is the same as importing once.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra import investigation.jsonl
  zcat investigation.jsonl.gz | lyra import -

Next: `lyra claims TASK` shows what is claimed, and how sure that is.")]
pub(crate) struct Arguments {
    /// The file, or `-` to read stdin
    file: PathBuf,
}

impl Arguments {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        let export: Box<dyn BufRead> = if self.file.as_os_str() == "-" {
            Box::new(ui::stdin())
        } else {
            let file = files::open(&self.file).map_err(|error| {
                let message = format!("cannot open {}: {error}", self.file.display());
                Failure::bad_input(message).hint(|w| &w.hint.exported_file)
            })?;
            Box::new(BufReader::new(file))
        };
        let graph = session.writer()?;
        let (task, transferred) = graph.import_task(export)?;
        if session.ui.is_json() {
            return session.ui.document(&json!({
                "task_id": task, "added": transferred.rows, "known": transferred.known
            }));
        }
        session.ui.print(&task.to_string())?;
        let (added, known) = (transferred.total(), transferred.known);
        let message = &session.ui.words().transfer.imported;
        session.ui.note(&say!(message, added = added, known = known));
        Ok(())
    }
}

impl From<ImportError> for Failure {
    fn from(error: ImportError) -> Self {
        let hint: fn(&'static Words) -> &'static Message = match error {
            ImportError::Graph(error) => return error.into(),
            ImportError::NotAnExport { .. } => |w| &w.hint.not_an_export,
            ImportError::Newer { .. } => |w| &w.hint.import_newer,
            ImportError::Line { .. } => |w| &w.hint.import_line,
            ImportError::Incomplete => |w| &w.hint.import_incomplete,
            ImportError::Unreadable(_) => |w| &w.hint.import_unreadable,
        };
        Self::new(Kind::BadInput, error).hint(hint)
    }
}
