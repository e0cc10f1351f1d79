//! One entry for one work, however many sources name it.
//!
//! Records are the same work when they share a DOI, another identifier or an address; else when title, authors and
//! year agree. The word of Semantic Scholar counts first, OpenAlex completes, others follow; what each of them said
//! stays. The result does not depend on the order of the records.

mod likeness;

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;
use settings::settings;
use url::Url;

use crate::academic::{Scheme, WorkName, address_of, openalex, semantic_scholar};
use crate::candidate::{Candidate, Paper};

use likeness::{Traits, is_preprint};

/// A work or page as all sources together know it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Canonical {
    pub candidate: Candidate,
    /// What each source said, first those whose word counts first.
    pub records: Vec<Candidate>,
    /// Who gave a field or an identifier of the candidate: `abstract` -> `openalex`.
    pub given: BTreeMap<String, Vec<String>>,
}

settings! {
    /// When two records without a common identifier are one work.
    pub struct LikenessSettings {}
    expert {
        /// Letters a title needs to be told from others: `Editorial` is many works.
        min_title_chars: usize = 12, in 1..=200;
        /// Years between a preprint and its paper.
        max_years_apart: i32 = 1, in 0..=5;
    }
    internal {
        /// The same as `min_title_chars` for titles with Chinese characters or kana.
        min_title_chars_cjk: usize = 6;
    }
    removed {
        "min_title_chars_cjk": "it is fixed at 6";
    }
}

/// Brings the records of one work together.
pub fn merge(records: Vec<Candidate>, settings: &LikenessSettings) -> Vec<Canonical> {
    let mut all: Vec<Canonical> = grouped_by_name(records).into_iter().map(merged).collect();
    loop {
        let before = all.len();
        all = merged_by_likeness(all, settings);
        // A merged entry has the year and authors of its best record, and with them may be like one that was not.
        if all.len() == before {
            break;
        }
    }
    all.sort_by_cached_key(|it| (it.candidate.rank, order_of(&it.candidate)));
    all
}

fn merged_by_likeness(entries: Vec<Canonical>, settings: &LikenessSettings) -> Vec<Canonical> {
    let traits: Vec<Option<Traits>> =
        entries.iter().map(|it| Traits::of(&it.candidate, settings)).collect();
    let mut entries: Vec<Option<Canonical>> = entries.into_iter().map(Some).collect();
    let mut all = Vec::with_capacity(entries.len());
    for group in likeness::groups(&traits, settings) {
        let mut members: Vec<Canonical> =
            group.into_iter().filter_map(|it| entries[it].take()).collect();
        if members.len() == 1 {
            all.append(&mut members);
        } else {
            all.push(merged(members.into_iter().flat_map(|it| it.records).collect()));
        }
    }
    all
}

/// What decides whose word counts first. Total, so that the order of the records does not matter.
fn order_of(record: &Candidate) -> (u8, u32, String, String) {
    let index = match record.engine.as_str() {
        semantic_scholar::NAME => 0,
        openalex::NAME => 1,
        _ if record.paper.is_some() => 2,
        _ => 3,
    };
    let whole = serde_json::to_string(record).expect("texts and numbers are JSON");
    (index, record.rank, record.url.to_string(), whole)
}

fn grouped_by_name(records: Vec<Candidate>) -> Vec<Vec<Candidate>> {
    let mut unions = Unions::new(records.len());
    let mut seen: HashMap<String, usize> = HashMap::new();
    for (index, record) in records.iter().enumerate() {
        for name in names_of(record) {
            match seen.get(&name) {
                Some(first) => unions.join(*first, index),
                None => {
                    seen.insert(name, index);
                }
            }
        }
    }
    let mut groups: BTreeMap<usize, Vec<Candidate>> = BTreeMap::new();
    for (index, record) in records.into_iter().enumerate() {
        groups.entry(unions.root(index)).or_default().push(record);
    }
    groups.into_values().collect()
}

fn names_of(record: &Candidate) -> Vec<String> {
    let mut names = Vec::new();
    for (scheme, value) in record.paper.iter().flat_map(|it| &it.identifiers) {
        names.push(format!("{scheme}:{value}"));
        if scheme == Scheme::Doi.as_str()
            && let Some(arxiv) = WorkName::arxiv_of_doi(value)
        {
            names.push(format!("{}:{}", arxiv.scheme.as_str(), arxiv.value));
        }
    }
    match WorkName::of_url(&record.url) {
        Some(name) => {
            names.push(format!("{}:{}", name.scheme.as_str(), name.value));
            if let Some(arxiv) = WorkName::arxiv_of_doi(&name.value) {
                names.push(format!("{}:{}", arxiv.scheme.as_str(), arxiv.value));
            }
        }
        None => names.push(address_key(&record.url)),
    }
    names
}

/// Addresses that differ only in how one came there are one.
fn address_key(url: &Url) -> String {
    let mut url = url.clone();
    url.set_fragment(None);
    let followed = |name: &str| name.starts_with("utm_") || matches!(name, "gclid" | "fbclid");
    let kept: Vec<(String, String)> = url
        .query_pairs()
        .filter(|it| !followed(&it.0))
        .map(|it| (it.0.into(), it.1.into()))
        .collect();
    if kept.is_empty() {
        url.set_query(None);
    } else {
        url.query_pairs_mut().clear().extend_pairs(kept);
    }
    let key = url.as_str();
    let key = key.strip_prefix("https://").or_else(|| key.strip_prefix("http://")).unwrap_or(key);
    key.trim_start_matches("www.").trim_end_matches('/').to_owned()
}

/// One entry from the records of one work.
fn merged(mut records: Vec<Candidate>) -> Canonical {
    records.sort_by_cached_key(order_of);
    records.dedup();
    let mut given = Given::default();
    let mut candidate = records[0].clone();
    candidate.rank = records.iter().map(|it| it.rank).min().unwrap_or(candidate.rank);
    let titled = |it: &Candidate| (!it.title.is_empty()).then(|| it.title.clone());
    candidate.title = given.first("title", &records, titled).unwrap_or_default();
    candidate.snippet = given.first("snippet", &records, |it| it.snippet.clone());
    candidate.date = given.first("date", &records, |it| it.date.clone());
    if records.iter().any(|it| it.paper.is_some()) {
        let paper = merged_paper(&records, &mut given);
        if let Some(url) = address_of(&paper) {
            candidate.url = url;
        }
        candidate.source_tag = "academic".to_owned();
        candidate.paper = Some(paper);
    }
    Canonical { candidate, records, given: given.0 }
}

fn merged_paper(records: &[Candidate], given: &mut Given) -> Paper {
    let papers = records.iter().filter_map(|it| Some((it, it.paper.as_ref()?)));
    let mut identifiers: Vec<(String, String)> = Vec::new();
    for (record, paper) in papers.clone() {
        for identifier in &paper.identifiers {
            given.also(&identifier.0, &record.engine);
            if !identifiers.contains(identifier) {
                identifiers.push(identifier.clone());
            }
        }
    }
    // The published DOI comes before the one of the preprint; within a scheme the order of the records stays.
    identifiers.sort_by_key(|(scheme, value)| {
        let place = Scheme::ALL.iter().position(|it| it.as_str() == scheme);
        (place.unwrap_or(usize::MAX), scheme == Scheme::Doi.as_str() && is_preprint(value))
    });
    for (record, _) in papers.clone().filter(|it| it.1.retracted) {
        given.also("retracted", &record.engine);
    }
    let of = |it: &Candidate| it.paper.clone().unwrap_or_default();
    let authors = |candidate: &Candidate| Some(of(candidate).authors).filter(|it| !it.is_empty());
    Paper {
        authors: given.first("authors", records, authors).unwrap_or_default(),
        year: given.first("year", records, |it| of(it).year),
        venue: given.first("venue", records, |it| of(it).venue),
        abstract_text: given.first("abstract", records, |it| of(it).abstract_text),
        citation_count: given.first("citation_count", records, |it| of(it).citation_count),
        reference_count: given.first("reference_count", records, |it| of(it).reference_count),
        open_access_url: given.first("open_access_url", records, |it| of(it).open_access_url),
        // One index that knows of a retraction is enough.
        retracted: papers.into_iter().any(|it| it.1.retracted),
        identifiers,
    }
}

/// Notes whose word was taken.
#[derive(Default)]
struct Given(BTreeMap<String, Vec<String>>);

impl Given {
    fn first<T>(
        &mut self,
        field: &str,
        records: &[Candidate],
        value: impl Fn(&Candidate) -> Option<T>,
    ) -> Option<T> {
        let (record, value) = records.iter().find_map(|it| Some((it, value(it)?)))?;
        self.also(field, &record.engine);
        Some(value)
    }

    fn also(&mut self, field: &str, engine: &str) {
        let engines = self.0.entry(field.to_owned()).or_default();
        if !engines.iter().any(|it| it == engine) {
            engines.push(engine.to_owned());
        }
    }
}

/// Which things are one, by what was said to be equal.
struct Unions(Vec<usize>);

impl Unions {
    fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    fn root(&mut self, of: usize) -> usize {
        let mut root = of;
        while self.0[root] != root {
            self.0[root] = self.0[self.0[root]];
            root = self.0[root];
        }
        root
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        let (low, high) = (one.min(other), one.max(other));
        self.0[high] = low;
    }
}
