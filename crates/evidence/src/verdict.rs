//! The verdict on a task's question: arithmetic on the edges of its hypothesis, stored nowhere.

use crate::Confidence;
use crate::text_enum::text_enum;

text_enum! {
    /// What independent sources say of a statement, taken together.
    pub enum Verdict ("verdict") {
        Supported = "supported",
        Refuted = "refuted",
        Mixed = "mixed",
        NotEnough = "not_enough_evidence",
    }
}

impl Verdict {
    /// How far from one half a confidence must be to take a side.
    pub const EVEN: f64 = 0.05;

    /// The side of one half the confidence is on; neither near the middle, and nothing where no source takes a side.
    pub fn of(sum: &Confidence) -> Self {
        if sum.alpha + sum.beta <= 2.0 {
            return Self::NotEnough;
        }
        match sum.confidence - 0.5 {
            distance if distance > Self::EVEN => Self::Supported,
            distance if distance < -Self::EVEN => Self::Refuted,
            _ => Self::Mixed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Relation::{self, Neutral, Refutes, Supports};

    fn verdict(edges: &[(Relation, f64)]) -> Verdict {
        Verdict::of(&Confidence::from_edges(edges.iter().copied()))
    }

    #[test]
    fn the_heavier_side_decides_and_neither_near_the_middle() {
        assert_eq!(verdict(&[]), Verdict::NotEnough);
        assert_eq!(verdict(&[(Neutral, 0.9)]), Verdict::NotEnough);
        assert_eq!(verdict(&[(Supports, 0.6)]), Verdict::Supported);
        assert_eq!(verdict(&[(Refutes, 0.6)]), Verdict::Refuted);
        assert_eq!(verdict(&[(Supports, 0.9), (Refutes, 0.8)]), Verdict::Mixed);
        assert_eq!(
            verdict(&[(Supports, 0.9), (Supports, 0.9), (Refutes, 0.8)]),
            Verdict::Supported
        );
    }

    #[test]
    fn a_statement_and_its_opposite_get_opposite_verdicts() {
        let for_it = [(Supports, 0.8), (Refutes, 0.6), (Supports, 0.7)];
        let against =
            for_it.map(|(side, sure)| (if side == Supports { Refutes } else { Supports }, sure));
        assert_eq!((verdict(&for_it), verdict(&against)), (Verdict::Supported, Verdict::Refuted));
    }
}
