//! The command line: what can be typed, and which file answers it.
//!
//! One command is one file here, with its arguments, its help and its answer. Commands that only
//! print (`config`, `completions`, `man`) touch neither the data directory nor the log.

pub(crate) mod answer;
pub(crate) mod archive;
mod auth;
mod backup;
mod calibration;
mod claims;
mod complete;
mod completions;
pub(crate) mod config;
mod crawl;
mod demo;
pub(crate) mod doctor;
mod domain;
mod egress;
pub(crate) mod engines;
mod evidence;
mod export;
mod feedback;
mod find;
mod gc;
mod guesses;
mod help;
mod ids;
mod import;
pub(crate) mod input;
mod log;
mod man;
mod manual;
mod mcp;
pub(crate) mod models;
mod old_names;
mod question;
mod read;
mod reference;
mod refs;
pub(crate) mod report;
mod research;
mod restore;
mod rows;
mod since;
pub(crate) mod sources;
mod sql;
mod task;
mod usage;
mod vault;
mod versions;
mod views;
mod web;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::LazyLock;

use clap::builder::RangedI64ValueParser;
use clap::{Args, Parser, Subcommand};
use settings::Section;
use text::messages::Message;

use crate::clock::minute;
use crate::config::{
    ColorChoice, Config, ConfigFile, Environment, OutputSettings, Places, Platform, Sources,
};
use crate::failure::{Failure, guarded};
use crate::session::Session;
use crate::ui::{Call, Json, Ui, Wishes, record};
use crate::words::{Words, say};

static VERSION: LazyLock<String> =
    LazyLock::new(|| format!("{} (schema {})", env!("CARGO_PKG_VERSION"), graph::SCHEMA_VERSION));

const EXIT_CODES: &str = "\
Exit codes:
    0  done
    1  a bug in Lyra; the message carries an error id
    2  the command line or what was given cannot be used
    3  nothing is stored under this id
    4  the configuration cannot be used
    5  the data directory or the database cannot be used
    6  another process is using the database
    7  a limit was reached
    8  a page could not be fetched
    9  what was checked is not as it should be
  130  interrupted (Ctrl-C)

Environment:
  LYRA_CONFIG             the configuration file, like --config
  LYRA_DATA_DIR           the data directory, like --data-dir
  LYRA_<SECTION>_<KEY>    any setting, e.g. LYRA_TASK_MAX_PAGES=40
  LYRA_LOG                what to log, e.g. debug, or info,graph=trace
  NO_COLOR                no colour, unless --color always
  LC_ALL, LANG            Japanese messages if it begins with ja";

/// A local-first research engine that keeps its evidence in a graph anybody can audit
///
/// Lyra keeps questions (tasks), the pages and passages found for them, the claims taken from those,
/// and which passage supports or refutes which claim. Answers go to stdout, everything else to stderr.
#[derive(Debug, Parser)]
#[command(
    name = "lyra",
    version = VERSION.as_str(),
    max_term_width = 100,
    after_help = "Start with `lyra demo`, then `lyra \"your question\"`; `lyra help COMMAND` explains a command.",
    after_long_help = EXIT_CODES
)]
pub(crate) struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Options of every command")]
pub(crate) struct Global {
    /// Answer with one JSON document; failures too, on stderr
    #[arg(long, global = true)]
    json: bool,
    /// Answer in lines of JSON: what happens, and the answer last
    #[arg(long, global = true, conflicts_with = "json")]
    json_lines: bool,
    /// Print answers and errors only
    #[arg(short, long, global = true)]
    quiet: bool,
    /// When to use colour [default: the setting output.color]
    #[arg(long, global = true, value_name = "WHEN")]
    color: Option<ColorChoice>,
    /// Folder of the database and the logs
    #[arg(long, global = true, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// Configuration file
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Send nothing over the network
    #[arg(long, global = true)]
    offline: bool,
    /// Change a setting for this run, e.g. task.max_pages=40; may be repeated
    #[arg(long, global = true, value_name = "KEY=VALUE")]
    set: Vec<String>,
}

impl Global {
    fn json(&self) -> Json {
        match (self.json, self.json_lines) {
            (_, true) => Json::Lines,
            (true, _) => Json::Document,
            _ => Json::No,
        }
    }

    /// What commands that are printed must be called with to find the same data in the same way.
    fn call(&self) -> Call {
        let mut call = Call::default();
        let folders = [("--data-dir", &self.data_dir), ("--config", &self.config)];
        for (name, path) in folders {
            if let Some(path) = path {
                call = call.option(name, Some(path.as_os_str()));
            }
        }
        if self.offline {
            call = call.option("--offline", None);
        }
        self.set.iter().fold(call, |call, it| call.option("--set", Some(OsStr::new(it))))
    }
}

#[derive(Debug, Subcommand)]
enum Command {
    Research(research::Arguments),
    Report(report::Arguments),
    Task(task::Arguments),
    Claims(claims::Arguments),
    Evidence(evidence::Arguments),
    Refs(refs::Arguments),
    Find(find::Arguments),
    Read(read::Arguments),
    Manual(manual::Arguments),
    Vault(vault::Arguments),
    Crawl(crawl::Arguments),
    Versions(versions::Arguments),
    Views(views::Arguments),
    Sql(sql::Arguments),
    Feedback(feedback::Arguments),
    Domain(domain::Arguments),
    Sources(sources::Arguments),
    Engines(engines::Arguments),
    Calibration(calibration::Arguments),
    Models(models::Arguments),
    Auth(auth::Arguments),
    Mcp(mcp::Arguments),
    Web(web::Arguments),
    Answer(answer::Arguments),
    Archive(archive::Arguments),
    Egress(egress::Arguments),
    Log(log::Arguments),
    Export(export::Arguments),
    Import(import::Arguments),
    Backup(backup::Arguments),
    Restore(restore::Arguments),
    Gc(gc::Arguments),
    Doctor(doctor::Arguments),
    Demo(demo::Arguments),
    Config(config::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
}

/// Runs the command that `arguments` spell out, and says with which code to end.
pub(crate) fn run(arguments: Vec<OsString>) -> ExitCode {
    let environment = Environment::of_process();
    match complete::answer_shell(&arguments, &environment) {
        Ok(true) => return ExitCode::SUCCESS,
        Ok(false) => {}
        Err(error) => error.exit(),
    }
    let arguments = question::as_command(arguments);
    let cli = match Cli::try_parse_from(&arguments) {
        Ok(cli) => cli,
        Err(error) => return end(usage::answer(&error, &arguments, &environment)),
    };
    let invocation = Invocation { global: cli.global, environment };
    let mut ui = invocation.ui(&invocation.output());
    for (old, new) in old_names::used(&arguments) {
        ui.warn(&say!(ui.words().usage.renamed, old = old, new = new));
    }
    end(match guarded(|| invocation.dispatch(cli.command, &mut ui)) {
        Ok(()) => 0,
        Err(failure) => {
            ui.failure(&failure);
            failure.kind.exit_code()
        }
    })
}

fn end(code: u8) -> ExitCode {
    ExitCode::from(code)
}

/// What surrounds a command: the flags every command has, and the environment.
#[derive(Debug, Clone)]
pub(crate) struct Invocation {
    global: Global,
    environment: Environment,
}

impl Invocation {
    fn dispatch(&self, command: Option<Command>, ui: &mut Ui) -> Result<(), Failure> {
        match command {
            None => ui.print(&help::command(ui.language()).render_help().to_string()),
            Some(Command::Config(arguments)) => arguments.run(self, ui),
            Some(Command::Doctor(arguments)) => arguments.run(self, ui),
            Some(Command::Completions(arguments)) => arguments.run(ui),
            Some(Command::Man(arguments)) => arguments.run(ui),
            Some(Command::Demo(arguments)) => arguments.run(|folder| self.session_in(ui, folder)),
            Some(Command::Research(arguments)) => {
                self.session(ui)?.run("research", |session| arguments.run(session))
            }
            Some(Command::Report(arguments)) => {
                self.session(ui)?.run("report", |session| arguments.run(session))
            }
            Some(Command::Task(arguments)) => {
                self.session(ui)?.run(arguments.name(), |session| arguments.run(session))
            }
            Some(Command::Claims(arguments)) => {
                self.session(ui)?.run("claims", |session| arguments.run(session))
            }
            Some(Command::Evidence(arguments)) => {
                self.session(ui)?.run("evidence", |session| arguments.run(session))
            }
            Some(Command::Refs(arguments)) => {
                self.session(ui)?.run(arguments.name(), |session| arguments.run(session))
            }
            Some(Command::Versions(arguments)) => {
                self.session(ui)?.run("versions", |session| arguments.run(session))
            }
            Some(Command::Find(arguments)) => {
                self.session(ui)?.run("find", |session| arguments.run(session))
            }
            Some(Command::Read(arguments)) => {
                self.session(ui)?.run("read", |session| arguments.run(session))
            }
            Some(Command::Manual(arguments)) => {
                self.session(ui)?.run(arguments.name(), |session| arguments.run(session))
            }
            Some(Command::Vault(arguments)) => {
                self.session(ui)?.run(arguments.name(), |session| arguments.run(session))
            }
            Some(Command::Crawl(arguments)) => {
                self.session(ui)?.run("crawl", |session| arguments.run(session))
            }
            Some(Command::Views(arguments)) => {
                self.session(ui)?.run("views", |session| arguments.run(session))
            }
            Some(Command::Sql(arguments)) => {
                self.session(ui)?.run("sql", |session| arguments.run(session))
            }
            Some(Command::Feedback(arguments)) => {
                self.session(ui)?.run(arguments.name(), |session| arguments.run(session))
            }
            Some(Command::Domain(arguments)) => {
                self.session(ui)?.run(arguments.name(), |session| arguments.run(session))
            }
            Some(Command::Sources(arguments)) => {
                self.session(ui)?.run(arguments.name(), |session| arguments.run(session))
            }
            Some(Command::Engines(arguments)) => {
                self.session(ui)?.run(arguments.name(), |session| arguments.run(session))
            }
            Some(Command::Calibration(arguments)) => {
                self.session(ui)?.run(arguments.name(), |session| arguments.run(session))
            }
            Some(Command::Models(arguments)) => {
                self.session(ui)?.run(arguments.name(), |session| arguments.run(session))
            }
            Some(Command::Auth(arguments)) => {
                self.session(ui)?.run(arguments.name(), |session| arguments.run(session))
            }
            Some(Command::Mcp(arguments)) => arguments.run(self, ui),
            Some(Command::Web(arguments)) => arguments.run(self, ui),
            Some(Command::Answer(arguments)) => {
                self.session(ui)?.run("answer", |session| arguments.run(session))
            }
            Some(Command::Archive(arguments)) => {
                self.session(ui)?.run(arguments.name(), |session| arguments.run(session))
            }
            Some(Command::Egress(arguments)) => {
                self.session(ui)?.run("egress", |session| arguments.run(session))
            }
            Some(Command::Log(arguments)) => {
                self.session(ui)?.run("log", |session| arguments.run(session))
            }
            Some(Command::Export(arguments)) => {
                self.session(ui)?.run("export", |session| arguments.run(session))
            }
            Some(Command::Import(arguments)) => {
                self.session(ui)?.run("import", |session| arguments.run(session))
            }
            Some(Command::Backup(arguments)) => {
                self.session(ui)?.run("backup", |session| arguments.run(session))
            }
            Some(Command::Restore(arguments)) => {
                self.session(ui)?.run("restore", |session| arguments.run(session))
            }
            Some(Command::Gc(arguments)) => {
                self.session(ui)?.run("gc", |session| arguments.run(session))
            }
        }
    }

    /// Reads the settings, which also decide how everything from here on is shown.
    fn session(&self, ui: &mut Ui) -> Result<Session, Failure> {
        let places = self.places()?;
        let mut config = self.load(&places)?;
        config.settings.fetch.offline |= self.global.offline;
        *ui = self.ui(&config.settings.output);
        Ok(Session::start(ui.clone(), config, places, &self.environment))
    }

    /// A session with the settings as they are shipped, offline, with everything it writes in one folder.
    fn session_in(&self, ui: &mut Ui, folder: &Path) -> Result<Session, Failure> {
        let file = ConfigFile { path: folder.join("config.toml"), named: false };
        let environment = Environment::default();
        let sources = Sources { file: &file, environment: &environment, set: &self.global.set };
        let mut config = Config::load(&sources)?;
        config.settings.fetch.offline = true;
        config.settings.output.language = self.output().language;
        *ui = self.ui(&config.settings.output);
        *ui.call() = Call::default();
        let places = Places { config_file: file, data_dir: folder.to_owned() };
        Ok(Session::start(ui.clone(), config, places, &environment))
    }

    fn places(&self) -> Result<Places, Failure> {
        let Global { config, data_dir, .. } = &self.global;
        let (config, data_dir) = (config.as_deref(), data_dir.as_deref());
        Ok(Places::find(config, data_dir, &self.environment, Platform::CURRENT)?)
    }

    fn load(&self, places: &Places) -> Result<Config, Failure> {
        let Places { config_file: file, .. } = places;
        let sources = Sources { file, environment: &self.environment, set: &self.global.set };
        Ok(Config::load(&sources)?)
    }

    /// How to answer as far as the settings say it; where they cannot be used, as usual.
    fn output(&self) -> OutputSettings {
        let config = self.places().and_then(|places| self.load(&places));
        config.map_or_else(|_| OutputSettings::default(), |it| it.settings.output)
    }

    /// The terminal as the flags want it; the settings count where they are silent.
    fn ui(&self, output: &OutputSettings) -> Ui {
        let ui = Ui::new(&Wishes {
            json: self.global.json(),
            quiet: self.global.quiet,
            color: self.global.color.unwrap_or(output.color),
            language: output.language,
            environment: &self.environment,
        });
        *ui.call() = self.global.call();
        ui
    }
}

/// A labelled value.
type Field = (&'static Message, String);

/// Prints labelled values, one below the other.
pub(crate) fn print_record(ui: &Ui, fields: &[Field]) -> Result<(), Failure> {
    let fields: Vec<(&str, &str)> =
        fields.iter().map(|(label, value)| (label.as_str(), value.as_str())).collect();
    ui.print(&record(&fields, ui.layout(1)))
}

/// A share of 1 as people say it.
fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

/// A size as people say it.
pub(crate) fn size(bytes: u64) -> String {
    let units = [("GB", 1e9), ("MB", 1e6), ("kB", 1e3)];
    match units.into_iter().find(|(_, unit)| bytes as f64 >= *unit) {
        Some((name, unit)) => format!("{:.1} {name}", bytes as f64 / unit),
        None => format!("{bytes} B"),
    }
}

/// What was, and what is now; once if that is the same.
fn change(words: &Words, before: &str, now: &str) -> String {
    match before == now {
        true => say!(words.common.as_before, now = now),
        false => format!("{before} → {now}"),
    }
}

/// Says how much was left out of a list, and how to see it.
fn note_rest(ui: &Ui, shown: usize, total: usize, rest: &Message) {
    if shown < total {
        ui.note(&say!(rest, shown = shown, total = total));
    }
}

/// A flag that overrides a setting and has the same range.
fn within<S: Section, T>(name: &str) -> RangedI64ValueParser<T>
where
    T: TryFrom<i64> + Clone + Send + Sync + 'static,
    <T as TryFrom<i64>>::Error: Send + Sync + 'static + std::error::Error + ToString,
{
    RangedI64ValueParser::new().range(S::range(name))
}

/// The limit of rows for a query that could return any number.
fn row_limit(given: &str) -> Result<usize, String> {
    match given.parse() {
        Ok(number @ 1..=1_000_000) => Ok(number),
        _ => Err("it must be a whole number from 1 to 1000000".to_owned()),
    }
}

fn at_least_one(given: &str) -> Result<usize, String> {
    match given.parse() {
        Ok(0) => Err("it must be at least 1; --all shows everything".to_owned()),
        Ok(number) => Ok(number),
        Err(_) => Err("it must be a whole number".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_said_as_people_say_them() {
        let cases = [(0, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (1_234_567, "1.2 MB")];
        for (bytes, expected) in cases {
            assert_eq!(size(bytes), expected);
        }
        assert_eq!(size(2_500_000_000_000), "2500.0 GB");
    }
}
