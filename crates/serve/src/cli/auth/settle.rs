//! `lyra auth done` and `lyra auth skip`: what a person says about pages that wait.

use std::time::{Duration, Instant};

use clap::Args;
use evidence::AuthId;
use evidence::domain::site_of;
use graph::{AuthEntry, AuthTarget, Cause, Graph};
use serde_json::json;

use crate::cli::ids::find;
use crate::failure::{Failure, Kind};
use crate::session::{Session, ask};
use crate::ui::clean;
use crate::visit::{Told, tell_done};
use crate::words::say;

/// How long a window may take to look whether the page is open: a site is asked slowly.
const PATIENCE: Duration = Duration::from_secs(60);
const LOOK: Duration = Duration::from_millis(200);

/// Say that the page in an open window is open now
///
/// For the window of `lyra auth open` in another terminal, or of an assistant. Lyra then asks for the page itself.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  lyra auth done latest

Next: `lyra auth list` shows what still waits.")]
pub(crate) struct Done {
    /// The page: latest, or the beginning or end of its id
    #[arg(value_name = "ID")]
    id: String,
}

/// Do without pages that wait: they are not asked for again
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra auth skip 4F2K
  lyra auth skip --domain news.example

Next: `lyra auth list` shows what still waits.")]
pub(crate) struct Skip {
    /// The page: latest, or the beginning or end of its id
    #[arg(value_name = "ID", required_unless_present = "domain")]
    id: Option<String>,
    /// All pages of this domain, in all tasks
    #[arg(long, value_name = "DOMAIN", conflicts_with = "id")]
    domain: Option<String>,
}

/// Finds the entry of the queue that `given` names.
pub(super) fn find_entry(graph: &Graph, given: &str) -> Result<AuthEntry, Failure> {
    let id: AuthId = find(graph, given).map_err(|it| it.hint(|w| &w.hint.auth_list))?;
    ask(graph, |r| r.auth_entry(id)).map_err(|it| it.hint(|w| &w.hint.auth_list))
}

impl Done {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        let entry = find_entry(session.reader()?, &self.id)?;
        let folder = session.places.visits();
        let mut told = tell_done(&folder, entry.id)
            .map_err(|error| Failure::new(Kind::Data, error).hint(|w| &w.hint.data_dir_owner))?;
        let begun = Instant::now();
        while told.is_none() && begun.elapsed() < PATIENCE {
            crate::interrupt::check()?;
            std::thread::sleep(LOOK);
            told = Told::look(&folder, entry.id);
        }
        let id = entry.id;
        match told {
            Some(Told::NoWindow) => {
                let message = format!("no window is open for {id}");
                Err(Failure::new(Kind::NotFound, message)
                    .hint(move |w| say!(w.hint.visit_again, id = id)))
            }
            Some(Told::StillAsks(why)) => {
                Err(Failure::new(Kind::Network, why).hint(|w| &w.hint.visit_go_on))
            }
            Some(Told::Over) => {
                let now = ask(session.reader()?, |r| r.auth_entry(id))?;
                if session.ui.is_json() {
                    return session.ui.document(&now);
                }
                session.ui.print(&id.to_string())?;
                let words = session.ui.words();
                session.ui.note(&say!(words.auth.now, status = words.code(now.status)));
                Ok(())
            }
            None => {
                let message = "the window has not answered yet";
                Err(Failure::new(Kind::Limit, message).hint(|w| &w.hint.visit_go_on))
            }
        }
    }
}

impl Skip {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        let target = match (&self.domain, &self.id) {
            (Some(domain), _) => AuthTarget::Domain(domain.trim().to_lowercase()),
            (None, given) => {
                let given = given.as_deref().unwrap_or_default();
                AuthTarget::Entry(find_entry(session.reader()?, given)?.id)
            }
        };
        let cause = Cause::new("auth_settled").with(json!({ "status": "skipped" }));
        let graph = session.open_to_change()?;
        let skipped = graph.write(cause, |w| w.skip_auth(&target))?;
        let (name, value) = match &target {
            AuthTarget::Entry(id) => ("auth_id", id.to_string()),
            AuthTarget::Domain(host) => ("domain", site_of(host)),
        };
        if session.ui.is_json() {
            return session.ui.document(&json!({ name: value, "skipped": skipped }));
        }
        session.ui.print(&clean(&value))?;
        session.ui.note(&say!(session.ui.words().auth.skipped, n = skipped));
        Ok(())
    }
}
