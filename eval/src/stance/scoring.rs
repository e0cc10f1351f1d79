//! How a set is scored follows from its labels.

use models::Verdict;

use super::rows::{Row, Truth, length_bins};
use crate::metrics::{Scores, majority, score, score_hard};

/// Rows are split so often for the baseline that knows lengths only.
const FOLDS: usize = 5;

/// The answers a set allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Space {
    /// Supports, refutes, neutral.
    Three,
    /// Supports or refutes; what the model gives to neutral is shared out.
    SupportsRefutes,
    /// Supports, or anything else.
    SupportsOrNot,
}

impl Space {
    pub(crate) fn of(rows: &[Row]) -> Self {
        let has = |truth: Truth| rows.iter().any(|it| it.truth == truth);
        if has(Truth::NotSupported) || !has(Truth::Refutes) {
            Self::SupportsOrNot
        } else if has(Truth::Neutral) {
            Self::Three
        } else {
            Self::SupportsRefutes
        }
    }

    pub(crate) fn labels(self) -> usize {
        if self == Self::Three { 3 } else { 2 }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Three => "3",
            Self::SupportsRefutes => "2: supports/refutes",
            Self::SupportsOrNot => "2: supports/not",
        }
    }

    fn label(self, truth: Truth) -> usize {
        match (self, truth) {
            (_, Truth::Supports) => 0,
            (Self::Three, Truth::Neutral) => 2,
            _ => 1,
        }
    }

    fn probabilities(self, [supports, refutes, neutral]: [f64; 3]) -> Vec<f64> {
        match self {
            Self::Three => vec![supports, refutes, neutral],
            Self::SupportsRefutes => {
                let sides = (supports + refutes).max(f64::MIN_POSITIVE);
                vec![supports / sides, refutes / sides]
            }
            Self::SupportsOrNot => vec![supports, refutes + neutral],
        }
    }
}

/// The three probabilities of a verdict; nothing where the model abstained.
pub(crate) fn probabilities(verdict: &Verdict) -> Option<[f64; 3]> {
    match verdict {
        Verdict::Judged { supports, refutes, neutral, .. } => {
            Some([*supports, *refutes, *neutral].map(f64::from))
        }
        Verdict::Abstained { .. } => None,
    }
}

/// Scores the pairs the model judged, in the space of their set.
pub(crate) fn judged(space: Space, rows: &[Row], verdicts: &[Verdict]) -> Scores {
    let known = rows.iter().zip(verdicts).filter_map(|(row, it)| {
        Some((space.probabilities(probabilities(it)?), space.label(row.truth)))
    });
    let (stated, truth): (Vec<_>, Vec<_>) = known.unzip();
    score(&stated, &truth, space.labels())
}

/// The rows of several sets together, each in the space of its set: their calibration.
pub(crate) fn together(sets: &[(Space, &[Row], &[Verdict])]) -> f64 {
    let mut stated = Vec::new();
    let mut truth = Vec::new();
    for (space, rows, verdicts) in sets {
        for (row, verdict) in rows.iter().zip(*verdicts) {
            if let Some(it) = probabilities(verdict) {
                stated.push(space.probabilities(it));
                truth.push(space.label(row.truth));
            }
        }
    }
    score(&stated, &truth, 3).ece
}

/// Accuracy and macro-F1 of always saying the most frequent label.
pub(crate) fn majority_baseline(space: Space, rows: &[Row]) -> (f64, f64) {
    let truth = truths(space, rows);
    let label = majority(&truth, space.labels());
    score_hard(&vec![label; truth.len()], &truth, space.labels())
}

/// The same of saying, for each bin of lengths, its most frequent label in the other folds.
pub(crate) fn length_baseline(space: Space, rows: &[Row]) -> (f64, f64) {
    let (truth, bins) = (truths(space, rows), length_bins(rows));
    let guess = |place: usize| {
        let others: Vec<usize> = (0..rows.len())
            .filter(|it| it % FOLDS != place % FOLDS && bins[*it] == bins[place])
            .map(|it| truth[it])
            .collect();
        majority(&others, space.labels())
    };
    let chosen: Vec<usize> = (0..rows.len()).map(guess).collect();
    score_hard(&chosen, &truth, space.labels())
}

fn truths(space: Space, rows: &[Row]) -> Vec<usize> {
    rows.iter().map(|it| space.label(it.truth)).collect()
}

/// The stance at the thresholds the judgement brings; nothing where the model abstained.
pub(crate) fn taken(verdict: &Verdict) -> Option<evidence::Stance> {
    verdict.thresholds().and_then(|it| verdict.stance(&it)).map(|it| it.0)
}

/// How often a stance was taken at the model's thresholds, and how often rightly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Taken {
    pub(crate) rightly: usize,
    pub(crate) taken: usize,
    /// Rows where it would have been right.
    pub(crate) there: usize,
}

impl Taken {
    pub(crate) fn count(
        rows: &[Row],
        verdicts: &[Verdict],
        (stance, truth): (evidence::Stance, Truth),
    ) -> Self {
        let mut sum = Self::default();
        for (row, verdict) in rows.iter().zip(verdicts) {
            let taken = taken(verdict) == Some(stance);
            sum.taken += usize::from(taken);
            sum.there += usize::from(row.truth == truth);
            sum.rightly += usize::from(taken && row.truth == truth);
        }
        sum
    }

    /// Nothing where it was never taken.
    pub(crate) fn precision(self) -> Option<f64> {
        (self.taken > 0).then(|| self.rightly as f64 / self.taken as f64)
    }

    pub(crate) fn recall(self) -> Option<f64> {
        (self.there > 0).then(|| self.rightly as f64 / self.there as f64)
    }
}

#[cfg(test)]
mod tests {
    use evidence::Stance;
    use models::Thresholds;
    use text::language::detect;

    use super::*;

    fn rows(truths: &[Truth]) -> Vec<Row> {
        let row = |truth: &Truth| Row { claim: "c".into(), passage: "p".into(), truth: *truth };
        truths.iter().map(row).collect()
    }

    fn verdict(supports: f32, refutes: f32) -> Verdict {
        let neutral = 1.0 - supports - refutes;
        let (by, thresholds) = ("a-model".into(), Thresholds { supports: 0.5, refutes: 0.75 });
        Verdict::Judged { supports, refutes, neutral, window: 0..1, read: 1, by, thresholds }
    }

    #[test]
    fn the_labels_of_a_set_decide_how_it_is_scored() {
        use Truth::{Neutral, NotSupported, Refutes, Supports};
        assert_eq!(Space::of(&rows(&[Supports, Refutes, Neutral])), Space::Three);
        assert_eq!(Space::of(&rows(&[Supports, Refutes])), Space::SupportsRefutes);
        assert_eq!(Space::of(&rows(&[Supports, Neutral])), Space::SupportsOrNot);
        assert_eq!(Space::of(&rows(&[Supports, NotSupported])), Space::SupportsOrNot);
    }

    #[test]
    fn two_way_sets_are_scored_two_ways() {
        let verdicts = [verdict(0.25, 0.125), verdict(0.125, 0.25)];
        let sides = rows(&[Truth::Supports, Truth::Refutes]);
        let found = judged(Space::SupportsRefutes, &sides, &verdicts);
        assert_eq!((found.accuracy, found.macro_f1), (1.0, 1.0));
        // 0.25 against the 0.75 of the other two: not supported.
        let open = rows(&[Truth::Supports, Truth::NotSupported]);
        assert_eq!(judged(Space::SupportsOrNot, &open, &verdicts).accuracy, 0.5);
    }

    #[test]
    fn what_the_model_did_not_judge_is_not_scored() {
        let silent = Verdict::Abstained { language: detect("日本語の文章です。") };
        let three = rows(&[Truth::Supports, Truth::Refutes, Truth::Neutral]);
        let verdicts = [verdict(1.0, 0.0), silent, verdict(0.0, 0.0)];
        assert_eq!(judged(Space::Three, &three, &verdicts).accuracy, 1.0);
    }

    #[test]
    fn a_stance_below_its_threshold_is_not_taken() {
        let three = rows(&[Truth::Refutes, Truth::Refutes, Truth::Neutral, Truth::Supports]);
        let verdicts = [verdict(0.0, 1.0), verdict(0.0, 0.7), verdict(0.0, 0.8), verdict(0.9, 0.0)];
        let refutes = (Stance::Refutes, Truth::Refutes);
        let found = Taken::count(&three, &verdicts, refutes);
        assert_eq!(found, Taken { rightly: 1, taken: 2, there: 2 });
        assert_eq!((found.precision(), found.recall()), (Some(0.5), Some(0.5)));
        assert_eq!((Taken::default().precision(), Taken::default().recall()), (None, None));
    }

    #[test]
    fn length_alone_is_right_where_it_gives_the_label_away() {
        let mut told = rows(&[Truth::Supports; 20]);
        told.extend(rows(&[Truth::Refutes; 20]));
        told[20..].iter_mut().for_each(|it| it.passage = "long ".repeat(50));
        assert_eq!(length_baseline(Space::SupportsRefutes, &told), (1.0, 1.0));
        assert_eq!(majority_baseline(Space::SupportsRefutes, &told), (0.5, 1.0 / 3.0));
    }
}
