//! `lyra research`: a whole investigation, from a question to a report.

mod progress;

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::pin::pin;

use clap::Args;
use clap::builder::RangedI64ValueParser;
use evidence::TaskId;
use planner::{Outcome, Plan, investigate};
use report::{Language, Report};
use research::calls::{BudgetConfig, QueryForm, SourceKind, TaskConfig};
use research::{Engine, TaskSettings};
use serde::Serialize;
use settings::Section;
use sources::Category;
use tokio::sync::broadcast::error::RecvError;

use super::complete;
use super::ids::find_task;
use super::input::text;
use super::report::{Wanted, gathered, shown, to_screen};
use super::sources::{FieldOf, day};
use crate::failure::{Failure, Kind};
use crate::session::Session;
use crate::words::say;
use progress::Shown;

/// Investigate a question and write a report
///
/// Searches the web, academic indexes and your own documents, reads what it finds, extracts claims and
/// judges which passages support or refute them; `lyra "your question"` is the same. The answer is printed in short, with
/// `--full` the whole report; `--out` writes that to a file as well. Everything found stays in the graph: Ctrl-C loses
/// nothing, and `--resume` goes on.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra research \"Does vitamin D prevent falls in older people?\"
  lyra research \"在宅勤務は生産性を上げるか\" --library ./documents --offline
  lyra research \"Is X safe?\" --hypothesis \"X is safe.\" --max-pages 40 --minutes 20 --out report.html
  lyra research --resume latest

Next: `lyra report TASK --format html` writes the report again; `lyra claims TASK` lists the claims.")]
pub(crate) struct Arguments {
    /// The question, or `-` to read it from stdin
    #[arg(required_unless_present = "resume")]
    question: Option<String>,
    /// What you expect the answer to be: it is judged like a claim
    #[arg(long, value_name = "TEXT", conflicts_with = "resume")]
    hypothesis: Option<String>,
    /// Search this as well, e.g. the question in another language; may be repeated
    #[arg(long, value_name = "TEXT", conflicts_with = "resume")]
    query: Vec<String>,
    /// A folder of your own documents to read; may be repeated
    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    library: Vec<PathBuf>,
    /// Look only here; may be repeated [default: everywhere]
    #[arg(long, value_name = "SOURCE", conflicts_with = "resume")]
    source: Vec<Source>,
    /// The language of the results, such as ja
    #[arg(long, value_name = "CODE", conflicts_with = "resume")]
    language: Option<String>,
    /// Only what was published on this day or later, such as 2024-01-31; what has no date stays
    #[arg(long, value_name = "DATE", conflicts_with = "resume")]
    after: Option<String>,
    /// Only what was published on this day or earlier
    #[arg(long, value_name = "DATE", conflicts_with = "resume")]
    before: Option<String>,
    /// The field of the question: engines that are for it go first
    #[arg(long, value_name = "FIELD", conflicts_with = "resume")]
    category: Option<FieldOf>,
    /// Pages the task may read [default: the setting task.max_pages]
    #[arg(long, alias = "budget-pages", value_name = "N", value_parser = super::within::<TaskSettings, u32>("max_pages"), conflicts_with = "resume")]
    max_pages: Option<u32>,
    /// Minutes the task may take [default: the setting task.max_seconds]
    #[arg(long, value_name = "M", value_parser = minutes(), conflicts_with = "resume")]
    minutes: Option<u32>,
    /// Go on with a task that was interrupted: latest, task:3, or the beginning or end of its id
    #[arg(long, value_name = "TASK", conflicts_with = "question", add = complete::tasks())]
    resume: Option<String>,
    /// With --resume: let a task that was begun offline send requests from now on
    #[arg(long, requires = "resume")]
    online: bool,
    /// Print the whole report: as text on a terminal, as Markdown elsewhere
    #[arg(long)]
    full: bool,
    /// Write the report to this file; the ending (.md, .html, .pdf, .docx, .txt, .json ...) says how
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// The range of task.max_seconds, in minutes.
pub(super) fn minutes() -> RangedI64ValueParser<u32> {
    RangedI64ValueParser::new().range(1..=TaskSettings::range("max_seconds").end() / 60)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Source {
    Web,
    Academic,
    Api,
    Library,
}

impl From<Source> for SourceKind {
    fn from(source: Source) -> Self {
        match source {
            Source::Web => Self::Web,
            Source::Academic => Self::Academic,
            Source::Api => Self::Api,
            Source::Library => Self::Library,
        }
    }
}

impl Arguments {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        let wanted = self.out.as_deref().map(Wanted::of_file).transpose()?;
        let plan = self.plan(session)?;
        if session.settings.fetch.offline || self.stays_offline(session)? {
            session.refuse_network()?;
        }
        let outcome = conduct(session, plan)?;
        let report = gathered(session, outcome.task_id)?;
        if let Some(wanted) = &wanted {
            wanted.write(&session.ui, &report)?;
        }
        if session.ui.is_json() {
            return session.ui.document(&Answer { outcome: &outcome, report: &report });
        }
        session.ui.write(&to_screen(&session.ui, &report, shown(&session.ui, self.full))?)?;
        let next = &session.ui.words().research.next;
        session.ui.note(&say!(next, task = outcome.task_id));
        Ok(())
    }

    /// Whether a task that goes on was begun offline and is to stay so.
    fn stays_offline(&self, session: &Session) -> Result<bool, Failure> {
        let Some(task) = self.resume.as_deref().filter(|_| !self.online) else { return Ok(false) };
        let graph = session.reader()?;
        let task = find_task(graph, task)?;
        Ok(TaskConfig::of_stored(graph.read(|r| r.task_config(task))?).offline)
    }

    fn plan(&self, session: &Session) -> Result<Plan, Failure> {
        if let Some(task) = &self.resume {
            let graph = session.reader()?;
            let task = find_task(graph, task)?;
            return Ok(Plan::Resume { task, online: self.online });
        }
        let given = self.question.as_deref().unwrap_or_default();
        let max = session.settings.task.max_text_chars;
        let question = text("question", given, max)?;
        session.ui.speak(Language::of(&question));
        let hypothesis =
            self.hypothesis.as_deref().map(|it| text("hypothesis", it, max)).transpose()?;
        let queries =
            self.query.iter().map(|it| text("query", it, max)).collect::<Result<_, _>>()?;
        let mut library = Vec::new();
        for folder in &self.library {
            library.push(whole(folder)?);
        }
        if session.settings.fetch.offline && library.is_empty() {
            return Err(Failure::bad_input("offline there is nothing to search without --library")
                .hint(|w| &w.hint.name_library));
        }
        Ok(Plan::New {
            question,
            hypothesis,
            config: TaskConfig {
                queries,
                budget: BudgetConfig {
                    max_pages: self.max_pages,
                    max_seconds: self.minutes.map(|minutes| minutes * 60),
                },
                sources: self.source.iter().map(|it| SourceKind::from(*it)).collect(),
                library,
                language: self.language.clone(),
                only: Box::new(QueryForm {
                    after: day(self.after.as_deref())?,
                    before: day(self.before.as_deref())?,
                    category: self.category.map(Category::from),
                    ..QueryForm::default()
                }),
                ..TaskConfig::default()
            },
        })
    }
}

/// Conducts an investigation and shows how it goes.
pub(crate) fn conduct(session: &Session, plan: Plan) -> Result<Outcome, Failure> {
    let shown = RefCell::new(Shown::new(&session.ui));
    let loading = session.ui.doing(shown.borrow().say(None));
    let network = session.network()?;
    let entered = network.enter();
    let at_work = session.ui.doing(shown.borrow().say(Some(network.fetcher().clone())));
    drop(loading);
    let engine = session.engine(&network)?;
    drop(entered);
    let finished = network.run(async |_| follow(session, &engine, plan, &shown).await);
    drop(at_work);
    match finished {
        Ok(Ok(outcome)) => Ok(outcome),
        // A full disk, a lost model: what was committed before stays.
        Ok(Err(failure)) => Err(match shown.borrow().task() {
            Some(task) => {
                let command = resume_command(session, task);
                failure.hint(move |w| say!(w.hint.kept_then_resume, command = command))
            }
            None => failure,
        }),
        Err(interrupted) => {
            network.abandon();
            Err(match shown.borrow().task() {
                Some(task) => {
                    let command = resume_command(session, task);
                    interrupted.hint(move |w| say!(w.hint.resume, command = command))
                }
                None => interrupted,
            })
        }
    }
}

fn resume_command(session: &Session, task: TaskId) -> String {
    session.ui.call().in_text(&format!("lyra research --resume {task}"))
}

async fn follow(
    session: &Session,
    engine: &Engine,
    plan: Plan,
    shown: &RefCell<Shown>,
) -> Result<Outcome, Failure> {
    let mut progress = engine.progress();
    let llm = engine.language_model();
    let settings = &session.settings.plan;
    let report = session.settings.report.clone();
    let investigation = investigate(engine, llm.as_deref(), plan, settings, report, |event| {
        shown.borrow_mut().planned(&event)
    });
    let mut investigation = pin!(investigation);
    loop {
        tokio::select! {
            biased;
            event = progress.recv() => match event {
                Ok(event) => shown.borrow_mut().happened(&event),
                // Too much happened to show all of it.
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => {}
            },
            outcome = &mut investigation => {
                while let Ok(event) = progress.try_recv() {
                    shown.borrow_mut().happened(&event);
                }
                let outcome = outcome?;
                shown.borrow_mut().ended(&outcome);
                return Ok(outcome);
            }
        }
    }
}

/// A folder as it is stored: the task may be gone on with from elsewhere.
pub(crate) fn whole(folder: &Path) -> Result<PathBuf, Failure> {
    folder.canonicalize().map_err(|error| {
        Failure::new(
            Kind::BadInput,
            format!("the library {} cannot be read: {error}", folder.display()),
        )
        .hint(|w| &w.hint.library_folder)
    })
}

/// An investigation as a program reads it: how it ended, and what it found.
#[derive(Debug, Serialize)]
pub(crate) struct Answer<'a> {
    pub(crate) outcome: &'a Outcome,
    pub(crate) report: &'a Report,
}
