//! Where scores stop falling steeply: the method Kneedle (Satopää, Albrecht, Irwin, Raghavan: Finding a
//! "Kneedle" in a Haystack, 2011) for curves that are convex and fall.
//!
//! Places and scores are brought to 0..1. How far the fall runs ahead of an even one is the difference
//! curve; its highest points are bends, and the first after which the difference is lost again (by
//! [`KneeSettings::sensitivity`] steps) is the knee.

use crate::KneeSettings;

/// How many of the scores lie before the knee, within the bounds of the settings.
///
/// Without a knee (an even fall, equal scores, fewer than four of them) all are kept, up to the upper
/// bound. Where the bounds contradict each other the upper one wins.
pub fn knee(scores_descending: &[f64], settings: &KneeSettings) -> usize {
    let looked_at = &scores_descending[..scores_descending.len().min(settings.max)];
    let found = bend(looked_at, settings.sensitivity).unwrap_or(looked_at.len());
    found.max(settings.min).min(looked_at.len())
}

/// The place of the knee, the first score that belongs to the flat part.
///
/// Only places between two others can be a bend. The Python package `kneed` counts the first one, too,
/// and then cuts before everything; elsewhere the two agree.
fn bend(scores: &[f64], sensitivity: f64) -> Option<usize> {
    let ahead = difference(scores)?;
    let step = 1.0 / (scores.len() - 1) as f64;
    // The last bend, and how low the difference must get for it to be the knee.
    let mut waiting: Option<(usize, f64)> = None;
    for place in 1..ahead.len() {
        let (before, here) = (ahead[place - 1], ahead[place]);
        if here >= before && ahead.get(place + 1).is_some_and(|after| *after < here) {
            waiting = Some((place, here - sensitivity * step));
        } else if here > before {
            // Ahead again before enough was lost: it was a dent, and the next bend is waited for.
            waiting = None;
        } else if let Some((at, threshold)) = waiting
            && here < threshold
        {
            return Some(at);
        }
    }
    None
}

/// How far the fall runs ahead of an even one, at each place; nothing for a curve without a fall.
fn difference(scores: &[f64]) -> Option<Vec<f64>> {
    let least = scores.iter().copied().fold(f64::INFINITY, f64::min);
    let range = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max) - least;
    if scores.len() < 2 || !range.is_finite() || range <= 0.0 {
        return None;
    }
    let last = (scores.len() - 1) as f64;
    let ahead = |(place, score): (usize, &f64)| {
        let fallen = 1.0 - (score - least) / range;
        fallen - place as f64 / last
    };
    Some(scores.iter().enumerate().map(ahead).collect())
}
