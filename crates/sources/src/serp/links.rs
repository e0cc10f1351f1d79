//! Where a result really leads: redirects of the engine unwrapped, tracking parameters gone.

use url::Url;

use super::page::View;
use crate::engines::Redirect;

/// Redirects inside redirects that are followed.
const MAX_WRAPS: usize = 3;

/// The address a link of the page leads to, as it is fetched. `None` for what is no page elsewhere: scripts, mail
/// addresses, the engine's own searches.
pub(super) fn target(view: &View<'_>, href: &str) -> Option<Url> {
    let mut url = absolute(view, href)?;
    for _ in 0..MAX_WRAPS {
        let Some(inner) = view.engine.redirects.iter().find_map(|it| unwrapped(it, &url)) else {
            break;
        };
        url = inner;
    }
    let unread = view.engine.redirects.iter().any(|it| it.holds(&url));
    let own_search = view.url.is_some_and(|it| it.host() == url.host() && it.path() == url.path());
    let clean = extract::clean_address(url.as_str(), None)?;
    (!unread && !own_search).then_some(clean)
}

/// Whether a link is paid for, by its address alone.
pub(super) fn is_advert(view: &View<'_>, href: &str) -> bool {
    const EVERYWHERE: [&str; 3] = ["doubleclick.net/", "googleadservices.com/", "/aclk?"];
    let address = absolute(view, href).map_or_else(|| href.to_owned(), String::from);
    let mut patterns =
        view.engine.results.advert_links.iter().map(String::as_str).chain(EVERYWHERE);
    patterns.any(|it| address.contains(it))
}

fn absolute(view: &View<'_>, href: &str) -> Option<Url> {
    match view.url {
        Some(page) => page.join(href.trim()).ok(),
        None => Url::parse(href.trim()).ok(),
    }
}

impl Redirect {
    fn holds(&self, url: &Url) -> bool {
        let host = url.host_str().unwrap_or_default();
        let inside =
            host.strip_suffix(&self.host).is_some_and(|it| it.is_empty() || it.ends_with('.'));
        inside && url.path().trim_end_matches('/') == self.path.trim_end_matches('/')
    }
}

fn unwrapped(rule: &Redirect, url: &Url) -> Option<Url> {
    if !rule.holds(url) {
        return None;
    }
    let value = url.query_pairs().find(|it| it.0 == rule.parameter)?.1;
    let address = match &rule.base64_after {
        Some(prefix) => {
            String::from_utf8(from_base64(value.strip_prefix(prefix.as_str())?)?).ok()?
        }
        None => value.into_owned(),
    };
    // An address may be written without its scheme.
    let address = if address.starts_with("//") { format!("https:{address}") } else { address };
    Url::parse(&address).ok().filter(|it| matches!(it.scheme(), "http" | "https"))
}

/// Reads base64 in the alphabet for URLs or the ordinary one, padded or not.
fn from_base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() * 3 / 4);
    let (mut bits, mut held) = (0_u32, 0_u32);
    for letter in text.trim_end_matches('=').bytes() {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'-' | b'+' => 62,
            b'_' | b'/' => 63,
            _ => return None,
        };
        bits = (bits << 6) | u32::from(value);
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
            bits &= (1 << held) - 1;
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_of_both_alphabets_is_read() {
        for (text, expected) in [
            ("aHR0cHM6Ly9hLmV4YW1wbGUv", "https://a.example/"),
            ("aHR0cHM6Ly9hLmV4YW1wbGUvPw==", "https://a.example/?"),
            ("aHR0cHM6Ly9hLmV4YW1wbGUvPz8_", "https://a.example/???"),
            ("aHR0cHM6Ly9hLmV4YW1wbGUvPz8/", "https://a.example/???"),
            ("", ""),
        ] {
            assert_eq!(from_base64(text).as_deref(), Some(expected.as_bytes()), "{text}");
        }
        assert_eq!(from_base64("not base64!"), None);
    }
}
