//! The law search of e-Gov, version 2: `laws` by title, `keyword` in the text.

use serde_json::{Value, json};

use super::holds;
use crate::answer::{Answer, Request};
use crate::{Field, Language, Stance, Topic, World, topics};

pub(super) const HOSTS: &[&str] = &["laws.e-gov.go.jp"];

const USUAL_LIMIT: usize = 100;

pub(super) fn answer(_: &World, request: &Request) -> Answer {
    let limit = request.number("limit").unwrap_or(USUAL_LIMIT).max(1);
    let offset = request.number("offset").unwrap_or(0);
    let laws = topics().iter().enumerate().filter(|it| it.1.field == Field::Legal);
    match request.path() {
        "/api/2/laws" => {
            let title = request.parameter("law_title").unwrap_or_default();
            let found: Vec<_> = laws.filter(|it| holds(&name(it.1), &title)).collect();
            let shown: Vec<Value> =
                found.iter().skip(offset).take(limit).map(|it| law(it.0, it.1)).collect();
            Answer::json(
                200,
                &json!({
                    "total_count": found.len(), "count": shown.len(),
                    "next_offset": next(offset, shown.len(), found.len()), "laws": shown,
                }),
            )
        }
        "/api/2/keyword" => {
            let Some(keyword) = request.parameter("keyword").filter(|it| !it.is_empty()) else {
                return Answer::json(
                    400,
                    &json!({"code": "400001", "message": "keyword は必須です。"}),
                );
            };
            let found: Vec<_> = laws
                .filter(|it| sentences(it.1).iter().any(|line| holds(line, &keyword)))
                .collect();
            let items: Vec<Value> = found
                .iter()
                .skip(offset)
                .take(limit)
                .map(|(number, topic)| {
                    let lines = sentences(topic).into_iter().enumerate().filter(|it| holds(&it.1, &keyword));
                    let lines = lines.map(|(nth, text)| json!({"position": format!("MainProvision-Article_{}", nth + 1), "text": text}));
                    let mut item = law(*number, topic);
                    item["sentences"] = lines.collect();
                    item
                })
                .collect();
            let sentence_count: usize =
                items.iter().filter_map(|it| it["sentences"].as_array()).map(Vec::len).sum();
            Answer::json(
                200,
                &json!({
                    "total_count": found.len(), "sentence_count": sentence_count,
                    "next_offset": next(offset, items.len(), found.len()), "items": items,
                }),
            )
        }
        _ => Answer::json(404, &json!({"code": "404000", "message": "リソースが見つかりません。"})),
    }
}

/// The place of the next page; the end if there is none.
fn next(offset: usize, shown: usize, total: usize) -> Value {
    if offset + shown < total { json!(offset + shown) } else { Value::Null }
}

fn name(topic: &Topic) -> String {
    format!("{}に関する法律", topic.name.ja)
}

/// The articles of a law: what is agreed on, then its facts.
fn sentences(topic: &Topic) -> Vec<String> {
    let ground = topic.background.iter().map(|it| it.ja.to_owned());
    ground
        .chain(topic.facts.iter().map(|it| it.sentence(Language::Japanese, Stance::Agrees)))
        .collect()
}

fn law(number: usize, topic: &Topic) -> Value {
    let id = format!("40{number}AC0000000{:03}", number + 11);
    json!({
        "law_info": {
            "law_type": "Act", "law_id": id, "law_num": format!("令和四年法律第{}号", number + 11),
            "law_num_era": "Reiwa", "law_num_year": 4, "law_num_type": "Act",
            "law_num_num": format!("{:03}", number + 11), "promulgation_date": "2022-06-17",
        },
        "revision_info": {
            "law_revision_id": format!("{id}_20240401_000000000000000"), "law_type": "Act",
            "law_title": name(topic), "law_title_kana": "", "abbrev": topic.name.ja, "category": "民事",
            "updated": "2024-04-01T00:00:00+09:00", "amendment_promulgate_date": "2023-06-16",
            "amendment_enforcement_date": "2024-04-01", "repeal_status": "None", "current_revision_status": "CurrentEnforced",
        },
    })
}
