//! `lyra archive list`: what was archived lately.

use clap::Args;
use graph::ArchiveRecord;
use serde::Serialize;

use super::show::answer_of;
use crate::cli::{at_least_one, minute, size};
use crate::failure::Failure;
use crate::session::{Session, ask};
use crate::ui::{Column, Table};
use crate::words::say;

/// Lines an address may take on a terminal.
const ADDRESS_LINES: usize = 2;

/// List the archived answers, newest first
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra archive list
  lyra archive list --limit 5 --json

Next: `lyra archive show URL` shows the newest answer of an address.")]
pub(crate) struct List {
    /// Show at most N answers [default: the setting output.rows]
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    limit: Option<usize>,
    /// Show all of them
    #[arg(long, conflicts_with = "limit")]
    all: bool,
}

impl List {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        #[derive(Serialize)]
        struct Listed {
            records: Vec<ArchiveRecord>,
            more: bool,
        }
        let limit = match self.all {
            true => usize::MAX >> 1,
            false => self.limit.unwrap_or(session.settings.output.rows),
        };
        let graph = session.reader()?;
        // One more than is shown tells whether there are more.
        let mut records = ask(graph, |r| r.newest_archived(limit.saturating_add(1)))?;
        let more = records.len() > limit;
        records.truncate(limit);
        let ui = &session.ui;
        if ui.is_json() {
            return ui.document(&Listed { records, more });
        }
        let words = ui.words();
        if records.is_empty() {
            ui.note(words.common.archive_empty.as_str());
            return Ok(());
        }
        let column = &words.column;
        let mut table = Table::new([
            Column::exact(&column.time),
            Column::exact(&column.answer),
            Column::number(&column.size),
            Column::text(&column.address),
            Column::exact(&column.record),
        ]);
        for it in &records {
            let (time, bytes) = (minute(it.archived_at), size(it.byte_length));
            table.row([&*time, &*answer_of(words, it), &*bytes, &*it.url, &*it.record_id]);
        }
        ui.print(&table.render(ui.layout(ADDRESS_LINES)))?;
        if more {
            ui.note(&say!(words.rest.newest, shown = limit));
        }
        Ok(())
    }
}
