//! Two rankings become one. Pure.
//!
//! BM25 and likeness of embeddings live on different scales, so each is brought to 0..1 over the
//! candidates of a query (the least is 0, the largest 1) before they are added. A candidate that BM25
//! did not return is known to be no better there than the last that it did, and takes that one's
//! place. One without an embedding (in a language the model does not read) is judged by BM25 alone;
//! if that is so for all of them, the order is that of BM25.

/// The weight of BM25; the embedding has the rest to 1. `docs/benchmarks.md` shows what else was tried.
pub(crate) const BM25_WEIGHT: f64 = 0.3;

/// What is known about one document.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Candidate {
    pub(crate) bm25: Option<f64>,
    pub(crate) likeness: Option<f64>,
}

/// The weighted sum of both scores for each candidate.
pub(crate) fn fuse(candidates: &[Candidate], bm25_weight: f64) -> Vec<f64> {
    fuse_scaled(candidates, bm25_weight, |known| {
        let least = known.iter().copied().fold(f64::INFINITY, f64::min);
        (least, known.iter().copied().fold(f64::NEG_INFINITY, f64::max) - least)
    })
}

/// The same on any scale: `scale` says which score becomes 0, and what is one step.
pub(crate) fn fuse_scaled(
    candidates: &[Candidate],
    bm25_weight: f64,
    scale: fn(&[f64]) -> (f64, f64),
) -> Vec<f64> {
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

fn scaled(scores: &[Option<f64>], scale: fn(&[f64]) -> (f64, f64)) -> Vec<Option<f64>> {
    let known: Vec<f64> = scores.iter().filter_map(|it| *it).collect();
    let (zero, step) = scale(&known);
    // Equal scores say nothing.
    let bring = |it: f64| if step > 0.0 { (it - zero) / step } else { 0.0 };
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
        assert_eq!(fuse(&three, 0.25), [0.25, 0.375, 0.75]);
        assert_eq!(fuse(&three, 1.0), [1.0, 0.0, 0.0]);
        assert_eq!(fuse(&three, 0.0), [0.0, 0.5, 1.0]);
    }

    #[test]
    fn without_embeddings_the_order_is_that_of_bm25() {
        let three = candidates(&[(Some(3.0), None), (Some(7.0), None), (Some(4.0), None)]);
        assert_eq!(fuse(&three, BM25_WEIGHT), [0.0, 1.0, 0.25]);
    }

    #[test]
    fn equal_or_missing_scores_decide_nothing() {
        let equal = candidates(&[(Some(3.0), Some(0.25)), (Some(3.0), Some(0.75))]);
        assert_eq!(fuse(&equal, 0.5), [0.0, 0.5]);
        let unfound = candidates(&[(None, Some(0.25)), (None, Some(0.75))]);
        assert_eq!(fuse(&unfound, 0.5), [0.0, 0.5]);
        assert_eq!(fuse(&[], 0.5), Vec::<f64>::new());
    }
}
