//! What a cycle brought: ranked, turned into claims, judged, and added to the graph in one transaction.
//!
//! Everything is computed from what was committed before; nothing of it is stored until all of it is there. So a step
//! that was cut off is simply done again, with the same result.

mod claims;
mod memory;
mod passages;
mod record;
mod retractions;
mod stances;
mod vectors;

use std::collections::HashSet;
use std::sync::Arc;

use evidence::PageId;
use graph::Job;

use crate::calls::Progress;
use crate::engine::{Engine, Inner};
use crate::error::Result;
use crate::slots::{Slot, priority};

use super::{Context, Ending, kind};
use claims::Claims;
use memory::KeptPassage;
pub(crate) use memory::TaskMemory;
use passages::{Cycle, Useful};
use stances::Verdicts;
pub(super) use vectors::Prepared;
use vectors::Vectors;

/// A digest before it is stored.
#[derive(Debug)]
struct Digest {
    cycle: Cycle,
    useful: Vec<Useful>,
    /// Of the useful passages, those the task had not kept before.
    fresh: Vec<KeptPassage>,
    claims: Claims,
    verdicts: Verdicts,
    vectors: Vectors,
    /// For each page of this search in the order it was read: did it bring something new?
    new_and_useful: Vec<bool>,
}

/// What a digest came to, in numbers.
#[derive(Debug, Clone, Copy, Default, serde::Serialize, serde::Deserialize)]
pub(super) struct Counts {
    pub(super) pages: usize,
    pub(super) passages: usize,
    pub(super) useful: usize,
    pub(super) new_useful: usize,
    pub(super) claims: usize,
    pub(super) merged: usize,
    pub(super) supports: usize,
    pub(super) refutes: usize,
    pub(super) neutral: usize,
    pub(super) abstained: usize,
    pub(super) left_out_passages: usize,
    pub(super) dangerous_pages: usize,
    pub(super) unique_ngrams: Option<f64>,
}

impl Engine {
    pub(super) async fn digest(
        &self,
        context: &Context,
        jobs: &[Job],
        at: usize,
        prepared: Prepared,
    ) -> Result<Option<Ending>> {
        let state = self.inner.task_state(context.task.id);
        let judging = state.judging.lock().await;
        let permit = self.slot(Slot::CpuNlp, priority::EMBED).await;
        let mut cycle = {
            let (context, jobs) = (context.clone(), jobs.to_vec());
            self.blocking(move |inner| inner.cycle_passages(&context, &jobs, at)).await?
        };
        drop(permit);
        let mut llm_seconds = self.weigh_quality(context, &mut cycle).await?;
        let permit = self.slot(Slot::CpuNlp, priority::EMBED).await;
        let (cycle, useful, vectors) = {
            let context = context.clone();
            self.blocking(move |inner| {
                let mut vectors = Vectors { prepared, ..Vectors::default() };
                let useful = inner.rank_cycle(&context, &cycle, &mut vectors)?;
                Ok((cycle, useful, vectors))
            })
            .await?
        };
        drop(permit);
        let found = self.find_claims(context, &cycle, &useful, &mut llm_seconds).await?;
        let permit = self.slot(Slot::CpuNlp, priority::EMBED).await;
        let (counts, novelty) = {
            let (context, job, jobs) = (context.clone(), jobs[at].clone(), jobs.to_vec());
            let state = Arc::clone(&state);
            self.blocking(move |inner| {
                let (mut vectors, mut memory) = (vectors, state.take_memory());
                inner.refresh_memory(context.task.id, &mut memory, &mut vectors)?;
                let known = std::mem::take(&mut memory.claims);
                let claims = inner.merge_claims(&cycle, &useful, found, known)?;
                let (fresh, places) = inner.fresh(&cycle, &useful, &memory, &mut vectors)?;
                let verdicts = inner.judge_cycle(&claims, &memory, &fresh, &places)?;
                let new_and_useful = new_and_useful(&jobs[..at], &cycle, &fresh);
                let digest =
                    Digest { cycle, useful, fresh, claims, verdicts, vectors, new_and_useful };
                let recorded =
                    inner.record_digest(&context, &job, &digest, &mut memory, llm_seconds)?;
                memory.claims = digest.claims.known;
                state.remember(memory);
                Ok(recorded)
            })
            .await?
        };
        drop((permit, judging));
        let read = jobs.iter().filter(|it| it.kind == kind::FETCH && it.state.is_over()).count();
        state.scheduler.report(context.id(), read, counts.useful);
        self.tell(Progress::Judged {
            search_id: context.id(),
            useful: counts.useful,
            claims: counts.claims,
            supports: counts.supports,
            refutes: counts.refutes,
            abstained: counts.abstained,
            novelty: novelty.share,
        });
        Ok(novelty.is_dry.then_some(Ending::NothingNew))
    }
}

impl Engine {
    /// Computes what the next digest will ask for of the pages that are stored already, while others are on their way.
    /// A vector is the same whenever it is computed; it is stored with the digest.
    pub(super) async fn prepare(self, context: Context, prepared: Prepared) -> Result<Prepared> {
        let _permit = self.slot(Slot::CpuNlp, priority::EMBED).await;
        self.blocking(move |inner| {
            let jobs = inner.graph.read(|r| r.jobs_of(context.id()))?;
            let next = jobs.iter().position(|it| it.kind == kind::DIGEST && !it.state.is_over());
            let cycle = inner.cycle_passages(&context, &jobs, next.unwrap_or(jobs.len()))?;
            let mut vectors = Vectors { prepared, ..Vectors::default() };
            inner.rank_cycle(&context, &cycle, &mut vectors)?;
            let mut prepared = vectors.prepared;
            for id in vectors.fresh {
                prepared.extend(vectors.fragments.remove_entry(&id));
            }
            Ok(prepared)
        })
        .await
    }
}

/// How much a search still brings.
#[derive(Debug, Clone, Copy)]
pub(super) struct Novelty {
    pub(super) share: f64,
    pub(super) is_dry: bool,
}

/// For each page of the cycles that were judged: did it bring something new?
pub(super) fn earlier_marks(jobs: &[Job]) -> Vec<bool> {
    let mut marks = Vec::new();
    for earlier in jobs.iter().filter(|it| it.kind == kind::DIGEST) {
        let result = earlier.result.as_ref();
        let text = result.and_then(|it| it["marks"].as_str()).unwrap_or_default();
        marks.extend(text.chars().map(|it| it == '+'));
    }
    marks
}

/// The pages of this search in the order they were read: did each bring something new to the task?
fn new_and_useful(earlier: &[Job], cycle: &Cycle, fresh: &[KeptPassage]) -> Vec<bool> {
    let mut marks = earlier_marks(earlier);
    let fresh: HashSet<PageId> = fresh.iter().map(|passage| passage.page).collect();
    marks.extend(cycle.order.iter().map(|page| fresh.contains(page)));
    marks
}

impl Inner {
    /// The useful passages the task had not kept before, and where each useful one stands among those it keeps now.
    fn fresh(
        &self,
        cycle: &Cycle,
        useful: &[Useful],
        memory: &TaskMemory,
        vectors: &mut Vectors,
    ) -> Result<(Vec<KeptPassage>, Vec<usize>)> {
        let useful = || useful.iter().map(|it| &cycle.passages[it.passage]);
        self.embed_fragments(useful().map(|it| (it.id, it.text.as_str())), vectors)?;
        let mut fresh = Vec::new();
        let mut places = Vec::new();
        for passage in useful() {
            places.push(memory.place(passage.id).unwrap_or_else(|| {
                let vector = vectors.fragments.get(&passage.id).cloned();
                fresh.push(KeptPassage::new(passage, vector));
                memory.kept().len() + fresh.len() - 1
            }));
        }
        Ok((fresh, places))
    }
}
