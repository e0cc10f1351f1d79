//! Cookies, in memory, one jar for each registrable domain.
//!
//! A jar is only opened for its own domain, so nothing one site sets is ever shown to another, whatever its
//! `domain` attribute says.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use cookie_store::{CookieDomain, CookieExpiration, CookieStore};
use evidence::domain::site_of;
use jiff::Timestamp;
use url::Url;

use crate::SessionCookie;

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
    /// It holds the session of a person: neither crowded out nor emptied for being full.
    of_person: bool,
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
            let others = jars.by_site.iter().filter(|(_, it)| !it.of_person);
            let oldest = others.min_by_key(|(_, it)| it.used);
            if let Some(oldest) = oldest.map(|(site, _)| site.clone()) {
                jars.by_site.remove(&oldest);
            }
        }
        let jar = jars.by_site.entry(site).or_default();
        jar.used = used;
        for cookie in set {
            if jar.store.iter_any().count() >= MAX_COOKIES {
                match jar.of_person {
                    true => break,
                    false => jar.store.clear(),
                }
            }
            // A cookie that is not well formed, or not for this host, is left out.
            let _ = jar.store.parse(cookie, url);
        }
    }

    /// Fills the jar of a site with the cookies of a session, in place of what it had.
    pub(crate) fn replace(&self, site: &str, cookies: &[SessionCookie], now: Timestamp) {
        let mut store = CookieStore::default();
        for cookie in cookies {
            let host = cookie.domain.trim_start_matches('.');
            let Ok(url) = Url::parse(&format!("https://{host}/")) else { continue };
            // One that is not well formed is left out.
            let _ = store.parse(&set_line(cookie, now), &url);
        }
        let mut jars = self.jars();
        jars.uses += 1;
        let used = jars.uses;
        jars.by_site.insert(site.to_owned(), Jar { store, used, of_person: true });
    }

    /// Empties the jar of a site.
    pub(crate) fn forget(&self, site: &str) {
        self.jars().by_site.remove(site);
    }

    /// What is in the jar of a site.
    pub(crate) fn of_site(&self, site: &str) -> Vec<SessionCookie> {
        let jars = self.jars();
        let cookies = jars.by_site.get(site).into_iter().flat_map(|it| it.store.iter_unexpired());
        let mut cookies: Vec<SessionCookie> = cookies
            .filter_map(|it| {
                let domain = match &it.domain {
                    CookieDomain::HostOnly(host) => host.clone(),
                    CookieDomain::Suffix(host) => format!(".{host}"),
                    CookieDomain::NotPresent | CookieDomain::Empty => return None,
                };
                Some(SessionCookie {
                    name: it.name().to_owned(),
                    value: it.value().to_owned(),
                    domain,
                    path: it.path.as_ref().to_owned(),
                    secure: it.secure().unwrap_or(false),
                    http_only: it.http_only().unwrap_or(false),
                    expires: match &it.expires {
                        CookieExpiration::AtUtc(time) => Some(time.unix_timestamp()),
                        CookieExpiration::SessionEnd => None,
                    },
                })
            })
            .collect();
        cookies.sort_by(|a, b| (&a.domain, &a.path, &a.name).cmp(&(&b.domain, &b.path, &b.name)));
        cookies
    }

    fn jars(&self) -> MutexGuard<'_, Jars> {
        // Cookies are added one by one; a panic elsewhere leaves a jar that is merely incomplete.
        self.jars.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A cookie as a server would set it.
fn set_line(cookie: &SessionCookie, now: Timestamp) -> String {
    let mut line = format!("{}={}; Path={}", cookie.name, cookie.value, cookie.path);
    if let Some(domain) = cookie.domain.strip_prefix('.') {
        line += &format!("; Domain={domain}");
    }
    if let Some(expires) = cookie.expires {
        line += &format!("; Max-Age={}", (expires - now.as_second()).max(0));
    }
    line += if cookie.secure { "; Secure" } else { "" };
    line += if cookie.http_only { "; HttpOnly" } else { "" };
    line
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
    fn a_session_fills_a_jar_and_comes_out_of_it_as_it_was() {
        let now: Timestamp = "2026-01-15T12:00:00Z".parse().unwrap();
        let cookie = |name: &str, domain: &str, path: &str, expires| SessionCookie {
            name: name.to_owned(),
            value: "v".to_owned(),
            domain: domain.to_owned(),
            path: path.to_owned(),
            secure: name == "safe",
            http_only: true,
            expires,
        };
        let later = now.as_second() + 3_600;
        let all = vec![
            cookie("wide", ".example.com", "/", Some(later)),
            cookie("deep", "www.example.com", "/deep", None),
            cookie("safe", "www.example.com", "/", None),
        ];
        let cookies = Cookies::default();
        cookies.replace("example.com", &all, now);
        assert_eq!(cookies.header(&url("http://www.example.com/")).unwrap(), "wide=v");
        assert_eq!(
            cookies.header(&url("https://www.example.com/deep")).unwrap(),
            "deep=v; safe=v; wide=v"
        );
        assert_eq!(cookies.header(&url("https://m.example.com/deep")).unwrap(), "wide=v");
        let mut kept = cookies.of_site("example.com");
        for it in kept.iter_mut().filter(|it| it.name == "wide") {
            // It ends an hour from when it came, by the clock of the machine.
            assert!(it.expires.is_some());
            it.expires = Some(later);
        }
        kept.sort_by(|a, b| b.name.cmp(&a.name));
        assert_eq!(kept, [all[0].clone(), all[2].clone(), all[1].clone()]);
        cookies.forget("example.com");
        assert_eq!(cookies.header(&url("https://www.example.com/deep")), None);
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
