//! `lyra log`: what Lyra wrote about its own work.

use clap::Args;
use serde::Serialize;

use super::at_least_one;
use super::since::{Since, since};
use crate::clock::second;
use crate::failure::{Failure, Kind};
use crate::log::{Entry, Which, entries};
use crate::session::Session;
use crate::ui::{Column, Table};
use crate::words::{Words, say};

/// Lines that details may take on a terminal.
const DETAIL_LINES: usize = 3;

/// Show what Lyra wrote to its log
///
/// Newest first. With `--audit`: where pages, answers and a language model spoke to machines, by rule and place
/// (`RULE@WHERE:FIRST-LAST`, in characters), never with the words. Logs hold no secrets, no prompts and no text
/// of pages.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra log
  lyra log --audit --since 7d
  lyra log --audit --all --json

Next: `lyra domain check HOST` says what followed for a domain.")]
pub(crate) struct Arguments {
    /// The audit log: attempts to give orders to machines
    #[arg(long)]
    audit: bool,
    /// Only entries since this day (of your time zone) or moment, or in the last hours or days: 2026-01-15,
    /// 2026-01-15T12:00:00Z, 24h, 7d
    #[arg(long, value_name = "TIME", value_parser = since)]
    since: Option<Since>,
    /// Show at most N entries [default: the setting output.rows]
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    limit: Option<usize>,
    /// Show all of them
    #[arg(long, conflicts_with = "limit")]
    all: bool,
}

#[derive(Debug, Serialize)]
struct Listed {
    total: usize,
    entries: Vec<Entry>,
}

impl Arguments {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        let since = self.since.map(|it| it.before(session.now()));
        let which = if self.audit { Which::Audit } else { Which::Program };
        let folder = session.places.logs();
        let mut entries = entries(&folder, which, since)
            .map_err(|error| Failure::new(Kind::Data, format!("{}: {error}", folder.display())))?;
        let total = entries.len();
        let limit = match self.all {
            true => usize::MAX,
            false => self.limit.unwrap_or(session.settings.output.rows),
        };
        entries.truncate(limit);
        let ui = &session.ui;
        if ui.is_json() {
            return ui.document(&Listed { total, entries });
        }
        let words = ui.words();
        if entries.is_empty() {
            ui.note(words.log.nothing.as_str());
            return Ok(());
        }
        ui.print(&table(words, &entries).render(ui.layout(DETAIL_LINES)))?;
        let rest = match entries.len() < total {
            true => say!(words.log.rest, shown = entries.len()),
            false => String::new(),
        };
        ui.note(&say!(
            words.log.summary,
            entries = say!(words.log.entries, n = total),
            rest = rest
        ));
        Ok(())
    }
}

fn table(words: &Words, entries: &[Entry]) -> Table {
    let column = &words.column;
    let mut table = Table::new([
        Column::exact(&column.time),
        Column::text(&column.what),
        Column::text(&column.details),
    ]);
    for it in entries {
        let fields = it.fields.iter().map(|(name, value)| {
            let value = value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned);
            format!("{name}={value}")
        });
        table.row([second(it.time), words.code(&it.message), fields.collect::<Vec<_>>().join(" ")]);
    }
    table
}
