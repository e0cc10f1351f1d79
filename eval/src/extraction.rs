//! How much of a page's content is read, and how little else: word F1 against gold texts.
//!
//! The measure is the one of the benchmark WCXB: words in lower case, each counted as often as it
//! occurs, F1 of every page, the mean over pages. The same for Mozilla's pages against the text that
//! Readability is expected to give. PDF files are measured by [`crate::pdf`].

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use extract::{Input, ReadSettings, learning};
use serde_json::{Value, json};

use crate::arguments::Arguments;
use crate::metrics::{Overlap, median, overlap};
use crate::report::{Report, Table, progress};
use crate::{Failure, data};

/// A page with the text that should come out.
struct Case {
    path: PathBuf,
    group: String,
    bytes: Vec<u8>,
    gold: String,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Report, Failure> {
    let mut markdown = "## Extraction\n".to_owned();
    let mut groups = BTreeMap::new();
    let pages = arguments.data.join("extraction");
    let wcxb = limited(wcxb(&pages.join("wcxb_dev"))?, arguments.limit);
    let mozilla =
        limited(readability(&pages.join("readability/test/test-pages"))?, arguments.limit);
    if let Some(rows) = &arguments.rows {
        write_rows(rows, wcxb.iter().chain(&mozilla))?;
        progress(&format!("the numbers of every block are in {}", rows.display()));
    }
    let mut table = Table::new(&[
        "set",
        "kind",
        "#pages",
        "#precision",
        "#recall",
        "#F1",
        "#median F1",
        "#ms a page",
        "#worst",
    ]);
    for (set, cases) in [("wcxb_dev", wcxb), ("readability", mozilla)] {
        if cases.is_empty() {
            markdown += &format!("\n{set}: not there, left out\n");
            continue;
        }
        let mut by_kind: BTreeMap<String, Vec<(Overlap, Duration)>> = BTreeMap::new();
        for case in &cases {
            let started = Instant::now();
            let document = extract::read(
                Input { bytes: &case.bytes, ..Input::default() },
                &ReadSettings::default(),
            );
            let took = started.elapsed();
            let score = score(&document.text, &case.gold);
            by_kind.entry("all".to_owned()).or_default().push((score, took));
            if case.group != set {
                by_kind.entry(case.group.clone()).or_default().push((score, took));
            }
        }
        for (kind, scores) in by_kind {
            let row = summary(&scores);
            table.row(&cells(set, &kind, &row));
            groups.insert(format!("{set}/{kind}"), row);
        }
    }
    markdown += &format!("\n{}", table.finish());
    Ok(Report { markdown, json: json!({ "measure": "word F1", "sets": groups }) })
}

fn limited(mut cases: Vec<Case>, limit: Option<usize>) -> Vec<Case> {
    cases.truncate(limit.unwrap_or(usize::MAX));
    cases
}

fn summary(scores: &[(Overlap, Duration)]) -> Value {
    let count = scores.len() as f64;
    let mean =
        |value: fn(&Overlap) -> f64| scores.iter().map(|it| value(&it.0)).sum::<f64>() / count;
    let f1 = || scores.iter().map(|it| it.0.f1);
    let time: Duration = scores.iter().map(|it| it.1).sum();
    json!({
        "pages": scores.len(), "precision": mean(|it| it.precision), "recall": mean(|it| it.recall), "f1": mean(|it| it.f1),
        "median_f1": median(f1()), "ms_per_page": time.as_secs_f64() * 1e3 / count, "worst_f1": f1().fold(f64::INFINITY, f64::min),
    })
}

fn cells(set: &str, kind: &str, row: &Value) -> Vec<String> {
    let mut cells = vec![set.to_owned(), kind.to_owned(), row["pages"].to_string()];
    for key in ["precision", "recall", "f1", "median_f1"] {
        cells.push(format!("{:.3}", row[key].as_f64().unwrap_or(f64::NAN)));
    }
    cells.push(format!("{:.2}", row["ms_per_page"].as_f64().unwrap_or(f64::NAN)));
    cells.push(format!("{:.3}", row["worst_f1"].as_f64().unwrap_or(f64::NAN)));
    cells
}

fn words(text: &str) -> Vec<String> {
    let parts =
        text.split(|it: char| !(it.is_alphanumeric() || it == '_')).filter(|it| !it.is_empty());
    parts.map(str::to_lowercase).collect()
}

fn score(found: &str, gold: &str) -> Overlap {
    overlap(&words(found), &words(gold))
}

fn wcxb(folder: &Path) -> Result<Vec<Case>, Failure> {
    let mut cases = Vec::new();
    for path in files(&folder.join("html"))? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let stem = name.trim_end_matches(".gz").trim_end_matches(".html");
        let truth: Value =
            serde_json::from_str(&data::text(&folder.join(format!("ground-truth/{stem}.json")))?)?;
        cases.push(Case {
            bytes: bytes(&path)?,
            path,
            group: truth["_internal"]["page_type"]["primary"]
                .as_str()
                .unwrap_or("article")
                .to_owned(),
            gold: truth["ground_truth"]["main_content"].as_str().unwrap_or_default().to_owned(),
        });
    }
    Ok(cases)
}

fn readability(folder: &Path) -> Result<Vec<Case>, Failure> {
    let mut cases = Vec::new();
    for page in files(folder)? {
        let source = data::packed_or_plain(&page, "source.html");
        let expected = data::packed_or_plain(&page, "expected.html");
        if source.exists() && expected.exists() {
            let expected = String::from_utf8_lossy(&bytes(&expected)?).into_owned();
            cases.push(Case {
                bytes: bytes(&source)?,
                path: source,
                group: "readability".to_owned(),
                gold: learning::all_text(&expected),
            });
        }
    }
    Ok(cases)
}

/// The files and folders of a folder by name; none where it is not there.
fn files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        paths.push(entry?.path());
    }
    paths.sort();
    Ok(paths)
}

fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    data::open(path)?
        .read_to_end(&mut bytes)
        .map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(bytes)
}

/// What `training/extract/train.py` learns from.
fn write_rows<'a>(path: &Path, cases: impl Iterator<Item = &'a Case>) -> Result<(), Failure> {
    let mut out = BufWriter::new(fs::File::create(path)?);
    for case in cases {
        let rows = learning::block_rows(&String::from_utf8_lossy(&case.bytes));
        let (texts, features): (Vec<String>, Vec<Vec<f32>>) = rows.into_iter().unzip();
        let row = json!({ "path": case.path, "texts": texts, "features": features });
        writeln!(out, "{row}")?;
    }
    Ok(out.flush()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_neither_case_nor_punctuation() {
        assert_eq!(words("The sea, the_sea!"), ["the", "sea", "the_sea"]);
    }
}
