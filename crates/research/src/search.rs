//! One search: its steps, in order, until none is left or something ends it.
//!
//! `plan` asks the sources and lists what is to be read; `pages` reads it, a cycle at a time, and `prefetch` starts
//! pages before their turn; `assess` ranks, extracts and judges what a cycle brought; `citations` follows citations and
//! names of works; `end` adds up. A step (`steps`) is one row and one transaction: it sees what was committed before it
//! and nothing else, so a search that was cut off resumes as if nothing had happened.

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
mod steps;

pub(crate) use assess::TaskMemory;
pub(crate) use narratives::{Sketches, source_of_claim};
pub(crate) use records::{StoredFlag, flags_of};

use std::time::Duration;

use evidence::{JobId, SearchId, StopReason, Task, TaskId};
use fetch::Fetcher;
use graph::{Cause, JobEnd, NewJob, SearchDetails, Writer};
use serde_json::json;

use crate::calls::{Progress, SearchOptions, TaskConfig};
use crate::engine::{Engine, Inner};
use crate::error::Result;
use crate::task_state::Mode;
use prefetch::Prefetched;
use steps::{Step, StepResult, StepRow, steps_of};

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

    /// What the task has left of its time when it has used this much.
    pub(crate) fn seconds_left(&self, used: f64) -> u32 {
        (f64::from(self.task.budget.max_seconds) - used).max(0.0) as u32
    }

    /// A step.
    pub(crate) fn cause_of(&self, step: JobId, kind: &'static str) -> Cause {
        self.cause(kind).with(json!({ "job": step.to_string() }))
    }
}

impl Inner {
    /// The way out for a search: none where its task is offline.
    pub(crate) fn fetcher(&self, context: &Context) -> Fetcher {
        let fetcher = &self.parts.fetcher;
        if context.config.offline { fetcher.offline() } else { fetcher.clone() }
    }
}

impl Engine {
    /// Runs a search to its end, from its current step.
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
        let mut prefetched = Prefetched::default();
        let ending = loop {
            match state.mode() {
                Mode::Go => {}
                Mode::Pause => return Ok(()),
                Mode::Stop => break StopReason::Stopped,
            }
            let (steps, seconds) = self
                .blocking(move |inner| {
                    Ok((inner.graph.read(|r| steps_of(r, search))?, inner.seconds_used(task)?))
                })
                .await?;
            if seconds >= f64::from(context.task.budget.max_seconds) {
                break StopReason::TimeBudget;
            }
            let Some(next) = steps.iter().position(|it| !it.state.is_over()) else {
                if steps.is_empty() {
                    self.begin(&context).await?;
                    continue;
                }
                break StopReason::NoMoreCandidates;
            };
            if !steps[next].step.is_page() {
                self.read_ahead(&context, &steps, next, &mut prefetched).await?;
            }
            let row = &steps[next];
            if !row.step.is_page() {
                self.begin_step(&context, row, seconds).await?;
            }
            if let Some(stage) = row.step.stage() {
                self.inner.at_work(search, stage, 0, 0);
            }
            let ended = match &row.step {
                Step::Plan => self.plan(&context, row).await?,
                Step::Citations => self.follow_citations(&context, row).await?,
                Step::Identifiers(it) => self.look_up(&context, row, &it.names).await?,
                Step::Assess => {
                    let prepared = std::mem::take(&mut prefetched.vectors);
                    self.assess(&context, &steps, next, prepared).await?
                }
                Step::Fetch(_) | Step::Known(_) => {
                    self.cycle(&context, &steps[next..], &mut prefetched).await?
                }
            };
            state.changed();
            if let Some(ending) = ended {
                break ending;
            }
        };
        self.end(&context, ending).await
    }

    /// Runs work that waits for others. A stop, a pause and the end of the time budget cancel it: `None`.
    pub(crate) async fn unless_cancelled<T>(
        &self,
        context: &Context,
        work: impl Future<Output = T>,
    ) -> Result<Option<T>> {
        tokio::select! {
            biased;
            cancelled = self.cancelled(context) => cancelled.map(|()| None),
            done = work => Ok(Some(done)),
        }
    }

    /// Waits until the task is stopped, paused or out of time.
    async fn cancelled(&self, context: &Context) -> Result<()> {
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
            // While a search works, the clock of the task runs at normal speed.
            if tokio::time::timeout(Duration::from_secs_f64(left), changed).await.is_ok() {
                return Ok(());
            }
        }
    }

    /// Notes that a step begins which is not one of several pages, and what it may use.
    async fn begin_step(&self, context: &Context, row: &StepRow, used: f64) -> Result<()> {
        let cause = context.cause_of(row.id, "step_begin");
        let (id, budget) = (row.id, row.step.budget(context.seconds_left(used)));
        self.blocking(move |inner| Ok(inner.graph.write(cause, |w| w.begin_job(id, budget))?)).await
    }

    /// Writes down the first step.
    async fn begin(&self, context: &Context) -> Result<()> {
        let context = context.clone();
        self.blocking(move |inner| {
            inner
                .graph
                .write(context.cause("search_begin"), |w| context.add_step(w, &Step::Plan))?;
            Ok(())
        })
        .await
    }
}

impl Inner {
    fn context(&self, task: TaskId, search: SearchId) -> Result<Context> {
        let (task, config, details) =
            self.graph.read(|r| Ok((r.task(task)?, r.task_config(task)?, r.search(search)?)))?;
        let options = SearchOptions::of(&details);
        let config = TaskConfig::of_stored(config);
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
        step: JobId,
        kind: &'static str,
        llm_seconds: f64,
        record: impl FnOnce(&Writer<'_>) -> graph::Result<(T, StepResult)>,
    ) -> Result<T> {
        Ok(self.graph.write(context.cause_of(step, kind), |w| {
            self.end_step(w, context, step, llm_seconds, record)
        })?)
    }

    /// The same within a transaction.
    pub(crate) fn end_step<T>(
        &self,
        w: &Writer<'_>,
        context: &Context,
        step: JobId,
        llm_seconds: f64,
        record: impl FnOnce(&Writer<'_>) -> graph::Result<(T, StepResult)>,
    ) -> graph::Result<T> {
        w.cause()?;
        let (value, result) = record(w)?;
        w.end_job(step, &JobEnd::Done(json!(result)))?;
        let seconds = self.task_state(context.task.id).take_seconds();
        w.spend(context.task.id, graph::Spent { seconds, llm_seconds })?;
        Ok(value)
    }
}

impl Context {
    /// Adds a step at the end of the search.
    pub(crate) fn add_step(&self, w: &Writer<'_>, step: &Step) -> graph::Result<()> {
        let (slot, priority) = step.slot();
        w.add_job(&NewJob {
            task_id: self.task.id,
            search_id: self.id(),
            kind: step.kind(),
            slot: slot.as_str(),
            priority,
            payload: step.payload(),
        })?;
        Ok(())
    }
}
