//! What is known of a work, from all who know it.

use serde::Serialize;
use sources::{Candidate, Paper};
use url::Url;

use crate::compare::{Title, TitleMatch};

/// A work that was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Known {
    pub title: String,
    pub authors: Vec<String>,
    pub year: Option<i32>,
    pub venue: Option<String>,
    pub doi: Option<String>,
    pub url: Url,
    /// Whether a source says that it was withdrawn.
    pub retracted: bool,
    #[serde(skip)]
    pub abstract_text: Option<String>,
    /// Who knows it.
    pub sources: Vec<String>,
}

/// One record of what several sources say about one work: the first one's words, and what others add.
pub(crate) fn merged(mut records: Vec<Candidate>) -> Option<(Candidate, Vec<String>)> {
    let mut sources: Vec<String> = Vec::new();
    for record in &records {
        if !sources.contains(&record.engine) {
            sources.push(record.engine.clone());
        }
    }
    let mut first = if records.is_empty() { return None } else { records.remove(0) };
    let paper = first.paper.get_or_insert_with(Paper::default);
    for other in records.into_iter().filter_map(|it| it.paper) {
        paper.retracted |= other.retracted;
        paper.year = paper.year.or(other.year);
        paper.venue = paper.venue.take().or(other.venue);
        paper.abstract_text = paper.abstract_text.take().or(other.abstract_text);
        if paper.authors.is_empty() {
            paper.authors = other.authors;
        }
        for name in other.identifiers {
            if !paper.identifiers.contains(&name) {
                paper.identifiers.push(name);
            }
        }
    }
    Some((first, sources))
}

impl Known {
    /// Whether a text, the beginning of a document, is this work's: it has its DOI or its title.
    pub fn is_in(&self, start: &str) -> bool {
        let names_doi = self.doi.as_ref().is_some_and(|doi| start.to_lowercase().contains(doi));
        names_doi
            || matches!(Title::of(&self.title).found_in(start).0, TitleMatch::Same { words, .. } if words >= 3)
    }

    pub(crate) fn of(work: Candidate, sources: Vec<String>) -> Self {
        let paper = work.paper.unwrap_or_default();
        Self {
            doi: paper.identifier("doi").map(str::to_owned),
            title: work.title,
            year: paper.year,
            venue: paper.venue,
            authors: paper.authors,
            url: work.url,
            retracted: paper.retracted,
            abstract_text: paper.abstract_text,
            sources,
        }
    }
}
