//! `lyra task delete`: take a task back.

use clap::Args;
use evidence::{Task, TaskStatus};
use graph::Removal;
use serde::Serialize;

use crate::cli::ids::find_task;
use crate::cli::{complete, minute, size};
use crate::failure::{Failure, Kind};
use crate::session::{Session, ask};
use crate::tidy::{self, Finished, Stray};
use crate::words::say;

/// Delete a task for good: its texts, its rows, and the archived pages no other task uses
///
/// Without --yes it says what would go and changes nothing. What other tasks use stays. Of the task its id and the time
/// of the deletion stay; the ledger of requests keeps times, hosts and sizes and loses paths. Backups, exports and reports you
/// wrote to files are yours to delete.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra task delete task:3
  lyra task delete task:3 --yes

Next: `lyra gc` removes what nothing needs any more; `lyra export TASK` keeps a copy before.")]
pub(super) struct Delete {
    /// The task: latest, task:3 (the third in `lyra task list`), or the beginning or end of its id
    #[arg(add = complete::tasks())]
    task: String,
    /// Do it: there is no way back
    #[arg(long)]
    yes: bool,
}

#[derive(Serialize)]
struct Deleted<'a> {
    task_id: String,
    deleted: bool,
    removed: &'a Removal,
    unnamed: &'a [Stray],
    #[serde(skip_serializing_if = "Option::is_none")]
    files: Option<&'a Finished>,
}

impl Delete {
    pub(super) fn run(&self, session: &Session) -> Result<(), Failure> {
        let task = self.find(session)?;
        session.ui.speak(report::Language::of(&task.query));
        if self.yes { delete(session, &task) } else { look(session, &task) }
    }

    /// The task; one that was deleted is said to have been.
    fn find(&self, session: &Session) -> Result<Task, Failure> {
        let graph = session.reader()?;
        let id = find_task(graph, &self.task)?;
        let (task, tombstone) = ask(graph, |r| Ok((r.task(id), r.tombstone(id)?)))?;
        match (task, tombstone) {
            (Err(graph::Error::Unknown { .. }), Some(tombstone)) => {
                let message = format!("{id} was deleted on {} UTC", minute(tombstone.deleted_at));
                Err(Failure::new(Kind::NotFound, message).hint(|w| &w.hint.task_list))
            }
            (task, _) => Ok(task?),
        }
    }
}

fn look(session: &Session, task: &Task) -> Result<(), Failure> {
    let graph = session.reader()?;
    let removed = ask(graph, |r| r.deletion_of(task.id))?;
    let busy = graph::writer_of(&session.places.database())?.is_some();
    let strays = if busy { Vec::new() } else { tidy::strays(session, graph)? };
    if session.ui.is_json() {
        return tell(session, task, false, &removed, &strays, None);
    }
    let words = session.ui.words();
    session.ui.print(&say!(words.tidy.would_delete, task = task.id, question = task.query))?;
    tidy::described(&session.ui, words, &removed, &strays)?;
    let command = format!("lyra task delete {} --yes", task.id);
    session.ui.note(&say!(words.tidy.dry_run, command = command));
    Ok(())
}

fn delete(session: &Session, task: &Task) -> Result<(), Failure> {
    let graph = session.writer().map_err(|failure| at_work(failure, task))?;
    let strays = tidy::strays(session, &graph)?;
    let files: Vec<String> = strays.iter().map(|it| it.file.clone()).collect();
    let removed = graph.delete_task(task.id)?;
    graph.to_rewrite(&files)?;
    let finished = tidy::finish(session, &graph)?;
    tell(session, task, true, &removed, &strays, Some(&finished))?;
    let words = &session.ui.words().tidy;
    for copy in tidy::older_copies(session) {
        session.ui.warn(&say!(words.older_copy, path = copy.display()));
    }
    Ok(())
}

/// Whoever works on the task has to end first.
fn at_work(failure: Failure, task: &Task) -> Failure {
    match (failure.kind, task.status) {
        (Kind::InUse, TaskStatus::Exploring) => failure.hint(|w| &w.hint.task_at_work),
        _ => failure,
    }
}

fn tell(
    session: &Session,
    task: &Task,
    deleted: bool,
    removed: &Removal,
    unnamed: &[Stray],
    files: Option<&Finished>,
) -> Result<(), Failure> {
    let ui = &session.ui;
    if ui.is_json() {
        let task_id = task.id.to_string();
        return ui.document(&Deleted { task_id, deleted, removed, unnamed, files });
    }
    let words = ui.words();
    ui.print(&say!(words.tidy.deleted, task = task.id, question = task.query))?;
    tidy::described(ui, words, removed, unnamed)?;
    let freed = files.map_or(0, Finished::freed);
    ui.note(&say!(words.tidy.freed, size = size(freed)));
    Ok(())
}
