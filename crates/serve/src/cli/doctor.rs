//! `lyra doctor`: what is there, what is missing, and how to get it.
//!
//! It is the command people run when nothing else works, so nothing that is wrong may stop it: a
//! broken configuration or a damaged database is a line of the report.

mod database;
mod machine;
mod models;
mod salvage;

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::Invocation;
use crate::config::{Config, Places};
use crate::failure::{Failure, Kind};
use crate::session::Session;
use crate::ui::{Column, Table, Ui};

/// Check the installation, the settings and the database; save a damaged one
///
/// Each line is ok, a note, or a problem with what to do about it. Looking changes nothing. Ends with
/// code 5 when there is a problem.
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
        let mut report = Report::default();
        machine::program(&mut report);
        let places = match (invocation.places(), &self.salvage) {
            (Ok(places), _) => places,
            (Err(failure), Some(_)) => return Err(failure),
            (Err(failure), None) => {
                report.failure("places", &failure);
                return report.finish(ui);
            }
        };
        let mut config = self.config(invocation, &places, &mut report);
        for warning in config.warnings.drain(..) {
            report.note("environment", warning);
        }
        // Looked at before the log can create it.
        machine::data_directory(&places, &mut report);
        *ui = invocation.ui(config.settings.output.color);
        let session = Session::start(ui.clone(), config, places, &invocation.environment);
        session.run("doctor", |session| match &self.salvage {
            Some(new) => salvage::save(session, new, &report),
            None => {
                database::check(session, &mut report)?;
                models::check(session, &mut report);
                report.finish(&session.ui)
            }
        })
    }

    /// The settings, or the shipped ones when the user's cannot be used.
    fn config(&self, invocation: &Invocation, places: &Places, report: &mut Report) -> Config {
        let file = &places.config_file.path;
        match invocation.load(places) {
            Ok(config) => {
                report.ok(
                    "settings",
                    match file.exists() {
                        true => file.display().to_string(),
                        false => format!("the defaults; there is no {}", file.display()),
                    },
                );
                config
            }
            Err(failure) => {
                report.failure("settings", &failure);
                report.note("settings", "the rest of this report uses the defaults");
                Config::default()
            }
        }
    }
}

/// One line of the report.
#[derive(Debug, Serialize)]
struct Check {
    name: &'static str,
    state: State,
    found: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum State {
    Ok,
    Note,
    Problem,
}

#[derive(Debug, Default)]
struct Report {
    checks: Vec<Check>,
}

impl Report {
    fn ok(&mut self, name: &'static str, found: impl Into<String>) {
        self.checks.push(Check { name, state: State::Ok, found: found.into(), hint: None });
    }

    fn note(&mut self, name: &'static str, found: impl Into<String>) {
        self.checks.push(Check { name, state: State::Note, found: found.into(), hint: None });
    }

    fn problem(&mut self, name: &'static str, found: impl Into<String>, hint: impl Into<String>) {
        let (found, hint) = (found.into(), Some(hint.into()));
        self.checks.push(Check { name, state: State::Problem, found, hint });
    }

    /// What would have ended another command.
    fn failure(&mut self, name: &'static str, failure: &Failure) {
        let found = [vec![failure.error.to_string()], failure.causes()].concat().join(": ");
        self.checks.push(Check { name, state: State::Problem, found, hint: failure.hint.clone() });
    }

    fn problems(&self) -> usize {
        self.checks.iter().filter(|it| it.state == State::Problem).count()
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
        let columns = [Column::exact("STATE"), Column::exact("WHAT"), Column::text("FOUND")];
        let mut table = Table::new(columns);
        for check in &self.checks {
            let state = match check.state {
                State::Ok => "ok",
                State::Note => "note",
                State::Problem => "problem",
            };
            table.row([state, check.name, &*check.found]);
            if let Some(hint) = &check.hint {
                table.row(["", "", &*format!("hint: {hint}")]);
            }
        }
        table
    }
}

fn found(message: impl Into<String>) -> Failure {
    Failure::new(Kind::Data, message.into()).hint("the report says what to do about each")
}
