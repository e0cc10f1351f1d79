//! Stance: does a passage support or refute a claim, or neither?

mod cascade;
mod cross;
mod router;

use std::fmt::Debug;
use std::ops::Range;
use std::sync::Arc;

use evidence::Stance;
use serde::Deserialize;
use text::language::{Language, Languages};

use crate::Result;
use crate::device::InUse;

pub use cascade::Cascade;
pub(crate) use cross::{CrossEncoder, Head, Labels};
pub use router::StanceRouter;

/// A model that judges passages against claims.
pub trait StanceModel: Debug + Send + Sync {
    /// What the model is called; [`Verdict::Judged`] says what a judgement is stored under.
    fn id(&self) -> &str;
    /// What it can read; in any other language it abstains.
    fn languages(&self) -> &Languages;
    /// The longest input that is read in one piece: claim, passage and special tokens.
    fn max_tokens(&self) -> usize;
    /// From which probabilities on a judgement of this model should count, as measured for it.
    fn thresholds(&self) -> Thresholds;
    /// Bytes held by the weights.
    fn memory(&self) -> usize;
    /// What computes at the moment: a graphics card that fails gives way to the CPU.
    fn device(&self) -> InUse {
        InUse::Cpu
    }

    /// One verdict per pair, in order.
    ///
    /// A claim that takes more than half of the room is cut at its end. A passage that does not fit
    /// beside the claim is cut into overlapping windows at the ends of sentences; the window with
    /// the highest probability of supports or refutes decides alone, the earlier one where two are
    /// equal. Past [`crate::Options::max_windows`] windows the rest is not read.
    fn judge(&self, pairs: &[Pair<'_>]) -> Result<Vec<Verdict>>;
}

/// A passage and the claim it is held against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair<'a> {
    pub passage: &'a str,
    pub claim: &'a str,
}

/// What a stance model says about a pair.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// Three probabilities that sum to 1.
    Judged {
        supports: f32,
        refutes: f32,
        neutral: f32,
        /// The bytes of the passage that decided.
        window: Range<usize>,
        /// How many bytes of the passage were read: all, unless it had too many windows.
        read: usize,
        /// The model that judged.
        by: Arc<str>,
        /// From which probabilities on it should count, as measured for that model and these languages.
        thresholds: Thresholds,
    },
    /// Passage or claim is in a language no model here reads, or has no words at all.
    Abstained { language: Language },
}

/// The least probability a stance needs to be taken.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Thresholds {
    pub supports: f32,
    pub refutes: f32,
}

impl Default for Thresholds {
    /// For models that bring none. A false support costs as much as a false refutation, so both need the same.
    fn default() -> Self {
        Self { supports: 0.5, refutes: 0.5 }
    }
}

impl Thresholds {
    /// The same, with no side below `least`.
    ///
    /// A model's own thresholds are measured on passages that people chose. Among those a search brings, most
    /// take no side, and a stance that is less likely than not is mostly wrong there.
    #[must_use]
    pub fn at_least(self, least: f32) -> Self {
        Self { supports: self.supports.max(least), refutes: self.refutes.max(least) }
    }

    pub(crate) fn are_probabilities(&self) -> bool {
        [self.supports, self.refutes].iter().all(|it| (0.0..=1.0).contains(it))
    }
}

/// What a user asks of a judgement instead of what was measured for the model.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Overrides {
    pub supports: Option<f32>,
    pub refutes: Option<f32>,
}

impl Overrides {
    /// The thresholds in force: a model's own where nothing is set.
    #[must_use]
    pub fn over(&self, own: Thresholds) -> Thresholds {
        Thresholds {
            supports: self.supports.unwrap_or(own.supports),
            refutes: self.refutes.unwrap_or(own.refutes),
        }
    }
}

impl Verdict {
    /// The thresholds of the model that judged; `None` if it abstained.
    pub fn thresholds(&self) -> Option<Thresholds> {
        match self {
            Self::Judged { thresholds, .. } => Some(*thresholds),
            Self::Abstained { .. } => None,
        }
    }

    /// The stance and its probability, or neutral where the likelier side stays below its
    /// threshold; nothing if the model abstained.
    ///
    /// The side's probability must also be the highest of the three: a threshold below a half
    /// cannot turn a neutral passage into evidence.
    pub fn stance(&self, thresholds: &Thresholds) -> Option<(Stance, f32)> {
        let Self::Judged { supports, refutes, neutral, .. } = *self else { return None };
        let (stance, probability, threshold) = if refutes > supports {
            (Stance::Refutes, refutes, thresholds.refutes)
        } else {
            (Stance::Supports, supports, thresholds.supports)
        };
        let taken = probability >= threshold && probability > neutral;
        Some(if taken { (stance, probability) } else { (Stance::Neutral, neutral) })
    }
}

#[cfg(test)]
mod tests {
    use text::language::detect;

    use super::*;

    fn judged(supports: f32, refutes: f32) -> Verdict {
        Verdict::Judged {
            supports,
            refutes,
            neutral: 1.0 - supports - refutes,
            window: 0..1,
            read: 1,
            by: "a-model".into(),
            thresholds: Thresholds { supports: 0.5, refutes: 0.75 },
        }
    }

    #[test]
    fn a_side_below_its_threshold_is_neutral() {
        let thresholds = Thresholds { supports: 0.5, refutes: 0.75 };
        let cases = [
            (judged(0.5, 0.25), Stance::Supports, 0.5),
            (judged(0.4375, 0.0625), Stance::Neutral, 0.5),
            (judged(0.125, 0.75), Stance::Refutes, 0.75),
            (judged(0.125, 0.6875), Stance::Neutral, 0.1875),
            (judged(0.5, 0.5), Stance::Supports, 0.5),
        ];
        for (verdict, stance, probability) in cases {
            assert_eq!(verdict.stance(&thresholds), Some((stance, probability)), "{verdict:?}");
        }
        let none = Verdict::Abstained { language: detect("日本語の文章です。") };
        assert_eq!(none.stance(&thresholds), None);
    }

    #[test]
    fn thresholds_are_raised_and_never_lowered() {
        let own = Thresholds { supports: 0.25, refutes: 0.75 };
        assert_eq!(own.at_least(0.5), Thresholds { supports: 0.5, refutes: 0.75 });
        assert_eq!(own.at_least(0.0), own);
    }

    #[test]
    fn a_low_threshold_does_not_beat_a_likelier_neutral() {
        let thresholds = Thresholds { supports: 0.1, refutes: 0.1 };
        assert_eq!(judged(0.25, 0.125).stance(&thresholds), Some((Stance::Neutral, 0.625)));
    }

    #[test]
    fn what_a_user_sets_stands_instead_of_what_was_measured() {
        let own = judged(0.5, 0.25).thresholds().unwrap();
        assert_eq!(Overrides::default().over(own), own);
        let set = Overrides { refutes: Some(0.875), ..Overrides::default() };
        assert_eq!(set.over(own), Thresholds { supports: 0.5, refutes: 0.875 });
    }
}
