//! `get_status`: how a task stands. Facts and numbers; what to do next is the client's to decide.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use evidence::{
    Adoption, AuthPriority, DomainCategory, SearchStatus, TaskId, TaskStatus, Verification,
};
use graph::{BlockedDomain, CircuitState, FeedbackAction, Graph, Reader, TaskClaim};
use research::calls::{GetStatus, StatusAnswer};
use serde_json::{Value, json};
use sources::Engines;

use super::get_auth_queue::pending;
use super::search::{closed_doors, rounded};
use crate::mcp::call::Call;
use crate::mcp::response::{Answer, Meta};
use crate::mcp::schema::clipped;
use crate::mcp::server_state::ServerState;
use crate::mcp::tool_error::ToolError;

/// From how many waiting pages on a warning is given, and from how many it is critical.
const WAITING_WARNING: usize = 3;
const WAITING_CRITICAL: usize = 5;
const WAITING_HIGH_CRITICAL: usize = 2;
/// From which share of the budget on its rest is worth a warning, in percent.
const BUDGET_WARNING: u32 = 20;
/// Domains that the summary names.
const TOP_DOMAINS: usize = 10;
/// Searches that the digest names.
const SHOWN_SEARCHES: usize = 5;

pub(super) async fn run(call: &Call) -> Result<Answer, ToolError> {
    let task: TaskId = call.id("task_id")?;
    let engine = call.engine().await?;
    let resumed = call.state.wake(call.engine().await?, task).await?;
    let settings = call.state.settings();
    let wait = call.number("wait_seconds").map_or(0, |it| u32::try_from(it).unwrap_or(u32::MAX));
    let wait = wait.min(settings.max_wait_seconds);
    let running = engine.running().iter().any(|it| it.0 == task);
    // Nothing changes while nothing runs.
    let wait_seconds = (wait > 0 && (running || resumed)).then_some(wait);
    let asked = GetStatus { task_id: task, wait_seconds };
    let status = tokio::select! {
        status = engine.get_status(asked) => status?,
        () = left(call) => return Err(ToolError::new(crate::mcp::tool_error::Code::Timeout, "the call was cancelled")),
    };
    let (state, graph) = (Arc::clone(&call.state), Arc::clone(engine.graph()));
    let surroundings =
        tokio::task::spawn_blocking(move || TaskSummary::read(&state, &graph, task)).await??;
    let idle = call.state.idle(task);
    call.state.touch(task);
    let mut body = shown(&status, &surroundings, call.offset());
    body["resumed"] = if resumed { true.into() } else { Value::Null };
    body["idle_seconds"] = idle.map_or(surroundings.idle_seconds, |it| it.as_secs()).into();
    let text = digest(&status, &surroundings);
    let answer = Answer::new(body, text)
        .shortening(&[
            "blocked_domains",
            "not_adopted_claims",
            "domain_overrides",
            "unverified_domains",
            "verification_alerts",
            "auth_queue.domains",
            "running",
            "sources",
            "searches",
        ])
        .paged("searches", call.offset(), status.searches.len())
        .quoting();
    Ok(Answer { meta: surroundings.meta(), ..answer })
}

async fn left(call: &Call) {
    match &call.client {
        Some(client) => client.ct.cancelled().await,
        None => std::future::pending().await,
    }
}

/// What is known about the sources of a task (L5).
pub(super) async fn meta_of(call: &Call, task: TaskId) -> Result<Meta, ToolError> {
    let state = Arc::clone(&call.state);
    call.state.read(move |graph| Ok(task_meta(&state, graph, task)?)).await
}

/// The same, where a graph is at hand.
pub(crate) fn task_meta(state: &ServerState, graph: &Graph, task: TaskId) -> graph::Result<Meta> {
    Ok(TaskSummary::read(state, graph, task)?.meta())
}

/// What is known about a task beside its searches.
struct TaskSummary {
    pending: usize,
    high_priority: usize,
    waiting_domains: BTreeSet<String>,
    oldest: Option<jiff::Timestamp>,
    by_type: BTreeMap<String, usize>,
    blocked: Vec<BlockedDomain>,
    overrides: Vec<Value>,
    unverified: BTreeSet<String>,
    task_domains: BTreeMap<String, usize>,
    claims: Vec<TaskClaim>,
    engines_resting: bool,
    /// What pages and the language model tried, by kind and rule.
    findings: BTreeSet<String>,
    idle_seconds: u64,
}

impl TaskSummary {
    fn read(state: &ServerState, graph: &Graph, task: TaskId) -> graph::Result<Self> {
        let policy = state.policy().current();
        let engines = Engines::load(Some(&state.session().places.engines()));
        graph.read(|r| {
            let known = r.task(task)?;
            let waiting = pending(r, Some(task))?;
            let mut by_type: BTreeMap<String, usize> = BTreeMap::new();
            for entry in &waiting {
                *by_type.entry(entry.auth_type.clone()).or_default() += 1;
            }
            let mut task_domains: BTreeMap<String, usize> = BTreeMap::new();
            let mut unverified = BTreeSet::new();
            for page in r.read_pages_of(task)? {
                if page.domain_category == DomainCategory::Unverified {
                    unverified.insert(page.domain.clone());
                }
                *task_domains.entry(page.domain).or_default() += 1;
            }
            let since = graph.now().as_second() - known.updated_at.as_second();
            Ok(Self {
                pending: waiting.len(),
                high_priority: waiting
                    .iter()
                    .filter(|it| it.priority == AuthPriority::High)
                    .count(),
                waiting_domains: waiting.iter().map(|it| it.domain.clone()).collect(),
                oldest: waiting.iter().map(|it| it.created_at).min(),
                by_type,
                blocked: r.blocked_domains(&policy)?,
                overrides: r.domain_overrides()?.iter().map(|it| json!(it)).collect(),
                unverified,
                task_domains,
                claims: r.claims_of(task)?,
                findings: r.security_findings(task)?,
                engines_resting: all_rest(
                    r,
                    &engines,
                    &state.session().settings.engines.choice.disabled,
                    graph.now(),
                )?,
                idle_seconds: u64::try_from(since).unwrap_or(0),
            })
        })
    }

    fn meta(&self) -> Meta {
        let holds =
            |it: &&BlockedDomain| !it.overridden.as_ref().is_some_and(|it| it.is_overridden);
        Meta {
            unverified_domains: self.unverified.iter().cloned().collect(),
            blocked_domains: self
                .blocked
                .iter()
                .filter(holds)
                .map(|it| it.domain.clone())
                .collect(),
            security_warnings: self.findings.clone(),
            engines_rest: self.engines_resting,
        }
    }

    /// Facts that are easily overlooked.
    fn warnings(&self, status: &StatusAnswer) -> Vec<String> {
        let mut warnings = Vec::new();
        let (pending, high) = (self.pending, self.high_priority);
        let level = if pending >= WAITING_CRITICAL || high >= WAITING_HIGH_CRITICAL {
            Some("critical")
        } else if pending >= WAITING_WARNING {
            Some("warning")
        } else {
            None
        };
        if let Some(level) = level {
            warnings.push(format!(
                "{level}: {pending} pages wait for a person, {high} of high priority"
            ));
        }
        let left = status.budget.remaining_percent;
        if left <= BUDGET_WARNING {
            warnings.push(format!("warning: {left} % of the budget are left"));
        }
        if self.engines_resting {
            warnings.push("critical: every web engine rests after failures".to_owned());
        }
        let cut_off = status
            .searches
            .iter()
            .filter(|it| it.search.status == SearchStatus::Running)
            .filter(|it| !status.running.contains(&it.search.id))
            .count();
        if cut_off > 0 && status.status != TaskStatus::Completed {
            warnings.push(format!(
                "warning: {cut_off} searches were cut off; each goes on when it is asked again"
            ));
        }
        warnings
    }
}

/// Whether there are engines and none of them may be asked now. A rest ends by itself, without a write.
fn all_rest(
    r: &Reader<'_>,
    engines: &Engines,
    disabled: &[String],
    now: jiff::Timestamp,
) -> graph::Result<bool> {
    let mut any = false;
    for engine in engines.all().iter().filter(|engine| !disabled.contains(&engine.name)) {
        any = true;
        let rests = r.engine_health(&engine.name)?.is_some_and(|health| {
            health.circuit_state == CircuitState::Open
                && health.open_until.is_none_or(|until| now < until)
        });
        if !rests {
            return Ok(false);
        }
    }
    Ok(any)
}

fn shown(status: &StatusAnswer, around: &TaskSummary, offset: usize) -> Value {
    let searches: Vec<Value> = status
        .searches
        .iter()
        .rev()
        .skip(offset)
        .map(|it| {
            json!({
                "id": it.search.id,
                "query": it.search.query,
                "status": it.search.status,
                "stop_reason": it.stop_reason,
                "pages_fetched": it.search.pages_fetched,
                "useful_fragments": it.search.useful_fragments,
                "harvest_rate": rounded(&json!(it.harvest_rate)),
                "satisfaction_score": rounded(&json!(it.satisfaction_score)),
                "novelty_score": rounded(&json!(it.novelty_score)),
                "has_primary_source": it.has_primary_source,
            })
        })
        .collect();
    let (metrics, counts) = (&status.metrics, &status.metrics.counts);
    json!({
        "task_id": status.task_id,
        "status": status.status,
        "query": status.query,
        "hypothesis": status.hypothesis,
        "verdict": status.verdict,
        "running": status.running,
        "sources": status.sources,
        "metrics": {
            "total_searches": counts.searches,
            "satisfied_count": metrics.satisfied_count,
            "total_pages": counts.pages,
            "total_fragments": counts.fragments,
            "total_claims": counts.claims,
            "refuted_claims": metrics.refuted_claims,
            "domains": metrics.domains,
            "elapsed_seconds": rounded(&json!(metrics.elapsed_seconds)),
            "harvest_rate": rounded(&json!(metrics.harvest_rate)),
            "duplicate_rate": rounded(&json!(metrics.duplicate_rate)),
            "primary_share": rounded(&json!(metrics.primary_share)),
        },
        "budget": {
            "pages_used": status.budget.pages_used,
            "pages_limit": status.budget.pages_limit,
            "time_used_seconds": rounded(&json!(status.budget.time_used_seconds)),
            "time_limit_seconds": status.budget.time_limit_seconds,
            "remaining_percent": status.budget.remaining_percent,
        },
        "auth_queue": {
            "pending_count": around.pending,
            "high_priority_count": around.high_priority,
            "domains": around.waiting_domains,
            "oldest_queued_at": around.oldest,
            "by_auth_type": around.by_type,
        },
        "warnings": around.warnings(status),
        "blocked_domains": around.blocked.iter().map(blocked).collect::<Vec<_>>(),
        "not_adopted_claims": around.claims.iter().filter_map(not_adopted).collect::<Vec<_>>(),
        "domain_overrides": around.overrides,
        "unverified_domains": around.unverified,
        "verification_alerts": around.claims.iter().filter_map(alert).collect::<Vec<_>>(),
        "evidence_summary": summary(status, around),
        "searches": searches,
    })
}

fn blocked(it: &BlockedDomain) -> Value {
    json!({
        "domain": it.domain,
        "blocked_at": it.domain_blocked_at,
        "domain_block_reason": it.domain_block_reason,
        "domain_unblock_risk": it.domain_unblock_risk,
        "reason": it.reason,
        "cause_id": it.cause_id,
        "original_domain_category": it.original_domain_category,
        "restore_via": it.restore_via.as_ref().map(|it| {
            feedback(&json!({
                "action": it.action,
                "domain_pattern": it.domain_pattern,
                "reason": "reviewed",
            }))
        }),
        "override": it.overridden,
    })
}

/// A claim that people set aside, and how it counts again.
fn not_adopted(it: &TaskClaim) -> Option<Value> {
    let claim = &it.claim;
    (claim.claim_adoption_status == Adoption::NotAdopted).then(|| {
        json!({
            "claim_id": claim.id,
            "text": claim.claim_text,
            "reason": claim.claim_rejection_reason,
            "restore_via": feedback(&json!({
                "action": FeedbackAction::ClaimRestore,
                "claim_id": claim.id,
            })),
        })
    })
}

/// A call of `feedback`, as a client makes it.
fn feedback(arguments: &Value) -> String {
    format!("feedback {arguments}")
}

/// A claim whose sources did not stand up to checking, or that both sides speak about.
fn alert(it: &TaskClaim) -> Option<Value> {
    let is_disputed = it.support_count > 0 && it.refute_count > 0;
    let status = it.claim.source_verification_status;
    (status == Verification::Rejected || is_disputed).then(|| {
        json!({
            "claim_id": it.claim.id,
            "verification_status": status,
            "support_count": it.support_count,
            "refute_count": it.refute_count,
        })
    })
}

fn summary(status: &StatusAnswer, around: &TaskSummary) -> Value {
    if status.status != TaskStatus::Completed {
        return Value::Null;
    }
    let counts = &status.metrics.counts;
    let supporting: u32 = around.claims.iter().map(|it| it.support_count).sum();
    let refuting: u32 = around.claims.iter().map(|it| it.refute_count).sum();
    let mut domains: Vec<(&String, &usize)> = around.task_domains.iter().collect();
    domains.sort_by_key(|it| std::cmp::Reverse(it.1));
    let domains: Vec<&String> = domains.into_iter().take(TOP_DOMAINS).map(|it| it.0).collect();
    json!({
        "total_claims": counts.claims,
        "total_fragments": counts.fragments,
        "total_pages": counts.pages,
        "supporting_edges": supporting,
        "refuting_edges": refuting,
        "neutral_edges": counts.edges.saturating_sub(supporting + refuting),
        "top_domains": domains,
    })
}

fn digest(status: &StatusAnswer, around: &TaskSummary) -> String {
    let counts = &status.metrics.counts;
    let mut text = format!(
        "{} {}: {}\nsearches {} ({} running), pages {}, claims {} ({} refuted by something), budget left {} %",
        status.task_id,
        status.status,
        clipped(&status.query, 120),
        counts.searches,
        status.running.len(),
        counts.pages,
        counts.claims,
        status.metrics.refuted_claims,
        status.budget.remaining_percent
    );
    if let Some(verdict) = &status.verdict {
        text += &format!("\n{}", verdict.sentence);
    }
    for warning in around.warnings(status) {
        text += &format!("\n{warning}");
    }
    text += &closed_doors(&status.sources);
    for it in status.searches.iter().rev().take(SHOWN_SEARCHES) {
        let query = clipped(&it.search.query, 60);
        text += &format!("\n{} {} {query}", it.search.id, it.search.status);
    }
    text
}
