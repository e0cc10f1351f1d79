//! What the answers to a set of questions add up to.

use std::collections::{BTreeMap, BTreeSet};

use evidence::{Uncounted, Verdict};
use serde::Serialize;
use serde_json::{Value, json};

use super::asking::Answer;
use super::data::Truth;
use super::sample::Half;

/// A question with what came of it: one row of `--rows`.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Asked {
    pub(super) set: String,
    pub(super) id: String,
    pub(super) half: Half,
    pub(super) question: String,
    pub(super) truth: Truth,
    pub(super) gold_documents: BTreeSet<String>,
    #[serde(flatten)]
    pub(super) answer: Answer,
    /// The same with the opposite of the statement.
    pub(super) mirror: Option<Answer>,
}

/// So many of so many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(super) struct Share {
    pub(super) part: usize,
    pub(super) whole: usize,
}

impl Share {
    fn of<T>(all: impl IntoIterator<Item = T>, counts: impl Fn(&T) -> bool) -> Self {
        let mut share = Self::default();
        for it in all {
            share.whole += 1;
            share.part += usize::from(counts(&it));
        }
        share
    }

    pub(super) fn value(self) -> Option<f64> {
        (self.whole > 0).then(|| self.part as f64 / self.whole as f64)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Scores {
    /// What was said of the questions with each truth.
    pub(super) said: BTreeMap<(Truth, Verdict), usize>,
    /// Counted passages that are in gold documents, over questions that have some.
    pub(super) passages: Share,
    /// Judged passages of all questions that count for nothing, by reason.
    pub(super) uncounted: BTreeMap<Uncounted, usize>,
    /// Lines of the answer that are taken from gold documents, over the same questions.
    pub(super) lines: Share,
    /// Of each pair of opposites with evidence, how far their confidences are from adding up to 1.
    pub(super) mirror_errors: Vec<f64>,
    /// Pairs of which the true one has the higher confidence, over those about a yes or no question.
    pub(super) mirror_directions: Share,
    pub(super) mirrors_asked: usize,
}

impl Scores {
    pub(super) fn of<'a>(asked: impl Iterator<Item = &'a Asked> + Clone) -> Self {
        let mut said = BTreeMap::new();
        for it in asked.clone() {
            *said.entry((it.truth, it.answer.verdict)).or_insert(0) += 1;
        }
        let mut uncounted = BTreeMap::new();
        for reason in asked.clone().flat_map(|it| &it.answer.passages).filter_map(|it| it.uncounted)
        {
            *uncounted.entry(reason).or_insert(0) += 1;
        }
        let known = asked.clone().filter(|it| !it.gold_documents.is_empty());
        let counted =
            known.clone().flat_map(|it| &it.answer.passages).filter(|passage| passage.counted);
        let lines = known.flat_map(|it| &it.answer.lines);
        let pairs = asked.clone().filter_map(|it| {
            let opposite = it.mirror.as_ref()?.confidence?;
            Some((it.truth, it.answer.confidence?, opposite))
        });
        let decided = pairs.clone().filter(|it| it.0 != Truth::Mixed);
        Self {
            said,
            uncounted,
            passages: Share::of(counted, |passage| passage.gold),
            lines: Share::of(lines, |line| line.gold),
            mirror_errors: pairs.map(|(_, own, opposite)| (own + opposite - 1.0).abs()).collect(),
            mirror_directions: Share::of(decided, |(truth, own, opposite)| match truth {
                Truth::Yes => own > opposite,
                _ => own < opposite,
            }),
            mirrors_asked: asked.filter(|it| it.mirror.is_some()).count(),
        }
    }

    pub(super) fn questions(&self, truth: Truth) -> usize {
        Verdict::ALL.iter().map(|verdict| self.count(truth, *verdict)).sum()
    }

    pub(super) fn count(&self, truth: Truth, verdict: Verdict) -> usize {
        self.said.get(&(truth, verdict)).copied().unwrap_or(0)
    }

    fn right(&self, truth: Truth) -> Share {
        let verdict = match truth {
            Truth::Yes => Verdict::Supported,
            Truth::No => Verdict::Refuted,
            Truth::Mixed => Verdict::Mixed,
        };
        Share { part: self.count(truth, verdict), whole: self.questions(truth) }
    }

    /// The mean of the shares of yes and of no questions that are answered so. Mixed and not enough are wrong here.
    pub(super) fn balanced_accuracy(&self) -> Option<f64> {
        Some((self.right(Truth::Yes).value()? + self.right(Truth::No).value()?) / 2.0)
    }

    /// The share of yes and no questions that saying yes to all of them gets right.
    pub(super) fn always_yes(&self) -> Option<f64> {
        let (yes, no) = (self.questions(Truth::Yes), self.questions(Truth::No));
        Share { part: yes, whole: yes + no }.value()
    }

    pub(super) fn mixed_right(&self) -> Option<f64> {
        self.right(Truth::Mixed).value()
    }

    pub(super) fn mirror_error(&self) -> Option<f64> {
        median(&self.mirror_errors)
    }

    pub(super) fn json(&self) -> Value {
        let said: BTreeMap<String, Value> = [Truth::Yes, Truth::No, Truth::Mixed]
            .into_iter()
            .filter(|truth| self.questions(*truth) > 0)
            .map(|truth| {
                let counts: BTreeMap<&str, usize> = Verdict::ALL
                    .iter()
                    .map(|verdict| (verdict.as_str(), self.count(truth, *verdict)))
                    .collect();
                (name(&truth), json!(counts))
            })
            .collect();
        json!({
            "said": said,
            "balanced_accuracy": self.balanced_accuracy(),
            "always_yes": self.always_yes(),
            "mixed_right": self.mixed_right(),
            "passages_in_gold": self.passages,
            "uncounted": self.uncounted,
            "lines_on_gold": self.lines,
            "mirror_pairs_asked": self.mirrors_asked,
            "mirror_pairs_with_evidence": self.mirror_errors.len(),
            "mirror_error_median": self.mirror_error(),
            "mirror_direction": self.mirror_directions,
        })
    }
}

/// The word a value is written as.
fn name(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(Value::String(word)) => word,
        _ => String::new(),
    }
}

/// The middle value, of two the mean.
pub(super) fn median(values: &[f64]) -> Option<f64> {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() % 2 {
        _ if values.is_empty() => None,
        1 => Some(values[middle]),
        _ => Some((values[middle - 1] + values[middle]) / 2.0),
    }
}

#[cfg(test)]
mod tests {
    use evidence::Relation;

    use super::super::asking::{JudgedPassage, Line};
    use super::*;

    fn answer(verdict: Verdict, confidence: Option<f64>, passages: &[(bool, bool)]) -> Answer {
        let passage = |(gold, counted): &(bool, bool)| JudgedPassage {
            document: None,
            gold: *gold,
            counted: *counted,
            uncounted: (!counted).then_some(Uncounted::SameVoice),
            kind: None,
            relation: if *counted { Relation::Supports } else { Relation::Neutral },
            probability: 0.9,
            judge: None,
            passage: "Tea helps.".to_owned(),
        };
        let line = |(gold, _): &(bool, bool)| Line {
            text: "Tea helps.".to_owned(),
            confidence: 0.7,
            documents: BTreeSet::new(),
            gold: *gold,
        };
        Answer {
            statement: "Tea helps.".to_owned(),
            verdict,
            confidence,
            passages: passages.iter().map(passage).collect(),
            readings: Vec::new(),
            lines: passages.iter().map(line).collect(),
            pages_read: 1,
            seconds: 1.0,
            cpu_seconds: Some(1.5),
            embedding_seconds: 0.1,
            judging_seconds: 0.5,
            embedded: 3,
            judged: 4,
        }
    }

    fn asked(truth: Truth, answer: Answer, mirror: Option<Answer>) -> Asked {
        Asked {
            set: "made_up".to_owned(),
            id: "q".to_owned(),
            half: Half::Choose,
            question: "Does tea help?".to_owned(),
            truth,
            gold_documents: BTreeSet::from(["d1".to_owned()]),
            answer,
            mirror,
        }
    }

    #[test]
    fn shares_come_out_as_computed_by_hand() {
        use Verdict::{Mixed, NotEnough, Refuted, Supported};
        let (gold, other, uncounted) = ((true, true), (false, true), (true, false));
        let opposite = |confidence| Some(answer(Supported, Some(confidence), &[other; 9]));
        let mut without_gold = asked(Truth::No, answer(Supported, Some(0.9), &[other; 5]), None);
        without_gold.gold_documents.clear();
        let all = [
            asked(Truth::Yes, answer(Supported, Some(0.8), &[gold, gold, other]), opposite(0.4)),
            asked(Truth::Yes, answer(Supported, Some(0.7), &[gold, uncounted]), None),
            asked(Truth::Yes, answer(Mixed, Some(0.5), &[]), None),
            asked(Truth::Yes, answer(NotEnough, None, &[]), opposite(0.4)),
            asked(Truth::No, answer(Refuted, Some(0.2), &[]), opposite(0.7)),
            asked(Truth::No, answer(Supported, Some(0.9), &[other]), opposite(0.6)),
            without_gold,
            asked(Truth::Mixed, answer(Mixed, Some(0.5), &[]), None),
        ];
        let scores = Scores::of(all.iter());
        // 2 of 4 yes, 1 of 3 no.
        assert_eq!(scores.balanced_accuracy(), Some((0.5 + 1.0 / 3.0) / 2.0));
        assert_eq!(scores.always_yes(), Some(4.0 / 7.0));
        assert_eq!(scores.mixed_right(), Some(1.0));
        assert_eq!(scores.count(Truth::Yes, NotEnough), 1);
        assert_eq!(scores.passages, Share { part: 3, whole: 5 });
        assert_eq!(scores.uncounted, BTreeMap::from([(Uncounted::SameVoice, 1)]));
        assert_eq!(scores.lines, Share { part: 4, whole: 6 });
        // |0.8 + 0.4 - 1|, |0.2 + 0.7 - 1|, |0.9 + 0.6 - 1|; a pair with no evidence on one side is none.
        assert_eq!(scores.mirrors_asked, 4);
        let rounded: Vec<String> =
            scores.mirror_errors.iter().map(|it| format!("{it:.2}")).collect();
        assert_eq!(rounded, ["0.20", "0.10", "0.50"]);
        assert_eq!(scores.mirror_error().map(|it| format!("{it:.2}")).as_deref(), Some("0.20"));
        assert_eq!(scores.mirror_directions, Share { part: 2, whole: 3 });
    }

    #[test]
    fn nothing_asked_is_no_number() {
        let scores = Scores::of([].iter());
        assert_eq!(scores.balanced_accuracy(), None);
        assert_eq!(scores.passages.value(), None);
        assert_eq!(scores.mirror_error(), None);
    }
}
