//! What of the program a visit of a person needs, and how often a person may be asked.

use std::path::PathBuf;
use std::time::Duration;

use browser::BrowserSettings;
use extract::ReadSettings;
use graph::{AuthEntry, Graph};
use sources::{Engines, HealthSettings};

use crate::failure::{Failure, Kind};
use crate::session::Session;

/// What of the program a visit needs.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) browser: BrowserSettings,
    pub(crate) folder: PathBuf,
    pub(crate) visits: PathBuf,
    pub(crate) read: ReadSettings,
    pub(crate) health: HealthSettings,
    pub(crate) engines: Engines,
    pub(crate) patience: Duration,
    pub(crate) visits_per_task: u64,
}

impl Context {
    pub(crate) fn of(session: &Session) -> Self {
        let settings = &session.settings;
        Self {
            browser: settings.browser.clone(),
            folder: session.places.browser(),
            visits: session.places.visits(),
            read: settings.read.clone(),
            health: settings.engines.health.clone(),
            engines: Engines::load(Some(&session.places.engines())),
            patience: Duration::from_secs(settings.auth.minutes * 60),
            visits_per_task: settings.auth.visits_per_task,
        }
    }

    /// Why a person was asked often enough for the task of an entry, if they were (AUT-13).
    pub(crate) fn asked_enough(&self, graph: &Graph, entry: &AuthEntry) -> Result<(), Failure> {
        let Some(task) = entry.task_id else { return Ok(()) };
        let visits = graph.read(|r| r.visits_of(task))?;
        let most = self.visits_per_task;
        if visits.visits < most && visits.seconds < self.patience.as_secs() {
            return Ok(());
        }
        let message = format!(
            "a person was at work {} times and {} s for this task, and {most} times and {} s are the limit",
            visits.visits,
            visits.seconds,
            self.patience.as_secs()
        );
        Err(Failure::new(Kind::Limit, message).hint(|w| &w.hint.visit_anyway))
    }
}
