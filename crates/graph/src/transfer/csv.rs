//! Writing a task out as one CSV file per table, for notebooks and spreadsheets.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use csv::{Terminator, Writer, WriterBuilder};
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
        let mut files: HashMap<&'static str, Writer<File>> = HashMap::new();
        let transferred = self.each_row(task, &mut |table, row| {
            let file = match files.entry(table) {
                Entry::Occupied(entry) => entry.into_mut(),
                Entry::Vacant(entry) => {
                    let file = writer(File::create(folder.join(format!("{table}.csv")))?);
                    let file = entry.insert(file);
                    file.write_record(row.keys())?;
                    file
                }
            };
            Ok(file.write_record(row.values().map(cell))?)
        })?;
        for file in files.values_mut() {
            file.flush()?;
        }
        Ok(transferred)
    }
}

/// RFC 4180 ends lines with CRLF; the crate's own default does not.
fn writer<W: Write>(out: W) -> Writer<W> {
    WriterBuilder::new().terminator(Terminator::CRLF).from_writer(out)
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_with_commas_quotes_or_line_breaks_are_quoted() {
        let mut out = writer(Vec::new());
        out.write_record(["plain", "a,b", "say \"yes\"", "two\nlines", "日本語", ""]).unwrap();
        assert_eq!(
            String::from_utf8(out.into_inner().unwrap()).unwrap(),
            "plain,\"a,b\",\"say \"\"yes\"\"\",\"two\nlines\",日本語,\r\n"
        );
    }
}
