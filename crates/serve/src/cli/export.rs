//! `lyra export`: a task and everything it rests on, for another graph or a notebook.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use evidence::TaskId;
use graph::{ExportError, Graph, Transferred};
use serde_json::{Value, json};

use super::ids::OneTask;
use crate::failure::{Failure, Kind};
use crate::session::Session;
use crate::words::say;

/// Write a task out, for another graph or for notebooks
///
/// JSON Lines goes to stdout unless --output names a file; `lyra import` reads it back as the same
/// graph. It holds the task's pages, passages, claims, edges, vectors and the log of their causes, and
/// nothing about other tasks. Signed-in sessions never leave the database; the ledger of requests and the
/// archived bytes stay where they were made.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra export latest > investigation.jsonl
  lyra export latest --output investigation.jsonl
  lyra export latest --csv ./tables

Next: `lyra import FILE` on the other machine.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    task: OneTask,
    /// Write to this file instead of stdout; it must not exist yet
    #[arg(short, long, value_name = "FILE", conflicts_with = "csv")]
    output: Option<PathBuf>,
    /// Write one CSV file a table into this folder instead
    #[arg(long, value_name = "DIR")]
    csv: Option<PathBuf>,
    /// With --csv: leave texts that begin with = + - or @ as they are; a spreadsheet may run them as formulas
    #[arg(long, requires = "csv")]
    raw: bool,
}

impl Arguments {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        let graph = session.reader()?;
        let task = self.task.find(graph)?;
        let (transferred, place) = match (&self.csv, &self.output) {
            (Some(folder), _) => (graph.export_csv(task, folder, self.raw)?, folder),
            (None, Some(file)) => (export_file(graph, task, file)?, file),
            (None, None) if session.ui.is_document() => {
                return export_document(graph, task, session);
            }
            // The export itself is the answer: nothing else may be on stdout.
            (None, None) => return export_stdout(graph, task, session),
        };
        if session.ui.is_json() {
            return session.ui.document(&json!({
                "task_id": task, "written_to": place, "rows": transferred.rows
            }));
        }
        let (rows, message) = (transferred.total(), &session.ui.words().transfer.exported_to);
        session.ui.note(&say!(message, rows = rows, task = task, path = place.display()));
        Ok(())
    }
}

/// The lines of an export in the one document of a command.
fn export_document(graph: &Graph, task: TaskId, session: &Session) -> Result<(), Failure> {
    let mut out = Vec::new();
    let transferred = graph.export_task(task, &mut out)?;
    let lines = serde_json::Deserializer::from_slice(&out).into_iter::<Value>();
    let lines: Vec<Value> =
        lines.collect::<Result<_, _>>().map_err(|error| Failure::new(Kind::Internal, error))?;
    session.ui.document(&json!({ "task_id": task, "rows": transferred.rows, "lines": lines }))
}

fn export_stdout(graph: &Graph, task: TaskId, session: &Session) -> Result<(), Failure> {
    let mut out = BufWriter::new(io::stdout().lock());
    let transferred = graph.export_task(task, &mut out)?;
    out.flush()?;
    let message = &session.ui.words().transfer.exported;
    session.ui.note(&say!(message, rows = transferred.total()));
    Ok(())
}

/// Writes beside the final name first, so that a file of that name is always whole.
fn export_file(graph: &Graph, task: TaskId, file: &Path) -> Result<Transferred, Failure> {
    if file.exists() {
        return Err(Failure::bad_input(format!("{} exists already", file.display()))
            .hint(|w| &w.hint.other_name));
    }
    let mut part = file.as_os_str().to_owned();
    part.push(".part");
    let part = PathBuf::from(part);
    let written = write_and_sync(graph, task, &part)
        .and_then(|it| fs::rename(&part, file).map(|()| it).map_err(ExportError::from));
    if written.is_err() && part.exists() {
        fs::remove_file(&part)?;
    }
    Ok(written?)
}

fn write_and_sync(graph: &Graph, task: TaskId, part: &Path) -> Result<Transferred, ExportError> {
    let mut out = BufWriter::new(File::create(part)?);
    let transferred = graph.export_task(task, &mut out)?;
    out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
    Ok(transferred)
}

impl From<ExportError> for Failure {
    fn from(error: ExportError) -> Self {
        match error {
            ExportError::Graph(error) => error.into(),
            ExportError::Unwritable(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                Self::new(Kind::BrokenPipe, error)
            }
            error @ ExportError::Unwritable(_) => {
                Self::new(Kind::Data, error).hint(|w| &w.hint.export_folder)
            }
        }
    }
}
