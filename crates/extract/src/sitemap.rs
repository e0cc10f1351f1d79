//! Sitemaps and indexes of sitemaps: a list of addresses with their dates.

use crate::dates;
use crate::document::{Metadata, Problem};
use crate::feed::{FeedEntry, piece};
use crate::piece::Piece;
use crate::settings::ReadSettings;
use crate::xml_records::{Field, Records, Shape, records};

const SHAPE: Shape = Shape {
    records: &["url", "sitemap"],
    fields: &["loc", "lastmod", "news:title", "news:publication_date"],
};

/// Reads a sitemap as a document: each address as an item with a link.
pub(crate) fn read(text: &str, options: &ReadSettings) -> (Vec<Piece>, Metadata, Vec<Problem>) {
    let (entries, problems) = entries(text, options);
    (entries.iter().map(piece).collect(), Metadata::default(), problems)
}

/// Reads the addresses of a sitemap; those of an index are sitemaps themselves.
pub(crate) fn entries(text: &str, options: &ReadSettings) -> (Vec<FeedEntry>, Vec<Problem>) {
    let Records { records, problems, .. } = records(text, SHAPE, options.max_entries);
    let entries = records.iter().filter_map(|it| entry(it)).collect();
    (entries, problems)
}

fn entry(fields: &[Field]) -> Option<FeedEntry> {
    let named = |name: &str| {
        let text = fields.iter().find(|it| it.name == name)?.text.trim();
        (!text.is_empty()).then_some(text)
    };
    Some(FeedEntry {
        url: named("loc")?.to_owned(),
        title: named("news:title").map(str::to_owned),
        published_at: named("news:publication_date").and_then(dates::iso),
        modified_at: named("lastmod").and_then(dates::iso),
        summary: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::piece::tests::render;

    #[test]
    fn addresses_come_with_their_dates_and_not_those_of_images() {
        let text = r#"<?xml version="1.0" encoding="UTF-8"?>
            <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="i" xmlns:news="n">
            <url><image:image><image:loc>https://a.example/i.png</image:loc></image:image>
              <loc>https://a.example/?a=1&amp;b=2</loc><lastmod>2024-05-01</lastmod><priority>0.5</priority></url>
            <url><loc>
              https://a.example/記事 </loc><news:news><news:publication_date>2024-05-02T00:00:00Z</news:publication_date>
              <news:title>記事の題</news:title></news:news></url>
            <url><lastmod>2024</lastmod></url>
            </urlset>"#;
        let (pieces, metadata, problems) = read(text, &ReadSettings::default());
        insta::assert_snapshot!(render(&pieces), @r"
        list 0: https://a.example/?a=1&b=2 (2024-05-01) {https://a.example/?a=1&b=2=https://a.example/?a=1&b=2}
        list 0: 記事の題 (2024-05-02T00:00:00Z) {記事の題=https://a.example/記事}
        ");
        assert_eq!((metadata, problems), (Metadata::default(), vec![]));
    }

    #[test]
    fn an_index_lists_sitemaps() {
        let text = "<sitemapindex><sitemap><loc>https://a.example/1.xml</loc><lastmod>2024-05</lastmod></sitemap>\
                    <sitemap><loc>https://a.example/2.xml</loc></sitemap></sitemapindex>";
        let (entries, problems) = entries(text, &ReadSettings::default());
        let found: Vec<_> =
            entries.iter().map(|it| (it.url.as_str(), it.modified_at.as_deref())).collect();
        assert_eq!(
            found,
            [("https://a.example/1.xml", Some("2024-05")), ("https://a.example/2.xml", None)]
        );
        assert_eq!(problems, []);
    }
}
