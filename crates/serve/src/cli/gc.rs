//! `lyra gc`: remove what nothing needs.

use clap::Args;
use graph::{Removal, Unneeded};
use serde::Serialize;

use crate::backup;
use crate::cli::size;
use crate::failure::Failure;
use crate::installed::Installed;
use crate::session::{Session, ask};
use crate::tidy::{self, Finished, Stray};
use crate::words::say;

/// Remove what nothing needs any more
///
/// Without --yes it says what would go and changes nothing. Nothing of a task goes: pages that no task met, archive records
/// without a row or of deleted tasks, vectors of models that are not active, cached result pages that are over, and what a command
/// that was cut short left behind. The database is written anew without free pages.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra gc
  lyra gc --yes

Next: `lyra archive verify` checks the archive, `lyra doctor` the database.")]
pub(crate) struct Arguments {
    /// Do it
    #[arg(long)]
    yes: bool,
}

#[derive(Default, Serialize)]
struct Tidied {
    done: bool,
    removed: Removal,
    /// Archive files with bytes that no row names.
    unnamed: Vec<Stray>,
    /// Folders of a restore that was cut short.
    left_behind: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    files: Option<Finished>,
}

impl Arguments {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        let embedder = Installed::of(session).embedder_later(session)?;
        let wish = Unneeded { vector_models: vec![embedder.id().to_owned()] };
        if !session.places.database().exists() {
            session.ui.note(session.ui.words().tidy.nothing.as_str());
            return match session.ui.is_json() {
                true => tell(session, &Tidied { done: self.yes, ..Tidied::default() }),
                false => Ok(()),
            };
        }
        if self.yes { tidy(session, &wish) } else { look(session, &wish) }
    }
}

fn look(session: &Session, wish: &Unneeded) -> Result<(), Failure> {
    let graph = session.reader()?;
    let now = session.now();
    let (removed, unfinished) = ask(graph, |r| Ok((r.unneeded(wish, now)?, r.unfinished()?)))?;
    let busy = graph::writer_of(&session.places.database())?.is_some();
    let strays = if busy { Vec::new() } else { tidy::strays(session, graph)? };
    let left_behind = backup::left_behind(&session.places)?;
    let words = &session.ui.words().tidy;
    if !session.ui.is_json() {
        let nothing = removed.is_empty()
            && strays.is_empty()
            && left_behind.is_empty()
            && unfinished.is_empty();
        if nothing {
            session.ui.note(words.nothing.as_str());
            return Ok(());
        }
        session.ui.print(words.would_tidy.as_str())?;
    }
    tell(session, &Tidied { done: false, removed, unnamed: strays, left_behind, files: None })?;
    session.ui.note(&say!(words.dry_run, command = "lyra gc --yes"));
    Ok(())
}

fn tidy(session: &Session, wish: &Unneeded) -> Result<(), Failure> {
    let graph = session.writer()?;
    let strays = tidy::strays(session, &graph)?;
    let removed = graph.tidy(wish)?;
    let files: Vec<String> = strays.iter().map(|it| it.file.clone()).collect();
    graph.to_rewrite(&files)?;
    graph.to_compact()?;
    let left_behind = backup::left_behind(&session.places)?;
    backup::clear(&session.places, &left_behind)?;
    let finished = tidy::finish(session, &graph)?;
    let words = &session.ui.words().tidy;
    if !session.ui.is_json() {
        session.ui.print(words.tidied.as_str())?;
    }
    let freed = finished.freed();
    tell(
        session,
        &Tidied { done: true, removed, unnamed: strays, left_behind, files: Some(finished) },
    )?;
    session.ui.note(&say!(words.freed, size = size(freed)));
    Ok(())
}

fn tell(session: &Session, tidied: &Tidied) -> Result<(), Failure> {
    match session.ui.is_json() {
        true => session.ui.document(tidied),
        false => tidy::described(&session.ui, session.ui.words(), &tidied.removed, &tidied.unnamed),
    }
}
