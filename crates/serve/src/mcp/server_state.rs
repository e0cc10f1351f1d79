//! What all calls of a server share: the engine, the graph, and who was heard when.
//!
//! A server starts with nothing open. The engine, which holds the database for writing, is opened by the first call
//! that needs it and closed when it has been idle for a while, so that two assistants and a command line can take
//! turns. Readers never wait for it.

use std::collections::{BTreeSet, HashMap};
use std::ops::Deref;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use evidence::{TaskId, TaskStatus};
use fetch::Fetcher;
use graph::{Access, Cause, Graph, GraphLedger, PolicyFile};
use models::{Embedder, StanceModel};
use research::Engine;
use serde_json::json;

use super::tool_error::ToolError;
use super::tools::Toolset;
use super::visits::Visits;
use crate::config::McpSettings;
use crate::failure::{Failure, Kind};
use crate::installed::Installed;
use crate::library::Library;
use crate::session::Session;

/// Why a task was paused without anybody asking for it; it goes on when the client is back.
pub(crate) const CLIENT_SILENT: &str = "client_silent";
pub(crate) const CLIENT_LEFT: &str = "client_left";

/// Who the log of the graph names for what this server does by itself; clients follow after a colon.
pub(crate) const DOOR: &str = "mcp";

/// How often is looked whether something has been idle or silent for too long.
const LOOK_EVERY: Duration = Duration::from_millis(200);
/// How long the end of a server waits for steps that have begun.
const PATIENCE_AT_END: Duration = Duration::from_secs(5);
/// Readers that are kept for the next call.
const READERS_KEPT: usize = 8;

#[derive(Debug)]
pub(crate) struct ServerState {
    /// Who the log names for what this server does by itself.
    door: &'static str,
    /// What clients may call.
    pub(crate) tools: Toolset,
    /// Read while the first client shakes hands.
    session: OnceLock<Session>,
    policy: OnceLock<Arc<PolicyFile>>,
    /// The manuals and the vault; opened by the first call for them.
    library: OnceLock<Library>,
    models: Mutex<Option<Models>>,
    engine: tokio::sync::Mutex<Option<Engine>>,
    readers: Mutex<Vec<Graph>>,
    /// Calls that use the engine now.
    leases: AtomicUsize,
    /// Calls under way.
    calls: AtomicUsize,
    times: Mutex<Times>,
    /// The window that is open for the user.
    pub(crate) visits: Visits,
}

#[derive(Debug, Clone)]
struct Models {
    embedder: Arc<dyn Embedder>,
    stance: Arc<dyn StanceModel>,
}

#[derive(Debug)]
struct Times {
    /// When a client was last heard.
    heard: Instant,
    /// When the engine was last given back.
    used: Instant,
    /// When something last happened in a task.
    tasks: HashMap<TaskId, Instant>,
}

impl ServerState {
    /// A state whose session is set later, with [`ServerState::set_session`].
    pub(crate) fn new(tools: Toolset, door: &'static str) -> Arc<Self> {
        let now = Instant::now();
        Arc::new(Self {
            door,
            tools,
            session: OnceLock::new(),
            policy: OnceLock::new(),
            library: OnceLock::new(),
            models: Mutex::default(),
            engine: tokio::sync::Mutex::default(),
            readers: Mutex::default(),
            leases: AtomicUsize::new(0),
            calls: AtomicUsize::new(0),
            times: Mutex::new(Times { heard: now, used: now, tasks: HashMap::new() }),
            visits: Visits::default(),
        })
    }

    /// Brings the session that everything which is opened here belongs to. Once.
    pub(crate) fn set_session(&self, session: Session) {
        // A second one would be a mistake, and the first stays.
        drop(self.session.set(session));
    }

    /// The session, as soon as there is one.
    pub(crate) fn session(&self) -> &Session {
        self.session.wait()
    }

    pub(crate) fn policy(&self) -> &Arc<PolicyFile> {
        self.policy.get_or_init(|| Arc::new(self.session().policy_file()))
    }

    pub(crate) fn library(&self) -> &Library {
        self.library.get_or_init(|| self.session().library(None, None))
    }

    pub(crate) fn settings(&self) -> &McpSettings {
        &self.session().settings.mcp
    }

    /// Lends the engine, opened if need be.
    pub(crate) async fn engine(self: &Arc<Self>) -> Result<Lease, ToolError> {
        Ok(self.lend().await?)
    }

    /// As [`ServerState::engine`], with what went wrong as a person is told it.
    pub(crate) async fn lend(self: &Arc<Self>) -> Result<Lease, Failure> {
        let mut slot = self.engine.lock().await;
        // Counted under the lock, so that nobody closes what is being lent.
        let engine = match &*slot {
            Some(engine) => engine.clone(),
            None => {
                let state = Arc::clone(self);
                let opened = tokio::task::spawn_blocking(move || state.open_engine()).await;
                let engine = opened.map_err(|error| Failure::new(Kind::Internal, error))??;
                slot.insert(engine).clone()
            }
        };
        self.leases.fetch_add(1, Ordering::SeqCst);
        Ok(Lease { engine, state: Arc::clone(self) })
    }

    fn open_engine(&self) -> Result<Engine, Failure> {
        let Models { embedder, stance } = self.models()?;
        let database = self.session().places.database();
        // What no client asked for is the server's own: pauses, what the fetcher remembers.
        let options =
            graph::Options { caller: Some(self.door.to_owned()), ..self.session().options() };
        let graph = Arc::new(Graph::open(&database, Access::Write, options)?);
        let ledger = GraphLedger::under(Arc::clone(&graph), Arc::clone(self.policy()));
        let fetcher = Fetcher::open(
            Arc::new(ledger),
            &self.session().places.archive(),
            self.session().settings.fetch.clone(),
        )?;
        fetcher.seal_sessions_with(self.session().places.session_key());
        self.session().engine_with(graph, fetcher, embedder, stance)
    }

    /// The models, which read their weights when they are first asked something.
    fn models(&self) -> Result<Models, Failure> {
        let mut models = lock(&self.models);
        if let Some(models) = &*models {
            return Ok(models.clone());
        }
        let installed = Installed::of(self.session());
        let fresh = Models {
            embedder: installed.embedder_later(self.session())?,
            stance: installed.stance_later(self.session())?,
        };
        Ok(models.insert(fresh).clone())
    }

    /// The model that texts are compared with.
    pub(crate) fn embedder(&self) -> Result<Arc<dyn Embedder>, ToolError> {
        Ok(self.models()?.embedder)
    }

    /// Asks the graph, on a thread where that may take a while.
    pub(crate) async fn read<T: Send + 'static>(
        self: &Arc<Self>,
        ask: impl FnOnce(&Graph) -> Result<T, ToolError> + Send + 'static,
    ) -> Result<T, ToolError> {
        let state = Arc::clone(self);
        let asked = tokio::task::spawn_blocking(move || state.with_reader(ask)?);
        asked.await?
    }

    /// Asks the graph on this thread.
    pub(crate) fn with_reader<T>(&self, ask: impl FnOnce(&Graph) -> T) -> Result<T, Failure> {
        let graph = self.reader()?;
        let answer = ask(&graph);
        self.keep(graph);
        Ok(answer)
    }

    fn reader(&self) -> Result<Graph, Failure> {
        if let Some(graph) = lock(&self.readers).pop() {
            return Ok(graph);
        }
        let database = self.session().places.database();
        Ok(Graph::open(&database, Access::Read, self.session().options())?)
    }

    fn keep(&self, graph: Graph) {
        // One without a file is empty for ever, and the file may come.
        let mut readers = lock(&self.readers);
        if graph.path().is_some() && readers.len() < READERS_KEPT {
            readers.push(graph);
        }
    }

    /// Notes that a client is there, until the guard is dropped and from then on.
    pub(crate) fn hear(self: &Arc<Self>) -> Heard {
        self.calls.fetch_add(1, Ordering::SeqCst);
        Heard(Arc::clone(self))
    }

    /// Notes that something happened in a task.
    pub(crate) fn touch(&self, task: TaskId) {
        lock(&self.times).tasks.insert(task, Instant::now());
    }

    /// How long nothing has happened in a task, where this server knows.
    pub(crate) fn idle(&self, task: TaskId) -> Option<Duration> {
        lock(&self.times).tasks.get(&task).map(Instant::elapsed)
    }

    /// Goes on with a task that was paused because its client was silent or gone. Says whether it was.
    pub(crate) async fn wake(
        self: &Arc<Self>,
        engine: Lease,
        task: TaskId,
    ) -> Result<bool, ToolError> {
        let graph = Arc::clone(engine.graph());
        let known = tokio::task::spawn_blocking(move || graph.read(|r| r.task(task)));
        let known = known.await??;
        let why = known.stop_reason.as_deref();
        if known.status != TaskStatus::Paused || !matches!(why, Some(CLIENT_SILENT | CLIENT_LEFT)) {
            return Ok(false);
        }
        tracing::info!(%task, "a task goes on: its client is back");
        tokio::spawn(async move {
            if let Err(error) = engine.resume_task(task).await {
                let error = super::tool_error::chain(&error);
                tracing::error!(%task, error, "a task could not go on");
            }
        });
        // Whoever asked sees it at work; a task with nothing left to do is at work for a moment only.
        let engine = self.engine().await?;
        for _ in 0..50 {
            if engine.running().iter().any(|it| it.0 == task) {
                break;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        Ok(true)
    }

    /// Looks after what is open until the server ends: pauses what nobody asks about any more, and closes the
    /// engine when it is idle.
    pub(crate) async fn housekeeping(self: Arc<Self>) {
        loop {
            // The settings are read meanwhile: asking for them at once would hold a thread that others need.
            tokio::time::sleep(LOOK_EVERY).await;
            let silence = Duration::from_secs(self.settings().silence_seconds);
            let release = Duration::from_millis(self.settings().release_ms);
            if self.calls.load(Ordering::SeqCst) == 0
                && lock(&self.times).heard.elapsed() >= silence
            {
                self.pause_all(CLIENT_SILENT).await;
            }
            let idle = lock(&self.times).used.elapsed() >= release;
            if idle {
                self.close_if_idle().await;
            }
        }
    }

    async fn close_if_idle(&self) {
        let mut slot = self.engine.lock().await;
        let is_idle = |engine: &Engine| {
            self.leases.load(Ordering::SeqCst) == 0 && engine.running().is_empty()
        };
        if slot.as_ref().is_some_and(is_idle)
            && let Some(engine) = slot.take()
        {
            // It may have something to write down yet.
            drop(tokio::task::spawn_blocking(move || drop(engine)).await);
        }
    }

    /// Pauses every task whose searches run; what has begun is finished and everything found is kept.
    async fn pause_all(&self, why: &'static str) {
        let Some(engine) = self.engine.lock().await.clone() else { return };
        let tasks: BTreeSet<TaskId> = engine.running().into_iter().map(|it| it.0).collect();
        for task in tasks {
            tracing::info!(%task, why, "a task is paused");
            if let Err(error) = engine.pause_task(task, why).await {
                tracing::error!(%task, error = super::tool_error::chain(&error), "a task could not be paused");
            }
        }
    }

    /// Leaves everything in a state that can be gone on with. The client has left.
    pub(crate) async fn leave(&self) {
        let engine = self.engine.lock().await.clone();
        let Some(engine) = engine else { return };
        let tasks: BTreeSet<TaskId> = engine.running().into_iter().map(|it| it.0).collect();
        if tasks.is_empty() {
            return;
        }
        if tokio::time::timeout(PATIENCE_AT_END, self.pause_all(CLIENT_LEFT)).await.is_ok() {
            return;
        }
        // A page takes long: its step begins anew when the task goes on.
        let graph = Arc::clone(engine.graph());
        let noted = tokio::task::spawn_blocking(move || -> graph::Result<()> {
            for task in tasks {
                let cause =
                    Cause::new("task_pause").in_task(task).with(json!({ "reason": CLIENT_LEFT }));
                graph.write(cause, |w| {
                    w.set_task_status(task, TaskStatus::Paused, Some(CLIENT_LEFT))
                })?;
            }
            Ok(())
        });
        if !matches!(noted.await, Ok(Ok(()))) {
            tracing::warn!(
                "a task was left without a note; the next search of it goes on all the same"
            );
        }
    }
}

/// The engine while a call uses it.
#[derive(Debug)]
pub(crate) struct Lease {
    engine: Engine,
    state: Arc<ServerState>,
}

impl Lease {
    /// The engine for a caller, who is named in the log for what they ask for.
    pub(crate) fn called_by(mut self, caller: &str) -> Self {
        self.engine = self.engine.called_by(caller);
        self
    }
}

impl Deref for Lease {
    type Target = Engine;

    fn deref(&self) -> &Engine {
        &self.engine
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        lock(&self.state.times).used = Instant::now();
        self.state.leases.fetch_sub(1, Ordering::SeqCst);
    }
}

/// A client that waits for an answer.
#[derive(Debug)]
pub(crate) struct Heard(Arc<ServerState>);

impl Drop for Heard {
    fn drop(&mut self) {
        lock(&self.0.times).heard = Instant::now();
        self.0.calls.fetch_sub(1, Ordering::SeqCst);
    }
}

impl From<tokio::task::JoinError> for ToolError {
    fn from(_: tokio::task::JoinError) -> Self {
        Self::bug(None)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Every change is a single assignment.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
