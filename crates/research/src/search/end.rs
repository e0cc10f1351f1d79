//! How a search and a task stand: sums over what is stored.

use std::collections::{BTreeMap, BTreeSet};

use evidence::{SearchId, SearchStatus, TaskId, TaskStatus};
use graph::{JobEnd, JobState, Reader, SearchEnd};
use judge::{SourcePage, independent_sources, is_primary, is_satisfied, satisfaction};
use serde_json::json;

use crate::calls::{
    BudgetRemaining, BudgetUsed, ClaimFound, MissedPage, Progress, SearchAnswer, StatusAnswer,
    StopSummary, TaskMetrics, TaskStopped,
};
use crate::engine::{Engine, Inner};
use crate::error::{EngineError, Result};

use super::narratives::SourceIdentity;
use super::{Context, Ending, kind};

impl Engine {
    /// Adds up, and says why the search ends here.
    pub(super) async fn end(&self, context: &Context, ending: Ending) -> Result<()> {
        let id = context.id();
        let owned = context.clone();
        let (status, pages_left) =
            self.blocking(move |inner| inner.end_search(&owned, ending)).await?;
        let reason = ending.as_str().to_owned();
        self.tell(Progress::SearchEnded { search_id: id, status, reason, pages_left });
        Ok(())
    }
}

impl Inner {
    fn end_search(&self, context: &Context, ending: Ending) -> Result<(SearchStatus, u32)> {
        let settings = &self.parts.settings;
        let seconds = self.task_state(context.task.id).take_seconds();
        let id = context.id();
        let cause = context.cause("search_end").with(json!({ "reason": ending.as_str() }));
        Ok(self.graph.write(cause, |w| {
            let jobs = w.jobs_of(id)?;
            for job in jobs.iter().filter(|it| !it.state.is_over()) {
                w.end_job(job.id, &JobEnd::Cancelled(json!({ "reason": ending.as_str() })))?;
            }
            let done = |kind: &str| {
                jobs.iter().filter(|it| it.kind == kind && it.state == JobState::Done).count()
            };
            let pages = w.useful_pages_of(id)?;
            let pages = pages
                .iter()
                .map(|it| w.page_for_assessment(*it))
                .collect::<graph::Result<Vec<_>>>()?;
            let behind: Vec<SourceIdentity> = pages.iter().map(SourceIdentity::from).collect();
            let sources: Vec<SourcePage<'_>> = pages
                .iter()
                .zip(&behind)
                .map(|(page, behind)| behind.source(page.domain_category))
                .collect();
            let independent = independent_sources(&sources);
            let has_primary = pages.iter().any(|it| is_primary(it.domain_category));
            let score = satisfaction(independent, has_primary, &settings.satisfaction);
            let counts = jobs.iter().filter(|it| it.kind == kind::DIGEST).filter_map(|it| {
                let result = it.result.as_ref()?;
                Some((result["counts"]["useful"].as_u64()?, result["novelty"].as_f64()))
            });
            let counts: Vec<(u64, Option<f64>)> = counts.collect();
            let useful: u64 = counts.iter().map(|it| it.0).sum();
            let status = if is_satisfied(score, &settings.satisfaction) {
                SearchStatus::Satisfied
            } else if independent > 0 && ending == Ending::NoMoreCandidates {
                SearchStatus::Partial
            } else {
                SearchStatus::Exhausted
            };
            let end = SearchEnd {
                status,
                stop_reason: ending.as_str().to_owned(),
                pages_fetched: u32::try_from(done(kind::FETCH) + done(kind::KNOWN))
                    .unwrap_or(u32::MAX),
                useful_fragments: u32::try_from(useful).unwrap_or(u32::MAX),
                satisfaction_score: score,
                novelty_score: counts.last().and_then(|it| it.1).unwrap_or(0.0),
                independent_sources: u32::try_from(independent).unwrap_or(u32::MAX),
                has_primary_source: has_primary,
            };
            w.end_search(id, &end)?;
            w.spend(context.task.id, graph::Spent { seconds, llm_seconds: 0.0 })?;
            if ending == Ending::AllResting {
                let reason = "every site that is left to read is left in peace for now";
                w.set_task_status(context.task.id, TaskStatus::Paused, Some(reason))?;
            }
            let used = w.begun_jobs(context.task.id, kind::FETCH)?;
            Ok((status, context.task.budget.max_pages.saturating_sub(used)))
        })?)
    }

    pub(crate) fn answer(&self, search: SearchId) -> Result<SearchAnswer> {
        let details = self.graph.read(|r| r.search(search))?;
        let task = details.search.task_id;
        let remaining = self.remaining(task)?;
        let refute = details.options["refute"].as_bool() == Some(true);
        Ok(self.graph.read(|r| {
            let jobs = r.jobs_of(search)?;
            let mut missed: Vec<MissedPage> = Vec::new();
            for job in &jobs {
                // A step that was called off names no page, unless the page was left for a reason of its own.
                if let Some(failure) = &job.failure {
                    missed.extend(serde_json::from_value::<MissedPage>(failure.clone()));
                }
                if let Some(plan) = job.result.as_ref().filter(|_| job.kind == kind::PLAN) {
                    let listed: Vec<MissedPage> =
                        serde_json::from_value(plan["missed"].clone()).unwrap_or_default();
                    missed.extend(listed);
                }
            }
            Ok(SearchAnswer {
                search_id: search,
                query: details.search.query.clone(),
                running: details.search.status == SearchStatus::Running,
                status: details.search.status,
                stop_reason: details.stop_reason.clone(),
                pages_fetched: details.search.pages_fetched,
                useful_fragments: details.search.useful_fragments,
                harvest_rate: details.harvest_rate,
                satisfaction_score: details.satisfaction_score,
                novelty_score: details.novelty_score,
                independent_sources: details.independent_sources,
                has_primary_source: details.has_primary_source,
                claims_found: claims_found(r, task, search)?,
                missed,
                refutations_found: match refute {
                    true => Some(r.refutations_of(task)?),
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
        let pages_used = self.graph.read(|r| r.begun_jobs(task, kind::FETCH))?;
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
            Ok(StatusAnswer {
                task_id: task,
                status: known.status,
                query: known.query.clone(),
                hypothesis: known.hypothesis.clone(),
                metrics: metrics(r, task, with(SearchStatus::Satisfied), budget.time_used_seconds)?,
                budget,
                running,
                unsatisfied: unsatisfied.map(|it| it.search.id).collect(),
                searches,
            })
        })?)
    }

    pub(crate) fn stop_task(&self, task: TaskId, reason: &str) -> Result<TaskStopped> {
        self.known_task(task)?;
        let status = match reason {
            "failed" => TaskStatus::Failed,
            _ => TaskStatus::Completed,
        };
        let cause = graph::Cause::new("task_stop").in_task(task).with(json!({ "reason": reason }));
        self.graph.write(cause, |w| w.set_task_status(task, status, Some(reason)))?;
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
    let mut domains = BTreeSet::new();
    for page in &pages {
        let SourceIdentity { publisher, story } = SourceIdentity::from(page);
        *clusters.entry(story).or_default() += 1;
        domains.insert(publisher);
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
        domains: u32::try_from(domains.len()).unwrap_or(u32::MAX),
        primary_share: (!useful_pages.is_empty())
            .then(|| primary as f64 / useful_pages.len() as f64),
        largest_cluster_share: share(largest),
        refuted_claims: u32::try_from(claims.iter().filter(|it| it.refute_count > 0).count())
            .unwrap_or(u32::MAX),
    })
}

/// The claims whose passages this search kept, surest first.
fn claims_found(r: &Reader<'_>, task: TaskId, search: SearchId) -> graph::Result<Vec<ClaimFound>> {
    let pages: BTreeSet<_> = r.useful_pages_of(search)?.into_iter().collect();
    let mut origins = r.origins_of(task)?;
    origins.retain(|_, origin| pages.contains(&origin.page_id));
    let mut found = Vec::new();
    for it in r.claims_of(task)? {
        let Some(origin) = origins.remove(&it.claim.id) else { continue };
        found.push(ClaimFound {
            id: it.claim.id,
            text: it.claim.claim_text,
            confidence: it.confidence.confidence,
            uncertainty: it.confidence.uncertainty,
            controversy: it.confidence.controversy,
            is_primary_source: is_primary(origin.category),
            source_url: Some(origin.url),
            verification_status: it.claim.source_verification_status,
        });
    }
    found.sort_by(|a, b| b.confidence.total_cmp(&a.confidence).then(a.id.cmp(&b.id)));
    Ok(found)
}
