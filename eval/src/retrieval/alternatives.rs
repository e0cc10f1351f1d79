//! Ways of joining rankings that were tried beside the one in [`crate::fusion`]. Pure.

use crate::fusion::{Candidate, fuse_scaled};

/// The usual damping of reciprocal rank fusion.
const DAMPING: f64 = 60.0;

/// Weighted sum of both scores, each in standard deviations from its mean.
pub(crate) fn fuse_deviations(candidates: &[Candidate], bm25_weight: f64) -> Vec<f64> {
    fuse_scaled(candidates, bm25_weight, |known| {
        let count = known.len().max(1) as f64;
        let mean = known.iter().sum::<f64>() / count;
        (mean, (known.iter().map(|it| (it - mean).powi(2)).sum::<f64>() / count).sqrt())
    })
}

/// Reciprocal rank fusion: each ranking gives 1 / (60 + place).
pub(crate) fn reciprocal_rank(candidates: &[Candidate]) -> Vec<f64> {
    let mut sums = vec![0.0; candidates.len()];
    let scores: [fn(&Candidate) -> Option<f64>; 2] = [|it| it.bm25, |it| it.likeness];
    for score in scores {
        let mut known: Vec<(usize, f64)> = candidates
            .iter()
            .enumerate()
            .filter_map(|(index, it)| Some((index, score(it)?)))
            .collect();
        known.sort_by(|a, b| b.1.total_cmp(&a.1));
        for (place, (index, _)) in known.into_iter().enumerate() {
            sums[index] += 1.0 / (DAMPING + place as f64 + 1.0);
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(bm25: Option<f64>, likeness: Option<f64>) -> Candidate {
        Candidate { bm25, likeness }
    }

    #[test]
    fn deviations_count_from_the_mean() {
        let two = [candidate(Some(4.0), Some(0.5)), candidate(Some(2.0), Some(1.0))];
        assert_eq!(fuse_deviations(&two, 0.25), [-0.5, 0.5]);
    }

    #[test]
    fn places_in_both_rankings_add_up() {
        let three = [
            candidate(Some(9.0), Some(0.2)),
            candidate(Some(5.0), Some(0.9)),
            candidate(None, Some(0.5)),
        ];
        let expected = [1.0 / 61.0 + 1.0 / 63.0, 1.0 / 62.0 + 1.0 / 61.0, 1.0 / 62.0];
        assert_eq!(reciprocal_rank(&three), expected);
    }

    #[test]
    fn without_embeddings_the_order_is_that_of_bm25() {
        let two = [candidate(Some(3.0), None), candidate(Some(7.0), None)];
        assert_eq!(reciprocal_rank(&two), [1.0 / 62.0, 1.0 / 61.0]);
    }
}
