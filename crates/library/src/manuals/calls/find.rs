//! `manual_find`: everything about a subject, as counts and a trace to page through. Never the text itself.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::super::index::Snapshot;
use super::super::query::{Plan, parse};
use super::super::search::{Judgement, Outcome, Part, Search, Semantic, Side};
use super::super::trace::{Trace, TraceCandidate, TraceConflict, TraceRange, TraceSide};
use super::super::tuning::{Run, est_tokens};
use super::super::{Breadth, Cutoff, Intent, Manuals, Moment, Signal};
use super::{HitKind, NextAction};
use crate::answer::{is_zero, rounded};
use crate::manuals::titles::NodeId;
use crate::{Refusal, Result};

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FindRequest {
    pub query: String,
    /// Looks in one manual first.
    pub manual_id: Option<String>,
    /// 4 (the default) may widen the scope to all manuals, 3 never does.
    pub max_stage: Option<u8>,
    /// Looks first at what that search did not look at.
    pub only_unscanned_from_trace_id: Option<String>,
    pub breadth: Breadth,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FindAnswer {
    pub trace_id: String,
    pub summary: Summary,
    pub next_actions: Vec<NextAction>,
}

/// What was found, in numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    pub intent: Intent,
    pub candidates: usize,
    pub files: usize,
    /// How many candidates have each signal.
    pub signals: BTreeMap<Signal, usize>,
    pub conflicts: usize,
    pub gaps: usize,
    /// Sections that share too little with the request; `breadth: "all"` takes them, too.
    pub weak: usize,
    #[serde(skip_serializing_if = "is_zero")]
    pub excluded: usize,
    pub scanned_sections: usize,
    pub unscanned_sections: usize,
    pub sufficiency_score: f64,
    pub file_bias_ratio: f64,
    pub max_stage_applied: u8,
    pub scope_expanded: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub escalation_reasons: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cutoff_reason: Option<Cutoff>,
    /// Stages that did not run, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// Longer warnings are cut: an answer has to stay small.
const WARNING_CHARS: usize = 120;

impl Manuals {
    /// Runs the fixed stages and leaves a trace.
    pub fn find(&self, request: &FindRequest, moment: &Moment<'_>) -> Result<FindAnswer> {
        self.find_with(request, moment, None)
    }

    /// The same with a signal of meaning, which adds candidates after all others.
    pub fn find_with(
        &self,
        request: &FindRequest,
        moment: &Moment<'_>,
        semantic: Option<Semantic<'_>>,
    ) -> Result<FindAnswer> {
        let widest = self.check(request)?;
        let snapshot = self.fresh()?;
        let titles = self.titles(&snapshot);
        let dictionaries = self.dictionaries();
        let mut warnings = Vec::new();
        let words = dictionaries.query.as_ref().map_or_else(
            |reason| {
                warnings.push(format!("the request was read with the bundled words: {reason}"));
                self.bundled_words()
            },
            std::sync::Arc::clone,
        );
        let synonyms = dictionaries.synonyms.as_ref().ok().filter(|_| self.settings.synonyms);
        let plan = parse(&request.query, &words, synonyms.map(|it| &**it));
        if snapshot.files.is_empty() {
            let skipped = snapshot.skipped.len();
            warnings.push(format!("no manual has a file that can be searched; {skipped} skipped"));
        }
        let search = Search {
            snapshot: &snapshot,
            titles: &titles,
            dictionaries: &dictionaries,
            settings: &self.settings,
            query: &request.query,
            plan: &plan,
            breadth: request.breadth,
            elapsed: moment.elapsed,
            semantic,
        };
        let parts = self.scope(&snapshot, request, moment)?;
        let thresholds = self.thresholds();
        let mut outcome = search.run(&parts);
        let mut judgement = search.judge(&outcome, thresholds);
        let narrow = request.manual_id.is_some() || request.only_unscanned_from_trace_id.is_some();
        let expanded = widest == 4 && narrow && Search::widens(&judgement.reasons);
        let reasons = judgement.reasons.clone();
        if expanded {
            outcome = widened(&search, outcome);
            judgement = search.judge(&outcome, thresholds);
        }
        warnings.append(&mut outcome.warnings);
        let stage = if expanded { 4 } else { 3 };
        let trace_id = self.traces.new_id(moment.now_ms)?;
        let trace =
            trace(&snapshot, &trace_id, request, &plan, &outcome, &judgement, moment.now_ms);
        let summary = summary(&plan, &outcome, &judgement, stage, reasons, &warnings);
        let next_actions = next_actions(request, &trace, &judgement, &summary);
        self.traces.write(&trace)?;
        self.traces.clean(&trace_id, moment.now_ms, &self.settings);
        let mut answer = FindAnswer { trace_id, summary, next_actions };
        self.record(request, &mut answer, moment);
        Ok(answer)
    }

    fn check(&self, request: &FindRequest) -> Result<u8> {
        let characters = request.query.chars().count();
        if request.query.trim().is_empty() || characters > self.settings.max_query_chars {
            let most = self.settings.max_query_chars;
            return Err(Refusal::InvalidParameter
                .because(format!("query must have 1 to {most} characters")));
        }
        match request.max_stage.unwrap_or(4) {
            stage @ (3 | 4) => Ok(stage),
            _ => Err(Refusal::InvalidParameter.because("max_stage must be 3 or 4")),
        }
    }

    /// What is looked at first: one manual, what another search left, or everything.
    fn scope(
        &self,
        snapshot: &Snapshot,
        request: &FindRequest,
        moment: &Moment<'_>,
    ) -> Result<Vec<Part>> {
        if let Some(id) = &request.manual_id {
            self.check_manual(snapshot, id)?;
        }
        if let Some(id) = &request.only_unscanned_from_trace_id {
            let trace = self.traces.read(id, moment.now_ms, &self.settings)?;
            let mut parts: Vec<Part> = Vec::new();
            for range in &trace.unscanned {
                let Some(file) = snapshot.file(&range.place.manual, &range.place.path) else {
                    continue;
                };
                let lines = range.start_line..range.end_line + 1;
                match parts.iter_mut().find(|it| it.file == file) {
                    Some(part) => part.lines.get_or_insert_default().push(lines),
                    None => parts.push(Part { file, lines: Some(vec![lines]) }),
                }
            }
            return Ok(parts);
        }
        let wanted = |manual: &str| request.manual_id.as_ref().is_none_or(|it| it == manual);
        let files = snapshot.files.iter().enumerate().filter(|(_, it)| wanted(&it.manual));
        Ok(files.map(|(file, _)| Part { file, lines: None }).collect())
    }

    /// Statistics only tune: where they cannot be written, the answer says so and is still good.
    fn record(&self, request: &FindRequest, answer: &mut FindAnswer, moment: &Moment<'_>) {
        let out = serde_json::to_string(&*answer).map_or(0, |it| it.chars().count());
        let run = Run {
            trace_id: answer.trace_id.clone(),
            at_ms: moment.now_ms,
            candidates: answer.summary.candidates,
            warnings: answer.summary.warnings.len(),
            max_stage_applied: answer.summary.max_stage_applied,
            scope_expanded: answer.summary.scope_expanded,
            cutoff: answer.summary.cutoff_reason.is_some(),
            unscanned_sections: answer.summary.unscanned_sections,
            est_tokens_in: est_tokens(request.query.chars().count()),
            est_tokens_out: est_tokens(out),
            used: 0,
            used_found: 0,
        };
        if let Err(error) = self.ledger.change(|it| it.record(run)) {
            answer.summary.warnings.push(cut(&format!("no statistics: {error}")));
        }
    }
}

/// Stage 4: all manuals. What the narrow search found stays first and in its order.
fn widened(search: &Search<'_>, narrow: Outcome) -> Outcome {
    let all: Vec<Part> =
        (0..search.snapshot.files.len()).map(|file| Part { file, lines: None }).collect();
    let mut wide = search.run(&all);
    let known: Vec<NodeId> = narrow.candidates.iter().map(|it| it.id).collect();
    let new = wide.candidates.into_iter().filter(|it| !known.contains(&it.id));
    wide.candidates = narrow.candidates.into_iter().chain(new).collect();
    wide
}

fn trace(
    snapshot: &Snapshot,
    trace_id: &str,
    request: &FindRequest,
    plan: &Plan,
    outcome: &Outcome,
    judgement: &Judgement,
    now_ms: i64,
) -> Trace {
    let place = |id: NodeId| snapshot.files[id.0 as usize].place(id.1 as usize);
    let candidate = |candidate: &super::super::search::Candidate| {
        let file = &snapshot.files[candidate.id.0 as usize];
        let lines = file.nodes[candidate.id.1 as usize].lines.clone();
        TraceCandidate {
            place: place(candidate.id),
            start_line: lines.start,
            end_line: lines.end.saturating_sub(1).max(lines.start),
            source: candidate.source,
            signals: candidate.signals.iter().copied().collect(),
            hit_count: candidate.hit_count,
            score: rounded(candidate.score),
            relevance: rounded(candidate.relevance),
            spots: candidate.spots.clone(),
            from: candidate.from.map(place),
            stamp: file.stamp.short(),
        }
    };
    let range = |range: &super::super::search::Unscanned| {
        let file = &snapshot.files[range.file];
        TraceRange {
            place: file.place(file.node_at(range.lines.start)),
            start_line: range.lines.start,
            end_line: range.lines.end.saturating_sub(1),
            sections: range.sections,
        }
    };
    let side = |side: &Side| {
        let file = &snapshot.files[side.node.0 as usize];
        TraceSide {
            place: place(side.node),
            start_line: file.nodes[side.node.1 as usize].lines.start,
            spot: side.spot,
            stamp: file.stamp.short(),
        }
    };
    let conflict = |conflict: &super::super::search::Conflict| TraceConflict {
        kind: conflict.kind,
        first: side(&conflict.first),
        second: side(&conflict.second),
        measure: conflict.measure.clone(),
    };
    Trace {
        trace_id: trace_id.to_owned(),
        created_ms: now_ms,
        manual_id: request.manual_id.clone(),
        query: request.query.clone(),
        intent: plan.intent,
        notes: plan.notes.clone(),
        candidates: outcome.candidates.iter().map(candidate).collect(),
        unscanned: outcome.unscanned.iter().map(range).collect(),
        conflicts: judgement.conflicts.iter().map(conflict).collect(),
        gaps: judgement.gaps.clone(),
        used: Vec::new(),
    }
}

fn summary(
    plan: &Plan,
    outcome: &Outcome,
    judgement: &Judgement,
    stage: u8,
    reasons: Vec<String>,
    warnings: &[String],
) -> Summary {
    let mut signals: BTreeMap<Signal, usize> = BTreeMap::new();
    for signal in outcome.candidates.iter().flat_map(|it| &it.signals) {
        *signals.entry(*signal).or_default() += 1;
    }
    let files: std::collections::BTreeSet<u32> =
        outcome.candidates.iter().map(|it| it.id.0).collect();
    Summary {
        intent: plan.intent,
        candidates: outcome.candidates.len(),
        files: files.len(),
        signals,
        conflicts: judgement.conflicts.len(),
        gaps: judgement.gaps.len(),
        weak: outcome.weak,
        excluded: outcome.excluded,
        scanned_sections: outcome.scanned,
        unscanned_sections: outcome.unscanned.iter().map(|it| it.sections).sum(),
        sufficiency_score: judgement.sufficiency,
        file_bias_ratio: rounded(judgement.file_bias.share),
        max_stage_applied: stage,
        scope_expanded: stage == 4,
        escalation_reasons: reasons,
        cutoff_reason: outcome.cutoff,
        warnings: warnings.iter().map(|it| cut(it)).collect(),
    }
}

fn cut(warning: &str) -> String {
    warning.chars().take(WARNING_CHARS).collect()
}

/// In the fixed order: conflicts are read, what was left, gaps and bias searched for again, then what was found is paged.
fn next_actions(
    request: &FindRequest,
    trace: &Trace,
    judgement: &Judgement,
    summary: &Summary,
) -> Vec<NextAction> {
    let id = &trace.trace_id;
    let again = |params| NextAction::again("manual_find", &request.query, params);
    let hits =
        |kind: HitKind| NextAction::new("manual_hits", json!({ "trace_id": id, "kind": kind }));
    let mut next = Vec::new();
    if let Some(conflict) = trace.conflicts.first() {
        let params = json!({ "refs": [conflict.first.place, conflict.second.place], "scope": "sections", "trace_id": id });
        next.push(NextAction::new("manual_read", params));
    }
    if summary.unscanned_sections > 0 {
        let rest = again(json!({ "only_unscanned_from_trace_id": id }));
        next.push(rest.unwrap_or_else(|| hits(HitKind::Unscanned)));
    }
    let biased = judgement.reasons.iter().any(|it| it == "one_file_bias");
    let can_widen = request.manual_id.is_some() && !summary.scope_expanded;
    if (!judgement.gaps.is_empty() || biased) && can_widen {
        next.extend(again(json!({ "max_stage": 4 })));
    } else if !judgement.gaps.is_empty() {
        next.push(hits(HitKind::Gaps));
    }
    if summary.candidates == 0 && summary.weak > 0 {
        next.extend(again(json!({ "breadth": "all" })));
    }
    if summary.candidates > 0 {
        next.push(NextAction::new("manual_hits", json!({ "trace_id": id })));
    }
    if next.is_empty() {
        next.push(NextAction::new("manual_ls", json!({})));
    }
    next
}
