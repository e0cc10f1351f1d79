//! `vault_coverage`: what of a find has been read, and what has not.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::traces::TracedFile;
use super::{PAGE_TOKENS, Vault, hash_of};
use crate::answer::{fitting, is_zero, next_offset};
use crate::manuals::NextAction;
use crate::paths::SafePath;
use crate::sections::line_count;
use crate::spans::{Span, count, joined, without};
use crate::{Refusal, Result};

/// What `vault_coverage` is asked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CoverageRequest {
    pub trace_id: String,
    /// Only this file.
    pub path: Option<String>,
    /// Files that were seen already.
    pub offset: usize,
    pub limit: Option<usize>,
}

/// How far the reading after a find has come.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CoverageAnswer {
    pub summary: CoverageSummary,
    pub files: Vec<FileCoverage>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
    pub next_actions: Vec<NextAction>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CoverageSummary {
    pub files: usize,
    /// Lines that the find points at: candidates and gaps.
    pub lines: u32,
    pub lines_read: u32,
    /// 1 when everything the find points at has been read.
    pub coverage: f64,
}

/// One file of a find.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileCoverage {
    pub path: SafePath,
    /// Read for this find.
    pub read: Vec<Span>,
    /// Candidates, or parts of them, that were not read.
    pub open_candidates: Vec<Span>,
    /// The same for lines between candidates and lines that were not searched.
    pub open_gaps: Vec<Span>,
    /// Ranges that were too many to list here.
    #[serde(skip_serializing_if = "is_zero")]
    pub more_ranges: usize,
    /// Lines that the find does not point at and that were not read.
    pub other_lines: u32,
    /// The file is another one than was searched, or has gone.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub changed: bool,
}

/// Ranges of lines that one row lists, of each kind.
const ROW_RANGES: usize = 40;

impl Vault {
    /// Says which lines of a find have been read.
    pub fn coverage(&self, request: &CoverageRequest) -> Result<CoverageAnswer> {
        let limit = self.page_rows(request.limit)?;
        let only = request.path.as_deref().map(SafePath::file).transpose()?;
        let trace = self.trace(&request.trace_id)?;
        let mut summary = CoverageSummary { files: 0, lines: 0, lines_read: 0, coverage: 1.0 };
        let mut files = Vec::new();
        for file in trace.files {
            let path = SafePath::file(&file.path)?;
            if only.as_ref().is_none_or(|it| *it == path) {
                let (asked, open, file) = self.file_coverage(path, &file)?;
                summary.files += 1;
                summary.lines += asked;
                summary.lines_read += asked - open;
                files.push(file);
            }
        }
        if let Some(path) = only.filter(|_| files.is_empty()) {
            return Err(Refusal::NotFound
                .because(format!("{path} is not in what {} found", request.trace_id)));
        }
        if summary.lines > 0 {
            let share = f64::from(summary.lines_read) / f64::from(summary.lines);
            summary.coverage = (share * 1_000.0).floor() / 1_000.0;
        }
        let next = next_action(&request.trace_id, &files);
        let total = files.len();
        let page = files.into_iter().skip(request.offset).take(limit);
        let files = fitting(page.map(|row| row.shortened(ROW_RANGES)), PAGE_TOKENS);
        Ok(CoverageAnswer {
            summary,
            next_offset: next_offset(request.offset, files.len(), total),
            files,
            next_actions: next.into_iter().collect(),
        })
    }

    /// How many lines are asked for, how many of them are open, and which.
    fn file_coverage(&self, path: SafePath, file: &TracedFile) -> Result<(u32, u32, FileCoverage)> {
        let (total, changed) = match self.load(&path) {
            Ok((_, text)) => {
                let same = file.hash.as_ref().is_none_or(|it| *it == hash_of(&text));
                (line_count(&text), !same)
            }
            Err(error) if error.refusal() == Some(Refusal::NotFound) => (0, true),
            Err(error) => return Err(error),
        };
        let whole = Span::new(1, total);
        let inside = |spans: &[Span]| {
            joined(spans.iter().filter_map(|it| it.overlap(whole)).collect::<Vec<_>>())
        };
        let read = inside(&file.returned);
        let open = |spans: &[Span]| -> Vec<Span> {
            inside(spans).into_iter().flat_map(|it| without(it, &read)).collect()
        };
        let asked = inside(&[&file.candidates[..], &file.gaps[..]].concat());
        let open_lines: u32 = asked.iter().map(|it| count(&without(*it, &read))).sum();
        let touched = joined([&asked[..], &read[..]].concat());
        let coverage = FileCoverage {
            open_candidates: open(&file.candidates),
            open_gaps: open(&file.gaps),
            more_ranges: 0,
            other_lines: total - count(&touched),
            read,
            changed,
            path,
        };
        Ok((count(&asked), open_lines, coverage))
    }
}

impl FileCoverage {
    fn shortened(mut self, most: usize) -> Self {
        for ranges in [&mut self.read, &mut self.open_candidates, &mut self.open_gaps] {
            self.more_ranges += ranges.len().saturating_sub(most);
            ranges.truncate(most);
        }
        self
    }
}

/// Candidates first, then gaps; nothing where all of it has been read.
fn next_action(trace_id: &str, files: &[FileCoverage]) -> Option<NextAction> {
    let candidate = files.iter().find_map(|it| Some((&it.path, *it.open_candidates.first()?)));
    if let Some((path, Span { start_line, end_line })) = candidate {
        let params = json!({
            "path": path, "start_line": start_line, "end_line": end_line, "trace_id": trace_id
        });
        return Some(NextAction::new("vault_read", params));
    }
    let is_open = files.iter().any(|it| !it.open_gaps.is_empty());
    is_open.then(|| NextAction::new("vault_scan", json!({"trace_id": trace_id})))
}
