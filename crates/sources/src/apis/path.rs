//! The small language of the declarations: where a value lies, and what is made of it.
//!
//! `.` is the whole answer, `law_info.law_id` goes into records, `docs[0]` into a list, `sentences[].text` through all of
//! it. `a | b` is the first of them that has a value. `{a} ({b})` is text with values in it, and has none where one of
//! them is missing.

use serde::Deserialize;
use serde_json::Value;

use crate::markup::plain;

/// An expression that was understood.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Expression(Vec<Alternative>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Alternative {
    Path(Path),
    Template(Vec<Part>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    Path(Path),
}

/// The way to a value.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Path(Vec<Step>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Field(String),
    At(usize),
    All,
}

/// How values are put into a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Written {
    AsText,
    /// Escaped, so that a value cannot become another part of the address.
    InAddress,
}

/// Values that one path may find; no field needs more.
const MAX_VALUES: usize = 1_000;

impl TryFrom<String> for Expression {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let alternatives = split_outside_braces(&text);
        alternatives.iter().map(|it| alternative(it.trim())).collect::<Result<_, _>>().map(Self)
    }
}

impl TryFrom<String> for Path {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        path(&text)
    }
}

fn split_outside_braces(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0usize);
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            '|' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

fn alternative(text: &str) -> Result<Alternative, String> {
    if !text.contains(['{', '}']) {
        return path(text).map(Alternative::Path);
    }
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        let close = rest[open..]
            .find('}')
            .ok_or_else(|| format!("`{text}` has a brace that is not closed"))?;
        if open > 0 {
            parts.push(Part::Text(rest[..open].to_owned()));
        }
        parts.push(Part::Path(path(&rest[open + 1..open + close])?));
        rest = &rest[open + close + 1..];
    }
    if rest.contains('}') {
        return Err(format!("`{text}` has a brace that is not opened"));
    }
    if !rest.is_empty() {
        parts.push(Part::Text(rest.to_owned()));
    }
    Ok(Alternative::Template(parts))
}

fn path(text: &str) -> Result<Path, String> {
    let mut steps = Vec::new();
    // The answer itself, which is the record.
    if text.trim() == "." {
        return Ok(Path(steps));
    }
    for segment in text.trim().split('.') {
        let (name, mut brackets) = match segment.find('[') {
            Some(at) => segment.split_at(at),
            None => (segment, ""),
        };
        if name.is_empty() || name.contains(|it: char| it.is_whitespace() || it == ']') {
            return Err(format!("`{text}` is no path"));
        }
        steps.push(Step::Field(name.to_owned()));
        while let Some(inside) = brackets.strip_prefix('[') {
            let (index, rest) = inside
                .split_once(']')
                .ok_or_else(|| format!("`{text}` has a bracket that is not closed"))?;
            steps.push(match index {
                "" => Step::All,
                _ => Step::At(
                    index
                        .parse()
                        .map_err(|_| format!("`{index}` in `{text}` is no place in a list"))?,
                ),
            });
            brackets = rest;
        }
        if !brackets.is_empty() {
            return Err(format!("`{text}` is no path"));
        }
    }
    Ok(Path(steps))
}

impl Path {
    /// The values at the end of the way; none where it breaks off.
    pub(crate) fn values<'a>(&self, record: &'a Value) -> Vec<&'a Value> {
        let mut at = vec![record];
        for step in &self.0 {
            at = match step {
                // A list where one record was expected is all of its records: some APIs leave the list out for one.
                Step::Field(name) => at
                    .into_iter()
                    .flat_map(|value| match value {
                        Value::Array(list) => list.iter().collect(),
                        other => vec![other],
                    })
                    .filter_map(|it| it.get(name))
                    .take(MAX_VALUES)
                    .collect(),
                Step::At(index) => at
                    .into_iter()
                    .filter_map(|value| match value {
                        Value::Array(list) => list.get(*index),
                        other => (*index == 0).then_some(other),
                    })
                    .collect(),
                Step::All => at
                    .into_iter()
                    .flat_map(|value| match value {
                        Value::Array(list) => list.iter().collect(),
                        other => vec![other],
                    })
                    .take(MAX_VALUES)
                    .collect(),
            };
        }
        at.retain(|it| !it.is_null());
        at
    }

    /// The texts of all its values, one by one.
    pub(crate) fn texts(&self, record: &Value) -> Vec<String> {
        self.values(record).into_iter().flat_map(texts_of).collect()
    }

    pub(crate) fn text(&self, record: &Value) -> Option<String> {
        let texts = self.texts(record);
        (!texts.is_empty()).then(|| texts.join(" "))
    }

    /// A whole number, also where it is written as a text.
    pub(crate) fn number(&self, record: &Value) -> Option<u64> {
        self.text(record)?.parse().ok()
    }
}

impl Expression {
    pub(crate) fn text(&self, record: &Value, written: Written) -> Option<String> {
        self.0.iter().find_map(|alternative| match alternative {
            Alternative::Path(path) => path.text(record),
            Alternative::Template(parts) => {
                let mut text = String::new();
                for part in parts {
                    match part {
                        Part::Text(alternative) => text += alternative,
                        Part::Path(path) if written == Written::InAddress => {
                            let value = path.text(record)?;
                            // `+` is a space in a query only.
                            let escaped: String =
                                url::form_urlencoded::byte_serialize(value.as_bytes()).collect();
                            text += &escaped.replace('+', "%20");
                        }
                        Part::Path(path) => text += &path.text(record)?,
                    }
                }
                Some(text)
            }
        })
    }
}

/// What of a value is text for people.
fn texts_of(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => Some(plain(text)).filter(|it| !it.is_empty()).into_iter().collect(),
        Value::Number(number) => vec![number.to_string()],
        Value::Bool(flag) => vec![flag.to_string()],
        Value::Array(list) => {
            list.iter().take(MAX_VALUES).filter(|it| !it.is_array()).flat_map(texts_of).collect()
        }
        // An XML element with attributes.
        Value::Object(map) => map.get("#text").map(texts_of).unwrap_or_default(),
        Value::Null => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn said(expression: &str, record: &Value) -> String {
        let expression = Expression::try_from(expression.to_owned()).unwrap();
        expression.text(record, Written::AsText).unwrap_or_else(|| "nothing".to_owned())
    }

    #[test]
    fn paths_lead_through_records_and_lists() {
        let record = json!({
            "law_info": {"law_id": "405AC", "year": 5, "open": true},
            "sentences": [{"text": "<span>行政</span>手続"}, {"text": ""}, {"text": "命令 &amp; 規則"}],
            "hojin-infos": {"@id": "x", "$": "y"}, "docs": [["a", "b"], "c"], "none": null,
        });
        assert_eq!(said("law_info.law_id", &record), "405AC");
        assert_eq!(said("law_info.year", &record), "5");
        assert_eq!(said("law_info.open", &record), "true");
        assert_eq!(said("sentences[].text", &record), "行政手続 命令 & 規則");
        assert_eq!(said("sentences[0].text", &record), "行政手続");
        assert_eq!(said("sentences.text", &record), "行政手続 命令 & 規則");
        assert_eq!(said("hojin-infos.@id", &record), "x");
        assert_eq!(said("hojin-infos[0].$", &record), "y", "one record without its list");
        assert_eq!(said("docs[0][1]", &record), "b");
        for path in [
            "none",
            "missing",
            "law_info",
            "law_info.law_id.deeper",
            "sentences[9].text",
            "docs[0][7]",
        ] {
            assert_eq!(said(path, &record), "nothing", "{path}");
        }
    }

    #[test]
    fn the_first_alternative_with_a_value_counts_and_templates_need_all_of_theirs() {
        let record = json!({"title": "T", "empty": " ", "who": "W"});
        assert_eq!(said("missing | empty | title", &record), "T");
        assert_eq!(said("{who}: {title}", &record), "W: T");
        assert_eq!(said("{who}: {missing} | {title}!", &record), "T!");
        assert_eq!(said("{who}: {missing}", &record), "nothing");
    }

    #[test]
    fn values_cannot_leave_their_place_in_an_address() {
        let record = json!({"id": "a/../b?x=1&y#z 東"});
        let expression = Expression::try_from("https://e.example/{id}".to_owned()).unwrap();
        let address = expression.text(&record, Written::InAddress).unwrap();
        assert_eq!(address, "https://e.example/a%2F..%2Fb%3Fx%3D1%26y%23z%20%E6%9D%B1");
    }

    #[test]
    fn what_is_no_path_is_said_when_the_declaration_is_read() {
        let error = |text: &str| Expression::try_from(text.to_owned()).unwrap_err();
        assert_eq!(error(""), "`` is no path");
        assert_eq!(error("a..b"), "`a..b` is no path");
        assert_eq!(error("a b"), "`a b` is no path");
        assert_eq!(error("a[1"), "`a[1` has a bracket that is not closed");
        assert_eq!(error("a[x]"), "`x` in `a[x]` is no place in a list");
        assert_eq!(error("a[1]b"), "`a[1]b` is no path");
        assert_eq!(error("{a"), "`{a` has a brace that is not closed");
        assert_eq!(error("a}"), "`a}` has a brace that is not opened");
        assert_eq!(error("a |"), "`` is no path");
    }
}
