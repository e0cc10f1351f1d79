//! RSS (0.9x, 1.0, 2.0) and Atom: a list of links with their titles and dates.

use evidence::FragmentType;
use serde::Serialize;

use crate::dates;
use crate::document::{Metadata, Problem};
use crate::piece::{Piece, PieceLink};
use crate::settings::ReadSettings;
use crate::xml_records::{Field, Records, Shape, records};

/// A page that a feed or a sitemap names.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct FeedEntry {
    /// As written: it may be relative to the feed.
    pub url: String,
    pub title: Option<String>,
    pub published_at: Option<String>,
    pub modified_at: Option<String>,
    pub summary: Option<String>,
}

const SHAPE: Shape = Shape {
    records: &["item", "entry"],
    fields: &[
        "title",
        "link",
        "guid",
        "id",
        "description",
        "summary",
        "subtitle",
        "content",
        "content:encoded",
        "pubDate",
        "published",
        "issued",
        "updated",
        "modified",
        "dc:date",
        "dcterms:modified",
        "lastBuildDate",
        "language",
        "dc:language",
        "managingEditor",
        "dc:creator",
    ],
};

/// Reads a feed as a document: its title as a heading, each entry as an item with a link.
pub(crate) fn read(text: &str, options: &ReadSettings) -> (Vec<Piece>, Metadata, Vec<Problem>) {
    let (metadata, entries, problems) = entries(text, options);
    let mut pieces = Vec::with_capacity(entries.len() + 1);
    if let Some(title) = &metadata.title {
        pieces.push(Piece::new(FragmentType::Heading, 1, title.as_str()));
    }
    pieces.extend(entries.iter().map(piece));
    (pieces, metadata, problems)
}

/// Reads the entries of a feed, and what it says about itself.
pub(crate) fn entries(
    text: &str,
    options: &ReadSettings,
) -> (Metadata, Vec<FeedEntry>, Vec<Problem>) {
    let Records { head, records, problems } = records(text, SHAPE, options.max_entries);
    let metadata = Metadata {
        title: first(&head, &["title"]),
        author: first(&head, &["dc:creator", "managingEditor"]),
        published_at: date(&head, &["pubDate", "published", "dc:date"]),
        modified_at: date(&head, &["lastBuildDate", "updated", "modified"]),
        language: first(&head, &["language", "dc:language"]),
        canonical_url: address(&head),
        description: first(&head, &["description", "subtitle"]),
        site_name: None,
        doi: None,
    };
    let entries = records.iter().filter_map(|it| entry(it, options)).collect();
    (metadata, entries, problems)
}

fn entry(fields: &[Field], options: &ReadSettings) -> Option<FeedEntry> {
    let summary = first(fields, &["description", "summary", "content:encoded", "content"]);
    Some(FeedEntry {
        url: address(fields)?,
        title: first(fields, &["title"]),
        published_at: date(fields, &["pubDate", "published", "issued", "dc:date"]),
        modified_at: date(fields, &["updated", "modified", "dcterms:modified"]),
        summary: summary.map(|it| shortened(it, options.max_summary_chars)),
    })
}

/// The address of an entry: its link, else the name it goes by where that is an address.
fn address(fields: &[Field]) -> Option<String> {
    let links = || fields.iter().filter(|it| it.name == "link");
    let alternate = links()
        .filter(|it| it.rel.as_deref().is_none_or(|rel| rel == "alternate"))
        .find_map(|it| it.href.clone().or_else(|| words(&it.text)));
    let by_name = || {
        let name = fields.iter().find(|it| matches!(it.name, "guid" | "id") && !it.is_name_only)?;
        words(&name.text).filter(|it| it.starts_with("http://") || it.starts_with("https://"))
    };
    alternate.filter(|it| !it.is_empty()).or_else(by_name)
}

fn first(fields: &[Field], names: &[&str]) -> Option<String> {
    let named = |name: &&str| {
        fields.iter().filter(move |it| it.name == *name).find_map(|it| words(&it.text))
    };
    names.iter().find_map(named)
}

fn date(fields: &[Field], names: &[&str]) -> Option<String> {
    first(fields, names).and_then(|it| dates::iso(&it))
}

/// The words of a field: titles and summaries are HTML more often than not.
fn words(text: &str) -> Option<String> {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('<') {
        plain += &rest[..open];
        let tag = &rest[open..];
        // `a < b` is no tag.
        let is_tag =
            tag[1..].starts_with(|it: char| it.is_ascii_alphabetic() || matches!(it, '/' | '!'));
        match tag.find('>').filter(|_| is_tag) {
            Some(close) => {
                plain.push(' ');
                rest = &tag[close + 1..];
            }
            None if is_tag => rest = "",
            None => {
                plain.push('<');
                rest = &tag[1..];
            }
        }
    }
    plain += rest;
    let plain = htmlize::unescape(plain.as_str());
    let words: Vec<&str> = plain.split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

fn shortened(text: String, max_chars: usize) -> String {
    match text.char_indices().nth(max_chars) {
        Some((end, _)) => text[..end].trim_end().to_owned() + "…",
        None => text,
    }
}

/// An entry as an item of a list: title and date, then the summary; the title leads to the page.
pub(crate) fn piece(entry: &FeedEntry) -> Piece {
    let mut text = entry.title.clone().unwrap_or_else(|| entry.url.clone());
    let link = PieceLink { start: 0, end: text.len(), href: entry.url.clone() };
    if let Some(date) = entry.published_at.as_ref().or(entry.modified_at.as_ref()) {
        text += &format!(" ({date})");
    }
    if let Some(summary) = &entry.summary {
        text += &format!("\n{summary}");
    }
    Piece { links: vec![link], ..Piece::new(FragmentType::List, 0, text) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::piece::tests::render;

    fn shown(text: &str) -> String {
        render(&read(text, &ReadSettings::default()).0)
    }

    #[test]
    fn rss_2_gives_its_entries() {
        let text = r#"<?xml version="1.0" encoding="UTF-8"?>
            <rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:media="m"><channel>
            <title>News &amp; views</title><link>https://a.example/</link>
            <atom:link rel="self" href="https://a.example/feed"/>
            <language>ja</language><lastBuildDate>Sat, 13 Jul 2024 15:09:59 +0900</lastBuildDate>
            <item><title><![CDATA[First <b>story</b>]]></title><link> https://a.example/1 </link>
              <media:title>not this</media:title>
              <description>&lt;p&gt;It&amp;#39;s said &amp;amp; done.&lt;/p&gt;</description>
              <pubDate>Fri, 12 Jul 2024 10:00:00 GMT</pubDate></item>
            <item><title>二つ目</title><guid isPermaLink="true">https://a.example/2</guid></item>
            <item><title>No address</title><guid isPermaLink="false">https://a.example/x</guid></item>
            </channel></rss>"#;
        insta::assert_snapshot!(shown(text), @r"
        heading 1: News & views
        list 0: First story (2024-07-12T10:00:00Z)⏎It's said & done. {First story=https://a.example/1}
        list 0: 二つ目 {二つ目=https://a.example/2}
        ");
        let (metadata, entries, problems) = entries(text, &ReadSettings::default());
        assert_eq!((entries.len(), problems), (2, vec![]));
        assert_eq!(metadata.canonical_url.as_deref(), Some("https://a.example/"));
        assert_eq!(metadata.language.as_deref(), Some("ja"));
        assert_eq!(metadata.modified_at.as_deref(), Some("2024-07-13T15:09:59+09:00"));
    }

    #[test]
    fn atom_gives_its_entries() {
        let text = r#"<feed xmlns="http://www.w3.org/2005/Atom"><title type="text">Blog</title>
            <link href="https://b.example/" /><updated>2024-01-02T03:04:05Z</updated>
            <entry><title>One</title><id>tag:b.example,1</id>
              <link rel="edit" href="https://b.example/edit"/>
              <link rel="alternate" href="/one?a=1&amp;b=2"/>
              <published>2024-01-01</published><updated>2024-01-02T00:00:00+01:00</updated>
              <content type="xhtml"><div><title>inner</title><p>Some</p><p>words</p></div></content>
            </entry></feed>"#;
        insta::assert_snapshot!(shown(text), @r"
        heading 1: Blog
        list 0: One (2024-01-01)⏎inner Some words {One=/one?a=1&b=2}
        ");
        let entry = &entries(text, &ReadSettings::default()).1[0];
        assert_eq!(entry.modified_at.as_deref(), Some("2024-01-02T00:00:00+01:00"));
    }

    #[test]
    fn rss_1_keeps_its_items_beside_the_channel() {
        let text = r#"<rdf:RDF xmlns="http://purl.org/rss/1.0/" xmlns:dc="d">
            <channel rdf:about="x"><title>更新情報</title><link>https://c.example/</link></channel>
            <item rdf:about="https://c.example/a"><title>記事</title><link>https://c.example/a</link>
            <dc:date>2024-05-01T09:00:00+09:00</dc:date></item></rdf:RDF>"#;
        insta::assert_snapshot!(shown(text), @"
        heading 1: 更新情報
        list 0: 記事 (2024-05-01T09:00:00+09:00) {記事=https://c.example/a}
        ");
    }

    #[test]
    fn entities_are_known_ones_or_stay_as_they_are() {
        let bomb = "<!DOCTYPE rss [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;\">\
                    <!ENTITY x SYSTEM \"file:///etc/passwd\">]>\
                    <rss><item><title>&b;&x; caf&eacute; &lt;3 A &#x26; B & C</title><link>u</link></item></rss>";
        insta::assert_snapshot!(shown(bomb), @"list 0: &b;&x; café <3 A & B & C {&b;&x; café <3 A & B & C=u}");
    }

    #[test]
    fn a_damaged_feed_gives_what_is_before_the_damage() {
        let text = "<rss><item><title>A</title><link>u</link></item><item><title>B</title><link>v</link><![CDATA[";
        let (pieces, _, problems) = read(text, &ReadSettings::default());
        assert_eq!(render(&pieces), "list 0: A {A=u}\nlist 0: B {B=v}");
        assert_eq!(problems.len(), 1);
        assert_eq!(
            problems[0].to_string(),
            "the file is damaged: syntax error: CDATA not closed: `]]>` not found before end of input"
        );
        assert_eq!(read("", &ReadSettings::default()), (vec![], Metadata::default(), vec![]));
    }

    #[test]
    fn entries_and_summaries_have_limits() {
        let item = "<item><link>u</link><description>one two three</description></item>";
        let text = format!("<rss>{}</rss>", item.repeat(3));
        let options =
            ReadSettings { max_entries: 2, max_summary_chars: 8, ..ReadSettings::default() };
        let (_, entries, problems) = entries(&text, &options);
        assert_eq!(entries.len(), 2);
        assert_eq!(entries[1].summary.as_deref(), Some("one two…"));
        assert_eq!(problems, [Problem::TooManyEntries { limit: 2 }]);
    }

    proptest! {
        #[test]
        fn any_text_can_be_read(
            parts in proptest::collection::vec(
                prop_oneof![
                    Just("<item>"), Just("</item>"), Just("<title>"), Just("</title>"), Just("<link href='"),
                    Just("'>"), Just("</link>"), Just("<![CDATA["), Just("]]>"), Just("&#0;"), Just("&amp"),
                    Just("日本"), Just("<!--"), Just("-->"), Just("<"), Just(">"), Just("<b "), Just("/>"),
                ],
                0..30,
            ),
        ) {
            read(&parts.concat(), &ReadSettings::default());
        }
    }
}
