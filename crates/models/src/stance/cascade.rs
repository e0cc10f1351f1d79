//! Two judges of one pair: a fast one reads everything, and one that is better and slower decides what matters.

use std::sync::Arc;

use text::language::{Languages, detect};

use super::router::{reads, together};
use super::{Pair, StanceModel, Thresholds, Verdict};
use crate::Result;
use crate::device::InUse;

/// A stance model whose judgements a second one, the decider, replaces where they could come to count.
///
/// Most of what a search brings takes no side, and the first judge says so surely. What it gives a side any chance, and
/// what it cannot read, goes to the decider, whose verdict stands alone: its probabilities and thresholds were measured
/// for it and are not mixed with the other's.
#[derive(Debug)]
pub struct Cascade {
    id: String,
    languages: Languages,
    first: Arc<dyn StanceModel>,
    decider: Arc<dyn StanceModel>,
    ask_from: f32,
}

impl Cascade {
    /// `ask_from`: the decider is asked where "supports" or "refutes" has at least this probability.
    pub fn new(first: Arc<dyn StanceModel>, decider: Arc<dyn StanceModel>, ask_from: f32) -> Self {
        let id = format!("{}>{}", first.id(), decider.id());
        let languages = together(&[Arc::clone(&first), Arc::clone(&decider)]);
        Self { id, languages, first, decider, ask_from }
    }

    fn matters(&self, verdict: &Verdict) -> bool {
        match verdict {
            Verdict::Judged { supports, refutes, .. } => supports.max(*refutes) >= self.ask_from,
            Verdict::Abstained { .. } => true,
        }
    }
}

impl StanceModel for Cascade {
    fn id(&self) -> &str {
        &self.id
    }

    fn languages(&self) -> &Languages {
        &self.languages
    }

    fn max_tokens(&self) -> usize {
        self.first.max_tokens().min(self.decider.max_tokens())
    }

    /// Those of the decider; each judgement brings its own.
    fn thresholds(&self) -> Thresholds {
        self.decider.thresholds()
    }

    fn memory(&self) -> usize {
        self.first.memory() + self.decider.memory()
    }

    fn device(&self) -> InUse {
        self.first.device()
    }

    fn judge(&self, pairs: &[Pair<'_>]) -> Result<Vec<Verdict>> {
        let mut verdicts = self.first.judge(pairs)?;
        let asked = |(place, verdict): (usize, &Verdict)| {
            let Pair { passage, claim } = pairs[place];
            let asks =
                self.matters(verdict) && reads(&*self.decider, &[passage, claim].map(detect));
            asks.then_some(place)
        };
        let places: Vec<usize> = verdicts.iter().enumerate().filter_map(asked).collect();
        // A decider that loads its weights when it is first asked stays unread.
        if places.is_empty() {
            return Ok(verdicts);
        }
        let own: Vec<Pair<'_>> = places.iter().map(|it| pairs[*it]).collect();
        for (place, verdict) in places.into_iter().zip(self.decider.judge(&own)?) {
            verdicts[place] = verdict;
        }
        Ok(verdicts)
    }
}
