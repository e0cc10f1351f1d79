//! `lyra report`: what a task found, as something to read, print, hand on or process.

mod pdf;

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use evidence::TaskId;
use report::{Document, Report, ReportSettings};
use serde::Serialize;

use super::ids::OneTask;
use crate::clock::zone;
use crate::failure::{Failure, Kind};
use crate::session::{Session, ask};
use crate::ui::{USUAL_WIDTH, Ui, pretty_json};
use crate::words::say;

/// Write the report of a task
///
/// Prints the answer: the verdict, the best passage of each side and the findings about the question, also where `--out`
/// writes the whole report to a file. `--full` and `--format` print the whole report: each finding with its confidence, independent sources and exact quotes, both sides
/// of each dispute, what was missed and why, and how it was done. The same graph gives the same report.
///
/// PDF is printed by a browser that is installed (Chromium, Chrome or Edge); DOCX opens in Word and
/// LibreOffice. RIS, BibTeX and CSL-JSON hold the cited sources, for Zotero and other managers of
/// references; CSV has a row for each document and what it says.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra report
  lyra report task:2 --full | less
  lyra report latest --out report.html
  lyra report latest --out report.pdf
  lyra report latest --format ris --out sources.ris
  lyra report latest --out documents.csv
  lyra report latest --format json | jq .findings[0]")]
pub(crate) struct Arguments {
    #[command(flatten)]
    task: OneTask,
    /// Print the whole report: as text on a terminal, as Markdown elsewhere
    #[arg(long, conflicts_with_all = ["format", "out"])]
    full: bool,
    /// How to write it [default: by the ending of --out, else brief]
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,
    /// Write to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// The answer in a screen or two
    Brief,
    /// Plain text in lines as wide as the terminal
    Text,
    /// Markdown
    Md,
    /// One file to open in a browser or to print
    Html,
    /// Everything, for programs
    Json,
    /// PDF, printed by a browser of this machine
    Pdf,
    /// A document for Word, LibreOffice or Pages
    Docx,
    /// The cited sources, for managers of references
    Ris,
    /// The cited sources, for LaTeX
    Bibtex,
    /// The cited sources, for Zotero, Pandoc and citation styles
    CslJson,
    /// A row for each document and what it says, for spreadsheets
    Csv,
}

impl Format {
    /// Whether a terminal can show it.
    fn is_text(self) -> bool {
        !matches!(self, Self::Pdf | Self::Docx)
    }
}

/// A file that a report is written to.
#[derive(Debug)]
pub(crate) struct Wanted {
    format: Format,
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
            Some("json") if is_csl(path) => Format::CslJson,
            Some("json") => Format::Json,
            Some("pdf") => Format::Pdf,
            Some("docx") => Format::Docx,
            Some("ris") => Format::Ris,
            Some("bib") => Format::Bibtex,
            Some("csv") => Format::Csv,
            _ => {
                let message = format!("{} does not say what kind of report it is", path.display());
                return Err(Failure::bad_input(message).hint(|w| &w.hint.report_ending));
            }
        };
        Self::new(path, format)
    }

    /// A file in a folder that is there: nobody wants to learn after a search that it is not.
    fn new(path: &Path, format: Format) -> Result<Self, Failure> {
        let wanted = Self { format, path: path.to_owned() };
        if wanted.folder().is_dir() {
            return Ok(wanted);
        }
        let message = format!("there is no folder {}", wanted.folder().display());
        Err(Failure::bad_input(message).hint(|w| &w.hint.report_folder))
    }

    fn folder(&self) -> &Path {
        let folder = self.path.parent().filter(|it| !it.as_os_str().is_empty());
        folder.unwrap_or(Path::new("."))
    }

    /// Writes it whole or not at all, and says where it is.
    pub(crate) fn write(&self, ui: &Ui, gathered: &Report) -> Result<(), Failure> {
        let bytes = bytes_of(ui, gathered, self.format)?;
        self.put(&bytes).map_err(|error| {
            let message = format!("cannot write {}: {error}", self.path.display());
            Failure::new(Kind::Data, message).hint(|w| &w.hint.report_folder)
        })?;
        ui.note(&say!(ui.words().common.written_to, path = self.path.display()));
        Ok(())
    }
}

impl Wanted {
    /// Whole or not at all.
    fn put(&self, bytes: &[u8]) -> io::Result<()> {
        let mut file = tempfile::NamedTempFile::new_in(self.folder())?;
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        let kept: File = file.persist(&self.path).map_err(|error| error.error)?;
        drop(kept);
        Ok(())
    }
}

/// `sources.csl.json`: what Zotero and Pandoc call such a file.
fn is_csl(path: &Path) -> bool {
    let stem = path.file_stem().map(Path::new).and_then(Path::extension);
    stem.is_some_and(|it| it.eq_ignore_ascii_case("csl"))
}

impl Arguments {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        let wanted = match (&self.out, self.format) {
            (Some(path), Some(format)) => Some(Wanted::new(path, format)?),
            (Some(path), None) => Some(Wanted::of_file(path)?),
            (None, _) => None,
        };
        let graph = session.reader()?;
        let task = self.task.find(graph)?;
        let usual = match session.ui.is_json() {
            true => Format::Json,
            false => shown(&session.ui, self.full),
        };
        let format = self.format.unwrap_or(usual);
        if wanted.is_none() && !format.is_text() {
            let problem = match (session.ui.is_json(), session.ui.is_terminal()) {
                (true, _) => Some("JSON cannot hold this format"),
                (_, true) => Some("a terminal cannot show this format"),
                _ => None,
            };
            if let Some(problem) = problem {
                return Err(Failure::bad_input(problem).hint(|w| &w.hint.report_to_file));
            }
        }
        let gathered = gathered(session, task)?;
        let ui = &session.ui;
        if let Some(wanted) = &wanted {
            wanted.write(ui, &gathered)?;
        }
        if ui.is_json() {
            return match self.format {
                // The answer itself: a program gets all of it.
                _ if wanted.is_some() => ui.whole_document(&gathered),
                None | Some(Format::Json) => ui.whole_document(&gathered),
                Some(format) => ui.document(&Written::of(ui, &gathered, format)?),
            };
        }
        if wanted.is_some() {
            return ui.write(&to_screen(ui, &gathered, usual)?);
        }
        ui.write(&to_screen(ui, &gathered, format)?)?;
        if format == Format::Brief {
            ui.note(&say!(ui.words().research.more, task = task));
        }
        Ok(())
    }
}

/// A report in the form that was asked for, inside of the one document of a command.
#[derive(Debug, Serialize)]
struct Written {
    task_id: TaskId,
    format: String,
    report: String,
}

impl Written {
    fn of(ui: &Ui, gathered: &Report, format: Format) -> Result<Self, Failure> {
        let name = format.to_possible_value().map(|it| it.get_name().to_owned());
        let text = bytes_of(ui, gathered, format)?;
        Ok(Self {
            task_id: gathered.task_id,
            format: name.unwrap_or_default(),
            report: String::from_utf8_lossy(&text).into_owned(),
        })
    }
}

/// How an answer is shown where nobody said how: in short, or all of it.
pub(crate) fn shown(ui: &Ui, full: bool) -> Format {
    match full {
        false => Format::Brief,
        true if ui.is_terminal() => Format::Text,
        true => Format::Md,
    }
}

/// What the graph says of a task.
pub(crate) fn gathered(session: &Session, task: TaskId) -> Result<Report, Failure> {
    let graph = session.reader()?;
    let gathered = ask(graph, |r| {
        let options = ReportSettings {
            graph_fingerprint: Some(r.fingerprint(task)?),
            language: session.ui.chosen_language(),
            ..session.settings.report.clone()
        };
        report::gather(r, task, &options)
    })?;
    session.ui.speak(gathered.language);
    Ok(gathered)
}

/// A report as it is printed: in lines as wide as the terminal, and styled where that can be shown.
pub(crate) fn to_screen(ui: &Ui, gathered: &Report, format: Format) -> Result<Vec<u8>, Failure> {
    let document = match format {
        Format::Brief => Document::short(gathered),
        Format::Text => Document::in_zone(gathered, &zone()),
        _ => return bytes_of(ui, gathered, format),
    };
    let text = match ui.is_styled() {
        true => document.styled(ui.columns()),
        false => document.text(ui.columns()),
    };
    Ok(text.into_bytes())
}

/// A report as the bytes of a file.
pub(crate) fn bytes_of(ui: &Ui, gathered: &Report, format: Format) -> Result<Vec<u8>, Failure> {
    let document = || Document::in_zone(gathered, &zone());
    let text = match format {
        Format::Brief => Document::short(gathered).text(USUAL_WIDTH),
        Format::Text => document().text(USUAL_WIDTH),
        Format::Md => document().markdown(),
        Format::Html => document().html(),
        Format::Json => pretty_json(gathered)? + "\n",
        Format::Pdf => return pdf::printed(ui, &document().html()),
        Format::Docx => return Ok(document().docx()),
        Format::Ris => gathered.ris(),
        Format::Bibtex => gathered.bibtex(),
        Format::CslJson => pretty_json(&gathered.csl())? + "\n",
        Format::Csv => gathered.csv(),
    };
    Ok(text.into_bytes())
}
