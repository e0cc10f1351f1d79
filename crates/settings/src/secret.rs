//! Keys and tokens.

use std::any::TypeId;
use std::fmt;
use std::ops::Deref;

use serde::{Deserialize, Serialize};

/// A text that is used and never shown: `Debug` says only whether there is one.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// What is shown in place of a secret, whether or not one is set.
    pub const MASK: &'static str = "[set]";

    /// Whether settings of this type are secrets: one, or a list of them.
    #[doc(hidden)]
    pub fn is<T: 'static>() -> bool {
        [TypeId::of::<Self>(), TypeId::of::<Vec<Self>>()].contains(&TypeId::of::<T>())
    }
}

impl Deref for Secret {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<T: Into<String>> From<T> for Secret {
    fn from(text: T) -> Self {
        Self(text.into())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_empty() { "none" } else { Self::MASK })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_not_printed() {
        assert_eq!(format!("{:?}", Secret::from("hush")), "[set]");
        assert_eq!(format!("{:?}", [Secret::default()]), "[none]");
        assert!(Secret::is::<Secret>() && Secret::is::<Vec<Secret>>() && !Secret::is::<String>());
    }
}
