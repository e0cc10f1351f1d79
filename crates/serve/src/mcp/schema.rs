//! The part of JSON Schema that tools are described with, and what it means for values.
//!
//! One description serves three times: clients read it, [`check`] holds arguments against it, and [`fit`] lets
//! nothing out of an answer that it does not name (L7).

use serde_json::{Map, Value};

/// Longest text where a description names no length.
const USUAL_TEXT_CHARS: usize = 20_000;

/// Where a value does not fit, and what would.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Misfit {
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
}

impl Misfit {
    fn new(message: String) -> Self {
        Self { message, hint: None }
    }

    fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

/// Holds arguments against a description. A whole number written as 5.0 becomes 5; nothing else is changed.
pub(crate) fn check(schema: &Value, value: &mut Value) -> Result<(), Misfit> {
    check_at(schema, value, "")
}

fn check_at(schema: &Value, value: &mut Value, path: &str) -> Result<(), Misfit> {
    let kind = schema["type"].as_str().unwrap_or_default();
    if kind == "integer"
        && let Some(whole) = value.as_f64().filter(|it| it.fract() == 0.0 && it.abs() < 9e15)
        && value.is_f64()
    {
        *value = (whole as i64).into();
    }
    if !is_of(kind, value) {
        let message = format!("{} must be {}, not {}", named(path), article(kind), found(value));
        return Err(Misfit::new(message));
    }
    match value {
        Value::Object(fields) => check_fields(schema, fields, path),
        Value::Array(items) => {
            if let Some(most) = schema["maxItems"].as_u64()
                && items.len() as u64 > most
            {
                let message = format!("{} may have at most {most} entries", named(path));
                return Err(Misfit::new(message));
            }
            for (index, item) in items.iter_mut().enumerate() {
                check_at(&schema["items"], item, &format!("{path}[{index}]"))?;
            }
            Ok(())
        }
        Value::String(text) => check_text(schema, text, path),
        Value::Number(number) => {
            let number = number.as_f64().unwrap_or(f64::NAN);
            let (least, most) = (schema["minimum"].as_f64(), schema["maximum"].as_f64());
            let inside = least.is_none_or(|it| number >= it) && most.is_none_or(|it| number <= it);
            match (inside, least, most) {
                (true, ..) => Ok(()),
                (false, Some(least), Some(most)) => {
                    Err(Misfit::new(format!("{} must be from {least} to {most}", named(path))))
                }
                _ => Err(Misfit::new(format!("{} is out of range", named(path)))),
            }
        }
        _ => Ok(()),
    }
}

fn check_fields(schema: &Value, fields: &mut Map<String, Value>, path: &str) -> Result<(), Misfit> {
    let Some(known) = schema["properties"].as_object() else { return Ok(()) };
    if let Some(stranger) = fields.keys().find(|it| !known.contains_key(*it)) {
        let place = if path.is_empty() { String::new() } else { format!(" in `{path}`") };
        let misfit = Misfit::new(format!("there is no field `{}`{place}", shown(stranger)));
        let names: Vec<&str> = known.keys().map(String::as_str).collect();
        return Err(match closest(stranger, &names) {
            Some(name) => misfit.hint(format!("did you mean `{name}`?")),
            None => misfit.hint(format!("the fields are {}", names.join(", "))),
        });
    }
    let required = schema["required"].as_array().map(Vec::as_slice).unwrap_or_default();
    if let Some(missing) =
        required.iter().filter_map(Value::as_str).find(|it| !fields.contains_key(*it))
    {
        let place = below(path, missing);
        return Err(Misfit::new(format!("`{place}` is missing")));
    }
    for (name, value) in fields {
        check_at(&known[name], value, &below(path, name))?;
    }
    Ok(())
}

fn check_text(schema: &Value, text: &str, path: &str) -> Result<(), Misfit> {
    if let Some(choices) = schema["enum"].as_array() {
        let choices: Vec<&str> = choices.iter().filter_map(Value::as_str).collect();
        if choices.contains(&text) {
            return Ok(());
        }
        let misfit = Misfit::new(format!("{} cannot be `{}`", named(path), shown(text)));
        return Err(match closest(text, &choices) {
            Some(name) => misfit.hint(format!("did you mean `{name}`?")),
            None => misfit.hint(format!("it is one of {}", choices.join(", "))),
        });
    }
    let least = schema["minLength"].as_u64().unwrap_or(0);
    if least > 0 && text.trim().is_empty() {
        return Err(Misfit::new(format!("{} is empty", named(path))));
    }
    if is_id(path) && !text.is_empty() && !text.chars().all(is_of_id) {
        let message = format!("{} is no id: `{}`", named(path), shown(text));
        return Err(Misfit::new(message).hint("an id is given as an answer named it"));
    }
    let most = schema["maxLength"].as_u64().map_or(USUAL_TEXT_CHARS, |it| it as usize);
    let length = text.chars().count();
    if length > most {
        let message = format!("{} has {length} characters; at most {most} are taken", named(path));
        return Err(Misfit::new(message));
    }
    match text.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
        Some(c) => Err(Misfit::new(format!(
            "{} contains a control character (U+{:04X})",
            named(path),
            u32::from(c)
        ))),
        None => Ok(()),
    }
}

/// Whether a field holds an id that Lyra made up. Its form follows from its name: written into every description it
/// would cost clients tokens. A manual's id is what its folder is called.
fn is_id(path: &str) -> bool {
    let name = path.rsplit('.').next().unwrap_or(path);
    name.ends_with("_id") && name != "manual_id"
}

/// Ids of Lyra are ASCII letters, digits, `_` and `-`.
fn is_of_id(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-')
}

/// Lets through what the description names, cut to its lengths. Fields nobody named are left out, as is a `null`
/// where a value is optional; a value of another type than described is a bug of ours.
pub(crate) fn fit(schema: &Value, value: Value) -> Result<Value, Misfit> {
    fit_at(schema, value, "")
}

fn fit_at(schema: &Value, value: Value, path: &str) -> Result<Value, Misfit> {
    let kind = schema["type"].as_str().unwrap_or_default();
    if !is_of(kind, &value) {
        let message = format!("{} is {}, not {}", named(path), found(&value), article(kind));
        return Err(Misfit::new(message));
    }
    Ok(match value {
        Value::Object(fields) => {
            let Some(known) = schema["properties"].as_object() else {
                return Ok(Value::Object(fields));
            };
            let mut kept = Map::new();
            for (name, value) in fields {
                let Some(schema) = known.get(&name).filter(|_| !value.is_null()) else { continue };
                let fitted = fit_at(schema, value, &below(path, &name))?;
                kept.insert(name, fitted);
            }
            Value::Object(kept)
        }
        Value::Array(items) => {
            let mut kept = Vec::with_capacity(items.len());
            for (index, item) in items.into_iter().enumerate() {
                kept.push(fit_at(&schema["items"], item, &format!("{path}[{index}]"))?);
            }
            Value::Array(kept)
        }
        Value::String(text) => {
            let most = schema["maxLength"].as_u64().map_or(USUAL_TEXT_CHARS, |it| it as usize);
            Value::String(clipped(&text, most))
        }
        other => other,
    })
}

/// The beginning of a text that is longer than `most` characters.
pub(crate) fn clipped(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => text.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
    }
}

/// The name that a misspelt one most likely meant.
pub(crate) fn closest<'a>(given: &str, names: &[&'a str]) -> Option<&'a str> {
    let given = given.to_lowercase();
    if given.chars().count() > 60 {
        return None;
    }
    let likeness = |name: &str| strsim::jaro_winkler(&given, name);
    let best = names.iter().copied().max_by(|a, b| likeness(a).total_cmp(&likeness(b)))?;
    (likeness(best) >= 0.8).then_some(best)
}

/// A stranger's word in a message: short, on one line.
pub(crate) fn shown(text: &str) -> String {
    let plain: String = text.chars().filter(|c| !c.is_control()).collect();
    clipped(&plain, 60)
}

fn is_of(kind: &str, value: &Value) -> bool {
    match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        _ => true,
    }
}

fn article(kind: &str) -> &'static str {
    match kind {
        "object" => "an object",
        "array" => "a list",
        "string" => "a text",
        "boolean" => "true or false",
        "integer" => "a whole number",
        "number" => "a number",
        _ => "a value",
    }
}

fn found(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

fn named(path: &str) -> String {
    if path.is_empty() { "the arguments".to_owned() } else { format!("`{path}`") }
}

fn below(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn schema() -> Value {
        json!({
            "type": "object",
            "properties": {
                "query": { "type": "string", "minLength": 1, "maxLength": 10 },
                "target": { "type": "string", "enum": ["claims", "fragments"] },
                "options": {
                    "type": "object",
                    "properties": {
                        "limit": { "type": "integer", "minimum": 1, "maximum": 200 },
                        "urls": { "type": "array", "maxItems": 2, "items": { "type": "string" } }
                    },
                    "additionalProperties": false
                }
            },
            "required": ["query"],
            "additionalProperties": false
        })
    }

    /// What is said about arguments, in one line.
    fn said(mut value: Value) -> String {
        match check(&schema(), &mut value) {
            Ok(()) => format!("fits: {value}"),
            Err(Misfit { message, hint: Some(hint) }) => format!("{message}; {hint}"),
            Err(Misfit { message, hint: None }) => message,
        }
    }

    #[test]
    fn arguments_that_do_not_fit_are_told_what_would() {
        let lines: Vec<String> = [
            json!({ "query": "q" }),
            json!({ "query": "q", "options": { "limit": 5.0 } }),
            json!({}),
            json!({ "query": "  " }),
            json!({ "query": 7 }),
            json!({ "query": "12345678901" }),
            json!({ "query": "a\u{0}b" }),
            json!({ "qeury": "q" }),
            json!({ "zzz": 1 }),
            json!({ "query": "q", "target": "claim" }),
            json!({ "query": "q", "target": "☃" }),
            json!({ "query": "q", "options": { "limit": 0 } }),
            json!({ "query": "q", "options": { "limit": 201 } }),
            json!({ "query": "q", "options": { "limit": 1.5 } }),
            json!({ "query": "q", "options": { "limit": "5" } }),
            json!({ "query": "q", "options": { "limits": 5 } }),
            json!({ "query": "q", "options": { "urls": ["a", "b", "c"] } }),
            json!({ "query": "q", "options": { "urls": ["a", 1] } }),
            json!({ "query": "q", "options": null }),
            json!("q"),
        ]
        .into_iter()
        .map(said)
        .collect();
        insta::assert_snapshot!(lines.join("\n"), @r#"
        fits: {"query":"q"}
        fits: {"query":"q","options":{"limit":5}}
        `query` is missing
        `query` is empty
        `query` must be a text, not a number
        `query` has 11 characters; at most 10 are taken
        `query` contains a control character (U+0000)
        there is no field `qeury`; did you mean `query`?
        there is no field `zzz`; the fields are query, target, options
        `target` cannot be `claim`; did you mean `claims`?
        `target` cannot be `☃`; it is one of claims, fragments
        `options.limit` must be from 1 to 200
        `options.limit` must be from 1 to 200
        `options.limit` must be a whole number, not a number
        `options.limit` must be a whole number, not a text
        there is no field `limits` in `options`; did you mean `limit`?
        `options.urls` may have at most 2 entries
        `options.urls[1]` must be a text, not a number
        `options` must be an object, not null
        the arguments must be an object, not a text
        "#);
    }

    #[test]
    fn an_answer_carries_only_what_its_description_names() {
        let answer = json!({ "query": "東京都のオープンデータ一覧", "secret": "x", "target": null,
                             "options": { "limit": 3, "prompt": "you are" } });
        assert_eq!(
            fit(&schema(), answer),
            Ok(json!({ "query": "東京都のオープンデ…", "options": { "limit": 3 } }))
        );
        assert_eq!(
            fit(&schema(), json!({ "query": 7 })).unwrap_err().message,
            "`query` is a number, not a text"
        );
    }
}
