//! Stage 1.5: what the candidates of a find say together.
//!
//! `sufficiency_score = 0.6 * found + 0.2 * balance + 0.2 * looked`, and 0 without candidates, where
//! - `found` is the mean of both signal coverages, so what is there only loosely counts half;
//! - `balance` is 1, and falls to 0 as the share of one file grows from the threshold to everything;
//! - `looked` is the share of the lines that were searched and stand in no gap.

use serde::Serialize;
use serde_json::json;

use super::{Candidate, FindLimits, FindRequest, Search, Searched, Signal};
use crate::manuals::NextAction;
use crate::paths::SafePath;
use crate::spans::{Span, count};
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

pub(super) fn judge(
    search: &Search,
    terms: usize,
    request: &FindRequest,
    limits: &FindLimits,
) -> Judged {
    let candidates = candidates(search);
    let gaps: Vec<(SafePath, Span)> = search
        .files
        .iter()
        .flat_map(|file| gaps(file, limits).into_iter().map(|it| (file.path.clone(), it)))
        .collect();
    let coverage = coverage(search, terms);
    let (bias, largest) = bias(&candidates);
    let searched = search.files.iter().filter(|it| it.version.is_some()).count();
    let biased =
        searched > 1 && candidates.len() >= limits.bias_candidates && bias >= limits.file_bias;
    let score = match candidates.is_empty() {
        true => 0.0,
        false => {
            let found = f64::midpoint(coverage.normalized, coverage.loose);
            let balance =
                if biased { (1.0 - bias) / (1.0 - limits.file_bias).max(0.01) } else { 1.0 };
            0.6 * found + 0.2 * balance.clamp(0.0, 1.0) + 0.2 * looked(search, &gaps)
        }
    };
    let mut next = Vec::new();
    if !gaps.is_empty() {
        next.push(Next::Scan);
    }
    if let Some(path) = largest.filter(|_| biased) {
        next.push(Next::FindWithout(path));
    }
    if next.is_empty() {
        let narrowed = !request.folder.is_empty() || !request.exclude.is_empty();
        if narrowed && score < limits.sufficient {
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
        file_bias_ratio: rounded(bias),
        gap_ranges_count: gaps.len(),
        sufficiency_score: rounded(score),
        unreadable_files: search.unreadable,
        cutoff_reason: search.cutoff_reason,
    };
    Judged { summary, candidates, gaps, next }
}

/// Those without unwanted words first, of these those with most of what is asked for, then as written before loose, then often before seldom; then by place.
fn candidates(search: &Search) -> Vec<Candidate> {
    let mut found: Vec<(&SafePath, &Unit)> = Vec::new();
    for file in &search.files {
        let units = file.version.iter().flat_map(|it| &it.units);
        found.extend(units.filter(|it| it.concepts() > 0).map(|it| (&file.path, it)));
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

fn gaps(file: &Searched, limits: &FindLimits) -> Vec<Span> {
    let Some(version) = &file.version else { return vec![Span::new(1, u32::MAX)] };
    let hits = version.units.iter().filter(|it| it.concepts() > 0).map(|it| it.span);
    let mut gaps = Vec::new();
    let mut last: Option<Span> = None;
    for span in hits {
        if let Some(last) = last {
            let between = Span::new(last.end_line + 1, span.start_line - 1);
            if (1..=limits.gap_lines).contains(&between.count()) {
                gaps.push(between);
            }
        }
        last = Some(span);
    }
    gaps
}

fn coverage(search: &Search, terms: usize) -> SignalCoverage {
    let units: Vec<&Unit> =
        search.files.iter().flat_map(|it| &it.version).flat_map(|it| &it.units).collect();
    let share = |found: &dyn Fn(&(usize, usize)) -> bool| {
        let terms_found =
            (0..terms).filter(|term| units.iter().any(|it| found(&it.counts[*term]))).count();
        rounded(terms_found as f64 / terms.max(1) as f64)
    };
    SignalCoverage { normalized: share(&|it| it.0 > 0), loose: share(&|it| it.0 + it.1 > 0) }
}

fn bias(candidates: &[Candidate]) -> (f64, Option<SafePath>) {
    let mut paths: Vec<&SafePath> = candidates.iter().map(|it| &it.path).collect();
    paths.sort_unstable();
    let largest = paths.chunk_by(|a, b| a == b).max_by_key(|it| it.len());
    match largest {
        None => (0.0, None),
        Some(largest) => (largest.len() as f64 / candidates.len() as f64, Some(largest[0].clone())),
    }
}

/// Files that the search did not come to have lines nobody counted: they weigh as much as the mean of the others.
fn looked(search: &Search, gaps: &[(SafePath, Span)]) -> f64 {
    let mut lines = 0;
    let mut searched = 0_u32;
    for file in search.files.iter().flat_map(|it| &it.version) {
        lines += file.units.iter().map(|it| it.span.count()).sum::<u32>();
        searched += 1;
    }
    let missed = u32::try_from(search.files.len()).unwrap_or(u32::MAX) - searched;
    let mean = f64::from(lines) / f64::from(searched.max(1));
    let between: Vec<Span> =
        gaps.iter().map(|it| it.1).filter(|it| it.end_line != u32::MAX).collect();
    let all = f64::from(lines) + mean * f64::from(missed);
    match all > 0.0 {
        true => (f64::from(lines) - f64::from(count(&between))) / all,
        false => 1.0,
    }
}

fn rounded(share: f64) -> f64 {
    (share * 1_000.0).round() / 1_000.0
}

pub(crate) fn is_zero(number: &usize) -> bool {
    *number == 0
}
