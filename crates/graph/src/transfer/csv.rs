//! Writing a task out as one CSV file per table, for notebooks and spreadsheets.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use evidence::TaskId;
use serde_json::Value;

use super::Transferred;
use super::write::ExportError;
use crate::{Graph, Result};

impl Graph {
    /// Writes `claims.csv`, `edges.csv` and so on into `folder`, which is created if needed. Files
    /// of an earlier export are replaced; other files are left alone.
    pub fn export_csv(&self, task: TaskId, folder: &Path) -> Result<Transferred, ExportError> {
        self.read(|reader| reader.task(task))?;
        fs::create_dir_all(folder)?;
        let mut files: HashMap<&'static str, BufWriter<File>> = HashMap::new();
        let transferred = self.each_row(task, &mut |table, row| {
            let file = match files.entry(table) {
                std::collections::hash_map::Entry::Occupied(entry) => entry.into_mut(),
                std::collections::hash_map::Entry::Vacant(entry) => {
                    let file = File::create(folder.join(format!("{table}.csv")))?;
                    let file = entry.insert(BufWriter::new(file));
                    record(file, row.keys().map(String::as_str))?;
                    file
                }
            };
            record(file, row.values().map(cell).collect::<Vec<_>>().iter().map(String::as_str))
        })?;
        for file in files.values_mut() {
            file.flush()?;
        }
        Ok(transferred)
    }
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Writes one record as RFC 4180 has it.
fn record<'a>(out: &mut impl Write, cells: impl Iterator<Item = &'a str>) -> io::Result<()> {
    for (index, cell) in cells.enumerate() {
        if index > 0 {
            out.write_all(b",")?;
        }
        if cell.contains([',', '"', '\n', '\r']) {
            write!(out, "\"{}\"", cell.replace('"', "\"\""))?;
        } else {
            out.write_all(cell.as_bytes())?;
        }
    }
    out.write_all(b"\r\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_with_commas_quotes_or_line_breaks_are_quoted() {
        let mut out = Vec::new();
        record(&mut out, ["plain", "a,b", "say \"yes\"", "two\nlines", "日本語", ""].into_iter())
            .unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "plain,\"a,b\",\"say \"\"yes\"\"\",\"two\nlines\",日本語,\r\n"
        );
    }
}
