//! `query_graph`: anything about the evidence, in guarded SQL.

use graph::{QueryAnswer, QuerySettings};
use serde_json::{Map, Value, json};

use crate::mcp::call::Call;
use crate::mcp::response::Answer;
use crate::mcp::schema::clipped;
use crate::mcp::tool_error::ToolError;

/// Characters a text may keep, however many stand beside it.
const LEAST_CELL_CHARS: usize = 60;
/// Characters of text that fit into the token budget of one answer, for each token of it.
const CHARS_PER_TOKEN: usize = 2;
/// Rows the digest shows, and characters of a cell in it.
const SHOWN_ROWS: usize = 5;
const SHOWN_CELL_CHARS: usize = 48;

pub(super) async fn run(call: &Call) -> Result<Answer, ToolError> {
    let sql = call.required_text("sql")?.to_owned();
    let limits = limits(call);
    let asked = limits.clone();
    let mut found = call.state.read(move |graph| Ok(graph.query(&sql, &asked)?)).await?;
    let columns = distinct(&found.table.columns);
    let cut_texts = cut(&mut found, longest_cell(call, columns.len()));
    let text = digest(&found, &columns);
    let rows: Vec<Value> = found.table.rows.into_iter().map(|row| named(&columns, row)).collect();
    let mut body = json!({
        "columns": columns,
        "row_count": found.row_count,
        "truncated": found.table.truncated,
        "elapsed_ms": found.elapsed_ms,
        "rows": rows,
        "schema": found.schema,
    });
    if cut_texts > 0 {
        body["cut_texts"] = cut_texts.into();
    }
    Ok(Answer::new(body, text).shortening(&["schema.tables", "rows"]).quoting())
}

/// What the settings give, as the call changes it, within what a door may grant.
fn limits(call: &Call) -> QuerySettings {
    let usual = call.state.session().settings.query.clone();
    let number = |name| call.option(name).as_u64();
    QuerySettings {
        rows: number("limit").map_or(usual.rows, |it| it as usize).min(QuerySettings::MAX_ROWS),
        timeout_ms: number("timeout_ms")
            .unwrap_or(usual.timeout_ms)
            .min(QuerySettings::MAX_TIMEOUT_MS),
        vm_steps: number("max_vm_steps").unwrap_or(usual.vm_steps).min(QuerySettings::MAX_VM_STEPS),
        include_schema: call.option("include_schema").as_bool() == Some(true),
        ..usual
    }
}

/// How long a text may be so that one row always fits.
fn longest_cell(call: &Call, columns: usize) -> usize {
    let settings = call.state.settings();
    let is_full = call.text("detail") == Some("full");
    let tokens = if is_full { settings.full_tokens } else { settings.answer_tokens };
    (tokens * CHARS_PER_TOKEN / 4 / columns.max(1) * 2).max(LEAST_CELL_CHARS)
}

/// Cuts long texts; says how many.
fn cut(found: &mut QueryAnswer, most: usize) -> usize {
    let mut count = 0;
    for cell in found.table.rows.iter_mut().flatten() {
        if let Value::String(text) = cell
            && text.chars().nth(most).is_some()
        {
            *text = clipped(text, most);
            count += 1;
        }
    }
    count
}

/// Column names that can be keys of one object: a second `id` is `id_2`.
fn distinct(columns: &[String]) -> Vec<String> {
    let mut names: Vec<String> = Vec::with_capacity(columns.len());
    for column in columns {
        let mut name = column.clone();
        let mut number = 2;
        while names.contains(&name) {
            name = format!("{column}_{number}");
            number += 1;
        }
        names.push(name);
    }
    names
}

fn named(columns: &[String], row: Vec<Value>) -> Value {
    Value::Object(columns.iter().cloned().zip(row).collect::<Map<_, _>>())
}

fn digest(found: &QueryAnswer, columns: &[String]) -> String {
    let count = found.row_count;
    let more = if found.table.truncated { ", there are more" } else { "" };
    let mut text = format!("rows: {count}{more}\n{}", columns.join(" | "));
    for row in found.table.rows.iter().take(SHOWN_ROWS) {
        let cells: Vec<String> = row
            .iter()
            .map(|it| match it {
                Value::String(text) => clipped(
                    &text.split_whitespace().collect::<Vec<_>>().join(" "),
                    SHOWN_CELL_CHARS,
                ),
                other => other.to_string(),
            })
            .collect();
        text += &format!("\n{}", cells.join(" | "));
    }
    clipped(&text, 1_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_that_comes_twice_keeps_both_values() {
        let columns = ["id", "id", "text", "id"].map(str::to_owned);
        assert_eq!(distinct(&columns), ["id", "id_2", "text", "id_3"]);
        assert_eq!(
            named(&distinct(&columns[..2]), vec![json!(1), json!(2)]),
            json!({ "id": 1, "id_2": 2 })
        );
    }
}
