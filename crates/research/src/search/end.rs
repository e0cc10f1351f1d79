//! The state of a search and of a task: sums over what is stored.

use std::collections::{BTreeMap, BTreeSet};

use evidence::{PageId, SearchId, SearchStatus, StopReason, TaskId, TaskStatus};
use graph::{Cause, Graph, JobEnd, Reader, SearchEnd};
use judge::{SourcePage, independent_sources, is_primary, is_satisfied, satisfaction};
use serde_json::json;
use sources::{Access, SourceReport};

use crate::calls::{
    BudgetRemaining, BudgetUsed, ClaimFound, MissedPage, Progress, SearchAnswer, SearchOptions,
    SourceState, StatusAnswer, StopSummary, TaskMetrics, TaskStopped,
};
use crate::engine::{Engine, Inner};
use crate::error::{EngineError, Result};

use super::Context;
use super::narratives::source_of_page;
use super::steps::{FETCH, StepFailure, StepResult, StepRow, steps_of};

impl Engine {
    /// Adds up, and says why the search ends here.
    pub(super) async fn end(&self, context: &Context, ending: StopReason) -> Result<()> {
        let id = context.id();
        let owned = context.clone();
        let (status, pages_left) =
            self.blocking(move |inner| inner.end_search(&owned, ending)).await?;
        self.tell(Progress::SearchEnded { search_id: id, status, reason: ending, pages_left });
        Ok(())
    }
}

impl Inner {
    fn end_search(&self, context: &Context, ending: StopReason) -> Result<(SearchStatus, u32)> {
        let settings = &self.parts.settings;
        let seconds = self.task_state(context.task.id).take_seconds();
        let id = context.id();
        let cause = context.cause("search_end").with(json!({ "reason": ending }));
        Ok(self.graph.write(cause, |w| {
            let steps = steps_of(w, id)?;
            let cancelled = StepFailure::Cancelled { reason: ending }.to_json();
            for row in steps.iter().filter(|it| !it.state.is_over()) {
                w.end_job(row.id, &JobEnd::Cancelled(cancelled.clone()))?;
            }
            let read = steps.iter().filter(|it| it.page().is_some()).count();
            // Pages that were read and speak of something else are no sources of what was asked.
            let about: BTreeSet<PageId> = steps
                .iter()
                .filter_map(StepRow::assessed)
                .flat_map(|it| &it.about)
                .copied()
                .collect();
            let pages = w.useful_pages_of(id)?;
            let pages = pages
                .iter()
                .filter(|it| about.contains(it))
                .map(|it| w.page_for_assessment(*it))
                .collect::<graph::Result<Vec<_>>>()?;
            let sources: Vec<SourcePage> = pages.iter().map(source_of_page).collect();
            let independent = independent_sources(&sources);
            let has_primary = pages.iter().any(|it| is_primary(it.domain_category));
            let score = satisfaction(independent, has_primary, &settings.satisfaction);
            let mut assessed = steps.iter().filter_map(StepRow::assessed);
            let useful: usize = assessed.clone().map(|it| it.counts.useful).sum();
            let status = if is_satisfied(score, &settings.satisfaction) {
                SearchStatus::Satisfied
            } else if independent > 0 && ending == StopReason::NoMoreCandidates {
                SearchStatus::Partial
            } else {
                SearchStatus::Exhausted
            };
            let end = SearchEnd {
                status,
                stop_reason: ending,
                pages_fetched: u32::try_from(read).unwrap_or(u32::MAX),
                useful_fragments: u32::try_from(useful).unwrap_or(u32::MAX),
                satisfaction_score: score,
                novelty_score: assessed.next_back().map_or(0.0, |it| it.novelty),
                independent_sources: u32::try_from(independent).unwrap_or(u32::MAX),
                has_primary_source: has_primary,
            };
            w.end_search(id, &end)?;
            w.spend(context.task.id, graph::Spent { seconds, llm_seconds: 0.0 })?;
            if ending == StopReason::AllResting {
                let reason = "every site that is left to read is cooling down";
                w.set_task_status(context.task.id, TaskStatus::Paused, Some(reason))?;
            }
            if context.options.refute {
                // That nothing was found is a fact about the search, and changes no confidence.
                let found = json!({ "refutations_found": w.refutations_of(context.task.id, id)? });
                let event = Cause::new("refutation_search").in_task(context.task.id);
                w.record_event(event.about("search", id).with(found).after(w.cause()?))?;
            }
            let used = w.begun_jobs(context.task.id, FETCH)?;
            Ok((status, context.task.budget.max_pages.saturating_sub(used)))
        })?)
    }

    pub(crate) fn answer(&self, search: SearchId) -> Result<SearchAnswer> {
        let details = self.graph.read(|r| r.search(search))?;
        let task = details.search.task_id;
        let remaining = self.remaining(task)?;
        let refute = SearchOptions::of(&details).refute;
        Ok(self.graph.read(|r| {
            let mut missed: Vec<MissedPage> = Vec::new();
            let mut asked = Vec::new();
            for row in steps_of(r, search)? {
                if let Some(StepFailure::Missed(page)) = row.failure {
                    missed.push(page);
                }
                if let Some(StepResult::Planned(plan)) = row.result {
                    missed.extend(plan.missed);
                    asked.extend(plan.sources);
                }
            }
            Ok(SearchAnswer {
                search_id: search,
                query: details.search.query.clone(),
                running: details.search.status == SearchStatus::Running,
                status: details.search.status,
                stop_reason: details.stop_reason,
                pages_fetched: details.search.pages_fetched,
                useful_fragments: details.search.useful_fragments,
                harvest_rate: details.harvest_rate,
                satisfaction_score: details.satisfaction_score,
                novelty_score: details.novelty_score,
                independent_sources: details.independent_sources,
                has_primary_source: details.has_primary_source,
                claims_found: claims_found(r, task, search)?,
                sources: source_states(&asked),
                missed,
                refutations_found: match refute {
                    true => Some(r.refutations_of(task, search)?),
                    false => None,
                },
                budget_remaining: remaining,
            })
        })?)
    }

    pub(crate) fn remaining(&self, task: TaskId) -> Result<BudgetRemaining> {
        let used = self.used(task)?;
        let seconds = f64::from(used.time_limit_seconds) - used.time_used_seconds;
        Ok(BudgetRemaining {
            pages: used.pages_limit.saturating_sub(used.pages_used),
            seconds: seconds.max(0.0) as u32,
            percent: used.remaining_percent,
        })
    }

    fn used(&self, task: TaskId) -> Result<BudgetUsed> {
        let known = self.known_task(task)?;
        let pages_used = self.graph.read(|r| r.begun_jobs(task, FETCH))?;
        let time_used_seconds = self.seconds_used(task)?;
        let share = |used: f64, limit: u32| match limit {
            0 => 0.0,
            limit => (1.0 - used / f64::from(limit)).clamp(0.0, 1.0),
        };
        let budget = known.budget;
        let left = share(f64::from(pages_used), budget.max_pages)
            .min(share(time_used_seconds, budget.max_seconds));
        Ok(BudgetUsed {
            pages_used,
            pages_limit: budget.max_pages,
            time_used_seconds,
            time_limit_seconds: budget.max_seconds,
            remaining_percent: (left * 100.0).round() as u32,
        })
    }

    fn known_task(&self, task: TaskId) -> Result<evidence::Task> {
        match self.graph.read(|r| r.task(task)) {
            Err(graph::Error::Unknown { .. }) => Err(EngineError::NoSuchTask(task)),
            other => Ok(other?),
        }
    }

    pub(crate) fn status(&self, task: TaskId, running: Vec<SearchId>) -> Result<StatusAnswer> {
        let known = self.known_task(task)?;
        let budget = self.used(task)?;
        Ok(self.graph.read(|r| {
            let searches = r.search_details_of(task)?;
            let with = |status| {
                let found = searches.iter().filter(|it| it.search.status == status);
                u32::try_from(found.count()).unwrap_or(u32::MAX)
            };
            let unsatisfied = searches.iter().filter(|it| {
                matches!(it.search.status, SearchStatus::Partial | SearchStatus::Exhausted)
            });
            let mut asked = Vec::new();
            for search in &searches {
                for row in steps_of(r, search.search.id)? {
                    if let Some(StepResult::Planned(plan)) = row.result {
                        asked.extend(plan.sources);
                    }
                }
            }
            Ok(StatusAnswer {
                sources: source_states(&asked),
                task_id: task,
                status: known.status,
                query: known.query.clone(),
                hypothesis: known.hypothesis.clone(),
                verdict: report::verdict(r, task)?,
                metrics: metrics(r, task, with(SearchStatus::Satisfied), budget.time_used_seconds)?,
                budget,
                running,
                unsatisfied: unsatisfied.map(|it| it.search.id).collect(),
                searches,
            })
        })?)
    }

    pub(crate) fn stop_task(
        &self,
        graph: &Graph,
        task: TaskId,
        reason: &str,
    ) -> Result<TaskStopped> {
        self.known_task(task)?;
        let status = match reason {
            "failed" => TaskStatus::Failed,
            _ => TaskStatus::Completed,
        };
        let cause = Cause::new("task_stop").in_task(task).with(json!({ "reason": reason }));
        graph.write(cause, |w| w.set_task_status(task, status, Some(reason)))?;
        let status = self.status(task, Vec::new())?;
        Ok(TaskStopped {
            task_id: task,
            final_status: status.status,
            summary: StopSummary {
                total_searches: status.metrics.counts.searches,
                satisfied_searches: status.metrics.satisfied_count,
                total_claims: status.metrics.counts.claims,
                primary_source_ratio: status.metrics.primary_share,
            },
        })
    }
}

fn metrics(
    r: &Reader<'_>,
    task: TaskId,
    satisfied_count: u32,
    elapsed_seconds: f64,
) -> graph::Result<TaskMetrics> {
    let pages = r.read_pages_of(task)?;
    let mut clusters: BTreeMap<String, u32> = BTreeMap::new();
    let mut publishers = BTreeSet::new();
    for page in &pages {
        let SourcePage { publisher, cluster, .. } = source_of_page(page);
        *clusters.entry(cluster).or_default() += 1;
        publishers.insert(publisher);
    }
    let share = |part: usize| (!pages.is_empty()).then(|| part as f64 / pages.len() as f64);
    let largest = clusters.values().max().copied().unwrap_or(0) as usize;
    let useful = r.selected_of(task)?;
    let useful_pages: BTreeSet<_> = useful.iter().map(|it| it.page_id).collect();
    let primary = pages
        .iter()
        .filter(|it| useful_pages.contains(&it.id) && is_primary(it.domain_category))
        .count();
    let claims = r.claims_of(task)?;
    Ok(TaskMetrics {
        counts: r.task_counts(task)?,
        satisfied_count,
        elapsed_seconds,
        llm_seconds: r.spent(task)?.llm_seconds,
        harvest_rate: share(useful.len()),
        duplicate_rate: share(pages.len() - clusters.len()),
        domains: u32::try_from(publishers.len()).unwrap_or(u32::MAX),
        primary_share: (!useful_pages.is_empty())
            .then(|| primary as f64 / useful_pages.len() as f64),
        largest_cluster_share: share(largest),
        refuted_claims: u32::try_from(claims.iter().filter(|it| it.refute_count > 0).count())
            .unwrap_or(u32::MAX),
    })
}

/// One line for each source. Of what became of it the better is told: found, then not let in, then nothing there.
fn source_states(asked: &[SourceReport]) -> Vec<SourceState> {
    let mut states: BTreeMap<&str, SourceState> = BTreeMap::new();
    let rank = |access: Access| match access {
        Access::Found => 3,
        Access::NotLetIn => 2,
        Access::NothingThere => 1,
        Access::NotAsked => 0,
    };
    for report in asked {
        let access = report.access();
        let why = || match access {
            Access::NotLetIn | Access::NotAsked => report.problem.clone(),
            Access::Found | Access::NothingThere => None,
        };
        let state = states.entry(&report.source).or_insert_with(|| SourceState {
            source: report.source.clone(),
            access,
            found: 0,
            detail: why(),
        });
        state.found += report.found;
        if rank(access) > rank(state.access) {
            (state.access, state.detail) = (access, why());
        }
    }
    states.into_values().collect()
}

/// The claims whose passages this search kept, surest first.
fn claims_found(r: &Reader<'_>, task: TaskId, search: SearchId) -> graph::Result<Vec<ClaimFound>> {
    let mut found = Vec::new();
    for (id, origin) in r.claims_of_search(task, search)? {
        let it = r.task_claim(id)?;
        let text = it.claim.claim_text;
        found.push(ClaimFound {
            id: it.claim.id,
            confidence: it.confidence.confidence,
            uncertainty: it.confidence.uncertainty,
            controversy: it.confidence.controversy,
            is_primary_source: is_primary(origin.category),
            years_behind: origin.year.and_then(|year| judge::timeline::years_behind(&text, year)),
            source_url: Some(origin.url),
            verification_status: it.claim.source_verification_status,
            text,
        });
    }
    found.sort_by(|a, b| b.confidence.total_cmp(&a.confidence).then(a.id.cmp(&b.id)));
    Ok(found)
}
