//! Keeping the best of very many candidates.

/// A row that may be among the nearest: its place in the table and its rounded similarity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Candidate {
    pub(super) score: f32,
    pub(super) seq: i64,
}

impl Candidate {
    /// Nearest first; of equals, the one recorded first.
    fn order(&self, other: &Self) -> std::cmp::Ordering {
        other.score.total_cmp(&self.score).then(self.seq.cmp(&other.seq))
    }
}

/// The `keep` best candidates seen so far.
///
/// Collects up to twice as many and then throws the worse half away: cheaper than a heap, and what
/// remains does not depend on the order of arrival.
#[derive(Debug)]
pub(super) struct Best {
    keep: usize,
    found: Vec<Candidate>,
    worst_kept: Option<Candidate>,
}

impl Best {
    pub(super) fn new(keep: usize) -> Self {
        Self { keep, found: Vec::with_capacity(2 * keep), worst_kept: None }
    }

    /// Scores below this cannot enter any more.
    pub(super) fn floor(&self) -> f32 {
        self.worst_kept.map_or(f32::NEG_INFINITY, |it| it.score)
    }

    pub(super) fn offer(&mut self, candidate: Candidate) {
        if self.worst_kept.is_some_and(|worst| candidate.order(&worst).is_gt()) {
            return;
        }
        self.found.push(candidate);
        if self.found.len() >= 2 * self.keep {
            self.cut();
        }
    }

    fn cut(&mut self) {
        if self.keep > 0 && self.found.len() > self.keep {
            let (_, worst, _) = self.found.select_nth_unstable_by(self.keep - 1, Candidate::order);
            self.worst_kept = Some(*worst);
        }
        self.found.truncate(self.keep);
    }

    pub(super) fn merge(mut self, other: Self) -> Self {
        other.found.into_iter().for_each(|it| self.offer(it));
        self
    }

    /// Nearest first.
    pub(super) fn into_sorted(mut self) -> Vec<Candidate> {
        self.cut();
        self.found.sort_unstable_by(Candidate::order);
        self.found
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_best_are_the_first_of_all_in_order(
            keep in 1_usize..20,
            scores in proptest::collection::vec(0_u8..10, 0..200),
            cut in 0_usize..200,
        ) {
            let all: Vec<Candidate> = (0..)
                .zip(&scores)
                .map(|(seq, score)| Candidate { score: f32::from(*score), seq })
                .collect();
            let (left, right) = all.split_at(cut.min(all.len()));
            let best_of = |some: &[Candidate]| {
                let mut best = Best::new(keep);
                some.iter().rev().for_each(|it| best.offer(*it));
                best
            };
            let mut expected = all.clone();
            expected.sort_by(Candidate::order);
            expected.truncate(keep);
            prop_assert_eq!(best_of(left).merge(best_of(right)).into_sorted(), expected);
        }
    }
}
