//! Saving what can be read of a damaged database.

use std::path::{self, Path};

use graph::{SalvageReport, Stop, salvage, writer_of};
use serde::Serialize;

use super::{Report, State};
use crate::failure::{Failure, Kind};
use crate::interrupt;
use crate::session::Session;
use crate::ui::{Column, Table, clean, quoted};
use crate::words::{Doctor, say};

/// Saves into `new`. Problems elsewhere are warnings: they must not keep users from their data.
pub(super) fn save(session: &Session, new: &Path, report: &Report) -> Result<(), Failure> {
    for check in report.checks.iter().filter(|it| it.state == State::Problem) {
        session.ui.warn(&format!("{}: {}", check.name, check.found));
    }
    let old = session.places.database();
    if new.try_exists().unwrap_or(true) {
        return Err(Failure::bad_input(format!("{} exists already", new.display()))
            .hint(|w| &w.hint.new_name));
    }
    if !old.try_exists().unwrap_or(true) {
        return Err(Failure::new(Kind::Data, format!("there is no database {}", old.display()))
            .hint(|w| &w.hint.database_folder));
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
        error @ graph::Error::Damaged { .. } => {
            Failure::new(Kind::Data, error).hint(|w| &w.hint.salvage_failed)
        }
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
    let (ui, words) = (&session.ui, session.ui.words());
    let (column, doctor) = (&words.column, &words.doctor);
    let unknown = || String::from(&words.common.unknown);
    let mut table = Table::new([
        Column::exact(&column.table),
        Column::number(&column.read),
        Column::number(&column.lost),
        Column::number(&column.left_out),
        Column::number(&column.cleared),
    ]);
    for it in saved.tables.iter().filter(|table| table.read > 0 || table.lost != Some(0)) {
        table.row([
            it.name.clone(),
            it.read.to_string(),
            it.lost.map_or_else(unknown, |rows| rows.to_string()),
            it.left_out.to_string(),
            it.cleared.to_string(),
        ]);
    }
    ui.print(&table.render(ui.layout(1)))?;
    ui.note(if saved.is_complete() { &doctor.all_saved } else { &doctor.saved_legend }.as_str());
    if saved.stand_in_events > 0 {
        ui.note(&say!(doctor.stand_ins, n = saved.stand_in_events));
    }
    ui.note(&clean(&how_to_use(doctor, new)));
    ui.note(&clean(&say!(doctor.left_as_is, path = old.display())));
    Ok(())
}

/// A database is found by its folder, and is called lyra.db there.
fn how_to_use(words: &Doctor, new: &Path) -> String {
    let new = path::absolute(new).unwrap_or_else(|_| new.to_owned());
    match (new.parent(), new.file_name()) {
        (Some(folder), Some(name)) if name == "lyra.db" => {
            say!(words.use_folder, folder = quoted(&folder.to_string_lossy()))
        }
        _ => say!(words.use_file, file = new.display()),
    }
}
