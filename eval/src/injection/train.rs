//! Trains a head: logistic regression by steps down the slope of one window at a time (AdaGrad). Which window comes next is
//! drawn by a generator with a fixed beginning, so that the same data gives the same head.
//!
//! Nobody says which sentence of an attack is the order. First all of them train; in each round after that only the one that the
//! last head heard most. Ordinary windows that it heard as well train more often.

use std::collections::BTreeMap;

use models::MachineTalk;
use text::machine_talk::{TRAITS, Window};

use super::{MANUALS, PATTERNS, Row};

/// Rounds of choosing the windows of attacks and the hard ordinary ones.
const ROUNDS: usize = 3;
/// Windows of a round.
const STEPS: usize = 500_000;
/// How far a step goes at first.
const RATE: f32 = 0.5;
/// How much large weights cost.
const DECAY: f32 = 2e-6;
/// The share of ordinary windows that are hard.
const HARD: f64 = 0.01;
/// The share of ordinary text of the choosing part that may lie above the line, in Japanese and in other text. No manual may:
/// their orders are the hardest.
const ABOVE_LINE: (f64, f64) = (0.0004, 0.0007);

/// Numbers without chance (SplitMix64).
#[derive(Debug)]
pub(super) struct Numbers(pub(super) u64);

impl Numbers {
    pub(super) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }
}

/// A head from the training rows that `keeps` lets in; the choosing rows draw its lines. Half of what trains is attacks, half of
/// those our patterns, and each other source as often as another.
pub(super) fn train(rows: &[Row], keeps: impl Fn(&Row) -> bool) -> MachineTalk {
    let training: Vec<&Row> =
        rows.iter().filter(|it| it.trains() && keeps(it) && !it.windows.is_empty()).collect();
    let windows = |is_attack: bool, is_pattern: bool| -> Vec<&Window> {
        let of = |it: &&&Row| it.is_attack == is_attack && (it.set == PATTERNS) == is_pattern;
        training.iter().filter(of).flat_map(|it| &it.windows).collect()
    };
    let (patterns, likes) = (windows(true, true), windows(false, true));
    let ordinary = windows(false, false);
    let mut attacks: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in training.iter().filter(|it| it.is_attack && it.set != PATTERNS) {
        attacks.entry(row.set).or_default().push(row);
    }
    let mut numbers = Numbers(1);
    let mut slope = Slope::new();
    for round in 0..ROUNDS {
        let heard: Vec<Vec<&Window>> = attacks
            .values()
            .map(|set| match round {
                0 => set.iter().flat_map(|it| &it.windows).collect(),
                _ => set.iter().filter_map(|it| slope.most_heard(&it.windows)).collect(),
            })
            .collect();
        let hard = if round == 0 { Vec::new() } else { slope.hardest(&ordinary) };
        slope = Slope::new();
        for step in 0..STEPS {
            let rate = RATE * (1.0 - step as f32 / STEPS as f32);
            let (from, wanted) = match numbers.below(20) {
                0..5 => (&patterns, 1.0),
                5..10 if heard.is_empty() => (&patterns, 1.0),
                5..10 => (&heard[numbers.below(heard.len())], 1.0),
                10..12 => (&likes, 0.0),
                12..15 if !hard.is_empty() => (&hard, 0.0),
                _ => (&ordinary, 0.0),
            };
            if !from.is_empty() {
                slope.step(from[numbers.below(from.len())], wanted, rate);
            }
        }
    }
    let head = MachineTalk::new(&slope.weights, slope.bias);
    let line = |is_japanese| line(&head, rows, is_japanese);
    head.clone().with_lines(line(true), line(false))
}

/// The score that all but a small share of the ordinary texts with such windows stays below, all of them and the manuals.
fn line(head: &MachineTalk, rows: &[Row], is_japanese: bool) -> f32 {
    let below = |share: f64, is_meant: &dyn Fn(&Row) -> bool| {
        let mut scores: Vec<f32> = rows
            .iter()
            .filter(|it| it.chooses() && is_meant(it))
            .filter_map(|row| {
                let windows = row.windows.iter().filter(|it| it.is_japanese == is_japanese);
                windows.map(|it| head.score(it)).max_by(f32::total_cmp)
            })
            .collect();
        scores.sort_by(|a, b| b.total_cmp(a));
        let above = (scores.len() as f64 * share) as usize;
        scores.get(above).copied()
    };
    let share = if is_japanese { ABOVE_LINE.0 } else { ABOVE_LINE.1 };
    match (below(share, &|_| true), below(0.0, &|it| it.set == MANUALS)) {
        (Some(all), Some(manuals)) => all.max(manuals),
        (all, manuals) => all.or(manuals).unwrap_or(f32::MAX),
    }
}

/// Weights on their way down.
struct Slope {
    weights: Vec<f32>,
    squares: Vec<f32>,
    bias: f32,
    bias_square: f32,
}

impl Slope {
    fn new() -> Self {
        Self {
            weights: vec![0.0; TRAITS],
            squares: vec![1e-2; TRAITS],
            bias: 0.0,
            bias_square: 1e-2,
        }
    }

    fn score(&self, window: &Window) -> f32 {
        window.traits().map(|(it, value)| self.weights[it] * value).sum::<f32>() + self.bias
    }

    fn step(&mut self, window: &Window, wanted: f32, rate: f32) {
        let error = 1.0 / (1.0 + (-self.score(window)).exp()) - wanted;
        for (it, value) in window.traits() {
            let slope = error * value + DECAY * self.weights[it];
            self.squares[it] += slope * slope;
            self.weights[it] -= rate * slope / self.squares[it].sqrt();
        }
        self.bias_square += error * error;
        self.bias -= rate * error / self.bias_square.sqrt();
    }

    fn most_heard<'a>(&self, windows: &'a [Window]) -> Option<&'a Window> {
        windows.iter().max_by(|a, b| self.score(a).total_cmp(&self.score(b)))
    }

    fn hardest<'a>(&self, windows: &[&'a Window]) -> Vec<&'a Window> {
        let mut scored: Vec<(f32, &Window)> =
            windows.iter().map(|it| (self.score(it), *it)).collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0));
        scored.truncate((scored.len() as f64 * HARD) as usize);
        scored.into_iter().map(|it| it.1).collect()
    }
}
