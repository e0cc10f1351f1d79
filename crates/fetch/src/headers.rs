//! What a request says: honest about who asks, and in step with the navigation it is part of.

use evidence::domain::site_of;
use url::{Origin, Url};

use crate::sessions::InSession;
use crate::{FetchSettings, Kind, Method};

/// One header line of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) name: String,
    pub(crate) value: String,
    /// Sent, and kept out of what is recorded.
    pub(crate) secret: bool,
}

impl Line {
    fn new(name: &str, value: impl Into<String>) -> Self {
        Self { name: name.to_owned(), value: value.into(), secret: false }
    }
}

/// What stays the same in all requests.
#[derive(Debug, Clone)]
pub(crate) struct Identity {
    pub(crate) user_agent: String,
    accept_language: String,
}

/// Everything a request's headers depend on.
#[derive(Debug)]
pub(crate) struct Asking<'a> {
    pub(crate) url: &'a Url,
    pub(crate) kind: &'a Kind,
    pub(crate) method: &'a Method,
    pub(crate) came_from: Option<&'a Url>,
    /// The addresses that redirected here, the first one first.
    pub(crate) way: &'a [Url],
    pub(crate) cookie: Option<&'a str>,
    /// The session of a person: its cookies are not recorded, and it speaks in the name of their browser.
    pub(crate) session: Option<&'a InSession>,
    pub(crate) etag: Option<&'a str>,
    pub(crate) last_modified: Option<&'a str>,
    pub(crate) extra: &'a [(String, String)],
    pub(crate) secret: &'a [(String, String)],
}

/// What the archive shows in place of a key.
const LEFT_OUT: &str = "[left out]";
const ENCODINGS: &str = "gzip, deflate, br";
/// Set by the connection, not by callers.
const CONNECTION: [&str; 6] =
    ["host", "connection", "content-length", "transfer-encoding", "upgrade", "accept-encoding"];

impl Identity {
    pub(crate) fn new(settings: &FetchSettings) -> Self {
        let printable = |text: &str| {
            text.chars().filter(|it| (' '..='~').contains(it)).collect::<String>().trim().to_owned()
        };
        let program = concat!("Lyra/", env!("CARGO_PKG_VERSION"));
        let contact = printable(&settings.contact);
        let user_agent = match contact.is_empty() {
            true => program.to_owned(),
            false => format!("{program} (+{contact})"),
        };
        Self { user_agent, accept_language: printable(&settings.accept_language) }
    }

    /// The header lines of a request, without those the connection adds.
    pub(crate) fn lines(&self, asking: &Asking<'_>) -> Vec<Line> {
        let name = asking.session.map_or(self.user_agent.as_str(), |it| it.user_agent.as_str());
        let mut lines = vec![Line::new("user-agent", name)];
        let navigation = matches!(asking.kind, Kind::Page | Kind::Engine { .. });
        let accept = match asking.kind {
            Kind::Page | Kind::Engine { .. } => {
                "text/html,application/xhtml+xml,application/pdf,application/xml;q=0.9,*/*;q=0.8"
            }
            Kind::Part => "*/*",
            Kind::Api { .. } => "application/json,application/xml;q=0.9,*/*;q=0.5",
        };
        lines.push(Line::new("accept", accept));
        if !self.accept_language.is_empty() {
            lines.push(Line::new("accept-language", self.accept_language.as_str()));
        }
        lines.push(Line::new("accept-encoding", ENCODINGS));
        if navigation {
            lines.extend(navigation_lines(asking));
        }
        if *asking.kind == Kind::Part {
            let referer = asking.came_from.and_then(|it| referer(it, asking.url));
            lines.extend(referer.map(|it| Line::new("referer", it)));
        }
        let optional = [
            ("cookie", asking.cookie),
            ("if-none-match", asking.etag),
            ("if-modified-since", asking.last_modified),
        ];
        for (name, value) in optional {
            let secret = name == "cookie" && asking.session.is_some();
            lines.extend(value.map(|it| Line { secret, ..Line::new(name, it) }));
        }
        if let Method::Post { content_type, body } = asking.method {
            lines.push(Line::new("content-type", content_type.as_str()));
            lines.push(Line::new("content-length", body.len().to_string()));
        }
        let given = asking.extra.iter().map(|it| (it, false));
        for ((name, value), secret) in given.chain(asking.secret.iter().map(|it| (it, true))) {
            let name = name.to_ascii_lowercase();
            if CONNECTION.contains(&name.as_str()) {
                continue;
            }
            lines.retain(|it| it.name != name);
            lines.push(Line { name, value: value.clone(), secret });
        }
        lines
    }
}

/// The referer and the `sec-fetch-*` lines of a page that is opened from another page, or from none.
fn navigation_lines(asking: &Asking<'_>) -> Vec<Line> {
    let mut lines = Vec::new();
    if let Some(referer) = asking.came_from.and_then(|it| referer(it, asking.url)) {
        lines.push(Line::new("referer", referer));
    }
    lines.push(Line::new("upgrade-insecure-requests", "1"));
    // Browsers send these only over a secure connection.
    if asking.url.scheme() == "https" {
        let site = asking.came_from.map_or("none", |from| {
            let way = asking.way.iter().chain([asking.url]);
            way.map(|it| relation(from, it)).max().unwrap_or(Relation::SameOrigin).as_str()
        });
        lines.push(Line::new("sec-fetch-dest", "document"));
        lines.push(Line::new("sec-fetch-mode", "navigate"));
        lines.push(Line::new("sec-fetch-site", site));
        lines.push(Line::new("sec-fetch-user", "?1"));
    }
    lines
}

/// How far a link leads; the farthest step of a way counts for the whole of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Relation {
    SameOrigin,
    SameSite,
    CrossSite,
}

impl Relation {
    const fn as_str(self) -> &'static str {
        match self {
            Self::SameOrigin => "same-origin",
            Self::SameSite => "same-site",
            Self::CrossSite => "cross-site",
        }
    }
}

fn relation(from: &Url, to: &Url) -> Relation {
    let site = |it: &Url| (it.scheme().to_owned(), it.host_str().map(site_of));
    if from.origin() == to.origin() {
        Relation::SameOrigin
    } else if site(from) == site(to) {
        Relation::SameSite
    } else {
        Relation::CrossSite
    }
}

/// The whole address within an origin, the origin alone beyond it, nothing from a safe page to an open one.
fn referer(from: &Url, to: &Url) -> Option<String> {
    let Origin::Tuple(..) = from.origin() else { return None };
    if from.scheme() == "https" && to.scheme() == "http" {
        return None;
    }
    if from.origin() != to.origin() {
        return Some(format!("{}/", from.origin().ascii_serialization()));
    }
    let mut bare = from.clone();
    bare.set_fragment(None);
    // A web address always can carry a user name, so taking it away succeeds.
    let _ = bare.set_username("");
    let _ = bare.set_password(None);
    Some(bare.into())
}

/// Whether a page lets the pages it links to know where a reader came from (`referrer-policy`, also in its own text).
/// How much they learn, the whole address or the origin alone, is decided with each request.
pub fn lets_itself_be_named(headers: &[(String, String)], body: &[u8]) -> bool {
    /// Such an element stands in the head of a page.
    const HEAD: usize = 64 << 10;
    let says_no = |policy: &str| {
        // The last one that is understood counts.
        let last = policy.rsplit(',').map(str::trim).find(|it| !it.is_empty());
        last.is_some_and(|it| matches!(it, "no-referrer" | "same-origin" | "never"))
    };
    let of_header = headers.iter().filter(|(name, _)| name == "referrer-policy");
    if of_header.map(|(_, value)| value.to_ascii_lowercase()).any(|it| says_no(&it)) {
        return false;
    }
    let head = String::from_utf8_lossy(&body[..body.len().min(HEAD)]).to_ascii_lowercase();
    let mut elements = head.split("<meta").skip(1).filter_map(|it| it.split('>').next());
    !elements.any(|it| {
        let plain = it.replace(['"', '\'', '/'], " ");
        let words: Vec<&str> = plain.split([' ', '=']).filter(|it| !it.is_empty()).collect();
        let after = |name: &str| words.windows(2).find(|it| it[0] == name).map(|it| it[1]);
        after("name") == Some("referrer") && after("content").is_some_and(says_no)
    })
}

/// The request as it is recorded: the line, the headers without keys, and the empty line.
pub(crate) fn request_head(method: &str, url: &Url, lines: &[Line]) -> Vec<u8> {
    let mut head = format!("{method} {} HTTP/1.1\r\nhost: {}\r\n", target(url), authority(url));
    for line in lines {
        let value = if line.secret { LEFT_OUT } else { line.value.as_str() };
        head.extend([line.name.as_str(), ": ", value, "\r\n"]);
    }
    head.push_str("\r\n");
    head.into_bytes()
}

/// Takes the values of cookies out of the head of an answer.
pub(crate) fn leave_out_cookies(head: &mut Vec<u8>) {
    const NAME: &[u8] = b"set-cookie:";
    let mut kept = Vec::with_capacity(head.len());
    for line in head.split_inclusive(|it| *it == b'\n') {
        match line.get(..NAME.len()).is_some_and(|it| it.eq_ignore_ascii_case(NAME)) {
            true => kept.extend(format!("set-cookie: {LEFT_OUT}\r\n").into_bytes()),
            false => kept.extend_from_slice(line),
        }
    }
    *head = kept;
}

/// The bytes of what is sent, keys included.
pub(crate) fn request_bytes(method: &str, url: &Url, lines: &[Line], body: &[u8]) -> u64 {
    let left_out = |it: &&Line| it.secret;
    let secrets: i64 =
        lines.iter().filter(left_out).map(|it| it.value.len() as i64 - LEFT_OUT.len() as i64).sum();
    let recorded = (request_head(method, url, lines).len() + body.len()) as i64;
    u64::try_from(recorded + secrets).unwrap_or(0)
}

/// The path with its query.
pub(crate) fn target(url: &Url) -> String {
    match url.query() {
        Some(query) => format!("{}?{query}", url.path()),
        None => url.path().to_owned(),
    }
}

pub(crate) fn authority(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

#[cfg(test)]
mod tests;
