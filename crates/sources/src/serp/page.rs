//! A parsed page, what is known about it, and its words.

use extract::select::{Element, Node, Page, Selector};
use jiff::Timestamp;
use url::Url;

use super::SerpLimits;
use crate::engines::{Engine, Signs};

/// A page with everything needed to read it.
pub(super) struct View<'a> {
    pub(super) page: &'a Page,
    pub(super) engine: &'a Engine,
    pub(super) url: Option<&'a Url>,
    pub(super) now: Timestamp,
    pub(super) limits: &'a SerpLimits,
}

impl<'a> View<'a> {
    pub(super) fn new(
        page: &'a Page,
        engine: &'a Engine,
        url: Option<&'a Url>,
        now: Timestamp,
        limits: &'a SerpLimits,
    ) -> Self {
        Self { page, engine, url, now, limits }
    }

    pub(super) fn has(&self, selectors: &[Selector]) -> bool {
        selectors.iter().any(|it| self.page.select(it).next().is_some())
    }

    pub(super) fn says(&self, texts: &[String]) -> bool {
        if texts.is_empty() {
            return false;
        }
        let words = words(self.page.root(), Keep::Noscript).to_lowercase();
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
pub(super) fn text_of(element: Element<'_>) -> String {
    words(element, Keep::Seen)
}

fn words(element: Element<'_>, keep: Keep) -> String {
    let mut text = String::new();
    // Nodes still to be opened, and elements to be closed once their children are done.
    let mut open = vec![(Node::Element(element), true)];
    while let Some((node, opens)) = open.pop() {
        match node {
            Node::Text(inner) => text.push_str(inner),
            Node::Element(inner) => {
                let name = inner.name();
                if BREAKS.contains(&name) {
                    text.push(' ');
                }
                let unseen = UNSEEN.contains(&name) || (name == "noscript" && keep == Keep::Seen);
                if opens && !unseen {
                    open.push((node, false));
                    open.extend(inner.children().rev().map(|it| (it, true)));
                }
            }
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
