//! Keys and tokens.

use std::any::TypeId;
use std::borrow::Cow;
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

/// An address as it may be shown: without the password before its host.
pub fn without_password(text: &str) -> Cow<'_, str> {
    let start = text.find("://").map_or(0, |at| at + 3);
    let authority = text[start..].split(['/', '?', '#']).next().unwrap_or_default();
    let password = authority.rsplit_once('@').and_then(|(user, _)| user.split_once(':'));
    match password {
        Some((user, password)) => {
            let from = start + user.len() + 1;
            let (before, after) = (&text[..from], &text[from + password.len()..]);
            Cow::Owned(format!("{before}{}{after}", Secret::MASK))
        }
        None => Cow::Borrowed(text),
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
    fn the_password_of_an_address_is_not_shown() {
        let table = [
            ("socks5://me:hush@proxy.test:1080", "socks5://me:[set]@proxy.test:1080"),
            ("http://me:p@ss:word@proxy.test/x@y", "http://me:[set]@proxy.test/x@y"),
            ("me:hush@proxy.test", "me:[set]@proxy.test"),
            ("http://proxy.test:8080", "http://proxy.test:8080"),
            ("http://me@proxy.test", "http://me@proxy.test"),
            ("2001:db8::1", "2001:db8::1"),
            ("", ""),
        ];
        for (given, shown) in table {
            assert_eq!(without_password(given), shown);
        }
    }

    #[test]
    fn a_secret_is_not_printed() {
        assert_eq!(format!("{:?}", Secret::from("hush")), "[set]");
        assert_eq!(format!("{:?}", [Secret::default()]), "[none]");
        assert!(Secret::is::<Secret>() && Secret::is::<Vec<Secret>>() && !Secret::is::<String>());
    }
}
