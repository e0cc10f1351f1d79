//! `lyra auth sessions` and `lyra auth forget`: where a person is signed in.

use clap::Args;
use evidence::domain::site_of;
use graph::Cause;
use jiff::Timestamp;
use serde::Serialize;
use serde_json::json;

use crate::cli::minute;
use crate::failure::{Failure, Kind};
use crate::session::{Session, ask};
use crate::ui::{Column, Table, clean};

/// Lines an address may take on a terminal.
const ADDRESS_LINES: usize = 2;

/// Show the sites that a session of yours is used for
///
/// Sites and times only: the cookies are sealed, with a key beside the settings and not in the data folder. They are in no
/// export, backup, archive or log.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  lyra auth sessions

Next: `lyra auth forget DOMAIN` ends one.")]
pub(crate) struct Sessions {}

/// Forget the session at a site
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  lyra auth forget news.example

Next: `lyra auth sessions` shows the others.")]
pub(crate) struct Forget {
    /// The domain, as `lyra auth sessions` shows it
    domain: String,
}

#[derive(Debug, Serialize)]
struct Kept {
    domain: String,
    route: String,
    created_at: Timestamp,
    expires_at: Timestamp,
    is_over: bool,
}

impl Sessions {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        let now = session.now();
        let kept = ask(session.reader()?, |r| r.sessions())?.into_iter().map(|it| Kept {
            is_over: it.expires_at <= now,
            domain: it.domain,
            route: it.route,
            created_at: it.created_at,
            expires_at: it.expires_at,
        });
        let kept: Vec<Kept> = kept.collect();
        let ui = &session.ui;
        if ui.is_json() {
            return ui.document(&json!({ "sessions": kept }));
        }
        let words = ui.words();
        if kept.is_empty() {
            ui.note(words.auth.no_sessions.as_str());
            return Ok(());
        }
        let column = &words.column;
        let mut table = Table::new([
            Column::text(&column.domain),
            Column::exact(&column.since),
            Column::exact(&column.until),
        ]);
        for it in kept {
            let until = match it.is_over {
                true => words.auth.over.as_str().to_owned(),
                false => minute(it.expires_at),
            };
            table.row([clean(&it.domain), minute(it.created_at), until]);
        }
        ui.print(&table.render(ui.layout(ADDRESS_LINES)))
    }
}

impl Forget {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        let site = site_of(self.domain.trim());
        let graph = session.open_to_change()?;
        let cause = Cause::new("session_over").about("domain", &site);
        let cause = cause.with(json!({ "why": "a person signed out" }));
        if !graph.write(cause, |w| w.forget_session(&site))? {
            let message = format!("there is no session at {}", clean(&site));
            return Err(Failure::new(Kind::NotFound, message).hint(|w| &w.hint.sessions));
        }
        if session.ui.is_json() {
            return session.ui.document(&json!({ "domain": site, "forgotten": true }));
        }
        session.ui.print(&clean(&site))?;
        session.ui.note(session.ui.words().auth.forgotten.as_str());
        Ok(())
    }
}
