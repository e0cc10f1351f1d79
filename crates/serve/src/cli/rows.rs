//! Rows of any question: as a table for people, as CSV for other programs.

use graph::Rows;
use serde_json::Value;

use crate::ui::{Column, Layout, Table, Ui, clean, width};
use crate::words::say;

/// Words and ids up to this width are never cut; anything longer, or with spaces, is text.
const WORD_WIDTH: usize = 40;

/// Shows rows as a table. Fractions are rounded there; `--json` and CSV carry every digit.
pub(super) fn table(rows: &Rows, layout: Layout) -> String {
    let cells: Vec<Vec<String>> =
        rows.rows.iter().map(|row| row.iter().map(rounded).collect()).collect();
    let column = |(index, title): (usize, &String)| {
        let title = clean(title);
        let values = || rows.rows.iter().map(|row| &row[index]);
        if values().any(Value::is_number) && values().all(|it| it.is_number() || it.is_null()) {
            return Column::number(title);
        }
        let is_word =
            |cell: &String| !cell.contains(char::is_whitespace) && width(cell) <= WORD_WIDTH;
        match cells.iter().all(|row| is_word(&row[index])) {
            true => Column::exact(title),
            false => Column::text(title),
        }
    };
    let mut table = Table::new(rows.columns.iter().enumerate().map(column));
    cells.iter().for_each(|row| table.row(row));
    table.render(layout)
}

/// Says that rows were left out, and how to see more.
pub(super) fn note_cut(ui: &Ui, rows: &Rows, limit: usize) {
    if !rows.truncated {
        return;
    }
    let (shown, rest) = (rows.rows.len(), &ui.words().rest);
    ui.note(&match shown < limit {
        true => say!(rest.rows_too_large, n = shown),
        false => say!(rest.rows, n = shown, more = limit.saturating_mul(10)),
    });
}

/// Writes rows as CSV (RFC 4180). NULL is an empty field, an empty text is `""`: the `csv` crate
/// cannot tell the two apart. What a spreadsheet would compute gets an apostrophe before it, unless it is to be `raw`.
pub(super) fn csv(rows: &Rows, raw: bool) -> String {
    let field = |text: &str| match text.contains(['"', ',', '\n', '\r']) || text.is_empty() {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    };
    let mut written = String::new();
    let mut line = |fields: Vec<String>| written += &(fields.join(",") + "\r\n");
    line(rows.columns.iter().map(|name| field(name)).collect());
    let cell = |value: &Value| match value.is_null() {
        true => String::new(),
        false => match value {
            Value::String(text) if !raw => field(&text::spreadsheet_cell(text)),
            other => field(&exact(other)),
        },
    };
    for row in &rows.rows {
        line(row.iter().map(cell).collect());
    }
    written
}

fn exact(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Object(blob) => {
            format!("({} bytes)", blob.get("blob_bytes").unwrap_or(&Value::Null))
        }
        other => other.to_string(),
    }
}

/// Nobody compares more than four decimals by eye; a number that would round to 0 is shown as it is.
pub(super) fn rounded(value: &Value) -> String {
    let fraction = value
        .as_f64()
        .filter(|number| value.is_f64() && number.abs() < 1e9 && number.fract() != 0.0);
    match fraction.map(|number| (number * 1e4).round() / 1e4).filter(|number| *number != 0.0) {
        Some(rounded) => rounded.to_string(),
        None => exact(value),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn rows() -> Rows {
        Rows {
            columns: ["id", "score", "text", "vector"].map(str::to_owned).to_vec(),
            rows: vec![
                vec![
                    json!("c_1"),
                    json!(0.595744680851),
                    json!("海面, \"約\"20 cm"),
                    json!({ "blob_bytes": 1536 }),
                ],
                vec![json!("c_2"), json!(null), json!(""), json!(null)],
                vec![json!("c_3"), json!(0.00001), json!("two\nlines"), json!(null)],
                vec![json!("c_4"), json!(2), json!(null), json!(null)],
            ],
            truncated: false,
        }
    }

    #[test]
    fn a_table_rounds_fractions_and_aligns_numbers() {
        insta::assert_snapshot!(table(&rows(), Layout { width: Some(80), lines: 1, bold: false }), @r#"
        id     score  text             vector
        ──     ─────  ────             ──────
        c_1   0.5957  海面, "約"20 cm  (1536 bytes)
        c_2
        c_3  0.00001  two lines
        c_4        2
        "#);
    }

    #[test]
    fn csv_carries_every_digit_and_tells_nothing_from_empty() {
        assert_eq!(
            csv(&rows(), false),
            "id,score,text,vector\r\n\
             c_1,0.595744680851,\"海面, \"\"約\"\"20 cm\",(1536 bytes)\r\n\
             c_2,,\"\",\r\n\
             c_3,0.00001,\"two\nlines\",\r\n\
             c_4,2,,\r\n"
        );
    }
}
