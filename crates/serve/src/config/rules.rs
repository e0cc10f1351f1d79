//! What a setting may be: the type of its default, within the bounds listed here.

use std::ops::RangeInclusive;

use toml::Value;

use super::Origin;

/// What whole numbers may be. Every one has an entry; a test says so.
const RANGES: &[(&str, RangeInclusive<i64>)] = &[
    ("task.max_pages", 1..=100_000),
    ("task.max_seconds", 1..=604_800),
    ("task.max_text_chars", 1..=100_000),
    ("storage.lock_wait_ms", 0..=600_000),
    ("output.rows", 1..=1_000_000),
    ("log.keep_days", 1..=3650),
    ("log.archive_days", 1..=3650),
];

/// What words may be, where only some are known.
const CHOICES: &[(&str, &[&str])] = &[
    ("output.color", &["auto", "always", "never"]),
    ("log.level", &["off", "error", "warn", "info", "debug", "trace"]),
];

/// Turns a given value into one of the default's type, or says what was expected.
pub(super) fn admit(
    key: &str,
    default: &Value,
    given: &Value,
    origin: &Origin,
) -> Result<Value, String> {
    // Files have types of their own; variables and flags are text until the default says more.
    let typed = match (default, given, origin) {
        (_, _, Origin::File { .. }) | (Value::String(_), _, _) => Some(given.clone()),
        (Value::Integer(_), Value::String(text), _) => text.parse().ok().map(Value::Integer),
        (Value::Float(_), Value::String(text), _) => text.parse().ok().map(Value::Float),
        (Value::Boolean(_), Value::String(text), _) => text.parse().ok().map(Value::Boolean),
        _ => None,
    };
    let range = RANGES.iter().find(|(name, _)| *name == key).map(|(_, range)| range);
    let choices = CHOICES.iter().find(|(name, _)| *name == key).map(|(_, choices)| choices);
    let fits = typed.as_ref().is_some_and(|value| {
        value.same_type(default)
            && range.is_none_or(|it| value.as_integer().is_some_and(|n| it.contains(&n)))
            && choices.is_none_or(|it| value.as_str().is_some_and(|word| it.contains(&word)))
    });
    typed.filter(|_| fits).ok_or_else(|| match (default, range, choices) {
        (_, Some(range), _) => {
            format!("a whole number from {} to {}", range.start(), range.end())
        }
        (_, _, Some(choices)) => format!("one of {}", choices.join(", ")),
        (Value::Boolean(_), ..) => "true or false".to_owned(),
        (Value::Integer(_), ..) => "a whole number".to_owned(),
        (Value::Float(_), ..) => "a number".to_owned(),
        (other, ..) => format!("a {}", other.type_str()),
    })
}

/// A refused value as it appears in a message: short, on one line.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::Array(_) => "a list".to_owned(),
        Value::Table(_) => "a section".to_owned(),
        Value::String(text) if text.chars().count() > 60 => {
            let start: String = text.chars().take(60).collect();
            Value::String(format!("{start}…")).to_string()
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::layers::defaults;

    #[test]
    fn every_default_has_a_rule_and_keeps_it() {
        for entry in defaults() {
            let ruled = match &entry.value {
                Value::Integer(_) => RANGES.iter().any(|(key, _)| *key == entry.key),
                Value::String(_) => CHOICES.iter().any(|(key, _)| *key == entry.key),
                other => panic!("{} has no rule for {}", entry.key, other.type_str()),
            };
            assert!(ruled, "{} has no rule", entry.key);
            let origin = Origin::File { path: "default.toml".into(), line: 1 };
            let admitted = admit(&entry.key, &entry.value, &entry.value, &origin);
            assert!(admitted.is_ok_and(|it| it == entry.value), "{}", entry.key);
        }
    }
}
