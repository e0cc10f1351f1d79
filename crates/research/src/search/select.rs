//! What is read, and in which order. Pure.
//!
//! Exact targets first. Then the sources take turns (breadth first), each in its own order, so that one that answers a
//! hundred times does not push out one that answers once. Within a source, domains the client named and, where it asked
//! for them, primary sources go first.

use std::collections::HashSet;
use std::sync::Arc;

use evidence::DomainCategory;
use extract::Document;
use serde::{Deserialize, Serialize};
use sources::Candidate;
use sources::academic::WorkName;

use crate::calls::SourceKind;

/// A candidate with what the policy says about its domain.
#[derive(Debug, Clone)]
pub(crate) struct Screened {
    pub(crate) candidate: Candidate,
    /// What a page of it is recognised by.
    pub(crate) address: String,
    pub(crate) host: String,
    pub(crate) category: DomainCategory,
    /// The work it shows, as far as its record or its address tells.
    pub(crate) work: Option<WorkName>,
    /// Why the domain is not read at all.
    pub(crate) blocked: Option<String>,
    /// The text that came with it, as a page's text is read.
    pub(crate) told: Option<Arc<Document>>,
}

/// One that is read, and why at this place.
#[derive(Debug, Clone)]
pub(crate) struct Selected {
    pub(crate) screened: Screened,
    pub(crate) why: Why,
}

impl Selected {
    /// As it is noted in the result of a plan.
    pub(crate) fn note(&self) -> Chosen {
        Chosen {
            url: self.screened.address.clone(),
            source: self.screened.candidate.engine.clone(),
            why: self.why,
        }
    }
}

/// A page that was planned, as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Chosen {
    pub(crate) url: String,
    pub(crate) source: String,
    pub(crate) why: Why,
}

/// Why something is read, in the order in which a source's candidates are. Shown and stored as the sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Why {
    #[serde(rename = "named exactly")]
    Named,
    #[serde(rename = "domain the client prefers")]
    PreferredDomain,
    #[serde(rename = "primary source")]
    PrimarySource,
    #[serde(rename = "place in its source's list")]
    Listed,
    #[serde(rename = "named by a page")]
    NamedByPage,
    #[serde(rename = "cited by or citing a paper")]
    Citation,
}

/// One that is not read, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LeftOut {
    pub(crate) url: String,
    pub(crate) why: String,
}

/// What a client prefers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SelectionCriteria<'a> {
    pub(crate) priority_domains: &'a [String],
    pub(crate) seek_primary: bool,
    pub(crate) max_pages: usize,
}

/// Papers with an abstract are not fetched.
fn has_abstract(screened: &Screened) -> bool {
    screened.candidate.paper.as_ref().is_some_and(|it| it.abstract_text.is_some())
}

/// Puts the candidates of all sources in one order, each address and each paper once.
pub(crate) fn select(
    exact: Vec<Screened>,
    lists: Vec<(SourceKind, Vec<Screened>)>,
    criteria: SelectionCriteria<'_>,
) -> (Vec<Selected>, Vec<LeftOut>) {
    let mut selected: Vec<Selected> = Vec::new();
    let mut left_out = Vec::new();
    let mut seen: HashSet<String> = HashSet::new();
    let all = lists.iter().flat_map(|it| &it.1).chain(&exact);
    let described: HashSet<WorkName> =
        all.filter(|it| has_abstract(it)).filter_map(|it| it.work.clone()).collect();
    let mut take = |screened: Screened, why: Why, selected: &mut Vec<Selected>| {
        if !seen.insert(screened.address.clone()) {
            return;
        }
        let is_described = screened.work.as_ref().is_some_and(|it| described.contains(it));
        if is_described && !has_abstract(&screened) && why != Why::Named {
            let why = "an index gave the abstract of this paper".to_owned();
            left_out.push(LeftOut { url: screened.address, why });
            return;
        }
        if let Some(why) = screened.blocked {
            left_out.push(LeftOut { url: screened.address, why });
            return;
        }
        selected.push(Selected { screened, why });
    };
    for screened in exact {
        take(screened, Why::Named, &mut selected);
    }
    let mut queues: Vec<std::vec::IntoIter<(Screened, Why)>> =
        lists.into_iter().map(|(_, list)| ordered(list, criteria).into_iter()).collect();
    loop {
        let mut any = false;
        for queue in &mut queues {
            if let Some((screened, why)) = queue.next() {
                any = true;
                take(screened, why, &mut selected);
            }
        }
        if !any {
            break;
        }
    }
    for beyond in selected.split_off(selected.len().min(criteria.max_pages)) {
        let why = "beyond the pages of this search".to_owned();
        left_out.push(LeftOut { url: beyond.screened.address, why });
    }
    (selected, left_out)
}

fn ordered(list: Vec<Screened>, criteria: SelectionCriteria<'_>) -> Vec<(Screened, Why)> {
    let why = |screened: &Screened| {
        let host = &screened.host;
        let preferred = |domain: &String| host == domain || host.ends_with(&format!(".{domain}"));
        if criteria.priority_domains.iter().any(preferred) {
            Why::PreferredDomain
        } else if criteria.seek_primary && judge::is_primary(screened.category) {
            Why::PrimarySource
        } else {
            Why::Listed
        }
    };
    let mut ordered: Vec<(Screened, Why)> = Vec::new();
    for screened in list {
        let why = why(&screened);
        ordered.push((screened, why));
    }
    // Stable: within a class the source's own order stays.
    ordered.sort_by_key(|(_, why)| *why);
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;

    fn screened(url: &str, engine: &str, category: DomainCategory) -> Screened {
        let url: url::Url = url.parse().unwrap();
        Screened {
            address: url.to_string(),
            host: url.host_str().unwrap_or_default().to_owned(),
            category,
            work: WorkName::of_url(&url),
            blocked: None,
            told: None,
            candidate: Candidate {
                found_on: None,
                title: String::new(),
                url,
                snippet: None,
                date: None,
                engine: engine.to_owned(),
                rank: 1,
                source_tag: String::new(),
                paper: None,
                text: None,
            },
        }
    }

    fn shown(selected: &[Selected]) -> Vec<String> {
        let sentence = |why: Why| serde_json::to_value(why).unwrap().as_str().unwrap().to_owned();
        selected
            .iter()
            .map(|it| format!("{} ({})", it.screened.address, sentence(it.why)))
            .collect()
    }

    const CRITERIA: SelectionCriteria<'_> =
        SelectionCriteria { priority_domains: &[], seek_primary: false, max_pages: 10 };

    #[test]
    fn sources_take_turns_after_exact_targets_and_an_address_is_read_once() {
        let low = DomainCategory::Low;
        let web = ["https://a.example/", "https://b.example/", "https://c.example/"];
        let web = web.map(|it| screened(it, "mojeek", low)).to_vec();
        let papers = ["https://doi.example/1", "https://b.example/"];
        let papers = papers.map(|it| screened(it, "openalex", low)).to_vec();
        let exact = vec![screened("https://c.example/", "exact", low)];
        let lists = vec![(SourceKind::Web, web), (SourceKind::Academic, papers)];
        let (chosen, left_out) = select(exact, lists, CRITERIA);
        assert_eq!(
            shown(&chosen),
            [
                "https://c.example/ (named exactly)",
                "https://a.example/ (place in its source's list)",
                "https://doi.example/1 (place in its source's list)",
                "https://b.example/ (place in its source's list)",
            ]
        );
        assert!(left_out.is_empty());
    }

    #[test]
    fn preferred_domains_and_primary_sources_go_first_in_their_list() {
        let web = vec![
            screened("https://blog.example/", "mojeek", DomainCategory::Unverified),
            screened("https://agency.example/", "mojeek", DomainCategory::Government),
            screened("https://www.wanted.example/", "mojeek", DomainCategory::Low),
        ];
        let wished = ["wanted.example".to_owned()];
        let criteria =
            SelectionCriteria { priority_domains: &wished, seek_primary: true, max_pages: 2 };
        let (chosen, left_out) = select(Vec::new(), vec![(SourceKind::Web, web)], criteria);
        assert_eq!(
            shown(&chosen),
            [
                "https://www.wanted.example/ (domain the client prefers)",
                "https://agency.example/ (primary source)",
            ]
        );
        assert_eq!(left_out.len(), 1);
        assert_eq!(left_out[0].url, "https://blog.example/");
        assert_eq!(left_out[0].why, "beyond the pages of this search");
    }

    #[test]
    fn a_paper_whose_abstract_an_index_gave_is_not_read_on_its_journals_page() {
        let low = DomainCategory::Low;
        let journal = screened("https://journal.example/article/10.1000/a1", "mojeek", low);
        let other = screened("https://journal.example/article/10.1000/a2", "mojeek", low);
        let mut record = screened("https://doi.org/10.1000/a1", "openalex", low);
        let paper = sources::Paper { abstract_text: Some("Text".to_owned()), ..Default::default() };
        record.candidate.paper = Some(paper);
        let lists = vec![
            (SourceKind::Web, vec![journal.clone(), other]),
            (SourceKind::Academic, vec![record.clone()]),
        ];
        let (chosen, left_out) = select(Vec::new(), lists, CRITERIA);
        let urls: Vec<&str> = chosen.iter().map(|it| it.screened.address.as_str()).collect();
        assert_eq!(
            urls,
            ["https://doi.org/10.1000/a1", "https://journal.example/article/10.1000/a2"]
        );
        assert_eq!(left_out[0].why, "an index gave the abstract of this paper");
        let lists = vec![(SourceKind::Academic, vec![record])];
        let (chosen, _) = select(vec![journal], lists, CRITERIA);
        assert_eq!(chosen[0].screened.address, "https://journal.example/article/10.1000/a1");
    }

    #[test]
    fn a_blocked_domain_is_left_out_with_its_reason() {
        let mut bad = screened("https://bad.example/", "mojeek", DomainCategory::Blocked);
        bad.blocked = Some("bad.example is blocked: denylist".to_owned());
        let (chosen, left_out) = select(Vec::new(), vec![(SourceKind::Web, vec![bad])], CRITERIA);
        assert!(chosen.is_empty());
        assert_eq!(left_out[0].why, "bad.example is blocked: denylist");
    }
}
