//! The three stages: what an index says, how near a paper is and how often it is cited, and what a
//! model makes of its abstract.

use std::collections::BTreeSet;

use evidence::CitationSource;
use serde::{Deserialize, Serialize};
use settings::settings;

settings! {
    /// References and citations of papers.
    pub struct CitationSettings {}
    expert {
        /// Papers whose citations are followed.
        top_papers: usize = 5, in 0..=100;
        /// How far they are followed; 0 is not at all.
        depth: usize = 1, in 0..=1;
        /// Which way they are followed.
        direction: Direction = Direction::Both;
        /// Papers cited less often are left out.
        min_citations: u32 = 0, in 0..=1_000_000;
        /// Papers kept after the first choice.
        stage_1_keep: usize = 30, in 1..=1_000;
        /// The weight of similarity in the first choice.
        stage_1_similarity_weight: f64 = 0.5, in 0.0..=1.0;
        /// The weight of impact in the first choice.
        stage_1_impact_weight: f64 = 0.5, in 0.0..=1.0;
        /// Papers kept after the second choice.
        stage_2_keep: usize = 10, in 1..=1_000;
        /// The weight of what a language model makes of the abstract in the second choice.
        stage_2_usefulness_weight: f64 = 0.5, in 0.0..=1.0;
        /// The weight of similarity in the second choice.
        stage_2_similarity_weight: f64 = 0.3, in 0.0..=1.0;
        /// The weight of impact in the second choice.
        stage_2_impact_weight: f64 = 0.2, in 0.0..=1.0;
    }
}

/// Which way citations are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    References,
    Citations,
    Both,
}

/// A paper as an index describes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CitedPaper<'a> {
    pub doi: Option<&'a str>,
    pub abstract_text: Option<&'a str>,
    pub citations: Option<u32>,
}

/// What is known about a candidate. Unknown values do not count, for or against.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Standing {
    /// Cosine with the question or the citing paper.
    pub similarity: Option<f64>,
    pub impact: f64,
    /// 0 to 1, by a model that read the abstract.
    pub usefulness: Option<f64>,
}

/// A candidate that was kept.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Chosen {
    /// Its place among the candidates.
    pub index: usize,
    pub score: f64,
}

/// Leaves out what cannot be judged: papers without an abstract, those cited too rarely, and further
/// records of a DOI. Gives the places of the rest, in order.
pub fn stage_0(papers: &[CitedPaper<'_>], settings: &CitationSettings) -> Vec<usize> {
    let mut seen = BTreeSet::new();
    (0..papers.len())
        .filter(|index| {
            let paper = &papers[*index];
            let has_abstract = paper.abstract_text.is_some_and(|it| !it.trim().is_empty());
            // A count that is not known may be any.
            let cited = paper.citations.is_none_or(|it| it >= settings.min_citations);
            has_abstract && cited && paper.doi.is_none_or(|it| seen.insert(it.to_ascii_lowercase()))
        })
        .collect()
}

/// How often papers are cited, compared with each other: the rank of `ln(1 + citations)` among the
/// candidates, 0 to 1, the middle of the ranks for equals. 0.5 if there is nothing to compare.
pub fn impact(citations: &[Option<u32>]) -> Vec<f64> {
    let known: Vec<f64> = citations.iter().flatten().map(|it| f64::from(*it).ln_1p()).collect();
    let rank = |own: f64| {
        let below = known.iter().filter(|it| **it < own).count() as f64;
        let equal = known.iter().filter(|it| **it == own).count() as f64;
        (below + (equal - 1.0) / 2.0) / (known.len() as f64 - 1.0)
    };
    let of = |count: &Option<u32>| match count {
        Some(count) if known.len() > 1 => rank(f64::from(*count).ln_1p()),
        _ => 0.5,
    };
    citations.iter().map(of).collect()
}

/// Keeps the candidates that are near and cited, best first, the earlier of equals.
pub fn stage_1(candidates: &[Standing], settings: &CitationSettings) -> Vec<Chosen> {
    best(candidates, settings.stage_1_keep, |candidate| {
        weighed(&[
            (candidate.similarity, settings.stage_1_similarity_weight),
            (Some(candidate.impact), settings.stage_1_impact_weight),
        ])
    })
}

/// Keeps the candidates a model found useful, with what is known from stage 1. Without a model the
/// rest decides alone.
pub fn stage_2(candidates: &[Standing], settings: &CitationSettings) -> Vec<Chosen> {
    best(candidates, settings.stage_2_keep, |candidate| {
        weighed(&[
            (candidate.usefulness, settings.stage_2_usefulness_weight),
            (candidate.similarity, settings.stage_2_similarity_weight),
            (Some(candidate.impact), settings.stage_2_impact_weight),
        ])
    })
}

/// The mean of what is known, by weight.
fn weighed(parts: &[(Option<f64>, f64)]) -> f64 {
    let known = || {
        parts
            .iter()
            .filter_map(|(value, weight)| Some((value.filter(|it| it.is_finite())?, *weight)))
    };
    let weights: f64 = known().map(|it| it.1).sum();
    if weights > 0.0 { known().map(|it| it.0 * it.1).sum::<f64>() / weights } else { 0.0 }
}

fn best(candidates: &[Standing], keep: usize, score: impl Fn(&Standing) -> f64) -> Vec<Chosen> {
    let mut chosen: Vec<Chosen> = candidates
        .iter()
        .enumerate()
        .map(|(index, it)| Chosen { index, score: score(it) })
        .collect();
    chosen.sort_by(|a, b| b.score.total_cmp(&a.score));
    chosen.truncate(keep);
    chosen
}

/// Which indexes named a citation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SourceSeen {
    pub semantic_scholar: bool,
    pub openalex: bool,
}

/// Where a citation is recorded to come from: Semantic Scholar where both named it, a page's own
/// link where neither did.
pub fn citation_source(seen: SourceSeen) -> CitationSource {
    match seen {
        SourceSeen { semantic_scholar: true, .. } => CitationSource::SemanticScholar,
        SourceSeen { openalex: true, .. } => CitationSource::OpenAlex,
        _ => CitationSource::Extraction,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_judged_is_left_out_at_once() {
        let paper = |doi, abstract_text, citations| CitedPaper { doi, abstract_text, citations };
        let papers = [
            paper(Some("10.1/a"), Some("text"), Some(3)),
            paper(Some("10.1/A"), Some("text"), Some(9)),
            paper(None, None, Some(99)),
            paper(None, Some("  "), Some(99)),
            paper(None, Some("text"), None),
            paper(None, Some("text"), Some(0)),
        ];
        assert_eq!(stage_0(&papers, &CitationSettings::default()), [0, 4, 5]);
        let strict = CitationSettings { min_citations: 1, ..CitationSettings::default() };
        assert_eq!(stage_0(&papers, &strict), [0, 4]);
        assert_eq!(stage_0(&[], &strict), [0; 0]);
    }

    #[test]
    fn impact_is_the_rank_among_the_candidates() {
        assert_eq!(impact(&[]), [0.0; 0]);
        assert_eq!(impact(&[Some(1_000_000)]), [0.5], "nothing to compare");
        assert_eq!(impact(&[Some(0), Some(10), Some(1_000_000)]), [0.0, 0.5, 1.0]);
        assert_eq!(impact(&[Some(7), Some(7), Some(7)]), [0.5, 0.5, 0.5]);
        assert_eq!(impact(&[Some(1), Some(5), Some(5), Some(9), None]), [0.0, 0.5, 0.5, 1.0, 0.5]);
    }

    fn shown(chosen: &[Chosen]) -> Vec<String> {
        chosen.iter().map(|it| format!("{} {:.2}", it.index, it.score)).collect()
    }

    #[test]
    fn stages_weigh_what_is_known() {
        let settings =
            CitationSettings { stage_1_keep: 3, stage_2_keep: 2, ..CitationSettings::default() };
        let candidates = [
            Standing { similarity: Some(0.8), impact: 0.2, usefulness: Some(0.1) },
            Standing { similarity: Some(0.4), impact: 1.0, usefulness: Some(0.9) },
            Standing { similarity: None, impact: 0.5, usefulness: None },
            Standing { similarity: Some(0.1), impact: 0.1, usefulness: Some(1.0) },
        ];
        assert_eq!(shown(&stage_1(&candidates, &settings)), ["1 0.70", "0 0.50", "2 0.50"]);
        assert_eq!(shown(&stage_2(&candidates, &settings)), ["1 0.77", "3 0.55"]);
        let unread = candidates.map(|it| Standing { usefulness: None, ..it });
        assert_eq!(shown(&stage_2(&unread, &settings)), ["1 0.64", "0 0.56"]);
        assert_eq!(stage_1(&[], &settings), []);
    }

    #[test]
    fn semantic_scholar_is_recorded_where_both_named_a_citation() {
        let of =
            |semantic_scholar, openalex| citation_source(SourceSeen { semantic_scholar, openalex });
        assert_eq!(of(true, true), CitationSource::SemanticScholar);
        assert_eq!(of(false, true), CitationSource::OpenAlex);
        assert_eq!(of(false, false), CitationSource::Extraction);
    }
}
