//! Which questions are asked: a sample that a seed decides, half to choose by and half to score.
//!
//! A question belongs to a half by a hash of the documents it rests on, so nothing a setting was chosen with is in the
//! half it is scored on, however large the sample is.

use serde::Serialize;

use super::data::{Question, Truth};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Half {
    /// For comparing settings.
    Choose,
    /// For the numbers that are reported.
    Score,
}

impl Half {
    pub(crate) const ALL: [Self; 2] = [Self::Choose, Self::Score];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Choose => "choose",
            Self::Score => "score",
        }
    }

    fn of(group: &str, seed: u64) -> Self {
        match hash("half", group, seed) % 2 {
            0 => Self::Choose,
            _ => Self::Score,
        }
    }
}

/// Takes `limit` questions, as many true as false ones and as many of each half. Where a set has mixed verdicts too, a
/// fifth as many of those come on top; where it has no others, all are mixed.
pub(super) fn draw(
    questions: &[Question],
    limit: usize,
    seed: u64,
    only: Option<Half>,
) -> Vec<(Half, &Question)> {
    let has = |truth: Truth| questions.iter().any(|it| it.truth == truth);
    let quota = |truth: Truth| match truth {
        Truth::Mixed if has(Truth::Yes) || has(Truth::No) => limit / 5,
        Truth::Mixed => limit,
        Truth::Yes | Truth::No => limit / 2,
    };
    let mut drawn = Vec::new();
    for half in Half::ALL {
        if only.is_some_and(|it| it != half) {
            continue;
        }
        for truth in [Truth::Yes, Truth::No, Truth::Mixed] {
            let mut fitting: Vec<&Question> = questions
                .iter()
                .filter(|it| it.truth == truth && Half::of(&it.group, seed) == half)
                .collect();
            fitting.sort_by_key(|it| (hash("order", &it.id, seed), &it.id));
            // An odd one goes to the half that is scored.
            let most = match half {
                Half::Choose => quota(truth) / 2,
                Half::Score => quota(truth).div_ceil(2),
            };
            drawn.extend(fitting.into_iter().take(most).map(|it| (half, it)));
        }
    }
    // Mixed, so that a run that is cut short has seen some of everything.
    drawn.sort_by_key(|(_, it)| (hash("turn", &it.id, seed), &it.id));
    drawn
}

/// FNV-1a, finished so that its low bits are as good as the others. The same on every machine.
pub(super) fn hash(purpose: &str, text: &str, seed: u64) -> u64 {
    let bytes =
        seed.to_le_bytes().into_iter().chain(purpose.bytes()).chain([0]).chain(text.bytes());
    let mixed = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    let mixed = (mixed ^ (mixed >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    mixed ^ (mixed >> 33)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn questions(truths: &[(Truth, usize)]) -> Vec<Question> {
        let mut questions = Vec::new();
        for (truth, count) in truths {
            for _ in 0..*count {
                let id = format!("q{}", questions.len());
                questions.push(Question {
                    question: "Is it?".to_owned(),
                    statement: "It is.".to_owned(),
                    opposite: None,
                    truth: *truth,
                    gold: BTreeSet::new(),
                    // Pairs of questions rest on the same document.
                    group: format!("d{}", questions.len() / 2),
                    id,
                });
            }
        }
        questions
    }

    fn ids(drawn: &[(Half, &Question)], half: Half) -> Vec<String> {
        drawn.iter().filter(|it| it.0 == half).map(|it| it.1.id.clone()).collect()
    }

    #[test]
    fn a_sample_has_as_many_of_each_verdict_and_half() {
        let all = questions(&[(Truth::Yes, 300), (Truth::No, 200), (Truth::Mixed, 100)]);
        let drawn = draw(&all, 100, 7, None);
        let count = |half: Half, truth: Truth| {
            drawn.iter().filter(|(it, question)| *it == half && question.truth == truth).count()
        };
        for half in Half::ALL {
            assert_eq!(count(half, Truth::Yes), 25);
            assert_eq!(count(half, Truth::No), 25);
            assert_eq!(count(half, Truth::Mixed), 10);
        }
        assert_eq!(draw(&questions(&[(Truth::Mixed, 300)]), 100, 7, None).len(), 100);
    }

    #[test]
    fn halves_share_no_document_and_stay_whatever_the_size_of_the_sample() {
        let all = questions(&[(Truth::Yes, 300), (Truth::No, 200)]);
        let large = draw(&all, 100, 7, None);
        let groups = |half: Half| -> BTreeSet<&str> {
            large.iter().filter(|it| it.0 == half).map(|it| it.1.group.as_str()).collect()
        };
        assert!(groups(Half::Choose).is_disjoint(&groups(Half::Score)));
        let small = draw(&all, 20, 7, None);
        for half in Half::ALL {
            let of_large: BTreeSet<String> = ids(&large, half).into_iter().collect();
            let of_small: BTreeSet<String> = ids(&small, half).into_iter().collect();
            assert!(of_small.is_subset(&of_large));
            assert_eq!(of_small.len(), 10);
            assert_eq!(ids(&draw(&all, 20, 7, Some(half)), half), ids(&small, half));
        }
        assert_eq!(ids(&draw(&all, 20, 7, None), Half::Score), ids(&small, Half::Score));
        assert_ne!(ids(&draw(&all, 20, 8, None), Half::Score), ids(&small, Half::Score));
    }

    #[test]
    fn the_halves_of_a_seed_are_the_same_for_ever() {
        let halves: Vec<&str> =
            ["pmid-1", "pmid-2", "pmid-3", "pmid-4"].map(|it| Half::of(it, 7).name()).to_vec();
        assert_eq!(halves, ["score", "choose", "choose", "score"]);
    }
}
