//! Takes the power from words that speak to machines, and remembers which rules they broke and where (L7, L8).

use std::collections::BTreeSet;

use serde_json::Value;

/// Places that one log line names.
const LOGGED_PLACES: usize = 20;

/// What was found on the way out: the names of rules, never the words.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    names: BTreeSet<String>,
    /// `name@field:start-end`, in characters of the field.
    places: Vec<String>,
}

impl Findings {
    pub(crate) fn names(&self) -> impl Iterator<Item = String> {
        self.names.iter().cloned()
    }

    /// Writes what was found to the audit log, if anything was.
    pub(crate) fn log(&self, source: &str, message: &'static str) {
        if self.places.is_empty() {
            return;
        }
        let shown: Vec<&str> = self.places.iter().take(LOGGED_PLACES).map(String::as_str).collect();
        let (patterns, found) = (shown.join(" "), self.places.len());
        tracing::warn!(target: "audit", source, patterns, found, "{message}");
    }

    /// Names what a text breaks and leaves it as it is.
    pub(crate) fn notice(&mut self, text: &str, field: &str) {
        for flag in text::sanitise::flags(text, false) {
            let place = format!("{}@{field}:{}-{}", flag.name, flag.char_start, flag.char_end);
            self.places.push(place);
            self.names.insert(flag.name);
        }
    }

    /// [`Findings::notice`] for every text in a value.
    pub(crate) fn notice_all(&mut self, value: &Value, field: &str) {
        match value {
            Value::String(text) => self.notice(text, field),
            Value::Array(items) => items.iter().for_each(|it| self.notice_all(it, field)),
            Value::Object(fields) => fields.values().for_each(|it| self.notice_all(it, field)),
            _ => {}
        }
    }

    /// Takes the power from every text in a value.
    pub(crate) fn defuse(&mut self, value: &mut Value, field: &str) {
        match value {
            Value::String(text) => self.defuse_text(text, field),
            Value::Array(items) => items.iter_mut().for_each(|it| self.defuse(it, field)),
            Value::Object(fields) => fields.values_mut().for_each(|it| self.defuse(it, field)),
            _ => {}
        }
    }

    /// Takes the power from a text. One that breaks no rule and holds no control characters stays letter by letter.
    pub(crate) fn defuse_text(&mut self, text: &mut String, field: &str) {
        let known = self.places.len();
        self.notice(text, field);
        let controls = text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\t'));
        if self.places.len() > known || controls {
            *text = text::sanitise::clean(text).into_text();
        }
    }
}
