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
    ///
    /// Texts of strangers that a spreadsheet would take for a formula get an apostrophe before them, unless they are to
    /// be `raw`.
    pub fn export_csv(
        &self,
        task: TaskId,
        folder: &Path,
        raw: bool,
    ) -> Result<Transferred, ExportError> {
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
            Ok(file.write_record(row.values().map(|value| cell(value, raw)))?)
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

fn cell(value: &Value, raw: bool) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) if !raw => text::spreadsheet_cell(text),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_spreadsheet_would_compute_is_made_text_unless_raw() {
        let shown = |text: &str, raw| cell(&Value::from(text), raw);
        for text in ["=1+1", "@SUM(A1)"] {
            assert_eq!(shown(text, false), format!("'{text}"));
            assert_eq!(shown(text, true), text);
        }
        assert_eq!(shown("a = b", false), "a = b");
        assert_eq!(cell(&Value::from(-0.5), false), "-0.5", "a number is a number");
    }

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
