//! Trains a head: logistic regression, all rows at once, with the steps of Adam. No chance is involved.

use models::MachineTalk;

use super::Row;

/// Rounds over all rows.
const ROUNDS: usize = 300;
/// How far a round goes.
const RATE: f32 = 0.05;
/// How much large weights cost.
const DECAY: f32 = 1e-3;
/// The share of ordinary text in each language of the choosing part that may lie above the line.
const ABOVE_LINE: f64 = 0.0005;

/// A head from the training rows that `keeps` lets in; the choosing rows draw its lines. Every source of attacks weighs
/// the same, and attacks as much as ordinary text.
pub(super) fn train(encoder: &str, rows: &[Row], keeps: impl Fn(&Row) -> bool) -> MachineTalk {
    let training: Vec<&Row> = rows.iter().filter(|it| it.trains() && keeps(it)).collect();
    let mut sources: Vec<&str> =
        training.iter().filter(|it| it.is_attack).map(|it| it.set).collect();
    sources.sort_unstable();
    sources.dedup();
    let of = |set: &str| training.iter().filter(|it| it.is_attack && it.set == set).count();
    let ordinary = training.iter().filter(|it| !it.is_attack).count();
    let weights: Vec<f32> = training
        .iter()
        .map(|it| match it.is_attack {
            true => 0.5 / sources.len() as f32 / of(it.set) as f32,
            false => 0.5 / ordinary as f32,
        })
        .collect();
    let width = training.first().map_or(0, |it| it.features.len());
    let mut adam = Adam::new(width + 1);
    for _ in 0..ROUNDS {
        let mut slope = vec![0.0f32; width + 1];
        for (row, weight) in training.iter().zip(&weights) {
            let score = dot(&adam.values[..width], &row.features) + adam.values[width];
            let wanted = if row.is_attack { 1.0 } else { 0.0 };
            let error = (1.0 / (1.0 + (-score).exp()) - wanted) * weight;
            for (slope, feature) in slope.iter_mut().zip(&row.features) {
                *slope += error * feature;
            }
            slope[width] += error;
        }
        for (slope, value) in slope[..width].iter_mut().zip(&adam.values) {
            *slope += DECAY * value;
        }
        adam.step(&slope);
    }
    let bias = adam.values[width];
    adam.values.truncate(width);
    let mut head = MachineTalk {
        encoder: encoder.to_owned(),
        bias,
        weights: adam.values,
        threshold_ja: 0.0,
        threshold: 0.0,
    };
    head.threshold_ja = line(&head, rows.iter().filter(|it| it.chooses() && it.is_japanese));
    head.threshold = line(&head, rows.iter().filter(|it| it.chooses() && !it.is_japanese));
    head
}

/// The score that all but a small share of ordinary text stays below.
fn line<'a>(head: &MachineTalk, rows: impl Iterator<Item = &'a Row>) -> f32 {
    let mut scores: Vec<f32> = rows.map(|it| head.score(&it.features)).collect();
    scores.sort_by(|a, b| b.total_cmp(a));
    let above = (scores.len() as f64 * ABOVE_LINE) as usize;
    scores.get(above).copied().unwrap_or(f32::MAX)
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Values on their way down a slope.
struct Adam {
    values: Vec<f32>,
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: i32,
}

impl Adam {
    fn new(width: usize) -> Self {
        let zeros = || vec![0.0; width];
        Self { values: zeros(), mean: zeros(), square: zeros(), steps: 0 }
    }

    fn step(&mut self, slope: &[f32]) {
        self.steps += 1;
        let (first, second) = (1.0 - 0.9f32.powi(self.steps), 1.0 - 0.999f32.powi(self.steps));
        for (at, slope) in slope.iter().enumerate() {
            self.mean[at] = 0.9 * self.mean[at] + 0.1 * slope;
            self.square[at] = 0.999 * self.square[at] + 0.001 * slope * slope;
            self.values[at] -=
                RATE * (self.mean[at] / first) / ((self.square[at] / second).sqrt() + 1e-8);
        }
    }
}
