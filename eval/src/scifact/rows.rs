//! What the models said about every claim, in a file: settings can be tried without asking them again.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;

use models::{Thresholds, Verdict};
use rank::{Ranked, Ranking};
use serde::{Deserialize, Serialize};
use text::language::detect;

use super::data::Claim;
use super::lookup::{Looked, Reading};
use crate::{Failure, data};

#[derive(Serialize, Deserialize)]
struct Row {
    claim: u64,
    /// Index, score, words, meaning.
    ranked: Vec<(usize, f64, f64, Option<f64>)>,
    kept: usize,
    /// Cosines, in the order of the ranked.
    similarities: Vec<Option<f32>>,
    baseline: Vec<usize>,
    /// Supports, refutes and neutral; nothing where the model abstained.
    verdicts: Vec<(Reading, usize, Option<[f32; 3]>)>,
    seconds: (f64, Option<f64>),
}

pub(super) fn write(path: &Path, looked: &[Looked<'_>]) -> Result<(), Failure> {
    let mut lines = String::new();
    for it in looked {
        lines += &serde_json::to_string(&Row::of(it))?;
        lines.push('\n');
    }
    fs::write(path, lines).map_err(|error| format!("{}: {error}", path.display()).into())
}

/// In the order of the claims; a claim that has no row is an error.
pub(super) fn read<'a>(path: &Path, claims: &[&'a Claim]) -> Result<Vec<Looked<'a>>, Failure> {
    let rows: Vec<Row> = data::json_lines(path)?;
    let mut rows: HashMap<u64, Row> = rows.into_iter().map(|it| (it.claim, it)).collect();
    let looked = claims.iter().map(|claim| {
        let row = rows.remove(&claim.id);
        let row = row.ok_or_else(|| format!("{}: no claim {}", path.display(), claim.id))?;
        Ok(row.about(claim))
    });
    looked.collect()
}

impl Row {
    fn of(looked: &Looked<'_>) -> Self {
        let probabilities = |it: &Verdict| match it {
            Verdict::Judged { supports, refutes, neutral, .. } => {
                Some([*supports, *refutes, *neutral])
            }
            Verdict::Abstained { .. } => None,
        };
        let ranking = &looked.ranking;
        Self {
            claim: looked.claim.id,
            // What lies behind the knee is never chosen.
            ranked: ranking.ranked[..ranking.kept]
                .iter()
                .map(|it| (it.index, it.score, it.bm25, it.similarity))
                .collect(),
            kept: ranking.kept,
            similarities: looked.similarities.iter().take(ranking.kept).copied().collect(),
            baseline: looked.baseline.clone(),
            verdicts: looked
                .verdicts
                .iter()
                .map(|((reading, place), it)| (*reading, *place, probabilities(it)))
                .collect(),
            seconds: looked.seconds,
        }
    }

    fn about(self, claim: &Claim) -> Looked<'_> {
        let verdict = |it: Option<[f32; 3]>| match it {
            Some([supports, refutes, neutral]) => judged(supports, refutes, neutral),
            None => Verdict::Abstained { language: detect("") },
        };
        let ranked = self.ranked.into_iter().map(|(index, score, bm25, similarity)| Ranked {
            index,
            score,
            bm25,
            similarity,
        });
        let verdicts: BTreeMap<_, _> = self
            .verdicts
            .into_iter()
            .map(|(reading, place, it)| ((reading, place), verdict(it)))
            .collect();
        Looked {
            claim,
            ranking: Ranking { ranked: ranked.collect(), kept: self.kept },
            similarities: self.similarities,
            baseline: self.baseline,
            verdicts,
            seconds: self.seconds,
        }
    }
}

/// Who judged, and from which probabilities on it counts, is not stored: the caller brings thresholds.
fn judged(supports: f32, refutes: f32, neutral: f32) -> Verdict {
    let (by, thresholds) = ("".into(), Thresholds::default());
    Verdict::Judged { supports, refutes, neutral, window: 0..0, read: 0, by, thresholds }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_again() {
        let claim = Claim { id: 7, text: "A claim.".to_owned(), truth: BTreeMap::new() };
        let ranked = |index| Ranked { index, score: 0.1, bm25: 0.3, similarity: Some(1.0 / 3.0) };
        let judged = judged(0.7, 0.1, 0.2);
        let looked = Looked {
            claim: &claim,
            ranking: Ranking { ranked: vec![ranked(4), ranked(2), ranked(0)], kept: 2 },
            similarities: vec![Some(0.5), None, Some(0.1)],
            baseline: vec![2, 9],
            verdicts: BTreeMap::from([
                ((Reading::Whole, 4), judged),
                ((Reading::Sentences(5), 2), Verdict::Abstained { language: detect("") }),
            ]),
            seconds: (0.5, None),
        };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.jsonl");
        write(&path, &[looked]).unwrap();
        let again = read(&path, &[&claim]).unwrap().remove(0);
        assert_eq!(again.ranking, Ranking { ranked: vec![ranked(4), ranked(2)], kept: 2 });
        assert_eq!(again.similarities, [Some(0.5), None]);
        assert_eq!((again.baseline, again.seconds), (vec![2, 9], (0.5, None)));
        assert_eq!(again.verdicts[&(Reading::Whole, 4)], super::judged(0.7, 0.1, 0.2));
        assert_eq!(again.verdicts.len(), 2);

        let other = Claim { id: 8, ..claim.clone() };
        let problem = read(&path, &[&other]).map(|_| ()).unwrap_err().to_string();
        assert!(problem.ends_with("rows.jsonl: no claim 8"), "{problem}");
    }
}
