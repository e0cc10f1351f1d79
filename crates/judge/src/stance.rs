//! What passages say about a claim: which ones are held against it, and what a model makes of them.
//!
//! A model judges the pairs it can read and abstains on others. [`judge_by_rules`] speaks for
//! languages no model reads: it only sees a sentence that says the same or the very opposite, and
//! keeps silent about everything else. Turning it into an edge is left to the caller.

use std::ops::Range;
use std::sync::Arc;

use evidence::{Stance, StatementKind};
use models::{Overrides, Pair, StanceModel, Verdict};
use settings::settings;
use text::language::Language;

use crate::reading::Window;
use crate::same::Content;

settings! {
    /// Which passages a claim is judged against.
    pub struct StanceSettings {}
    expert {
        /// Passages for one claim.
        passages_per_claim: usize = 8, in 1..=1_000;
        /// Passages of one document, so that the longest one does not speak alone.
        passages_per_document: usize = 2, in 1..=1_000;
        /// Passages less similar than this are not about the claim.
        min_similarity: f64 = 0.3, in 0.0..=1.0;
        /// A passage is about a claim from this mean on: of the share of the claim's words, the rare ones weighing more,
        /// that are in and around it, and of its likeness in meaning.
        min_aboutness: f64 = 0.54, in 0.0..=1.0;
        /// The share of the claim's words that the passage itself must have.
        min_own_coverage: f64 = 0.1, in 0.0..=1.0;
        /// How near in meaning a passage in another language must be to be about the claim.
        min_likeness_across: f64 = 0.45, in 0.0..=1.0;
        /// In languages that no model reads: the share of the claim's words that a sentence must have
        /// before rules judge it.
        rule_min_overlap: f64 = 0.8, in 0.0..=1.0;
        /// The confidence of a judgement by rules.
        rule_confidence: f64 = 0.6, in 0.0..=1.0;
        /// The share of a sentence's words that the claim must have before its denial counts against the
        /// claim: in a long sentence something else may be denied.
        rule_min_mutual: f64 = 0.5, in 0.0..=1.0;
        /// Claims of fewer words (in Japanese, letters) are left to models.
        rule_min_words: usize = 4, in 1..=1_000;
    }
}

/// A passage that could be held against a claim.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearby<'a> {
    /// The document it stands in.
    pub document: &'a str,
    pub similarity: f64,
}

/// What a passage says about a claim.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// Nothing where the judge abstained.
    pub stance: Option<Stance>,
    /// How sure the judge is of the stance; 0 where it abstained.
    pub confidence: f64,
    /// The model that judged; nothing if it abstained, or where rules judged.
    pub by: Option<Arc<str>>,
    /// The language it abstained for.
    pub language: Option<Language>,
    /// The bytes of the passage that decided.
    pub window: Option<Range<usize>>,
    /// What these bytes are, where it was told.
    pub kind: Option<StatementKind>,
}

/// A claim and what is read of a passage against it.
#[derive(Debug, Clone)]
pub struct Reading<'a> {
    pub claim: &'a str,
    pub windows: Vec<Window<'a>>,
}

/// Chooses the passages a claim is held against: the most similar ones of other documents than its
/// own that are about it, the earlier of equals first. Gives their places.
pub fn choose(
    own_document: Option<&str>,
    nearby: &[Nearby<'_>],
    mut is_about: impl FnMut(usize) -> bool,
    settings: &StanceSettings,
) -> Vec<usize> {
    let mut places: Vec<usize> = (0..nearby.len())
        .filter(|it| nearby[*it].similarity >= settings.min_similarity)
        .filter(|it| Some(nearby[*it].document) != own_document)
        .collect();
    places.sort_by(|a, b| nearby[*b].similarity.total_cmp(&nearby[*a].similarity));
    let mut chosen: Vec<usize> = Vec::new();
    for place in places {
        if chosen.len() >= settings.passages_per_claim {
            break;
        }
        let document = nearby[place].document;
        let of_document = chosen.iter().filter(|it| nearby[**it].document == document).count();
        if of_document < settings.passages_per_document && is_about(place) {
            chosen.push(place);
        }
    }
    chosen
}

/// Asks a model about pairs: one judgement each, in order. A stance counts from the thresholds on that were
/// measured for the model and the languages of the pair, or from those that were set instead.
pub fn judge(
    model: &dyn StanceModel,
    pairs: &[Pair<'_>],
    set: &Overrides,
) -> models::Result<Vec<Judged>> {
    let verdicts = model.judge(pairs)?;
    Ok(verdicts.into_iter().map(|it| judged(it, set)).collect())
}

/// Asks a model about passages by their windows: one judgement for each reading that has windows, in order. The most decisive window
/// speaks for its passage, and conclusions before the rest.
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
    let mut judged = judge(model, &pairs, set)?.into_iter();
    let of_reading = |reading: &Reading<'_>| {
        let own = reading.windows.iter().zip(judged.by_ref());
        let own = own.map(|(window, it)| Judged {
            window: Some(window.bytes.clone()),
            kind: Some(window.kind),
            ..it
        });
        most_decisive(own.collect())
    };
    Ok(readings.iter().filter_map(of_reading).collect())
}

/// Conclusions that take a side, then anything that does, the surest first; else the first that was judged.
fn most_decisive(judged: Vec<Judged>) -> Option<Judged> {
    let rank = |it: &Judged| {
        let decides = it.stance.is_some_and(|it| it != Stance::Neutral);
        let concludes = it.kind == Some(StatementKind::Conclusion);
        (decides, decides && concludes, it.stance.is_some())
    };
    judged.into_iter().reduce(|best, it| {
        let is_surer = rank(&best).0 && it.confidence > best.confidence;
        match rank(&it).cmp(&rank(&best)) {
            std::cmp::Ordering::Greater => it,
            std::cmp::Ordering::Equal if is_surer => it,
            _ => best,
        }
    })
}

fn judged(verdict: Verdict, set: &Overrides) -> Judged {
    let stance = verdict.thresholds().and_then(|own| verdict.stance(&set.over(own)));
    let (by, window, language) = match verdict {
        Verdict::Judged { by, window, .. } => (Some(by), Some(window), None),
        Verdict::Abstained { language } => (None, None, Some(language)),
    };
    Judged {
        stance: stance.map(|it| it.0),
        confidence: stance.map_or(0.0, |it| f64::from(it.1)),
        by,
        language,
        window,
        kind: None,
    }
}

/// Judges a pair without a model, sentence by sentence: one that has the claim's words, numbers and
/// names supports it, unless exactly one of the two denies it or says the opposite.
///
/// Abstains where no sentence is that near, so silence here means nothing.
pub fn judge_by_rules(pair: &Pair<'_>, settings: &StanceSettings) -> Judged {
    let claim = Content::of(pair.claim);
    let mut best: Option<(f64, Stance, Range<usize>)> = None;
    let sentences = if claim.weight() < settings.rule_min_words {
        Vec::new()
    } else {
        text::sentences(pair.passage)
    };
    for sentence in sentences {
        let said = Content::of(&pair.passage[sentence.clone()]);
        let overlap = claim.covered_share(&said);
        if overlap < settings.rule_min_overlap || !claim.is_covered_by(&said) {
            continue;
        }
        let Some(stance) = compared(&claim, &said) else { continue };
        if stance == Stance::Refutes && said.covered_share(&claim) < settings.rule_min_mutual {
            continue;
        }
        if best.as_ref().is_none_or(|it| overlap > it.0) {
            best = Some((overlap, stance, sentence));
        }
    }
    match best {
        Some((overlap, stance, window)) => Judged {
            stance: Some(stance),
            confidence: settings.rule_confidence * overlap,
            by: None,
            language: None,
            window: Some(window),
            kind: None,
        },
        None => Judged {
            stance: None,
            confidence: 0.0,
            by: None,
            language: Some(text::language::detect(pair.passage)),
            window: None,
            kind: None,
        },
    }
}

/// Nothing where one of them has a direction the other does not speak of.
fn compared(claim: &Content, said: &Content) -> Option<Stance> {
    let (wanted, found) = (claim.directions(), said.directions());
    let is_opposite =
        |it: &text::words::Directed| found.contains(&it.opposite()) && !found.contains(it);
    let opposites = wanted.iter().filter(|it| is_opposite(it)).count();
    let missing = wanted.iter().any(|it| !found.contains(it) && !is_opposite(it));
    if missing || opposites > 1 || (wanted.is_empty() && !found.is_empty()) {
        return None;
    }
    let turned = (opposites == 1) != (claim.denied != said.denied);
    Some(if turned { Stance::Refutes } else { Stance::Supports })
}

#[cfg(test)]
mod tests {
    use models::Thresholds;

    use super::*;

    #[test]
    fn the_most_similar_passages_of_other_documents_are_chosen() {
        let settings = StanceSettings { passages_per_claim: 3, ..StanceSettings::default() };
        let nearby: Vec<Nearby<'_>> =
            [("own", 0.99), ("a", 0.5), ("b", 0.9), ("b", 0.8), ("b", 0.7), ("c", 0.5), ("d", 0.1)]
                .map(|(document, similarity)| Nearby { document, similarity })
                .to_vec();
        assert_eq!(choose(Some("own"), &nearby, |_| true, &settings), [2, 3, 1]);
        assert_eq!(choose(None, &nearby, |_| true, &settings), [0, 2, 3]);
        assert_eq!(choose(None, &nearby, |it| it != 2, &settings), [0, 3, 4]);
        assert_eq!(choose(Some("own"), &nearby[..1], |_| true, &settings), [0; 0]);
        assert_eq!(choose(None, &[], |_| true, &settings), [0; 0]);
        let unlike = [Nearby { document: "a", similarity: f64::NAN }];
        assert_eq!(choose(None, &unlike, |_| true, &settings), [0; 0]);
    }

    fn ruled(claim: &str, passage: &str) -> String {
        let it = judge_by_rules(&Pair { passage, claim }, &StanceSettings::default());
        match it.stance {
            Some(stance) => {
                let window = it.window.map(|it| passage[it].to_owned()).unwrap_or_default();
                format!("{stance} {:.2} {window}", it.confidence)
            }
            None => format!("abstained {}", it.language.map_or("", text::language::Language::tag)),
        }
    }

    #[test]
    fn rules_see_the_same_and_the_opposite_in_japanese() {
        let claim = "ビタミンDは高齢者の転倒を減らす。";
        let table = [
            (
                "背景を述べる。ビタミンＤの摂取は高齢者の転倒を減少させた。以上。",
                "supports 0.60 ビタミンＤの摂取は高齢者の転倒を減少させた。",
            ),
            (
                "ビタミンDは高齢者の転倒を減らさなかった。",
                "refutes 0.60 ビタミンDは高齢者の転倒を減らさなかった。",
            ),
            (
                "ビタミンDは高齢者の転倒を増加させた。",
                "refutes 0.60 ビタミンDは高齢者の転倒を増加させた。",
            ),
            ("ビタミンDは小児の骨折を減らす。", "abstained ja"),
            ("ビタミンCは高齢者の転倒を減らす。", "abstained ja"),
            ("高齢者の転倒は大きな問題である。", "abstained ja"),
            ("", "abstained zxx"),
        ];
        for (passage, expected) in table {
            assert_eq!(ruled(claim, passage), expected, "{passage}");
        }
    }

    #[test]
    fn two_turns_are_none() {
        let claim = "The drug does not increase the risk of stroke.";
        assert_eq!(
            ruled(claim, "The drug increased the risk of stroke."),
            "refutes 0.60 The drug increased the risk of stroke."
        );
        assert_eq!(
            ruled(claim, "The drug decreased the risk of stroke."),
            "supports 0.60 The drug decreased the risk of stroke."
        );
        assert_eq!(ruled(claim, "The risk of stroke was studied with the drug."), "abstained en");
    }

    #[test]
    fn the_most_decisive_window_speaks_and_conclusions_before_the_rest() {
        let it = |stance, confidence, kind| Judged {
            stance: Some(stance),
            confidence,
            by: None,
            language: None,
            window: None,
            kind: Some(kind),
        };
        let chosen = |all: &[Judged]| {
            most_decisive(all.to_vec()).map(|it| (it.stance, it.confidence, it.kind))
        };
        let (concludes, states) = (StatementKind::Conclusion, StatementKind::Statement);
        let (supports, refutes, neutral) = (Stance::Supports, Stance::Refutes, Stance::Neutral);
        let all = [
            it(neutral, 0.99, concludes),
            it(refutes, 0.6, concludes),
            it(refutes, 0.7, concludes),
            it(supports, 0.9, states),
        ];
        assert_eq!(chosen(&all), Some((Some(refutes), 0.7, Some(concludes))));
        assert_eq!(
            chosen(&[all[0].clone(), all[3].clone()]),
            Some((Some(supports), 0.9, Some(states)))
        );
        let quiet = [it(neutral, 0.8, concludes), it(neutral, 0.9, states)];
        assert_eq!(chosen(&quiet), Some((Some(neutral), 0.8, Some(concludes))));
        assert_eq!(chosen(&[]), None);
    }

    #[test]
    fn a_verdict_below_its_threshold_is_neutral_and_a_foreign_one_nothing() {
        let own = Thresholds { supports: 0.5, refutes: 0.75 };
        let verdict = |supports: f32, refutes: f32, window| Verdict::Judged {
            supports,
            refutes,
            neutral: 1.0 - supports - refutes,
            window,
            read: 9,
            by: "a-model".into(),
            thresholds: own,
        };
        let measured = Overrides::default();
        assert_eq!(
            judged(verdict(0.75, 0.125, 3..9), &measured),
            Judged {
                stance: Some(Stance::Supports),
                confidence: 0.75,
                by: Some("a-model".into()),
                language: None,
                window: Some(3..9),
                kind: None,
            }
        );
        let it = judged(verdict(0.0, 0.625, 0..1), &measured);
        assert_eq!((it.stance, it.confidence), (Some(Stance::Neutral), 0.375));
        let set = Overrides { refutes: Some(0.5), ..measured };
        let it = judged(verdict(0.0, 0.625, 0..1), &set);
        assert_eq!((it.stance, it.confidence), (Some(Stance::Refutes), 0.625));
        let language = text::language::detect("日本語の文章です。");
        let it = judged(Verdict::Abstained { language }, &measured);
        assert_eq!((it.stance, it.confidence, it.language), (None, 0.0, Some(language)));
        assert_eq!(it.by, None);
    }
}
