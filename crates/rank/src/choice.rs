//! Which passages a claim is held against.
//!
//! A stance model says something about every pair it is shown. The more distant the passage, the more of
//! that is wrong, so only passages about as good as the best one are shown to it, each of them whole:
//! `docs/benchmarks.md` (SciFact) has the numbers.

use serde::{Deserialize, Serialize};

use crate::{Ranked, Ranking};

/// Which passages a claim is held against.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ChoiceSettings {
    /// So many at most.
    pub passages: usize,
    /// How much of the best score a passage needs, between 0 and 1.
    pub share_of_best: f64,
}

impl Default for ChoiceSettings {
    fn default() -> Self {
        Self { passages: 8, share_of_best: 0.9 }
    }
}

/// The passages a claim is held against, best first: before the knee, and about as good as the best.
pub fn choose<'a>(ranking: &'a Ranking, settings: &ChoiceSettings) -> &'a [Ranked] {
    let kept = &ranking.ranked[..ranking.kept.min(ranking.ranked.len())];
    let least = kept.first().map_or(0.0, |best| best.score * settings.share_of_best);
    let near = kept.iter().take(settings.passages).take_while(|it| it.score >= least);
    &kept[..near.count()]
}
