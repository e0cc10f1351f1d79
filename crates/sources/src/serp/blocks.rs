//! The results where the declaration says they are.

use std::collections::HashSet;

use extract::select::{Element, Node, Selector};
use jiff::Timestamp;
use url::Url;

use super::page::{View, bounded, text_of};
use super::{dates, links};
use crate::Candidate;

/// Above this share of results that had to be read without their declaration, the declaration is out of date.
const MOST_BY_LOOK: f64 = 0.5;

/// With at least this many results and no snippet in the declared place, the layout is not the declared one.
const MIN_WITHOUT_SNIPPET: usize = 3;

/// What the declared blocks gave.
pub(super) struct Blocks {
    pub(super) results: Vec<Candidate>,
    /// Blocks that are no advert.
    pub(super) blocks: usize,
    unreadable: usize,
    /// Results whose title was not where it is declared.
    by_look: usize,
    /// Results whose words were where they are declared.
    with_snippet: usize,
}

impl Blocks {
    /// Why the page counts as broken although results were found.
    pub(super) fn trouble(&self) -> Option<String> {
        let share = |part: usize| part as f64 / self.blocks as f64;
        if share(self.unreadable) > MOST_BY_LOOK {
            Some(format!("{} of {} results without title and link", self.unreadable, self.blocks))
        } else if share(self.by_look) > MOST_BY_LOOK {
            Some(format!(
                "the title is not where it is declared in {} of {} results",
                self.by_look, self.blocks
            ))
        } else if self.with_snippet == 0 && self.results.len() >= MIN_WITHOUT_SNIPPET {
            Some(format!("no words where they are declared in {} results", self.results.len()))
        } else {
            None
        }
    }
}

/// One result before it is numbered.
pub(super) struct ParsedResult {
    pub(super) title: String,
    pub(super) url: Url,
    pub(super) snippet: Option<String>,
    pub(super) date: Option<String>,
    /// The address as shown to people.
    pub(super) shown: Option<String>,
}

pub(super) fn read(view: &View<'_>) -> Blocks {
    let declared = &view.engine.results;
    let mut read =
        Blocks { results: Vec::new(), blocks: 0, unreadable: 0, by_look: 0, with_snippet: 0 };
    let mut found = Vec::new();
    for selector in &declared.block {
        let blocks = outermost(view.page.select(selector));
        if blocks.is_empty() {
            continue;
        }
        let starts: HashSet<_> = blocks.iter().copied().collect();
        for block in blocks {
            let mut parts = vec![block];
            let after = block.following().take_while(|it| !starts.contains(it));
            parts.extend(after.take(declared.following));
            let block = Block { view, parts };
            if block.is_advert() {
                continue;
            }
            read.blocks += 1;
            match block.found() {
                Some((result, by_look)) => {
                    read.by_look += usize::from(by_look);
                    read.with_snippet += usize::from(block.has_snippet());
                    found.push(result);
                }
                None => read.unreadable += 1,
            }
        }
        break;
    }
    read.results = numbered(view, found);
    read
}

/// The elements that are inside no other of them.
fn outermost<'a>(elements: impl Iterator<Item = Element<'a>>) -> Vec<Element<'a>> {
    let mut seen = HashSet::new();
    let mut outer = Vec::new();
    // In the order of the document an element comes after those around it.
    for element in elements {
        if !element.ancestors().any(|it| seen.contains(&it)) {
            outer.push(element);
        }
        seen.insert(element);
    }
    outer
}

/// An element, and those after it that belong to it.
struct Block<'a> {
    view: &'a View<'a>,
    parts: Vec<Element<'a>>,
}

impl<'a> Block<'a> {
    fn first(&self, selectors: &[Selector]) -> Option<Element<'a>> {
        let find = |selector| self.parts.iter().find_map(|part| found_in(*part, selector));
        selectors.iter().find_map(find)
    }

    fn is_advert(&self) -> bool {
        let block = self.parts[0];
        let declared = &self.view.engine.results.advert;
        let is_one = |element: Element<'_>| declared.iter().any(|it| it.matches(element));
        if is_one(block)
            || block.ancestors().any(is_one)
            || declared.iter().any(|it| block.select(it).next().is_some())
        {
            return true;
        }
        let title = self.first(&self.view.engine.results.title);
        let href = title.and_then(|it| link_of(it, block)).and_then(|it| it.attribute("href"));
        href.is_some_and(|it| links::is_advert(self.view, it)) || self.has_advert_label()
    }

    /// Whether a word outside title and snippet marks an advert.
    fn has_advert_label(&self) -> bool {
        let declared = &self.view.engine.results;
        let quoted: Vec<_> = [self.first(&declared.title), self.first(&declared.snippet)]
            .into_iter()
            .flatten()
            .collect();
        advert_label(self.parts[0], &quoted)
    }

    /// The result, and whether its title had to be told by its look.
    fn found(&self) -> Option<(ParsedResult, bool)> {
        let (title_at, by_look) = match self.first(&self.view.engine.results.title) {
            Some(title) if !text_of(title).is_empty() => (title, false),
            _ => (self.title_by_look()?, true),
        };
        let url = self.url(title_at)?;
        let title = bounded(text_of(title_at), self.view.limits.max_title_chars);
        let (date, snippet) = self.snippet(title_at, &title);
        let shown = self.first(&self.view.engine.results.shown).map(text_of);
        Some((ParsedResult { title, url, snippet, date, shown }, by_look))
    }

    fn title_by_look(&self) -> Option<Element<'a>> {
        let block = self.parts[0];
        let elements = || block.and_inside();
        let leads_away = |element: Element<'a>| {
            link_of(element, block)
                .and_then(|it| it.attribute("href"))
                .and_then(|it| links::target(self.view, it))
                .is_some()
        };
        let heading =
            elements().find(|it| is_heading(*it) && leads_away(*it) && !text_of(*it).is_empty());
        heading.or_else(|| {
            let own_link = |it: &Element<'a>| it.name() == "a" && leads_away(*it);
            elements()
                .filter(own_link)
                .max_by_key(|it| text_of(*it).len())
                .filter(|it| !text_of(*it).is_empty())
        })
    }

    fn url(&self, title: Element<'a>) -> Option<Url> {
        let block = self.parts[0];
        let own = link_of(title, block)
            .and_then(|it| it.attribute("href"))
            .and_then(|it| links::target(self.view, it));
        own.or_else(|| {
            let mut others = block.and_inside().filter(|it| it.name() == "a");
            others.find_map(|it| links::target(self.view, it.attribute("href")?))
        })
    }

    fn has_snippet(&self) -> bool {
        let declared = &self.view.engine.results.snippet;
        declared.is_empty() || self.first(declared).is_some()
    }

    /// The date and the words without it.
    fn snippet(&self, title_at: Element<'a>, title: &str) -> (Option<String>, Option<String>) {
        let element = self.first(&self.view.engine.results.snippet).filter(|it| *it != title_at);
        let text = element.map_or_else(|| longest_text(self.parts[0], title, None), text_of);
        let (before, text) = without_date(element, &text, self.view.now);
        let text = bounded(text.to_owned(), self.view.limits.max_snippet_chars);
        (self.own_date().or(before), (!text.is_empty()).then_some(text))
    }

    /// The date where it is declared.
    fn own_date(&self) -> Option<String> {
        let declared = &self.view.engine.results;
        let text = text_of(self.first(&declared.date)?);
        let ends = declared.date_after.iter().filter_map(|it| Some(text.rfind(it)? + it.len()));
        let said = &text[ends.max().unwrap_or(0)..];
        // `10:20, 5 March 2024`: the day follows the time.
        let day = said.split_once(", ").and_then(|it| dates::date_of(it.1, self.view.now));
        dates::date_of(said, self.view.now).or(day)
    }
}

/// A snippet's date, in an element of its own or before a separator, and the words after it.
fn without_date<'t>(
    element: Option<Element<'_>>,
    text: &'t str,
    now: Timestamp,
) -> (Option<String>, &'t str) {
    if let Some((date, rest)) = dates::leading_date(text, now) {
        return (Some(date), rest);
    }
    let inner = element.into_iter().flat_map(Element::inside);
    // The date is the first thing said, however many elements are around it.
    let first = inner.take(6).map(text_of).find_map(|words| {
        let rest = text.strip_prefix(words.as_str())?;
        Some((dates::date_of(&words, now)?, rest.trim_start_matches([' ', '-', '–', '—', '·'])))
    });
    first.map_or((None, text), |(date, rest)| (Some(date), rest))
}

fn found_in<'a>(part: Element<'a>, selector: &Selector) -> Option<Element<'a>> {
    part.select(selector).find(|it| !text_of(*it).is_empty())
}

pub(super) fn is_heading(element: Element<'_>) -> bool {
    matches!(element.name(), "h1" | "h2" | "h3" | "h4" | "h5" | "h6")
        || element.attribute("role") == Some("heading")
}

/// The link that a title is, is inside or contains.
pub(super) fn link_of<'a>(title: Element<'a>, block: Element<'a>) -> Option<Element<'a>> {
    let is_link = |it: &Element<'a>| it.name() == "a" && it.attribute("href").is_some();
    if is_link(&title) {
        return Some(title);
    }
    let mut around = title.ancestors().take_while(|it| *it != block).chain([block]);
    let inside = || title.inside().find(is_link);
    around.find(is_link).or_else(inside)
}

/// The longest paragraph of a block that is neither its title nor inside `apart`.
pub(super) fn longest_text(block: Element<'_>, title: &str, apart: Option<Element<'_>>) -> String {
    let is_apart = |element: Element<'_>| {
        apart.is_some_and(|apart| element == apart || element.ancestors().any(|it| it == apart))
    };
    let holds_blocks = |element: Element<'_>| {
        element.inside().any(|it| matches!(it.name(), "div" | "p" | "td" | "li"))
    };
    block
        .and_inside()
        .filter(|it| matches!(it.name(), "p" | "div" | "span" | "td" | "dd") && !holds_blocks(*it))
        .filter(|it| !is_apart(*it))
        .map(text_of)
        .filter(|it| it != title && !it.contains('›'))
        .max_by_key(String::len)
        .unwrap_or_default()
}

/// Whether a word on its own in a block marks an advert, outside the elements named in `quoted`.
pub(super) fn advert_label(block: Element<'_>, quoted: &[Element<'_>]) -> bool {
    const LABELS: [&str; 8] =
        ["ad", "ads", "sponsored", "anzeige", "annonce", "広告", "スポンサー", "スポンサード"];
    let is_label = |node: Node<'_>| {
        let Node::Text(text) = node else { return false };
        let word = text.trim().trim_matches(['·', ':', '[', ']', ' ']).to_lowercase();
        LABELS.contains(&word.as_str())
    };
    let is_quoted = |element: Element<'_>| {
        quoted.contains(&element) || element.ancestors().any(|it| quoted.contains(&it))
    };
    block.and_inside().any(|it| it.children().any(is_label) && !is_quoted(it))
}

/// Candidates in order, each once.
///
/// Where most results lead to one address the page hides the real ones, and only their titles and shown addresses
/// tell them apart.
pub(super) fn numbered(view: &View<'_>, found: Vec<ParsedResult>) -> Vec<Candidate> {
    let most =
        found.iter().map(|it| found.iter().filter(|other| other.url == it.url).count()).max();
    let hidden = most.is_some_and(|it| it > 2 && it * 2 > found.len());
    let mut seen = HashSet::new();
    let mut results: Vec<Candidate> = Vec::new();
    for result in found.into_iter() {
        let looks = hidden.then(|| (result.title.clone(), result.shown.clone()));
        if !seen.insert((result.url.clone(), looks)) {
            // A repetition may say more: featured results come first and without a date.
            if let Some(first) = results.iter_mut().find(|it| it.url == result.url && !hidden) {
                first.snippet = first.snippet.take().or(result.snippet);
                first.date = first.date.take().or(result.date);
            }
            continue;
        }
        if results.len() == view.limits.max_results {
            break;
        }
        results.push(Candidate {
            found_on: None,
            title: result.title,
            url: result.url,
            snippet: result.snippet,
            date: result.date,
            engine: view.engine.name.clone(),
            rank: results.len() as u32 + 1,
            source_tag: "web".to_owned(),
            paper: None,
            text: None,
        });
    }
    results
}
