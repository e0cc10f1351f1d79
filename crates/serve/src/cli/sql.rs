//! `lyra sql`: any question about the graph, in SQL, within limits.

use clap::Args;
use graph::{QueryError, QuerySettings, Schema};
use serde_json::json;

use super::input::query;
use super::rows;
use crate::failure::{Failure, Hint, Kind};
use crate::interrupt;
use crate::session::Session;
use crate::ui::{Column, Table};
use crate::words::say;

/// Ask the graph in SQL, read-only
///
/// One statement, bounded in time and size. Tables, views and full text (MATCH) can be read; nothing can be changed, and signed-in sessions
/// cannot be seen. In the table fractions are rounded; --json and --csv carry every digit.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra sql \"SELECT domain, count(*) AS pages FROM pages GROUP BY 1 ORDER BY 2 DESC\"
  lyra sql \"SELECT claim_text FROM v_contradictions\" --limit 500 --timeout-ms 5000
  lyra sql \"SELECT quote FROM fragments WHERE seq IN (SELECT rowid FROM fragments_fts('海面'))\" --csv
  lyra sql - < question.sql

Next: `lyra sql --schema` lists tables and columns; `lyra views` lists questions already prepared.")]
pub(crate) struct Arguments {
    /// One SELECT, WITH or VALUES statement, or `-` to read it from stdin
    #[arg(required_unless_present = "schema")]
    sql: Option<String>,
    /// Show at most N rows [default: the setting query.rows]
    #[arg(long, value_name = "N", value_parser = super::row_limit)]
    limit: Option<usize>,
    /// Milliseconds it may run [default: the setting query.timeout_ms]
    #[arg(long, value_name = "N", value_parser = super::within::<QuerySettings, u64>("timeout_ms"))]
    timeout_ms: Option<u64>,
    /// Steps of SQLite's virtual machine it may take [default: the setting query.vm_steps]
    #[arg(long, value_name = "N", value_parser = super::within::<QuerySettings, u64>("vm_steps"))]
    max_steps: Option<u64>,
    /// List the tables and views that can be read, with their columns
    #[arg(long)]
    schema: bool,
    /// Answer in CSV
    #[arg(long, conflicts_with_all = ["json", "schema"])]
    csv: bool,
    /// With --csv: leave texts that begin with = + - or @ as they are; a spreadsheet may run them as formulas
    #[arg(long, requires = "csv")]
    raw: bool,
}

impl Arguments {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        let Some(sql) = &self.sql else { return show_schema(session) };
        let sql = query(session, sql)?;
        let limits = self.limits(session);
        let graph = session.reader()?;
        let answer = graph.query(&sql, &limits)?;
        interrupt::check()?;
        let ui = &session.ui;
        if ui.is_json() {
            return ui.document(&answer);
        }
        if self.csv {
            ui.print(&rows::csv(&answer.table, self.raw))?;
        } else if answer.table.rows.is_empty() {
            ui.note(ui.words().common.no_rows.as_str());
        } else {
            ui.print(&rows::table(&answer.table, ui.layout(3)))?;
        }
        rows::note_cut(ui, &answer.table, limits.rows);
        match &answer.schema {
            Some(schema) => ui.print(&format!("\n{}", rendered(schema, session))),
            None => Ok(()),
        }
    }

    /// What the settings allow, as the flags change it. What an assistant may ask for at most does
    /// not bind a person on their own machine.
    fn limits(&self, session: &Session) -> QuerySettings {
        let mut limits = session.settings.query.clone();
        if let Some(rows) = self.limit {
            limits.rows = rows;
        }
        if let Some(ms) = self.timeout_ms {
            limits.timeout_ms = ms;
        }
        if let Some(steps) = self.max_steps {
            limits.vm_steps = steps;
        }
        QuerySettings { include_schema: self.schema, ..limits }
    }
}

fn show_schema(session: &Session) -> Result<(), Failure> {
    let schema = session.reader()?.query_schema()?;
    if session.ui.is_json() {
        return session.ui.document(&json!({ "schema": schema }));
    }
    session.ui.print(&rendered(&schema, session))
}

fn rendered(schema: &Schema, session: &Session) -> String {
    let column = &session.ui.words().column;
    let mut table = Table::new([Column::exact(&column.table), Column::text(&column.columns)]);
    for it in &schema.tables {
        table.row([&*it.name, &*it.columns.join(", ")]);
    }
    table.render(session.ui.layout(usize::MAX))
}

impl From<QueryError> for Failure {
    fn from(error: QueryError) -> Self {
        use QueryError as E;
        let (kind, hint) = match &error {
            E::Graph(_) => (Kind::Internal, None),
            E::Empty => (Kind::BadInput, Some(Hint::new(|w| &w.hint.sql_examples))),
            E::NotAQuery { .. } => (Kind::BadInput, Some(Hint::new(|w| &w.hint.sql_read_only))),
            E::SeveralStatements => (Kind::BadInput, Some(Hint::new(|w| &w.hint.sql_one_by_one))),
            E::Denied { .. } => (Kind::BadInput, Some(Hint::new(|w| &w.hint.sql_denied))),
            E::Syntax { closest, .. } if !closest.is_empty() => {
                let closest = closest.clone();
                let hint = Hint::new(move |w| {
                    let names = closest.join(w.hint.sql_or.as_str());
                    say!(w.hint.sql_closest, names = names)
                });
                (Kind::BadInput, Some(hint))
            }
            E::Syntax { .. } => (Kind::BadInput, Some(Hint::new(|w| &w.hint.sql_schema))),
            E::Failed { .. } => (Kind::BadInput, Some(Hint::new(|w| &w.hint.sql_values))),
            E::TimedOut { ms } => {
                let ms = ms.saturating_mul(10);
                (Kind::Limit, Some(Hint::new(move |w| say!(w.hint.sql_time, ms = ms))))
            }
            E::TooManySteps { steps } => {
                let steps = steps.saturating_mul(10);
                (Kind::Limit, Some(Hint::new(move |w| say!(w.hint.sql_steps, steps = steps))))
            }
            E::TooLarge { what, .. } => {
                let setting = match *what {
                    "the query" => "query.sql_bytes",
                    "the first row" => "query.bytes",
                    _ => "query.value_bytes",
                };
                (Kind::Limit, Some(Hint::new(move |w| say!(w.hint.sql_size, setting = setting))))
            }
        };
        match error {
            // It has a meaning of its own, whichever question met it.
            E::Graph(error) => error.into(),
            error => Self { hint, ..Self::new(kind, error) },
        }
    }
}
