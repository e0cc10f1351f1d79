//! Whether two lists of numbers put things in the same order.

/// Spearman's correlation: that of the ranks, equal values sharing the mean of theirs. Nothing where
/// one of the lists has no order (fewer than two different values).
pub(crate) fn spearman(a: &[f64], b: &[f64]) -> Option<f64> {
    assert_eq!(a.len(), b.len(), "both lists are about the same things");
    pearson(&ranks(a), &ranks(b))
}

/// How likely one of `high` is larger than one of `low`, equals counting half (the area under the
/// ROC curve): 0.5 is chance. Nothing where one of the lists is empty.
pub(crate) fn auc(high: &[f64], low: &[f64]) -> Option<f64> {
    if high.is_empty() || low.is_empty() {
        return None;
    }
    let ranks = ranks(&[high, low].concat());
    let sum: f64 = ranks[..high.len()].iter().sum();
    let (high, low) = (high.len() as f64, low.len() as f64);
    Some((sum - high * (high - 1.0) / 2.0) / (high * low))
}

fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    for group in order.chunk_by(|a, b| values[*a] == values[*b]) {
        let mean = start as f64 + (group.len() as f64 - 1.0) / 2.0;
        group.iter().for_each(|it| ranks[*it] = mean);
        start += group.len();
    }
    ranks
}

fn pearson(a: &[f64], b: &[f64]) -> Option<f64> {
    let mean = |it: &[f64]| it.iter().sum::<f64>() / it.len() as f64;
    let (mean_a, mean_b) = (mean(a), mean(b));
    let (mut both, mut square_a, mut square_b) = (0.0, 0.0, 0.0);
    for (a, b) in a.iter().zip(b) {
        both += (a - mean_a) * (b - mean_b);
        square_a += (a - mean_a).powi(2);
        square_b += (b - mean_b).powi(2);
    }
    let spread = (square_a * square_b).sqrt();
    (spread > 0.0).then(|| both / spread)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_alone_counts() {
        assert_eq!(spearman(&[1.0, 2.0, 30.0], &[0.1, 0.5, 0.6]), Some(1.0));
        assert_eq!(spearman(&[1.0, 2.0, 30.0], &[3.0, 2.0, 1.0]), Some(-1.0));
        // Ranks 0 1 2 3 against 1 0 3 2: 1 - 6 * 4 / (4 * 15).
        let found = spearman(&[1.0, 2.0, 3.0, 4.0], &[2.0, 1.0, 4.0, 3.0]).unwrap();
        assert!((found - 0.6).abs() < 1e-12, "{found}");
    }

    #[test]
    fn equal_values_share_their_rank() {
        // Ranks 0.5 0.5 2 against 0 1 2: 1.5 / sqrt(1.5 * 2).
        let found = spearman(&[5.0, 5.0, 9.0], &[1.0, 2.0, 3.0]).unwrap();
        assert!((found - 0.866_025_403_784_438_6).abs() < 1e-12, "{found}");
    }

    #[test]
    fn the_area_is_the_share_of_pairs_in_the_right_order() {
        assert_eq!(auc(&[0.9, 0.8], &[0.1, 0.2, 0.3]), Some(1.0));
        assert_eq!(auc(&[0.1], &[0.9]), Some(0.0));
        // 0.5 is above 0.3 and equal to 0.5: 1.5 of 2. 0.2 is above none.
        assert_eq!(auc(&[0.5, 0.2], &[0.5, 0.3]), Some(0.375));
        assert_eq!(auc(&[], &[0.5]), None);
        assert_eq!(auc(&[0.5], &[]), None);
    }

    #[test]
    fn without_an_order_there_is_no_answer() {
        assert_eq!(spearman(&[1.0, 1.0], &[1.0, 2.0]), None);
        assert_eq!(spearman(&[1.0], &[2.0]), None);
        assert_eq!(spearman(&[], &[]), None);
    }
}
