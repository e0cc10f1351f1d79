//! Work before its turn: while one cycle is judged or works are looked up, the next cycle's pages are fetched, and
//! while pages are waited for, those that are here are looked at. What is read, and in which order it is recorded, is
//! as without it; only the waiting is done meanwhile.

use std::collections::BTreeMap;

use evidence::JobId;
use judge::novelty;
use tokio::task::JoinHandle;

use crate::engine::{Engine, Inner};
use crate::error::{EngineError, Result};

use super::Context;
use super::assess::{Prepared, earlier_marks};
use super::pages::Arrived;
use super::steps::{Step, StepRow};

/// Work in a task of its own; nobody waiting for it any more calls it off.
pub(super) struct InFlight<T>(JoinHandle<Result<T>>);

impl<T: Send + 'static> InFlight<T> {
    pub(super) fn start(work: impl Future<Output = Result<T>> + Send + 'static) -> Self {
        Self(tokio::spawn(work))
    }

    pub(super) fn has_arrived(&self) -> bool {
        self.0.is_finished()
    }

    pub(super) async fn arrive(&mut self) -> Result<T> {
        (&mut self.0).await.map_err(|_| EngineError::Broken)?
    }
}

impl<T> Drop for InFlight<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Waits for all, side by side; the results come in the order of the work.
pub(super) async fn all<T: Send + 'static>(
    work: impl IntoIterator<Item = impl Future<Output = Result<T>> + Send + 'static>,
) -> Result<Vec<T>> {
    let started: Vec<_> = work.into_iter().map(InFlight::start).collect();
    let mut arrived = Vec::new();
    for mut it in started {
        arrived.push(it.arrive().await?);
    }
    Ok(arrived)
}

/// What a search has done before its turn.
#[derive(Default)]
pub(super) struct Ahead {
    /// Pages that are on their way, by their steps.
    pub(super) pages: BTreeMap<JobId, InFlight<Arrived>>,
    pub(super) prepared: Prepared,
}

impl Ahead {
    /// Keeps what was prepared, as soon as it is there.
    pub(super) async fn take(&mut self, preparing: Option<InFlight<Prepared>>) -> Result<()> {
        if let Some(mut preparing) = preparing {
            self.prepared = preparing.arrive().await?;
        }
        Ok(())
    }
}

impl Engine {
    /// Lets the pages of the next cycle begin while the step before them is done. Not where several searches share the
    /// budget, for then the most promising one goes on, and not where this step may show that the search is at its end.
    pub(super) async fn read_ahead(
        &self,
        context: &Context,
        steps: &[StepRow],
        at: usize,
        ahead: &mut Ahead,
    ) -> Result<()> {
        let is_alone = self.inner.task_state(context.task.id).running().len() == 1;
        if !is_alone || self.inner.may_be_dry_after(steps, at) {
            return Ok(());
        }
        let between = steps[at + 1..].iter().take_while(|it| !it.step.is_page());
        if between.clone().any(|it| it.step == Step::Assess) {
            return Ok(());
        }
        let pages = at + 1 + between.count();
        let granted = self.grant_cycle(context, &steps[pages..]).await?.granted;
        for row in granted.into_iter().filter(|it| it.step.is_fetch()) {
            let page = || InFlight::start(self.clone().bring_page(context.clone(), row.clone()));
            ahead.pages.entry(row.id).or_insert_with(page);
        }
        Ok(())
    }
}

impl Inner {
    /// Whether a search may turn out to bring nothing new in this step, if none of its pages does.
    fn may_be_dry_after(&self, steps: &[StepRow], at: usize) -> bool {
        if steps[at].step != Step::Assess {
            return false;
        }
        let mut marks = earlier_marks(&steps[..at]);
        let cycle = steps[..at].iter().rev().take_while(|it| it.step != Step::Assess);
        let pages = cycle.filter(|it| it.step.is_page()).count();
        marks.resize(marks.len() + pages, false);
        novelty::is_dry(&marks, &self.parts.settings.novelty)
    }
}
