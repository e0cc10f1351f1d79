//! The ways of ranking that are compared.

use std::cmp::Ordering;

use super::alternatives::{fuse_deviations, reciprocal_rank};
use crate::fusion::{BM25_WEIGHT, Candidate, fuse};

/// The way that was chosen, for the product, too.
pub(crate) const CHOSEN: Method =
    Method::Weighted { pool: Pool::Both, scale: Scale::MinMax, bm25_weight: BM25_WEIGHT };

/// What is known about one query.
#[derive(Debug)]
pub(crate) struct Clues {
    /// What search by words returned, best first.
    pub(crate) bm25: Vec<(usize, f64)>,
    /// Likeness of every document to the query; empty where the model does not read the query.
    pub(crate) likeness: Vec<Option<f64>>,
}

/// Which documents are ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pool {
    /// What search by words returned.
    Found,
    /// That, and as many of the likest.
    Both,
}

/// How scores are made comparable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scale {
    /// The least is 0, the largest 1.
    MinMax,
    /// Standard deviations from the mean.
    Deviations,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Method {
    Bm25,
    Likeness,
    Weighted { pool: Pool, scale: Scale, bm25_weight: f64 },
    ReciprocalRank { pool: Pool },
}

impl Method {
    pub(crate) fn name(self) -> String {
        let of = |pool| match pool {
            Pool::Found => "BM25's",
            Pool::Both => "both",
        };
        match self {
            Self::Bm25 => "BM25 alone".to_owned(),
            Self::Likeness => "embedding alone".to_owned(),
            Self::Weighted { pool, scale, bm25_weight } => {
                let scale = match scale {
                    Scale::MinMax => "min-max",
                    Scale::Deviations => "z-score",
                };
                let rest = 1.0 - bm25_weight;
                format!("fusion {bm25_weight:.1}/{rest:.1}, {scale}, {}", of(pool))
            }
            Self::ReciprocalRank { pool } => format!("reciprocal rank, {}", of(pool)),
        }
    }

    /// The documents, best first; at most `depth` from each side are looked at.
    pub(crate) fn rank(self, clues: &Clues, depth: usize) -> Vec<usize> {
        match self {
            Self::Bm25 => clues.bm25.iter().take(depth).map(|it| it.0).collect(),
            Self::Likeness => likest(&clues.likeness, depth),
            Self::Weighted { pool, scale, bm25_weight } => {
                let (places, candidates) = gather(clues, pool, depth);
                let scores = match scale {
                    Scale::MinMax => fuse(&candidates, bm25_weight),
                    Scale::Deviations => fuse_deviations(&candidates, bm25_weight),
                };
                order(&places, &scores)
            }
            Self::ReciprocalRank { pool } => {
                let (places, candidates) = gather(clues, pool, depth);
                order(&places, &reciprocal_rank(&candidates))
            }
        }
    }
}

fn gather(clues: &Clues, pool: Pool, depth: usize) -> (Vec<usize>, Vec<Candidate>) {
    let likeness = |place: usize| clues.likeness.get(place).copied().flatten();
    let mut places = Vec::new();
    let mut candidates = Vec::new();
    for (place, score) in clues.bm25.iter().take(depth) {
        places.push(*place);
        candidates.push(Candidate { bm25: Some(*score), likeness: likeness(*place) });
    }
    if pool == Pool::Both {
        for place in likest(&clues.likeness, depth) {
            if !places.contains(&place) {
                places.push(place);
                candidates.push(Candidate { bm25: None, likeness: likeness(place) });
            }
        }
    }
    (places, candidates)
}

fn likest(likeness: &[Option<f64>], depth: usize) -> Vec<usize> {
    let known = likeness.iter().enumerate().filter_map(|(place, it)| Some((place, (*it)?)));
    let (places, scores): (Vec<_>, Vec<_>) = known.unzip();
    let mut places = order(&places, &scores);
    places.truncate(depth);
    places
}

/// Best first; equals stay as they came.
fn order(places: &[usize], scores: &[f64]) -> Vec<usize> {
    let mut ranked: Vec<_> = places.iter().zip(scores).collect();
    ranked.sort_by(|a, b| b.1.partial_cmp(a.1).unwrap_or(Ordering::Equal));
    ranked.into_iter().map(|it| *it.0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clues() -> Clues {
        Clues {
            bm25: vec![(4, 9.0), (2, 6.0), (0, 3.0)],
            likeness: vec![Some(0.1), Some(0.9), Some(0.8), None, Some(0.1)],
        }
    }

    fn weigh(pool: Pool, bm25_weight: f64) -> Method {
        Method::Weighted { pool, scale: Scale::MinMax, bm25_weight }
    }

    #[test]
    fn each_method_ranks_what_it_knows() {
        assert_eq!(Method::Bm25.rank(&clues(), 10), [4, 2, 0]);
        assert_eq!(Method::Likeness.rank(&clues(), 3), [1, 2, 0]);
        assert_eq!(weigh(Pool::Found, 0.3).rank(&clues(), 10), [2, 4, 0]);
        assert_eq!(weigh(Pool::Both, 0.3).rank(&clues(), 10), [2, 1, 4, 0]);
        assert_eq!(weigh(Pool::Both, 1.0).rank(&clues(), 10), [4, 2, 0, 1]);
    }

    #[test]
    fn a_query_the_model_does_not_read_keeps_the_order_of_bm25() {
        let silent = Clues { likeness: Vec::new(), ..clues() };
        for method in [CHOSEN, Method::ReciprocalRank { pool: Pool::Both }] {
            assert_eq!(method.rank(&silent, 10), [4, 2, 0], "{}", method.name());
        }
        assert_eq!(Method::Likeness.rank(&silent, 10), Vec::<usize>::new());
    }

    #[test]
    fn methods_have_names() {
        assert_eq!(weigh(Pool::Found, 0.3).name(), "fusion 0.3/0.7, min-max, BM25's");
        assert_eq!(Method::ReciprocalRank { pool: Pool::Both }.name(), "reciprocal rank, both");
    }
}
