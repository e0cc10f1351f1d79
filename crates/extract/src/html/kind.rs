//! What a page says it is: its Open Graph type, its structured data, the program that made it.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use crate::view::PageKind;

use super::tag::{Attribute, Tag};
use super::tree::Tree;

type Mark = fn(&mut PageKind);

/// Types of structured data, as they stand in its source.
const TYPES: [(&str, Mark); 15] = [
    ("NewsArticle", |it| it.article = true),
    ("BlogPosting", |it| it.article = true),
    ("TechArticle", |it| it.article = true),
    ("\"Article\"", |it| it.article = true),
    ("\"Product\"", |it| it.product = true),
    ("ProductGroup", |it| it.product = true),
    ("DiscussionForumPosting", |it| it.forum = true),
    ("QAPage", |it| it.forum = true),
    ("ItemList\"", |it| it.list = true),
    ("CollectionPage", |it| it.list = true),
    ("SearchResultsPage", |it| it.list = true),
    ("ScholarlyArticle", |it| it.paper = true),
    ("\"isAccessibleForFree\":false", |it| it.paid = true),
    ("\"isAccessibleForFree\": false", |it| it.paid = true),
    ("\"isAccessibleForFree\":\"false", |it| it.paid = true),
];

/// Programs that make one kind of page, as they sign it.
const PROGRAMS: [(&str, Mark); 11] = [
    ("discourse", |it| it.forum = true),
    ("phpbb", |it| it.forum = true),
    ("vbulletin", |it| it.forum = true),
    ("xenforo", |it| it.forum = true),
    ("docusaurus", |it| it.manual = true),
    ("sphinx", |it| it.manual = true),
    ("mkdocs", |it| it.manual = true),
    ("gitbook", |it| it.manual = true),
    ("vitepress", |it| it.manual = true),
    ("hugo-book", |it| it.manual = true),
    ("readthedocs", |it| it.manual = true),
];

static TYPE_FINDER: LazyLock<AhoCorasick> = LazyLock::new(|| finder(&TYPES));
static PROGRAM_FINDER: LazyLock<AhoCorasick> = LazyLock::new(|| finder(&PROGRAMS));

fn finder(words: &[(&str, Mark)]) -> AhoCorasick {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .build(words.iter().map(|it| it.0))
        .expect("a fixed list of words makes an automaton")
}

impl PageKind {
    pub(crate) fn of(tree: &Tree) -> Self {
        let mut kind = Self::default();
        for node in tree.all() {
            let read = |name| tree.attribute(node, name).unwrap_or_default();
            match tree.tag(node) {
                Some(Tag::Meta) => {
                    let content = read(Attribute::Content);
                    kind.paper |= read(Attribute::Name).starts_with("citation_");
                    if read(Attribute::Name).eq_ignore_ascii_case("generator") {
                        for hit in PROGRAM_FINDER.find_iter(content) {
                            PROGRAMS[hit.pattern().as_usize()].1(&mut kind);
                        }
                    }
                    if read(Attribute::Property) == "og:type" {
                        kind.article |= matches!(content.trim(), "article" | "blog");
                        kind.product |= content.contains("product");
                    }
                }
                Some(Tag::Script) if read(Attribute::Type).contains("ld+json") => {
                    let source =
                        tree.children(node).find_map(|it| tree.text(it)).unwrap_or_default();
                    for hit in TYPE_FINDER.find_iter(source) {
                        TYPES[hit.pattern().as_usize()].1(&mut kind);
                    }
                }
                _ => {}
            }
        }
        kind
    }
}
