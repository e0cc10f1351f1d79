//! What a setting may be.

use std::fmt;
use std::ops::RangeInclusive;

use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::forward_to_deserialize_any;
use toml::Value;

/// What the values of a setting have in common beside their type.
#[derive(Debug, Clone, PartialEq)]
pub enum Rule {
    Whole(RangeInclusive<i64>),
    Fraction(RangeInclusive<f64>),
    /// One of the words of an enum.
    OneOf(&'static [&'static str]),
    Any,
}

impl Rule {
    /// The rule of a type without a range: the words of an enum, anything else of its type.
    pub fn of<T: for<'de> Deserialize<'de>>() -> Self {
        match T::deserialize(VariantProbe) {
            Err(VariantNames(Some(words))) => Self::OneOf(words),
            _ => Self::Any,
        }
    }

    pub(crate) fn allows(&self, value: &Value) -> bool {
        match self {
            Self::Whole(range) => value.as_integer().is_some_and(|number| range.contains(&number)),
            Self::Fraction(range) => value.as_float().is_some_and(|number| range.contains(&number)),
            Self::OneOf(words) => value.as_str().is_some_and(|word| words.contains(&word)),
            Self::Any => true,
        }
    }
}

/// As the default file says it, in brackets behind the comment.
impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(range) => write!(f, "{} to {}", range.start(), range.end()),
            Self::Fraction(range) => write!(f, "{:?} to {:?}", range.start(), range.end()),
            Self::OneOf(words) => {
                let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
                let (last, others) = quoted.split_last().ok_or(fmt::Error)?;
                write!(f, "{} or {last}", others.join(", "))
            }
            Self::Any => Ok(()),
        }
    }
}

/// Numbers that settings have. A range is written in the setting's own type.
pub trait Number: Sized {
    fn rule(range: RangeInclusive<Self>) -> Rule;
}

macro_rules! whole_numbers {
    ($($number:ty),*) => {$(
        impl Number for $number {
            fn rule(range: RangeInclusive<Self>) -> Rule {
                let bound = |it: $number| i64::try_from(it).expect("ranges fit TOML's numbers");
                let (least, most) = range.into_inner();
                Rule::Whole(bound(least)..=bound(most))
            }
        }
    )*};
}

whole_numbers!(u32, u64, usize, i32);

impl Number for f64 {
    fn rule(range: RangeInclusive<Self>) -> Rule {
        Rule::Fraction(range)
    }
}

/// A deserializer that holds nothing: an enum asked to read from it names its words on the way.
struct VariantProbe;

#[derive(Debug)]
struct VariantNames(Option<&'static [&'static str]>);

impl<'de> Deserializer<'de> for VariantProbe {
    type Error = VariantNames;

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        words: &'static [&'static str],
        _visitor: V,
    ) -> Result<V::Value, VariantNames> {
        Err(VariantNames(Some(words)))
    }

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, VariantNames> {
        Err(VariantNames(None))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

impl fmt::Display for VariantNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("there is nothing to read")
    }
}

impl std::error::Error for VariantNames {}

impl de::Error for VariantNames {
    fn custom<T: fmt::Display>(_message: T) -> Self {
        Self(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Colour {
        Auto,
        Never,
    }

    #[test]
    fn an_enum_knows_its_words() {
        assert_eq!(Rule::of::<Colour>(), Rule::OneOf(&["auto", "never"]));
        assert_eq!(Rule::of::<Colour>().to_string(), "\"auto\" or \"never\"");
        assert_eq!(Rule::of::<String>(), Rule::Any);
        assert_eq!(Rule::of::<Vec<String>>(), Rule::Any);
        assert_eq!(Rule::of::<std::path::PathBuf>(), Rule::Any);
    }
}
