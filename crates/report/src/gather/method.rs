//! How the task went: searches, budget, who was asked, what was missed.

use std::collections::BTreeSet;

use evidence::SearchStatus;
use graph::{SCHEMA_VERSION, SearchMaterial, TaskMaterials};
use serde_json::Value;

use super::pages::{Pages, document_of};
use crate::ReportSettings;
use crate::report::{
    Budget, Engine, Method, Missed, Model, Requests, Search, Unread, UnsatisfiedSearch,
};

pub(super) fn method(materials: &TaskMaterials, options: &ReportSettings) -> Method {
    let limits = materials.task.budget;
    Method {
        searches: materials.searches.iter().map(search).collect(),
        budget: Budget {
            pages_used: materials.pages_begun,
            pages_limit: limits.max_pages,
            seconds_used: materials.seconds_used,
            seconds_limit: limits.max_seconds,
            llm_seconds: materials.llm_seconds,
        },
        engines: materials
            .engines
            .iter()
            .map(|engine| Engine {
                name: engine.engine.clone(),
                results: engine.results,
                pages: engine.pages,
                access: engine.access.clone(),
                problem: engine.problem.clone(),
            })
            .collect(),
        requests: Requests {
            count: materials.egress.requests,
            hosts: materials.egress.hosts,
            bytes_sent: materials.egress.sent_bytes,
            bytes_received: materials.egress.response_bytes,
        },
        models: materials
            .models
            .iter()
            .map(|it| Model { role: it.role.clone(), name: it.model.clone(), uses: it.count })
            .collect(),
        lyra_version: options.lyra_version.clone(),
        schema_version: SCHEMA_VERSION,
        graph_fingerprint: options.graph_fingerprint.clone(),
        logged_events: materials.event_count,
    }
}

fn search(it: &SearchMaterial) -> Search {
    Search {
        search_id: it.id,
        query: it.query.clone(),
        status: it.status,
        refuting: it.options.get("refute").and_then(Value::as_bool).unwrap_or_default(),
        pages: it.pages_fetched,
        useful_fragments: it.useful_fragments,
        harvest: it.harvest_rate,
        satisfaction: it.satisfaction_score,
        novelty: it.novelty_score,
        stop_reason: it.stop_reason,
        started_at: it.created_at,
        finished_at: it.finished_at,
    }
}

pub(super) fn unsatisfied(materials: &TaskMaterials) -> Vec<UnsatisfiedSearch> {
    let open = materials.searches.iter().filter(|it| it.status != SearchStatus::Satisfied);
    open.map(|search| UnsatisfiedSearch {
        search_id: search.id,
        query: search.query.clone(),
        status: search.status,
        satisfaction: search.satisfaction_score,
        independent_sources: search.independent_sources,
        has_primary_source: search.has_primary_source,
        stop_reason: search.stop_reason,
    })
    .collect()
}

/// What could not be read, each document once: a broken file fails again for each of its sections and each search.
pub(super) fn missed(materials: &TaskMaterials, pages: &Pages<'_>) -> Vec<Missed> {
    let mut seen = BTreeSet::new();
    let uncited = materials.missed.iter().filter(|it| pages.cited_number(&it.url).is_none());
    let missed = uncited.filter(|it| seen.insert(document_of(&it.url))).map(|page| Missed {
        url: document_of(&page.url).to_owned(),
        reason: page.reason.clone(),
        detail: page.detail.clone(),
        at: page.at,
    });
    missed.collect()
}

/// What was listed and not read, each document once. What was tried and failed is missed, and what another search read
/// or another section was read of is read.
pub(super) fn unread(materials: &TaskMaterials, pages: &Pages<'_>) -> Vec<Unread> {
    let mut seen: BTreeSet<&str> = materials.missed.iter().map(|it| document_of(&it.url)).collect();
    seen.extend(pages.documents(&materials.evidence).into_keys());
    let uncited = materials.unread.iter().filter(|it| pages.cited_number(&it.url).is_none());
    let unread = uncited.filter(|it| seen.insert(document_of(&it.url))).map(|page| Unread {
        url: document_of(&page.url).to_owned(),
        title: page.title.clone(),
        engine: page.engine.clone(),
        rank: page.rank,
        query: page.query.clone(),
    });
    unread.collect()
}
