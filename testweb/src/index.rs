//! The page at the server's own address: all hosts, with links that work without name resolution.

use crate::World;
use crate::answer::{Answer, Request};

const BY_PATH: &str = "/_host/";

/// Whom a request means.
pub(crate) struct Aim {
    pub(crate) host: String,
    pub(crate) target: String,
    by_path: bool,
}

impl Aim {
    /// `/_host/NAME/path` stands for `http://NAME/path`.
    pub(crate) fn new(host: &str, target: &str) -> Self {
        match target.strip_prefix(BY_PATH) {
            Some(rest) if is_own(host) => {
                let (name, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
                let slash = if path.starts_with('/') { "" } else { "/" };
                let target = format!("{slash}{path}");
                Self { host: name.to_ascii_lowercase(), target, by_path: true }
            }
            _ => Self { host: host.to_owned(), target: target.to_owned(), by_path: false },
        }
    }

    /// Keeps a browser that came by path on its way: redirects stay inside `/_host/`.
    pub(crate) fn stay(&self, answer: &mut Answer) {
        let locations = answer.headers.iter_mut().filter(|it| self.by_path && it.0 == "Location");
        for (_, to) in locations {
            if let Some((_, rest)) = to.split_once("://") {
                *to = format!("{BY_PATH}{rest}");
            } else if to.starts_with('/') {
                *to = format!("{BY_PATH}{}{to}", self.host);
            }
        }
    }
}

fn is_own(host: &str) -> bool {
    host == "localhost" || host.parse::<std::net::Ipv4Addr>().is_ok() || host == "[::1]"
}

/// A link like `/about` on a page that was reached by path: the referring page tells whose it is.
fn from_page(request: &Request) -> Option<Answer> {
    let (_, rest) = request.header("referer")?.split_once(BY_PATH)?;
    let name = rest.split('/').next()?;
    Some(Answer::redirect(302, format!("{BY_PATH}{name}{}", request.target)))
}

/// The list of hosts, or the answer for an unknown name.
pub(crate) fn answer(world: &World, request: &Request) -> Answer {
    if !is_own(&request.host) {
        return crate::fault::plain(404);
    }
    if request.path() != "/" {
        return from_page(request).unwrap_or_else(|| crate::fault::plain(404));
    }
    let mut rows = String::new();
    for site in world.sites() {
        let example = world.pages_of(&site.host).next().map_or("/", |it| it.path());
        rows.push_str(&format!(
            "<tr><td>{kind}</td><td><a href=\"{BY_PATH}{host}/\">{host}</a></td>\
             <td><a href=\"{BY_PATH}{host}{example}\">{example}</a></td></tr>\n",
            kind = site.kind.name(),
            host = site.host,
        ));
    }
    for host in crate::engines::hosts().chain(crate::apis::hosts()) {
        rows.push_str(&format!(
            "<tr><td>engine or API</td><td><a href=\"{BY_PATH}{host}/\">{host}</a></td><td></td></tr>\n"
        ));
    }
    Answer::html(
        200,
        format!(
            "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>The small internet</title></head>\
             <body><h1>The small internet</h1><p>{} hosts, {} pages, {} papers.</p>\
             <table><tr><th>kind</th><th>host</th><th>example</th></tr>\n{rows}</table></body></html>",
            world.sites().len(),
            world.pages().len(),
            world.papers().len(),
        ),
    )
}
