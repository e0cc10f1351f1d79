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
    let alternatives: Vec<&str> = query.split(" OR ").collect();
    let is_named = |paper: &Paper, name: &str| {
        let name = name.trim_matches(['(', ')']);
        let inside = |it: &str| it.trim_matches('"').to_lowercase();
        if let Some(doi) = name.strip_prefix("DOI:") {
            return inside(doi) == paper.doi;
        }
        if let Some(title) = name.strip_prefix("TITLE:") {
            let words = |it: &str| -> Vec<String> {
                let words = it.split(|c: char| !c.is_alphanumeric());
                words.filter(|it| !it.is_empty()).map(str::to_lowercase).collect()
            };
            let (title, wanted) = (words(&paper.title), words(title));
            return title.windows(wanted.len().max(1)).any(|it| it == wanted);
        }
        let pmid = name.strip_prefix("EXT_ID:").and_then(|it| it.strip_suffix(" AND SRC:MED"));
        pmid.is_some() && pmid == paper.pmid.as_deref()
    };
    let by_name = ["DOI:", "TITLE:", "(EXT_ID:", "PMCID:"].iter().any(|it| query.starts_with(it));
    let words: Vec<&str> =
        query.split(" AND ").filter(|it| !it.starts_with("FIRST_PDATE:")).collect();
    let fits = |paper: &&Paper| {
        if by_name {
            return paper.pmid.is_some() && alternatives.iter().any(|it| is_named(paper, it));
        }
        let text = format!("{} {}", paper.title, paper.abstract_text);
        paper.pmid.is_some() && words.iter().all(|it| holds(&text, it))
    };
    let found: Vec<&Paper> = world.registered().filter(fits).collect();
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
