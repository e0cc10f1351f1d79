//! Papers of Japanese societies: one for each topic, with a DOI and without an abstract; an Atom feed.
//!
//! Invented: the papers, which no other index of the small internet knows.

use super::holds;
use crate::answer::{Answer, Request};
use crate::world::templates::escape_html;
use crate::{Topic, World, topics};

pub(super) const HOSTS: &[&str] = &["api.jstage.jst.go.jp"];

pub(super) fn answer(_: &World, request: &Request) -> Answer {
    if request.path() != "/searchapi/do" {
        return crate::fault::plain(404);
    }
    let text = request.parameter("text").unwrap_or_default();
    let found: Vec<(usize, &Topic)> = topics()
        .iter()
        .enumerate()
        .filter(|it| !text.is_empty() && holds(&title(it.1), &text))
        .collect();
    let start = request.number("start").unwrap_or(1).max(1);
    let count = request.number("count").unwrap_or(1_000);
    let entries: String = found.iter().skip(start - 1).take(count).map(entry).collect();
    let (status, message) = match found.is_empty() {
        true => ("ERR_001", "検索結果が0件です。"),
        false => ("0", ""),
    };
    Answer::new(
        200,
        "text/xml; charset=utf-8",
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\" \
             xmlns:prism=\"http://prismstandard.org/namespaces/basic/2.0/\" \
             xmlns:opensearch=\"http://a9.com/-/spec/opensearch/1.1/\">\
             <result><status>{status}</status><message>{message}</message></result><title>Articles</title>\
             <servicecd>3</servicecd><opensearch:totalResults>{}</opensearch:totalResults>\
             <opensearch:startIndex>{start}</opensearch:startIndex>{entries}</feed>\n",
            found.len()
        ),
    )
}

fn title(topic: &Topic) -> String {
    format!("{}に関する調査研究", topic.name.ja)
}

fn entry((number, topic): &(usize, &Topic)) -> String {
    let doi = format!("10.5555/jstage.{:03}", number + 1);
    let address = format!(
        "https://www.jstage.jst.go.jp/article/kakuu/{}/1/{}_1/_article/-char/ja/",
        number + 1,
        number + 11
    );
    format!(
        "<entry><article_title><ja><![CDATA[{title}]]></ja></article_title><article_link><ja>{address}</ja></article_link>\
         <author><ja><name><![CDATA[早瀬 ゆかり]]></name></ja></author><cdjournal>kakuu</cdjournal>\
         <material_title><ja><![CDATA[架空学会誌]]></ja></material_title><publisher>架空学会</publisher>\
         <prism:volume>{volume}</prism:volume><pubyear>{year}</pubyear><prism:doi>{doi}</prism:doi>\
         <title>{escaped}</title><id>{address}</id></entry>",
        title = title(topic),
        volume = number + 1,
        year = 2019 + number % 6,
        escaped = escape_html(&title(topic)),
    )
}
