//! Confidence in a claim: a uniform prior, Beta(1, 1), updated by the certainty of each supporting
//! and refuting edge that counts ([`crate::voices`] says which do). Nothing else enters: not the domain, not the year,
//! not the order.

use serde::{Deserialize, Serialize};

use crate::Relation;

/// What the edges of one claim add up to.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Confidence {
    /// Expected probability that the claim holds: `alpha / (alpha + beta)`.
    pub confidence: f64,
    /// Standard deviation of that probability: large while there is little evidence.
    pub uncertainty: f64,
    /// Share of the weaker side in all evidence: 0 when one-sided, 0.5 when even.
    pub controversy: f64,
    pub alpha: f64,
    pub beta: f64,
    /// Independent sources on both sides, and passages that take none.
    pub evidence_count: u32,
}

impl Confidence {
    /// Adds up the edges that count, given as (relation, certainty of the judge).
    ///
    /// Neutral edges are counted and weigh nothing; citations are no evidence of this kind.
    pub fn from_edges(edges: impl IntoIterator<Item = (Relation, f64)>) -> Self {
        let (mut alpha, mut beta, mut evidence_count) = (1.0, 1.0, 0);
        for (relation, weight) in edges {
            match relation {
                Relation::Supports => alpha += weight,
                Relation::Refutes => beta += weight,
                Relation::Neutral => {}
                Relation::Cites => continue,
            }
            evidence_count += 1;
        }
        Self::from_counts(alpha, beta, evidence_count)
    }

    /// Derives the three figures from the parameters of the posterior.
    pub fn from_counts(alpha: f64, beta: f64, evidence_count: u32) -> Self {
        let sum = alpha + beta;
        let evidence = sum - 2.0;
        Self {
            confidence: alpha / sum,
            uncertainty: (alpha * beta / (sum * sum * (sum + 1.0))).sqrt(),
            controversy: if evidence > 0.0 {
                (alpha - 1.0).min(beta - 1.0) / evidence
            } else {
                0.0
            },
            alpha,
            beta,
            evidence_count,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Relation::{Cites, Neutral, Refutes, Supports};

    fn shown(edges: &[(Relation, f64)]) -> String {
        let it = Confidence::from_edges(edges.iter().copied());
        format!(
            "{:.3} {:.3} {:.3} ({:.1}, {:.1}, {})",
            it.confidence, it.uncertainty, it.controversy, it.alpha, it.beta, it.evidence_count
        )
    }

    #[test]
    fn the_formula_gives_the_recomputed_table() {
        assert_eq!(shown(&[]), "0.500 0.289 0.000 (1.0, 1.0, 0)");
        assert_eq!(shown(&[(Supports, 0.9)]), "0.655 0.241 0.000 (1.9, 1.0, 1)");
        assert_eq!(shown(&[(Supports, 0.9); 3]), "0.787 0.171 0.000 (3.7, 1.0, 3)");
        let disputed = [(Supports, 0.9), (Supports, 0.9), (Supports, 0.9), (Refutes, 0.9)];
        assert_eq!(shown(&disputed), "0.661 0.184 0.250 (3.7, 1.9, 4)");
    }

    #[test]
    fn neutral_edges_are_counted_and_weigh_nothing() {
        assert_eq!(shown(&[(Neutral, 0.99), (Supports, 0.9)]), "0.655 0.241 0.000 (1.9, 1.0, 2)");
    }

    #[test]
    fn citations_are_not_evidence() {
        assert_eq!(shown(&[(Cites, 1.0)]), "0.500 0.289 0.000 (1.0, 1.0, 0)");
    }

    #[test]
    fn an_edge_of_no_certainty_changes_only_the_count() {
        assert_eq!(shown(&[(Refutes, 0.0)]), "0.500 0.289 0.000 (1.0, 1.0, 1)");
    }
}
