//! `lyra domain list` and `lyra domain log`: what people decided, what is blocked, who did what when.

use clap::Args;
use evidence::domain::OverrideRule;
use graph::{BlockedDomain, OverrideAction, OverrideEvent};
use serde::Serialize;

use crate::cli::{at_least_one, minute, note_rest};
use crate::failure::Failure;
use crate::session::{Session, ask};
use crate::ui::{Column, Layout, Table};
use crate::words::Words;

/// Lines a reason may take on a terminal.
const REASON_LINES: usize = 2;

/// List what people decided about domains, then everything that blocks one
///
/// A block that a person lifted is listed too, with the pattern that lifts it.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  lyra domain list --json

Next: `lyra domain check HOST` explains one; `lyra domain unblock PATTERN --reason TEXT` lifts a block.")]
pub(crate) struct List {
    /// Show at most N of each [default: the setting output.rows]
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    limit: Option<usize>,
    /// Show all of them
    #[arg(long, conflicts_with = "limit")]
    all: bool,
}

/// Show who decided what about domains, newest first
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  lyra domain log --limit 10

Next: `lyra domain list` shows what is in force.")]
pub(crate) struct Log {
    /// Show at most N entries [default: the setting output.rows]
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    limit: Option<usize>,
    /// Show all entries
    #[arg(long, conflicts_with = "limit")]
    all: bool,
}

impl List {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        #[derive(Serialize)]
        struct Listed {
            total_overrides: usize,
            total_blocked: usize,
            domain_overrides: Vec<OverrideRule>,
            blocked_domains: Vec<BlockedDomain>,
        }
        let policy = session.policy().current();
        let graph = session.reader()?;
        let (mut domain_overrides, mut blocked_domains) =
            ask(graph, |r| Ok((r.domain_overrides()?, r.blocked_domains(&policy)?)))?;
        let (total_overrides, total_blocked) = (domain_overrides.len(), blocked_domains.len());
        if !self.all {
            let limit = self.limit.unwrap_or(session.settings.output.rows);
            domain_overrides.truncate(limit);
            blocked_domains.truncate(limit);
        }
        let ui = &session.ui;
        if ui.is_json() {
            return ui.document(&Listed {
                total_overrides,
                total_blocked,
                domain_overrides,
                blocked_domains,
            });
        }
        let (layout, words) = (ui.layout(REASON_LINES), ui.words());
        let tables = [
            (!domain_overrides.is_empty())
                .then(|| overrides_table(words, &domain_overrides, layout)),
            (!blocked_domains.is_empty()).then(|| blocked_table(words, &blocked_domains, layout)),
        ];
        let tables: Vec<String> = tables.into_iter().flatten().collect();
        if tables.is_empty() {
            ui.note(words.domain.nothing.as_str());
            return Ok(());
        }
        ui.print(&tables.join("\n"))?;
        note_rest(ui, domain_overrides.len(), total_overrides, &words.rest.overrides);
        note_rest(ui, blocked_domains.len(), total_blocked, &words.rest.blocks);
        Ok(())
    }
}

fn overrides_table(words: &Words, overrides: &[OverrideRule], layout: Layout) -> String {
    let column = &words.column;
    let columns =
        [&column.override_pattern, &column.decision, &column.since, &column.by].map(Column::exact);
    let mut table = Table::new(columns.into_iter().chain([Column::text(&column.reason)]));
    for it in overrides {
        let (pattern, since) = (it.domain_pattern.to_string(), minute(it.updated_at));
        table.row([
            &*pattern,
            &*words.code(it.decision.as_str()),
            &*since,
            &*it.created_by,
            &*it.reason,
        ]);
    }
    table.render(layout)
}

fn blocked_table(words: &Words, blocked: &[BlockedDomain], layout: Layout) -> String {
    let column = &words.column;
    let columns = [
        &column.blocked,
        &column.because,
        &column.risk,
        &column.category,
        &column.since,
        &column.lifted_by,
    ];
    let mut table =
        Table::new(columns.map(Column::exact).into_iter().chain([Column::text(&column.reason)]));
    for it in blocked {
        let lifted = it.overridden.as_ref().filter(|by| by.is_overridden);
        table.row([
            it.domain.clone(),
            words.code(it.domain_block_reason),
            words.code(it.domain_unblock_risk),
            words.code(it.original_domain_category),
            it.domain_blocked_at.map_or("-".to_owned(), minute),
            lifted.map_or("-".to_owned(), |it| it.by.matched_pattern.to_string()),
            it.reason.clone(),
        ]);
    }
    table.render(layout)
}

impl Log {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        #[derive(Serialize)]
        struct Entries {
            total: usize,
            events: Vec<OverrideEvent>,
        }
        let graph = session.reader()?;
        let mut events = ask(graph, |r| r.domain_log(u32::MAX))?;
        let total = events.len();
        if !self.all {
            events.truncate(self.limit.unwrap_or(session.settings.output.rows));
        }
        let ui = &session.ui;
        if ui.is_json() {
            return ui.document(&Entries { total, events });
        }
        let words = ui.words();
        if events.is_empty() {
            ui.note(words.domain.no_decisions.as_str());
            return Ok(());
        }
        let column = &words.column;
        let columns =
            [&column.time, &column.action, &column.pattern, &column.by].map(Column::exact);
        let mut table = Table::new(columns.into_iter().chain([Column::text(&column.reason)]));
        for it in &events {
            let (time, pattern) = (minute(it.created_at), it.domain_pattern.to_string());
            table.row([
                &*time,
                &*words.code(verb(it.action)),
                &*pattern,
                &*it.created_by,
                &*it.reason,
            ]);
        }
        ui.print(&table.render(ui.layout(REASON_LINES)))?;
        note_rest(ui, events.len(), total, &words.rest.entries);
        Ok(())
    }
}

fn verb(action: OverrideAction) -> &'static str {
    match action {
        OverrideAction::DomainBlock => "block",
        OverrideAction::DomainUnblock => "unblock",
        OverrideAction::DomainClearOverride => "clear",
    }
}
