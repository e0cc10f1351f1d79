//! `lyra egress`: everything that left the machine.

use clap::Args;
use evidence::TaskId;
use graph::{EgressFilter, EgressRow, EgressTotals};
use serde::Serialize;

use super::ids::OfTask;
use super::since::{Since, since};
use super::{at_least_one, size};
use crate::clock::second;
use crate::failure::Failure;
use crate::session::{Session, ask};
use crate::ui::{Column, Table};
use crate::words::{Words, say};

/// Lines a path may take on a terminal.
const PATH_LINES: usize = 2;

/// List every request that left this machine
///
/// When, where to, how large and why. A row is written before the first byte leaves, so what is not here was not sent. Newest first; sizes are
/// those of requests and answers before encryption. `0 B` sent: no connection came about, the request did
/// not leave. `no answer` is a request that was cut off before anything was known about it; it counts as sent.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra egress
  lyra egress --task latest --all
  lyra egress --host api.openalex.org --since 2026-01-15
  lyra egress --since 24h --json

Next: `lyra archive show URL` shows what came back.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    task: OfTask,
    /// Only requests to this host
    #[arg(long, value_name = "HOST")]
    host: Option<String>,
    /// Only requests since this day (of your time zone) or moment, or in the last hours or days: 2026-01-15,
    /// 2026-01-15T12:00:00Z, 24h, 7d
    #[arg(long, value_name = "TIME", value_parser = since)]
    since: Option<Since>,
    /// Show at most N requests [default: the setting output.rows]
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    limit: Option<usize>,
    /// Show all of them
    #[arg(long, conflicts_with = "limit")]
    all: bool,
}

#[derive(Debug, Serialize)]
struct Listed {
    task_id: Option<TaskId>,
    totals: EgressTotals,
    requests: Vec<EgressRow>,
}

impl Arguments {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        let graph = session.reader()?;
        let task = self.task.find(graph)?;
        let since = self.since.map(|it| it.before(graph.now()));
        let host = self.host.as_ref().map(|it| it.to_ascii_lowercase());
        let filter = EgressFilter { task, host, since };
        let limit = match self.all {
            true => usize::MAX >> 1,
            false => self.limit.unwrap_or(session.settings.output.rows),
        };
        let (requests, totals) =
            ask(graph, |r| Ok((r.egress(&filter, limit)?, r.egress_totals(&filter)?)))?;
        let ui = &session.ui;
        if ui.is_json() {
            return ui.document(&Listed { task_id: task, totals, requests });
        }
        let words = ui.words();
        if requests.is_empty() {
            let everything = filter.task.is_none() && filter.host.is_none() && since.is_none();
            ui.note(match everything {
                true => words.egress.nothing.as_str(),
                false => words.egress.nothing_like_that.as_str(),
            });
            return Ok(());
        }
        ui.print(&table(words, &requests).render(ui.layout(PATH_LINES)))?;
        ui.note(&summary(words, &totals, requests.len()));
        Ok(())
    }
}

fn table(words: &Words, requests: &[EgressRow]) -> Table {
    let column = &words.column;
    let mut table = Table::new([
        Column::exact(&column.time),
        Column::exact(&column.host),
        Column::text(&column.path),
        Column::exact(&column.method),
        Column::number(&column.sent),
        Column::number(&column.received),
        Column::exact(&column.answer),
        Column::exact(&column.purpose),
    ]);
    for it in requests {
        table.row([
            second(it.requested_at),
            host(it),
            it.path.clone(),
            it.method.clone(),
            size(it.left()),
            it.response_bytes.map_or("-".to_owned(), size),
            answer(words, it),
            it.purpose.clone(),
        ]);
    }
    table
}

/// The host, with the port where it is not the usual one of the scheme, and the scheme where it is not https.
fn host(row: &EgressRow) -> String {
    let usual = match row.scheme.as_str() {
        "http" => 80,
        _ => 443,
    };
    let scheme = if row.scheme == "https" { String::new() } else { format!("{}://", row.scheme) };
    let port = if row.port == usual { String::new() } else { format!(":{}", row.port) };
    format!("{scheme}{}{port}", row.host)
}

fn answer(words: &Words, row: &EgressRow) -> String {
    match (row.status, row.outcome.as_deref()) {
        (Some(status), None | Some("answered")) => status.to_string(),
        (Some(status), Some(outcome)) => format!("{status} {}", outcome.replace('_', " ")),
        (None, Some(outcome)) => outcome.replace('_', " "),
        (None, None) => String::from(&words.egress.no_answer),
    }
}

fn summary(words: &Words, totals: &EgressTotals, shown: usize) -> String {
    let words = &words.egress;
    let unanswered = match totals.unanswered {
        0 => String::new(),
        some => say!(words.unanswered, n = some),
    };
    let rest = match (shown as u64) < totals.requests {
        true => say!(words.rest, shown = shown),
        false => String::new(),
    };
    say!(
        words.summary,
        requests = say!(words.requests, n = totals.requests),
        hosts = say!(words.hosts, n = totals.hosts),
        sent = size(totals.sent_bytes),
        received = size(totals.response_bytes),
        unanswered = unanswered,
        rest = rest,
    )
}
