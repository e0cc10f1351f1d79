//! The rows of a view as a person reads them: what is claimed, in which words, by whom and when, in place of ids.

use std::collections::BTreeSet;

use evidence::{ClaimId, FragmentId, PageId, TaskId};
use graph::{Reader, Result, Rows};
use serde_json::Value;

use crate::cli::rows;
use crate::ui::{Layout, record};
use crate::words::{Words, say};

/// Characters of a quote.
const QUOTE_CHARS: usize = 240;

/// Rows with texts where ids were; a cell may hold several.
#[derive(Debug)]
pub(super) struct Readable {
    columns: Vec<String>,
    rows: Vec<Vec<Vec<String>>>,
}

impl Readable {
    pub(super) fn of(reader: &Reader<'_>, words: &Words, rows: &Rows) -> Result<Self> {
        let kept: Vec<usize> =
            (0..rows.columns.len()).filter(|it| !is_told_otherwise(rows, *it)).collect();
        let columns = kept.iter().map(|it| label(words, &rows.columns[*it])).collect();
        let mut read = Vec::new();
        for row in &rows.rows {
            let cell = |index: &usize| match title_of(reader, rows, row, *index)? {
                Some(title) => Ok(vec![title]),
                None => texts(reader, words, &row[*index]),
            };
            read.push(kept.iter().map(cell).collect::<Result<Vec<_>>>()?);
        }
        Ok(Self { columns, rows: read })
    }

    /// A table, or where cells hold several texts a record for each row.
    pub(super) fn render(&self, layout: Layout, truncated: bool) -> String {
        if self.rows.iter().flatten().all(|cell| cell.len() <= 1) {
            let value = |cell: &Vec<String>| match cell.first() {
                None => Value::Null,
                // What was a number is aligned as one.
                Some(text) => match text.parse::<serde_json::Number>() {
                    Ok(number) => Value::Number(number),
                    Err(_) => Value::String(text.clone()),
                },
            };
            let rows = self.rows.iter().map(|row| row.iter().map(value).collect()).collect();
            return rows::table(&Rows { columns: self.columns.clone(), rows, truncated }, layout);
        }
        let records = self.rows.iter().map(|row| {
            let mut fields = Vec::new();
            for (label, texts) in self.columns.iter().zip(row) {
                let labels = std::iter::once(label.as_str()).chain(std::iter::repeat(""));
                fields.extend(labels.zip(texts.iter().map(String::as_str)));
            }
            record(&fields, layout)
        });
        records.collect::<Vec<_>>().join("\n")
    }
}

/// Whether a column holds ids of what another one tells in words.
fn is_told_otherwise(rows: &Rows, index: usize) -> bool {
    let Some(stem) = rows.columns[index].strip_suffix("_id") else { return false };
    let base = stem.strip_suffix("page").map(|it| it.trim_end_matches('_'));
    let mut others: BTreeSet<String> = BTreeSet::from([format!("{stem}_text")]);
    match base {
        Some("") => others.extend(["url".to_owned(), "title".to_owned()]),
        Some(base) => {
            others.extend(["title", "url", "fragment_id"].map(|it| format!("{base}_{it}")));
        }
        None => {}
    }
    stem == "task" || rows.columns.iter().any(|it| others.contains(it))
}

/// The name of a page whose title is not known: its address.
fn title_of(
    reader: &Reader<'_>,
    rows: &Rows,
    row: &[Value],
    index: usize,
) -> Result<Option<String>> {
    let Some(base) = rows.columns[index].strip_suffix("title").filter(|_| row[index].is_null())
    else {
        return Ok(None);
    };
    let id = rows.columns.iter().position(|it| *it == format!("{base}page_id"));
    match id.and_then(|it| row[it].as_str()?.parse::<PageId>().ok()) {
        Some(page) => Ok(Some(reader.page(page)?.url)),
        None => Ok(None),
    }
}

/// What a cell says; nothing where it is empty.
fn texts(reader: &Reader<'_>, words: &Words, value: &Value) -> Result<Vec<String>> {
    let list = value
        .as_str()
        .filter(|it| it.starts_with('['))
        .and_then(|it| serde_json::from_str::<Vec<Value>>(it).ok());
    if let Some(list) = list {
        let mut all = Vec::new();
        for item in &list {
            all.extend(texts(reader, words, item)?);
        }
        let is_short = all.iter().all(|it| it.chars().count() < 24);
        return Ok(if is_short && !all.is_empty() { vec![all.join(", ")] } else { all });
    }
    Ok(match value {
        Value::Null => Vec::new(),
        Value::String(text) => match named(reader, words, text)? {
            Some(name) => vec![name],
            None => vec![words.code(text)],
        },
        Value::Number(number) => vec![rows::rounded(&Value::Number(number.clone()))],
        other => vec![other.to_string()],
    })
}

/// What an id stands for.
fn named(reader: &Reader<'_>, words: &Words, id: &str) -> Result<Option<String>> {
    if let Ok(fragment) = id.parse::<FragmentId>() {
        let fragment = reader.fragment(fragment)?;
        let source = page_name(reader, fragment.page_id)?;
        let text = fragment.text_content.split_whitespace().collect::<Vec<_>>().join(" ");
        let quote = text::shortened(&text, QUOTE_CHARS);
        return Ok(Some(say!(words.common.quoted, quote = quote, source = source)));
    }
    if let Ok(page) = id.parse::<PageId>() {
        return Ok(Some(page_name(reader, page)?));
    }
    if let Ok(claim) = id.parse::<ClaimId>() {
        return Ok(Some(reader.claim(claim)?.claim_text));
    }
    match id.parse::<TaskId>() {
        Ok(task) => Ok(Some(reader.task(task)?.query)),
        Err(_) => Ok(None),
    }
}

fn page_name(reader: &Reader<'_>, page: PageId) -> Result<String> {
    let page = reader.page(page)?;
    let name = page.title.filter(|it| !it.trim().is_empty()).unwrap_or(page.url);
    Ok(match page.year {
        Some(year) => format!("{name}, {year}"),
        None => name,
    })
}

/// The heading of a column.
fn label(words: &Words, column: &str) -> String {
    let known = words.code(column);
    match known == column {
        true => column.replace("fragment", "passage").replace('_', " "),
        false => known,
    }
}
