//! Works in Crossref, ranked by the words they have in common with the query.
//!
//! Invented: the ranking, and that every third work has its abstract deposited.

use serde_json::{Value, json};

use crate::answer::{Answer, Request};
use crate::{Paper, World};

pub(super) const HOSTS: &[&str] = &["api.crossref.org"];

const USUAL_ROWS: usize = 20;

pub(super) fn answer(world: &World, request: &Request) -> Answer {
    if request.path() != "/works" {
        return Answer::new(404, "text/plain", "Resource not found.");
    }
    let query = request.parameter("query.bibliographic").unwrap_or_default().to_lowercase();
    let words: Vec<&str> = query.split_whitespace().collect();
    // Several conditions of one name are alternatives.
    let filter = request.parameter("filter").unwrap_or_default();
    let dois: Vec<String> =
        filter.split(',').filter_map(|it| it.strip_prefix("doi:")).map(str::to_lowercase).collect();
    let shared = |paper: &Paper| {
        if !dois.is_empty() {
            return usize::from(dois.contains(&paper.doi));
        }
        let text = format!("{} {}", paper.title, paper.authors.join(" ")).to_lowercase();
        words.iter().filter(|it| text.contains(**it)).count()
    };
    let mut found: Vec<(usize, usize, &Paper)> = world
        .registered()
        .enumerate()
        .map(|(place, paper)| (shared(paper), place, paper))
        .filter(|it| it.0 > 0)
        .collect();
    found.sort_by_key(|it| (std::cmp::Reverse(it.0), it.1));
    let rows = request.number("rows").unwrap_or(USUAL_ROWS).min(1_000);
    let offset = request.number("offset").unwrap_or(0);
    let shown = found.iter().skip(offset).take(rows);
    let items: Vec<Value> = shown.map(|it| item(world, it.1, it.2)).collect();
    Answer::json(
        200,
        &json!({
            "status": "ok", "message-type": "work-list", "message-version": "1.0.0",
            "message": {"facets": {}, "total-results": found.len(), "items": items, "items-per-page": rows},
        }),
    )
}

fn item(world: &World, place: usize, paper: &Paper) -> Value {
    let name = |author: &String| match author.rsplit_once(' ') {
        Some((given, family)) => {
            json!({"given": given, "family": family, "sequence": "additional"})
        }
        None => json!({"name": author, "sequence": "additional"}),
    };
    let day: Vec<u32> = paper.published.iso().split('-').filter_map(|it| it.parse().ok()).collect();
    let mut item = json!({
        "DOI": paper.doi, "URL": format!("https://doi.org/{}", paper.doi), "type": "journal-article",
        "title": [paper.title], "author": paper.authors.iter().map(name).collect::<Vec<_>>(),
        "container-title": [paper.venue], "publisher": paper.venue, "issued": {"date-parts": [day]},
        "references-count": paper.references.len(),
        "is-referenced-by-count":
            world.papers().iter().filter(|it| it.references.contains(&place)).count(),
    });
    if place.is_multiple_of(3) {
        item["abstract"] = json!(format!("<jats:p>{}</jats:p>", paper.abstract_text));
    }
    if paper.retracted {
        item["updated-by"] = json!([{"type": "retraction", "label": "Retraction", "DOI": format!("{}.r", paper.doi)}]);
    }
    item
}
