//! The models of the engine with a watch each, to see where the time of a question goes.
//!
//! They remember what they computed until told to forget it. A model gives the same numbers for the same text, so that
//! changes no answer, and the opposite of a statement, whose searches are nearly the same, costs little.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use models::{Embedder, InUse, Pair, Result, StanceModel, Thresholds, Verdict};
use serde::Serialize;
use text::language::Languages;

/// How long the calls of a model took, all threads together, and what they gave.
#[derive(Debug)]
struct Watched<K, V> {
    nanoseconds: AtomicU64,
    computed: AtomicU64,
    known: Mutex<HashMap<K, V>>,
}

/// What a model has cost so far.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Spent {
    pub(super) seconds: f64,
    /// Texts or pairs that were computed.
    pub(super) computed: u64,
}

impl Spent {
    /// What was spent since an earlier moment.
    pub(super) fn since(self, earlier: Self) -> Self {
        Self { seconds: self.seconds - earlier.seconds, computed: self.computed - earlier.computed }
    }
}

impl<K: Eq + Hash + Clone, V: Clone> Watched<K, V> {
    fn new() -> Self {
        Self {
            nanoseconds: AtomicU64::new(0),
            computed: AtomicU64::new(0),
            known: Mutex::default(),
        }
    }

    fn spent(&self) -> Spent {
        Spent {
            seconds: self.nanoseconds.load(Ordering::Relaxed) as f64 / 1e9,
            computed: self.computed.load(Ordering::Relaxed),
        }
    }

    fn known(&self) -> MutexGuard<'_, HashMap<K, V>> {
        // Every change is a single insertion.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A value for each key, in order; `compute` is given the places of those that are not known.
    fn get(&self, keys: &[K], compute: impl FnOnce(&[usize]) -> Result<Vec<V>>) -> Result<Vec<V>> {
        let mut values: Vec<Option<V>> = {
            let known = self.known();
            keys.iter().map(|key| known.get(key).cloned()).collect()
        };
        let missing: Vec<usize> = (0..keys.len()).filter(|at| values[*at].is_none()).collect();
        let started = Instant::now();
        let computed = compute(&missing)?;
        let took = u64::try_from(started.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.nanoseconds.fetch_add(took, Ordering::Relaxed);
        self.computed.fetch_add(missing.len() as u64, Ordering::Relaxed);
        let mut known = self.known();
        for (at, value) in missing.into_iter().zip(computed) {
            known.insert(keys[at].clone(), value.clone());
            values[at] = Some(value);
        }
        Ok(values.into_iter().flatten().collect())
    }
}

#[derive(Debug)]
pub(super) struct TimedEmbedder {
    model: Arc<dyn Embedder>,
    watched: Watched<String, Vec<f32>>,
}

impl TimedEmbedder {
    pub(super) fn new(model: Arc<dyn Embedder>) -> Self {
        Self { model, watched: Watched::new() }
    }

    pub(super) fn spent(&self) -> Spent {
        self.watched.spent()
    }

    pub(super) fn forget(&self) {
        self.watched.known().clear();
    }
}

impl Embedder for TimedEmbedder {
    fn id(&self) -> &str {
        self.model.id()
    }

    fn dimension(&self) -> usize {
        self.model.dimension()
    }

    fn languages(&self) -> &Languages {
        self.model.languages()
    }

    fn max_tokens(&self) -> usize {
        self.model.max_tokens()
    }

    fn memory(&self) -> usize {
        self.model.memory()
    }

    fn device(&self) -> InUse {
        self.model.device()
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        let keys: Vec<String> = texts.iter().map(|it| (*it).to_owned()).collect();
        self.watched.get(&keys, |missing| {
            let texts: Vec<&str> = missing.iter().map(|at| texts[*at]).collect();
            self.model.embed(&texts)
        })
    }
}

/// A passage that was held against a claim, and what the model said.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Reading {
    pub(super) passage: String,
    pub(super) supports: f32,
    pub(super) refutes: f32,
}

#[derive(Debug)]
pub(super) struct TimedStance {
    model: Arc<dyn StanceModel>,
    /// By passage and claim.
    watched: Watched<(String, String), Verdict>,
}

impl TimedStance {
    pub(super) fn new(model: Arc<dyn StanceModel>) -> Self {
        Self { model, watched: Watched::new() }
    }

    pub(super) fn spent(&self) -> Spent {
        self.watched.spent()
    }

    pub(super) fn forget(&self) {
        self.watched.known().clear();
    }

    /// What was read about a claim and is not forgotten, in the order of the passages.
    pub(super) fn readings(&self, claim: &str) -> Vec<Reading> {
        let known = self.watched.known();
        let of_claim = known.iter().filter(|(key, _)| key.1 == claim);
        let mut readings: Vec<Reading> = of_claim
            .filter_map(|((passage, _), verdict)| match verdict {
                Verdict::Judged { supports, refutes, .. } => Some(Reading {
                    passage: passage.clone(),
                    supports: *supports,
                    refutes: *refutes,
                }),
                Verdict::Abstained { .. } => None,
            })
            .collect();
        readings.sort_by(|a, b| a.passage.cmp(&b.passage));
        readings
    }
}

impl StanceModel for TimedStance {
    fn id(&self) -> &str {
        self.model.id()
    }

    fn languages(&self) -> &Languages {
        self.model.languages()
    }

    fn max_tokens(&self) -> usize {
        self.model.max_tokens()
    }

    fn thresholds(&self) -> Thresholds {
        self.model.thresholds()
    }

    fn memory(&self) -> usize {
        self.model.memory()
    }

    fn device(&self) -> InUse {
        self.model.device()
    }

    fn judge(&self, pairs: &[Pair<'_>]) -> Result<Vec<Verdict>> {
        let keys: Vec<(String, String)> =
            pairs.iter().map(|it| (it.passage.to_owned(), it.claim.to_owned())).collect();
        self.watched.get(&keys, |missing| {
            let pairs: Vec<Pair<'_>> = missing.iter().map(|at| pairs[*at]).collect();
            self.model.judge(&pairs)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_not_computed_again_until_it_is_forgotten() {
        let watched: Watched<String, usize> = Watched::new();
        let get = |keys: &[&str]| {
            let keys: Vec<String> = keys.iter().map(|it| (*it).to_owned()).collect();
            let lengths =
                |missing: &[usize]| Ok(missing.iter().map(|at| keys[*at].len()).collect());
            let values = watched.get(&keys, lengths).unwrap();
            (values, watched.spent().computed)
        };
        assert_eq!(get(&["a", "bb"]), (vec![1, 2], 2));
        assert_eq!(get(&["bb", "ccc", "a"]), (vec![2, 3, 1], 3));
        watched.known().clear();
        assert_eq!(get(&["a"]), (vec![1], 4));
    }
}
