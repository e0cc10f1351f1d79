//! Answers of several engines as one list.
//!
//! The same page named twice is one hit. Of two editions of a page the newest leads and the older stays beside it as an
//! auxiliary, never lost. Which hit is worth a click first is told by the query's words in title and snippet, and by how
//! high engines placed it.

use std::collections::HashMap;

use serde::Serialize;
use unicode_normalization::UnicodeNormalization;
use url::Url;

use super::click;
use crate::{Candidate, Query};

/// The constant of reciprocal rank fusion: the first few places count nearly the same.
const FUSION: f64 = 60.0;

/// A page that engines named.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Hit {
    pub candidate: Candidate,
    /// The same page as other engines named it, and older editions of it.
    pub auxiliary: Vec<Candidate>,
    /// Between 0 and 1: how much a click promises.
    pub priority: f64,
}

/// Merges lists of candidates, each in its source's order, into hits, the most promising first.
pub fn merge(query: &Query, lists: impl IntoIterator<Item = Vec<Candidate>>) -> Vec<Hit> {
    let mut hits: Vec<Hit> = Vec::new();
    let mut places: Vec<f64> = Vec::new();
    let mut by_address: HashMap<String, usize> = HashMap::new();
    let mut by_title: HashMap<(String, String), usize> = HashMap::new();
    for candidate in lists.into_iter().flatten() {
        let address = address_key(&candidate.url);
        let place = 1.0 / (FUSION + f64::from(candidate.rank));
        let edition = edition_key(&candidate);
        let known = by_address.get(&address).or_else(|| by_title.get(edition.as_ref()?)).copied();
        let at = known.unwrap_or(hits.len());
        by_address.entry(address).or_insert(at);
        if let Some(edition) = edition {
            by_title.entry(edition).or_insert(at);
        }
        match hits.get_mut(at) {
            Some(hit) => {
                places[at] += place;
                hit.add(candidate);
            }
            None => {
                places.push(place);
                hits.push(Hit { candidate, auxiliary: Vec::new(), priority: 0.0 });
            }
        }
    }
    let words = click::scores(query, &hits);
    let most = places.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    for ((hit, words), place) in hits.iter_mut().zip(words).zip(places) {
        hit.priority = 0.5 * words + 0.5 * place / most;
    }
    hits.sort_by(|a, b| b.priority.total_cmp(&a.priority));
    hits
}

impl Hit {
    /// Takes in the same page once more: the newest leads.
    fn add(&mut self, mut other: Candidate) {
        if other
            .date
            .as_ref()
            .is_some_and(|it| self.candidate.date.as_ref().is_none_or(|own| it > own))
        {
            std::mem::swap(&mut self.candidate, &mut other);
        }
        if self.candidate.snippet.is_none() {
            self.candidate.snippet.clone_from(&other.snippet);
        }
        self.auxiliary.push(other);
    }
}

/// An address as it is compared: `http` or `https`, with `www.` or without, with a final slash or without.
fn address_key(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    let host = host.strip_prefix("www.").unwrap_or(host);
    let port = url.port().map(|it| format!(":{it}")).unwrap_or_default();
    let query = url.query().map(|it| format!("?{it}")).unwrap_or_default();
    format!("{host}{port}{}{query}", url.path().trim_end_matches('/'))
}

/// What editions of one page share: the site and a title that is long enough to be its own. Only dated results can be
/// told older from newer.
fn edition_key(candidate: &Candidate) -> Option<(String, String)> {
    candidate.date.as_ref()?;
    let title: String = candidate.title.nfkc().filter(|it| it.is_alphanumeric()).collect();
    let title = title.to_lowercase();
    let wide = title.chars().filter(|it| !it.is_ascii()).count();
    let long = title.chars().count() + wide >= 20;
    let host = candidate.url.host_str()?;
    long.then(|| (evidence::domain::site_of(host), title))
}
