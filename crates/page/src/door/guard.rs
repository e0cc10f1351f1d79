//! Who may ask: the token of the first address, the cookie it becomes, and the proof that forms carry.

use std::sync::{Mutex, PoisonError};

use http::header::{COOKIE, HOST, ORIGIN};
use http::request::Parts;
use url::form_urlencoded;

/// What lets one person in. Everything is made when the program starts and ends with it.
#[derive(Debug)]
pub struct Opening {
    port: u16,
    /// Gone once it was used.
    token: Mutex<Option<String>>,
    cookie: String,
    proof: String,
}

/// What a request has to enter with.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Entry {
    Known,
    /// The token, for the first time: the cookie to set, and where to go.
    Opens {
        cookie: String,
        to: String,
    },
    /// A token that is no longer one.
    Used,
    Unknown,
}

impl Opening {
    /// New secrets for the page on this port; an error where the system gives no random numbers.
    pub fn new(port: u16) -> Result<Self, String> {
        let secret = || {
            let mut bytes = [0_u8; 32];
            getrandom::fill(&mut bytes).map_err(|error| error.to_string())?;
            Ok::<_, String>(blake3::hash(&bytes).to_hex()[..43].to_owned())
        };
        Ok(Self { port, token: Mutex::new(Some(secret()?)), cookie: secret()?, proof: secret()? })
    }

    /// The address to open first: it works once.
    pub fn address(&self, to: &str) -> String {
        let token = self.token.lock().unwrap_or_else(PoisonError::into_inner);
        let token = token.as_deref().unwrap_or_default();
        let mut address = format!("http://127.0.0.1:{}/?token={token}", self.port);
        if to != "/" {
            let to: String = form_urlencoded::byte_serialize(to.as_bytes()).collect();
            address += &format!("&to={to}");
        }
        address
    }

    /// Cookies know no ports: each page on this machine has its own.
    fn cookie_name(&self) -> String {
        format!("lyra_{}", self.port)
    }

    /// Whether a request names this machine and nothing else: another name leads here by a trick only.
    pub(super) fn is_addressed(&self, head: &Parts) -> bool {
        let mut hosts = head.headers.get_all(HOST).iter();
        let (Some(host), None) = (hosts.next().and_then(|it| it.to_str().ok()), hosts.next())
        else {
            return false;
        };
        let own = self.own_hosts().any(|it| it == host);
        let origin = head.headers.get(ORIGIN).map(|it| it.to_str().unwrap_or_default());
        own && origin.is_none_or(|it| self.is_own_origin(it))
    }

    fn own_hosts(&self) -> impl Iterator<Item = String> {
        ["127.0.0.1", "localhost"].into_iter().map(|it| format!("{it}:{}", self.port))
    }

    fn is_own_origin(&self, origin: &str) -> bool {
        self.own_hosts().any(|it| origin.strip_prefix("http://") == Some(&*it))
    }

    /// Whether a change comes from the page: browsers say so themselves.
    pub(super) fn is_own(&self, head: &Parts) -> bool {
        let word = |name: &str| head.headers.get(name).and_then(|it| it.to_str().ok());
        let fetched = word("sec-fetch-site").is_none_or(|it| it == "same-origin");
        fetched && word("origin").is_some_and(|it| self.is_own_origin(it))
    }

    pub(super) fn entry(&self, head: &Parts) -> Entry {
        let name = self.cookie_name();
        let cookies = head.headers.get_all(COOKIE).iter().filter_map(|it| it.to_str().ok());
        let given = cookies
            .flat_map(|it| it.split(';'))
            .filter_map(|it| it.trim().split_once('='))
            .find(|it| it.0 == name);
        let known = given.is_some_and(|it| same(it.1, &self.cookie));
        let query = head.uri.query().unwrap_or_default();
        let value = |name: &str| {
            form_urlencoded::parse(query.as_bytes()).find(|it| it.0 == name).map(|it| it.1)
        };
        let Some(token) = value("token") else {
            return if known { Entry::Known } else { Entry::Unknown };
        };
        let to = value("to").map_or_else(|| "/".to_owned(), |it| here(&it).to_owned());
        let mut kept = self.token.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = kept.as_deref().is_some_and(|it| same(&token, it));
        if fits {
            *kept = None;
        }
        match (fits, known) {
            (true, _) => {
                let cookie = format!("{name}={}; Path=/; HttpOnly; SameSite=Strict", self.cookie);
                Entry::Opens { cookie, to }
            }
            // The same browser opens the printed address again.
            (false, true) => Entry::Known,
            (false, false) => Entry::Used,
        }
    }

    pub(super) fn is_proven(&self, given: &str) -> bool {
        same(given, &self.proof)
    }

    pub(super) fn proof(&self) -> &str {
        &self.proof
    }
}

/// A place of this page; anything else is its beginning.
pub(crate) fn here(path: &str) -> &str {
    let plain = path.bytes().all(|it| it.is_ascii_graphic() && it != b'\\');
    if path.starts_with('/') && !path.starts_with("//") && plain { path } else { "/" }
}

/// Hashes of equal length: how long the comparison takes tells nothing about the secret.
fn same(given: &str, secret: &str) -> bool {
    blake3::hash(given.as_bytes()) == blake3::hash(secret.as_bytes())
}

#[cfg(test)]
mod tests {
    use http::Request;

    use super::*;

    fn head(uri: &str, headers: &[(&str, &str)]) -> Parts {
        let mut request = Request::builder().uri(uri);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.body(()).unwrap().into_parts().0
    }

    #[test]
    fn a_token_opens_once_and_becomes_a_cookie() {
        let opening = Opening::new(4000).unwrap();
        let address = opening.address("/task/x?a=b");
        let path = address.strip_prefix("http://127.0.0.1:4000").unwrap();
        let Entry::Opens { cookie, to } = opening.entry(&head(path, &[])) else {
            panic!("the token does not open")
        };
        assert_eq!(to, "/task/x?a=b");
        assert!(cookie.ends_with("; Path=/; HttpOnly; SameSite=Strict"));
        assert_eq!(opening.entry(&head(path, &[])), Entry::Used);
        let pair = cookie.split(';').next().unwrap();
        assert_eq!(opening.entry(&head("/", &[("cookie", pair)])), Entry::Known);
        assert_eq!(opening.entry(&head(path, &[("cookie", pair)])), Entry::Known);
        let other = pair.replace("lyra_4000", "lyra_4001");
        assert_eq!(opening.entry(&head("/", &[("cookie", &other)])), Entry::Unknown);
        assert_eq!(opening.entry(&head("/?token=", &[])), Entry::Used);
    }

    #[test]
    fn only_the_own_names_are_answered() {
        let opening = Opening::new(4000).unwrap();
        for (headers, expected) in [
            (vec![("host", "127.0.0.1:4000")], true),
            (vec![("host", "localhost:4000")], true),
            (vec![("host", "localhost")], false),
            (vec![("host", "127.0.0.1:4001")], false),
            (vec![("host", "evil.example:4000")], false),
            (vec![], false),
            (vec![("host", "localhost:4000"), ("host", "evil.example")], false),
            (vec![("host", "localhost:4000"), ("origin", "http://localhost:4000")], true),
            (vec![("host", "localhost:4000"), ("origin", "http://evil.example")], false),
            (vec![("host", "localhost:4000"), ("origin", "null")], false),
            (vec![("host", "localhost:4000"), ("origin", "https://localhost:4000")], false),
        ] {
            assert_eq!(opening.is_addressed(&head("/", &headers)), expected, "{headers:?}");
        }
    }

    #[test]
    fn nobody_is_led_elsewhere() {
        for path in
            ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:1", ""]
        {
            assert_eq!(here(path), "/");
        }
        assert_eq!(here("/task/task_1/live?x=1#f"), "/task/task_1/live?x=1#f");
    }
}
