//! What an engine found, before any layout.

use crate::World;
use crate::world::templates::escape_html;

/// Results on one page.
pub(super) const PER_PAGE: usize = 10;
const SNIPPET_LETTERS: usize = 160;

/// One page of organic results.
pub(super) struct Results<'a> {
    pub(super) query: &'a str,
    pub(super) items: Vec<Item>,
    pub(super) total: usize,
    /// The place of the first, from 0.
    pub(super) start: usize,
}

/// One organic result; everything is HTML already.
pub(super) struct Item {
    /// Escaped for an attribute.
    pub(super) href: String,
    /// As it is.
    pub(super) url: String,
    pub(super) host: String,
    /// ` › a › b`.
    pub(super) crumbs: String,
    pub(super) site: String,
    pub(super) title: String,
    /// Without marks.
    pub(super) snippet: String,
    /// `2025-03-09`.
    pub(super) date: String,
    pub(super) date_in_words: String,
}

/// What every engine sells; never a page of the world.
pub(super) struct Advert {
    pub(super) url: &'static str,
    pub(super) title: &'static str,
    pub(super) text: &'static str,
}

pub(super) const ADVERTS: [Advert; 2] = [
    Advert {
        url: "https://shop.advert-one.example/socks?campaign=7",
        title: "Warm socks for cold offices",
        text: "Two for one until Sunday. Free delivery for everybody who reads adverts.",
    },
    Advert {
        url: "https://advert-two.example/landing",
        title: "Learn to juggle in a week",
        text: "A course with three balls and a certificate. Start today.",
    },
];

impl<'a> Results<'a> {
    pub(super) fn find(world: &World, engine: &str, query: &'a str, start: usize) -> Self {
        let wish = Wish::new(query);
        let found = world.ranking().pages(world, engine, &wish.words);
        let fits: Vec<usize> =
            found.into_iter().filter(|it| wish.allows(&world.pages()[*it])).collect();
        let items = fits.iter().skip(start).take(PER_PAGE).map(|it| item(world, *it)).collect();
        Self { query, items, total: fits.len(), start }
    }

    pub(super) fn has_more(&self) -> bool {
        self.start + PER_PAGE < self.total
    }

    pub(super) fn query_html(&self) -> String {
        escape_html(self.query)
    }

    pub(super) fn query_in_url(&self) -> String {
        crate::answer::escape(self.query).replace("%20", "+")
    }

    /// The items with their place on the page, from 1.
    pub(super) fn numbered(&self) -> impl Iterator<Item = (usize, &Item)> {
        self.items.iter().enumerate().map(|it| (it.0 + 1, it.1))
    }
}

/// A query with the operators all engines share.
struct Wish {
    words: String,
    site: Option<String>,
    without: Vec<String>,
    title: Option<String>,
}

impl Wish {
    fn new(query: &str) -> Self {
        let mut wish = Self { words: String::new(), site: None, without: Vec::new(), title: None };
        for word in query.split_whitespace() {
            let word = word.trim_matches('"');
            if let Some(site) = word.strip_prefix("site:") {
                wish.site = Some(site.to_lowercase());
            } else if let Some(title) = word.strip_prefix("intitle:") {
                wish.title = Some(title.trim_matches('"').to_lowercase());
                wish.words.push_str(title);
            } else if let Some(word) = word.strip_prefix('-').filter(|it| !it.is_empty()) {
                wish.without.push(word.to_lowercase());
            } else if !["filetype:", "after:", "before:"].iter().any(|it| word.starts_with(it)) {
                wish.words.push_str(word);
            }
            wish.words.push(' ');
        }
        wish
    }

    fn allows(&self, page: &crate::Page) -> bool {
        let title = page.title.to_lowercase();
        let host = page.host();
        self.site.as_ref().is_none_or(|it| host == it || host.ends_with(&format!(".{it}")))
            && !self.without.iter().any(|it| title.contains(it))
            && self.title.as_ref().is_none_or(|it| title.contains(it))
    }
}

fn item(world: &World, place: usize) -> Item {
    let page = &world.pages()[place];
    let lead = world.article(page).lead;
    let snippet: String = lead.chars().take(SNIPPET_LETTERS).collect();
    let site = world.site(page.host()).map_or("", |it| it.title.as_str());
    Item {
        href: escape_html(&page.url),
        url: page.url.clone(),
        host: page.host().to_owned(),
        crumbs: page.path().replace('/', " › "),
        site: escape_html(site),
        title: escape_html(&page.title),
        snippet: escape_html(&snippet),
        date: page.published.iso(),
        date_in_words: page.published.english(),
    }
}

/// The same page after a redesign: every class, id and test mark is new, and common elements are others.
pub(crate) fn changed(html: &str) -> String {
    let mut page = String::with_capacity(html.len() * 2);
    let mut rest = html;
    while let Some(at) = rest.find("class=\"") {
        let (before, after) = rest.split_at(at + "class=\"".len());
        let end = after.find('"').unwrap_or(after.len());
        page.push_str(before);
        let renamed =
            after[..end].split_whitespace().map(|it| format!("nv{:x}", crate::world::hash(9, it)));
        page.push_str(&renamed.collect::<Vec<_>>().join(" "));
        rest = &after[end..];
    }
    page.push_str(rest);
    const OTHERS: [(&str, &str); 12] = [
        (" id=\"", " data-nv-id=\""),
        ("data-testid=", "data-nv-a="),
        ("data-test-id=", "data-nv-b="),
        ("data-type=", "data-nv-c="),
        ("class='", "data-nv-d='"),
        ("<h2", "<h5"),
        ("</h2", "</h5"),
        ("<h3", "<h5"),
        ("</h3", "</h5"),
        ("<article", "<nv-card"),
        ("</article", "</nv-card"),
        ("<cite", "<nv-cite"),
    ];
    OTHERS.iter().fold(page, |page, (old, new)| page.replace(old, new))
}

/// Base64 for addresses, without padding.
pub(super) fn base64_url(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let number = group.iter().fold(0_u32, |all, it| all << 8 | u32::from(*it))
            << (8 * (3 - group.len()));
        for place in 0..=group.len() {
            text.push(char::from(LETTERS[(number >> (18 - 6 * place) & 63) as usize]));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::base64_url;

    #[test]
    fn addresses_are_written_in_base64_without_padding() {
        assert_eq!(base64_url(b""), "");
        assert_eq!(base64_url(b"https://a.test/?"), "aHR0cHM6Ly9hLnRlc3QvPw");
        assert_eq!(base64_url(b"https://a.test/\xff\xff"), "aHR0cHM6Ly9hLnRlc3Qv__8");
    }
}
