//! Hosts: one spelling for each, and the registrable domain they belong to.

use std::net::IpAddr;

use idna::punycode;
use unicode_normalization::UnicodeNormalization;

use super::pattern::PatternProblem;

/// The longest name the DNS can carry, without the final dot.
const MAX_NAME: usize = 253;
const MAX_LABEL: usize = 63;

/// Writes a host the one way it is compared: lower case, no final dot, Japanese and other letters
/// as punycode. What is no valid name comes back in lower case and matches nothing but itself.
pub fn normal_host(host: &str) -> String {
    ascii_name(undotted(host)).unwrap_or_else(|_| undotted(host).to_lowercase())
}

/// The registrable domain: `example.co.jp` for `www.example.co.jp`.
///
/// `None` for addresses, single names such as `localhost`, and public suffixes themselves.
pub fn registrable_domain(host: &str) -> Option<String> {
    let name = ascii_name(undotted(host)).ok()?;
    let suffix = suffix_labels(&name);
    let registrable = labels(&name) > suffix && !is_address(&name);
    registrable.then(|| last_labels(&name, suffix + 1).to_owned())
}

/// What counts as one site: the registrable domain, or the host itself if there is none.
pub fn site_of(host: &str) -> String {
    registrable_domain(host).unwrap_or_else(|| normal_host(host))
}

/// Whether a name in its normal spelling is a public suffix, such as `co.jp`.
pub(super) fn is_public_suffix(name: &str) -> bool {
    labels(name) <= suffix_labels(name)
}

pub(super) fn is_address(host: &str) -> bool {
    let bare = host.strip_prefix('[').and_then(|it| it.strip_suffix(']')).unwrap_or(host);
    bare.parse::<IpAddr>().is_ok()
}

/// Without the final dot that fully written names end in.
pub(super) fn undotted(host: &str) -> &str {
    let host = host.trim();
    host.strip_suffix('.').unwrap_or(host)
}

/// Checks a name by the rules of the DNS and writes it in ASCII.
pub(super) fn ascii_name(name: &str) -> Result<String, PatternProblem> {
    if name.is_empty() {
        return Err(PatternProblem::Empty);
    }
    // Before any work is done on it; a character takes at most four bytes.
    if name.len() > 4 * MAX_NAME {
        return Err(PatternProblem::TooLong);
    }
    // The ideographic full stop is what a Japanese keyboard gives for a dot.
    let folded: String = name.nfkc().flat_map(char::to_lowercase).nfc().collect();
    let folded = folded.replace(['。', '｡'], ".");
    let labels: Vec<String> = folded.split('.').map(ascii_label).collect::<Result<_, _>>()?;
    let ascii = labels.join(".");
    if ascii.len() > MAX_NAME { Err(PatternProblem::TooLong) } else { Ok(ascii) }
}

fn ascii_label(label: &str) -> Result<String, PatternProblem> {
    if label.is_empty() {
        return Err(PatternProblem::EmptyLabel);
    }
    // Underscores are no letters of host names, but real hosts have them.
    let allowed = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '・');
    if let Some(c) = label.chars().find(|c| !allowed(*c)) {
        return Err(PatternProblem::Character(c));
    }
    if label.starts_with('-') || label.ends_with('-') {
        return Err(PatternProblem::Hyphen);
    }
    let ascii = if label.is_ascii() {
        label.to_owned()
    } else {
        let encoded = punycode::encode_str(label).ok_or(PatternProblem::TooLong)?;
        format!("xn--{encoded}")
    };
    if ascii.len() > MAX_LABEL { Err(PatternProblem::LabelTooLong) } else { Ok(ascii) }
}

fn labels(name: &str) -> usize {
    name.split('.').count()
}

/// How many labels the public suffix of a name has. The list is written in Unicode, names in the
/// DNS are not: they are decoded for the question only.
fn suffix_labels(name: &str) -> usize {
    let readable: Vec<String> = name
        .split('.')
        .map(|label| {
            let decoded = label.strip_prefix("xn--").and_then(punycode::decode_to_string);
            decoded.unwrap_or_else(|| label.to_owned())
        })
        .collect();
    psl::suffix_str(&readable.join(".")).map_or(1, labels)
}

fn last_labels(name: &str, count: usize) -> &str {
    let start = name.rmatch_indices('.').nth(count - 1).map_or(0, |(dot, _)| dot + 1);
    &name[start..]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn one_host_has_one_spelling() {
        for (host, normal) in [
            ("WWW.Example.COM.", "www.example.com"),
            ("例え.jp", "xn--r8jz45g.jp"),
            ("例え。ＪＰ", "xn--r8jz45g.jp"),
            ("XN--R8JZ45G.JP", "xn--r8jz45g.jp"),
            ("127.0.0.1", "127.0.0.1"),
            ("[::1]", "[::1]"),
            ("not a host", "not a host"),
            ("", ""),
        ] {
            assert_eq!(normal_host(host), normal, "{host}");
        }
    }

    #[test]
    fn labels_are_written_as_registries_write_them() {
        for (label, ascii) in [
            ("日本語", "xn--wgv71a119e"),
            ("例え", "xn--r8jz45g"),
            ("総務省", "xn--lhr645fjve"),
            ("bücher", "xn--bcher-kva"),
            ("münchen", "xn--mnchen-3ya"),
            ("рф", "xn--p1ai"),
            ("みんな", "xn--q9jyb4c"),
        ] {
            assert_eq!(normal_host(label), ascii, "{label}");
        }
    }

    #[test]
    fn a_label_that_only_looks_encoded_is_a_label_like_any_other() {
        for label in ["xn--9999999999999999", "xn--a_b"] {
            let host = format!("{label}.example.com");
            assert_eq!(registrable_domain(&host).as_deref(), Some("example.com"), "{label}");
        }
    }

    #[test]
    fn the_registrable_domain_is_one_label_below_the_public_suffix() {
        for (host, registrable) in [
            ("www.example.co.jp", Some("example.co.jp")),
            ("example.co.jp", Some("example.co.jp")),
            ("co.jp", None),
            ("a.b.example.com", Some("example.com")),
            ("www.mhlw.go.jp", Some("mhlw.go.jp")),
            ("city.kobe.jp", Some("city.kobe.jp")),
            ("foo.bar.kobe.jp", Some("foo.bar.kobe.jp")),
            ("someone.github.io", Some("someone.github.io")),
            ("www.総務省.jp", Some("xn--lhr645fjve.jp")),
            ("сайт.рф", Some("xn--80aswg.xn--p1ai")),
            ("рф", None),
            ("server.internal", Some("server.internal")),
            ("localhost", None),
            ("127.0.0.1", None),
            ("[2001:db8::1]", None),
            ("", None),
        ] {
            assert_eq!(registrable_domain(host).as_deref(), registrable, "{host}");
        }
    }

    #[test]
    fn a_host_without_registrable_domain_is_its_own_site() {
        assert_eq!(site_of("127.0.0.1"), "127.0.0.1");
        assert_eq!(site_of("Localhost."), "localhost");
        assert_eq!(site_of("www.who.int"), "who.int");
    }

    proptest! {
        #[test]
        fn strange_hosts_never_panic(host in ".{0,80}") {
            normal_host(&host);
            registrable_domain(&host);
        }

        #[test]
        fn encoded_labels_never_panic(label in "xn--.{0,40}") {
            normal_host(&label);
            registrable_domain(&label);
        }

        #[test]
        fn the_normal_spelling_is_its_own(host in "([a-zA-Z0-9ぁ-んァ-ヴ亜-熙]{1,12}\\.){1,4}[a-zA-Z]{2,6}\\.?") {
            let normal = normal_host(&host);
            prop_assert!(normal.is_ascii());
            prop_assert_eq!(normal_host(&normal), normal);
        }
    }
}
