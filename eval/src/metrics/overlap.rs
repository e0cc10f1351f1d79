//! How much two lists share, each entry counted as often as it occurs.

use std::collections::HashMap;
use std::hash::Hash;

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Overlap {
    pub(crate) precision: f64,
    pub(crate) recall: f64,
    pub(crate) f1: f64,
}

/// What was found against what should be; nothing found is right only where there is nothing to find.
pub(crate) fn overlap<T: Eq + Hash>(found: &[T], gold: &[T]) -> Overlap {
    if gold.is_empty() || found.is_empty() {
        let value = if gold.is_empty() && found.is_empty() { 1.0 } else { 0.0 };
        return Overlap { precision: value, recall: value, f1: value };
    }
    let mut left: HashMap<&T, usize> = HashMap::new();
    for entry in gold {
        *left.entry(entry).or_default() += 1;
    }
    let mut shared = 0_usize;
    for entry in found {
        if let Some(count) = left.get_mut(entry)
            && *count > 0
        {
            *count -= 1;
            shared += 1;
        }
    }
    let shared = shared as f64;
    Overlap {
        precision: shared / found.len() as f64,
        recall: shared / gold.len() as f64,
        f1: 2.0 * shared / (found.len() + gold.len()) as f64,
    }
}

/// The middle of a list, the mean of the two middle ones where it has an even length; none of an empty list.
pub(crate) fn median(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let mut sorted: Vec<f64> = values.into_iter().collect();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    let upper = *sorted.get(middle)?;
    Some(if sorted.len() % 2 == 1 { upper } else { f64::midpoint(sorted[middle - 1], upper) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_counted_as_often_as_they_occur() {
        let found = ["the", "sea", "the", "sea"];
        let score = overlap(&found, &["the", "sea", "rises"]);
        assert_eq!(score, Overlap { precision: 0.5, recall: 2.0 / 3.0, f1: 4.0 / 7.0 });
    }

    #[test]
    fn nothing_found_is_right_only_where_there_is_nothing() {
        assert_eq!(overlap::<u8>(&[], &[]).f1, 1.0);
        assert_eq!(overlap(&[1], &[]).f1, 0.0);
        assert_eq!(overlap(&[], &[1]).f1, 0.0);
    }

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median([3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median([4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median([]), None);
    }
}
