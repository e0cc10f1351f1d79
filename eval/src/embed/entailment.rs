//! Is a hypothesis that follows from its premise liker to it than one that does not?
//!
//! Likeness is no entailment, and a contradiction is about the same things, so neutral and
//! contradicted pairs stand apart. The share of common words does the same without a model.

use std::collections::{BTreeMap, HashSet};
use std::time::Instant;

use models::Embedder;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::arguments::Arguments;
use crate::metrics::auc;
use crate::report::{Report, Table};
use crate::{Failure, data, model};

/// A set is cut to so many pairs, from all over: a share of pairs is exact enough long before.
const MOST_PAIRS: usize = 1_000;

#[derive(Deserialize)]
struct Row {
    premise: String,
    hypothesis: String,
    label: String,
    source: String,
    lang: String,
}

/// The likeness of the pairs under each label.
#[derive(Default)]
struct Scores {
    entailed: Vec<f64>,
    neutral: Vec<f64>,
    contradicted: Vec<f64>,
    /// Two-way sets do not say which of the two.
    not_entailed: Vec<f64>,
}

pub(super) fn run(model: &dyn Embedder, arguments: &Arguments) -> Result<Report, Failure> {
    let path = data::packed_or_plain(&arguments.data.join("nli"), "dev.jsonl");
    if !path.exists() {
        let markdown =
            "Entailment: skipped, the data folder has no `nli/dev.jsonl.gz`.\n".to_owned();
        return Ok(Report { markdown, json: Value::Null });
    }
    let mut sets: BTreeMap<(String, String), Vec<Row>> = BTreeMap::new();
    for row in data::json_lines::<Row>(&path)? {
        sets.entry((row.lang.clone(), row.source.clone())).or_default().push(row);
    }
    let mut table = Table::new(&[
        "set",
        "#pairs",
        "#left out",
        "#over neutral",
        "#over contradicted",
        "#over all others",
        "#common words, over all others",
        "#seconds",
    ]);
    let mut numbers = Vec::new();
    let most = arguments.limit.unwrap_or(MOST_PAIRS);
    for ((language, name), rows) in sets {
        let step = rows.len().div_ceil(most);
        let rows: Vec<Row> = rows.into_iter().step_by(step).collect();
        let texts: Vec<String> =
            rows.iter().flat_map(|it| [it.premise.clone(), it.hypothesis.clone()]).collect();
        let start = Instant::now();
        let vectors = model::vectors(model, &texts)?;
        let seconds = start.elapsed().as_secs_f64();
        let (mut cosines, mut words, mut read) = (Scores::default(), Scores::default(), 0);
        for (row, pair) in rows.iter().zip(vectors.chunks_exact(2)) {
            if let [Some(premise), Some(hypothesis)] = pair {
                read += 1;
                cosines.add(&row.label, model::cosine(premise, hypothesis))?;
                words.add(&row.label, common_words(&row.premise, &row.hypothesis))?;
            }
        }
        let shown = |it: Option<f64>| it.map_or(String::new(), |it| format!("{it:.3}"));
        let over_neutral = auc(&cosines.entailed, &cosines.neutral);
        let over_contradicted = auc(&cosines.entailed, &cosines.contradicted);
        let (over_all, words_over_all) = (cosines.over_all(), words.over_all());
        table.row(&[
            format!("{name} ({language})"),
            read.to_string(),
            (rows.len() - read).to_string(),
            shown(over_neutral),
            shown(over_contradicted),
            shown(over_all),
            shown(words_over_all),
            format!("{seconds:.1}"),
        ]);
        numbers.push(json!({
            "set": name, "language": language, "pairs": read, "left_out": rows.len() - read,
            "auc_over_neutral": over_neutral, "auc_over_contradicted": over_contradicted,
            "auc_over_all": over_all, "auc_of_common_words_over_all": words_over_all, "seconds": seconds,
        }));
    }
    let markdown = format!(
        "Entailed pairs against others: how often the entailed one has the larger cosine (area under the ROC \
         curve; 0.5 is chance). At most {most} pairs a set; those in a language the model does not read are \
         left out.\n\n{}",
        table.finish()
    );
    Ok(Report { markdown, json: Value::Array(numbers) })
}

impl Scores {
    fn add(&mut self, label: &str, score: f64) -> Result<(), Failure> {
        let scores = match label {
            "E" => &mut self.entailed,
            "N" => &mut self.neutral,
            "C" => &mut self.contradicted,
            "NE" => &mut self.not_entailed,
            other => return Err(format!("nli/dev.jsonl: unknown label {other}").into()),
        };
        scores.push(score);
        Ok(())
    }

    fn over_all(&self) -> Option<f64> {
        let others = [&self.neutral[..], &self.contradicted, &self.not_entailed].concat();
        auc(&self.entailed, &others)
    }
}

/// The share of the hypothesis' words that stand in the premise.
fn common_words(premise: &str, hypothesis: &str) -> f64 {
    let words = |text: &str| -> HashSet<String> {
        let words = text.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty());
        words.map(str::to_lowercase).collect()
    };
    let (premise, hypothesis) = (words(premise), words(hypothesis));
    let common = hypothesis.iter().filter(|it| premise.contains(*it)).count();
    common as f64 / hypothesis.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_words_are_counted_over_the_hypothesis() {
        assert_eq!(common_words("The cat sat, on a mat.", "A cat sits"), 2.0 / 3.0);
        assert_eq!(common_words("", "a"), 0.0);
        assert_eq!(common_words("a", ""), 0.0);
    }

    #[test]
    fn entailed_pairs_stand_against_all_others() {
        let mut scores = Scores::default();
        for (label, score) in [("E", 0.9), ("E", 0.4), ("N", 0.5), ("C", 0.95), ("NE", 0.1)] {
            scores.add(label, score).unwrap();
        }
        // 0.9 is above two of three, 0.4 above one.
        assert_eq!(scores.over_all(), Some(0.5));
        let problem = scores.add("X", 0.0).unwrap_err().to_string();
        assert_eq!(problem, "nli/dev.jsonl: unknown label X");
    }
}
