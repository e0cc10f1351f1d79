//! Prefetching: while one cycle is judged or works are looked up, the next cycle's pages are fetched, and passages
//! of pages that arrived are embedded while the others are awaited. It saves waiting and changes nothing else:
//! the same pages are read and recorded in the same order.

use std::collections::BTreeMap;

use evidence::JobId;
use judge::novelty;
use tokio::task::JoinHandle;

use crate::engine::{Engine, Inner};
use crate::error::{EngineError, Result};

use super::Context;
use super::assess::{PrefetchedVectors, earlier_marks};
use super::pages::PageOutcome;
use super::steps::{Step, StepRow};

/// A spawned task that is aborted when its handle is dropped.
pub(super) struct AbortOnDrop<T>(JoinHandle<Result<T>>);

impl<T: Send + 'static> AbortOnDrop<T> {
    pub(super) fn start(work: impl Future<Output = Result<T>> + Send + 'static) -> Self {
        Self(tokio::spawn(work))
    }

    pub(super) fn is_finished(&self) -> bool {
        self.0.is_finished()
    }

    pub(super) async fn join(&mut self) -> Result<T> {
        (&mut self.0).await.map_err(|_| EngineError::Broken)?
    }
}

impl<T> Drop for AbortOnDrop<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Runs all at the same time; results are in the order given.
pub(super) async fn all<T: Send + 'static>(
    work: impl IntoIterator<Item = impl Future<Output = Result<T>> + Send + 'static>,
) -> Result<Vec<T>> {
    let started: Vec<_> = work.into_iter().map(AbortOnDrop::start).collect();
    let mut arrived = Vec::new();
    for mut task in started {
        arrived.push(task.join().await?);
    }
    Ok(arrived)
}

/// What a search has prefetched so far.
#[derive(Default)]
pub(super) struct Prefetched {
    /// Pages being fetched, by their steps.
    pub(super) pages: BTreeMap<JobId, AbortOnDrop<PageOutcome>>,
    pub(super) vectors: PrefetchedVectors,
}

impl Prefetched {
    /// Waits for vectors being computed and keeps them.
    pub(super) async fn take(
        &mut self,
        preparing: Option<AbortOnDrop<PrefetchedVectors>>,
    ) -> Result<()> {
        if let Some(mut preparing) = preparing {
            self.vectors = preparing.join().await?;
        }
        Ok(())
    }
}

impl Engine {
    /// Starts fetching the pages of the next cycle while the step before them runs. Not if several searches share the
    /// budget, because then the most promising one continues, and not if this step may end the search.
    pub(super) async fn read_ahead(
        &self,
        context: &Context,
        steps: &[StepRow],
        at: usize,
        prefetched: &mut Prefetched,
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
            let page =
                || AbortOnDrop::start(self.clone().obtain_page(context.clone(), row.clone()));
            prefetched.pages.entry(row.id).or_insert_with(page);
        }
        Ok(())
    }
}

impl Inner {
    /// Whether this step would end the search as dry if none of its pages brings anything new.
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
