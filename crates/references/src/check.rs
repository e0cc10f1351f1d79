//! Each reference, looked up and compared.

use std::collections::BTreeMap;

use fetch::Fetcher;
use graph::Graph;
use serde::Serialize;
use sources::academic::{Academic, Scheme, WorkName};
use sources::apis::Apis;
use sources::{AskedBy, Candidate, Failure};

use crate::compare::{Compared, TitleMatch};
use crate::known::{Known, merged};
use crate::lookup::{ARXIV, ByName, CROSSREF, EUROPE_PMC, INDEXES, Lookup, REGISTER};
use crate::reference::{Kind, Reference};

/// Characters of an entry that are asked for as a title.
const LONGEST_TITLE: usize = 300;

/// What became of a reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The work exists, and is what the reference says.
    Fits,
    /// The work exists, and something of it is given wrongly.
    Differs,
    /// The work was withdrawn.
    Retracted,
    /// None of those asked knows such a work.
    NotFound,
    /// Nobody could say.
    NotChecked,
}

/// What a reference gives otherwise than its work has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "what")]
pub enum Difference {
    Title {
        found: String,
    },
    /// Authors that the work does not have.
    Authors {
        unknown: Vec<String>,
        found: Vec<String>,
    },
    Year {
        given: i32,
        found: i32,
    },
    /// There is no such DOI.
    NoSuchDoi {
        given: String,
    },
    /// The DOI is another work's.
    DoiOfAnother {
        given: String,
        of: String,
    },
}

/// Why a reference was not checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "why")]
pub enum Unchecked {
    /// Sources that would know did not answer.
    NoAnswer { from: BTreeMap<String, String> },
    /// It is a page or a book, which indexes of papers do not list.
    NotListed { kind: Kind },
    /// It names nothing to look for.
    NothingToLookFor,
    /// Lyra is offline, and nothing on this machine knows it.
    Offline,
    /// There is such a DOI, and its register says nothing about it.
    Undescribed,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Checked {
    pub status: Status,
    pub differences: Vec<Difference>,
    pub found: Option<Known>,
    pub unchecked: Option<Unchecked>,
}

/// How far a check is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    pub done: usize,
    pub of: usize,
}

/// Where references are looked up.
#[derive(Debug)]
pub struct Checker<'a> {
    pub fetcher: &'a Fetcher,
    pub apis: &'a Apis,
    pub academic: &'a Academic,
    /// Works that earlier searches have found.
    pub graph: &'a Graph,
    pub asked_by: AskedBy,
}

impl Checker<'_> {
    /// Checks all references. The answers come in their order.
    pub async fn check(
        &self,
        references: &[Reference],
        mut tell: impl FnMut(Progress),
    ) -> graph::Result<Vec<Checked>> {
        let lookup = Lookup {
            fetcher: self.fetcher,
            apis: self.apis,
            academic: self.academic,
            asked_by: self.asked_by,
        };
        let mut names: Vec<WorkName> = Vec::new();
        for name in references.iter().flat_map(|it| &it.names) {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        let mut by_name = lookup.by_name(&names).await;
        for name in &names {
            for work in self.of_earlier(name)? {
                by_name.add(name, work);
            }
        }
        let mut checked = Vec::new();
        for (done, reference) in references.iter().enumerate() {
            tell(Progress { done, of: references.len() });
            checked.push(self.one(&lookup, &by_name, reference).await);
        }
        Ok(checked)
    }

    /// What earlier searches noted of a work.
    fn of_earlier(&self, name: &WorkName) -> graph::Result<Vec<Candidate>> {
        let known = self.graph.read(|r| r.work_named(name.scheme.as_str(), &name.value))?;
        Ok(known.and_then(|it| candidate_of(name, it)).into_iter().collect())
    }

    async fn one(&self, lookup: &Lookup<'_>, by_name: &ByName, reference: &Reference) -> Checked {
        let mut looked = Looked::default();
        let mut differences = Vec::new();
        for name in &reference.names {
            let mut records = by_name.records(name);
            if records.is_empty() {
                looked.named(lookup, by_name, name, &mut records, &mut differences).await;
            }
            let Some((work, sources)) = merged(records) else { continue };
            let compared = Compared::of(reference, &work);
            if !compared.is_another() {
                return ended(reference, work, sources, &compared, differences);
            }
            differences
                .push(Difference::DoiOfAnother { given: name.value.clone(), of: work.title });
        }
        if reference.says_something()
            && let Some((work, sources, compared)) = looked.titled(lookup, reference).await
        {
            return ended(reference, work, sources, &compared, differences);
        }
        let unchecked = looked.unchecked(reference, self.fetcher.is_offline(), &differences);
        Checked {
            status: if unchecked.is_some() { Status::NotChecked } else { Status::NotFound },
            differences,
            found: None,
            unchecked,
        }
    }
}

/// What asking for one reference showed.
#[derive(Debug, Default)]
struct Looked {
    /// Who answered that there is nothing.
    silent: Vec<&'static str>,
    failures: BTreeMap<String, String>,
    undescribed: bool,
}

impl Looked {
    /// A name that no index listed: does it exist?
    async fn named(
        &mut self,
        lookup: &Lookup<'_>,
        by_name: &ByName,
        name: &WorkName,
        records: &mut Vec<Candidate>,
        differences: &mut Vec<Difference>,
    ) {
        let asked: &[&'static str] = match name.scheme {
            Scheme::Doi => &[CROSSREF],
            Scheme::Arxiv => &[ARXIV],
            _ => &[EUROPE_PMC],
        };
        for source in asked {
            if by_name.is_answered(name, source) {
                self.silent.push(source);
            } else {
                let why = by_name.failures.get(*source).cloned().unwrap_or_default();
                self.failures.insert((*source).to_owned(), why);
            }
        }
        let doi = match name.scheme {
            Scheme::Doi => name.value.clone(),
            Scheme::Arxiv => WorkName::doi_of_arxiv(&name.value),
            _ => return,
        };
        match lookup.registered(&doi).await {
            Ok(Some(work)) => records.push(work),
            Ok(None) => {
                self.silent.push(REGISTER);
                differences.push(Difference::NoSuchDoi { given: name.value.clone() });
            }
            // It is there, and its agency has no description of it in this form.
            Err(Failure::Status { status: 406 | 415, .. } | Failure::Unreadable { .. }) => {
                self.undescribed = true;
            }
            Err(failure) => {
                self.failures.insert(REGISTER.to_owned(), failure.to_string());
            }
        }
    }

    /// The work of this title that agrees best, if anybody knows it.
    async fn titled(
        &mut self,
        lookup: &Lookup<'_>,
        reference: &Reference,
    ) -> Option<(Candidate, Vec<String>, Compared)> {
        for source in [CROSSREF, EUROPE_PMC, INDEXES] {
            let title = asked_for(reference, source)?;
            match lookup.by_title(source, &title).await {
                Ok(works) => {
                    let compared = works.into_iter().map(|work| {
                        let compared = Compared::of(reference, &work);
                        (work, compared)
                    });
                    let meant = compared.filter(|it| it.1.is_meant());
                    let best = meant.max_by(|a, b| a.1.agreement().total_cmp(&b.1.agreement()));
                    if let Some((work, compared)) = best {
                        let sources = vec![work.engine.clone()];
                        return Some((work, sources, compared));
                    }
                    self.silent.push(source);
                }
                Err(failure) => {
                    self.failures.insert(source.to_owned(), failure.to_string());
                }
            }
        }
        None
    }

    /// Why nothing can be said, where that is so.
    fn unchecked(
        &self,
        reference: &Reference,
        offline: bool,
        differences: &[Difference],
    ) -> Option<Unchecked> {
        if offline {
            return Some(Unchecked::Offline);
        }
        if reference.names.is_empty() && !reference.says_something() {
            return Some(Unchecked::NothingToLookFor);
        }
        if self.undescribed {
            return Some(Unchecked::Undescribed);
        }
        // Nothing bears a name that its register does not have, and a work cannot be named as another.
        let refuted = !differences.is_empty() && reference.names.len() == differences.len();
        let by_title = !reference.says_something() || self.silent.contains(&CROSSREF);
        if refuted && by_title {
            return None;
        }
        if reference.kind != Kind::Work {
            return Some(Unchecked::NotListed { kind: reference.kind });
        }
        let heard = self.silent.iter().any(|it| *it == CROSSREF || *it == REGISTER)
            && (self.silent.len() > 1 || self.failures.is_empty());
        (!heard).then(|| Unchecked::NoAnswer { from: self.failures.clone() })
    }
}

/// The words a source is asked with for a reference.
fn asked_for(reference: &Reference, source: &str) -> Option<String> {
    if let Some(title) = &reference.title {
        return Some(text::shortened(title, LONGEST_TITLE));
    }
    let written = reference.written.as_deref()?;
    // Crossref takes an entry as it is cited; the others want a title.
    let asked = if source == CROSSREF { written.to_owned() } else { title_in(written) };
    Some(text::shortened(&asked, LONGEST_TITLE))
}

/// What is most likely the title of an entry: what stands in quotation marks, else its longest part.
fn title_in(entry: &str) -> String {
    for (open, close) in [('“', '”'), ('"', '"'), ('「', '」'), ('『', '』'), ('‘', '’')]
    {
        let inside = entry.split_once(open).and_then(|it| it.1.split_once(close));
        if let Some((title, _)) = inside.filter(|it| it.0.chars().count() > 8) {
            return title.trim_end_matches([',', '.', '，']).to_owned();
        }
    }
    let parts = entry.split(". ").flat_map(|it| it.split(['．', '：', '？', '?', ')', '）']));
    let parts = parts.map(|it| it.trim_matches([' ', ',', '.', '(', '（', '，', '、']));
    let letters = |it: &str| it.chars().filter(|c| c.is_alphabetic()).count();
    // Names are parted by commas, and titles seldom are.
    let weight = |it: &&str| letters(it) / (1 + it.matches(", ").count());
    parts.max_by_key(weight).unwrap_or_default().to_owned()
}

fn ended(
    reference: &Reference,
    work: Candidate,
    sources: Vec<String>,
    compared: &Compared,
    mut differences: Vec<Difference>,
) -> Checked {
    if matches!(compared.title, TitleMatch::Differs { .. }) {
        differences.push(Difference::Title { found: work.title.clone() });
    }
    let known = Known::of(work, sources);
    if let Some(unknown) = compared.authors.clone().filter(|it| !it.is_empty()) {
        differences.push(Difference::Authors { unknown, found: known.authors.clone() });
    }
    if let (Some(given), Some(found)) = (compared.year, known.year) {
        differences.push(Difference::Year { given, found });
    }
    // Another DOI of the same work, such as a preprint's, is in the record.
    let status = match (known.retracted, differences.is_empty()) {
        (true, _) if !is_notice(reference) => Status::Retracted,
        (_, false) => Status::Differs,
        (_, true) => Status::Fits,
    };
    Checked { status, differences, found: Some(known), unchecked: None }
}

/// Whether a reference says itself that the work was withdrawn.
fn is_notice(reference: &Reference) -> bool {
    let said = reference.title.as_deref().or(reference.written.as_deref()).unwrap_or_default();
    let said = said.to_lowercase();
    ["retracted", "retraction", "撤回", "withdrawn"].iter().any(|it| said.contains(it))
}

fn candidate_of(name: &WorkName, known: graph::KnownWork) -> Option<Candidate> {
    let paper = sources::Paper {
        authors: known.authors,
        year: known.year,
        venue: known.venue,
        abstract_text: known.abstract_text,
        retracted: known.retracted,
        identifiers: known.identifiers,
        ..sources::Paper::default()
    };
    Some(Candidate {
        title: known.title,
        url: name.address()?,
        snippet: None,
        date: None,
        engine: "graph".to_owned(),
        rank: 1,
        source_tag: "academic".to_owned(),
        paper: Some(paper),
        text: None,
        found_on: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_title_of_an_entry_is_found_among_its_parts() {
        let cases = [
            (
                "J. Smith and A. Doe, “Coffee and sleep in adults,” J. Rest, vol. 3, 2018.",
                "Coffee and sleep in adults",
            ),
            (
                "Smith J, Doe A, Brandt O. Coffee and sleep in adults. Journal of Rest. 2018.",
                "Coffee and sleep in adults",
            ),
            (
                "Smith, J., & Doe, A. (2018). Coffee and sleep in adults. Rest, 3, 1-9.",
                "Coffee and sleep in adults",
            ),
            (
                "山田太郎（2020）「夜勤と睡眠に関する研究」『睡眠学会誌』3, 1-9.",
                "夜勤と睡眠に関する研究",
            ),
        ];
        for (entry, title) in cases {
            assert_eq!(title_in(entry), title);
        }
    }
}
