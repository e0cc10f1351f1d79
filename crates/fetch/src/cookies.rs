//! Cookies, in memory, one jar for each registrable domain.
//!
//! A jar is only opened for its own domain, so nothing one site sets is ever shown to another, whatever its
//! `domain` attribute says.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use cookie_store::CookieStore;
use evidence::domain::site_of;
use url::Url;

const MAX_JARS: usize = 1_000;
const MAX_COOKIES: usize = 50;
const MAX_COOKIE_BYTES: usize = 4_096;
/// Servers refuse longer headers.
const MAX_HEADER_BYTES: usize = 8_192;

/// All jars.
#[derive(Default)]
pub(crate) struct Cookies {
    jars: Mutex<Jars>,
}

#[derive(Default)]
struct Jars {
    by_site: HashMap<String, Jar>,
    uses: u64,
}

#[derive(Default)]
struct Jar {
    store: CookieStore,
    used: u64,
}

impl fmt::Debug for Cookies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cookies").field("jars", &self.jars().by_site.len()).finish()
    }
}

impl Cookies {
    /// The cookie header for an address.
    pub(crate) fn header(&self, url: &Url) -> Option<String> {
        let mut jars = self.jars();
        let jar = jars.by_site.get_mut(&site_of(url.host_str()?))?;
        let mut pairs: Vec<String> = jar
            .store
            .get_request_values(url)
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        // The store has no order of its own, and the same cookies should look the same each time.
        pairs.sort();
        let mut length = 0;
        pairs.retain(|pair| {
            length += pair.len() + 2;
            length <= MAX_HEADER_BYTES
        });
        (!pairs.is_empty()).then(|| pairs.join("; "))
    }

    /// Keeps what an answer sets.
    pub(crate) fn keep<'a>(&self, url: &Url, set: impl Iterator<Item = &'a str>) {
        let Some(site) = url.host_str().map(site_of) else { return };
        let mut set = set.filter(|it| it.len() <= MAX_COOKIE_BYTES).peekable();
        if set.peek().is_none() {
            return;
        }
        let mut jars = self.jars();
        jars.uses += 1;
        let used = jars.uses;
        if jars.by_site.len() >= MAX_JARS && !jars.by_site.contains_key(&site) {
            let oldest = jars.by_site.iter().min_by_key(|(_, it)| it.used);
            if let Some(oldest) = oldest.map(|(site, _)| site.clone()) {
                jars.by_site.remove(&oldest);
            }
        }
        let jar = jars.by_site.entry(site).or_default();
        jar.used = used;
        for cookie in set {
            if jar.store.iter_any().count() >= MAX_COOKIES {
                jar.store.clear();
            }
            // A cookie that is not well formed, or not for this host, is left out.
            let _ = jar.store.parse(cookie, url);
        }
    }

    fn jars(&self) -> MutexGuard<'_, Jars> {
        // Cookies are added one by one; a panic elsewhere leaves a jar that is merely incomplete.
        self.jars.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        text.parse().unwrap()
    }

    #[test]
    fn cookies_come_back_to_their_own_site_only() {
        let cookies = Cookies::default();
        let set = ["a=1", "wide=2; Domain=example.com", "safe=3; Secure", "deep=4; Path=/deep"];
        cookies.keep(&url("http://www.example.com/"), set.into_iter());
        assert_eq!(cookies.header(&url("http://www.example.com/x")).unwrap(), "a=1; wide=2");
        assert_eq!(
            cookies.header(&url("https://www.example.com/deep/x")).unwrap(),
            "a=1; deep=4; safe=3; wide=2"
        );
        assert_eq!(cookies.header(&url("http://other.example.com/")).unwrap(), "wide=2");
        assert_eq!(cookies.header(&url("http://example.net/")), None);
    }

    #[test]
    fn a_cookie_for_a_public_suffix_or_another_site_is_dropped() {
        let cookies = Cookies::default();
        let set = ["suffix=1; Domain=co.jp", "theirs=1; Domain=other.co.jp", "own=1"];
        cookies.keep(&url("http://www.example.co.jp/"), set.into_iter());
        assert_eq!(cookies.header(&url("http://other.co.jp/")), None);
        assert_eq!(cookies.header(&url("http://co.jp/")), None);
        let own = cookies.header(&url("http://www.example.co.jp/")).unwrap();
        assert!(own.contains("own=1") && !own.contains("theirs"), "{own}");
    }

    #[test]
    fn jars_and_cookies_are_bounded() {
        let cookies = Cookies::default();
        for number in 0..MAX_JARS + 10 {
            cookies.keep(&url(&format!("http://site-{number}.com/")), ["a=1"].into_iter());
        }
        assert_eq!(cookies.jars().by_site.len(), MAX_JARS);
        assert_eq!(cookies.header(&url("http://site-0.com/")), None);
        assert_eq!(cookies.header(&url("http://site-1009.com/")).unwrap(), "a=1");
        let many: Vec<String> = (0..MAX_COOKIES + 5).map(|it| format!("c{it}=1")).collect();
        cookies.keep(&url("http://many.com/"), many.iter().map(String::as_str));
        assert_eq!(cookies.header(&url("http://many.com/")).unwrap().split("; ").count(), 5);
        let large: Vec<String> = (0..5).map(|it| format!("c{it}={}", "x".repeat(4_000))).collect();
        cookies.keep(&url("http://large.com/"), large.iter().map(String::as_str));
        assert_eq!(cookies.header(&url("http://large.com/")).unwrap().split("; ").count(), 2);
        let long = format!("long={}", "x".repeat(MAX_COOKIE_BYTES));
        cookies.keep(&url("http://long.com/"), [long.as_str()].into_iter());
        assert_eq!(cookies.header(&url("http://long.com/")), None);
    }
}
