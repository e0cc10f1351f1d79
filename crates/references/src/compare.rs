//! What a reference says beside what is known of a work: title, authors, year.
//!
//! Spelling, case, accents, subtitles that are left out, initials and an issue that appeared a year later are no differences.

mod names;
mod titles;

use sources::{Candidate, Paper};

use crate::reference::Reference;

pub(crate) use names::Authors;
pub(crate) use titles::{Title, TitleMatch};

/// Print may follow the first publication by a year.
const YEARS_APART: i32 = 1;

/// What began as a preprint may be printed years later.
const YEARS_TO_PRINT: i32 = 4;

/// Whether a record is that of a preprint: it has no name but those that servers of preprints give.
fn is_preprint(paper: &Paper) -> bool {
    const SERVERS: [&str; 5] = ["10.48550/", "10.1101/", "10.2139/ssrn", "10.21203/", "10.31234/"];
    let mut dois = paper.identifiers.iter().filter(|it| it.0 == "doi").map(|it| &it.1).peekable();
    let on_arxiv = paper.identifier("arxiv").is_some();
    (dois.peek().is_some() || on_arxiv)
        && dois.all(|doi| SERVERS.iter().any(|it| doi.starts_with(it)))
}

/// From this share of common words on, a title is the work's with a word wrong; below, authors and year decide.
const NEARLY: f64 = 0.7;

/// What comparing showed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Compared {
    pub(crate) title: TitleMatch,
    /// Authors that the work does not have; nothing where the two cannot be compared.
    pub(crate) authors: Option<Vec<String>>,
    /// Whether at least half of the authors are the work's.
    pub(crate) shares_author: bool,
    /// The year the reference gives, where it is not the work's.
    pub(crate) year: Option<i32>,
    pub(crate) same_year: bool,
}

impl Compared {
    pub(crate) fn of(reference: &Reference, work: &Candidate) -> Self {
        let known = Title::of(&work.title);
        let paper = work.paper.as_ref();
        let authors = Authors::of(paper.map_or(&[][..], |it| &it.authors));
        let (title, head) = match (&reference.title, &reference.written) {
            (Some(title), _) => (Title::of(title).compare(&known), None),
            (None, Some(written)) => {
                let (title, head) = known.found_in(written);
                (title, Some(head))
            }
            (None, None) => (TitleMatch::Unknown, None),
        };
        let (unknown, shares_author) = match &head {
            Some(head) => {
                let whole = reference.written.as_deref().unwrap_or_default();
                authors.compared_to_text(head, whole)
            }
            None => authors.compared_to(&reference.authors),
        };
        let of_work = paper.and_then(|it| it.year);
        let later = if paper.is_some_and(is_preprint) { YEARS_TO_PRINT } else { YEARS_APART };
        let near =
            |year: i32| of_work.is_none_or(|it| (it - YEARS_APART..=it + later).contains(&year));
        let (year, same_year) = match (&reference.written, reference.year) {
            (_, Some(year)) => (Some(year).filter(|it| !near(*it)), of_work == Some(year)),
            (Some(written), None) => {
                let years = titles::years(written);
                let same = years.iter().any(|it| Some(*it) == of_work);
                let wrong = !years.iter().any(|it| near(*it));
                (years.first().copied().filter(|_| wrong), same)
            }
            (None, None) => (None, false),
        };
        Self { title, authors: unknown, shares_author, year, same_year }
    }

    /// Whether the work is the one that was meant, although something of it may be given wrongly.
    pub(crate) fn is_meant(&self) -> bool {
        match self.title {
            // Many titles begin alike.
            TitleMatch::Same { words, short } => {
                (words >= 4 && !short) || self.shares_author || self.same_year
            }
            TitleMatch::Differs { likeness } => {
                likeness >= NEARLY && self.shares_author && self.year.is_none()
            }
            TitleMatch::Other | TitleMatch::Unknown => false,
        }
    }

    /// Whether a DOI leads to something else than what the reference speaks of.
    pub(crate) fn is_another(&self) -> bool {
        let agrees = self.shares_author && self.year.is_none();
        match self.title {
            TitleMatch::Other => true,
            TitleMatch::Differs { likeness } if likeness >= NEARLY => {
                !self.shares_author && self.year.is_some()
            }
            TitleMatch::Differs { .. } => !agrees,
            TitleMatch::Same { .. } | TitleMatch::Unknown => false,
        }
    }

    /// How much of it agrees, for choosing among works of one title.
    pub(crate) fn agreement(&self) -> f64 {
        let title = match self.title {
            TitleMatch::Same { .. } => 2.0,
            TitleMatch::Differs { likeness } => likeness,
            TitleMatch::Unknown | TitleMatch::Other => 0.0,
        };
        let authors = match &self.authors {
            Some(unknown) if unknown.is_empty() => 1.0,
            _ if self.shares_author => 0.5,
            _ => 0.0,
        };
        title + authors + if self.same_year { 0.5 } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn year_of(reference: i32, scheme: &str, name: &str) -> Option<i32> {
        let title = "Agents that read papers and write about them";
        let paper = Paper {
            authors: vec!["Ada Fenwick".to_owned()],
            year: Some(2017),
            identifiers: vec![(scheme.to_owned(), name.to_owned())],
            ..Paper::default()
        };
        let work = Candidate {
            title: title.to_owned(),
            url: url::Url::parse("https://example.org/").unwrap(),
            snippet: None,
            date: None,
            engine: "crossref".to_owned(),
            rank: 1,
            source_tag: "academic".to_owned(),
            paper: Some(paper),
            found_on: None,
            text: None,
        };
        let reference = Reference {
            title: Some(title.to_owned()),
            authors: vec!["Fenwick, A.".to_owned()],
            year: Some(reference),
            ..Reference::default()
        };
        Compared::of(&reference, &work).year
    }

    #[test]
    fn a_preprint_may_be_cited_by_the_year_it_was_printed() {
        assert_eq!(year_of(2018, "doi", "10.1000/a"), None);
        assert_eq!(year_of(2020, "doi", "10.1000/a"), Some(2020));
        assert_eq!(year_of(2020, "arxiv", "1706.00001"), None);
        assert_eq!(year_of(2020, "doi", "10.48550/arxiv.1706.00001"), None);
        assert_eq!(year_of(2015, "arxiv", "1706.00001"), Some(2015));
    }
}
