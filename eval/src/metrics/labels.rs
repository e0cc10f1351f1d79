//! How good guessed labels are, and how honest their probabilities.

use serde::Serialize;

/// Bins of equal width over the probability of the chosen label.
const BINS: usize = 15;

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Scores {
    pub(crate) accuracy: f64,
    /// F1 of every label, all weighing the same.
    pub(crate) macro_f1: f64,
    /// Expected calibration error: how far stated probabilities are from what came true.
    pub(crate) ece: f64,
    /// Squared error of the probabilities, summed over the labels.
    pub(crate) brier: f64,
}

/// Scores rows of probabilities against the true labels; the first of the likeliest is chosen.
pub(crate) fn score(probabilities: &[Vec<f64>], truth: &[usize], labels: usize) -> Scores {
    assert_eq!(probabilities.len(), truth.len(), "every row has a true label");
    let chosen: Vec<usize> = probabilities.iter().map(|it| likeliest(it)).collect();
    let (accuracy, macro_f1) = score_hard(&chosen, truth, labels);
    let stated: Vec<(f64, bool)> = probabilities
        .iter()
        .zip(chosen.iter().zip(truth))
        .map(|(row, (chosen, truth))| (row[*chosen], chosen == truth))
        .collect();
    Scores { accuracy, macro_f1, ece: ece(&stated), brier: brier(probabilities, truth) }
}

/// Accuracy and macro-F1 of guesses without probabilities.
pub(crate) fn score_hard(chosen: &[usize], truth: &[usize], labels: usize) -> (f64, f64) {
    let rows = truth.len().max(1) as f64;
    let right = chosen.iter().zip(truth).filter(|(a, b)| a == b).count();
    let f1 = |label: usize| {
        let both = chosen.iter().zip(truth).filter(|(a, b)| **a == label && a == b).count();
        let named = chosen.iter().filter(|it| **it == label).count();
        let there = truth.iter().filter(|it| **it == label).count();
        2.0 * both as f64 / ((named + there).max(1)) as f64
    };
    let macro_f1 = (0..labels).map(f1).sum::<f64>() / labels.max(1) as f64;
    (right as f64 / rows, macro_f1)
}

/// Always the most frequent label; the first of equals.
pub(crate) fn majority(truth: &[usize], labels: usize) -> usize {
    let count = |label: usize| truth.iter().filter(|it| **it == label).count();
    (0..labels).max_by_key(|it| (count(*it), labels - it)).unwrap_or(0)
}

fn likeliest(row: &[f64]) -> usize {
    let mut best = 0;
    for (index, value) in row.iter().enumerate() {
        if *value > row[best] {
            best = index;
        }
    }
    best
}

/// Takes (stated probability, came true).
fn ece(stated: &[(f64, bool)]) -> f64 {
    let mut bins = [(0.0, 0.0); BINS];
    for (probability, right) in stated {
        let bin = &mut bins[((probability * BINS as f64) as usize).min(BINS - 1)];
        bin.0 += probability;
        bin.1 += f64::from(u8::from(*right));
    }
    // |mean stated - mean right| weighed by the rows of the bin is the difference of the sums.
    bins.iter().map(|(stated, right)| (stated - right).abs()).sum::<f64>()
        / stated.len().max(1) as f64
}

fn brier(probabilities: &[Vec<f64>], truth: &[usize]) -> f64 {
    let row = |(row, truth): (&Vec<f64>, &usize)| -> f64 {
        let error =
            |(label, it): (usize, &f64)| (it - f64::from(u8::from(label == *truth))).powi(2);
        row.iter().enumerate().map(error).sum()
    };
    probabilities.iter().zip(truth).map(row).sum::<f64>() / truth.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
    }

    #[test]
    fn four_rows_by_hand() {
        let rows =
            [vec![0.8, 0.1, 0.1], vec![0.8, 0.1, 0.1], vec![0.2, 0.7, 0.1], vec![0.1, 0.1, 0.8]];
        let found = score(&rows, &[0, 1, 1, 2], 3);
        close(found.accuracy, 0.75);
        // Label 0: precision 1/2, recall 1; label 1: precision 1, recall 1/2; label 2: both 1.
        close(found.macro_f1, (2.0 / 3.0 + 2.0 / 3.0 + 1.0) / 3.0);
        // 0.8 is said three times and right twice, 0.7 once and right: (|2.4 - 2| + |0.7 - 1|) / 4.
        close(found.ece, 0.175);
        // 0.06, 0.64 + 0.81 + 0.01, 0.04 + 0.09 + 0.01, 0.06.
        close(found.brier, (0.06 + 1.46 + 0.14 + 0.06) / 4.0);
    }

    #[test]
    fn certainty_that_is_right_has_no_error() {
        let found = score(&[vec![1.0, 0.0], vec![0.0, 1.0]], &[0, 1], 2);
        assert_eq!(found, Scores { accuracy: 1.0, macro_f1: 1.0, ece: 0.0, brier: 0.0 });
    }

    #[test]
    fn a_label_nobody_names_and_nobody_has_counts_as_missed() {
        close(score_hard(&[0, 0], &[0, 0], 2).1, 0.5);
        assert_eq!(score_hard(&[], &[], 3), (0.0, 0.0));
    }

    #[test]
    fn the_majority_is_the_first_of_the_most_frequent() {
        assert_eq!(majority(&[2, 1, 2, 0], 3), 2);
        assert_eq!(majority(&[1, 0], 3), 0);
        assert_eq!(majority(&[], 3), 0);
    }
}
