//! `lyra report`: what a task found, as something to read, print or process.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use evidence::TaskId;
use report::{Document, ReportSettings};

use super::input::find_task;
use crate::failure::Failure;
use crate::session::{Session, ask};
use crate::ui::pretty_json;
use crate::words::say;

/// Write the report of a task
///
/// The answer first, then each finding with its confidence, independent sources and exact quotes, both
/// sides of each dispute, what was missed and why, and how it was done. The same graph gives the same
/// report.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra report task_01J...
  lyra report task_01J --format text | less
  lyra report task_01J --format html --out report.html
  lyra report task_01J --format json | jq .findings[0]")]
pub(crate) struct Arguments {
    /// The task, or the beginning of its id
    task: String,
    /// How to write it [default: by the ending of --out, else text on a terminal and md elsewhere]
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,
    /// Write to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// What fits on a screen: the answer, disputes, retractions, warnings
    Brief,
    /// Plain text in lines as wide as the terminal
    Text,
    /// Markdown
    Md,
    /// One file to open in a browser or to print
    Html,
    /// Everything, for programs
    Json,
}

/// A file that a report is written to.
#[derive(Debug)]
pub(crate) struct Wanted {
    pub(crate) format: Format,
    path: PathBuf,
}

impl Wanted {
    /// Tells the format from the ending, before anything is done that would be lost.
    pub(crate) fn of_file(path: &Path) -> Result<Self, Failure> {
        let ending = path.extension().and_then(|it| it.to_str()).map(str::to_ascii_lowercase);
        let format = match ending.as_deref() {
            Some("md" | "markdown") => Format::Md,
            Some("txt") => Format::Text,
            Some("html" | "htm") => Format::Html,
            Some("json") => Format::Json,
            _ => {
                let message = format!("{} does not say what kind of report it is", path.display());
                return Err(Failure::bad_input(message).hint(|w| &w.hint.report_ending));
            }
        };
        Ok(Self { format, path: path.to_owned() })
    }

    /// Writes it whole or not at all.
    pub(crate) fn write(&self, text: &str) -> Result<(), Failure> {
        let folder = self.path.parent().filter(|it| !it.as_os_str().is_empty());
        let mut file = tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))?;
        file.write_all(text.as_bytes())?;
        file.as_file().sync_all()?;
        let kept: File = file.persist(&self.path).map_err(|error| error.error)?;
        drop(kept);
        Ok(())
    }
}

impl Arguments {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        let wanted = match (&self.out, self.format) {
            (Some(path), Some(format)) => Some(Wanted { format, path: path.clone() }),
            (Some(path), None) => Some(Wanted::of_file(path)?),
            (None, _) => None,
        };
        let graph = session.reader()?;
        let task = find_task(graph, &self.task)?;
        let usual = match session.ui.is_json() {
            true => Format::Json,
            false if session.ui.is_terminal() => Format::Text,
            false => Format::Md,
        };
        let format = wanted.as_ref().map(|it| it.format).or(self.format).unwrap_or(usual);
        let text = written(session, task, format)?;
        match wanted {
            Some(wanted) => {
                wanted.write(&text)?;
                let written_to = &session.ui.words().common.written_to;
                session.ui.note(&say!(written_to, path = wanted.path.display()));
                Ok(())
            }
            None => session.ui.print(&text),
        }
    }
}

/// The report of a task as text.
pub(crate) fn written(session: &Session, task: TaskId, format: Format) -> Result<String, Failure> {
    let graph = session.reader()?;
    let gathered = ask(graph, |r| {
        let options = ReportSettings {
            graph_fingerprint: Some(r.fingerprint(task)?),
            ..session.settings.report.clone()
        };
        report::gather(r, task, &options)
    })?;
    session.ui.speak(gathered.language);
    let document = Document::of(&gathered);
    Ok(match format {
        Format::Brief if session.ui.is_terminal() => document.brief().text(session.ui.columns()),
        Format::Brief => document.brief().markdown(),
        Format::Text => document.text(session.ui.columns()),
        Format::Md => document.markdown(),
        Format::Html => document.html(),
        Format::Json => pretty_json(&gathered)? + "\n",
    })
}
