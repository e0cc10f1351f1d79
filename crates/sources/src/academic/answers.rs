//! Asking both indexes, in parallel, within bounds.

use fetch::Fetcher;
use serde::Serialize;

use crate::asking::AskedBy;
use crate::candidate::{Candidate, Paper};
use crate::canonical::{self, Canonical, LikenessSettings};
use crate::outcome::SourceOutcome;
use crate::query::Query;

use super::one_index::{Asking, BY_OPENALEX, BY_SEMANTIC_SCHOLAR, name_for, other_name};
use super::phrasing::{Phrasing, fits};
use super::settings::AcademicSettings;
use super::work_name::{Scheme, WorkName};
use super::{openalex, semantic_scholar};

/// The two academic indexes.
#[derive(Debug, Clone, Default)]
pub struct Academic {
    settings: AcademicSettings,
    likeness: LikenessSettings,
}

/// Works, and the outcome of asking each index.
#[derive(Debug, Clone, Serialize)]
pub struct AcademicAnswer {
    pub works: Vec<Canonical>,
    pub outcomes: Vec<SourceOutcome>,
}

impl Academic {
    pub fn new(settings: AcademicSettings, likeness: LikenessSettings) -> Self {
        Self { settings, likeness }
    }

    pub fn settings(&self) -> &AcademicSettings {
        &self.settings
    }

    /// Where its indexes are asked.
    pub fn addresses() -> [&'static str; 2] {
        [semantic_scholar::BASE, openalex::BASE]
    }

    /// Looks for works.
    pub async fn search(
        &self,
        fetcher: &Fetcher,
        query: &Query,
        asked_by: AskedBy,
    ) -> AcademicAnswer {
        let phrasing = Phrasing::of(query);
        let wanted = match query.limit {
            0 => self.settings.default_results,
            limit => limit,
        };
        let wanted = wanted.clamp(1, self.settings.max_results.max(1));
        let (mut first, mut second) = self.askings(fetcher, asked_by);
        let (one, other) = tokio::join!(
            async {
                first.may_be_asked(!phrasing.semantic_scholar.is_empty())?;
                let request = semantic_scholar::Request::Search {
                    text: phrasing.semantic_scholar.clone(),
                    dates: phrasing.dates.clone(),
                    offset: 0,
                    limit: wanted,
                };
                first.semantic_scholar(request, wanted).await
            },
            async {
                second.may_be_asked(!phrasing.semantic_scholar.is_empty())?;
                let request = openalex::Request::Search {
                    text: phrasing.openalex.clone(),
                    filters: phrasing.filters.clone(),
                    page: 1,
                    limit: wanted,
                };
                second.openalex(request, wanted).await
            },
        );
        for asking in [&mut first, &mut second] {
            asking.found.retain(|it| fits(it, query));
            asking.outcome.notes.splice(0..0, phrasing.notes.iter().cloned());
        }
        self.answer([first.ended(one), second.ended(other)])
    }

    /// What a paper cites.
    pub async fn references(
        &self,
        fetcher: &Fetcher,
        paper: &Paper,
        asked_by: AskedBy,
    ) -> AcademicAnswer {
        let (mut first, mut second) = self.askings(fetcher, asked_by);
        let (one, other) = tokio::join!(
            async {
                first.may_be_asked(true)?;
                let of = name_for(paper, BY_SEMANTIC_SCHOLAR)?;
                let limit = self.settings.max_references;
                let request = semantic_scholar::Request::References { of, offset: 0, limit };
                first.semantic_scholar(request, limit).await
            },
            async {
                second.may_be_asked(true)?;
                let of = name_for(paper, BY_OPENALEX)?;
                let body =
                    second.body(openalex::Request::Work(of).fetch_request(&self.settings)).await?;
                let max = self.settings.max_by_identifier;
                let (names, all) = openalex::references(&body, max)?;
                second.outcome.total = Some(all as u64);
                if all > names.len() {
                    let note = format!("{} of its {all} references are asked for", names.len());
                    second.outcome.notes.push(note);
                }
                second.openalex_batches(Scheme::OpenAlex, &names).await
            },
        );
        self.answer([first.ended(one), second.ended(other)])
    }

    /// What cites a paper.
    pub async fn citations(
        &self,
        fetcher: &Fetcher,
        paper: &Paper,
        asked_by: AskedBy,
    ) -> AcademicAnswer {
        let limit = self.settings.max_citations;
        let (mut first, mut second) = self.askings(fetcher, asked_by);
        let (one, other) = tokio::join!(
            async {
                first.may_be_asked(true)?;
                let of = name_for(paper, BY_SEMANTIC_SCHOLAR)?;
                let request = semantic_scholar::Request::Citations { of, offset: 0, limit };
                first.semantic_scholar(request, limit).await
            },
            async {
                second.may_be_asked(true)?;
                let of = second.openalex_id(paper).await?;
                let request = openalex::Request::Citations { of, page: 1, limit };
                second.openalex(request, limit).await
            },
        );
        self.answer([first.ended(one), second.ended(other)])
    }

    /// The work that goes by a name. What one index learns about other names, the other is asked with: so a PMID
    /// becomes a DOI. At most two requests to each index.
    pub async fn resolve(
        &self,
        fetcher: &Fetcher,
        name: &WorkName,
        asked_by: AskedBy,
    ) -> AcademicAnswer {
        let (mut first, mut second) = self.askings(fetcher, asked_by);
        let (one, other) =
            tokio::join!(first.semantic_scholar_by_name(name), second.openalex_by_name(name),);
        let (mut first, mut second) = (first.ended(one), second.ended(other));
        if let Some(of) = other_name(&first, &second, name, BY_OPENALEX) {
            let other = second.openalex_by_name(&of).await;
            second = second.ended(other);
        } else if let Some(of) = other_name(&second, &first, name, BY_SEMANTIC_SCHOLAR) {
            let one = first.semantic_scholar_by_name(&of).await;
            first = first.ended(one);
        }
        self.answer([first, second])
    }

    /// Fills in what is missing: the DOIs of works that have none from Semantic Scholar, abstracts from OpenAlex. Up
    /// to `max_by_identifier` works at each, in batches.
    pub async fn complete(
        &self,
        fetcher: &Fetcher,
        works: Vec<Canonical>,
        asked_by: AskedBy,
    ) -> AcademicAnswer {
        let max = self.settings.max_by_identifier;
        let papers = |index: &'static str| {
            let unknown = move |work: &&Canonical| work.records.iter().all(|it| it.engine != index);
            works.iter().filter(unknown).filter_map(|it| it.candidate.paper.as_ref())
        };
        let without_doi: Vec<WorkName> = papers(semantic_scholar::NAME)
            .filter(|it| it.identifier("doi").is_none())
            .filter_map(|it| name_for(it, BY_SEMANTIC_SCHOLAR).ok())
            .take(max)
            .collect();
        let without_abstract: Vec<WorkName> = papers(openalex::NAME)
            .filter(|it| it.abstract_text.is_none())
            .filter_map(|it| WorkName::of(Scheme::Doi, it.identifier("doi")?))
            .filter(|it| openalex::can_be_listed(&it.value))
            .take(max)
            .collect();
        let (mut first, mut second) = self.askings(fetcher, asked_by);
        let (one, other) = tokio::join!(
            async {
                first.may_be_asked(true)?;
                for names in without_doi.chunks(self.settings.batch.max(1)) {
                    let request = semantic_scholar::Request::Batch(names.to_vec());
                    first.semantic_scholar(request, names.len()).await?;
                }
                Ok(())
            },
            async {
                second.may_be_asked(true)?;
                second.openalex_batches(Scheme::Doi, &without_abstract).await
            },
        );
        let (first, second) = (first.ended(one), second.ended(other));
        let outcomes = vec![first.outcome, second.outcome];
        // What completes a work is not a find of its own: it must not move the work up the list.
        let last = works.iter().map(|it| it.candidate.rank).max().unwrap_or(0);
        let mut records: Vec<Candidate> = works.into_iter().flat_map(|it| it.records).collect();
        for mut record in first.found.into_iter().chain(second.found) {
            record.rank = record.rank.saturating_add(last);
            records.push(record);
        }
        AcademicAnswer { works: canonical::merge(records, &self.likeness), outcomes }
    }

    /// The works with what other sources list: records of one work become one entry.
    pub(crate) fn with_others(
        &self,
        works: Vec<Canonical>,
        others: Vec<Candidate>,
    ) -> Vec<Canonical> {
        let known = works.into_iter().flat_map(|it| it.records);
        canonical::merge(known.chain(others).collect(), &self.likeness)
    }

    fn askings<'a>(&'a self, fetcher: &'a Fetcher, asked_by: AskedBy) -> (Asking<'a>, Asking<'a>) {
        let asking = |name, enabled| Asking {
            settings: &self.settings,
            fetcher,
            asked_by,
            enabled,
            outcome: SourceOutcome::new(name),
            found: Vec::new(),
        };
        (
            asking(semantic_scholar::NAME, self.settings.semantic_scholar.enabled),
            asking(openalex::NAME, self.settings.openalex.enabled),
        )
    }

    fn answer(&self, askings: [Asking<'_>; 2]) -> AcademicAnswer {
        let mut records = Vec::new();
        let mut outcomes = Vec::new();
        for asking in askings {
            records.extend(asking.found);
            outcomes.push(asking.outcome);
        }
        AcademicAnswer { works: canonical::merge(records, &self.likeness), outcomes }
    }
}
