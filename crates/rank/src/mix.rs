//! Two scales become one: BM25 has no upper end, cosines crowd in a small range.

/// Brings scores to 0..1: the least is 0, the largest 1. Where all are equal each is 1, for each is the best.
pub(crate) fn normalised(scores: &[f64]) -> Vec<f64> {
    let least = scores.iter().copied().fold(f64::INFINITY, f64::min);
    let range = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max) - least;
    scores.iter().map(|it| if range > 0.0 { (it - least) / range } else { 1.0 }).collect()
}

/// The same for scores of which some are unknown.
pub(crate) fn normalised_known(scores: &[Option<f64>]) -> Vec<Option<f64>> {
    let known: Vec<f64> = scores.iter().filter_map(|it| *it).collect();
    let mut known = normalised(&known).into_iter();
    scores.iter().map(|it| it.and_then(|_| known.next())).collect()
}

/// What words and meaning say of a passage, both normalised.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scored {
    pub(crate) bm25: f64,
    /// `None` where the embedder cannot read the passage.
    pub(crate) similarity: Option<f64>,
    /// In another language than the query: its words say nothing.
    pub(crate) foreign: bool,
}

/// The weighted mean of words and meaning.
///
/// A passage the embedder cannot read has its place by words only. It is taken to have the same place
/// by meaning: if it beats three quarters of the readable passages by words, it is given the similarity
/// that beats three quarters of them. Taking its score by words as its similarity would not be fair,
/// because BM25 falls off quickly and most of its normalised scores are far below most similarities.
/// Where no passage is readable, words alone are the score.
///
/// The words of a passage in another language are as unknown: it is given the score by words that beats
/// as many as its meaning does. Where all are in another language, meaning alone is the score.
pub(crate) fn fuse(passages: &[Scored], (bm25_weight, embedding_weight): (f64, f64)) -> Vec<f64> {
    let (words, meaning) = (bm25_weight.max(0.0), embedding_weight.max(0.0));
    let unreadable = passages.iter().all(|it| it.similarity.is_none());
    if unreadable || words + meaning <= 0.0 {
        return passages.iter().map(|it| it.bm25).collect();
    }
    let both_known = passages.iter().filter(|it| !it.foreign);
    let both_known = both_known.filter_map(|it| Some((it.bm25, it.similarity?)));
    let (mut by_words, mut by_meaning): (Vec<f64>, Vec<f64>) = both_known.unzip();
    by_words.sort_by(f64::total_cmp);
    by_meaning.sort_by(f64::total_cmp);
    let score = |passage: &Scored| {
        let (bm25, similarity) = match passage.similarity {
            Some(similarity) if passage.foreign && by_meaning.is_empty() => {
                (similarity, similarity)
            }
            Some(similarity) if passage.foreign => {
                (quantile(&by_words, percentile_rank(&by_meaning, similarity)), similarity)
            }
            Some(similarity) => (passage.bm25, similarity),
            None if by_words.is_empty() => (passage.bm25, passage.bm25),
            None => (passage.bm25, quantile(&by_meaning, percentile_rank(&by_words, passage.bm25))),
        };
        ((words * bm25 + meaning * similarity) / (words + meaning)).clamp(0.0, 1.0)
    };
    passages.iter().map(score).collect()
}

/// The share of the ascending values below one; equals count half.
fn percentile_rank(ascending: &[f64], value: f64) -> f64 {
    let below = ascending.partition_point(|it| *it < value);
    let not_above = ascending.partition_point(|it| *it <= value);
    (below + not_above) as f64 / (2 * ascending.len()) as f64
}

/// The value below which a share of the ascending values lies, between two of them where it falls there.
fn quantile(ascending: &[f64], share: f64) -> f64 {
    let place = share * (ascending.len() - 1) as f64;
    let (low, high) = (place.floor() as usize, place.ceil() as usize);
    ascending[low] + (ascending[high] - ascending[low]) * (place - place.floor())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fuse(
        bm25: &[f64],
        similarity: &[Option<f64>],
        foreign: &[bool],
        weights: (f64, f64),
    ) -> Vec<f64> {
        let columns = bm25.iter().zip(similarity).zip(foreign);
        let scored =
            columns.map(|((&bm25, &similarity), &foreign)| Scored { bm25, similarity, foreign });
        super::fuse(&scored.collect::<Vec<_>>(), weights)
    }

    #[test]
    fn the_least_is_nothing_and_the_largest_all() {
        assert_eq!(normalised(&[3.0, 7.0, 4.0]), [0.0, 1.0, 0.25]);
        assert_eq!(normalised(&[-0.5, 0.5]), [0.0, 1.0]);
        assert_eq!(normalised(&[0.4, 0.4]), [1.0, 1.0]);
        assert_eq!(normalised(&[0.4]), [1.0]);
        assert_eq!(normalised(&[]), [0.0; 0]);
        assert_eq!(normalised_known(&[Some(2.0), None, Some(4.0)]), [Some(0.0), None, Some(1.0)]);
    }

    #[test]
    fn words_and_meaning_are_weighed() {
        let similarity = [Some(0.0), Some(1.0), Some(0.5)];
        let fused = fuse(&[1.0, 0.5, 0.0], &similarity, &[false; 3], (0.25, 0.75));
        assert_eq!(fused, [0.25, 0.875, 0.375]);
    }

    #[test]
    fn only_the_ratio_of_the_weights_counts() {
        let of = |words, meaning| {
            fuse(&[1.0, 0.5], &[Some(0.0), Some(1.0)], &[false; 2], (words, meaning))
        };
        assert_eq!(of(1.0, 3.0), of(0.25, 0.75));
        assert_eq!(of(0.0, 0.0), [1.0, 0.5]);
        assert_eq!(of(-1.0, 1.0), [0.0, 1.0]);
    }

    #[test]
    fn a_passage_without_an_embedding_has_the_same_place_by_meaning_as_by_words() {
        // Four readable passages; the unreadable one beats half of them by words, so it gets the middle similarity.
        let bm25 = [0.0, 0.1, 0.3, 1.0, 0.2];
        let similarity = [Some(0.0), Some(0.6), Some(0.8), Some(1.0), None];
        let found = fuse(&bm25, &similarity, &[false; 5], (0.5, 0.5));
        assert_eq!(found[4], 0.5 * 0.2 + 0.5 * 0.7);
        // Beaten by all, beating all.
        for (words, meaning) in [(-0.1, 0.0), (1.1, 1.0)] {
            let bm25 = [0.0, 0.1, 0.3, 1.0, words];
            let expected = (0.5_f64 * words + 0.5 * meaning).clamp(0.0, 1.0);
            let found = fuse(&bm25, &similarity, &[false; 5], (0.5, 0.5));
            assert_eq!(found[4], expected, "{words}");
        }
        // As good by words as one readable passage: as good by meaning, too, where there is only that one.
        let found = fuse(&[0.5, 0.5], &[Some(1.0), None], &[false; 2], (0.3, 0.7));
        assert_eq!(found, [0.85, 0.85]);
    }

    #[test]
    fn a_passage_in_another_language_has_the_same_place_by_words_as_by_meaning() {
        // It beats half of the others by meaning, so it gets the middle score by words, not its own 0.
        let bm25 = [0.0, 0.2, 0.4, 1.0, 0.0];
        let similarity = [Some(0.0), Some(0.25), Some(0.75), Some(1.0), Some(0.5)];
        let foreign = [false, false, false, false, true];
        let found = fuse(&bm25, &similarity, &foreign, (0.5, 0.5));
        assert_eq!(found[..4], [0.0, 0.225, 0.575, 1.0]);
        assert_eq!(found[4], 0.5 * (0.2 + 0.5 * (0.4 - 0.2)) + 0.5 * 0.5);
        // Nearer than all others: as if it had the best words.
        let similarity = [Some(0.0), Some(0.25), Some(0.5), Some(0.75), Some(1.0)];
        assert_eq!(fuse(&bm25, &similarity, &foreign, (0.5, 0.5))[4], 1.0);
    }

    #[test]
    fn where_all_are_in_another_language_meaning_alone_is_the_score() {
        let found = fuse(&[0.0, 0.5], &[Some(1.0), Some(0.25)], &[true; 2], (0.3, 0.7));
        assert_eq!(found, [1.0, 0.25]);
        // One that no embedder reads keeps its words.
        let found = fuse(&[0.0, 0.5], &[Some(1.0), None], &[true; 2], (0.5, 0.5));
        assert_eq!(found, [1.0, 0.5]);
    }

    #[test]
    fn without_any_embedding_words_alone_are_the_score() {
        let found = fuse(&[1.0, 0.25, 0.0], &[None; 3], &[false; 3], (0.3, 0.7));
        assert_eq!(found, [1.0, 0.25, 0.0]);
        assert_eq!(fuse(&[], &[], &[], (0.3, 0.7)), [0.0; 0]);
    }
}
