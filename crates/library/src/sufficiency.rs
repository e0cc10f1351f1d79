//! Whether what was found is enough: one formula for manuals and vault.
//!
//! score = 0.4 * concepts + 0.2 * facets + 0.2 * searched + 0.2 * agreement, each between 0 and 1. Without a
//! candidate it is 0; with fewer than `few_below` it is multiplied by candidates / `few_below`.

use std::collections::BTreeMap;

use crate::answer::rounded;

/// What speaks for a search having found everything.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sufficiency {
    pub(crate) candidates: usize,
    pub(crate) few_below: usize,
    /// The share of what was asked for that is in any section.
    pub(crate) concepts: f64,
    /// The share of the asked facets that a candidate answers; the concepts where a search knows no facets.
    pub(crate) facets: f64,
    /// The share of the text that was searched.
    pub(crate) searched: f64,
    /// Lowered by candidates that disagree, or that are nearly all in one file.
    pub(crate) agreement: f64,
}

impl Sufficiency {
    pub(crate) fn score(&self) -> f64 {
        if self.candidates == 0 {
            return 0.0;
        }
        let few = (self.candidates as f64 / self.few_below.max(1) as f64).min(1.0);
        let parts =
            0.4 * self.concepts + 0.2 * self.facets + 0.2 * self.searched + 0.2 * self.agreement;
        rounded(parts * few)
    }
}

/// A bias among fewer candidates says nothing.
const BIAS_CANDIDATES: usize = 5;

/// How many of the candidates are in one file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FileBias<F> {
    pub(crate) share: f64,
    /// The file with most of them.
    pub(crate) file: Option<F>,
    candidates: usize,
}

impl<F: Ord + Copy> FileBias<F> {
    /// Takes the file of each candidate.
    pub(crate) fn of(files: impl Iterator<Item = F>) -> Self {
        let mut counts: BTreeMap<F, usize> = BTreeMap::new();
        files.for_each(|file| *counts.entry(file).or_default() += 1);
        let candidates = counts.values().sum();
        let most = counts.into_iter().max_by_key(|(_, count)| *count);
        let share = most.map_or(0.0, |(_, count)| count as f64 / candidates as f64);
        Self { share, file: most.map(|(file, _)| file), candidates }
    }

    pub(crate) fn is_high(&self, threshold: f64) -> bool {
        self.candidates >= BIAS_CANDIDATES && self.share >= threshold
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_has_its_weight_and_few_candidates_lower_the_score() {
        let all = Sufficiency {
            candidates: 3,
            few_below: 3,
            concepts: 0.5,
            facets: 1.0,
            searched: 0.25,
            agreement: 0.5,
        };
        assert_eq!(all.score(), 0.55);
        assert_eq!(Sufficiency { candidates: 1, ..all }.score(), 0.183);
        assert_eq!(Sufficiency { candidates: 0, ..all }.score(), 0.0);
    }

    #[test]
    fn a_bias_needs_five_candidates() {
        let bias = FileBias::of([1, 2, 2, 2, 2].into_iter());
        assert_eq!((bias.share, bias.file, bias.is_high(0.8)), (0.8, Some(2), true));
        assert!(!FileBias::of([2, 2, 2, 2].into_iter()).is_high(0.8));
        assert_eq!(FileBias::<u32>::of([].into_iter()).share, 0.0);
    }
}
