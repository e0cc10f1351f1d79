//! What a page says about itself: meta tags, structured data, a few elements.
//!
//! Sources are asked in the order of how often they are right; the first answer counts.

use serde_json::Value;

use crate::dates;
use crate::document::Metadata;
use text::identifiers::{self, IdentifierKind};

use super::tag::{Attribute, Tag};
use super::tree::{NodeId, Tree};

/// Bytes of one block of structured data that are read.
const MAX_STRUCTURED_BYTES: usize = 1 << 20;
/// Characters of a title, author or description that are kept.
const MAX_FIELD_CHARS: usize = 2_000;

/// Everything in a page that speaks about the page.
#[derive(Debug, Default)]
struct RawMetadata {
    /// Name or property in lower case, and content.
    metas: Vec<(String, String)>,
    title: Option<String>,
    first_heading: Option<String>,
    canonical: Option<String>,
    rel_author: Option<String>,
    item_author: Option<String>,
    item_published: Option<String>,
    item_modified: Option<String>,
    times: Vec<String>,
    language: Option<String>,
    structured: Structured,
}

#[derive(Debug, Default)]
struct Structured {
    headline: Option<String>,
    author: Option<String>,
    published: Option<String>,
    modified: Option<String>,
    publisher: Option<String>,
    description: Option<String>,
    language: Option<String>,
    body: Option<String>,
}

/// Reads what a page says about itself, and the text of its article where structured data carries it.
pub(crate) fn metadata(tree: &Tree) -> (Metadata, Option<String>) {
    let mut said = RawMetadata::default();
    for node in tree.all() {
        if let Some(tag) = tree.tag(node) {
            said.hear(tree, node, tag);
        }
    }
    let body = said.structured.body.take();
    (said.into_metadata(), body)
}

impl RawMetadata {
    fn hear(&mut self, tree: &Tree, node: NodeId, tag: Tag) {
        match tag {
            Tag::Html => self.language = attribute(tree, node, Attribute::Lang),
            Tag::Meta => {
                let name = [
                    Attribute::Property,
                    Attribute::Name,
                    Attribute::Itemprop,
                    Attribute::HttpEquiv,
                ]
                .iter()
                .find_map(|it| tree.attribute(node, *it));
                if let (Some(name), Some(content)) =
                    (name, attribute(tree, node, Attribute::Content))
                {
                    self.metas.push((name.trim().to_ascii_lowercase(), content));
                }
            }
            Tag::Title => fill(&mut self.title, || text(tree, node)),
            Tag::H1 => fill(&mut self.first_heading, || text(tree, node)),
            Tag::Link
                if tree
                    .attribute(node, Attribute::Rel)
                    .is_some_and(|it| it.eq_ignore_ascii_case("canonical")) =>
            {
                fill(&mut self.canonical, || attribute(tree, node, Attribute::Href));
            }
            Tag::Script
                if tree
                    .attribute(node, Attribute::Type)
                    .is_some_and(|it| it.contains("ld+json")) =>
            {
                let source = tree.children(node).find_map(|it| tree.text(it)).unwrap_or_default();
                if source.len() <= MAX_STRUCTURED_BYTES
                    && let Ok(value) = serde_json::from_str::<Value>(source.trim())
                {
                    self.structured.read(&value, 0);
                }
            }
            Tag::Time => {
                if let Some(moment) = attribute(tree, node, Attribute::Datetime)
                    && self.times.len() < 3
                {
                    self.times.push(moment);
                }
            }
            Tag::A
                if tree
                    .attribute(node, Attribute::Rel)
                    .is_some_and(|it| it.split_ascii_whitespace().any(|rel| rel == "author")) =>
            {
                fill(&mut self.rel_author, || text(tree, node));
            }
            _ => {}
        }
        if tag != Tag::Meta
            && let Some(property) = tree.attribute(node, Attribute::Itemprop)
        {
            let value = || {
                attribute(tree, node, Attribute::Content)
                    .or_else(|| attribute(tree, node, Attribute::Datetime))
                    .or_else(|| text(tree, node))
            };
            match property {
                "author" => fill(&mut self.item_author, value),
                "datePublished" => fill(&mut self.item_published, value),
                "dateModified" => fill(&mut self.item_modified, value),
                _ => {}
            }
        }
    }

    fn meta(&self, names: &[&str]) -> Option<String> {
        names
            .iter()
            .find_map(|name| self.metas.iter().find(|it| it.0 == *name).map(|it| it.1.clone()))
    }

    fn into_metadata(self) -> Metadata {
        let site_name = self
            .meta(&["og:site_name"])
            .or_else(|| self.structured.publisher.clone())
            .or_else(|| self.meta(&["application-name", "citation_journal_title", "dc.publisher"]));
        let title = self
            .meta(&["citation_title", "og:title"])
            .or_else(|| self.structured.headline.clone())
            .or_else(|| self.meta(&["twitter:title", "dc.title"]))
            .or_else(|| self.title.clone())
            .or_else(|| self.first_heading.clone())
            .map(|it| without_site(&it, site_name.as_deref(), self.first_heading.as_deref()));
        let authors: Vec<String> = self
            .metas
            .iter()
            .filter(|it| it.0 == "citation_author")
            .map(|it| it.1.clone())
            .take(20)
            .collect();
        let author = (!authors.is_empty())
            .then(|| authors.join(", "))
            .or_else(|| self.structured.author.clone())
            .or_else(|| {
                self.meta(&[
                    "author",
                    "article:author",
                    "dc.creator",
                    "parsely-author",
                    "sailthru.author",
                    "byl",
                ])
                .filter(|it| is_a_name(it))
            })
            .or_else(|| self.item_author.clone().filter(|it| is_a_name(it)))
            .or_else(|| self.rel_author.clone().filter(|it| is_a_name(it)));
        let first_date = |candidates: Vec<Option<String>>| {
            candidates.into_iter().flatten().find_map(|it| dates::iso(&it))
        };
        let published_at = first_date(vec![
            self.meta(&["article:published_time", "og:article:published_time"]),
            self.structured.published.clone(),
            self.item_published.clone(),
            self.meta(&[
                "citation_publication_date",
                "citation_date",
                "citation_online_date",
                "datepublished",
            ]),
            self.meta(&[
                "date",
                "pubdate",
                "publish-date",
                "publication_date",
                "dc.date",
                "dc.date.issued",
                "dcterms.created",
                "parsely-pub-date",
                "sailthru.date",
            ]),
            self.times.first().cloned(),
        ]);
        let modified_at = first_date(vec![
            self.meta(&["article:modified_time", "og:updated_time", "article:updated_time"]),
            self.structured.modified.clone(),
            self.item_modified.clone(),
            self.meta(&[
                "last-modified",
                "lastmod",
                "dcterms.modified",
                "dc.date.modified",
                "datemodified",
                "revised",
            ]),
        ]);
        let language = self
            .language
            .clone()
            .or_else(|| {
                self.meta(&[
                    "content-language",
                    "og:locale",
                    "dc.language",
                    "citation_language",
                    "language",
                ])
            })
            .or_else(|| self.structured.language.clone())
            .and_then(|it| language_code(&it));
        Metadata {
            title: title.and_then(tidy),
            author: author.and_then(tidy),
            published_at,
            modified_at,
            language,
            canonical_url: self.canonical.clone().or_else(|| self.meta(&["og:url"])),
            description: self
                .meta(&["description", "og:description", "twitter:description", "dc.description"])
                .or_else(|| self.structured.description.clone())
                .and_then(tidy),
            site_name: site_name.and_then(tidy),
            doi: self
                .meta(&["citation_doi", "prism.doi", "dc.identifier.doi", "dc.identifier", "doi"])
                .and_then(|it| identifiers::normalise(IdentifierKind::Doi, &it)),
        }
    }
}

impl Structured {
    fn read(&mut self, value: &Value, depth: usize) {
        match value {
            Value::Array(list) if depth < 8 => {
                list.iter().take(200).for_each(|it| self.read(it, depth + 1))
            }
            Value::Object(object) => {
                if let Some(graph) = object.get("@graph") {
                    self.read(graph, depth + 1);
                }
                if is_about_the_page(object.get("@type")) {
                    let text = |key: &str| object.get(key).and_then(plain);
                    fill(&mut self.headline, || text("headline").or_else(|| text("name")));
                    fill(&mut self.author, || {
                        object.get("author").or_else(|| object.get("creator")).and_then(names)
                    });
                    fill(&mut self.published, || {
                        text("datePublished").or_else(|| text("uploadDate"))
                    });
                    fill(&mut self.modified, || text("dateModified"));
                    fill(&mut self.publisher, || object.get("publisher").and_then(names));
                    fill(&mut self.description, || text("description"));
                    fill(&mut self.language, || text("inLanguage"));
                    fill(&mut self.body, || text("articleBody").or_else(|| text("text")));
                }
                if let Some(main) =
                    object.get("mainEntity").or_else(|| object.get("mainEntityOfPage"))
                    && depth < 8
                {
                    self.read(main, depth + 1);
                }
            }
            _ => {}
        }
    }
}

fn is_about_the_page(kind: Option<&Value>) -> bool {
    let about = |name: &str| {
        name.ends_with("Article")
            || name.ends_with("Posting")
            || matches!(
                name,
                "Report"
                    | "Product"
                    | "WebPage"
                    | "Question"
                    | "Review"
                    | "Recipe"
                    | "Dataset"
                    | "Book"
                    | "Course"
                    | "Event"
                    | "VideoObject"
            )
    };
    match kind {
        Some(Value::String(name)) => about(name),
        Some(Value::Array(all)) => all.iter().filter_map(Value::as_str).any(about),
        _ => false,
    }
}

fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(list) => list.first().and_then(plain),
        Value::Object(object) => object.get("@value").and_then(Value::as_str).map(str::to_owned),
        _ => None,
    }
}

/// Names of people or of an organisation.
fn names(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.starts_with("http") => Some(text.clone()),
        Value::Object(object) => object.get("name").and_then(plain),
        Value::Array(list) => {
            let all: Vec<String> = list.iter().take(20).filter_map(names).collect();
            (!all.is_empty()).then(|| all.join(", "))
        }
        _ => None,
    }
}

fn fill(slot: &mut Option<String>, value: impl FnOnce() -> Option<String>) {
    if slot.is_none() {
        *slot = value().filter(|it| !it.trim().is_empty());
    }
}

fn attribute(tree: &Tree, node: NodeId, name: Attribute) -> Option<String> {
    tree.attribute(node, name).map(str::trim).filter(|it| !it.is_empty()).map(str::to_owned)
}

fn text(tree: &Tree, node: NodeId) -> Option<String> {
    tidy(tree.text_under(node))
}

/// One line, without doubled spaces, of bounded length.
fn tidy(text: String) -> Option<String> {
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let bounded: String = line.chars().take(MAX_FIELD_CHARS).collect();
    (!bounded.is_empty()).then_some(bounded)
}

fn is_a_name(text: &str) -> bool {
    !text.starts_with("http") && text.chars().count() <= 200
}

/// The title without the name of the site that many pages put behind or before it.
fn without_site(title: &str, site: Option<&str>, heading: Option<&str>) -> String {
    let title = title.trim();
    for separator in [" | ", " - ", " – ", " — ", " :: ", "｜", " · ", " » "] {
        if let Some((rest, last)) = title.rsplit_once(separator)
            && (site.is_some_and(|it| it.trim().eq_ignore_ascii_case(last.trim()))
                || heading.is_some_and(|it| it.trim() == rest.trim()))
        {
            return rest.trim().to_owned();
        }
        if let Some((first, rest)) = title.split_once(separator)
            && site.is_some_and(|it| it.trim().eq_ignore_ascii_case(first.trim()))
        {
            return rest.trim().to_owned();
        }
    }
    title.to_owned()
}

/// `ja` from `ja-JP`, `ja_JP` or `JA`.
fn language_code(text: &str) -> Option<String> {
    let code = text.trim().split(['-', '_', ',', ';']).next()?.trim().to_ascii_lowercase();
    ((2..=3).contains(&code.len()) && code.bytes().all(|it| it.is_ascii_lowercase()))
        .then_some(code)
}

#[cfg(test)]
mod tests {
    use super::super::tree::TreeLimits;
    use super::*;

    fn of(page: &str) -> Metadata {
        metadata(&Tree::read(
            page,
            TreeLimits { depth: 64, nodes: 10_000, attribute_bytes: 10_000 },
        ))
        .0
    }

    #[test]
    fn an_article_with_meta_tags_and_structured_data() {
        let page = r#"<html lang="en-GB"><head><title>Seas rise - The Daily</title><meta property="og:site_name" content="The Daily">
            <meta name=description content="What  happened."><link rel=canonical href="https://daily.example/seas">
            <script type="application/ld+json">{"@graph":[{"@type":"NewsArticle","headline":"Seas rise","author":[{"name":"A. Writer"},{"name":"B. Other"}],
            "datePublished":"2024-03-05T10:00:00+00:00","dateModified":"2024-03-06"}]}</script></head><body><h1>Seas rise</h1>"#;
        insta::assert_debug_snapshot!(of(page), @r#"
        Metadata {
            title: Some(
                "Seas rise",
            ),
            author: Some(
                "A. Writer, B. Other",
            ),
            published_at: Some(
                "2024-03-05T10:00:00+00:00",
            ),
            modified_at: Some(
                "2024-03-06",
            ),
            language: Some(
                "en",
            ),
            canonical_url: Some(
                "https://daily.example/seas",
            ),
            description: Some(
                "What happened.",
            ),
            site_name: Some(
                "The Daily",
            ),
            doi: None,
        }
        "#);
    }

    #[test]
    fn a_japanese_notice_with_little_more_than_a_title() {
        let page = r#"<html lang=ja><title>お知らせ｜環境省</title><meta property="og:site_name" content="環境省"><time datetime="2024年3月5日">3月5日</time>"#;
        insta::assert_debug_snapshot!(of(page), @r#"
        Metadata {
            title: Some(
                "お知らせ",
            ),
            author: None,
            published_at: Some(
                "2024-03-05",
            ),
            modified_at: None,
            language: Some(
                "ja",
            ),
            canonical_url: None,
            description: None,
            site_name: Some(
                "環境省",
            ),
            doi: None,
        }
        "#);
    }

    #[test]
    fn a_paper_names_its_authors_in_citation_tags() {
        let page = r#"<meta name="citation_title" content="On tides"><meta name="citation_author" content="Sato, H."><meta name="citation_author" content="Lee, K.">
            <meta name="citation_publication_date" content="2021/07/09"><meta name="citation_journal_title" content="J. Sea"><meta name="citation_doi" content="https://doi.org/10.1000/SEA.2021">"#;
        insta::assert_debug_snapshot!(of(page), @r#"
        Metadata {
            title: Some(
                "On tides",
            ),
            author: Some(
                "Sato, H., Lee, K.",
            ),
            published_at: Some(
                "2021-07-09",
            ),
            modified_at: None,
            language: None,
            canonical_url: None,
            description: None,
            site_name: Some(
                "J. Sea",
            ),
            doi: Some(
                "10.1000/sea.2021",
            ),
        }
        "#);
    }

    #[test]
    fn broken_structured_data_and_empty_pages_say_nothing() {
        assert_eq!(of(""), Metadata::default());
        assert_eq!(
            of(
                "<script type='application/ld+json'>{\"@type\":</script><title> </title><meta name=author content=''>"
            ),
            Metadata::default()
        );
        let deep = format!(
            "<script type='application/ld+json'>{}1{}</script>",
            "[".repeat(500),
            "]".repeat(500)
        );
        assert_eq!(of(&deep), Metadata::default());
    }

    #[test]
    fn an_address_is_no_author() {
        assert_eq!(
            of("<meta property='article:author' content='https://facebook.example/writer'>").author,
            None
        );
    }
}
