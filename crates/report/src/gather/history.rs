//! What happened when: evidence by year, the life of claims, and what was withdrawn.

use std::collections::BTreeMap;

use evidence::ClaimId;
use graph::{PageMaterial, TaskMaterials};

use super::findings::Judged;
use super::pages::{Pages, year_of};
use crate::report::{Finding, Retraction, Timeline, TimelineEvent, TimelineKind, YearCount};

/// The years of the evidence on the question, and the events in the life of the claims that are shown.
pub(super) fn timeline(
    materials: &TaskMaterials,
    judged: &[&Judged<'_>],
    findings: &[&Finding],
    pages: &mut Pages<'_>,
) -> Timeline {
    let (mut years, mut undated) = (BTreeMap::<i32, YearCount>::new(), 0);
    for claim in judged.iter().filter(|it| it.about_question) {
        for (side, supports) in [(&claim.supporting, true), (&claim.refuting, false)] {
            for passage in side {
                let Some(year) = year_of(passage.page) else {
                    undated += 1;
                    continue;
                };
                let entry = || YearCount { year, supports: 0, refutes: 0, sources: Vec::new() };
                let count = years.entry(year).or_insert_with(entry);
                count.supports += u32::from(supports);
                count.refutes += u32::from(!supports);
                let number = pages.number(passage.page);
                if let Err(place) = count.sources.binary_search(&number) {
                    count.sources.insert(place, number);
                }
            }
        }
    }
    let mut events = claim_events(materials, findings, pages);
    events.extend(retracted_works(materials, pages));
    events.sort_by(|a, b| {
        (a.date.is_none(), &a.date, a.kind, a.recorded_at, &a.text).cmp(&(
            b.date.is_none(),
            &b.date,
            b.kind,
            b.recorded_at,
            &b.text,
        ))
    });
    Timeline { years: years.into_values().collect(), undated, events }
}

fn claim_events(
    materials: &TaskMaterials,
    findings: &[&Finding],
    pages: &mut Pages<'_>,
) -> Vec<TimelineEvent> {
    let shown: BTreeMap<ClaimId, &Finding> = findings.iter().map(|it| (it.claim_id, *it)).collect();
    let events = materials.claim_events.iter().filter_map(|event| {
        let finding = shown.get(&event.claim_id)?;
        let page = event.page_id.and_then(|it| pages.get(it));
        Some(TimelineEvent {
            date: page.and_then(date_of),
            kind: kind_of(&event.kind)?,
            finding: Some(finding.number),
            text: finding.text.clone(),
            source: page.map(|it| pages.number(it)),
            url: page.map(|it| it.url.clone()),
            reason: event.reason.clone(),
            recorded_at: Some(event.created_at),
        })
    });
    events.collect()
}

/// Retracted works among the pages that are cited, or would be.
fn retracted_works(materials: &TaskMaterials, pages: &Pages<'_>) -> Vec<TimelineEvent> {
    let met = materials.pages.iter().filter(|it| it.met);
    let retracted = met.filter_map(|page| {
        let noted = page.retracted_at?;
        Some(TimelineEvent {
            // An index says that a work was retracted, not when.
            date: None,
            kind: TimelineKind::WorkRetracted,
            finding: None,
            text: page.title.clone().unwrap_or_else(|| page.url.clone()),
            source: pages.cited_number(&page.url),
            url: Some(page.url.clone()),
            reason: None,
            recorded_at: Some(noted),
        })
    });
    retracted.collect()
}

/// What was corrected or withdrawn, by date, and the findings it touches.
pub(super) fn retractions(
    timeline: &Timeline,
    findings: &[&Finding],
    pages: &Pages<'_>,
) -> Vec<Retraction> {
    use TimelineKind::{Corrected, Disappeared, Retracted, WorkRetracted};
    let wanted = timeline
        .events
        .iter()
        .filter(|it| matches!(it.kind, Corrected | Disappeared | Retracted | WorkRetracted));
    let touched = |event: &TimelineEvent| match event.finding {
        Some(number) => vec![number],
        None => {
            let cited = event.url.as_deref().and_then(|it| pages.cited_number(it));
            let rests = |finding: &&&Finding| {
                let sides = finding.supporting.iter().chain(&finding.refuting);
                sides.chain(&finding.retracted).any(|it| Some(it.source) == cited)
            };
            findings.iter().filter(rests).map(|it| it.number).collect()
        }
    };
    let mut retractions: Vec<Retraction> = Vec::new();
    for event in wanted {
        // One notice may touch several claims.
        let same = |retraction: &&mut Retraction| {
            retraction.kind == event.kind
                && retraction.url.is_some()
                && retraction.url == event.url
                && retraction.reason == event.reason
        };
        if let Some(known) = retractions.iter_mut().find(same) {
            known.findings.extend(touched(event));
            known.findings.sort_unstable();
            known.findings.dedup();
            continue;
        }
        retractions.push(Retraction {
            kind: event.kind,
            text: event.text.clone(),
            date: event.date.clone(),
            recorded_at: event.recorded_at,
            source: event.source,
            url: event.url.clone(),
            reason: event.reason.clone(),
            findings: touched(event),
        });
    }
    retractions
}

fn kind_of(kind: &str) -> Option<TimelineKind> {
    Some(match kind {
        "first_seen" => TimelineKind::FirstSeen,
        "updated" => TimelineKind::Updated,
        "corrected" => TimelineKind::Corrected,
        "retracted" => TimelineKind::Retracted,
        "rejected" => TimelineKind::Rejected,
        "restored" => TimelineKind::Restored,
        "disappeared" => TimelineKind::Disappeared,
        _ => return None,
    })
}

/// The day of publication where it is known, else the year.
fn date_of(page: &PageMaterial) -> Option<String> {
    page.published_at.clone().or_else(|| year_of(page).map(|it| it.to_string()))
}
