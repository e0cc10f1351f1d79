//! Exact targets: addresses and names of works that a person gave.

use fetch::Fetcher;
use serde::Serialize;
use text::shortened;
use url::Url;

use crate::academic::{Academic, Scheme, WorkName};
use crate::asking::AskedBy;
use crate::candidate::{Candidate, Paper};
use crate::canonical::Canonical;
use crate::outcome::SourceOutcome;

/// The outcome of a list of exact targets, in its order, each once.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Exact {
    pub targets: Vec<Target>,
    pub bad: Vec<BadTarget>,
}

/// Something a person wants to be read.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Target {
    /// As it was written.
    pub given: String,
    pub candidate: Candidate,
    /// The work it names, where it names one: [`resolve`] asks the indexes about it.
    pub name: Option<WorkName>,
}

/// Something a person wrote that is no target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BadTarget {
    pub given: String,
    pub problem: String,
}

/// A target about which the academic indexes were asked.
#[derive(Debug, Clone, Serialize)]
pub struct Resolved {
    pub target: Target,
    /// What the indexes know; without it the target's own candidate is used.
    pub work: Option<Canonical>,
    pub outcomes: Vec<SourceOutcome>,
}

/// Reads addresses and names of works. Nothing is asked.
pub fn targets(urls: &[String], dois: &[String]) -> Exact {
    let mut exact = Exact::default();
    let given =
        urls.iter().map(|it| (it, Kind::Address)).chain(dois.iter().map(|it| (it, Kind::Name)));
    for (given, kind) in given {
        let written = given.trim();
        let read = match kind {
            Kind::Address => address(written),
            Kind::Name => name(written),
        };
        match read {
            Ok((url, name)) => {
                let rank = exact.targets.len() + 1;
                let known =
                    |it: &Target| it.candidate.url == url || (name.is_some() && it.name == name);
                if !exact.targets.iter().any(known) {
                    let candidate = candidate(url, name.as_ref(), rank);
                    exact.targets.push(Target { given: written.to_owned(), candidate, name });
                }
            }
            Err(problem) => {
                exact.bad.push(BadTarget { given: shortened(written, 200), problem });
            }
        }
    }
    exact
}

/// Asks the academic indexes about a target that names a work.
pub async fn resolve(
    academic: &Academic,
    fetcher: &Fetcher,
    target: Target,
    asked_by: AskedBy,
) -> Resolved {
    let Some(name) = &target.name else {
        return Resolved { target, work: None, outcomes: Vec::new() };
    };
    let mut answer = academic.resolve(fetcher, name, asked_by).await;
    // Both indexes may answer with works that did not merge; the one with the name is meant.
    let named = |work: &Canonical| {
        let paper = work.candidate.paper.as_ref();
        paper.is_some_and(|paper| {
            paper.identifiers.iter().any(|it| it.0 == name.scheme.as_str() && it.1 == name.value)
        })
    };
    let place = answer.works.iter().position(named).or((!answer.works.is_empty()).then_some(0));
    let work = place.map(|it| answer.works.swap_remove(it));
    Resolved { target, work, outcomes: answer.outcomes }
}

enum Kind {
    Address,
    Name,
}

fn address(written: &str) -> Result<(Url, Option<WorkName>), String> {
    if written.is_empty() {
        return Err("it is empty".to_owned());
    }
    // People leave the scheme out. `localhost:80` would be a scheme of its own.
    let has_scheme = written
        .split_once("://")
        .is_some_and(|parts| parts.0.bytes().all(|it| it.is_ascii_alphanumeric()));
    let whole = if has_scheme || written.starts_with("file:") {
        written.to_owned()
    } else {
        format!("https://{written}")
    };
    let url = Url::parse(&whole).map_err(|error| format!("it is no address: {error}"))?;
    match url.scheme() {
        "http" | "https"
            if url.host_str().is_some_and(|it| it.contains(['.', ':']) || it == "localhost") => {}
        "http" | "https" => return Err("it is no address: its host has no dot".to_owned()),
        other => return Err(format!("`{other}` is no kind of address that can be fetched")),
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("it has a name and a password in it".to_owned());
    }
    let name = WorkName::of_url(&url);
    Ok((url, name))
}

fn name(written: &str) -> Result<(Url, Option<WorkName>), String> {
    if written.is_empty() {
        return Err("it is empty".to_owned());
    }
    let name = WorkName::parse(written)
        .ok_or("it is no DOI, PMID, PMCID, arXiv number, Semantic Scholar or OpenAlex id")?;
    let url = name.address().ok_or("it has no address")?;
    Ok((url, Some(name)))
}

fn candidate(url: Url, name: Option<&WorkName>, rank: usize) -> Candidate {
    let paper = name.map(|name| {
        let mut identifiers = vec![(name.scheme.as_str().to_owned(), name.value.clone())];
        let arxiv = WorkName::arxiv_of_doi(&name.value).filter(|_| name.scheme == Scheme::Doi);
        identifiers.extend(arxiv.map(|it| (it.scheme.as_str().to_owned(), it.value)));
        Paper { identifiers, ..Paper::default() }
    });
    Candidate {
        found_on: None,
        title: String::new(),
        url,
        snippet: None,
        date: None,
        engine: "exact".to_owned(),
        rank: u32::try_from(rank).unwrap_or(u32::MAX),
        source_tag: "exact".to_owned(),
        paper,
        text: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(urls: &[&str], dois: &[&str]) -> String {
        let owned = |list: &[&str]| list.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        let exact = targets(&owned(urls), &owned(dois));
        let good = exact.targets.iter().map(|target| {
            let name = target
                .name
                .as_ref()
                .map_or("-".to_owned(), |it| format!("{}:{}", it.scheme.as_str(), it.value));
            format!("{} {} {name}", target.candidate.rank, target.candidate.url)
        });
        let bad = exact.bad.iter().map(|it| format!("! `{}`: {}", it.given, it.problem));
        good.chain(bad).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn addresses_and_names_are_read_each_once_and_bad_ones_reported() {
        insta::assert_snapshot!(
            shown(
                &[" https://news.example/a ", "news.example/a", "日本語.example/道", "https://doi.org/10.1000/182", "", "nonsense", "ftp://x.example/", "file:///etc/passwd", "https://u:p@x.example/", "https://", "javascript:alert(1)"],
                &["10.1000/182", "doi:10.1000/183", "PMID 5", "pmid:5", "arXiv:2304.05376", "12345", ""],
            ),
            @r"
        1 https://news.example/a -
        2 https://xn--wgv71a119e.example/%E9%81%93 -
        3 https://doi.org/10.1000/182 doi:10.1000/182
        4 https://doi.org/10.1000/183 doi:10.1000/183
        5 https://pubmed.ncbi.nlm.nih.gov/5 pmid:5
        6 https://arxiv.org/abs/2304.05376 arxiv:2304.05376
        ! ``: it is empty
        ! `nonsense`: it is no address: its host has no dot
        ! `ftp://x.example/`: `ftp` is no kind of address that can be fetched
        ! `file:///etc/passwd`: `file` is no kind of address that can be fetched
        ! `https://u:p@x.example/`: it has a name and a password in it
        ! `https://`: it is no address: empty host
        ! `javascript:alert(1)`: it is no address: invalid port number
        ! `12345`: it is no DOI, PMID, PMCID, arXiv number, Semantic Scholar or OpenAlex id
        ! ``: it is empty
        "
        );
    }

    #[test]
    fn nothing_gives_nothing() {
        assert_eq!(targets(&[], &[]), Exact::default());
    }
}
