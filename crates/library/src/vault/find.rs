//! `vault_find`: where in the vault something is, as paths and lines; no text.
//!
//! Stage 0 looks for the words as they are written, stage 1 without spaces and separators, stage 1.5 puts both
//! together and says how sure one can be that nothing was missed.

mod judge;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::PoisonError;

use serde::{Deserialize, Serialize};

pub use self::judge::{FindSummary, SignalCoverage};
use self::judge::{Judged, judge};
use super::Vault;
use super::resolve::Root;
use super::traces::{Trace, TracedFile};
use super::units::{Unit, units};
use crate::answer::{tokens, within};
use crate::manuals::{DictionaryCache, NextAction, Senses, Signal, parse};
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

/// Candidates in an answer, and the most that may be asked for; `vault_coverage` has them all.
const CANDIDATES: usize = 10;
const MAX_CANDIDATES: usize = 20;
const ANSWER_TOKENS: usize = 400;
/// Bytes of text that are searched; files after them are gaps.
const SEARCHED_BYTES: usize = 64 << 20;

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
    /// Of [`Signal`] only those of a heading, as written, and loose.
    pub signals: Vec<Signal>,
    pub hit_count: usize,
}

/// A file as the search saw it.
pub(crate) struct SearchedFile {
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
    pub(crate) files: Vec<SearchedFile>,
    pub(crate) unreadable: usize,
    pub(crate) cutoff_reason: Option<&'static str>,
}

impl Vault {
    /// Finds every part of the vault that has something the query asks for.
    pub fn find(&self, request: &FindRequest) -> Result<FindAnswer> {
        let limit = within("limit", request.limit, CANDIDATES, MAX_CANDIDATES)?;
        let senses = self.senses(&request.query)?;
        let folder = SafePath::folder(&request.folder)?;
        let exclude: Vec<SafePath> =
            request.exclude.iter().map(|path| SafePath::file(path)).collect::<Result<_>>()?;
        let search = self.with_root(|root| match root {
            Some(root) => self.search(root, &folder, &exclude, &senses),
            None => Ok(Search::default()),
        })?;
        let Judged { mut summary, candidates, gaps, next } =
            judge(&search, senses.parts.len(), request, self.settings.vault_gap_lines);
        let trace_id = self.keep_trace(&trace(&search, &candidates, &gaps))?;
        summary.candidates = candidates.len();
        let mut answer = FindAnswer {
            next_actions: next.into_iter().map(|it| it.named(&trace_id, request)).collect(),
            trace_id,
            summary,
            candidates: candidates.into_iter().take(limit).collect(),
        };
        // Long paths: fewer candidates, never a longer answer.
        while answer.candidates.len() > 1 && tokens(&answer) > ANSWER_TOKENS {
            answer.candidates.pop();
        }
        answer.summary.shown = answer.candidates.len();
        Ok(answer)
    }

    /// The words of a request, read by the rules of the manuals but without synonyms.
    fn senses(&self, query: &str) -> Result<Senses> {
        let most = self.settings.max_query_chars;
        if query.chars().count() > most {
            let problem = format!("the query has more than {most} characters");
            return Err(Refusal::InvalidParameter.because(problem));
        }
        let words = self.dictionaries.lock().unwrap_or_else(PoisonError::into_inner).fresh().query;
        // Words of the user that cannot be read do not take the others away.
        let words = words.or_else(|_| DictionaryCache::new(None).fresh().query);
        let words = words.map_err(|it| Refusal::InvalidParameter.because(it))?;
        let senses = Senses::new(&parse(query, &words, None));
        if senses.parts.is_empty() {
            return Err(Refusal::InvalidParameter.because("the query has nothing to look for"));
        }
        Ok(senses)
    }

    fn search(
        &self,
        root: &Root<'_>,
        folder: &SafePath,
        exclude: &[SafePath],
        senses: &Senses,
    ) -> Result<Search> {
        let listing = self.list(root, folder)?;
        let mut search = Search { cutoff_reason: listing.cutoff_reason, ..Search::default() };
        let mut left = self.settings.max_bytes_scanned.min(SEARCHED_BYTES) as u64;
        let (mut reached, mut unreached) = (Vec::new(), Vec::new());
        for (path, stamp) in listing.files {
            if exclude.contains(&path) {
                continue;
            }
            if left == 0 {
                unreached.push(SearchedFile { path, version: None });
            } else {
                left = left.saturating_sub(stamp.size());
                reached.push((PathBuf::from(path.as_str()), stamp));
            }
        }
        let mut index = self.index.lock().unwrap_or_else(PoisonError::into_inner);
        let refreshed = index.refresh(reached, |path, _| self.index_file(root, path), &|_, _| {});
        search.unreadable = refreshed.missed.len();
        for (path, file) in index.iter() {
            let path = SafePath::file(&path.to_string_lossy())?;
            let version = Some(Version { hash: file.hash.clone(), units: units(file, senses) });
            search.files.push(SearchedFile { path, version });
        }
        search.files.sort_unstable_by(|one, other| one.path.cmp(&other.path));
        if !unreached.is_empty() {
            search.cutoff_reason = Some("max_bytes");
            search.files.append(&mut unreached);
        }
        Ok(search)
    }
}

fn trace(search: &Search, candidates: &[Candidate], gaps: &[(SafePath, Span)]) -> Trace {
    let mut files: BTreeMap<&SafePath, (Vec<Span>, Vec<Span>)> = BTreeMap::new();
    for candidate in candidates {
        files.entry(&candidate.path).or_default().0.push(candidate.span);
    }
    for (path, span) in gaps {
        files.entry(path).or_default().1.push(*span);
    }
    let traced = |file: &SearchedFile| {
        let (mut candidates, gaps) = files.remove(&file.path)?;
        candidates.sort_unstable();
        let hash = file.version.as_ref().map(|version| version.hash.clone());
        let returned = Vec::new();
        Some(TracedFile { path: file.path.to_string(), hash, candidates, gaps, returned })
    };
    Trace { files: search.files.iter().filter_map(traced).collect() }
}
