//! Books about the topics in NDL Search: RSS with Dublin Core.

use super::holds;
use crate::answer::{Answer, Request};
use crate::world::templates::escape_html;
use crate::{Topic, World, topics};

pub(super) const HOSTS: &[&str] = &["ndlsearch.ndl.go.jp"];

pub(super) fn answer(_: &World, request: &Request) -> Answer {
    if request.path() != "/api/opensearch" {
        return crate::fault::plain(404);
    }
    let any = request.parameter("any").unwrap_or_default();
    let found: Vec<(usize, &Topic)> = topics()
        .iter()
        .enumerate()
        .filter(|it| !any.is_empty() && holds(&title(it.1), &any))
        .collect();
    let start = request.number("idx").unwrap_or(1).max(1);
    let count = request.number("cnt").unwrap_or(200);
    let items: String = found.iter().skip(start - 1).take(count).map(item).collect();
    Answer::new(
        200,
        "application/xml; charset=utf-8",
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rss version=\"2.0\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" \
             xmlns:dcterms=\"http://purl.org/dc/terms/\" xmlns:openSearch=\"http://a9.com/-/spec/opensearchrss/1.0/\"><channel>\
             <title>{}</title><openSearch:totalResults>{}</openSearch:totalResults>\
             <openSearch:startIndex>{start}</openSearch:startIndex>{items}</channel></rss>\n",
            escape_html(&any),
            found.len()
        ),
    )
}

fn title(topic: &Topic) -> String {
    format!("{}の歴史", topic.name.ja)
}

fn item((number, topic): &(usize, &Topic)) -> String {
    let address = format!("https://ndlsearch.ndl.go.jp/books/R100000002-I{:012}", number + 31);
    format!(
        "<item><title>{title}</title><link>{address}</link><dc:title>{title}</dc:title><dc:creator>早瀬, ゆかり</dc:creator>\
         <dc:publisher>架空書房</dc:publisher><dcterms:issued>{}</dcterms:issued><category>図書</category>\
         <guid isPermaLink=\"true\">{address}</guid></item>",
        2010 + number,
        title = escape_html(&title(topic)),
    )
}
