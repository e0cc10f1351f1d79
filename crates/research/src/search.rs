//! One search: its steps, in order, until none is left or something ends it.
//!
//! `plan` asks the sources and lists what is to be read; `pages` reads it, a cycle at a time, and `ahead` lets pages
//! begin before their turn; `digest` ranks, extracts and judges what a cycle brought; `chase` follows citations and names of works; `end` adds up. A step is one row and
//! one transaction: it sees what was committed before it and nothing else, so a search that was cut off goes on as if
//! nothing had happened.

mod assess;
mod citations;
mod end;
mod llm;
mod missed;
mod narratives;
mod pages;
mod plan;
mod prefetch;
mod records;
mod select;

pub use narratives::independent_support;

use std::time::Duration;

use evidence::{SearchId, Task, TaskId};
use graph::{Cause, Job, JobEnd, NewJob, SearchDetails, Writer};
use serde_json::{Value, json};

use crate::calls::{Progress, SearchOptions, TaskConfig};
use crate::engine::{Engine, Inner};
use crate::error::Result;
use crate::slots::{Slot, priority};
use crate::task_state::Mode;
use prefetch::Ahead;

/// The kinds of steps.
pub(crate) mod kind {
    pub(crate) const PLAN: &str = "serp";
    /// A page that is fetched, or a file that is read: counts against the budget.
    pub(crate) const FETCH: &str = "fetch";
    /// A page whose text is stored already: a paper's abstract, a page another search read.
    pub(crate) const KNOWN: &str = "known";
    pub(crate) const DIGEST: &str = "digest";
    pub(crate) const CITATIONS: &str = "citations";
    pub(crate) const IDENTIFIERS: &str = "identifiers";

    pub(crate) fn is_page(kind: &str) -> bool {
        [FETCH, KNOWN].contains(&kind)
    }
}

/// A search and what belongs to it, as a step sees it.
#[derive(Debug, Clone)]
pub(crate) struct Context {
    pub(crate) task: Task,
    pub(crate) config: TaskConfig,
    pub(crate) details: SearchDetails,
    pub(crate) options: SearchOptions,
}

impl Context {
    pub(crate) fn id(&self) -> SearchId {
        self.details.search.id
    }

    pub(crate) fn query(&self) -> &str {
        &self.details.search.query
    }

    pub(crate) fn cause(&self, kind: &'static str) -> Cause {
        Cause::new(kind)
            .in_task(self.task.id)
            .about("search", self.id())
            .after(self.details.search.cause_id)
    }

    /// The end of a step.
    pub(crate) fn cause_of(&self, job: &Job, kind: &'static str) -> Cause {
        self.cause(kind).with(json!({ "job": job.id.to_string() }))
    }
}

/// Why a search ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    NoMoreCandidates,
    NothingNew,
    PageBudget,
    TimeBudget,
    /// Every page of a cycle was refused because its site is left in peace.
    AllResting,
    Stopped,
}

impl Ending {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::NoMoreCandidates => "no_more_candidates",
            Self::NothingNew => "nothing_new",
            Self::PageBudget => "page_budget",
            Self::TimeBudget => "time_budget",
            Self::AllResting => "all_domains_resting",
            Self::Stopped => "stopped",
        }
    }
}

impl Engine {
    /// Runs a search to its end, from wherever it stands.
    pub(crate) async fn run(&self, task: TaskId, search: SearchId) -> Result<()> {
        let context = self.blocking(move |inner| inner.context(task, search)).await?;
        if context.details.search.status != evidence::SearchStatus::Running {
            return Ok(());
        }
        self.tell(Progress::SearchStarted {
            task_id: task,
            search_id: search,
            query: context.query().to_owned(),
            refute: context.options.refute,
        });
        let state = self.inner.task_state(task);
        let mut ahead = Ahead::default();
        let ending = loop {
            match state.mode() {
                Mode::Go => {}
                Mode::Pause => return Ok(()),
                Mode::Stop => break Ending::Stopped,
            }
            let (jobs, seconds) = self
                .blocking(move |inner| {
                    Ok((inner.graph.read(|r| r.jobs_of(search))?, inner.seconds_used(task)?))
                })
                .await?;
            if seconds >= f64::from(context.task.budget.max_seconds) {
                break Ending::TimeBudget;
            }
            let Some(next) = jobs.iter().position(|it| !it.state.is_over()) else {
                if jobs.is_empty() {
                    self.begin(&context).await?;
                    continue;
                }
                break Ending::NoMoreCandidates;
            };
            if !kind::is_page(&jobs[next].kind) {
                self.read_ahead(&context, &jobs, next, &mut ahead).await?;
            }
            let ended = match jobs[next].kind.as_str() {
                kind::PLAN => self.plan(&context, &jobs[next]).await?,
                kind::CITATIONS => self.chase_citations(&context, &jobs[next]).await?,
                kind::IDENTIFIERS => self.look_up(&context, &jobs[next]).await?,
                kind::DIGEST => {
                    let prepared = std::mem::take(&mut ahead.prepared);
                    self.digest(&context, &jobs, next, prepared).await?
                }
                _ => self.cycle(&context, &jobs[next..], &mut ahead).await?,
            };
            state.changed();
            if let Some(ending) = ended {
                break ending;
            }
        };
        self.end(&context, ending).await
    }

    /// Does what asks others while the task goes on. A stop, a pause and the end of the time budget call it off: `None`.
    pub(crate) async fn unless_called_off<T>(
        &self,
        context: &Context,
        work: impl Future<Output = T>,
    ) -> Result<Option<T>> {
        tokio::select! {
            biased;
            called_off = self.called_off(context) => called_off.map(|()| None),
            done = work => Ok(Some(done)),
        }
    }

    /// Waits until the task is stopped, paused or out of time.
    async fn called_off(&self, context: &Context) -> Result<()> {
        let task = context.task.id;
        let state = self.inner.task_state(task);
        let mut mode = state.mode.subscribe();
        loop {
            let used = self.blocking(move |inner| inner.seconds_used(task)).await?;
            let left = f64::from(context.task.budget.max_seconds) - used;
            if left <= 0.0 {
                return Ok(());
            }
            let changed = async { drop(mode.wait_for(|it| *it != Mode::Go).await) };
            // While somebody works, the clock of the task runs as fast as any.
            if tokio::time::timeout(Duration::from_secs_f64(left), changed).await.is_ok() {
                return Ok(());
            }
        }
    }

    /// Writes down the first step.
    async fn begin(&self, context: &Context) -> Result<()> {
        let context = context.clone();
        self.blocking(move |inner| {
            inner.graph.write(context.cause("search_begin"), |w| {
                context.add_step(w, kind::PLAN, json!({}))
            })?;
            Ok(())
        })
        .await
    }
}

impl Inner {
    fn context(&self, task: TaskId, search: SearchId) -> Result<Context> {
        let (task, config, details) =
            self.graph.read(|r| Ok((r.task(task)?, r.task_config(task)?, r.search(search)?)))?;
        // An import may hold options of another version: what is not understood is left at its default.
        let options = serde_json::from_value(details.options.clone()).unwrap_or_default();
        let config = serde_json::from_value(config).unwrap_or_default();
        Ok(Context { task, config, details, options })
    }

    /// Working seconds of a task, those of this moment included.
    pub(crate) fn seconds_used(&self, task: TaskId) -> Result<f64> {
        let spent = self.graph.read(|r| r.spent(task))?;
        Ok(spent.seconds + self.task_state(task).seconds())
    }

    /// Commits the end of a step together with what it found, and the time it took.
    pub(crate) fn finish_step<T>(
        &self,
        context: &Context,
        job: &Job,
        kind: &'static str,
        llm_seconds: f64,
        record: impl FnOnce(&Writer<'_>) -> graph::Result<(T, Value)>,
    ) -> Result<T> {
        Ok(self.graph.write(context.cause_of(job, kind), |w| {
            self.end_step(w, context, job, llm_seconds, record)
        })?)
    }

    /// The same within a transaction.
    pub(crate) fn end_step<T>(
        &self,
        w: &Writer<'_>,
        context: &Context,
        job: &Job,
        llm_seconds: f64,
        record: impl FnOnce(&Writer<'_>) -> graph::Result<(T, Value)>,
    ) -> graph::Result<T> {
        w.cause()?;
        let (value, result) = record(w)?;
        w.end_job(job.id, &JobEnd::Done(result))?;
        let seconds = self.task_state(context.task.id).take_seconds();
        w.spend(context.task.id, graph::Spent { seconds, llm_seconds })?;
        Ok(value)
    }
}

impl Context {
    /// Adds a step at the end of the search.
    pub(crate) fn add_step(
        &self,
        w: &Writer<'_>,
        kind: &'static str,
        payload: Value,
    ) -> graph::Result<()> {
        let (slot, priority) = match kind {
            kind::PLAN => (Slot::NetworkClient, priority::SERP),
            kind::FETCH | kind::CITATIONS | kind::IDENTIFIERS => {
                (Slot::NetworkClient, priority::PREFETCH)
            }
            kind::KNOWN => (Slot::CpuNlp, priority::EXTRACT),
            _ => (Slot::CpuNlp, priority::EMBED),
        };
        w.add_job(&NewJob {
            task_id: self.task.id,
            search_id: self.id(),
            kind,
            slot: slot.as_str(),
            priority,
            payload,
        })?;
        Ok(())
    }
}
