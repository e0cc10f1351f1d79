//! What both indexes' records become: a candidate with a paper.

use text::shortened;
use url::Url;

use crate::candidate::{Candidate, Paper};

use super::fields::Fields;
use super::settings::AcademicSettings;
use super::work_name::{Scheme, WorkName};

/// One page of an index's list.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Listed {
    pub candidates: Vec<Candidate>,
    /// Records in the list, used or not: what paging counts.
    pub records: usize,
    pub total: Option<u64>,
    /// Where the next page begins, as this index says it.
    pub next: Option<u64>,
    pub notes: Vec<String>,
}

/// One record on its way to a candidate.
pub(crate) struct Record {
    pub(crate) title: Option<String>,
    pub(crate) date: Option<String>,
    pub(crate) paper: Paper,
    /// The address the index itself gives, where no identifier makes one.
    pub(crate) address: Option<String>,
}

impl Record {
    /// Adds a name in its normal form; what cannot be one is noted.
    pub(crate) fn name(
        paper: &mut Paper,
        fields: &Fields<'_>,
        scheme: Scheme,
        raw: Option<String>,
    ) {
        let Some(raw) = raw else { return };
        match WorkName::of(scheme, &raw) {
            Some(name) => add_name(paper, name),
            None => {
                let raw = shortened(&raw, 60);
                fields.note(&format!("`{raw}` is no {}", scheme.as_str()));
            }
        }
    }

    /// The candidate; `None`, with a note, for a record that names nothing.
    pub(crate) fn into_candidate(
        mut self,
        fields: &Fields<'_>,
        engine: &str,
        rank: usize,
        settings: &AcademicSettings,
    ) -> Option<Candidate> {
        let doi = self.paper.identifier("doi").map(str::to_owned);
        if let Some(name) = doi.as_deref().and_then(WorkName::arxiv_of_doi) {
            add_name(&mut self.paper, name);
        }
        self.paper.identifiers.sort_by_key(|it| {
            Scheme::ALL.iter().position(|scheme| scheme.as_str() == it.0).unwrap_or(usize::MAX)
        });
        let address = self.address.as_deref().and_then(web_address);
        let Some(url) = address_of(&self.paper).or(address) else {
            let title = shortened(self.title.as_deref().unwrap_or_default(), 100);
            fields.note(&format!("`{title}` has neither an identifier nor an address"));
            return None;
        };
        let title = match self.title {
            Some(title) => title,
            // A work that is known by an identifier can still be asked for: the other index may know its title.
            None if !self.paper.identifiers.is_empty() => String::new(),
            None => {
                fields.note("it has neither a title nor an identifier");
                return None;
            }
        };
        if says_retracted(&title) {
            self.paper.retracted = true;
        }
        let year = self.date.as_deref().and_then(|it| it[..4].parse().ok());
        self.paper.year = self.paper.year.or(year);
        let date = self.date.or_else(|| self.paper.year.map(|it| it.to_string()));
        let summary = self.paper.abstract_text.as_deref();
        Some(Candidate {
            found_on: None,
            title,
            url,
            snippet: summary.map(|it| shortened(it, settings.snippet_chars)),
            date,
            engine: engine.to_owned(),
            rank: u32::try_from(rank).unwrap_or(u32::MAX),
            source_tag: "academic".to_owned(),
            paper: Some(self.paper),
            text: None,
        })
    }
}

fn add_name(paper: &mut Paper, name: WorkName) {
    let pair = (name.scheme.as_str().to_owned(), name.value);
    if !paper.identifiers.contains(&pair) {
        paper.identifiers.push(pair);
    }
}

/// Where a person finds a paper: by its most lasting name.
pub(crate) fn address_of(paper: &Paper) -> Option<Url> {
    Scheme::ALL.into_iter().find_map(|scheme| {
        let value = paper.identifier(scheme.as_str())?.to_owned();
        WorkName { scheme, value }.address()
    })
}

/// An address on the web.
pub(crate) fn web_address(text: &str) -> Option<Url> {
    Url::parse(text.trim())
        .ok()
        .filter(|it| matches!(it.scheme(), "http" | "https") && it.has_host())
}

/// Publishers put the word before the title. One index has no field for it.
pub(crate) fn says_retracted(title: &str) -> bool {
    let title = title.trim_start_matches(['[', '(', '【', '［', '（', ' ']);
    let head: String = title.chars().take(10).collect::<String>().to_lowercase();
    let Some(rest) = head.strip_prefix("retracted") else {
        return title.starts_with("撤回】")
            || title.starts_with("撤回］")
            || title.starts_with("撤回:")
            || title.starts_with("撤回：");
    };
    // `Retracted nails ...` is a title like any other.
    let marked = title.chars().nth(9);
    let upper = title.starts_with("RETRACTED");
    !rest.starts_with(|it: char| it.is_alphanumeric())
        && (upper
            || matches!(marked, Some(':' | ']' | ')' | '】'))
            || title.to_lowercase().starts_with("retracted article"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_tells_a_retraction_only_where_publishers_put_the_word() {
        for title in [
            "RETRACTED: Cold fusion",
            "Retracted: Cold fusion",
            "[Retracted] Cold fusion",
            "Retracted Article: Cold fusion",
            "RETRACTED ARTICLE: X",
            "【撤回】常温核融合",
        ] {
            assert!(says_retracted(title), "{title}");
        }
        for title in [
            "Retracted nails in old roofs",
            "Retractedness",
            "Why papers are retracted",
            "",
            "撤回権の研究",
            "Retraction: Cold fusion",
        ] {
            assert!(!says_retracted(title), "{title}");
        }
    }
}
