//! Which links of a page are worth following.

use std::cmp::Ordering;
use std::collections::HashSet;

use evidence::FragmentType;
use evidence::domain::site_of;
use extract::{Document, Fragment};
use text::tokenize::{TokenizeFor, tokenize};
use url::Url;

/// An address that waits for its turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Lead {
    pub(super) url: Url,
    pub(super) came_from: Option<Url>,
    pub(super) depth: u32,
    /// Whether its words share something with what is looked for.
    pub(super) shares_words: bool,
    points: u32,
    /// The place on its page: of two equal links the upper one goes first.
    place: usize,
}

impl Lead {
    pub(super) fn first(url: Url) -> Self {
        Self { url, came_from: None, depth: 0, shares_words: true, points: u32::MAX, place: 0 }
    }
}

impl Ord for Lead {
    fn cmp(&self, other: &Self) -> Ordering {
        // The address at the end makes the order the same in every run.
        let key = |it: &Self| (it.points, std::cmp::Reverse((it.depth, it.place)));
        key(self).cmp(&key(other)).then_with(|| other.url.cmp(&self.url))
    }
}

impl PartialOrd for Lead {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Headings above lists of links that belong to the subject.
const GUIDES: &[&str] = &[
    "contents",
    "in this section",
    "related",
    "see also",
    "further reading",
    "more on",
    "references",
    "chapters",
    "目次",
    "関連",
    "参考",
    "あわせて",
    "合わせて",
    "章",
];

/// Parts of addresses that lead away from content.
const DEAD_ENDS: &[&str] = &[
    "login",
    "signin",
    "sign-in",
    "signup",
    "register",
    "cart",
    "checkout",
    "share",
    "print",
    "logout",
    "account",
    "privacy",
    "terms",
    "contact",
    "subscribe",
    "search",
];

/// Endings of files that are not read.
const NOT_READ: &[&str] = &[
    ".jpg", ".jpeg", ".png", ".gif", ".webp", ".svg", ".ico", ".mp3", ".mp4", ".avi", ".mov",
    ".zip", ".gz", ".exe", ".dmg", ".css", ".js", ".woff", ".woff2", ".xlsx", ".xls", ".docx",
    ".pptx",
];

/// The links of a document that stay on the site of `page`, with their worth.
pub(super) fn leads(document: &Document, page: &Url, depth: u32, looking_for: &str) -> Vec<Lead> {
    let wanted = words(looking_for);
    let mut leads = Vec::new();
    for (place, link) in document.links.iter().enumerate() {
        let Ok(url) = Url::parse(&link.url) else { continue };
        if !same_site(&url, page) || is_dead_end(&url) {
            continue;
        }
        let around = document
            .fragments
            .iter()
            .find(|it| it.char_start <= link.char_start && link.char_start < it.char_end);
        let shared = overlap(&wanted, &link.anchor) * 2 + overlap(&wanted, &link.sentence);
        leads.push(Lead {
            points: shared.min(20) + around.map_or(0, guidance),
            shares_words: shared > 0 || overlap(&wanted, &spoken(&url)) > 0,
            came_from: Some(page.clone()),
            url,
            depth,
            place,
        });
    }
    leads
}

/// What the place of a link says: headings lead on, and so do lists under a heading that says so.
fn guidance(fragment: &Fragment) -> u32 {
    let heading = fragment.heading_context.as_deref().unwrap_or_default().to_lowercase();
    let is_guide = GUIDES.iter().any(|it| heading.contains(it));
    match fragment.fragment_type {
        FragmentType::Heading => 6,
        FragmentType::List if is_guide => 6,
        FragmentType::List | FragmentType::Table => 2,
        _ if is_guide => 3,
        _ => 0,
    }
}

pub(super) fn same_site(url: &Url, page: &Url) -> bool {
    matches!(url.scheme(), "http" | "https")
        && url.host_str().map(site_of) == page.host_str().map(site_of)
}

fn is_dead_end(url: &Url) -> bool {
    let path = url.path().to_lowercase();
    NOT_READ.iter().any(|it| path.ends_with(it))
        || path.split('/').any(|part| DEAD_ENDS.contains(&part.trim_end_matches(".html")))
}

/// The words of an address.
fn spoken(url: &Url) -> String {
    url.path().replace(['/', '-', '_', '.', '+'], " ")
}

/// Words that matter: not the shortest of those in Latin letters, and of Japanese each pair of characters.
fn words(text: &str) -> HashSet<String> {
    let mut words = HashSet::new();
    tokenize(text, TokenizeFor::Query, |term| {
        let shortest = if term.text.is_ascii() { 3 } else { 2 };
        if term.text.chars().count() >= shortest {
            words.insert(term.text.to_owned());
        }
        true
    });
    words
}

fn overlap(wanted: &HashSet<String>, text: &str) -> u32 {
    u32::try_from(words(text).intersection(wanted).count()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use extract::{Input, ReadSettings};

    use super::*;

    const PAGE: &str = r#"<html lang="en"><head><title>Aspirin after stroke</title></head><body><main><article>
      <h1>Aspirin after stroke</h1>
      <p>Doctors have argued about <a href="/history/trials">the early trials</a> for many years, and the argument has not
      ended, because the trials were small and their patients were unlike each other in age and in the drugs they took.</p>
      <h2><a href="/bleeding">How often does bleeding happen?</a></h2>
      <p>A large register counted bleeding among people who took aspirin every day, and it compared them with people of
      the same age who did not take it. See <a href="https://elsewhere.example/x">another site</a> and
      <a href="/login">sign in</a> or <a href="/figure.png">the figure</a>.</p>
      <h2>Related</h2>
      <ul><li><a href="/dose">The right dose</a> of the medicine for older patients with a stroke behind them</li>
      <li><a href="/aspirin-stroke-dose">Aspirin dose after a stroke</a> and what the register of patients says about it</li></ul>
      </article></main></body></html>"#;

    fn found(looking_for: &str) -> Vec<String> {
        let page = Url::parse("https://www.clinic.example/aspirin").unwrap();
        let input = Input { bytes: PAGE.as_bytes(), url: Some(&page), ..Input::default() };
        let document = extract::read(input, &ReadSettings::default());
        let mut leads = leads(&document, &page, 1, looking_for);
        leads.sort_by(|a, b| b.cmp(a));
        leads.iter().map(|it| it.url.path().to_owned()).collect()
    }

    #[test]
    fn headings_and_related_links_go_first_and_other_sites_logins_and_pictures_not_at_all() {
        assert_eq!(
            found("gardening"),
            ["/bleeding", "/dose", "/aspirin-stroke-dose", "/history/trials"]
        );
    }

    #[test]
    fn what_is_looked_for_goes_before_the_rest() {
        assert_eq!(found("the early trials of many years")[0], "/history/trials");
        assert_eq!(found("dose of aspirin after stroke")[0], "/aspirin-stroke-dose");
    }

    #[test]
    fn japanese_words_are_compared_by_pairs_of_characters() {
        assert_eq!(overlap(&words("脳梗塞の再発"), "再発を防ぐ"), 1);
        assert_eq!(overlap(&words("脳梗塞"), "心筋梗塞"), 1);
        assert_eq!(overlap(&words("脳梗塞"), "胃腸"), 0);
        assert_eq!(overlap(&words("ﾜｸﾁﾝのmRNA"), "mRNAワクチン"), 4);
    }

    #[test]
    fn a_subdomain_is_the_same_site() {
        let page = Url::parse("https://www.city.example.jp/").unwrap();
        let of = |it: &str| same_site(&Url::parse(it).unwrap(), &page);
        assert!(of("https://docs.example.jp/x"));
        assert!(!of("https://example.com/"));
        assert!(!of("ftp://www.city.example.jp/"));
    }
}
