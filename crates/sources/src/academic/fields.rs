//! Reads records of which every field may be missing, null or of a wrong type.
//!
//! What is missing is nothing; what is of a wrong type is nothing and noted. No record is an error.

use std::cell::RefCell;

use serde_json::{Map, Value};

use crate::outcome::Notes;

/// One object of an answer, and where it stands in it.
#[derive(Clone)]
pub(crate) struct Fields<'a> {
    map: &'a Map<String, Value>,
    place: String,
    notes: &'a RefCell<Notes>,
}

impl<'a> Fields<'a> {
    /// The fields of a record; `None`, with a note, where it is no object. A null is only nothing.
    pub(crate) fn of(value: &'a Value, place: String, notes: &'a RefCell<Notes>) -> Option<Self> {
        match value {
            Value::Object(map) => Some(Self { map, place, notes }),
            Value::Null => None,
            other => {
                notes.borrow_mut().add(format!("{place} is {}, not a record", kind_of(other)));
                None
            }
        }
    }

    fn get(&self, field: &str) -> Option<&'a Value> {
        self.map.get(field).filter(|it| !it.is_null())
    }

    fn wrong(&self, field: &str, value: &Value, expected: &str) {
        let found = match value {
            Value::Number(number) => number.to_string(),
            other => kind_of(other).to_owned(),
        };
        let place = &self.place;
        self.notes.borrow_mut().add(format!("{place}: {field} is {found}, not {expected}"));
    }

    /// A text with more than white space in it. Numbers are taken as written.
    pub(crate) fn text(&self, field: &str) -> Option<String> {
        match self.get(field)? {
            Value::String(text) => {
                let text = text.trim();
                (!text.is_empty()).then(|| text.to_owned())
            }
            Value::Number(number) => Some(number.to_string()),
            other => {
                self.wrong(field, other, "a text");
                None
            }
        }
    }

    /// A number from 0 on; `12`, `12.0` and `"12"` are the same.
    pub(crate) fn count(&self, field: &str) -> Option<u32> {
        let value = self.get(field)?;
        let count = whole(value).and_then(|it| u32::try_from(it).ok());
        if count.is_none() {
            self.wrong(field, value, "a count");
        }
        count
    }

    pub(crate) fn total(&self, field: &str) -> Option<u64> {
        whole(self.get(field)?).and_then(|it| u64::try_from(it).ok())
    }

    pub(crate) fn year(&self, field: &str) -> Option<i32> {
        let value = self.get(field)?;
        let year = whole(value).and_then(|it| i32::try_from(it).ok());
        let year = year.filter(|it| (1000..=2999).contains(it));
        if year.is_none() {
            self.wrong(field, value, "a year");
        }
        year
    }

    pub(crate) fn flag(&self, field: &str) -> Option<bool> {
        match self.get(field)? {
            Value::Bool(flag) => Some(*flag),
            other => {
                self.wrong(field, other, "true or false");
                None
            }
        }
    }

    /// A date as exact as it is written: `2026`, `2026-05`, `2026-05-01`.
    pub(crate) fn date(&self, field: &str) -> Option<String> {
        let value = self.get(field)?;
        let date = value.as_str().and_then(date_of);
        if date.is_none() {
            self.wrong(field, value, "a date");
        }
        date
    }

    pub(crate) fn object(&self, field: &str) -> Option<Fields<'a>> {
        let value = self.get(field)?;
        match value {
            Value::Object(map) => {
                let place = format!("{}: {field}", self.place);
                Some(Self { map, place, notes: self.notes })
            }
            other => {
                self.wrong(field, other, "a record");
                None
            }
        }
    }

    pub(crate) fn list(&self, field: &str) -> &'a [Value] {
        match self.get(field) {
            Some(Value::Array(list)) => list,
            Some(other) => {
                self.wrong(field, other, "a list");
                &[]
            }
            None => &[],
        }
    }

    /// The objects of a list, up to `max`.
    pub(crate) fn objects(&self, field: &str, max: usize) -> Vec<Fields<'a>> {
        let list = self.list(field);
        if list.len() > max {
            let place = &self.place;
            let note = format!("{place}: {field} has {}: the first {max} are read", list.len());
            self.notes.borrow_mut().add(note);
        }
        let read = list.iter().take(max).enumerate();
        read.filter_map(|(index, it)| {
            Fields::of(it, format!("{}: {field} {}", self.place, index + 1), self.notes)
        })
        .collect()
    }

    pub(crate) fn map(&self) -> &'a Map<String, Value> {
        self.map
    }

    pub(crate) fn note(&self, what: &str) {
        self.notes.borrow_mut().add(format!("{}: {what}", self.place));
    }
}

fn whole(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => number.as_i64().or_else(|| {
            let float = number.as_f64()?;
            // Beyond this a float no longer tells one whole number from the next.
            (float.fract() == 0.0 && float.abs() < 9e15).then_some(float as i64)
        }),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

pub(crate) fn date_of(text: &str) -> Option<String> {
    let text = text.trim();
    let text = text.split_once('T').map_or(text, |it| it.0);
    let parts: Vec<&str> = text.split('-').collect();
    let digits = |text: &&str| text.bytes().all(|it| it.is_ascii_digit());
    let lengths: Vec<usize> = parts.iter().map(|it| it.len()).collect();
    if !parts.iter().all(digits) || !matches!(lengths[..], [4] | [4, 2] | [4, 2, 2]) {
        return None;
    }
    let number = |at: usize| parts.get(at).map_or(Ok(1), |it| it.parse::<i8>()).ok();
    let year: i16 = parts[0].parse().ok()?;
    jiff::civil::Date::new(year, number(1)?, number(2)?).ok()?;
    (year > 0).then(|| text.to_owned())
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "a record",
    }
}
