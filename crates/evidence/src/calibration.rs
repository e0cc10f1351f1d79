//! Calibration: how well stated certainty matches accuracy, and a correction where it does not.
//!
//! A [`Sample`] is one stated probability and whether it turned out right. [`Reliability`] measures
//! (Brier score, expected calibration error, bins of the reliability diagram); [`Calibration`] is a
//! fitted correction. Everything is deterministic: the same samples give the same numbers.

use serde::{Deserialize, Serialize};

use crate::text_enum::text_enum;

/// Certainties closer to 0 or 1 than this count as this close: their log-odds would be infinite.
const MARGIN: f64 = 1e-6;
/// How strongly a fit is drawn to "change nothing", in units of one very informative sample. It
/// keeps the parameters finite when right and wrong can be told apart without error, or when all
/// samples agree, and fades as samples come in.
const PULL: f64 = 1.0;
const NEWTON_STEPS: usize = 60;
const GOLDEN_STEPS: usize = 120;
/// Temperatures are sought between 1/20 and 20.
const MAX_SHARPENING: f64 = 20.0;

text_enum! {
    /// Whose certainty is meant.
    pub enum CalibrationSource ("calibration source") {
        /// The judge of stances.
        NliJudge = "nli_judge",
        /// The extraction of claims.
        LlmExtract = "llm_extract",
    }
}

text_enum! {
    pub enum CalibrationMethod ("calibration method") {
        Platt = "platt",
        Temperature = "temperature",
    }
}

/// One stated probability and whether it turned out right.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    pub probability: f64,
    pub correct: bool,
}

/// A fitted correction of probabilities.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "method", rename_all = "snake_case")]
pub enum Calibration {
    /// `sigmoid(slope * logit(p) + intercept)`.
    Platt { slope: f64, intercept: f64 },
    /// `sigmoid(logit(p) / temperature)`.
    Temperature { temperature: f64 },
}

impl Calibration {
    /// Fits a correction to samples; without samples there is nothing to fit.
    pub fn fit(method: CalibrationMethod, samples: &[Sample]) -> Option<Self> {
        if samples.is_empty() {
            return None;
        }
        Some(match method {
            CalibrationMethod::Platt => fit_platt(samples),
            CalibrationMethod::Temperature => fit_temperature(samples),
        })
    }

    pub fn method(&self) -> CalibrationMethod {
        match self {
            Self::Platt { .. } => CalibrationMethod::Platt,
            Self::Temperature { .. } => CalibrationMethod::Temperature,
        }
    }

    /// Corrects a probability. The result stays between 0 and 1 and keeps the order of its inputs.
    pub fn apply(&self, probability: f64) -> f64 {
        let odds = logit(probability);
        match *self {
            Self::Platt { slope, intercept } => sigmoid(slope * odds + intercept),
            Self::Temperature { temperature } => sigmoid(odds / temperature),
        }
    }

    /// The Brier score on samples the fit has not seen: each part of `folds` is predicted by a fit
    /// on the others. `None` when there are fewer than two samples or folds.
    pub fn held_out_brier(
        method: CalibrationMethod,
        samples: &[Sample],
        folds: usize,
    ) -> Option<f64> {
        let folds = folds.min(samples.len());
        if folds < 2 {
            return None;
        }
        let mut predicted = Vec::with_capacity(samples.len());
        for fold in 0..folds {
            let (seen, unseen): (Vec<_>, Vec<_>) =
                samples.iter().enumerate().partition(|(index, _)| index % folds != fold);
            let seen: Vec<Sample> = seen.into_iter().map(|(_, it)| *it).collect();
            let fitted = Self::fit(method, &seen)?;
            predicted.extend(unseen.into_iter().map(|(_, it)| Sample {
                probability: fitted.apply(it.probability),
                correct: it.correct,
            }));
        }
        brier(&predicted)
    }
}

/// One bar of a reliability diagram. Bins are half open; the last one includes 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Bin {
    pub lower: f64,
    pub upper: f64,
    pub count: u32,
    /// Mean stated probability; absent in an empty bin.
    pub mean_confidence: Option<f64>,
    /// Share that was right; absent in an empty bin.
    pub accuracy: Option<f64>,
}

/// How far stated certainty and being right agree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reliability {
    pub brier_score: f64,
    pub expected_calibration_error: f64,
    pub bins: Vec<Bin>,
}

impl Reliability {
    /// Measures samples with `bins` bars of equal width; without samples there is nothing to say.
    pub fn measure(samples: &[Sample], bins: usize) -> Option<Self> {
        let brier_score = brier(samples)?;
        let bins = diagram(samples, bins.max(1));
        let total = samples.len() as f64;
        let gap = |bin: &Bin| match (bin.accuracy, bin.mean_confidence) {
            (Some(accuracy), Some(confidence)) => {
                f64::from(bin.count) / total * (accuracy - confidence).abs()
            }
            _ => 0.0,
        };
        let expected_calibration_error = bins.iter().map(gap).sum();
        Some(Self { brier_score, expected_calibration_error, bins })
    }
}

/// Mean squared distance between stated probability and outcome: 0 is perfect, 0.25 is a shrug.
pub fn brier(samples: &[Sample]) -> Option<f64> {
    let squares = samples.iter().map(|it| (it.probability - outcome(it)).powi(2));
    (!samples.is_empty()).then(|| squares.sum::<f64>() / samples.len() as f64)
}

fn diagram(samples: &[Sample], bins: usize) -> Vec<Bin> {
    let mut sums = vec![(0_u32, 0.0, 0.0); bins];
    for sample in samples {
        let index = (sample.probability * bins as f64) as usize;
        let (count, stated, right) = &mut sums[index.min(bins - 1)];
        *count += 1;
        *stated += sample.probability;
        *right += outcome(sample);
    }
    let edge = |index: usize| index as f64 / bins as f64;
    sums.into_iter()
        .enumerate()
        .map(|(index, (count, stated, right))| Bin {
            lower: edge(index),
            upper: edge(index + 1),
            count,
            mean_confidence: (count > 0).then(|| stated / f64::from(count)),
            accuracy: (count > 0).then(|| right / f64::from(count)),
        })
        .collect()
}

fn outcome(sample: &Sample) -> f64 {
    if sample.correct { 1.0 } else { 0.0 }
}

fn logit(probability: f64) -> f64 {
    let p = probability.clamp(MARGIN, 1.0 - MARGIN);
    (p / (1.0 - p)).ln()
}

fn sigmoid(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
}

/// Newton's method on the penalised likelihood, which has one minimum. A slope below zero would turn
/// the judge's order upside down; then its certainty says nothing, and only the intercept is kept.
fn fit_platt(samples: &[Sample]) -> Calibration {
    let points: Vec<(f64, f64)> =
        samples.iter().map(|it| (logit(it.probability), outcome(it))).collect();
    let (slope, intercept) = newton(&points, 1.0, true);
    let (slope, intercept) =
        if slope < 0.0 { newton(&points, 0.0, false) } else { (slope, intercept) };
    Calibration::Platt { slope, intercept }
}

fn newton(points: &[(f64, f64)], slope: f64, slope_is_free: bool) -> (f64, f64) {
    let loss = |a: f64, b: f64| {
        let fit: f64 = points.iter().map(|(x, y)| log_loss(a * x + b, *y)).sum();
        fit + PULL / 2.0 * ((a - 1.0).powi(2) + b * b)
    };
    let (mut a, mut b) = (slope, 0.0);
    for _ in 0..NEWTON_STEPS {
        let (mut ga, mut gb) = (PULL * (a - 1.0), PULL * b);
        let (mut haa, mut hab, mut hbb) = (PULL, 0.0, PULL);
        for (x, y) in points {
            let p = sigmoid(a * x + b);
            let (slack, curve) = (p - y, p * (1.0 - p));
            ga += slack * x;
            gb += slack;
            haa += curve * x * x;
            hab += curve * x;
            hbb += curve;
        }
        let (step_a, step_b) = if slope_is_free {
            let determinant = haa * hbb - hab * hab;
            ((hbb * ga - hab * gb) / determinant, (haa * gb - hab * ga) / determinant)
        } else {
            (0.0, gb / hbb)
        };
        // Far from the minimum a full step can overshoot: halve it until the loss goes down.
        let before = loss(a, b);
        let mut scale = 1.0;
        while scale > 1e-10 && loss(a - scale * step_a, b - scale * step_b) > before {
            scale /= 2.0;
        }
        if scale <= 1e-10 {
            break;
        }
        a -= scale * step_a;
        b -= scale * step_b;
    }
    (a, b)
}

/// The likelihood has one minimum in `1 / temperature`; a golden-section search cannot miss it.
fn fit_temperature(samples: &[Sample]) -> Calibration {
    let points: Vec<(f64, f64)> =
        samples.iter().map(|it| (logit(it.probability), outcome(it))).collect();
    let loss = |sharpening: f64| {
        let fit: f64 = points.iter().map(|(x, y)| log_loss(sharpening * x, *y)).sum();
        fit + PULL / 2.0 * (sharpening - 1.0).powi(2)
    };
    let ratio = (5_f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (1.0 / MAX_SHARPENING, MAX_SHARPENING);
    let (mut left, mut right) = (high - ratio * (high - low), low + ratio * (high - low));
    let (mut at_left, mut at_right) = (loss(left), loss(right));
    for _ in 0..GOLDEN_STEPS {
        if at_left <= at_right {
            (high, right, at_right) = (right, left, at_left);
            left = high - ratio * (high - low);
            at_left = loss(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = low + ratio * (high - low);
            at_right = loss(right);
        }
    }
    Calibration::Temperature { temperature: 2.0 / (low + high) }
}

/// `-ln` of the probability given to what happened, safe for large odds of either sign.
fn log_loss(odds: f64, outcome: f64) -> f64 {
    odds.max(0.0) - odds * outcome + (-odds.abs()).exp().ln_1p()
}

#[cfg(test)]
mod tests {
    use super::*;
    use CalibrationMethod::{Platt, Temperature};
    use proptest::prelude::*;

    fn sample(probability: f64, correct: bool) -> Sample {
        Sample { probability, correct }
    }

    /// For each stated probability, exactly the share of right answers that `truth` gives it.
    fn world(truth: Calibration) -> Vec<Sample> {
        let mut samples = Vec::new();
        for percent in 1..100 {
            let stated = f64::from(percent) / 100.0;
            let right = (truth.apply(stated) * 400.0).round() as usize;
            samples.extend((0..400).map(|n| sample(stated, n < right)));
        }
        samples
    }

    #[test]
    fn a_known_temperature_is_found_again() {
        for temperature in [0.5, 1.0, 1.7, 3.0] {
            let truth = Calibration::Temperature { temperature };
            match Calibration::fit(Temperature, &world(truth)) {
                Some(Calibration::Temperature { temperature: found }) => {
                    assert!((found - temperature).abs() < 0.01, "{found} for {temperature}");
                }
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn known_platt_parameters_are_found_again() {
        for (slope, intercept) in [(1.0, 0.0), (0.5, 0.3), (2.0, -0.7)] {
            let truth = Calibration::Platt { slope, intercept };
            match Calibration::fit(Platt, &world(truth)) {
                Some(Calibration::Platt { slope: a, intercept: b }) => {
                    assert!((a - slope).abs() < 0.01, "{a} for {slope}");
                    assert!((b - intercept).abs() < 0.01, "{b} for {intercept}");
                }
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn scores_agree_with_those_worked_out_by_hand() {
        // (0.1)² + (0.2)² + (0.7)² + (0.4)² = 0.70, over 4.
        let samples =
            [sample(0.9, true), sample(0.8, true), sample(0.7, false), sample(0.4, false)];
        let it = Reliability::measure(&samples, 10).unwrap();
        assert!((it.brier_score - 0.175).abs() < 1e-12);
        // Bins 0.9, 0.8, 0.7, 0.4 with one sample each: (0.1 + 0.2 + 0.7 + 0.4) / 4.
        assert!((it.expected_calibration_error - 0.35).abs() < 1e-12);
    }

    #[test]
    fn samples_of_one_bin_are_averaged_before_they_are_compared() {
        let samples =
            [sample(0.81, true), sample(0.85, true), sample(0.89, false), sample(0.85, true)];
        let it = Reliability::measure(&samples, 10).unwrap();
        assert!((it.expected_calibration_error - 0.10).abs() < 1e-12);
        let bin = it.bins[8];
        assert_eq!((bin.lower, bin.upper, bin.count), (0.8, 0.9, 4));
        assert_eq!(bin.accuracy, Some(0.75));
        assert_eq!(it.bins.iter().map(|it| it.count).sum::<u32>(), 4);
        assert_eq!(it.bins[0].mean_confidence, None);
    }

    #[test]
    fn certainties_of_zero_and_one_fall_into_the_outer_bins_and_can_be_fitted() {
        let samples = [sample(0.0, false), sample(1.0, true), sample(1.0, false)];
        let it = Reliability::measure(&samples, 10).unwrap();
        assert_eq!((it.bins[0].count, it.bins[9].count), (1, 2));
        for method in [Platt, Temperature] {
            let fitted = Calibration::fit(method, &samples).unwrap();
            for p in [0.0, 0.5, 1.0] {
                assert!((0.0..=1.0).contains(&fitted.apply(p)), "{fitted:?} {p}");
            }
        }
    }

    #[test]
    fn nothing_is_measured_or_fitted_without_samples() {
        assert_eq!(Reliability::measure(&[], 10), None);
        assert_eq!(brier(&[]), None);
        assert_eq!(Calibration::fit(Platt, &[]), None);
        assert_eq!(Calibration::fit(Temperature, &[]), None);
        assert_eq!(Calibration::held_out_brier(Platt, &[sample(0.5, true)], 5), None);
    }

    #[test]
    fn samples_that_are_all_right_or_perfectly_told_apart_give_finite_parameters() {
        let all_right = vec![sample(0.8, true); 50];
        let apart: Vec<Sample> = (0..100).map(|n| sample(f64::from(n) / 100.0, n >= 50)).collect();
        for samples in [all_right, apart] {
            for method in [Platt, Temperature] {
                let fitted = Calibration::fit(method, &samples).unwrap();
                let corrected = fitted.apply(0.8);
                assert!(corrected > 0.8 && corrected < 1.0, "{fitted:?} gives {corrected}");
            }
        }
    }

    #[test]
    fn a_judge_who_is_wrong_when_sure_loses_its_certainty_but_not_its_order() {
        let samples: Vec<Sample> =
            (0..200).map(|n| sample(if n % 2 == 0 { 0.95 } else { 0.55 }, n % 2 == 1)).collect();
        let fitted = Calibration::fit(Platt, &samples).unwrap();
        assert!((fitted.apply(0.95) - fitted.apply(0.55)).abs() < 1e-12);
        assert!((fitted.apply(0.95) - 0.5).abs() < 0.01);
    }

    #[test]
    fn an_overconfident_judge_is_corrected_on_samples_the_fit_has_not_seen() {
        let samples: Vec<Sample> = (0..105).map(|n| sample(0.95, n % 7 < 4)).collect();
        let held_out = Calibration::held_out_brier(Platt, &samples, 5).unwrap();
        assert!((brier(&samples).unwrap() - 0.388_214).abs() < 1e-6);
        assert!((held_out - 0.245).abs() < 0.01, "{held_out}");
    }

    proptest! {
        #[test]
        fn a_fit_is_finite_keeps_the_order_and_stays_between_zero_and_one(
            samples in prop::collection::vec((0.0_f64..=1.0, any::<bool>()), 1..60),
            low in 0.0_f64..=1.0,
            high in 0.0_f64..=1.0,
        ) {
            let samples: Vec<Sample> = samples.into_iter().map(|(p, it)| sample(p, it)).collect();
            let (low, high) = (low.min(high), low.max(high));
            for method in [Platt, Temperature] {
                let fitted = Calibration::fit(method, &samples).unwrap();
                let (a, b) = (fitted.apply(low), fitted.apply(high));
                prop_assert!(0.0 <= a && a <= b && b <= 1.0, "{:?}: {} {}", fitted, a, b);
            }
        }

        #[test]
        fn a_fit_is_never_worse_than_no_correction_by_its_own_measure(
            samples in prop::collection::vec((0.0_f64..=1.0, any::<bool>()), 1..60),
        ) {
            let samples: Vec<Sample> = samples.into_iter().map(|(p, it)| sample(p, it)).collect();
            let loss = |it: Calibration| -> f64 {
                samples.iter().map(|s| log_loss(logit(it.apply(s.probability)), outcome(s))).sum()
            };
            let untouched = loss(Calibration::Temperature { temperature: 1.0 });
            for method in [Platt, Temperature] {
                let fitted = loss(Calibration::fit(method, &samples).unwrap());
                prop_assert!(fitted <= untouched + 1e-6, "{:?}: {} > {}", method, fitted, untouched);
            }
        }
    }
}
