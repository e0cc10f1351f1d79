//! Which blocks are the content of a page.
//!
//! Every block gets a chance from the forest; the set of blocks with the largest expected F1 is
//! taken. On a clear page that is everything above one half; on an unclear one it reaches lower
//! rather than return almost nothing.

use super::features::Features;
use super::forest;

/// Marks the blocks that are content. `None` stands for a hidden block, which never is.
pub(crate) fn choose(features: &[Option<Features>], words: &[f32]) -> Vec<bool> {
    let forest = forest::blocks();
    let seen: Vec<&Features> = features.iter().flatten().collect();
    let mut found = forest.chances(&seen).into_iter();
    let chances: Vec<Option<f32>> =
        features.iter().map(|it| it.as_ref().and_then(|_| found.next())).collect();
    largest_expected_f1(&chances, words)
}

fn largest_expected_f1(chances: &[Option<f32>], words: &[f32]) -> Vec<bool> {
    let mut order: Vec<(usize, f32)> =
        chances.iter().enumerate().filter_map(|(index, it)| Some((index, (*it)?))).collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1));
    let expected_all: f32 = order.iter().map(|(index, chance)| chance * words[*index]).sum();
    let (mut expected, mut taken) = (0.0, 0.0);
    let (mut best, mut best_count) = (0.0, 0);
    for (place, (index, chance)) in order.iter().enumerate() {
        expected += chance * words[*index];
        taken += words[*index];
        let f1 = 2.0 * expected / (taken + expected_all + f32::EPSILON);
        if f1 > best {
            (best, best_count) = (f1, place + 1);
        }
    }
    let mut keep = vec![false; chances.len()];
    for (index, _) in &order[..best_count] {
        keep[*index] = true;
    }
    keep
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clear_page_keeps_what_is_likely() {
        let chances = [Some(0.05), Some(0.95), Some(0.9), None, Some(0.1)];
        let keep = largest_expected_f1(&chances, &[10.0, 100.0, 80.0, 500.0, 10.0]);
        assert_eq!(keep, [false, true, true, false, false]);
    }

    #[test]
    fn an_unclear_page_reaches_lower_than_one_half() {
        let keep =
            largest_expected_f1(&[Some(0.3), Some(0.28), Some(0.01)], &[100.0, 100.0, 100.0]);
        assert_eq!(keep, [true, true, false]);
    }

    #[test]
    fn a_page_without_words_has_no_content() {
        assert_eq!(largest_expected_f1(&[], &[]), Vec::<bool>::new());
        assert_eq!(largest_expected_f1(&[Some(0.9), None], &[0.0, 5.0]), [false, false]);
    }
}
