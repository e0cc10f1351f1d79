//! Precision, recall and F1 of abstracts with a stance; one counts when its label is right.

use std::collections::BTreeMap;

use evidence::Stance;
use serde_json::{Value, json};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) right: usize,
    pub(crate) taken: usize,
    pub(crate) there: usize,
}

impl Counts {
    /// Adds one claim: what was said about abstracts, and what is true.
    pub(crate) fn add(
        &mut self,
        said: &BTreeMap<usize, Stance>,
        truth: &BTreeMap<usize, Stance>,
        of: impl Fn(Stance) -> bool,
    ) {
        let said = said.iter().filter(|it| *it.1 != Stance::Neutral && of(*it.1));
        for (place, stance) in said {
            self.taken += 1;
            self.right += usize::from(truth.get(place) == Some(stance));
        }
        self.there += truth.values().filter(|it| of(**it)).count();
    }

    pub(crate) fn precision(self) -> f64 {
        self.right as f64 / self.taken.max(1) as f64
    }

    pub(crate) fn recall(self) -> f64 {
        self.right as f64 / self.there.max(1) as f64
    }

    pub(crate) fn f1(self) -> f64 {
        2.0 * self.right as f64 / (self.taken + self.there).max(1) as f64
    }

    pub(crate) fn json(self) -> Value {
        json!({
            "precision": self.precision(), "recall": self.recall(), "f1": self.f1(),
            "right": self.right, "taken": self.taken, "there": self.there,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_abstract_counts_when_its_label_is_right() {
        let truth =
            BTreeMap::from([(1, Stance::Supports), (2, Stance::Refutes), (3, Stance::Refutes)]);
        let said = BTreeMap::from([
            (1, Stance::Refutes),
            (2, Stance::Refutes),
            (3, Stance::Neutral),
            (4, Stance::Supports),
        ]);
        let (mut all, mut refutes) = (Counts::default(), Counts::default());
        all.add(&said, &truth, |_| true);
        refutes.add(&said, &truth, |it| it == Stance::Refutes);
        assert_eq!(all, Counts { right: 1, taken: 3, there: 3 });
        assert_eq!(refutes, Counts { right: 1, taken: 2, there: 2 });
        assert_eq!((all.precision(), all.recall(), all.f1()), (1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0));
    }

    #[test]
    fn nothing_said_and_nothing_there_is_nothing() {
        let none = Counts::default();
        assert_eq!((none.precision(), none.recall(), none.f1()), (0.0, 0.0, 0.0));
    }
}
