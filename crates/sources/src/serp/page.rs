//! A parsed page, what is known about it, and its words.

use jiff::Timestamp;
use scraper::{ElementRef, Html, Node, Selector};
use url::Url;

use super::SerpLimits;
use crate::engines::{Engine, Signs};

/// A page with everything needed to read it.
pub(super) struct View<'a> {
    pub(super) html: &'a Html,
    pub(super) engine: &'a Engine,
    pub(super) url: Option<&'a Url>,
    pub(super) now: Timestamp,
    pub(super) limits: &'a SerpLimits,
}

impl<'a> View<'a> {
    pub(super) fn new(
        html: &'a Html,
        engine: &'a Engine,
        url: Option<&'a Url>,
        now: Timestamp,
        limits: &'a SerpLimits,
    ) -> Self {
        Self { html, engine, url, now, limits }
    }

    pub(super) fn has(&self, selectors: &[Selector]) -> bool {
        selectors.iter().any(|it| self.html.select(it).next().is_some())
    }

    pub(super) fn says(&self, texts: &[String]) -> bool {
        if texts.is_empty() {
            return false;
        }
        let words = words(self.html.root_element(), Keep::Noscript).to_lowercase();
        texts.iter().any(|it| words.contains(it))
    }

    pub(super) fn shows(&self, signs: &Signs) -> bool {
        self.has(&signs.selectors) || self.says(&signs.texts)
    }
}

/// Elements that start a new line for the reader.
const BREAKS: [&str; 22] = [
    "address",
    "article",
    "blockquote",
    "br",
    "cite",
    "dd",
    "div",
    "dt",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "li",
    "ol",
    "p",
    "section",
    "td",
    "tr",
    "ul",
];
const UNSEEN: [&str; 5] = ["script", "style", "template", "svg", "head"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keep {
    Seen,
    /// What a browser without scripts would see, too.
    Noscript,
}

/// The words a reader sees in an element, on one line.
pub(super) fn text_of(element: ElementRef<'_>) -> String {
    words(element, Keep::Seen)
}

fn words(element: ElementRef<'_>, keep: Keep) -> String {
    let mut text = String::new();
    // Nodes still to be opened, and elements to be closed once their children are done.
    let mut open = vec![(*element, true)];
    while let Some((node, opens)) = open.pop() {
        match node.value() {
            Node::Text(inner) => text.push_str(inner),
            Node::Element(inner) => {
                let name = inner.name();
                if BREAKS.contains(&name) {
                    text.push(' ');
                }
                let unseen = UNSEEN.contains(&name) || (name == "noscript" && keep == Keep::Seen);
                if opens && !unseen {
                    open.push((node, false));
                    open.extend(node.children().rev().map(|it| (it, true)));
                }
            }
            _ => {}
        }
    }
    one_line(&text)
}

pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Cuts after `max` characters.
pub(super) fn bounded(text: String, max: usize) -> String {
    match text.char_indices().nth(max) {
        Some((at, _)) => text[..at].to_owned(),
        None => text,
    }
}

/// About how many elements stand inside each other, from the tags alone: parsing a page that is nested without end
/// would take time without end. Elements that need no end tag count as open, so ordinary pages come out too deep
/// rather than too flat.
pub(super) fn depth(html: &str) -> usize {
    const VOID: [&str; 13] = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source",
        "track", "wbr",
    ];
    let (mut depth, mut deepest) = (0_usize, 0_usize);
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        let closes = rest.starts_with('/');
        let name_at = usize::from(closes);
        let length = rest[name_at..].bytes().take_while(u8::is_ascii_alphanumeric).count();
        let name = rest[name_at..name_at + length].to_ascii_lowercase();
        if name.is_empty() || !name.starts_with(|it: char| it.is_ascii_alphabetic()) {
            continue;
        }
        if closes {
            depth = depth.saturating_sub(1);
            continue;
        }
        let end = rest.find('>').unwrap_or(rest.len());
        if VOID.contains(&name.as_str()) || rest[..end].ends_with('/') {
            continue;
        }
        if name == "script" || name == "style" {
            let close = format!("</{name}");
            rest = rest.find(&close).map_or("", |it| &rest[it + close.len()..]);
            continue;
        }
        depth += 1;
        deepest = deepest.max(depth);
    }
    deepest
}
