//! Saving what can be read of a damaged database.

use std::path::{self, Path};

use graph::{SalvageReport, Stop, salvage, writer_of};
use serde::Serialize;

use super::{Report, State};
use crate::failure::{Failure, Kind};
use crate::interrupt;
use crate::session::Session;
use crate::ui::{Column, Table, clean};

/// Saves into `new`. What is wrong elsewhere is only told: it does not keep anybody from their data.
pub(super) fn save(session: &Session, new: &Path, report: &Report) -> Result<(), Failure> {
    for check in report.checks.iter().filter(|it| it.state == State::Problem) {
        session.ui.warn(&format!("{}: {}", check.name, check.found));
    }
    let old = session.places.database();
    if new.try_exists().unwrap_or(true) {
        return Err(Failure::bad_input(format!("{} exists already", new.display()))
            .hint("choose a new name; nothing was changed"));
    }
    if !old.try_exists().unwrap_or(true) {
        return Err(Failure::new(Kind::Data, format!("there is no database {}", old.display()))
            .hint("name its folder with --data-dir; the file must be called lyra.db"));
    }
    if let Some(holder) = writer_of(&old)? {
        return Err(graph::Error::InUse { path: old, holder: Some(holder) }.into());
    }
    let stop = Stop::default();
    let asked = stop.clone();
    interrupt::on_stop(move || asked.request());
    let saved = salvage(&old, new, session.options(), &stop).map_err(explained)?;
    tell(session, &old, new, &saved)
}

/// The hint for a damaged file is this command, which has just been tried.
fn explained(error: graph::Error) -> Failure {
    match error {
        error @ graph::Error::Damaged { .. } => Failure::new(Kind::Data, error).hint(
            "nothing of it can be read by table; a copy from before the damage is the way back",
        ),
        error => error.into(),
    }
}

fn tell(session: &Session, old: &Path, new: &Path, saved: &SalvageReport) -> Result<(), Failure> {
    if session.ui.is_json() {
        #[derive(Serialize)]
        struct Saved<'a> {
            from: &'a Path,
            to: &'a Path,
            complete: bool,
            #[serde(flatten)]
            report: &'a SalvageReport,
        }
        let complete = saved.is_complete();
        return session.ui.document(&Saved { from: old, to: new, complete, report: saved });
    }
    let mut table = Table::new([
        Column::exact("TABLE"),
        Column::number("READ"),
        Column::number("LOST"),
        Column::number("LEFT OUT"),
        Column::number("CLEARED"),
    ]);
    for it in saved.tables.iter().filter(|it| it.read > 0 || it.lost != Some(0)) {
        table.row([
            it.name.clone(),
            it.read.to_string(),
            it.lost.map_or("unknown".to_owned(), |it| it.to_string()),
            it.left_out.to_string(),
            it.cleared.to_string(),
        ]);
    }
    session.ui.print(&table.render(session.ui.layout(1)))?;
    let ui = &session.ui;
    if saved.is_complete() {
        ui.note("Everything was saved.");
    } else {
        ui.note("Lost: could not be read. Left out: spoiled, or without the row it rests on. Cleared: a reference to a lost row.");
    }
    if saved.stand_in_events > 0 {
        ui.note(&format!("{} lost entries of the log have stand-ins.", saved.stand_in_events));
    }
    ui.note(&clean(&how_to_use(new)));
    ui.note(&clean(&format!("{} was left as it is.", old.display())));
    Ok(())
}

/// A database is found by its folder, and is called lyra.db there.
fn how_to_use(new: &Path) -> String {
    let new = path::absolute(new).unwrap_or_else(|_| new.to_owned());
    match (new.parent(), new.file_name()) {
        (Some(folder), Some(name)) if name == "lyra.db" => {
            format!("Use it: lyra --data-dir {} task list", folder.display())
        }
        _ => format!(
            "Use it: put {} into a folder of its own as lyra.db, and name that with --data-dir.",
            new.display()
        ),
    }
}
