//! Does likeness put pairs of sentences in the order people do?
//!
//! Looks for `sts/NAME.jsonl`, packed or not, one pair per line: `{"a": "..", "b": "..", "score": 3.5}`.

use std::fs;
use std::path::{Path, PathBuf};

use models::Embedder;
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

pub(super) fn run(model: &dyn Embedder, arguments: &Arguments) -> Result<Report, Failure> {
    let sets = sets(&arguments.data.join("sts"))?;
    if sets.is_empty() {
        let markdown = "Judged pairs: skipped, the data folder has no `sts/NAME.jsonl` with people's scores.\n";
        return Ok(Report { markdown: markdown.to_owned(), json: Value::Null });
    }
    let mut table = Table::new(&["set", "#pairs", "#left out", "#Spearman"]);
    let mut numbers: Vec<Value> = Vec::new();
    for (name, path) in &sets {
        let mut rows: Vec<Row> = data::json_lines(path)?;
        rows.truncate(arguments.limit.unwrap_or(usize::MAX));
        let texts: Vec<String> = rows.iter().flat_map(|it| [it.a.clone(), it.b.clone()]).collect();
        let vectors = model::vectors(model, &texts)?;
        let known = rows.iter().zip(vectors.chunks_exact(2)).filter_map(|(row, pair)| match pair {
            [Some(a), Some(b)] => Some((model::cosine(a, b), row.score)),
            _ => None,
        });
        let (cosines, scores): (Vec<f64>, Vec<f64>) = known.unzip();
        let found = spearman(&cosines, &scores);
        table.row(&[
            name.clone(),
            scores.len().to_string(),
            (rows.len() - scores.len()).to_string(),
            found.map_or("no order".to_owned(), |it| format!("{it:.4}")),
        ]);
        numbers.push(json!({
            "set": name, "pairs": scores.len(), "left_out": rows.len() - scores.len(), "spearman": found,
        }));
    }
    let markdown = format!(
        "Judged pairs: Spearman's correlation of cosine and people's score; pairs the model does not read are \
         left out.\n\n{}",
        table.finish()
    );
    Ok(Report { markdown, json: Value::Array(numbers) })
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
