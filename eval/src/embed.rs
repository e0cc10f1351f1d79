//! Embeddings: does likeness put pairs of sentences in the order people do?
//!
//! Looks for `sts/NAME.jsonl`, packed or not, one pair per line: `{"a": "..", "b": "..", "score": 3.5}`.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use models::detect;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::arguments::Arguments;
use crate::metrics::spearman;
use crate::report::{Report, Table};
use crate::{Failure, data, model};

#[derive(Deserialize)]
struct Row {
    a: String,
    b: String,
    score: f64,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Report, Failure> {
    let model = model::embedder(arguments.model.as_deref())?;
    let mut markdown = format!("## Likeness of sentences, {}\n\n", model.id());
    let sets = sets(&arguments.data.join("sts"))?;
    if sets.is_empty() {
        markdown += "Skipped: the data folder has no `sts/NAME.jsonl` with judged pairs.\n";
    } else {
        markdown += "Spearman's correlation of cosine and people's score; pairs the model does not read are \
                     left out.\n\n";
    }
    let mut table = Table::new(&["set", "#pairs", "#left out", "#Spearman", "#seconds"]);
    let mut numbers: Vec<Value> = Vec::new();
    for (name, path) in &sets {
        let mut rows: Vec<Row> = data::json_lines(path)?;
        rows.truncate(arguments.limit.unwrap_or(usize::MAX));
        let all = rows.len();
        let reads = |it: &str| model.languages().admit(&detect(it));
        rows.retain(|it| reads(&it.a) && reads(&it.b));
        let start = Instant::now();
        let texts: Vec<&str> = rows.iter().flat_map(|it| [it.a.as_str(), it.b.as_str()]).collect();
        let vectors = model.embed(&texts)?;
        let seconds = start.elapsed().as_secs_f64();
        let cosines: Vec<f64> = vectors
            .chunks_exact(2)
            .map(|it| f64::from(it[0].iter().zip(&it[1]).map(|(a, b)| a * b).sum::<f32>()))
            .collect();
        let scores: Vec<f64> = rows.iter().map(|it| it.score).collect();
        let found = spearman(&cosines, &scores);
        table.row(&[
            name.clone(),
            rows.len().to_string(),
            (all - rows.len()).to_string(),
            found.map_or("no order".to_owned(), |it| format!("{it:.4}")),
            format!("{seconds:.1}"),
        ]);
        numbers.push(json!({
            "set": name, "pairs": rows.len(), "left_out": all - rows.len(), "spearman": found, "seconds": seconds,
        }));
    }
    if !sets.is_empty() {
        markdown += &table.finish();
    }
    let json = json!({ "model": model.id(), "limit": arguments.limit, "sets": numbers });
    Ok(Report { markdown, json })
}

/// Name and file of each set, in order; none where the folder is missing.
fn sets(folder: &Path) -> Result<Vec<(String, PathBuf)>, Failure> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let at = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut sets = Vec::new();
    for entry in fs::read_dir(folder).map_err(at)? {
        let path = entry.map_err(at)?.path();
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let name = file.strip_suffix(".gz").unwrap_or(&file).strip_suffix(".jsonl");
        if let Some(name) = name {
            sets.push((name.to_owned(), path.clone()));
        }
    }
    sets.sort();
    Ok(sets)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_the_files_of_judged_pairs() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["sick.jsonl.gz", "jsts.jsonl", "README.md"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let names: Vec<_> = sets(folder.path()).unwrap().into_iter().map(|it| it.0).collect();
        assert_eq!(names, ["jsts", "sick"]);
        assert_eq!(sets(&folder.path().join("missing")).unwrap(), []);
    }
}
