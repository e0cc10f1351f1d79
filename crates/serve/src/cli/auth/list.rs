//! `lyra auth list`: what waits for a person, the most urgent first.

use clap::Args;
use evidence::{AuthStatus, TaskId};
use graph::{AuthEntry, AuthFilter, AuthWaiting};
use serde::Serialize;

use crate::cli::ids::OfTask;
use crate::cli::{at_least_one, minute, note_rest};
use crate::failure::Failure;
use crate::session::{Session, ask};
use crate::ui::{Column, Table};
use crate::words::{Words, say};

/// Lines an address may take on a terminal.
const ADDRESS_LINES: usize = 2;

/// List the pages that wait for a person
///
/// The most urgent first (primary sources, by the category of their domain), then those that wait longest.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra auth list
  lyra auth list --task latest --json

Next: `lyra auth open ID` opens one, `lyra auth skip ID` does without it.")]
pub(crate) struct List {
    #[command(flatten)]
    task: OfTask,
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
        let task = self.task.find(graph)?;
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
        let words = ui.words();
        if queue.is_empty() {
            ui.note(words.auth.none.as_str());
            return Ok(());
        }
        ui.print(&table(words, &queue).render(ui.layout(ADDRESS_LINES)))?;
        ui.note(&summary(words, &waiting));
        note_rest(ui, queue.len(), waiting.pending as usize, &words.rest.pages);
        Ok(())
    }
}

fn table(words: &Words, queue: &[AuthEntry]) -> Table {
    let column = &words.column;
    let mut table = Table::new([
        Column::exact(&column.since),
        Column::exact(&column.priority),
        Column::exact(&column.asks_for),
        Column::text(&column.address),
        Column::exact(&column.task),
        Column::exact(&column.id),
    ]);
    for it in queue {
        table.row([
            minute(it.created_at),
            words.code(it.priority),
            words.code(&it.auth_type),
            it.url.clone(),
            it.task_id.map_or("-".to_owned(), |task| task.to_string()),
            it.id.to_string(),
        ]);
    }
    table
}

fn summary(words: &Words, waiting: &AuthWaiting) -> String {
    let words = &words.auth;
    let urgent = match waiting.high_priority {
        0 => String::new(),
        urgent => say!(words.urgent, n = urgent),
    };
    say!(
        words.summary,
        pages = say!(words.pages, n = waiting.pending),
        domains = say!(words.domains, n = waiting.domains),
        urgent = urgent,
    )
}
