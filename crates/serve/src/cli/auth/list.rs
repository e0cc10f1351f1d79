//! `lyra auth list`: what waits for a person, the most urgent first.

use clap::Args;
use evidence::{AuthStatus, TaskId};
use graph::{AuthEntry, AuthFilter, AuthWaiting};
use serde::Serialize;

use crate::cli::input::find_task;
use crate::cli::{at_least_one, minute, note_rest};
use crate::failure::Failure;
use crate::session::{Session, ask};
use crate::ui::{Column, Table};

/// Lines an address may take on a terminal.
const ADDRESS_LINES: usize = 2;

/// List the pages that wait for a person
///
/// The most urgent first (primary sources, by the category of their domain), then those that wait longest.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra auth list
  lyra auth list --task 01ARZ3ND --json

Next: open the page in a browser, save it, and run `lyra read FILE --url URL`.")]
pub(crate) struct List {
    /// Only pages of this task: its id, or the beginning of it
    #[arg(long, value_name = "TASK")]
    task: Option<String>,
    /// Show at most N pages [default: the setting output.rows]
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    limit: Option<usize>,
    /// Show all of them
    #[arg(long, conflicts_with = "limit")]
    all: bool,
}

#[derive(Debug, Serialize)]
struct Listed {
    task_id: Option<TaskId>,
    waiting: AuthWaiting,
    queue: Vec<AuthEntry>,
}

impl List {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        let graph = session.reader()?;
        let task = self.task.as_deref().map(|it| find_task(graph, it)).transpose()?;
        let filter = AuthFilter { task, status: Some(AuthStatus::Pending) };
        let limit = match self.all {
            true => usize::MAX >> 1,
            false => self.limit.unwrap_or(session.settings.output.rows),
        };
        let (queue, waiting) =
            ask(graph, |r| Ok((r.auth_queue(&filter, limit)?, r.auth_waiting(task)?)))?;
        let ui = &session.ui;
        if ui.is_json() {
            return ui.document(&Listed { task_id: task, waiting, queue });
        }
        if queue.is_empty() {
            ui.note("No page waits for a person.");
            return Ok(());
        }
        ui.print(&table(&queue).render(ui.layout(ADDRESS_LINES)))?;
        ui.note(&summary(&waiting));
        note_rest(ui, queue.len(), waiting.pending as usize, "pages");
        Ok(())
    }
}

fn table(queue: &[AuthEntry]) -> Table {
    let mut table = Table::new([
        Column::exact("SINCE"),
        Column::exact("PRIORITY"),
        Column::exact("ASKS FOR"),
        Column::text("ADDRESS"),
        Column::exact("TASK"),
        Column::exact("ID"),
    ]);
    for it in queue {
        table.row([
            minute(it.created_at),
            it.priority.to_string(),
            it.auth_type.clone(),
            it.url.clone(),
            it.task_id.map_or("-".to_owned(), |it| it.to_string()),
            it.id.to_string(),
        ]);
    }
    table
}

fn summary(waiting: &AuthWaiting) -> String {
    let pages = match waiting.pending {
        1 => "1 page waits".to_owned(),
        several => format!("{several} pages wait"),
    };
    let domains = match waiting.domains {
        1 => "1 domain".to_owned(),
        several => format!("{several} domains"),
    };
    let urgent = match waiting.high_priority {
        0 => String::new(),
        urgent => format!(", {urgent} of high priority"),
    };
    format!("{pages} for a person on {domains}{urgent}.")
}
