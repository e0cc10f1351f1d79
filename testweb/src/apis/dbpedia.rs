//! The topics as entities of DBpedia Lookup.

use serde_json::{Value, json};

use super::holds;
use crate::answer::{Answer, Request};
use crate::{Topic, World, topics};

pub(super) const HOSTS: &[&str] = &["lookup.dbpedia.org"];

pub(super) fn answer(_: &World, request: &Request) -> Answer {
    if request.path() != "/api/search" {
        return crate::fault::plain(404);
    }
    let query = request.parameter("query").unwrap_or_default();
    let most = request.number("maxResults").unwrap_or(10);
    let found = topics().iter().filter(|it| !query.is_empty() && holds(it.name.en, &query));
    let docs: Vec<Value> = found.take(most).map(doc).collect();
    Answer::json(200, &json!({"docs": docs}))
}

fn doc(topic: &Topic) -> Value {
    let name: Vec<&str> = topic.name.en.split_whitespace().collect();
    json!({
        "score": ["1234.5"], "refCount": ["12"], "resource": [format!("http://dbpedia.org/resource/{}", name.join("_"))],
        "label": [format!("<B>{}</B>", topic.name.en)], "comment": [topic.background[0].en], "typeName": ["Topic"],
        "type": ["http://www.w3.org/2002/07/owl#Thing"], "category": [],
    })
}
