//! What a passage says taken together: its windows add up.
//!
//! A judge hears one sentence well and is seldom sure of it. Three sentences that each lean to one side say more than the
//! surest of them, and a passage whose sentences lean to both sides says little, however sure one of them is.

use models::{Overrides, Pair, StanceModel, Verdict};

use evidence::{Stance, StatementKind};

use crate::reading::Window;
use crate::stance::Judged;

/// A claim and what is read of a passage against it.
#[derive(Debug, Clone)]
pub struct Reading<'a> {
    pub claim: &'a str,
    pub windows: Vec<Window<'a>>,
}

/// The share of a model's threshold from which on one sentence weighs enough to decide alone. The threshold was measured
/// for pairs that people chose, where nothing else is read.
const ALONE: f64 = 0.8;

/// Asks a model about passages by their windows: one judgement for each reading that has windows, in order. Conclusions are
/// weighed first, and the rest with them where they do not decide.
pub fn judge_readings(
    model: &dyn StanceModel,
    readings: &[Reading<'_>],
    set: &Overrides,
) -> models::Result<Vec<Judged>> {
    let pairs: Vec<Pair<'_>> = readings
        .iter()
        .flat_map(|it| it.windows.iter().map(|window| (it.claim, window)))
        .map(|(claim, window)| Pair { passage: &window.text, claim })
        .collect();
    let mut verdicts = model.judge(&pairs)?.into_iter();
    let of_reading = |reading: &Reading<'_>| {
        let heard: Vec<Heard<'_, '_>> =
            reading.windows.iter().zip(verdicts.by_ref()).map(|it| Heard::of(it, set)).collect();
        together(&heard)
    };
    Ok(readings.iter().filter_map(of_reading).collect())
}

/// A window with what it weighs for each side: 1 decides.
#[derive(Debug, Clone)]
struct Heard<'w, 'p> {
    window: &'w Window<'p>,
    verdict: Verdict,
    supports: f64,
    refutes: f64,
}

impl<'w, 'p> Heard<'w, 'p> {
    fn of((window, verdict): (&'w Window<'p>, Verdict), set: &Overrides) -> Self {
        let (mut for_it, mut against) = (0.0, 0.0);
        if let Verdict::Judged { supports, refutes, thresholds, .. } = &verdict {
            let needed = set.over(*thresholds);
            // A sentence is heard alone and once more among its neighbours.
            let share = if window.sentences > 1 { 0.5 } else { 1.0 };
            let weight = |probability: f32, threshold: f32| {
                let threshold = (ALONE * f64::from(threshold)).max(0.01);
                share * (f64::from(probability) / threshold).powi(2)
            };
            for_it = weight(*supports, needed.supports);
            against = weight(*refutes, needed.refutes);
        }
        Self { window, verdict, supports: for_it, refutes: against }
    }

    fn side(&self, stance: Stance) -> f64 {
        match stance {
            Stance::Supports => self.supports,
            Stance::Refutes => self.refutes,
            Stance::Neutral => 0.0,
        }
    }
}

/// Nothing where there is nothing to hear.
fn together(heard: &[Heard<'_, '_>]) -> Option<Judged> {
    let conclusions: Vec<&Heard<'_, '_>> =
        heard.iter().filter(|it| it.window.kind == StatementKind::Conclusion).collect();
    let all: Vec<&Heard<'_, '_>> = heard.iter().collect();
    let concluded =
        weighed(&conclusions).filter(|it| it.stance.is_some_and(|it| it != Stance::Neutral));
    concluded.or_else(|| weighed(&all))
}

/// The side that weighs more, where it decides. Its confidence is its share, beside silence that weighs as much as one
/// sentence that just decides; the window that weighs most is its quote.
fn weighed(heard: &[&Heard<'_, '_>]) -> Option<Judged> {
    let first = heard.iter().find(|it| matches!(it.verdict, Verdict::Judged { .. }));
    let Some(first) = first else {
        return heard.first().map(|it| abstained(it));
    };
    let sum = |side: Stance| heard.iter().map(|it| it.side(side)).sum::<f64>();
    let (supports, refutes) = (sum(Stance::Supports), sum(Stance::Refutes));
    let (side, weight) = match refutes > supports {
        true => (Stance::Refutes, refutes),
        false => (Stance::Supports, supports),
    };
    let whole = supports + refutes + 1.0;
    let decides = weight >= 1.0 && supports != refutes;
    let heaviest = |best: &'_ Heard<'_, '_>, it: &'_ Heard<'_, '_>| it.side(side) > best.side(side);
    let quoted = match decides {
        true => heard.iter().copied().reduce(|best, it| if heaviest(best, it) { it } else { best }),
        false => None,
    };
    let quoted = quoted.unwrap_or(first);
    let Verdict::Judged { by, .. } = &quoted.verdict else { return None };
    Some(Judged {
        stance: Some(if decides { side } else { Stance::Neutral }),
        confidence: if decides { weight / whole } else { 1.0 / whole },
        by: Some(by.clone()),
        language: None,
        window: Some(quoted.window.bytes.clone()),
        kind: Some(quoted.window.kind),
    })
}

fn abstained(heard: &Heard<'_, '_>) -> Judged {
    let language = match heard.verdict {
        Verdict::Abstained { language } => Some(language),
        Verdict::Judged { .. } => None,
    };
    Judged {
        stance: None,
        confidence: 0.0,
        by: None,
        language,
        window: Some(heard.window.bytes.clone()),
        kind: Some(heard.window.kind),
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use models::Thresholds;

    use super::*;

    const STATES: StatementKind = StatementKind::Statement;
    const CONCLUDES: StatementKind = StatementKind::Conclusion;

    /// Windows by their number of sentences, kind and probabilities; the side with its confidence and the window quoted.
    fn said(windows: &[(usize, StatementKind, f32, f32)]) -> Option<String> {
        said_with(windows, &Overrides::default())
    }

    fn said_with(windows: &[(usize, StatementKind, f32, f32)], set: &Overrides) -> Option<String> {
        let read: Vec<Window<'_>> =
            (0..).zip(windows).map(|(at, it)| window(at, it.0, it.1)).collect();
        let verdict = |supports: f32, refutes: f32| Verdict::Judged {
            supports,
            refutes,
            neutral: 1.0 - supports - refutes,
            window: 0..1,
            read: 1,
            by: "a-model".into(),
            thresholds: Thresholds { supports: 0.5, refutes: 0.5 },
        };
        let heard: Vec<Heard<'_, '_>> = read
            .iter()
            .zip(windows)
            .map(|(window, it)| Heard::of((window, verdict(it.2, it.3)), set))
            .collect();
        together(&heard).map(|it| {
            let (stance, at) = (it.stance.unwrap(), it.window.unwrap().start);
            format!("{stance} {:.2} at {at}", it.confidence)
        })
    }

    fn window(at: usize, sentences: usize, kind: StatementKind) -> Window<'static> {
        Window { text: Cow::Borrowed("a"), bytes: at..at + 1, kind, sentences }
    }

    #[test]
    fn one_sentence_that_is_sure_decides_alone() {
        assert_eq!(said(&[(1, STATES, 0.8, 0.0)]).as_deref(), Some("supports 0.80 at 0"));
        assert_eq!(said(&[(1, STATES, 0.0, 0.8)]).as_deref(), Some("refutes 0.80 at 0"));
        assert_eq!(said(&[(1, STATES, 0.4, 0.0)]).as_deref(), Some("supports 0.50 at 0"));
        assert_eq!(said(&[(1, STATES, 0.39, 0.0)]).as_deref(), Some("neutral 0.51 at 0"));
    }

    #[test]
    fn sentences_that_lean_to_one_side_decide_together_and_the_heaviest_is_quoted() {
        let leaning = [(1, STATES, 0.3, 0.0), (1, STATES, 0.35, 0.0), (2, STATES, 0.36, 0.0)];
        assert_eq!(said(&leaning).as_deref(), Some("supports 0.63 at 1"));
        assert_eq!(said(&leaning[..1]).as_deref(), Some("neutral 0.64 at 0"));
    }

    #[test]
    fn sentences_on_both_sides_leave_little_confidence() {
        let torn = [(1, STATES, 0.8, 0.0), (1, STATES, 0.0, 0.7)];
        assert_eq!(said(&torn).as_deref(), Some("supports 0.50 at 0"));
        assert_eq!(
            said(&[(1, STATES, 0.8, 0.0), (1, STATES, 0.0, 0.8)]).as_deref(),
            Some("neutral 0.11 at 0"),
            "exactly torn"
        );
    }

    #[test]
    fn conclusions_that_decide_are_heard_before_the_rest() {
        let results = [(1, STATES, 0.9, 0.0), (1, CONCLUDES, 0.0, 0.6)];
        assert_eq!(said(&results).as_deref(), Some("refutes 0.69 at 1"));
        let open = [(1, STATES, 0.9, 0.0), (1, CONCLUDES, 0.0, 0.2)];
        assert_eq!(said(&open).as_deref(), Some("supports 0.80 at 0"));
    }

    #[test]
    fn thresholds_that_are_set_take_the_place_of_the_models_own() {
        let strict = Overrides { supports: Some(1.0), refutes: Some(0.25) };
        let both = [(1, STATES, 0.7, 0.2)];
        assert_eq!(said(&both).as_deref(), Some("supports 0.71 at 0"));
        assert_eq!(said_with(&both, &strict).as_deref(), Some("refutes 0.36 at 0"));
        let none = Overrides { supports: Some(0.0), refutes: None };
        assert_eq!(said_with(&both, &none).as_deref(), Some("supports 1.00 at 0"));
    }

    #[test]
    fn what_no_model_reads_stays_unread() {
        let one = window(3, 1, STATES);
        let language = text::language::detect("日本語の文章です。");
        let heard = [Heard::of((&one, Verdict::Abstained { language }), &Overrides::default())];
        let it = together(&heard).unwrap();
        assert_eq!(
            (it.stance, it.confidence, it.language, it.window),
            (None, 0.0, Some(language), Some(3..4))
        );
        assert_eq!(together(&[]), None);
    }
}
