//! The names a work goes by.

use serde::{Deserialize, Serialize};
use text::identifiers::{self, Identifier, IdentifierKind};
use url::Url;

/// Who gave a work its name. The words are those of the graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scheme {
    Doi,
    Pmid,
    Pmcid,
    Arxiv,
    SemanticScholar,
    #[serde(rename = "openalex")]
    OpenAlex,
}

impl Scheme {
    pub const ALL: [Self; 6] =
        [Self::Doi, Self::Pmid, Self::Pmcid, Self::Arxiv, Self::SemanticScholar, Self::OpenAlex];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Doi => "doi",
            Self::Pmid => "pmid",
            Self::Pmcid => "pmcid",
            Self::Arxiv => "arxiv",
            Self::SemanticScholar => "semantic_scholar",
            Self::OpenAlex => "openalex",
        }
    }
}

/// One name of a work in its normal form.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct WorkName {
    pub scheme: Scheme,
    pub value: String,
}

/// The DOIs that arXiv gives to its papers begin so.
const ARXIV_DOI: &str = "10.48550/arxiv.";

impl WorkName {
    /// The name that `raw` is said to be; `None` where it cannot be one.
    pub fn of(scheme: Scheme, raw: &str) -> Option<Self> {
        let raw = raw.trim();
        let value = match scheme {
            Scheme::Doi => identifiers::normalise(IdentifierKind::Doi, raw)?,
            Scheme::Pmid => identifiers::normalise(IdentifierKind::Pmid, last_segment(raw))
                .filter(|it| it != "0")?,
            Scheme::Pmcid => {
                let number = last_segment(raw);
                // Both indexes give the number without its letters.
                let digits = !number.is_empty() && number.bytes().all(|it| it.is_ascii_digit());
                let written = if digits { format!("PMC{number}") } else { number.to_owned() };
                identifiers::normalise(IdentifierKind::Pmcid, &written)?
            }
            Scheme::Arxiv => identifiers::normalise(IdentifierKind::Arxiv, raw)?,
            Scheme::SemanticScholar => semantic_scholar(raw)?,
            Scheme::OpenAlex => openalex(last_segment(raw))?,
        };
        Some(Self { scheme, value })
    }

    /// The name a person wrote: `10.1000/182`, `doi:...`, `PMID: 123`, `PMC123`, `arXiv:2101.00001`, an address that
    /// contains one, or an id of Semantic Scholar or OpenAlex.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.is_empty() || text.len() > MAX_WRITTEN {
            return None;
        }
        if let Ok(url) = Url::parse(text)
            && url.has_host()
        {
            return Self::of_url(&url);
        }
        if let Some((scheme, rest)) = text.split_once(':') {
            let scheme = match scheme.trim().to_ascii_lowercase().as_str() {
                "doi" => Some(Scheme::Doi),
                "pmid" | "pubmed" => Some(Scheme::Pmid),
                "pmcid" | "pmc" => Some(Scheme::Pmcid),
                "arxiv" => Some(Scheme::Arxiv),
                "s2" | "semantic_scholar" => Some(Scheme::SemanticScholar),
                "corpusid" => return Self::of(Scheme::SemanticScholar, text),
                "openalex" => Some(Scheme::OpenAlex),
                _ => None,
            };
            if let Some(scheme) = scheme {
                return Self::of(scheme, rest);
            }
        }
        if text.starts_with("10.") {
            return Self::of(Scheme::Doi, text);
        }
        if text.get(..3).is_some_and(|it| it.eq_ignore_ascii_case("pmc")) {
            return Self::of(Scheme::Pmcid, text);
        }
        let by_shape = [Scheme::SemanticScholar, Scheme::OpenAlex];
        let named = by_shape.into_iter().find_map(|scheme| Self::of(scheme, text));
        // `PMID 25349395`, or a DOI with words around it; two names would be a guess.
        named.or_else(|| match &identifiers::find(text)[..] {
            [one] => Self::of_identifier(one),
            _ => None,
        })
    }

    /// The work an address names by itself.
    pub fn of_url(url: &Url) -> Option<Self> {
        let host = url.host_str()?.trim_start_matches("www.");
        let segment = url.path_segments()?.rfind(|it| !it.is_empty()).unwrap_or_default();
        match host {
            "openalex.org" | "api.openalex.org" => return Self::of(Scheme::OpenAlex, segment),
            "semanticscholar.org" | "api.semanticscholar.org" => {
                return Self::of(Scheme::SemanticScholar, segment);
            }
            _ => {}
        }
        Self::of_identifier(&identifiers::of_url(url)?)
    }

    /// The work an identifier in a text names; nothing for books and patents, which the indexes do not list by them.
    pub fn of_identifier(found: &Identifier) -> Option<Self> {
        let scheme = match found.kind {
            IdentifierKind::Doi => Scheme::Doi,
            IdentifierKind::Pmid => Scheme::Pmid,
            IdentifierKind::Pmcid => Scheme::Pmcid,
            IdentifierKind::Arxiv => Scheme::Arxiv,
            IdentifierKind::Isbn | IdentifierKind::Patent => return None,
        };
        Some(Self { scheme, value: found.value.clone() })
    }

    /// The arXiv number inside a DOI that arXiv gave.
    pub fn arxiv_of_doi(doi: &str) -> Option<Self> {
        Self::of(Scheme::Arxiv, doi.strip_prefix(ARXIV_DOI)?)
    }

    /// The DOI that arXiv gives to a paper.
    pub fn doi_of_arxiv(number: &str) -> String {
        format!("{ARXIV_DOI}{}", number.to_ascii_lowercase())
    }

    /// Where a person finds the work.
    pub fn address(&self) -> Option<Url> {
        let (base, value) = match self.scheme {
            Scheme::Doi => ("https://doi.org/", self.value.as_str()),
            Scheme::Pmid => ("https://pubmed.ncbi.nlm.nih.gov/", self.value.as_str()),
            Scheme::Pmcid => ("https://pmc.ncbi.nlm.nih.gov/articles/", self.value.as_str()),
            Scheme::Arxiv => ("https://arxiv.org/abs/", self.value.as_str()),
            Scheme::SemanticScholar => {
                let (base, value) = match self.value.strip_prefix("CorpusId:") {
                    Some(number) => ("https://api.semanticscholar.org/CorpusID:", number),
                    None => ("https://www.semanticscholar.org/paper/", self.value.as_str()),
                };
                return Url::parse(&format!("{base}{value}")).ok();
            }
            Scheme::OpenAlex => ("https://openalex.org/", self.value.as_str()),
        };
        let mut url = Url::parse(base).ok()?;
        url.path_segments_mut().ok()?.pop_if_empty().extend(value.split('/'));
        Some(url)
    }
}

/// Longer than any name with its address.
const MAX_WRITTEN: usize = 2_000;

fn last_segment(raw: &str) -> &str {
    raw.trim_end_matches('/').rsplit('/').next().unwrap_or_default()
}

fn semantic_scholar(raw: &str) -> Option<String> {
    let raw = last_segment(raw);
    if let Some(number) =
        raw.get(..9).filter(|it| it.eq_ignore_ascii_case("corpusid:")).map(|_| &raw[9..])
    {
        let digits = !number.is_empty() && number.bytes().all(|it| it.is_ascii_digit());
        return digits.then(|| format!("CorpusId:{number}"));
    }
    (raw.len() == 40 && raw.bytes().all(|it| it.is_ascii_hexdigit()))
        .then(|| raw.to_ascii_lowercase())
}

fn openalex(raw: &str) -> Option<String> {
    let number = raw.strip_prefix(['W', 'w'])?;
    let digits = (1..=15).contains(&number.len()) && number.bytes().all(|it| it.is_ascii_digit());
    digits.then(|| format!("W{number}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> String {
        WorkName::parse(text)
            .map_or("nothing".to_owned(), |it| format!("{} {}", it.scheme.as_str(), it.value))
    }

    #[test]
    fn names_are_read_as_people_write_them() {
        let cases = [
            ("10.1038/S42256-024-00832-8", "doi 10.1038/s42256-024-00832-8"),
            ("doi: 10.1000/182", "doi 10.1000/182"),
            ("https://doi.org/10.1000/182", "doi 10.1000/182"),
            (
                "https://dx.doi.org/10.1002/(SICI)1097-4571(199806)49:8%3C693::AID-ASI4%3E3.0.CO;2-O",
                "doi 10.1002/(sici)1097-4571(199806)49:8<693::aid-asi4>3.0.co;2-o",
            ),
            ("PMID: 25349395", "pmid 25349395"),
            ("PMID 25349395", "pmid 25349395"),
            ("(doi 10.1000/182)", "doi 10.1000/182"),
            ("https://pubmed.ncbi.nlm.nih.gov/25349395/", "pmid 25349395"),
            ("PMC4234579", "pmcid PMC4234579"),
            ("pmcid:4234579", "pmcid PMC4234579"),
            ("arXiv:2304.05376v2", "arxiv 2304.05376"),
            ("https://arxiv.org/pdf/2304.05376", "arxiv 2304.05376"),
            ("W2109415576", "openalex W2109415576"),
            ("https://openalex.org/W2109415576", "openalex W2109415576"),
            ("https://api.openalex.org/works/w2109415576", "openalex W2109415576"),
            (
                "2d5673caa9e6af3a7b82a43f19ee920992db07ad",
                "semantic_scholar 2d5673caa9e6af3a7b82a43f19ee920992db07ad",
            ),
            (
                "https://www.semanticscholar.org/paper/Computing-Machinery/2d5673caa9e6af3a7b82a43f19ee920992db07ad",
                "semantic_scholar 2d5673caa9e6af3a7b82a43f19ee920992db07ad",
            ),
            ("CorpusID:14514057", "semantic_scholar CorpusId:14514057"),
        ];
        for (text, expected) in cases {
            assert_eq!(parsed(text), expected, "{text}");
        }
    }

    #[test]
    fn what_names_no_work_is_nothing() {
        for text in [
            "",
            " ",
            "10.",
            "doi:",
            "pmid:abc",
            "W",
            "Wxyz",
            "https://example.com/",
            "corpusid:",
            "see 10.1000/1 and 10.1000/2",
            "東京",
            &"1".repeat(5_000),
        ] {
            assert_eq!(parsed(text), "nothing", "{text}");
        }
    }

    #[test]
    fn arxiv_numbers_and_the_dois_made_of_them_are_told_from_each_other() {
        assert_eq!(
            WorkName::arxiv_of_doi("10.48550/arxiv.2304.05376").unwrap().value,
            "2304.05376"
        );
        assert_eq!(WorkName::arxiv_of_doi("10.1000/182"), None);
        assert_eq!(WorkName::doi_of_arxiv("hep-th/9901001"), "10.48550/arxiv.hep-th/9901001");
    }

    #[test]
    fn a_name_has_an_address() {
        let address = |text: &str| WorkName::parse(text).unwrap().address().unwrap().to_string();
        assert_eq!(
            address("10.1002/(sici)1097<693::aid-asi4>3.0.co;2-o"),
            "https://doi.org/10.1002/(sici)1097%3C693::aid-asi4%3E3.0.co;2-o"
        );
        assert_eq!(address("arXiv:hep-th/9901001"), "https://arxiv.org/abs/hep-th/9901001");
        assert_eq!(address("PMC4234579"), "https://pmc.ncbi.nlm.nih.gov/articles/PMC4234579");
        assert_eq!(address("CorpusId:7"), "https://api.semanticscholar.org/CorpusID:7");
    }
}
