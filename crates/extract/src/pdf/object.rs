//! The values a PDF file is made of.

use std::collections::HashMap;
use std::ops::Range;

/// A value of a file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Object {
    Null,
    Bool(bool),
    Number(f64),
    String(Vec<u8>),
    Name(Vec<u8>),
    Array(Vec<Object>),
    Dict(Dict),
    Stream(Stream),
    Reference(u32),
}

/// A dictionary with the bytes of the file that belong to it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Stream {
    pub(crate) dict: Dict,
    /// Where its bytes stand in the file, still encoded.
    pub(crate) range: Range<usize>,
    /// The number of the object, which the key of its encryption is made from.
    pub(crate) id: (u32, u16),
}

/// Values by name.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Dict(HashMap<Vec<u8>, Object>);

impl Dict {
    pub(crate) fn get(&self, key: &str) -> Option<&Object> {
        self.0.get(key.as_bytes())
    }

    pub(crate) fn name(&self, key: &str) -> Option<&[u8]> {
        match self.get(key)? {
            Object::Name(name) => Some(name),
            _ => None,
        }
    }

    pub(crate) fn insert(&mut self, key: Vec<u8>, value: Object) {
        self.0.insert(key, value);
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&[u8], &Object)> {
        self.0.iter().map(|(key, value)| (key.as_slice(), value))
    }

    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut Object> {
        self.0.values_mut()
    }
}

impl Object {
    pub(crate) fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// A whole number that is not negative.
    pub(crate) fn count(&self) -> Option<usize> {
        let number = self.number()?;
        (number >= 0.0 && number <= f64::from(u32::MAX)).then_some(number as usize)
    }

    pub(crate) fn dict(&self) -> Option<&Dict> {
        match self {
            Self::Dict(dict) => Some(dict),
            Self::Stream(stream) => Some(&stream.dict),
            _ => None,
        }
    }

    pub(crate) fn array(&self) -> Option<&[Object]> {
        match self {
            Self::Array(array) => Some(array),
            _ => None,
        }
    }
}
