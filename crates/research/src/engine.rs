//! The engine: takes calls, runs searches in the background, reports their state.
//!
//! A search is a list of steps, which are rows (`graph::Job`). Each step commits what it found together with its own
//! end, so that a process that is killed leaves a search that can be resumed: [`Engine::resume_task`].

use std::collections::HashMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use browser::Browser;
use evidence::{Budget, SearchId, TaskId, TaskStatus};
use expand::Expansion;
use fetch::Fetcher;
use graph::{Cause, Graph, NewClaim, NewSearch, NewTask, PolicyFile};
use llm::Llm;
use models::{Embedder, Overrides, StanceModel};
use serde_json::{Value, json};
use sources::academic::Academic;
use sources::apis::Apis;
use sources::folders::{Folder, FolderSettings};
use sources::{EngineSettings, Engines};
use tokio::sync::{broadcast, watch};
use url::Url;

use crate::calls::{
    BudgetRemaining, CreateTask, GetStatus, Progress, SearchAnswer, SearchCall, SourceKind, Stage,
    StatusAnswer, StopTask, TaskConfig, TaskCreated, TaskStopped,
};
use crate::error::{EngineError, Result};
use crate::llm::LlmServer;
use crate::settings::{SearchSettings, TaskSettings};
use crate::slots::{Permit, Slot, Slots};
use crate::task_state::{Mode, TaskState};

/// A network that was seen this recently is not looked for again.
const NETWORK_SEEN: Duration = Duration::from_secs(60);
/// Unread progress events beyond this many are dropped.
const PROGRESS_KEPT: usize = 1_024;

/// What the engine works with.
#[derive(Debug)]
pub struct Parts {
    pub graph: Arc<Graph>,
    pub fetcher: Fetcher,
    /// Renders pages that need it; without one they are missed, and say so.
    pub browser: Option<Browser>,
    pub policy: Arc<PolicyFile>,
    pub embedder: Arc<dyn Embedder>,
    pub stance: Arc<dyn StanceModel>,
    /// From which probabilities on a stance counts, where that is set and not left to the models.
    pub thresholds: Overrides,
    pub engines: Engines,
    pub academic: Academic,
    pub apis: Apis,
    /// Extracts claims and weighs what rules leave open; none: built-in rules alone.
    pub llm: Option<LlmServer>,
    pub settings: Settings,
}

/// The numbers of all stages.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    pub search: SearchSettings,
    pub task: TaskSettings,
    pub read: extract::ReadSettings,
    pub near: extract::near_duplicate::NearDuplicateSettings,
    pub folders: FolderSettings,
    pub engines: EngineSettings,
    pub versions: sources::versions::VersionSettings,
    pub expand: expand::ExpandSettings,
    pub rank: rank::RankSettings,
    pub claims: judge::ClaimSettings,
    pub stance: judge::StanceSettings,
    pub same: judge::SameSettings,
    pub satisfaction: judge::SatisfactionSettings,
    pub verification: judge::VerificationSettings,
    pub novelty: judge::NoveltySettings,
    pub citations: judge::CitationSettings,
    pub loops: judge::LoopSettings,
}

/// The research engine, as one caller sees it. Clones share it.
#[derive(Debug, Clone)]
pub struct Engine {
    pub(crate) inner: Arc<Inner>,
    /// The graph for what this caller asks for. Steps of a search follow from the row of the search, which names them.
    graph: Arc<Graph>,
}

pub(crate) struct Inner {
    pub(crate) graph: Arc<Graph>,
    pub(crate) parts: Parts,
    pub(crate) slots: Slots,
    /// Libraries, kept from one search to the next so that files are read again only when they change.
    folders: Mutex<HashMap<PathBuf, Arc<Mutex<Folder>>>>,
    tasks: Mutex<HashMap<TaskId, Arc<TaskState>>>,
    /// When the network was last seen.
    network_seen: Mutex<Option<Instant>>,
    progress: broadcast::Sender<Progress>,
}

impl fmt::Debug for Inner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Inner").field("parts", &self.parts).finish_non_exhaustive()
    }
}

impl Inner {
    fn network_seen(&self) -> MutexGuard<'_, Option<Instant>> {
        self.network_seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn network_was_seen(&self) -> bool {
        self.network_seen().is_some_and(|it| it.elapsed() < NETWORK_SEEN)
    }
}

impl Engine {
    /// Starts nothing: work begins with a call.
    pub fn new(parts: Parts) -> Self {
        let settings = &parts.settings.search;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let cpu = if settings.cpu_slots == 0 { cores } else { settings.cpu_slots };
        let inner = Inner {
            graph: Arc::clone(&parts.graph),
            slots: Slots::new(settings.network_clients, cpu),
            parts,
            folders: Mutex::default(),
            tasks: Mutex::default(),
            network_seen: Mutex::default(),
            progress: broadcast::Sender::new(PROGRESS_KEPT),
        };
        Self { graph: Arc::clone(&inner.graph), inner: Arc::new(inner) }
    }

    /// The same engine for another caller: what they ask for names them in the log of the graph.
    #[must_use]
    pub fn called_by(&self, caller: &str) -> Self {
        let graph = Arc::new(self.inner.graph.called_by(caller));
        Self { inner: Arc::clone(&self.inner), graph }
    }

    /// What asks other machines on its behalf.
    pub fn fetcher(&self) -> &Fetcher {
        &self.inner.parts.fetcher
    }

    pub fn graph(&self) -> &Arc<Graph> {
        &self.graph
    }

    /// Other ways to ask a query, as many as the settings allow: in the other language first.
    pub fn other_ways_to_ask(&self, query: &str) -> Vec<Expansion> {
        expand::expand(query, &self.inner.parts.settings.expand)
    }

    /// A language model for a client of the engine, with a tag of its own.
    pub fn language_model(&self) -> Option<Arc<Llm>> {
        self.inner.parts.llm.as_ref().map(|it| Arc::new(it.for_task()))
    }

    /// What happens from now on, in all tasks.
    pub fn progress(&self) -> broadcast::Receiver<Progress> {
        self.inner.progress.subscribe()
    }

    /// Records a question, and its hypothesis as a claim to be judged. Without one, a question that can be answered with
    /// yes or no is judged by the statement it asks about.
    pub async fn create_task(&self, call: CreateTask) -> Result<TaskCreated> {
        let usual = &self.inner.parts.settings.task;
        let max = usual.max_text_chars;
        let query = checked("the question", &call.query, max)?;
        let hypothesis =
            call.hypothesis.as_deref().map(|it| checked("the hypothesis", it, max)).transpose()?;
        let budget = Budget {
            max_pages: call.config.budget.max_pages.unwrap_or(usual.max_pages),
            max_seconds: call.config.budget.max_seconds.unwrap_or(usual.max_seconds),
        };
        for folder in &call.config.library {
            if !folder.is_dir() {
                let problem = "is not a folder that can be read";
                return Err(EngineError::invalid(
                    format!("the library {}", folder.display()),
                    problem,
                ));
            }
        }
        let offline = call.config.offline || self.inner.parts.fetcher.is_offline();
        let config = TaskConfig { offline, ..call.config.clone() };
        let config = serde_json::to_value(config).expect("a configuration is plain data");
        let asked = Asked::about(&query, hypothesis.as_deref());
        let new = NewTask {
            query,
            language: call.config.language.clone().or_else(|| language_of(&call.query)),
            hypothesis: asked.as_ref().map(|it| it.statement.clone()).or(hypothesis),
            budget,
            config,
        };
        let graph = Arc::clone(&self.graph);
        self.blocking(move |_| {
            let from = asked.as_ref().and_then(|it| it.turned_from);
            let cause = Cause::new("task_create")
                .with(json!({ "config": &new.config, "hypothesis_from": from }));
            let task_id = graph.write(cause, |w| {
                let task = w.create_task(&new)?;
                if let Some(Asked { statement: hypothesis, .. }) = &asked {
                    w.record_claim(&NewClaim {
                        task_id: task,
                        text: hypothesis.clone(),
                        language: language_of(hypothesis),
                        origin_fragment_id: None,
                        extraction_method: Some("hypothesis".to_owned()),
                        extraction_confidence: None,
                    })?;
                }
                Ok(task)
            })?;
            let task = graph.read(|r| r.task(task_id))?;
            Ok(TaskCreated {
                task_id,
                query: task.query,
                created_at: task.created_at,
                budget: task.budget,
            })
        })
        .await
    }

    /// Fails within seconds where a task with these settings needs a network and there is none. Connections are opened and
    /// closed; nothing is sent.
    pub async fn reach_network(&self, config: &TaskConfig) -> Result<()> {
        let parts = &self.inner.parts;
        if config.offline || parts.fetcher.is_offline() || self.inner.network_was_seen() {
            return Ok(());
        }
        let asks = |kind| config.sources.is_empty() || config.sources.contains(&kind);
        let mut addresses: Vec<Url> = Vec::new();
        if asks(SourceKind::Web) {
            addresses.extend(parts.engines.addresses().filter_map(|it| Url::parse(it).ok()));
        }
        if asks(SourceKind::Academic) {
            addresses.extend(Academic::addresses().iter().filter_map(|it| Url::parse(it).ok()));
        }
        if asks(SourceKind::Api) {
            addresses.extend(parts.apis.all().map(|it| it.address().clone()));
        }
        if addresses.is_empty() || parts.fetcher.reaches_any(&addresses).await {
            *self.inner.network_seen() = Some(Instant::now());
            return Ok(());
        }
        Err(EngineError::NoNetwork { asked: addresses.len() })
    }

    /// The same for a task that goes on, or would with the network.
    pub async fn reach_network_for(&self, task: TaskId, online: bool) -> Result<()> {
        let config = self.task_config(task).await?;
        let offline = config.offline && !online;
        self.reach_network(&TaskConfig { offline, ..config }).await
    }

    /// Whether nothing is sent for a task.
    pub async fn is_offline(&self, task: TaskId) -> Result<bool> {
        let config = self.task_config(task).await?;
        Ok(config.offline || self.inner.parts.fetcher.is_offline())
    }

    /// What a person wants to be searched as well.
    pub async fn wished_queries(&self, task: TaskId) -> Result<Vec<String>> {
        Ok(self.task_config(task).await?.queries)
    }

    async fn task_config(&self, task: TaskId) -> Result<TaskConfig> {
        self.blocking(move |inner| {
            Ok(TaskConfig::of_stored(inner.graph.read(|r| r.task_config(task))?))
        })
        .await
    }

    /// Lets a task that was offline send requests from now on. The log of the graph says who decided it, and when.
    pub async fn go_online(&self, task: TaskId) -> Result<()> {
        let graph = Arc::clone(&self.graph);
        self.blocking(move |_| {
            let stored = graph.read(|r| r.task_config(task))?;
            let config = TaskConfig { offline: false, ..TaskConfig::of_stored(stored) };
            let config = serde_json::to_value(config).expect("a configuration is plain data");
            let cause = Cause::new("task_widened").in_task(task).with(json!({ "config": &config }));
            Ok(graph.write(cause, |w| w.set_task_config(task, &config))?)
        })
        .await
    }

    /// Searches for a task. Answers when the search has ended or the wait is over; the search itself continues.
    ///
    /// The same query with the same options is the same search: asked again, it answers with its state. One that cannot go
    /// on (a full disk) fails, and resumes when it is asked again.
    pub async fn search(&self, call: SearchCall) -> Result<SearchAnswer> {
        let max = self.inner.parts.settings.task.max_text_chars;
        let query = checked("the query", &call.query, max)?;
        let wait = call.options.wait_seconds.map(|it| Duration::from_secs(it.into()));
        let mut options = call.options;
        options.wait_seconds = None;
        let options = serde_json::to_value(&options).expect("options are plain data");
        let task = call.task_id;
        let config = self.task_config(task).await?;
        self.reach_network(&config).await?;
        let graph = Arc::clone(&self.graph);
        let search =
            self.blocking(move |inner| inner.begin_search(&graph, task, query, options)).await?;
        let ended = self.keep_running(task, search);
        self.wait_for(ended, wait).await;
        self.unbroken(task, search)?;
        self.answer(search).await
    }

    /// The error that ended a search, if one did; only the first waiting caller gets it.
    fn unbroken(&self, task: TaskId, search: SearchId) -> Result<()> {
        self.inner.task_state(task).broken().remove(&search).map_or(Ok(()), Err)
    }

    /// Goes on with the searches of a task that were cut off or paused. Answers when they have all ended.
    pub async fn resume_task(&self, task: TaskId) -> Result<StatusAnswer> {
        let graph = Arc::clone(&self.graph);
        let unfinished = self
            .blocking(move |_| {
                let found = graph.read(|r| {
                    r.task(task)?;
                    r.unfinished_searches(task)
                })?;
                let cause = Cause::new("task_resume")
                    .in_task(task)
                    .with(json!({ "searches": found.iter().map(ToString::to_string).collect::<Vec<_>>() }));
                graph.write(cause, |w| w.set_task_status(task, TaskStatus::Exploring, None))?;
                Ok(found)
            })
            .await?;
        self.inner.task_state(task).mode.send_replace(Mode::Go);
        let running: Vec<_> =
            unfinished.iter().map(|search| self.keep_running(task, *search)).collect();
        for ended in running {
            self.wait_for(ended, None).await;
        }
        for search in unfinished {
            self.unbroken(task, search)?;
        }
        self.get_status(GetStatus { task_id: task, wait_seconds: None }).await
    }

    /// Lets running work end, cancels what waits for others, and leaves the rest for a resume.
    pub async fn pause_task(&self, task: TaskId, reason: &str) -> Result<()> {
        let state = self.inner.task_state(task);
        state.mode.send_replace(Mode::Pause);
        let running: Vec<_> = state.running().values().cloned().collect();
        for ended in running {
            self.wait_for(ended, None).await;
        }
        let (graph, reason) = (Arc::clone(&self.graph), reason.to_owned());
        self.blocking(move |_| {
            let cause = Cause::new("task_pause").in_task(task).with(json!({ "reason": reason }));
            Ok(graph
                .write(cause, |w| w.set_task_status(task, TaskStatus::Paused, Some(&reason)))?)
        })
        .await
    }

    /// Ends a task. Searches that run are stopped; everything found stays.
    pub async fn stop_task(&self, call: StopTask) -> Result<TaskStopped> {
        let task = call.task_id;
        let state = self.inner.task_state(task);
        state.mode.send_replace(Mode::Stop);
        let running: Vec<_> = state.running().values().cloned().collect();
        for ended in running {
            self.wait_for(ended, None).await;
        }
        let reason = call.reason.unwrap_or_else(|| "completed".to_owned());
        let graph = Arc::clone(&self.graph);
        self.blocking(move |inner| inner.stop_task(&graph, task, &reason)).await
    }

    /// The state of a task: numbers, never advice.
    pub async fn get_status(&self, call: GetStatus) -> Result<StatusAnswer> {
        let task = call.task_id;
        let state = self.inner.task_state(task);
        if let Some(seconds) = call.wait_seconds.filter(|it| *it > 0) {
            let mut changes = state.changes.subscribe();
            let limit = Duration::from_secs(seconds.into());
            // The end of the wait is an answer, too.
            drop(tokio::time::timeout(limit, changes.changed()).await);
        }
        let running: Vec<SearchId> = state.running().keys().copied().collect();
        self.blocking(move |inner| inner.status(task, running)).await
    }

    /// The searches at work in this process, with their tasks.
    pub fn running(&self) -> Vec<(TaskId, SearchId)> {
        let tasks: Vec<_> =
            self.inner.tasks().iter().map(|(id, it)| (*id, Arc::clone(it))).collect();
        let mut running = Vec::new();
        for (task, state) in tasks {
            running.extend(state.running().keys().map(|search| (task, *search)));
        }
        running.sort_unstable();
        running
    }

    /// What a task may still use.
    pub async fn budget_left(&self, task: TaskId) -> Result<BudgetRemaining> {
        self.blocking(move |inner| inner.remaining(task)).await
    }

    async fn answer(&self, search: SearchId) -> Result<SearchAnswer> {
        self.blocking(move |inner| inner.answer(search)).await
    }

    /// Runs a search unless it runs already; the receiver learns that it ended.
    fn keep_running(&self, task: TaskId, search: SearchId) -> watch::Receiver<bool> {
        let state = self.inner.task_state(task);
        let mut running = state.running();
        if let Some(ended) = running.get(&search) {
            return ended.clone();
        }
        let (sender, receiver) = watch::channel(false);
        running.insert(search, receiver.clone());
        drop(running);
        state.broken().remove(&search);
        let engine = self.clone();
        tokio::spawn(async move {
            let at_work = AtWork::begin(Arc::clone(&state), search, sender);
            if let Err(error) = engine.run(task, search).await {
                tracing::error!(%search, error = &error as &dyn std::error::Error, "a search broke off");
                engine.tell(Progress::Warning { search_id: search, message: told(&error) });
                state.broken().insert(search, error);
            }
            drop(at_work);
        });
        receiver
    }

    async fn wait_for(&self, mut ended: watch::Receiver<bool>, limit: Option<Duration>) {
        let ended = ended.wait_for(|it| *it);
        match limit {
            // Whether it ended or the wait did is told by the answer.
            Some(limit) => drop(tokio::time::timeout(limit, ended).await),
            None => drop(ended.await),
        }
    }

    pub(crate) fn tell(&self, progress: Progress) {
        self.inner.tell(progress);
    }

    pub(crate) async fn slot(&self, slot: Slot, priority: u32) -> Permit {
        self.inner.slots.acquire(slot, priority).await
    }

    /// Does what blocks (the graph, models, files) on a thread of its own.
    pub(crate) async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Inner) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let inner = Arc::clone(&self.inner);
        tokio::task::spawn_blocking(move || work(&inner)).await.map_err(|_| EngineError::Broken)?
    }
}

/// A search at work; its end is told also when it panics.
struct AtWork {
    state: Arc<TaskState>,
    search: SearchId,
    ended: watch::Sender<bool>,
}

impl AtWork {
    fn begin(state: Arc<TaskState>, search: SearchId, ended: watch::Sender<bool>) -> Self {
        state.begin_work();
        Self { state, search, ended }
    }
}

impl Drop for AtWork {
    fn drop(&mut self) {
        self.state.end_work();
        self.state.running().remove(&self.search);
        self.state.changed();
        self.ended.send_replace(true);
    }
}

impl Inner {
    pub(crate) fn tell(&self, progress: Progress) {
        // There may be no listener.
        drop(self.progress.send(progress));
    }

    /// Says what a search works at: `done` of `total`, which is 0 where nothing can be counted.
    pub(crate) fn at_work(&self, search_id: SearchId, stage: Stage, done: usize, total: usize) {
        self.tell(Progress::AtWork { search_id, stage, done, total });
    }

    pub(crate) fn task_state(&self, task: TaskId) -> Arc<TaskState> {
        let settings = &self.parts.settings;
        let fresh =
            || Arc::new(TaskState::new(settings.search.cycles_at_once, settings.novelty.clone()));
        Arc::clone(self.tasks().entry(task).or_insert_with(fresh))
    }

    pub(crate) fn folder(&self, root: &std::path::Path) -> Arc<Mutex<Folder>> {
        let settings = &self.parts.settings;
        let mut folders = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = || Folder::new(root, settings.folders.clone(), settings.rank.clone());
        let fresh = || Arc::new(Mutex::new(folder()));
        Arc::clone(folders.entry(root.to_owned()).or_insert_with(fresh))
    }

    fn tasks(&self) -> MutexGuard<'_, HashMap<TaskId, Arc<TaskState>>> {
        // Every change is a single insertion.
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin_search(
        &self,
        graph: &Graph,
        task: TaskId,
        query: String,
        options: Value,
    ) -> Result<SearchId> {
        let known = match self.graph.read(|r| r.task(task)) {
            Err(graph::Error::Unknown { .. }) => return Err(EngineError::NoSuchTask(task)),
            other => other?,
        };
        if matches!(known.status, TaskStatus::Completed | TaskStatus::Failed) {
            let reason = known.stop_reason.unwrap_or_else(|| known.status.to_string());
            return Err(EngineError::Ended { task, reason });
        }
        self.task_state(task).mode.send_replace(Mode::Go);
        let cause = Cause::new("search_start")
            .in_task(task)
            .with(json!({ "query": query, "options": options }));
        Ok(graph.write(cause, |w| {
            let search = w.record_search(&NewSearch { task_id: task, query, options })?;
            if known.status != TaskStatus::Exploring {
                w.set_task_status(task, TaskStatus::Exploring, None)?;
            }
            Ok(search)
        })?)
    }
}

/// The statement a task is judged by.
struct Asked {
    statement: String,
    /// What it was made of, where it was not given as it is.
    turned_from: Option<&'static str>,
}

impl Asked {
    /// Nothing for an open question without a hypothesis, and for a hypothesis that states nothing.
    fn about(question: &str, hypothesis: Option<&str>) -> Option<Self> {
        let turned = |text: &str, from| {
            let statement = judge::Question::read(text).statement()?;
            Some(Self { statement, turned_from: Some(from) })
        };
        let Some(given) = hypothesis else { return turned(question, "question") };
        match judge::hypothesis::judgeable(given) {
            Ok(()) => Some(Self { statement: given.to_owned(), turned_from: None }),
            Err(_) => turned(given, "hypothesis"),
        }
    }
}

fn checked(what: &str, text: &str, max: usize) -> Result<String> {
    let text = text.trim();
    let length = text.chars().count();
    if length == 0 {
        return Err(EngineError::invalid(what, "is empty"));
    }
    if length > max {
        return Err(EngineError::invalid(
            what,
            format!("has {length} characters; at most {max} are taken"),
        ));
    }
    Ok(text.to_owned())
}

/// The language of a text, where it can be told.
pub(crate) fn language_of(text: &str) -> Option<String> {
    text::language::detect(text).name().map(ToOwned::to_owned)
}

fn told(error: &EngineError) -> String {
    let mut text = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        text += &format!(": {cause}");
        source = cause.source();
    }
    text
}
