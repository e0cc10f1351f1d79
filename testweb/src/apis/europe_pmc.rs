//! Medical papers in Europe PMC: every word between `AND` must be in title or abstract.
//!
//! Invented: that papers anybody may read have a number in PMC made of their PMID.

use serde_json::{Value, json};

use super::holds;
use crate::answer::{Answer, Request};
use crate::{Paper, World};

pub(super) const HOSTS: &[&str] = &["www.ebi.ac.uk"];

const USUAL_SIZE: usize = 25;

pub(super) fn answer(world: &World, request: &Request) -> Answer {
    if request.path() != "/europepmc/webservices/rest/search" {
        return crate::fault::plain(404);
    }
    let Some(query) = request.parameter("query").filter(|it| !it.trim().is_empty()) else {
        return Answer::json(
            200,
            &json!({"version": "6.9", "errCode": 404, "errMsg": "Invalid request - No query has been provided"}),
        );
    };
    let words: Vec<&str> =
        query.split(" AND ").filter(|it| !it.starts_with("FIRST_PDATE:")).collect();
    let fits = |paper: &&Paper| {
        let text = format!("{} {}", paper.title, paper.abstract_text);
        paper.pmid.is_some() && words.iter().all(|it| holds(&text, it))
    };
    let found: Vec<&Paper> = world.papers().iter().filter(fits).collect();
    let size = request.number("pageSize").unwrap_or(USUAL_SIZE).clamp(1, 1_000);
    let start = request
        .parameter("cursorMark")
        .and_then(|it| it.strip_prefix("AoI").and_then(|it| it.parse().ok()))
        .unwrap_or(0);
    let shown: Vec<Value> = found.iter().skip(start).take(size).map(|it| record(it)).collect();
    Answer::json(
        200,
        &json!({
            "version": "6.9", "hitCount": found.len(), "nextCursorMark": format!("AoI{}", start + shown.len()),
            "request": {"queryString": query, "resultType": "core", "pageSize": size},
            "resultList": {"result": shown},
        }),
    )
}

fn record(paper: &Paper) -> Value {
    let pmid = paper.pmid.clone().unwrap_or_default();
    let name = |author: &String| {
        let (first, last) = author.rsplit_once(' ').unwrap_or(("", author));
        json!({"fullName": format!("{last} {}", first.get(..1).unwrap_or_default()), "firstName": first, "lastName": last})
    };
    let mut kinds = vec!["research-article", "Journal Article"];
    if paper.retracted {
        kinds.push("Retracted Publication");
    }
    let mut record = json!({
        "id": pmid, "source": "MED", "pmid": pmid, "doi": paper.doi, "title": paper.title,
        "authorString": paper.authors.join(", "),
        "authorList": {"author": paper.authors.iter().map(name).collect::<Vec<_>>()},
        "journalInfo": {"journal": {"title": paper.venue}}, "pubYear": paper.year.to_string(),
        "abstractText": paper.abstract_text, "firstPublicationDate": paper.published.iso(),
        "pubTypeList": {"pubType": kinds}, "isOpenAccess": if paper.open_access { "Y" } else { "N" }, "citedByCount": 0,
    });
    if paper.open_access {
        record["pmcid"] = json!(format!("PMC{pmid}"));
    }
    record
}
