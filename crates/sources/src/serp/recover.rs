//! Results told by their look alone, for a page whose layout is no longer the declared one.
//!
//! First headings that lead to another site; where there are none, the largest group of links in the
//! same kind of place. Menus, footers and adverts are left out.

use std::collections::{BTreeMap, HashSet};

use extract::select::Element;
use url::Url;

use super::blocks::{ParsedResult, advert_label, is_heading, link_of, longest_text, numbered};
use super::page::{View, bounded, text_of};
use super::{dates, links};
use crate::Candidate;

/// Fewer links of one kind are a coincidence.
const MIN_GROUP: usize = 3;
/// The least characters of a title among links without a heading.
const MIN_TITLE_CHARS: usize = 8;

/// The results of a page with an undeclared layout.
pub(super) fn results(view: &View<'_>) -> Vec<Candidate> {
    let headings = by_headings(view);
    numbered(view, if headings.is_empty() { by_groups(view) } else { headings })
}

fn by_headings(view: &View<'_>) -> Vec<ParsedResult> {
    let root = view.page.root();
    let headings = root.inside().filter(|it| is_heading(*it) && !is_aside(*it));
    let mut levels: BTreeMap<&str, Vec<ParsedResult>> = BTreeMap::new();
    for heading in headings {
        let Some(link) = link_of(heading, root) else { continue };
        let Some(url) = away(view, link) else { continue };
        // Text in the heading beside its link is a label.
        let title = if link.ancestors().any(|it| it == heading) { link } else { heading };
        let block = block_of(heading, is_heading);
        levels.entry(heading.name()).or_default().extend(result(view, block, title, url));
    }
    // All results have headings of one level; others belong to answers and to links below a result.
    levels.into_values().max_by_key(Vec::len).unwrap_or_default()
}

fn by_groups(view: &View<'_>) -> Vec<ParsedResult> {
    let root = view.page.root();
    let mut groups: BTreeMap<String, Vec<(Element<'_>, Url)>> = BTreeMap::new();
    for link in root.inside().filter(|it| it.name() == "a") {
        if is_aside(link) || text_of(link).chars().count() < MIN_TITLE_CHARS {
            continue;
        }
        if let Some(url) = away(view, link) {
            groups.entry(place_of(link)).or_default().push((link, url));
        }
    }
    // Of two groups of one size the one that says more.
    let words =
        |group: &Vec<(Element<'_>, Url)>| group.iter().map(|it| text_of(it.0).len()).sum::<usize>();
    let largest = groups.into_values().max_by_key(|it| (it.len(), words(it)));
    let links = largest.filter(|it| it.len() >= MIN_GROUP).unwrap_or_default();
    // Links of another kind in a block, to parts of a site or to a saved copy, belong to its result.
    let of_group: HashSet<Element<'_>> = links.iter().map(|it| it.0).collect();
    let starts = |it: Element<'_>| of_group.contains(&it);
    links
        .iter()
        .filter_map(|(link, url)| result(view, block_of(*link, starts), *link, url.clone()))
        .collect()
}

fn result(
    view: &View<'_>,
    block: Element<'_>,
    title_at: Element<'_>,
    url: Url,
) -> Option<ParsedResult> {
    let title = bounded(title_in(title_at), view.limits.max_title_chars);
    if title.is_empty() || advert_label(block, &[title_at]) {
        return None;
    }
    // Beside the link, where there are words; in it are the name of the site and its address, which are shorter than the
    // title more often than not.
    let beside = longest_text(block, &title, Some(title_at));
    let text = match beside.is_empty() {
        true => Some(longest_text(title_at, &title, None))
            .filter(|it| it.chars().count() > title.chars().count())
            .unwrap_or_default(),
        false => beside,
    };
    let (date, text) = match dates::leading_date(&text, view.now) {
        Some((date, rest)) => (Some(date), rest.to_owned()),
        None => (None, text),
    };
    let snippet = (!text.is_empty()).then(|| bounded(text, view.limits.max_snippet_chars));
    Some(ParsedResult { title, url, snippet, date, shown: None })
}

/// The title in a link that may be around a whole result, with the name of its site and its address: what calls itself a
/// title, else the longest text.
fn title_in(link: Element<'_>) -> String {
    let calls_itself = |it: &Element<'_>| {
        is_heading(*it) || it.classes().any(|class| class.to_lowercase().contains("title"))
    };
    let named = link.inside().filter(calls_itself).map(text_of).find(|it| !it.is_empty());
    named.unwrap_or_else(|| {
        let longest = longest_text(link, "", None);
        if longest.is_empty() { text_of(link) } else { longest }
    })
}

/// Where a link leads, if that is another host than the page's.
fn away(view: &View<'_>, link: Element<'_>) -> Option<Url> {
    let href = link.attribute("href")?;
    let url = links::target(view, href)?;
    let own = view.url.is_some_and(|it| it.host_str().map(site) == url.host_str().map(site));
    (!own && !links::is_advert(view, href)).then_some(url)
}

fn site(host: &str) -> String {
    evidence::domain::site_of(host)
}

/// The largest element around `inner` that holds no second one of its kind.
fn block_of<'a>(inner: Element<'a>, kind: impl Fn(Element<'a>) -> bool) -> Element<'a> {
    let mut block = inner;
    for around in inner.ancestors() {
        let others = around.and_inside().filter(|it| kind(*it)).nth(1);
        if others.is_some() || matches!(around.name(), "body" | "html" | "main") {
            break;
        }
        block = around;
    }
    block
}

fn is_aside(element: Element<'_>) -> bool {
    element.ancestors().any(|ancestor| {
        matches!(ancestor.name(), "nav" | "header" | "footer" | "aside")
            || matches!(
                ancestor.attribute("role"),
                Some("navigation" | "banner" | "contentinfo" | "complementary")
            )
    })
}

/// The kind of place a link is in: its own tag with its classes, and the tags around it. Classes of the elements
/// around may count the results.
fn place_of(link: Element<'_>) -> String {
    let mut place = link.classes().collect::<Vec<_>>().join(".");
    for around in link.ancestors().take(4) {
        place += " < ";
        place += around.name();
    }
    place
}
