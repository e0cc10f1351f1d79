//! Judged pairs, set by set, cut so that length does not give the label away.
//!
//! Two layouts are read: the dev sets that `training/prepare.py` and `training/encoder/rows.py` write
//! (`dev.jsonl.gz`, `ja_dev.jsonl.gz`, cut there), and the raw English rows of the data folder (`nli/dev.jsonl.gz`), whose lengths are matched here.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::{Failure, data};

/// English, and Japanese with pairs across the two.
const PREPARED: [&str; 2] = ["dev.jsonl.gz", "ja_dev.jsonl.gz"];
/// Bins of equal size over the length of the passage.
const BINS: usize = 5;
/// Fewer rows say nothing.
const LEAST_ROWS: usize = 30;

/// What people said about a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Truth {
    Supports,
    Refutes,
    Neutral,
    /// Two-way sets do not say whether it is refuted or left open.
    NotSupported,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) claim: String,
    pub(crate) passage: String,
    pub(crate) truth: Truth,
}

impl Row {
    pub(crate) fn words(&self) -> usize {
        self.passage.split_whitespace().count()
    }
}

/// The sets by name, and what a reader must know about how they were cut.
#[derive(Debug)]
pub(crate) struct Sets {
    pub(crate) sets: BTreeMap<String, Vec<Row>>,
    pub(crate) notes: Vec<String>,
}

pub(crate) fn read(folder: &Path, limit: Option<usize>) -> Result<Sets, Failure> {
    let prepared = PREPARED.map(|it| folder.join(it));
    let there: Vec<&PathBuf> = prepared.iter().filter(|it| it.exists()).collect();
    let mut found = if there.is_empty() { read_raw(folder)? } else { read_prepared(&there)? };
    if let Some(limit) = limit {
        for rows in found.sets.values_mut() {
            *rows = evenly(rows, limit).into_iter().cloned().collect();
        }
        found.notes.push(format!("**Limited to {limit} rows a set: not comparable.**"));
    }
    Ok(found)
}

fn read_prepared(paths: &[&PathBuf]) -> Result<Sets, Failure> {
    #[derive(Deserialize)]
    struct Prepared {
        set: String,
        claim: String,
        evidence: String,
        label: u8,
    }
    let mut sets: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    for path in paths {
        for row in data::json_lines::<Prepared>(path)? {
            let truth = match row.label {
                0 => Truth::Supports,
                1 => Truth::Refutes,
                2 => Truth::Neutral,
                3 => Truth::NotSupported,
                other => return Err(format!("{}: unknown label {other}", path.display()).into()),
            };
            let Prepared { set, claim, evidence: passage, .. } = row;
            sets.entry(set).or_default().push(Row { claim, passage, truth });
        }
    }
    let notes = vec!["Dev sets as the scripts in `training/` cut them.".to_owned()];
    Ok(Sets { sets, notes })
}

fn read_raw(folder: &Path) -> Result<Sets, Failure> {
    #[derive(Deserialize)]
    struct Raw {
        premise: String,
        hypothesis: String,
        label: String,
        source: String,
        lang: String,
    }
    let path = data::packed_or_plain(&folder.join("nli"), "dev.jsonl");
    let mut sets: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    for row in data::json_lines::<Raw>(&path)? {
        if row.lang != "en" {
            continue;
        }
        let truth = match row.label.as_str() {
            "E" => Truth::Supports,
            "C" => Truth::Refutes,
            "N" => Truth::Neutral,
            "NE" => Truth::NotSupported,
            other => return Err(format!("{}: unknown label {other}", path.display()).into()),
        };
        let Raw { premise: passage, hypothesis: claim, source, .. } = row;
        sets.entry(source).or_default().push(Row { claim, passage, truth });
    }
    let mut notes = vec![
        "Raw English rows of `nli/dev.jsonl.gz`, thinned out until every label of a set has the same \
         spread of passage lengths."
            .to_owned(),
    ];
    sets.retain(|name, rows| {
        let before = rows.len();
        *rows = length_matched(rows);
        let enough = rows.len() >= LEAST_ROWS;
        if !enough {
            let left = rows.len();
            notes.push(format!(
                "{name}: left out, lengths give the labels away ({left} of {before} rows could be matched)."
            ));
        }
        enough
    });
    Ok(Sets { sets, notes })
}

/// The bin of each row by the length of its passage.
pub(crate) fn length_bins(rows: &[Row]) -> Vec<usize> {
    let lengths: Vec<usize> = rows.iter().map(Row::words).collect();
    let mut sorted = lengths.clone();
    sorted.sort_unstable();
    let edges: Vec<usize> =
        (1..BINS).filter_map(|it| sorted.get(it * sorted.len() / BINS).copied()).collect();
    lengths.iter().map(|length| edges.iter().filter(|it| *length >= **it).count()).collect()
}

/// Keeps as many rows as possible such that in every bin of lengths the labels have the ratio they
/// have in the whole set; which ones does not depend on chance.
fn length_matched(rows: &[Row]) -> Vec<Row> {
    let bins = length_bins(rows);
    let mut shares: BTreeMap<Truth, usize> = BTreeMap::new();
    rows.iter().for_each(|it| *shares.entry(it.truth).or_default() += 1);
    let mut kept = Vec::new();
    for bin in 0..BINS {
        let cell = |truth: Truth| -> Vec<usize> {
            (0..rows.len()).filter(|it| bins[*it] == bin && rows[*it].truth == truth).collect()
        };
        let fill = |(truth, share): (&Truth, &usize)| cell(*truth).len() as f64 / *share as f64;
        let size = shares.iter().map(fill).fold(f64::INFINITY, f64::min);
        for (truth, share) in &shares {
            let wanted = (size * *share as f64).round() as usize;
            kept.extend(evenly(&cell(*truth), wanted).into_iter().copied());
        }
    }
    kept.sort_unstable();
    kept.into_iter().map(|it| rows[it].clone()).collect()
}

/// At most `count` of the items, from all over the list.
fn evenly<T>(items: &[T], count: usize) -> Vec<&T> {
    let count = count.min(items.len());
    (0..count).map(|it| &items[it * items.len() / count]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(words: usize, truth: Truth) -> Row {
        Row { claim: "c".to_owned(), passage: "w ".repeat(words), truth }
    }

    #[test]
    fn matched_rows_have_the_same_lengths_under_every_label() {
        // Short ones are supported twice as often as they are refuted; long ones the other way round.
        let mut rows = Vec::new();
        for (words, supports, refutes) in [(10, 20, 10), (100, 10, 20)] {
            rows.extend((0..supports).map(|_| row(words, Truth::Supports)));
            rows.extend((0..refutes).map(|_| row(words, Truth::Refutes)));
        }
        let kept = length_matched(&rows);
        for words in [10, 100] {
            for truth in [Truth::Supports, Truth::Refutes] {
                let count =
                    kept.iter().filter(|it| it.truth == truth && it.words() == words).count();
                assert_eq!(count, 10, "{words} {truth:?}");
            }
        }
    }

    #[test]
    fn labels_that_share_no_length_cannot_be_matched() {
        let mut rows = vec![row(10, Truth::Supports); 40];
        rows.extend(vec![row(200, Truth::Neutral); 40]);
        assert_eq!(length_matched(&rows), []);
        assert_eq!(length_matched(&[]), []);
    }

    #[test]
    fn picked_rows_come_from_all_over() {
        assert_eq!(evenly(&[0, 1, 2, 3, 4, 5], 3), [&0, &2, &4]);
        assert_eq!(evenly(&[0, 1], 5), [&0, &1]);
        assert_eq!(evenly(&[0, 1], 0), Vec::<&i32>::new());
    }
}
