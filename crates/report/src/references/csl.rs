//! CSL-JSON: what citation processors read, Zotero and Pandoc among them.

use serde_json::{Map, Value, json};

use super::{Date, Kind, Reference};
use crate::report::Report;

impl Report {
    /// The cited sources as CSL-JSON.
    pub fn csl(&self) -> Value {
        self.references().map(|it| entry(&it)).collect()
    }
}

fn entry(reference: &Reference) -> Value {
    let (kind, site) = match reference.kind {
        Kind::Article => ("article-journal", "publisher"),
        Kind::Report => ("report", "publisher"),
        Kind::Page => ("webpage", "container-title"),
        Kind::Document => ("document", "publisher"),
    };
    let authors = reference.authors.iter().map(|it| json!({ "literal": it })).collect::<Vec<_>>();
    let notes: Vec<&str> =
        reference.retracted.iter().chain(&reference.notes).map(String::as_str).collect();
    let mut entry = Map::new();
    let mut say = |name: &str, value: Option<Value>| {
        entry.extend(value.map(|it| (name.to_owned(), it)));
    };
    say("id", Some(json!(reference.key)));
    say("type", Some(json!(kind)));
    say("title", Some(json!(reference.title)));
    say("author", (!authors.is_empty()).then(|| json!(authors)));
    say("issued", reference.published.map(parts));
    say(site, reference.site.as_ref().map(|it| json!(it)));
    say("container-title", reference.venue.as_ref().map(|it| json!(it)));
    say("DOI", reference.doi.as_ref().map(|it| json!(it)));
    say("URL", reference.url.as_ref().map(|it| json!(it)));
    say("accessed", Some(parts(reference.read)));
    say("note", (!notes.is_empty()).then(|| json!(notes.join("\n"))));
    Value::Object(entry)
}

fn parts(date: Date) -> Value {
    json!({ "date-parts": [date.parts()] })
}
