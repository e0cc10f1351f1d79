//! `vault_find`: where in the vault something is, as paths and lines; no text.
//!
//! Stage 0 looks for the words as they are written, stage 1 without spaces and separators, stage 1.5 puts both
//! together and says how sure one can be that nothing was missed.

mod judge;

use std::collections::BTreeMap;
use std::sync::PoisonError;

use serde::{Deserialize, Serialize};

pub(super) use self::judge::is_zero;
pub use self::judge::{FindSummary, SignalCoverage};
use self::judge::{Judged, judge};
use super::files::files;
use super::ls::CUT_FILES;
use super::place::Root;
use super::traces::{Trace, TracedFile};
use super::units::{Unit, units};
use super::{Vault, hash_of, read_text};
use crate::manuals::{DictionaryCache, NextAction, Senses, parse, tokens};
use crate::paths::SafePath;
use crate::spans::Span;
use crate::{Refusal, Result};

/// What `vault_find` is asked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FindRequest {
    pub query: String,
    /// Only files below it.
    pub folder: String,
    /// Files to leave out.
    pub exclude: Vec<String>,
    pub limit: Option<usize>,
}

/// How far a find goes and how much it answers.
#[derive(Debug, Clone, PartialEq)]
pub struct FindLimits {
    /// Candidates in the answer, and the most that may be asked for; `vault_coverage` has them all.
    pub candidates: usize,
    pub candidates_most: usize,
    /// Of the whole answer.
    pub answer_tokens: usize,
    /// A longer section is cut into several candidates.
    pub candidate_lines: u32,
    /// Text that is searched; files after it are gaps.
    pub bytes: usize,
    /// Lines between two candidates of one file are a gap if they are no more than this: what stands
    /// between two passages about something is probably about it too, in other words.
    pub gap_lines: u32,
    /// From this share of the candidates in one file on, the find is one-sided.
    pub file_bias: f64,
    /// With fewer candidates nothing can be said about that.
    pub bias_candidates: usize,
    /// From this score on nothing more needs to be looked for.
    pub sufficient: f64,
    pub query_chars: usize,
}

impl Default for FindLimits {
    fn default() -> Self {
        Self {
            candidates: 10,
            candidates_most: 20,
            answer_tokens: 400,
            candidate_lines: 60,
            bytes: 64 * 1024 * 1024,
            gap_lines: 40,
            file_bias: 0.8,
            bias_candidates: 5,
            sufficient: 0.8,
            query_chars: 500,
        }
    }
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FindAnswer {
    /// For `vault_read`, `vault_scan` and `vault_coverage`.
    pub trace_id: String,
    pub summary: FindSummary,
    /// The best first.
    pub candidates: Vec<Candidate>,
    pub next_actions: Vec<NextAction>,
}

/// A part of a file with something in it that was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Candidate {
    pub path: SafePath,
    #[serde(flatten)]
    pub span: Span,
    pub signals: Vec<Signal>,
    pub hit_count: usize,
}

/// How a candidate was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Signal {
    Heading,
    Normalized,
    Loose,
}

/// A file as the search saw it.
pub(crate) struct Searched {
    pub(crate) path: SafePath,
    /// `None` where the search did not come to it.
    pub(crate) version: Option<Version>,
}

pub(crate) struct Version {
    pub(crate) hash: String,
    pub(crate) units: Vec<Unit>,
}

/// All files that were to be searched.
#[derive(Default)]
pub(crate) struct Search {
    pub(crate) files: Vec<Searched>,
    pub(crate) unreadable: usize,
    pub(crate) cutoff_reason: Option<&'static str>,
}

impl Vault {
    /// Finds every part of the vault that has something the query asks for.
    pub fn find(&self, request: &FindRequest) -> Result<FindAnswer> {
        let limits = &self.options.find;
        let limit = match request.limit.unwrap_or(limits.candidates) {
            limit if (1..=limits.candidates_most).contains(&limit) => limit,
            limit => {
                return Err(Refusal::InvalidParameter.because(format!(
                    "limit {limit} is not between 1 and {}",
                    limits.candidates_most
                )));
            }
        };
        let senses = self.senses(&request.query)?;
        let folder = SafePath::folder(&request.folder, &self.options.paths)?;
        let exclude: Vec<SafePath> =
            request.exclude.iter().map(|it| self.file_path(it)).collect::<Result<_>>()?;
        let search = self.with_root(|root| match root {
            Some(root) => self.search(root, &folder, &exclude, &senses),
            None => Ok(Search::default()),
        })?;
        let Judged { mut summary, candidates, gaps, next } =
            judge(&search, senses.parts.len(), request, limits);
        let trace_id = self.keep_trace(&trace(&search, &candidates, &gaps))?;
        summary.candidates = candidates.len();
        let mut answer = FindAnswer {
            next_actions: next.into_iter().map(|it| it.named(&trace_id, request)).collect(),
            trace_id,
            summary,
            candidates: candidates.into_iter().take(limit).collect(),
        };
        // Long paths: fewer candidates, never a longer answer.
        while answer.candidates.len() > 1 && answer.tokens() > limits.answer_tokens {
            answer.candidates.pop();
        }
        answer.summary.shown = answer.candidates.len();
        Ok(answer)
    }

    /// The words of a request, read by the rules of the manuals but without synonyms.
    fn senses(&self, query: &str) -> Result<Senses> {
        let most = self.options.find.query_chars;
        if query.chars().count() > most {
            let problem = format!("the query has more than {most} characters");
            return Err(Refusal::InvalidParameter.because(problem));
        }
        let words = self.cache.lock().unwrap_or_else(PoisonError::into_inner).fresh().query;
        // Words of the user that cannot be read do not take the others away.
        let words = words.or_else(|_| DictionaryCache::new(None).fresh().query);
        let words = words.map_err(|it| Refusal::InvalidParameter.because(it))?;
        let senses = Senses::new(&parse(query, &words, None));
        match senses.parts.len() {
            0 => {
                let problem = "the query has nothing to look for";
                Err(Refusal::InvalidParameter.because(problem.to_owned()))
            }
            _ => Ok(senses),
        }
    }

    fn search(
        &self,
        root: &Root<'_>,
        folder: &SafePath,
        exclude: &[SafePath],
        senses: &Senses,
    ) -> Result<Search> {
        let listed = files(root, folder, self.options.files)?;
        let mut search =
            Search { cutoff_reason: listed.cut.then_some(CUT_FILES), ..Search::default() };
        let mut left = self.options.find.bytes;
        for path in listed.paths.into_iter().filter(|it| !exclude.contains(it)) {
            let place = root.place(&path)?;
            if !place.exists {
                continue;
            }
            if left == 0 {
                search.cutoff_reason = Some("max_bytes");
                search.files.push(Searched { path, version: None });
                continue;
            }
            let most_lines = self.options.find.candidate_lines;
            let text = read_text(&place, self.options.file_bytes).ok();
            let found = text.and_then(|it| Some((units(&path, &it, senses, most_lines)?, it)));
            let Some((units, text)) = found else {
                search.unreadable += 1;
                continue;
            };
            left = left.saturating_sub(text.len());
            let version = Some(Version { hash: hash_of(&text), units });
            search.files.push(Searched { path, version });
        }
        Ok(search)
    }
}

fn trace(search: &Search, candidates: &[Candidate], gaps: &[(SafePath, Span)]) -> Trace {
    let mut files: BTreeMap<&SafePath, (Vec<Span>, Vec<Span>)> = BTreeMap::new();
    for it in candidates {
        files.entry(&it.path).or_default().0.push(it.span);
    }
    for (path, span) in gaps {
        files.entry(path).or_default().1.push(*span);
    }
    let file = |it: &Searched| {
        let (mut candidates, gaps) = files.remove(&it.path)?;
        candidates.sort_unstable();
        let hash = it.version.as_ref().map(|it| it.hash.clone());
        let returned = Vec::new();
        Some(TracedFile { path: it.path.to_string(), hash, candidates, gaps, returned })
    };
    Trace { files: search.files.iter().filter_map(file).collect() }
}

impl FindAnswer {
    fn tokens(&self) -> usize {
        serde_json::to_string(self).map_or(0, |it| tokens(&it))
    }
}
