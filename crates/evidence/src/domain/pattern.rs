//! Patterns over domains. Two shapes only, `example.com` and `*.example.com`, so that nobody can
//! block or free half the web by a slip.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::host::{ascii_name, is_address, is_public_suffix, undotted};
use crate::ids::shown;

/// Text that cannot be used as a pattern, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{given}` cannot be used as a domain pattern: {problem}")]
pub struct BadPattern {
    pub given: String,
    pub problem: PatternProblem,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PatternProblem {
    #[error("it is empty")]
    Empty,
    #[error("it would match every domain")]
    Everything,
    #[error("a `*` may only stand for the whole first part, as in *.example.com")]
    Wildcard,
    #[error("{0} is a public suffix, shared by sites of unrelated owners")]
    PublicSuffix(String),
    #[error("it has no dot; write a whole domain such as example.com")]
    SingleName,
    #[error("it is an IP address, not a domain")]
    Address,
    #[error("leave out the scheme, as in example.com")]
    Scheme,
    #[error("leave out the path, as in example.com")]
    Path,
    #[error("leave out the port, as in example.com")]
    Port,
    #[error("it contains a space")]
    Space,
    #[error("two dots have nothing between them, or it starts with one")]
    EmptyLabel,
    #[error("{0:?} is not allowed in a domain")]
    Character(char),
    #[error("a part of it starts or ends with a hyphen")]
    Hyphen,
    #[error("a part of it is longer than 63 characters")]
    LabelTooLong,
    #[error("it is longer than 253 characters")]
    TooLong,
}

/// A pattern a person may decide about: one host, or a domain with everything below it.
///
/// `example.com` matches that host alone. `*.example.com` matches `example.com` and every name below
/// it: who says "all of example.com" means the front page too.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct DomainPattern(Shape);

/// A pattern of a category rule. Unlike [`DomainPattern`] it may cover a public suffix, since
/// `*.go.jp` says who may register there; rules rank and never block.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RulePattern(Shape);

#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Shape {
    Exact(String),
    Suffix(String),
}

impl Shape {
    fn parse(given: &str) -> Result<Self, PatternProblem> {
        let text = undotted(given);
        if text.is_empty() {
            return Err(PatternProblem::Empty);
        }
        if text.contains("://") {
            return Err(PatternProblem::Scheme);
        }
        if is_address(text) {
            return Err(PatternProblem::Address);
        }
        if text.contains(char::is_whitespace) {
            return Err(PatternProblem::Space);
        }
        if text.contains('/') {
            return Err(PatternProblem::Path);
        }
        if text.contains(':') {
            return Err(PatternProblem::Port);
        }
        if text.contains('*') && text.chars().all(|c| matches!(c, '*' | '.')) {
            return Err(PatternProblem::Everything);
        }
        let (name, suffix) = match text.strip_prefix("*.") {
            Some(name) => (name, true),
            None => (text, false),
        };
        if name.contains('*') {
            return Err(PatternProblem::Wildcard);
        }
        let name = ascii_name(name)?;
        // Full-width digits and dots have become plain ones by now.
        if is_address(&name) {
            return Err(PatternProblem::Address);
        }
        Ok(if suffix { Self::Suffix(name) } else { Self::Exact(name) })
    }

    fn name(&self) -> &str {
        match self {
            Self::Exact(name) | Self::Suffix(name) => name,
        }
    }

    fn matches(&self, host: &str) -> bool {
        match self {
            Self::Exact(name) => host == name,
            Self::Suffix(name) => host
                .strip_suffix(name.as_str())
                .is_some_and(|it| it.is_empty() || it.ends_with('.')),
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact(name) => f.write_str(name),
            Self::Suffix(name) => write!(f, "*.{name}"),
        }
    }
}

/// How closely a pattern names a host: exact before suffix, a longer suffix before a shorter one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Closeness {
    Suffix(usize),
    Exact,
}

impl DomainPattern {
    /// Whether the pattern covers a host in its normal spelling.
    pub fn matches(&self, host: &str) -> bool {
        self.0.matches(host)
    }

    /// The domain the pattern is written around: `example.com` for both shapes.
    pub fn domain(&self) -> &str {
        self.0.name()
    }

    /// Whether it covers everything below its domain.
    pub fn is_wildcard(&self) -> bool {
        matches!(self.0, Shape::Suffix(_))
    }

    pub(super) fn closeness(&self) -> Closeness {
        match &self.0 {
            Shape::Exact(_) => Closeness::Exact,
            Shape::Suffix(name) => Closeness::Suffix(name.len()),
        }
    }

    pub(super) fn exact(host: &str) -> Self {
        Self(Shape::Exact(host.to_owned()))
    }

    pub(super) fn suffix(name: &str) -> Self {
        Self(Shape::Suffix(name.to_owned()))
    }
}

impl RulePattern {
    pub(super) fn exact(host: &str) -> Self {
        Self(Shape::Exact(host.to_owned()))
    }

    pub(super) fn suffix(name: &str) -> Self {
        Self(Shape::Suffix(name.to_owned()))
    }
}

impl FromStr for DomainPattern {
    type Err = BadPattern;

    fn from_str(given: &str) -> Result<Self, BadPattern> {
        let refuse = |problem| BadPattern { given: shown(given), problem };
        let shape = Shape::parse(given).map_err(refuse)?;
        let name = shape.name();
        if is_public_suffix(name) {
            let single = matches!(shape, Shape::Exact(_)) && !psl_knows(name);
            return Err(refuse(if single {
                PatternProblem::SingleName
            } else {
                PatternProblem::PublicSuffix(name.to_owned())
            }));
        }
        Ok(Self(shape))
    }
}

impl FromStr for RulePattern {
    type Err = BadPattern;

    fn from_str(given: &str) -> Result<Self, BadPattern> {
        Shape::parse(given).map(Self).map_err(|problem| BadPattern { given: shown(given), problem })
    }
}

/// Whether a name is on the list itself, rather than an unknown top-level name.
fn psl_knows(name: &str) -> bool {
    psl::suffix(name.as_bytes()).is_some_and(|it| it.is_known())
}

macro_rules! as_text {
    ($name:ident) => {
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl TryFrom<String> for $name {
            type Error = BadPattern;

            fn try_from(given: String) -> Result<Self, BadPattern> {
                given.parse()
            }
        }

        impl From<$name> for String {
            fn from(pattern: $name) -> Self {
                pattern.to_string()
            }
        }
    };
}

as_text!(DomainPattern);
as_text!(RulePattern);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_shapes_are_accepted_and_brought_to_one_spelling() {
        for (given, written) in [
            ("example.com", "example.com"),
            ("*.example.com", "*.example.com"),
            (" WWW.Example.COM. ", "www.example.com"),
            ("example.co.jp", "example.co.jp"),
            ("*.news.example.co.jp", "*.news.example.co.jp"),
            ("someone.github.io", "someone.github.io"),
            ("例え.jp", "xn--r8jz45g.jp"),
            ("*.総務省。jp", "*.xn--lhr645fjve.jp"),
            ("ｅｘａｍｐｌｅ．ｃｏｍ", "example.com"),
            ("xn--r8jz45g.jp", "xn--r8jz45g.jp"),
            ("server.internal", "server.internal"),
        ] {
            assert_eq!(given.parse::<DomainPattern>().unwrap().to_string(), written, "{given}");
        }
    }

    #[test]
    fn what_could_do_harm_is_refused_with_its_reason() {
        let long = format!("{}com", "abcdefgh.".repeat(30));
        let label = format!("{}.com", "a".repeat(64));
        let endless = "例".repeat(1_000_000);
        for (given, reason) in [
            ("", "it is empty"),
            (" . ", "it is empty"),
            ("*", "it would match every domain"),
            ("*.*", "it would match every domain"),
            ("**", "it would match every domain"),
            ("*.com", "com is a public suffix, shared by sites of unrelated owners"),
            ("com", "com is a public suffix, shared by sites of unrelated owners"),
            ("*.co.jp", "co.jp is a public suffix, shared by sites of unrelated owners"),
            ("co.jp", "co.jp is a public suffix, shared by sites of unrelated owners"),
            ("*.github.io", "github.io is a public suffix, shared by sites of unrelated owners"),
            ("*.рф", "xn--p1ai is a public suffix, shared by sites of unrelated owners"),
            ("*.localnet", "localnet is a public suffix, shared by sites of unrelated owners"),
            ("localhost", "it has no dot; write a whole domain such as example.com"),
            ("ex*ample.com", "a `*` may only stand for the whole first part, as in *.example.com"),
            ("*example.com", "a `*` may only stand for the whole first part, as in *.example.com"),
            ("www.*.com", "a `*` may only stand for the whole first part, as in *.example.com"),
            ("*.*.com", "a `*` may only stand for the whole first part, as in *.example.com"),
            ("127.0.0.1", "it is an IP address, not a domain"),
            ("１２７.0.0.1", "it is an IP address, not a domain"),
            ("::1", "it is an IP address, not a domain"),
            ("[2001:db8::1]", "it is an IP address, not a domain"),
            ("example.com:8080", "leave out the port, as in example.com"),
            ("https://example.com", "leave out the scheme, as in example.com"),
            ("example.com/news", "leave out the path, as in example.com"),
            ("exa mple.com", "it contains a space"),
            ("例え　.jp", "it contains a space"),
            ("example..com", "two dots have nothing between them, or it starts with one"),
            (".example.com", "two dots have nothing between them, or it starts with one"),
            ("exam!ple.com", "'!' is not allowed in a domain"),
            ("🐟.jp", "'🐟' is not allowed in a domain"),
            ("-example.com", "a part of it starts or ends with a hyphen"),
            (&long, "it is longer than 253 characters"),
            (&endless, "it is longer than 253 characters"),
            (&label, "a part of it is longer than 63 characters"),
        ] {
            let error = given.parse::<DomainPattern>().unwrap_err();
            assert_eq!(error.problem.to_string(), reason, "{given}");
        }
    }

    #[test]
    fn the_message_names_the_pattern() {
        assert_eq!(
            "*.co.jp".parse::<DomainPattern>().unwrap_err().to_string(),
            "`*.co.jp` cannot be used as a domain pattern: co.jp is a public suffix, shared by sites of unrelated owners"
        );
    }

    #[test]
    fn a_rule_may_speak_of_a_public_suffix_and_nothing_wider() {
        assert_eq!("*.go.jp".parse::<RulePattern>().unwrap().to_string(), "*.go.jp");
        assert_eq!("*.edu".parse::<RulePattern>().unwrap().to_string(), "*.edu");
        for given in ["*", "*.*", "a*.com", "10.0.0.1"] {
            assert_eq!(given.parse::<RulePattern>().unwrap_err().given, given);
        }
    }

    #[test]
    fn a_wildcard_covers_the_domain_itself_and_all_below_it() {
        let pattern: DomainPattern = "*.example.com".parse().unwrap();
        let covered = |host| pattern.matches(host);
        assert!(covered("example.com"));
        assert!(covered("a.example.com"));
        assert!(covered("a.b.example.com"));
        assert!(!covered("badexample.com"));
        assert!(!covered("example.com.evil.net"));
        assert!(!covered("com"));
    }

    #[test]
    fn an_exact_pattern_covers_one_host() {
        let pattern: DomainPattern = "example.com".parse().unwrap();
        assert!(pattern.matches("example.com"));
        assert!(!pattern.matches("www.example.com"));
    }
}
