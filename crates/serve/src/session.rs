//! What a command on the graph needs: settings, places, the log, Ctrl-C.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use evidence::domain::DomainPolicy;
use fetch::{Fetcher, HostPause};
use graph::{Access, Cause, Clock, Graph, PolicyFile, Reader, SystemClock};
use jiff::Timestamp;

use crate::clock::local;
use crate::config::{Config, Entry, Environment, Places, Settings};
use crate::failure::{Failure, Hint, Kind, error_id, guarded};
use crate::ui::{Doing, Ui};
use crate::words::{Words, say};
use crate::{backup, interrupt, log, tidy};

#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) ui: Ui,
    pub(crate) settings: Settings,
    pub(crate) places: Places,
    /// The settings with where they come from.
    pub(crate) entries: Vec<Entry>,
    clock: Arc<dyn Clock>,
}

impl Session {
    /// Passes on what is odd about the settings, and starts the log.
    pub(crate) fn start(ui: Ui, config: Config, places: Places, environment: &Environment) -> Self {
        for warning in &config.warnings {
            ui.warn(warning);
        }
        sandbox::install(config.settings.sandbox.clone());
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let told = ui.clone();
        log::start(log::Options {
            folder: places.logs(),
            settings: config.settings.log.clone(),
            directives: environment.get("LYRA_LOG").map(|it| it.to_string_lossy().into_owned()),
            clock: Arc::clone(&clock),
            warn: Box::new(move |message| told.warn(message)),
        });
        Self { ui, settings: config.settings, places, entries: config.entries, clock }
    }

    /// Runs a command, and writes its beginning and end to the log: its name, never its
    /// arguments, which may be anything.
    pub(crate) fn run(
        &self,
        command: &'static str,
        work: impl FnOnce(&Self) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let started = begin(command, &self.ui);
        let shown = (self.ui.at_work(), self.at_something(None));
        let result = guarded(|| work(self)).map_err(with_detail_in_log);
        drop(shown);
        log_end(command, started, result.as_ref().err());
        result
    }

    /// What is shown of a command that does not say more itself: how long it works, and what it waits for.
    pub(crate) fn at_something(&self, fetcher: Option<Fetcher>) -> Doing {
        let (began, ui) = (Instant::now(), self.ui.clone());
        self.ui.doing(Box::new(move || {
            let progress = &ui.words().progress;
            let n = began.elapsed().as_secs();
            let working = say!(progress.working, time = say!(progress.seconds, n = n));
            match fetcher.as_ref().and_then(Fetcher::waits_for) {
                Some(pause) => format!("{working} · {}", waiting(ui.words(), &pause)),
                None => working,
            }
        }))
    }

    /// Runs a command that keeps the session for itself, such as a server.
    pub(crate) fn run_to_end(
        self,
        command: &'static str,
        work: impl FnOnce(Self) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let started = begin(command, &self.ui);
        let result = guarded(|| work(self)).map_err(with_detail_in_log);
        log_end(command, started, result.as_ref().err());
        result
    }

    /// Opens the graph to ask it something; Ctrl-C stops what runs on it.
    ///
    /// It is never closed: the process ends with the command, and taking the parsed schema apart
    /// first would make every short command a tenth slower.
    pub(crate) fn reader(&self) -> Result<&'static Graph, Failure> {
        self.open(Access::Read).map(|graph| &*Box::leak(Box::new(graph)))
    }

    /// Opens the graph to change it; Ctrl-C stops what runs on it.
    pub(crate) fn writer(&self) -> Result<Graph, Failure> {
        self.open(Access::Write)
    }

    fn open(&self, access: Access) -> Result<Graph, Failure> {
        self.go_on()?;
        let graph = Graph::open(&self.places.database(), access, self.options())?;
        let graph = stoppable(graph);
        if access == Access::Write && !graph.read(|r| r.unfinished())?.is_empty() {
            tracing::warn!("a deletion that was cut short is ended");
            tidy::finish(self, &graph)?;
        }
        Ok(graph)
    }

    /// Ends a restore that was cut short, before anything else looks at the data.
    pub(crate) fn go_on(&self) -> Result<(), Failure> {
        backup::go_on(&self.places, Duration::from_millis(self.settings.storage.lock_wait_ms))
    }

    /// Opens the graph to change what is in it. Where there is none, none is created: what is to be
    /// changed is then missing, which the caller's own question finds out.
    pub(crate) fn open_to_change(&self) -> Result<Graph, Failure> {
        match self.places.database().try_exists() {
            Ok(false) => Ok(stoppable(Graph::in_memory(self.options())?)),
            _ => self.writer(),
        }
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    pub(crate) fn options(&self) -> graph::Options {
        graph::Options {
            clock: Arc::clone(&self.clock),
            lock_wait: Duration::from_millis(self.settings.storage.lock_wait_ms),
            rules: self.settings.evidence_settings(),
            views: graph::ViewOptions {
                user_dir: Some(self.places.views()),
                settings: self.settings.views.clone(),
            },
            vectors: self.settings.vectors.clone(),
            caller: Some("cli".to_owned()),
            ..graph::Options::default()
        }
    }

    /// The domain policy in force, for a command that reads. A mistake in the user's file is told,
    /// and does not stop the command.
    pub(crate) fn policy(&self) -> PolicyFile {
        let file = self.policy_file();
        if let Some(problem) = file.problem() {
            let path = self.policy_path();
            let path = path.display();
            let instead = &self.ui.words().common.policy_instead;
            self.ui.warn(&say!(instead, path = path, problem = problem));
        }
        file
    }

    /// The domain policy in force, for a command that writes: what changed in it since the last one
    /// is noted in the log of the graph.
    pub(crate) fn noted_policy(&self, graph: &Graph) -> Result<Arc<DomainPolicy>, Failure> {
        let file = self.policy();
        let (policy, notes) = (file.current(), file.take_notes());
        graph.write(Cause::new("policy_read"), |w| w.record_policy(&policy, &notes))?;
        Ok(policy)
    }

    /// The user's domain policy over the shipped one, without a word about its mistakes.
    pub(crate) fn policy_file(&self) -> PolicyFile {
        let every = Duration::from_millis(self.settings.domain.policy_reload_ms);
        PolicyFile::open(Some(&self.policy_path())).looking_every(every)
    }

    pub(crate) fn policy_path(&self) -> PathBuf {
        self.places.policy()
    }
}

/// Whom requests wait for, and until when.
pub(crate) fn waiting(words: &Words, pause: &HostPause) -> String {
    let until = local(pause.until).strftime("%H:%M:%S").to_string();
    say!(words.progress.waits_for, name = pause.name, until = until)
}

/// Notes the beginning of a command, and listens to Ctrl-C from now on.
pub(crate) fn begin(command: &'static str, ui: &Ui) -> Instant {
    let (started, ui) = (Instant::now(), ui.clone());
    interrupt::listen(move |failure| {
        log_end(command, started, Some(&failure));
        ui.failure(&failure);
        std::process::exit(i32::from(failure.kind.exit_code()));
    });
    tracing::info!(command, "command started");
    started
}

fn stoppable(graph: Graph) -> Graph {
    let handle = graph.interrupt_handle();
    interrupt::on_stop(move || handle.interrupt());
    graph
}

/// Asks the graph, unless the user has changed their mind meanwhile.
pub(crate) fn ask<T>(
    graph: &Graph,
    question: impl FnOnce(&Reader<'_>) -> graph::Result<T>,
) -> Result<T, Failure> {
    let answer = graph.read(question)?;
    interrupt::check()?;
    Ok(answer)
}

/// Gives an unexpected failure an id, and the log its details.
pub(crate) fn with_detail_in_log(mut failure: Failure) -> Failure {
    if !matches!(failure.kind, Kind::Internal | Kind::Data) {
        return failure;
    }
    let detail = [vec![failure.error.to_string()], failure.causes()].concat().join(": ");
    if failure.kind == Kind::Internal && failure.error_id.is_none() {
        failure.error_id = Some(error_id(&detail));
        failure.hint = Some(Hint::new(|w| &w.hint.report_bug));
    }
    tracing::error!(error_id = failure.error_id, detail, "command failed");
    failure
}

pub(crate) fn log_end(command: &'static str, started: Instant, failure: Option<&Failure>) {
    tracing::info!(
        command,
        milliseconds = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
        exit_code = failure.map_or(0, |it| it.kind.exit_code()),
        failure = failure.map(|it| it.kind.code()),
        "command ended"
    );
}
