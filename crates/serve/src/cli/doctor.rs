//! `lyra doctor`: what is there, what is missing, and how to get it.
//!
//! It is the command people run when nothing else works, so nothing that is wrong may stop it: a
//! broken configuration or a damaged database is a line of the report.

mod database;
mod machine;
mod models;
mod salvage;
mod strangers;

use std::path::PathBuf;

use clap::Args;
use report::Language;
use serde::Serialize;
use text::messages::Message;

use super::Invocation;
use crate::config::{Config, Places};
use crate::failure::{Failure, Kind};
use crate::session::Session;
use crate::ui::{Column, Table, Ui};
use crate::words::{Doctor, Words, say};

/// Check installation, settings and database; save a damaged one
///
/// Each line is ok, a note, or a problem with what to do about it. Looking changes nothing; without
/// --offline it tries whether engines can be reached, and sends them nothing. Ends with code 5 when
/// there is a problem.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra doctor
  lyra doctor --json
  lyra doctor --salvage ~/saved/lyra.db && lyra --data-dir ~/saved task list

Next: `lyra config path` shows which files are used.")]
pub(crate) struct Arguments {
    /// Bring what can be read of a damaged database into this new file; the old one stays as it is
    #[arg(long, value_name = "NEW.db")]
    salvage: Option<PathBuf>,
}

impl Arguments {
    pub(crate) fn run(&self, invocation: &Invocation, ui: &mut Ui) -> Result<(), Failure> {
        let mut report = Report::new(ui);
        machine::program(&mut report);
        let places = match (invocation.places(), &self.salvage) {
            (Ok(places), _) => places,
            (Err(failure), Some(_)) => return Err(failure),
            (Err(failure), None) => {
                report.failure(|d| &d.places, &failure);
                return report.finish(ui);
            }
        };
        let mut config = self.config(invocation, &places, &mut report);
        for warning in config.warnings.drain(..) {
            report.note(|d| &d.environment, warning);
        }
        config.settings.fetch.offline |= invocation.global.offline;
        // Looked at before the log can create it.
        machine::data_directory(&places, &mut report);
        *ui = invocation.ui(&config.settings.output);
        let session = Session::start(ui.clone(), config, places, &invocation.environment);
        session.run("doctor", |session| match &self.salvage {
            Some(new) => salvage::save(session, new, &report),
            None => {
                database::check(session, &mut report)?;
                models::check(session, &mut report);
                strangers::check(session, &mut report);
                report.finish(&session.ui)
            }
        })
    }

    /// The settings, or the shipped ones when the user's cannot be used.
    fn config(&self, invocation: &Invocation, places: &Places, report: &mut Report) -> Config {
        let file = &places.config_file.path;
        match invocation.load(places) {
            Ok(config) => {
                let found = match file.exists() {
                    true => file.display().to_string(),
                    false => say!(report.words.doctor.defaults, file = file.display()),
                };
                report.ok(|d| &d.settings, found);
                config
            }
            Err(failure) => {
                report.failure(|d| &d.settings, &failure);
                report.note(|d| &d.settings, &report.words.doctor.rest_uses_defaults);
                Config::default()
            }
        }
    }
}

/// What the report of a session that is at work says, in this language.
pub(crate) fn checks(session: &Session, language: Language) -> Result<Vec<Check>, Failure> {
    let mut report = Report { words: Words::of(language), checks: Vec::new() };
    machine::program(&mut report);
    machine::data_directory(&session.places, &mut report);
    database::check(session, &mut report)?;
    models::check(session, &mut report);
    strangers::check(session, &mut report);
    Ok(report.checks)
}

/// One line of the report.
#[derive(Debug, Serialize)]
pub(crate) struct Check {
    pub(crate) name: &'static str,
    pub(crate) state: State,
    pub(crate) found: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hint: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum State {
    Ok,
    Note,
    Problem,
}

/// The name of a check.
type Name = fn(&'static Doctor) -> &'static Message;

#[derive(Debug)]
struct Report {
    words: &'static Words,
    checks: Vec<Check>,
}

impl Report {
    fn new(ui: &Ui) -> Self {
        Self { words: ui.words(), checks: Vec::new() }
    }

    fn add(&mut self, name: Name, state: State, found: String, hint: Option<String>) {
        let name = name(&self.words.doctor).as_str();
        let found = self.words.code(found);
        self.checks.push(Check { name, state, found, hint });
    }

    fn ok(&mut self, name: Name, found: impl Into<String>) {
        self.add(name, State::Ok, found.into(), None);
    }

    fn note(&mut self, name: Name, found: impl Into<String>) {
        self.add(name, State::Note, found.into(), None);
    }

    fn problem(&mut self, name: Name, found: impl Into<String>, hint: impl Into<String>) {
        self.add(name, State::Problem, found.into(), Some(hint.into()));
    }

    /// What would have ended another command.
    fn failure(&mut self, name: Name, failure: &Failure) {
        let found = [vec![failure.error.to_string()], failure.causes()].concat();
        let found: Vec<String> = found.iter().map(|it| self.words.code(it)).collect();
        let hint = failure.hint.as_ref().map(|hint| hint.text(self.words));
        self.add(name, State::Problem, found.join(": "), hint);
    }

    fn problems(&self) -> usize {
        self.checks.iter().filter(|check| check.state == State::Problem).count()
    }

    fn finish(&self, ui: &Ui) -> Result<(), Failure> {
        let problems = self.problems();
        if ui.is_json() {
            #[derive(Serialize)]
            struct Document<'a> {
                problems: usize,
                checks: &'a [Check],
            }
            ui.verdict(problems == 0, &Document { problems, checks: &self.checks })?;
        } else {
            ui.print(&self.table().render(ui.layout(usize::MAX)))?;
        }
        match problems {
            0 => Ok(()),
            1 => Err(found("1 problem was found")),
            several => Err(found(format!("{several} problems were found"))),
        }
    }

    fn table(&self) -> Table {
        let (words, column) = (&self.words.doctor, &self.words.column);
        let mut table = Table::new([
            Column::exact(&column.state),
            Column::exact(&column.what),
            Column::text(&column.found),
        ]);
        for check in &self.checks {
            let state = match check.state {
                State::Ok => &words.ok,
                State::Note => &words.note,
                State::Problem => &words.problem,
            };
            table.row([state.as_str(), check.name, &*check.found]);
            if let Some(hint) = &check.hint {
                table.row(["", "", &*say!(words.hint, hint = hint)]);
            }
        }
        table
    }
}

fn found(message: impl Into<String>) -> Failure {
    Failure::new(Kind::Data, message.into()).hint(|w| &w.hint.doctor_each)
}
