//! Stage 1.5: what the candidates of a find say together.
//!
//! For the [`Sufficiency`] of a find, its concepts are the mean of both signal coverages, so a loose match counts
//! half; the agreement falls from 1 to 0 as the share of one file grows from the threshold to everything.

use serde::Serialize;
use serde_json::json;

use super::{Candidate, FindRequest, Search, SearchedFile};
use crate::answer::{is_zero, rounded};
use crate::manuals::{NextAction, Signal, Thresholds};
use crate::paths::SafePath;
use crate::spans::{Span, count};
use crate::sufficiency::{FileBias, Sufficiency};
use crate::vault::units::Unit;

/// What a find says about itself.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FindSummary {
    pub files_searched: usize,
    pub candidates: usize,
    /// How many of them are in the answer.
    pub shown: usize,
    pub signal_coverage: SignalCoverage,
    /// The share of the candidates in the file that has most.
    pub file_bias_ratio: f64,
    pub gap_ranges_count: usize,
    pub sufficiency_score: f64,
    /// Files that are too large or no text.
    #[serde(skip_serializing_if = "is_zero")]
    pub unreadable_files: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cutoff_reason: Option<&'static str>,
}

/// The share of what was asked for that was found.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SignalCoverage {
    /// As they are written.
    pub normalized: f64,
    /// Also with other spaces and separators.
    pub loose: f64,
}

pub(super) struct Judged {
    pub(super) summary: FindSummary,
    /// The best first.
    pub(super) candidates: Vec<Candidate>,
    pub(super) gaps: Vec<(SafePath, Span)>,
    pub(super) next: Vec<Next>,
}

/// What should come next, before the find has a name.
pub(super) enum Next {
    Scan,
    /// Most of it is in this file: look for the rest without it.
    FindWithout(SafePath),
    FindEverywhere,
    Coverage,
}

impl Next {
    pub(super) fn named(self, trace_id: &str, request: &FindRequest) -> NextAction {
        let again = |params| NextAction::again("vault_find", &request.query, params);
        let coverage = || NextAction::new("vault_coverage", json!({"trace_id": trace_id}));
        match self {
            Self::Scan => NextAction::new("vault_scan", json!({"trace_id": trace_id})),
            Self::FindWithout(path) => {
                let exclude = [&request.exclude[..], &[path.to_string()]].concat();
                again(json!({ "folder": request.folder, "exclude": exclude }))
                    .unwrap_or_else(coverage)
            }
            Self::FindEverywhere => again(json!({})).unwrap_or_else(coverage),
            Self::Coverage => coverage(),
        }
    }
}

/// From this score on nothing more needs to be looked for.
const SUFFICIENT: f64 = 0.8;

/// Lines between two candidates of one file are a gap if they are at most `gap_lines`: what is between two passages
/// about a subject is probably about it as well, in other words.
pub(super) fn judge(
    search: &Search,
    terms: usize,
    request: &FindRequest,
    gap_lines: u32,
) -> Judged {
    let candidates = candidates(search);
    let gaps: Vec<(SafePath, Span)> = search
        .files
        .iter()
        .flat_map(|file| gaps(file, gap_lines).into_iter().map(|span| (file.path.clone(), span)))
        .collect();
    let coverage = coverage(search, terms);
    let searched = search.files.iter().filter(|file| file.version.is_some()).count();
    let bias = FileBias::of(candidates.iter().map(|candidate| &candidate.path));
    let threshold = Thresholds::default().file_bias;
    let biased = searched > 1 && bias.is_high(threshold);
    let concepts = f64::midpoint(coverage.normalized, coverage.loose);
    let sufficiency = Sufficiency {
        candidates: candidates.len(),
        few_below: 1,
        concepts,
        facets: concepts,
        searched: searched_share(search, &gaps),
        agreement: if biased { (1.0 - bias.share) / (1.0 - threshold) } else { 1.0 },
    };
    let score = sufficiency.score();
    let mut next = Vec::new();
    if !gaps.is_empty() {
        next.push(Next::Scan);
    }
    if let Some(path) = bias.file.filter(|_| biased) {
        next.push(Next::FindWithout(path.clone()));
    }
    if next.is_empty() {
        let narrowed = !request.folder.is_empty() || !request.exclude.is_empty();
        if narrowed && score < SUFFICIENT {
            next.push(Next::FindEverywhere);
        } else if !candidates.is_empty() {
            next.push(Next::Coverage);
        }
    }
    let summary = FindSummary {
        files_searched: searched,
        candidates: candidates.len(),
        shown: 0,
        signal_coverage: coverage,
        file_bias_ratio: rounded(bias.share),
        gap_ranges_count: gaps.len(),
        sufficiency_score: score,
        unreadable_files: search.unreadable,
        cutoff_reason: search.cutoff_reason,
    };
    Judged { summary, candidates, gaps, next }
}

/// Without unwanted words first, then by how much of what is asked for they have, as written before loose, often
/// before seldom, and by place.
fn candidates(search: &Search) -> Vec<Candidate> {
    let mut found: Vec<(&SafePath, &Unit)> = Vec::new();
    for file in &search.files {
        let units = file.version.iter().flat_map(|it| &it.units);
        found.extend(units.filter(|unit| unit.concepts() > 0).map(|unit| (&file.path, unit)));
    }
    found.sort_by(|(path, a), (other, b)| {
        let order = |it: &Unit| (!it.unwanted, it.concepts(), it.heading, it.normal(), it.total());
        order(b).cmp(&order(a)).then_with(|| (path, a.span).cmp(&(other, b.span)))
    });
    let candidate = |(path, unit): (&SafePath, &Unit)| {
        let mut signals = Vec::new();
        signals.extend(unit.heading.then_some(Signal::Heading));
        signals.extend((unit.normal() > 0).then_some(Signal::Normalized));
        signals.extend((unit.total() > unit.normal()).then_some(Signal::Loose));
        Candidate { path: path.clone(), span: unit.span, signals, hit_count: unit.total() }
    };
    found.into_iter().map(candidate).collect()
}

fn gaps(file: &SearchedFile, gap_lines: u32) -> Vec<Span> {
    let Some(version) = &file.version else { return vec![Span::new(1, u32::MAX)] };
    let hits = version.units.iter().filter(|unit| unit.concepts() > 0).map(|unit| unit.span);
    let mut gaps = Vec::new();
    let mut last: Option<Span> = None;
    for span in hits {
        if let Some(last) = last {
            let between = Span::new(last.end_line + 1, span.start_line - 1);
            if (1..=gap_lines).contains(&between.count()) {
                gaps.push(between);
            }
        }
        last = Some(span);
    }
    gaps
}

fn coverage(search: &Search, terms: usize) -> SignalCoverage {
    let units: Vec<&Unit> =
        search.files.iter().flat_map(|file| &file.version).flat_map(|it| &it.units).collect();
    let share = |found: &dyn Fn(&(usize, usize)) -> bool| {
        let terms_found =
            (0..terms).filter(|term| units.iter().any(|it| found(&it.counts[*term]))).count();
        rounded(terms_found as f64 / terms.max(1) as f64)
    };
    SignalCoverage {
        normalized: share(&|(normal, _)| *normal > 0),
        loose: share(&|(normal, loose)| normal + loose > 0),
    }
}

/// The share of the lines that were searched and are in no gap. Lines of files that were not reached are not known:
/// each such file weighs as much as the mean of the others.
fn searched_share(search: &Search, gaps: &[(SafePath, Span)]) -> f64 {
    let versions = || search.files.iter().flat_map(|file| &file.version);
    let lines: u32 = versions().flat_map(|it| &it.units).map(|unit| unit.span.count()).sum();
    let reached = versions().count();
    let mean = f64::from(lines) / reached.max(1) as f64;
    let all = f64::from(lines) + mean * (search.files.len() - reached) as f64;
    let spans = gaps.iter().map(|(_, span)| *span);
    let between: Vec<Span> = spans.filter(|span| span.end_line != u32::MAX).collect();
    if all > 0.0 { (f64::from(lines) - f64::from(count(&between))) / all } else { 1.0 }
}
