//! How good the top of a ranking is. Relevance is yes or no.

use std::collections::HashSet;

/// Normalised discounted gain of the first `depth` documents: 1 when as many relevant ones as could
/// stand there do, at the very top.
pub(crate) fn ndcg(ranking: &[usize], relevant: &HashSet<usize>, depth: usize) -> f64 {
    let discount = |place: usize| 1.0 / ((place + 2) as f64).log2();
    let gained: f64 = ranking
        .iter()
        .take(depth)
        .enumerate()
        .filter(|(_, document)| relevant.contains(document))
        .map(|(place, _)| discount(place))
        .sum();
    let ideal: f64 = (0..relevant.len().min(depth)).map(discount).sum();
    if ideal == 0.0 { 0.0 } else { gained / ideal }
}

/// The share of the relevant documents among the first `depth`.
pub(crate) fn recall(ranking: &[usize], relevant: &HashSet<usize>, depth: usize) -> f64 {
    let found = ranking.iter().take(depth).filter(|it| relevant.contains(it)).count();
    if relevant.is_empty() { 0.0 } else { found as f64 / relevant.len() as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
    }

    #[test]
    fn gain_falls_with_the_place() {
        let relevant = HashSet::from([7, 8]);
        // Places 1 and 3 of two: (1 + 1/2) / (1 + 1/log2(3)).
        close(ndcg(&[7, 1, 8], &relevant, 10), 1.5 / (1.0 + 1.0 / 3f64.log2()));
        close(ndcg(&[7, 1, 8], &relevant, 10), 0.919_720_789_148_187_6);
        close(ndcg(&[8, 7], &relevant, 10), 1.0);
        // The ideal is cut at the same depth.
        close(ndcg(&[8, 1, 7], &relevant, 1), 1.0);
        close(ndcg(&[1, 8], &relevant, 1), 0.0);
        close(ndcg(&[], &relevant, 10), 0.0);
        close(ndcg(&[1], &HashSet::new(), 10), 0.0);
    }

    #[test]
    fn recall_counts_what_was_found_of_what_there_is() {
        let relevant = HashSet::from([1, 2, 3, 4]);
        close(recall(&[9, 2, 1, 3], &relevant, 3), 0.5);
        close(recall(&[9, 2, 1, 3], &relevant, 10), 0.75);
        close(recall(&[1], &HashSet::new(), 10), 0.0);
    }
}
