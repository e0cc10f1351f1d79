//! Papers and reports of Japan: one for each topic, with a summary, at times with a DOI.
//!
//! Invented: the papers, which no other index of the small internet knows.

use serde_json::{Value, json};

use super::holds;
use crate::answer::{Answer, Request};
use crate::{Topic, World, topics};

pub(super) const HOSTS: &[&str] = &["cir.nii.ac.jp"];

pub(super) fn answer(_: &World, request: &Request) -> Answer {
    if request.path() != "/opensearch/articles" {
        return crate::fault::plain(404);
    }
    let words = request.parameter("q").unwrap_or_default();
    let found: Vec<(usize, &Topic)> = topics()
        .iter()
        .enumerate()
        .filter(|it| !words.is_empty() && holds(&summary(it.1), &words))
        .collect();
    let start = request.number("start").unwrap_or(1).max(1);
    let count = request.number("count").unwrap_or(20).clamp(1, 200);
    let items: Vec<Value> = found.iter().skip(start - 1).take(count).map(item).collect();
    let mut answer = json!({
        "@id": "https://cir.nii.ac.jp/opensearch/articles", "@type": "channel", "title": "CiNii Research articles",
        "opensearch:totalResults": found.len(), "opensearch:startIndex": start, "opensearch:itemsPerPage": count,
    });
    if !items.is_empty() {
        answer["items"] = json!(items);
    }
    Answer::json(200, &answer)
}

/// What is agreed on, then the first fact.
fn summary(topic: &Topic) -> String {
    let fact = topic.facts[0].sentence(crate::Language::Japanese, crate::Stance::Agrees);
    format!("{}について検討した。{}{fact}", topic.name.ja, topic.background[0].ja)
}

fn item((number, topic): &(usize, &Topic)) -> Value {
    let id = format!(
        "https://cir.nii.ac.jp/crid/{}",
        1_390_000_000_000_000_000_u64 + *number as u64 * 7_919
    );
    let mut identifiers =
        vec![json!({"@type": "cir:NAID", "@value": format!("1300{:08}", number + 1)})];
    if number.is_multiple_of(2) {
        identifiers.push(
            json!({"@type": "cir:DOI", "@value": format!("10.5555/cinii.{:03}", number + 1)}),
        );
    }
    json!({
        "@id": id, "@type": "item", "title": format!("{}の検討", topic.name.ja), "link": {"@id": id},
        "dc:creator": ["森下 達也", "早瀬 ゆかり"], "dc:publisher": "架空大学", "prism:publicationName": "架空大学紀要",
        "prism:publicationDate": format!("{}-03", 2018 + number % 7), "description": summary(topic),
        "dc:identifier": identifiers,
    })
}
