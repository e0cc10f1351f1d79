//! The entity search of Wikidata.

use serde_json::{Value, json};

use crate::answer::{Answer, Request};
use crate::{Topic, World, topics};

pub(super) const HOSTS: &[&str] = &["www.wikidata.org"];

const USUAL_LIMIT: usize = 7;

pub(super) fn answer(_: &World, request: &Request) -> Answer {
    let action = request.parameter("action").unwrap_or_default();
    if request.path() != "/w/api.php" || action != "wbsearchentities" {
        return failure(
            "badvalue",
            &format!("Unrecognized value for parameter \"action\": {action}."),
        );
    }
    let Some(search) = request.parameter("search").filter(|it| !it.is_empty()) else {
        return failure("missingparam", "The \"search\" parameter must be set.");
    };
    let Some(language) = request.parameter("language") else {
        return failure("missingparam", "The \"language\" parameter must be set.");
    };
    let limit = request.number("limit").unwrap_or(USUAL_LIMIT).clamp(1, 50);
    let start = request.number("continue").unwrap_or(0);
    let found: Vec<(usize, &Topic)> = topics()
        .iter()
        .enumerate()
        .filter(|it| label(it.1, &language).to_lowercase().contains(&search.to_lowercase()))
        .collect();
    let shown: Vec<Value> =
        found.iter().skip(start).take(limit).map(|it| entity(it.0, it.1, &language)).collect();
    let mut answer = json!({"searchinfo": {"search": search}, "search": shown});
    if start + limit < found.len() {
        answer["search-continue"] = json!(start + limit);
    }
    answer["success"] = json!(1);
    Answer::json(200, &answer)
}

fn failure(code: &str, info: &str) -> Answer {
    Answer::json(200, &json!({"error": {"code": code, "info": info}, "servedby": "mw1"}))
}

fn label(topic: &Topic, language: &str) -> &'static str {
    if language == "ja" { topic.name.ja } else { topic.name.en }
}

fn entity(number: usize, topic: &Topic, language: &str) -> Value {
    let id = format!("Q{}", 990_000_001 + number);
    let label = label(topic, language);
    let description =
        if language == "ja" { topic.background[0].ja } else { topic.background[0].en };
    json!({
        "id": id, "title": id, "pageid": 990_100_000 + number,
        "display": {"label": {"value": label, "language": language}, "description": {"value": description, "language": language}},
        "repository": "wikidata", "url": format!("//www.wikidata.org/wiki/{id}"), "concepturi": format!("http://www.wikidata.org/entity/{id}"),
        "label": label, "description": description, "match": {"type": "label", "language": language, "text": label},
    })
}
