//! The window that an assistant had opened for its user; one at a time.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use evidence::AuthId;
use tokio::sync::{mpsc, watch};

use super::server_state::Lease;
use super::tool_error::{Code, ToolError};
use crate::failure::{Failure, Kind};
use crate::visit::{Context, End, NotThrough, Opened, Visit, Word};

/// How long the person's word may take to be held against the page: a site is asked slowly.
const PATIENCE: Duration = Duration::from_secs(45);

/// The window, if one is open.
#[derive(Debug, Default)]
pub(crate) struct Visits {
    open: Mutex<Option<OpenVisit>>,
}

#[derive(Debug, Clone)]
struct OpenVisit {
    id: AuthId,
    domain: String,
    words: mpsc::Sender<Word>,
    state: watch::Receiver<State>,
}

#[derive(Debug, Clone)]
enum State {
    Open,
    /// The person said that they are through, and they are not: how often, and why.
    StillAsks(u64, String),
    Over(Over),
}

/// How a window ended.
#[derive(Debug, Clone)]
pub(crate) enum Over {
    Through(Box<Opened>),
    NotThrough(NotThrough),
    Failed(ToolError),
}

impl Visits {
    /// Opens a window for an entry of the queue. The engine stays open with it.
    pub(crate) async fn open(
        &self,
        context: Arc<Context>,
        engine: Lease,
        id: AuthId,
    ) -> Result<(), ToolError> {
        if let Some(open) = self.current() {
            return Err(ToolError::invalid(format!("a window is open for {} already", open.id))
                .hint("one at a time: settle that one first"));
        }
        let graph = Arc::clone(engine.graph());
        let looked = Arc::clone(&context);
        let entry = tokio::task::spawn_blocking(move || {
            let entry = graph.read(|r| r.auth_entry(id))?;
            looked.asked_enough(&graph, &entry).map_err(|it| limit(&it))?;
            Ok::<_, ToolError>(entry)
        });
        let entry = entry.await??;
        let domain = entry.domain.clone();
        let (fetcher, graph) = (engine.fetcher().clone(), Arc::clone(engine.graph()));
        let visit = Visit::open(context, fetcher, graph, entry).await?;
        let (words, mut said) = mpsc::channel(4);
        let (told, state) = watch::channel(State::Open);
        *self.slot() = Some(OpenVisit { id, domain, words, state });
        tokio::spawn(async move {
            let _engine = engine;
            let still_asks = |why: &str| {
                told.send_modify(|it| {
                    let before = if let State::StillAsks(n, _) = it { *n } else { 0 };
                    *it = State::StillAsks(before + 1, why.to_owned());
                });
            };
            let over = match visit.watch(&mut said, still_asks).await {
                Ok(End::Through(opened)) => Over::Through(opened),
                Ok(End::NotThrough(why)) => Over::NotThrough(why),
                Err(failure) => Over::Failed(failure.into()),
            };
            // Whoever asked may be gone; the log has it.
            told.send_replace(State::Over(over));
        });
        Ok(())
    }

    /// Tells the window of an entry or a domain what the person says, and waits for what comes of it; `None`: no window is open
    /// for it.
    pub(crate) async fn say(
        &self,
        is_meant: impl Fn(AuthId, &str) -> bool,
        word: Word,
    ) -> Result<Option<Over>, ToolError> {
        let meant = self.slot().clone().filter(|it| is_meant(it.id, &it.domain));
        let Some(mut open) = meant else { return Ok(None) };
        let before = match &*open.state.borrow() {
            State::Open => 0,
            State::StillAsks(n, _) => *n,
            State::Over(over) => {
                let over = over.clone();
                return Ok(Some(self.taken(over)));
            }
        };
        // A window that ended meanwhile says so below.
        let _ = open.words.send(word).await;
        let changed = open.state.wait_for(|it| match it {
            State::Open => false,
            State::StillAsks(n, _) => *n > before,
            State::Over(_) => true,
        });
        let state = match tokio::time::timeout(PATIENCE, changed).await {
            Ok(Ok(state)) => state.clone(),
            Ok(Err(_)) => return Err(ToolError::bug(None)),
            Err(_) => {
                return Err(ToolError::new(Code::Timeout, "the window has not answered yet")
                    .hint("the same call goes on waiting"));
            }
        };
        match state {
            State::Over(over) => Ok(Some(self.taken(over))),
            State::StillAsks(_, why) => Err(ToolError::new(Code::AuthRequired, why)
                .hint("the window is still open: ask the user to go on in it")),
            State::Open => Err(ToolError::bug(None)),
        }
    }

    /// An end is told once.
    fn taken(&self, over: Over) -> Over {
        *self.slot() = None;
        over
    }

    fn current(&self) -> Option<OpenVisit> {
        let open = self.slot().clone();
        open.filter(|it| !matches!(*it.state.borrow(), State::Over(_)))
    }

    fn slot(&self) -> MutexGuard<'_, Option<OpenVisit>> {
        // Every change is a single assignment.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn limit(failure: &Failure) -> ToolError {
    match failure.kind {
        Kind::Limit => ToolError::new(Code::BudgetExhausted, failure.error.to_string())
            .hint("the user can open it with `lyra auth open ID --anyway`"),
        _ => ToolError::logged(
            Code::PipelineError,
            "the queue cannot be read",
            &failure.error.to_string(),
        ),
    }
}
