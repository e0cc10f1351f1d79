//! `lyra views`: questions already prepared, and their answers.

mod readable;

use clap::Args;
use evidence::TaskId;
use graph::{Graph, Rows, ViewInfo, ViewOrigin, ViewProblem};
use serde::Serialize;

use super::complete;
use super::ids::find_task;
use super::rows;
use crate::failure::Failure;
use crate::session::{Session, ask};
use crate::ui::{Column, Table, clean};
use readable::Readable;

/// Answer prepared questions about what was found
///
/// Without a name, all views are listed. Each view answers one question about all tasks, or with --task about one, in texts, quotes and sources; --ids shows
/// ids instead, as --json and --csv do. A file v_name.sql.j2 in the folder `views` beside the configuration file adds a
/// view or replaces the shipped one.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra views
  lyra views v_contradictions --task latest
  lyra views hub_pages --columns
  lyra views hub_pages --sql > question.sql

Next: `lyra sql \"SELECT ... FROM v_contradictions\"` asks a view for more.")]
pub(crate) struct Arguments {
    /// The view, with or without `v_`; without one, all are listed
    name: Option<String>,
    /// Only rows of this task: latest, task:3, or the beginning or end of its id
    #[arg(long, value_name = "TASK", requires = "name", add = complete::tasks())]
    task: Option<String>,
    /// Show at most N rows [default: the setting output.rows]
    #[arg(long, value_name = "N", requires = "name", value_parser = super::row_limit)]
    limit: Option<usize>,
    /// Show the columns as they are, with ids in place of texts and quotes
    #[arg(long, requires = "name")]
    ids: bool,
    /// Print the rows as CSV, with ids
    #[arg(long, requires = "name", conflicts_with_all = ["ids", "json", "sql", "columns"])]
    csv: bool,
    /// With --csv: leave texts that begin with = + - or @ as they are; a spreadsheet may run them as formulas
    #[arg(long, requires = "csv")]
    raw: bool,
    /// Print the SELECT behind the view, usable in `WITH x AS (...)`
    #[arg(long, requires = "name", conflicts_with_all = ["columns", "limit"])]
    sql: bool,
    /// Explain the columns
    #[arg(long, requires = "name", conflicts_with_all = ["task", "limit"])]
    columns: bool,
}

impl Arguments {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        let graph = session.reader()?;
        let Some(name) = &self.name else { return list(session, graph) };
        warn(session, graph.view_problems());
        if self.columns {
            return show_columns(session, graph, name);
        }
        let task = self.task.as_deref().map(|it| find_task(graph, it)).transpose()?;
        if self.sql {
            return show_sql(session, graph, name, task);
        }
        let limit = self.limit.unwrap_or(session.settings.output.rows);
        let (view, rows) =
            ask(graph, |r| Ok((r.view(name)?.name, r.query_view(name, task, limit)?)))?;
        if session.ui.is_json() {
            #[derive(Serialize)]
            struct Answer {
                view: String,
                task_id: Option<TaskId>,
                #[serde(flatten)]
                rows: Rows,
            }
            return session.ui.document(&Answer { view, task_id: task, rows });
        }
        if self.csv {
            session.ui.print(&rows::csv(&rows, self.raw))?;
            rows::note_cut(&session.ui, &rows, limit);
            return Ok(());
        }
        if rows.rows.is_empty() {
            session.ui.note(session.ui.words().common.no_rows.as_str());
            return Ok(());
        }
        let layout = session.ui.layout(3);
        let shown = match self.ids {
            true => rows::table(&rows, layout),
            false => {
                let words = session.ui.words();
                ask(graph, |r| Readable::of(r, words, &rows))?.render(layout, rows.truncated)
            }
        };
        session.ui.print(&shown)?;
        rows::note_cut(&session.ui, &rows, limit);
        Ok(())
    }
}

fn list(session: &Session, graph: &Graph) -> Result<(), Failure> {
    let views = ask(graph, |r| r.views())?;
    let problems = graph.view_problems();
    if session.ui.is_json() {
        #[derive(Serialize)]
        struct Listed<'a> {
            views: &'a [ViewInfo],
            problems: &'a [ViewProblem],
        }
        return session.ui.document(&Listed { views: &views, problems });
    }
    let words = session.ui.words();
    let column = &words.column;
    let columns =
        [Column::exact(&column.view), Column::exact(&column.origin), Column::text(&column.answers)];
    let mut table = Table::new(columns);
    for view in &views {
        let origin = match view.origin {
            ViewOrigin::Shipped => words.common.shipped.as_str(),
            ViewOrigin::User(_) => words.common.yours.as_str(),
        };
        table.row([&*view.name, origin, &*words.code(&view.answers)]);
    }
    session.ui.print(&table.render(session.ui.layout(3)))?;
    warn(session, problems);
    Ok(())
}

fn show_columns(session: &Session, graph: &Graph, name: &str) -> Result<(), Failure> {
    let view = ask(graph, |r| r.view(name))?;
    if session.ui.is_json() {
        return session.ui.document(&view);
    }
    let words = session.ui.words();
    let column = &words.column;
    let mut table = Table::new([Column::exact(&column.column), Column::text(&column.meaning)]);
    for column in &view.columns {
        let meaning = column.meaning.as_deref().map(|it| words.code(it));
        table.row([&*column.name, &*meaning.unwrap_or_default()]);
    }
    session.ui.print(&table.render(session.ui.layout(usize::MAX)))?;
    session.ui.note(&format!("{}: {}", view.name, clean(&words.code(&view.answers))));
    Ok(())
}

fn show_sql(
    session: &Session,
    graph: &Graph,
    name: &str,
    task: Option<TaskId>,
) -> Result<(), Failure> {
    let (view, sql) = ask(graph, |r| Ok((r.view(name)?.name, r.render_view(name, task)?)))?;
    if session.ui.is_json() {
        #[derive(Serialize)]
        struct Rendered {
            view: String,
            sql: String,
        }
        return session.ui.document(&Rendered { view, sql });
    }
    // Text of the user's own file, line by line as it is written there.
    session.ui.print(&sql.lines().map(clean).collect::<Vec<_>>().join("\n"))
}

fn warn(session: &Session, problems: &[ViewProblem]) {
    for problem in problems {
        let path = problem.path.as_ref().map(|it| format!(" ({})", it.display()));
        session.ui.warn(&format!("{problem}{}", path.unwrap_or_default()));
    }
}
