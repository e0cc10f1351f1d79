//! `lyra task`: the questions under investigation.

mod delete;

use clap::{Args, Subcommand};
use evidence::{Budget, Search, Task, TaskId, TaskStatus};
use graph::{Cause, NewTask, TaskCounts};
use report::Language;
use research::TaskSettings;
use serde::Serialize;

use super::ids::{OneTask, find_task, place, short};
use super::input::text;
use super::research::minutes;
use super::{Field, complete, minute};
use crate::failure::Failure;
use crate::session::{Session, ask};
use crate::ui::{Column, Table};
use crate::words::{Words, say};

/// List tasks, show one, end one, delete one
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    New(New),
    List(List),
    Show(Show),
    Stop(Stop),
    Delete(delete::Delete),
}

/// Record a question to investigate, and print its task id
///
/// The same question may be asked twice: each time is a task of its own.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra task new \"Does vitamin D prevent colds?\" --hypothesis \"It does in winter\"
  echo '再生可能エネルギーの費用は下がったか' | lyra task new -

Next: `lyra task show TASK` shows what has been gathered.")]
struct New {
    /// The question, or `-` to read it from stdin
    question: String,
    /// What you expect the answer to be
    #[arg(long, value_name = "TEXT")]
    hypothesis: Option<String>,
    /// Language of the question, e.g. ja or en-GB
    #[arg(long, value_name = "TAG", value_parser = language)]
    language: Option<String>,
    /// Pages the task may fetch [default: the setting task.max_pages]
    #[arg(long, value_name = "N", value_parser = super::within::<TaskSettings, u32>("max_pages"))]
    max_pages: Option<u32>,
    /// Minutes the task may take [default: the setting task.max_seconds]
    #[arg(long, value_name = "M", value_parser = minutes())]
    minutes: Option<u32>,
    #[arg(long, hide = true, conflicts_with = "minutes", value_parser = super::within::<TaskSettings, u32>("max_seconds"))]
    max_seconds: Option<u32>,
}

/// List the tasks, newest first
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra task list
  lyra task list --status exploring --all

Next: `lyra task show task:2` shows the second one. Wherever a task is named, latest, task:2 and the end of its id will do.")]
struct List {
    /// Only tasks of this status: created, exploring, paused, completed or failed
    #[arg(long)]
    status: Option<TaskStatus>,
    /// Show at most N tasks [default: the setting output.rows]
    #[arg(long, value_name = "N", value_parser = super::at_least_one)]
    limit: Option<usize>,
    /// Show all tasks
    #[arg(long, conflicts_with = "limit")]
    all: bool,
}

/// Show a task: question, limits, searches, how much was gathered
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra task show
  lyra task show task:2 --json

Next: `lyra claims TASK` shows what is claimed, and how sure that is.")]
struct Show {
    #[command(flatten)]
    task: OneTask,
}

/// End a task; everything it gathered stays
///
/// A task that has ended already is left as it is.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  lyra task stop latest --reason \"answered\"")]
struct Stop {
    /// The task: latest, task:3 (the third in `lyra task list`), or the beginning or end of its id
    #[arg(add = complete::tasks())]
    task: String,
    /// Why it ends
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
}

impl Arguments {
    pub(crate) fn name(&self) -> &'static str {
        match self.command {
            Command::New(_) => "task new",
            Command::List(_) => "task list",
            Command::Show(_) => "task show",
            Command::Stop(_) => "task stop",
            Command::Delete(_) => "task delete",
        }
    }

    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        match &self.command {
            Command::New(arguments) => arguments.run(session),
            Command::List(arguments) => arguments.run(session),
            Command::Show(arguments) => arguments.run(session),
            Command::Stop(arguments) => arguments.run(session),
            Command::Delete(arguments) => arguments.run(session),
        }
    }
}

#[derive(Serialize)]
struct Answer<'a> {
    task: &'a Task,
}

impl New {
    fn run(&self, session: &Session) -> Result<(), Failure> {
        let settings = &session.settings.task;
        let new = NewTask {
            query: text("question", &self.question, settings.max_text_chars)?,
            hypothesis: self
                .hypothesis
                .as_deref()
                .map(|it| text("hypothesis", it, settings.max_text_chars))
                .transpose()?,
            language: self.language.clone(),
            budget: Budget {
                max_pages: self.max_pages.unwrap_or(settings.max_pages),
                max_seconds: self
                    .minutes
                    .map(|minutes| minutes * 60)
                    .or(self.max_seconds)
                    .unwrap_or(settings.max_seconds),
            },
            config: serde_json::json!({}),
        };
        let graph = session.writer()?;
        let task = graph.write(Cause::new("task_create"), |w| w.task(w.create_task(&new)?))?;
        if session.ui.is_json() {
            return session.ui.document(&Answer { task: &task });
        }
        session.ui.print(&task.id.to_string())?;
        session.ui.speak(Language::of(&task.query));
        session.ui.note(&say!(session.ui.words().task.recorded, task = task.id));
        Ok(())
    }
}

impl List {
    fn run(&self, session: &Session) -> Result<(), Failure> {
        let graph = session.reader()?;
        let mut tasks: Vec<(usize, Task)> =
            ask(graph, |r| r.tasks())?.into_iter().enumerate().collect();
        tasks.retain(|(_, task)| self.status.is_none_or(|status| task.status == status));
        let total = tasks.len();
        if !self.all {
            tasks.truncate(self.limit.unwrap_or(session.settings.output.rows));
        }
        if session.ui.is_json() {
            #[derive(Serialize)]
            struct Tasks {
                total: usize,
                tasks: Vec<Task>,
            }
            let tasks = tasks.into_iter().map(|(_, task)| task).collect();
            return session.ui.document(&Tasks { total, tasks });
        }
        let words = session.ui.words();
        if tasks.is_empty() {
            session.ui.note(match self.status {
                None => words.task.none_yet.as_str(),
                Some(_) => words.task.none_of_status.as_str(),
            });
            return Ok(());
        }
        let column = &words.column;
        let columns = [&column.task, &column.id, &column.status, &column.created];
        let columns = columns.map(Column::exact).into_iter();
        let mut table = Table::new(columns.chain([Column::text(&column.question)]));
        for (index, task) in &tasks {
            let (place, id) = (place::<TaskId>(*index), short(&task.id));
            let (status, created) = (words.code(task.status), minute(task.created_at));
            table.row([&*place, &*id, &*status, &*created, &*task.query]);
        }
        session.ui.print(&table.render(session.ui.layout(1)))?;
        super::note_rest(&session.ui, tasks.len(), total, &words.rest.tasks);
        Ok(())
    }
}

impl Show {
    fn run(&self, session: &Session) -> Result<(), Failure> {
        let graph = session.reader()?;
        let id = self.task.find(graph)?;
        let (task, counts, searches) =
            ask(graph, |r| Ok((r.task(id)?, r.task_counts(id)?, r.searches_of(id)?)))?;
        if session.ui.is_json() {
            #[derive(Serialize)]
            struct Shown {
                task: Task,
                counts: TaskCounts,
                searches: Vec<Search>,
            }
            return session.ui.document(&Shown { task, counts, searches });
        }
        session.ui.speak(Language::of(&task.query));
        let (layout, words) = (session.ui.layout(3), session.ui.words());
        super::print_record(&session.ui, &described(words, &task, counts))?;
        if searches.is_empty() {
            return Ok(());
        }
        let column = &words.column;
        let mut table = Table::new([
            Column::exact(&column.search),
            Column::exact(&column.status),
            Column::number(&column.pages),
            Column::text(&column.query),
        ]);
        for search in &searches {
            let (id, pages) = (short(&search.id), search.pages_fetched.to_string());
            table.row([&*id, &*words.code(search.status), &*pages, &*search.query]);
        }
        session.ui.print(&format!("\n{}", table.render(layout)))
    }
}

impl Stop {
    fn run(&self, session: &Session) -> Result<(), Failure> {
        let max_chars = session.settings.task.max_text_chars;
        let reason = self.reason.as_deref().map(|it| text("reason", it, max_chars)).transpose()?;
        // Whether there is such a task is asked as a reader: a wrong id creates no database.
        let id = {
            let graph = session.reader()?;
            let id = find_task(graph, &self.task)?;
            ask(graph, |r| r.task(id))?.id
        };
        let graph = session.writer()?;
        let before = graph.read(|r| r.task(id))?;
        let has_ended = matches!(before.status, TaskStatus::Completed | TaskStatus::Failed);
        let task = if has_ended {
            before
        } else {
            let cause = Cause::new("task_stop").in_task(id).about("task", id);
            graph.write(cause, |w| {
                w.set_task_status(id, TaskStatus::Completed, reason.as_deref())?;
                w.task(id)
            })?
        };
        if session.ui.is_json() {
            return session.ui.document(&Answer { task: &task });
        }
        session.ui.print(&task.id.to_string())?;
        session.ui.speak(Language::of(&task.query));
        let words = &session.ui.words().task;
        session.ui.note(if has_ended { &words.had_ended } else { &words.ended }.as_str());
        Ok(())
    }
}

/// A task as labelled values.
fn described(words: &'static Words, task: &Task, counts: TaskCounts) -> Vec<Field> {
    let label = &words.label;
    let mut fields =
        vec![(&label.task, task.id.to_string()), (&label.question, task.query.clone())];
    fields.extend(task.hypothesis.iter().map(|text| (&label.hypothesis, text.clone())));
    fields.extend(task.language.iter().map(|tag| (&label.language, tag.clone())));
    let Budget { max_pages, max_seconds } = task.budget;
    fields.push((&label.status, words.code(task.status)));
    let budget = say!(words.task.budget, pages = max_pages, seconds = max_seconds);
    fields.push((&label.budget, budget));
    fields.push((&label.created, minute(task.created_at)));
    fields.extend(task.stopped_at.map(|time| (&label.ended, minute(time))));
    fields.extend(task.stop_reason.iter().map(|reason| (&label.reason, words.code(reason))));
    let TaskCounts { searches, pages, fragments, claims, edges } = counts;
    let gathered = say!(
        words.task.gathered,
        searches = searches,
        pages = pages,
        fragments = fragments,
        claims = claims,
        edges = edges,
    );
    fields.push((&label.gathered, gathered));
    fields
}

/// A language tag: letters, digits and hyphens, as BCP 47 writes them.
fn language(given: &str) -> Result<String, String> {
    let is_tag = (2..=35).contains(&given.len())
        && given.starts_with(|c: char| c.is_ascii_alphabetic())
        && given.split('-').all(|part| {
            (1..=8).contains(&part.len()) && part.chars().all(|c| c.is_ascii_alphanumeric())
        });
    if is_tag { Ok(given.to_owned()) } else { Err("expected a tag such as ja or en-GB".to_owned()) }
}
