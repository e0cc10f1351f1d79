//! Two rankings become one. Pure.
//!
//! BM25 and likeness of embeddings live on different scales, so each is brought to a common one over
//! the candidates of a query before they are added. A candidate that BM25 did not return is known to
//! be no better there than the last that it did, and takes that one's place. One without an embedding
//! (in a language the model does not read) is judged by BM25 alone; if that is so for all of them,
//! the order is that of BM25.

/// What is known about one document.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Candidate {
    pub(crate) bm25: Option<f64>,
    pub(crate) likeness: Option<f64>,
}

/// How scores are made comparable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scale {
    /// The least is 0, the largest 1.
    MinMax,
    /// Standard deviations from the mean.
    Deviations,
}

/// Weighted sum of both scores; `bm25_weight` and the rest to 1.
pub(crate) fn weighted(candidates: &[Candidate], scale: Scale, bm25_weight: f64) -> Vec<f64> {
    let least = candidates.iter().filter_map(|it| it.bm25).fold(f64::INFINITY, f64::min);
    // Nothing found by words: all are equal there.
    let least = if least.is_finite() { least } else { 0.0 };
    let bm25: Vec<_> = candidates.iter().map(|it| Some(it.bm25.unwrap_or(least))).collect();
    let likeness: Vec<_> = candidates.iter().map(|it| it.likeness).collect();
    let (bm25, likeness) = (scaled(&bm25, scale), scaled(&likeness, scale));
    bm25.into_iter()
        .zip(likeness)
        .map(|(bm25, likeness)| {
            let bm25 = bm25.unwrap_or(0.0);
            likeness.map_or(bm25, |it| bm25_weight * bm25 + (1.0 - bm25_weight) * it)
        })
        .collect()
}

/// Reciprocal rank fusion: each ranking gives 1 / (`damping` + place).
pub(crate) fn reciprocal_rank(candidates: &[Candidate], damping: f64) -> Vec<f64> {
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
            sums[index] += 1.0 / (damping + place as f64 + 1.0);
        }
    }
    sums
}

fn scaled(scores: &[Option<f64>], scale: Scale) -> Vec<Option<f64>> {
    let known: Vec<f64> = scores.iter().filter_map(|it| *it).collect();
    let (zero, unit) = match scale {
        Scale::MinMax => {
            let least = known.iter().copied().fold(f64::INFINITY, f64::min);
            (least, known.iter().copied().fold(f64::NEG_INFINITY, f64::max) - least)
        }
        Scale::Deviations => {
            let count = known.len().max(1) as f64;
            let mean = known.iter().sum::<f64>() / count;
            (mean, (known.iter().map(|it| (it - mean).powi(2)).sum::<f64>() / count).sqrt())
        }
    };
    // Equal scores say nothing.
    let bring = |it: f64| if unit > 0.0 { (it - zero) / unit } else { 0.0 };
    scores.iter().map(|it| it.map(bring)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidates(pairs: &[(Option<f64>, Option<f64>)]) -> Vec<Candidate> {
        pairs
            .iter()
            .map(|(bm25, likeness)| Candidate { bm25: *bm25, likeness: *likeness })
            .collect()
    }

    #[test]
    fn both_scores_are_brought_to_one_scale_and_weighed() {
        let three =
            candidates(&[(Some(20.0), Some(0.5)), (Some(10.0), Some(0.75)), (None, Some(1.0))]);
        assert_eq!(weighted(&three, Scale::MinMax, 0.25), [0.25, 0.375, 0.75]);
        assert_eq!(weighted(&three, Scale::MinMax, 1.0), [1.0, 0.0, 0.0]);
        assert_eq!(weighted(&three, Scale::MinMax, 0.0), [0.0, 0.5, 1.0]);
    }

    #[test]
    fn deviations_count_from_the_mean() {
        let two = candidates(&[(Some(4.0), Some(0.5)), (Some(2.0), Some(1.0))]);
        assert_eq!(weighted(&two, Scale::Deviations, 0.25), [-0.5, 0.5]);
    }

    #[test]
    fn without_embeddings_the_order_is_that_of_bm25() {
        let two = candidates(&[(Some(3.0), None), (Some(7.0), None), (Some(4.0), None)]);
        assert_eq!(weighted(&two, Scale::MinMax, 0.3), [0.0, 1.0, 0.25]);
        let ranks = reciprocal_rank(&two, 60.0);
        assert_eq!(ranks, [1.0 / 63.0, 1.0 / 61.0, 1.0 / 62.0]);
    }

    #[test]
    fn equal_or_missing_scores_decide_nothing() {
        let equal = candidates(&[(Some(3.0), Some(0.1)), (Some(3.0), Some(0.2))]);
        for scale in [Scale::MinMax, Scale::Deviations] {
            let found = weighted(&equal, scale, 0.5);
            assert!(found[1] > found[0], "{found:?}");
        }
        let unfound = candidates(&[(None, Some(0.25)), (None, Some(0.75))]);
        assert_eq!(weighted(&unfound, Scale::MinMax, 0.5), [0.0, 0.5]);
        assert_eq!(weighted(&[], Scale::MinMax, 0.5), Vec::<f64>::new());
    }

    #[test]
    fn places_in_both_rankings_add_up() {
        let three =
            candidates(&[(Some(9.0), Some(0.2)), (Some(5.0), Some(0.9)), (None, Some(0.5))]);
        let expected = [1.0 / 2.0 + 1.0 / 4.0, 1.0 / 3.0 + 1.0 / 2.0, 1.0 / 3.0];
        assert_eq!(reciprocal_rank(&three, 1.0), expected);
    }
}
