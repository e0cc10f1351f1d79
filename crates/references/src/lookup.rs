//! Asking who knows the works of a list: by their names, many at once; then by title.

use std::collections::{BTreeMap, HashMap};

use fetch::Fetcher;
use sources::academic::{Academic, Scheme, WorkName};
use sources::apis::Apis;
use sources::{AskedBy, Candidate, Failure, Query};

/// The sources that are asked, by the names of their declarations.
pub(crate) const CROSSREF: &str = "crossref";
pub(crate) const EUROPE_PMC: &str = "europe_pmc";
pub(crate) const ARXIV: &str = "arxiv";
pub(crate) const REGISTER: &str = "doi";
/// Semantic Scholar and OpenAlex, asked together.
pub(crate) const INDEXES: &str = "indexes";
/// Those who know papers in Japanese.
const JAPANESE: [&str; 2] = ["cinii", "jstage"];

/// Works that are looked at for one title.
const FOR_A_TITLE: usize = 8;

/// What was found by names.
#[derive(Debug, Default)]
pub(crate) struct ByName {
    works: HashMap<WorkName, Vec<Candidate>>,
    /// Sources that did not answer for a name.
    unanswered: HashMap<WorkName, Vec<&'static str>>,
    /// Why a source did not answer, once for each.
    pub(crate) failures: BTreeMap<String, String>,
}

impl ByName {
    pub(crate) fn records(&self, name: &WorkName) -> Vec<Candidate> {
        self.works.get(name).cloned().unwrap_or_default()
    }

    pub(crate) fn is_answered(&self, name: &WorkName, source: &'static str) -> bool {
        !self.unanswered.get(name).is_some_and(|it| it.contains(&source))
    }

    pub(crate) fn add(&mut self, name: &WorkName, work: Candidate) {
        self.works.entry(name.clone()).or_default().push(work);
    }

    fn take(&mut self, source: &'static str, scheme: Scheme, found: sources::apis::LookedUp) {
        for work in found.works {
            let names = work.paper.iter().flat_map(|it| &it.identifiers);
            let name = names
                .filter(|it| it.0 == scheme.as_str())
                .map(|it| WorkName { scheme, value: it.1.clone() });
            for name in name.collect::<Vec<_>>() {
                self.works.entry(name).or_default().push(work.clone());
            }
        }
        for value in found.unanswered {
            self.unanswered.entry(WorkName { scheme, value }).or_default().push(source);
        }
        if let Some(failure) = found.failure {
            self.failures.insert(source.to_owned(), failure.to_string());
        }
    }
}

/// Who is asked, and how.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lookup<'a> {
    pub(crate) fetcher: &'a Fetcher,
    pub(crate) apis: &'a Apis,
    pub(crate) academic: &'a Academic,
    pub(crate) asked_by: AskedBy,
}

impl Lookup<'_> {
    /// Asks for all names at once, each source by itself.
    pub(crate) async fn by_name(&self, names: &[WorkName]) -> ByName {
        let of = |scheme: Scheme| -> Vec<String> {
            let own = names.iter().filter(|it| it.scheme == scheme);
            own.map(|it| it.value.clone()).collect()
        };
        let [dois, pmids, pmcids, arxiv] =
            [Scheme::Doi, Scheme::Pmid, Scheme::Pmcid, Scheme::Arxiv].map(of);
        let ask = async |source: &'static str, scheme: Scheme, names: &[String]| {
            let answer = match names {
                [] => sources::apis::LookedUp::default(),
                _ => {
                    let (fetcher, by) = (self.fetcher, self.asked_by);
                    self.apis.works_by_name(fetcher, source, scheme, names, by).await
                }
            };
            (source, scheme, answer)
        };
        let europe_pmc = async {
            [
                ask(EUROPE_PMC, Scheme::Doi, &dois).await,
                ask(EUROPE_PMC, Scheme::Pmid, &pmids).await,
                ask(EUROPE_PMC, Scheme::Pmcid, &pmcids).await,
            ]
        };
        let (crossref, europe_pmc, arxiv) = tokio::join!(
            ask(CROSSREF, Scheme::Doi, &dois),
            europe_pmc,
            ask(ARXIV, Scheme::Arxiv, &arxiv)
        );
        let mut found = ByName::default();
        for (source, scheme, answer) in [crossref].into_iter().chain(europe_pmc).chain([arxiv]) {
            found.take(source, scheme, answer);
        }
        found
    }

    /// What the register of DOIs knows; `None` where there is no such DOI.
    pub(crate) async fn registered(&self, doi: &str) -> Result<Option<Candidate>, Failure> {
        self.apis.work_by_doi(self.fetcher, REGISTER, doi, self.asked_by).await
    }

    pub(crate) async fn by_title(
        &self,
        source: &'static str,
        title: &str,
    ) -> Result<Vec<Candidate>, Failure> {
        if source == INDEXES {
            return self.in_indexes(title).await;
        }
        let (fetcher, by) = (self.fetcher, self.asked_by);
        self.apis.works_by_title(fetcher, source, title, FOR_A_TITLE, by).await
    }

    async fn in_indexes(&self, title: &str) -> Result<Vec<Candidate>, Failure> {
        let query = Query { text: title.to_owned(), limit: FOR_A_TITLE, ..Query::default() };
        let mut works = Vec::new();
        if text::words::is_japanese(title) {
            let names = JAPANESE.map(str::to_owned);
            let answers = self.apis.search(self.fetcher, &names, &query, self.asked_by).await;
            works.extend(answers.into_iter().flat_map(|it| it.records).map(|it| it.candidate));
        }
        let answer = self.academic.search(self.fetcher, &query, self.asked_by).await;
        works.extend(answer.works.into_iter().map(|it| it.candidate));
        let failed = answer.outcomes.iter().all(|it| it.failure.is_some());
        match answer.outcomes.into_iter().find_map(|it| it.failure) {
            Some(failure) if failed && works.is_empty() => Err(failure),
            _ => Ok(works),
        }
    }
}
