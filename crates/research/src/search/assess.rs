//! What a cycle brought: ranked, turned into claims, judged, and added to the graph in one transaction.
//!
//! Everything is computed from what was committed before; nothing of it is stored until all of it is there. So a step
//! that was cut off is simply done again, with the same result.

mod claims;
mod documents;
mod hypothesis;
mod machine_talk;
mod memory;
mod passages;
mod record;
mod retractions;
mod stances;
mod vectors;

use std::collections::HashSet;
use std::sync::Arc;

use evidence::{FragmentId, PageId, StopReason};
use graph::JobState;
use judge::novelty::{self, is_diminishing, is_repeating};

use crate::calls::{Progress, Stage};
use crate::engine::{Engine, Inner};
use crate::error::Result;
use crate::slots::{Slot, priority};

use super::Context;
use super::steps::{Step, StepRow, steps_of};
use claims::Claims;
use documents::{Surroundings, surroundings_of};
use machine_talk::leave_out_machine_talk;
use memory::KeptPassage;
pub(crate) use memory::TaskMemory;
pub(super) use passages::NotKept;
use passages::{Cycle, RankedCycle, Useful};
use stances::Verdicts;
pub(super) use vectors::PrefetchedVectors;
use vectors::Vectors;

/// A digest before it is stored.
#[derive(Debug)]
struct Digest {
    cycle: Cycle,
    useful: Vec<Useful>,
    not_kept: NotKept,
    /// Of the useful passages, those the task had not kept before.
    fresh: Vec<KeptPassage>,
    claims: Claims,
    verdicts: Verdicts,
    vectors: Vectors,
    /// For each page of this search in the order it was read: did it bring something new?
    new_and_useful: Vec<bool>,
    /// The pages with a useful passage about what was asked.
    about: Vec<PageId>,
}

/// What a digest came to, in numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Counts {
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
    pub(super) async fn assess(
        &self,
        context: &Context,
        steps: &[StepRow],
        at: usize,
        prepared: PrefetchedVectors,
    ) -> Result<Option<StopReason>> {
        let state = self.inner.task_state(context.task.id);
        let judging = state.judging.lock().await;
        let permit = self.slot(Slot::CpuNlp, priority::EMBED).await;
        let mut cycle = {
            let (context, steps) = (context.clone(), steps[..at].to_vec());
            self.blocking(move |inner| inner.cycle_passages(&context, &steps)).await?
        };
        drop(permit);
        let mut llm_seconds = self.weigh_quality(context, &mut cycle).await?;
        let permit = self.slot(Slot::CpuNlp, priority::EMBED).await;
        let (cycle, ranked, surroundings, vectors) = {
            let context = context.clone();
            self.blocking(move |inner| {
                let awaited_by = Some(context.id());
                let (mut cycle, mut vectors) =
                    (cycle, Vectors { prepared, awaited_by, ..Vectors::default() });
                let mut ranked = inner.rank_cycle(&context, &cycle, &mut vectors)?;
                let around = surroundings_of(&cycle);
                inner.keep_about_hypothesis(&context, &cycle, &around, &mut ranked, &vectors)?;
                leave_out_machine_talk(&mut cycle, &mut ranked);
                Ok((cycle, ranked, around, vectors))
            })
            .await?
        };
        let RankedCycle { useful, not_kept, .. } = ranked;
        drop(permit);
        let found = self.find_claims(context, &cycle, &useful, &mut llm_seconds).await?;
        let permit = self.slot(Slot::CpuNlp, priority::EMBED).await;
        let (counts, novelty) = {
            let (context, row, earlier) = (context.clone(), steps[at].id, steps[..at].to_vec());
            let state = Arc::clone(&state);
            self.blocking(move |inner| {
                let (mut vectors, mut memory) = (vectors, state.take_memory());
                inner.refresh_memory(context.task.id, &mut memory, &mut vectors)?;
                let known = std::mem::take(&mut memory.claims);
                let claims = inner.merge_claims(&cycle, &useful, found, known)?;
                let (fresh, places) =
                    inner.fresh(&cycle, &useful, &surroundings, &memory, &mut vectors)?;
                let mut verdicts =
                    inner.judge_cycle(&context, &cycle.words, &claims, &memory, &fresh, &places)?;
                let fragments: Vec<FragmentId> =
                    useful.iter().map(|it| cycle.passages[it.passage].id).collect();
                let confidence = inner.parts.settings.search.verbatim_confidence;
                claims.hear_opposites(&fragments, confidence, &mut verdicts);
                let about =
                    inner.pages_about(&context, &cycle, &useful, &surroundings, &vectors)?;
                let new_and_useful = new_and_useful(&earlier, &cycle, &fresh);
                let digest = Digest {
                    cycle,
                    useful,
                    not_kept,
                    fresh,
                    claims,
                    verdicts,
                    vectors,
                    new_and_useful,
                    about,
                };
                inner.at_work(context.id(), Stage::Recording, 0, 0);
                let recorded =
                    inner.record_digest(&context, row, &digest, &mut memory, llm_seconds)?;
                memory.claims = digest.claims.known;
                state.remember(memory);
                Ok(recorded)
            })
            .await?
        };
        drop((permit, judging));
        let earlier = harvest(&steps[..at]);
        let fresh = earlier.fresh + counts.new_useful;
        state.scheduler.report(context.id(), earlier.pages, fresh);
        self.tell(Progress::Judged {
            search_id: context.id(),
            useful: counts.useful,
            claims: counts.claims,
            supports: counts.supports,
            refutes: counts.refutes,
            abstained: counts.abstained,
            novelty: novelty.share,
        });
        let before = &steps[..at];
        let mut unique: Vec<Option<f64>> =
            before.iter().filter_map(StepRow::assessed).map(|it| it.counts.unique_ngrams).collect();
        unique.push(counts.unique_ngrams);
        let repeats = is_repeating(&unique, &self.inner.parts.settings.novelty);
        if novelty.is_dry || repeats {
            return Ok(Some(StopReason::NothingNew));
        }
        let falls = is_diminishing(&harvests(before, counts.useful));
        Ok(falls.then_some(StopReason::FallingReturns))
    }
}

impl Engine {
    /// Computes what the next digest will ask for of the pages that are stored already, while others are on their way.
    /// A vector is the same whenever it is computed; it is stored with the digest.
    pub(super) async fn prepare(
        self,
        context: Context,
        prepared: PrefetchedVectors,
    ) -> Result<PrefetchedVectors> {
        let _permit = self.slot(Slot::CpuNlp, priority::EMBED).await;
        self.blocking(move |inner| {
            let steps = inner.graph.read(|r| steps_of(r, context.id()))?;
            let next = steps.iter().position(|it| it.step == Step::Assess && !it.state.is_over());
            let cycle = inner.cycle_passages(&context, &steps[..next.unwrap_or(steps.len())])?;
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

/// What the steps of a search came to: pages that were tried, and passages the task had not kept before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Harvest {
    pages: usize,
    fresh: usize,
}

/// Pages that were missed count: they cost as much as those that were read. Pages that were left do not.
fn harvest(steps: &[StepRow]) -> Harvest {
    let tried =
        |it: &&StepRow| it.step.is_page() && matches!(it.state, JobState::Done | JobState::Failed);
    Harvest {
        pages: steps.iter().filter(tried).count(),
        fresh: steps.iter().filter_map(StepRow::assessed).map(|it| it.counts.new_useful).sum(),
    }
}

/// The useful passages for each page of every cycle of a search; `now` are those of the cycle that ends.
fn harvests(before: &[StepRow], now: usize) -> Vec<f64> {
    let mut harvests = Vec::new();
    let mut pages = 0;
    for step in before {
        if let Some(assessed) = step.assessed() {
            harvests.push(novelty::harvest(assessed.counts.useful, std::mem::take(&mut pages)));
        } else if step.step.is_page() && matches!(step.state, JobState::Done | JobState::Failed) {
            pages += 1;
        }
    }
    harvests.push(novelty::harvest(now, pages));
    harvests
}

/// How much a search still brings.
#[derive(Debug, Clone, Copy)]
pub(super) struct Novelty {
    pub(super) share: f64,
    pub(super) is_dry: bool,
}

/// For each page of the cycles that were judged: did it bring something new?
pub(super) fn earlier_marks(steps: &[StepRow]) -> Vec<bool> {
    steps.iter().filter_map(StepRow::assessed).flat_map(|it| it.marks.0.iter().copied()).collect()
}

/// The pages of this search in the order they were read: did each bring something new to the task?
fn new_and_useful(earlier: &[StepRow], cycle: &Cycle, fresh: &[KeptPassage]) -> Vec<bool> {
    let mut marks = earlier_marks(earlier);
    let fresh: HashSet<PageId> = fresh.iter().map(|passage| passage.page).collect();
    marks.extend(cycle.order.iter().map(|page| fresh.contains(page)));
    marks
}

impl Inner {
    /// The useful passages the task had not kept before, and the rank of each useful one among those it keeps now.
    fn fresh(
        &self,
        cycle: &Cycle,
        useful: &[Useful],
        surroundings: &[Arc<Surroundings>],
        memory: &TaskMemory,
        vectors: &mut Vectors,
    ) -> Result<(Vec<KeptPassage>, Vec<usize>)> {
        let passages = useful.iter().map(|it| &cycle.passages[it.passage]);
        self.embed_fragments(passages.map(|it| (it.id, it.text.as_str())), vectors)?;
        let mut fresh = Vec::new();
        let mut places = Vec::new();
        for it in useful {
            let passage = &cycle.passages[it.passage];
            places.push(memory.place(passage.id).unwrap_or_else(|| {
                let vector = vectors.fragments.get(&passage.id).cloned();
                let around = Arc::clone(&surroundings[it.passage]);
                fresh.push(KeptPassage::new(passage, around, vector));
                memory.kept().len() + fresh.len() - 1
            }));
        }
        Ok((fresh, places))
    }
}

#[cfg(test)]
mod tests {
    use evidence::{Id, JobId};

    use super::*;
    use crate::search::steps::{AssessResult, KnownStep, Marks, StepResult};

    #[test]
    fn pages_and_passages_are_counted_over_the_same_cycles() {
        let row = |step, state, result| StepRow {
            id: JobId::from_parts(1, 1),
            state,
            step,
            result,
            failure: None,
        };
        let page = |state| {
            let step = KnownStep { page: PageId::from_parts(1, 1), url: String::new() };
            row(Step::Known(step), state, None)
        };
        let assessed = |useful| {
            let counts = Counts { useful, new_useful: useful - 1, ..Counts::default() };
            let marks = Marks::default();
            let result =
                AssessResult { counts, marks, novelty: 0.0, not_kept: None, about: Vec::new() };
            row(Step::Assess, JobState::Done, Some(StepResult::Assessed(result)))
        };
        let steps = [
            row(Step::Plan, JobState::Done, None),
            page(JobState::Done),
            page(JobState::Failed),
            assessed(5),
            page(JobState::Done),
            page(JobState::Cancelled),
            assessed(2),
            page(JobState::Queued),
        ];
        assert_eq!(harvest(&steps), Harvest { pages: 3, fresh: 5 });
        assert_eq!(harvest(&steps[..4]), Harvest { pages: 2, fresh: 4 });
        assert_eq!(harvests(&steps[..6], 2), [2.5, 2.0]);
        assert_eq!(harvests(&steps, 3), [2.5, 2.0, 0.0]);
    }
}
