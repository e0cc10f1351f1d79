//! Investigations that were begun on the page: what drives them, what tells the board, and what lets them rest.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use evidence::{TaskId, TaskStatus};
use page::{Board, Trouble};
use planner::{EndReason, Event, Plan, investigate};
use research::calls::StopTask;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{Notify, oneshot};

use super::DOOR;
use super::trouble::{broken, trouble};
use crate::failure::Failure;
use crate::mcp::server_state::ServerState;

/// How long a write that has begun may take to be seen.
const SETTLES_WITHIN: Duration = Duration::from_millis(200);
/// Why a task rests that a person paused.
const PAUSED: &str = "user_paused";
/// Why a task is over that a person ended.
const STOPPED: &str = "user_cancelled";

#[derive(Debug, Clone)]
pub(super) struct Investigations(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    state: Arc<ServerState>,
    board: Board,
    /// How to take a task from its planner.
    planners: Mutex<HashMap<TaskId, Arc<Notify>>>,
}

/// Where a new task is told of, once it has a number.
type Begun = Arc<Mutex<Option<oneshot::Sender<Result<TaskId, Trouble>>>>>;

impl Investigations {
    pub(super) fn new(state: Arc<ServerState>) -> Self {
        Self(Arc::new(Inner { state, board: Board::default(), planners: Mutex::default() }))
    }

    pub(super) fn board(&self) -> &Board {
        &self.0.board
    }

    /// Begins an investigation, and answers when it has a number.
    pub(super) async fn begin(&self, plan: Plan) -> Result<TaskId, Trouble> {
        let (sender, receiver) = oneshot::channel();
        let begun = Arc::new(Mutex::new(Some(sender)));
        let own = self.clone();
        tokio::spawn(async move { own.conduct(plan, begun).await });
        match receiver.await {
            Ok(answer) => answer,
            Err(_) => Err(trouble(Failure::new(
                crate::failure::Kind::Internal,
                "the investigation ended before it began",
            ))),
        }
    }

    /// Investigates one after the other, without anybody waiting for it.
    pub(super) fn enqueue(&self, plans: Vec<Plan>) {
        let own = self.clone();
        tokio::spawn(async move {
            for plan in plans {
                let (sender, receiver) = oneshot::channel();
                own.conduct(plan, Arc::new(Mutex::new(Some(sender)))).await;
                if let Ok(Err(trouble)) = receiver.await {
                    let message = trouble.english.message;
                    tracing::warn!(message, "an investigation did not begin");
                }
            }
        });
    }

    /// Drives one investigation to its end, or until it is taken from its planner.
    async fn conduct(&self, plan: Plan, begun: Begun) {
        let task = Arc::new(Mutex::new(None));
        let own = self.clone();
        let (of_task, of_begun) = (Arc::clone(&task), Arc::clone(&begun));
        let driven = tokio::spawn(async move { own.drive(plan, &of_task, &of_begun).await });
        let outcome = driven.await.unwrap_or_else(|error| Err(broken(error)));
        let waiting = lock(&begun).take();
        let known = *lock(&task);
        match (known, waiting) {
            (Some(task), _) => {
                lock(&self.0.planners).remove(&task);
                if let Ok(None) = outcome {
                    // Whoever took it says how it ends.
                    return;
                }
                self.0.board.ended(task, outcome.map(|it| it.unwrap_or(EndReason::Stopped)));
            }
            (None, Some(waiting)) => {
                let why = outcome.err().unwrap_or_else(|| {
                    trouble(Failure::new(crate::failure::Kind::Internal, "no task was created"))
                });
                // Who asked may have left.
                drop(waiting.send(Err(why)));
            }
            (None, None) => {}
        }
    }

    /// The reason for the end; nothing where it was taken from its planner.
    async fn drive(
        &self,
        plan: Plan,
        task: &Mutex<Option<TaskId>>,
        begun: &Begun,
    ) -> Result<Option<EndReason>, Trouble> {
        let state = &self.0.state;
        // Nobody's silence pauses what a person watches, or has left to itself.
        let heard = state.hear();
        let engine = state.lend().await.map_err(trouble)?.called_by(DOOR);
        let settings = state.session().settings.plan.clone();
        let report = state.session().settings.report.clone();
        let seconds = match &plan {
            Plan::New { config, .. } => config.budget.max_seconds,
            Plan::Resume { .. } => None,
        };
        let usual = state.session().settings.task.max_seconds;
        let mut progress = engine.progress();
        let llm = engine.language_model();
        let taken = Arc::new(Notify::new());
        let investigation =
            investigate(&engine, llm.as_deref(), plan, &settings, report, |event| {
                if let Event::TaskStarted { task_id, .. } | Event::TaskResumed { task_id, .. } =
                    &event
                {
                    *lock(task) = Some(*task_id);
                    let limit = matches!(event, Event::TaskStarted { .. });
                    self.0.board.begin(*task_id, limit.then(|| seconds.unwrap_or(usual)));
                    lock(&self.0.planners).insert(*task_id, Arc::clone(&taken));
                    if let Some(waiting) = lock(begun).take() {
                        // Who asked may have left; the investigation goes on.
                        drop(waiting.send(Ok(*task_id)));
                    }
                }
                if let Some(task) = *lock(task) {
                    self.0.board.planned(task, &event);
                }
            });
        let mut investigation = Box::pin(investigation);
        let outcome = loop {
            tokio::select! {
                biased;
                () = taken.notified() => break None,
                event = progress.recv() => match event {
                    Ok(event) => self.0.board.happened(&event),
                    // Too much happened to show all of it.
                    Err(RecvError::Lagged(_) | RecvError::Closed) => {}
                },
                outcome = &mut investigation => break Some(outcome.map_err(trouble)?),
            }
        };
        drop(heard);
        Ok(outcome.map(|it| it.reason))
    }

    /// Takes a task from its planner and lets it rest or ends it, when what has begun is finished.
    pub(super) fn rest(&self, task: TaskId, for_good: bool) {
        let own = self.clone();
        self.0.board.ending(task);
        if let Some(planner) = lock(&self.0.planners).remove(&task) {
            planner.notify_one();
        }
        tokio::spawn(async move {
            let rested = own.let_rest(task, for_good).await;
            own.0.board.ended(task, rested.map(|()| EndReason::Stopped));
        });
    }

    /// As [`Investigations::rest`], to its end.
    pub(super) async fn let_rest(&self, task: TaskId, for_good: bool) -> Result<(), Trouble> {
        let engine = self.0.state.lend().await.map_err(trouble)?.called_by(DOOR);
        // A planner that was taken away may have just begun a search: that is a write on a thread of its own, which
        // wakes the task once more. So the task is looked at again after it was laid to rest.
        loop {
            if for_good {
                let reason = Some(STOPPED.to_owned());
                engine.stop_task(StopTask { task_id: task, reason }).await.map_err(trouble)?;
            } else {
                engine.pause_task(task, PAUSED).await.map_err(trouble)?;
            }
            tokio::time::sleep(SETTLES_WITHIN).await;
            let graph = Arc::clone(engine.graph());
            let known = tokio::task::spawn_blocking(move || graph.read(|r| r.task(task))).await;
            let status = known.map_err(broken)?.map_err(trouble)?.status;
            if !matches!(status, TaskStatus::Created | TaskStatus::Exploring) {
                return Ok(());
            }
        }
    }

    /// Takes all tasks from their planners: the program ends, and the searches are paused after this.
    pub(super) fn leave(&self) {
        for (_, planner) in lock(&self.0.planners).drain() {
            planner.notify_one();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Every change is a single assignment.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
