//! One setting, and whether a given value fits it.

use serde::Serialize;
use toml::{Table, Value};

use crate::Rule;

/// What is known about one setting.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    pub name: &'static str,
    /// What it does, line by line.
    pub comment: &'static [&'static str],
    pub default: Value,
    pub rule: Rule,
    /// Not shown unless asked for.
    pub expert: bool,
    /// Its value is never shown.
    pub secret: bool,
}

/// A name that is no longer a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Removed {
    pub name: &'static str,
    pub why: &'static str,
}

impl Field {
    /// Turns a given value into one of the setting's type, or says what was expected. `from_text`: the
    /// value comes from a place without types, such as an environment variable.
    pub fn admit(&self, given: &Value, from_text: bool) -> Result<Value, String> {
        let typed = match (&self.default, given) {
            // 1 for a number with a fraction is 1.0.
            (Value::Float(_), Value::Integer(number)) => Some(Value::Float(*number as f64)),
            (Value::String(_), _) => Some(given.clone()),
            (_, _) if !from_text => Some(given.clone()),
            (Value::Integer(_), Value::String(text)) => text.parse().ok().map(Value::Integer),
            (Value::Float(_), Value::String(text)) => text.parse().ok().map(Value::Float),
            (Value::Boolean(_), Value::String(text)) => text.parse().ok().map(Value::Boolean),
            (Value::Array(_), Value::String(text)) => Some(split_list(text)),
            _ => None,
        };
        typed.filter(|value| self.fits(value)).ok_or_else(|| self.expected())
    }

    fn fits(&self, value: &Value) -> bool {
        value.same_type(&self.default)
            && value.as_array().is_none_or(|items| items.iter().all(Value::is_str))
            && self.rule.allows(value)
    }

    fn expected(&self) -> String {
        match (&self.rule, &self.default) {
            (Rule::Whole(range), _) => {
                format!("a whole number from {} to {}", range.start(), range.end())
            }
            (Rule::Fraction(range), _) => {
                format!("a number from {:?} to {:?}", range.start(), range.end())
            }
            (Rule::OneOf(words), _) => format!("one of {}", words.join(", ")),
            (Rule::Any, Value::Boolean(_)) => "true or false".to_owned(),
            (Rule::Any, Value::Array(_)) => "a list of texts".to_owned(),
            (Rule::Any, other) => format!("a {}", other.type_str()),
        }
    }
}

/// The settings of a section as TOML.
pub fn values(section: &impl Serialize) -> Table {
    Table::try_from(section).expect("settings are numbers, texts, lists of texts and words")
}

/// The items of a list given as one text, with commas between them.
fn split_list(text: &str) -> Value {
    let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
    Value::Array(items.map(|item| Value::String(item.to_owned())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share() -> Field {
        Field {
            name: "share",
            comment: &[],
            default: Value::Float(0.05),
            rule: Rule::Fraction(0.0..=1.0),
            expert: false,
            secret: false,
        }
    }

    #[test]
    fn a_share_is_a_number_from_zero_to_one() {
        let from_text = |text: &str| share().admit(&Value::String(text.to_owned()), true);
        let refused = || Err("a number from 0.0 to 1.0".to_owned());
        for (text, value) in [("0", 0.0), ("0.1", 0.1), ("1", 1.0)] {
            assert_eq!(from_text(text), Ok(Value::Float(value)), "{text}");
        }
        for text in ["-0.1", "1.1", "NaN", "inf", "much", ""] {
            assert_eq!(from_text(text), refused(), "{text}");
        }
        let typed = |value| share().admit(&value, false);
        assert_eq!(typed(Value::Integer(1)), Ok(Value::Float(1.0)));
        assert_eq!(typed(Value::Integer(2)), refused());
        assert_eq!(typed(Value::String("0.5".to_owned())), refused());
    }
}
