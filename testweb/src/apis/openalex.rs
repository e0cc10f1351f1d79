//! OpenAlex: works by search, filter and identifier, with abstracts as inverted indexes.

use serde_json::{Map, Value, json};

use crate::answer::{Answer, Request, unescape};
use crate::world::hash;
use crate::{Paper, World};

pub(super) const HOSTS: &[&str] = &["api.openalex.org"];

const USUAL_PER_PAGE: usize = 25;
const MAX_PER_PAGE: usize = 200;

pub(super) fn answer(world: &World, request: &Request) -> Answer {
    let path = unescape(request.path());
    match path.strip_prefix("/works").map(|it| it.trim_matches('/')) {
        Some("") => list(world, request),
        Some(id) => match find(world, id) {
            Some(place) => Answer::json(200, &selected(work(world, place), request)),
            None => not_found(),
        },
        None => not_found(),
    }
}

fn not_found() -> Answer {
    Answer::html(
        404,
        "<!doctype html>\n<html lang=en>\n<title>404 Not Found</title>\n<h1>Not Found</h1>\n<p>There is nothing at this address.</p>\n",
    )
}

fn list(world: &World, request: &Request) -> Answer {
    let mut found: Vec<usize> = match request.parameter("search").filter(|it| !it.is_empty()) {
        Some(words) => world.ranking().papers(&words),
        None => (0..world.papers().len()).collect(),
    };
    found.retain(|it| world.papers()[*it].in_openalex());
    for filter in
        request.parameter("filter").unwrap_or_default().split(',').filter(|it| !it.is_empty())
    {
        let Some((name, value)) = filter.split_once(':') else {
            return refused("Invalid query parameters error.", "A filter needs a value");
        };
        let words = (name == "title.search" || name == "default.search")
            .then(|| world.ranking().papers(value));
        let mut known = true;
        found.retain(|index| match (name, &words) {
            (_, Some(places)) => places.contains(index),
            _ => fits(world, *index, name, value).unwrap_or_else(|| {
                known = false;
                false
            }),
        });
        if !known {
            return refused(
                "Invalid query parameters error.",
                &format!("{name} is not a valid field."),
            );
        }
    }
    let per_page =
        ["per-page", "per_page"].iter().find_map(|it| request.number(it)).unwrap_or(USUAL_PER_PAGE);
    if !(1..=MAX_PER_PAGE).contains(&per_page) {
        return refused("Pagination error.", "per-page parameter must be between 1 and 200");
    }
    let cursor = request.parameter("cursor");
    let start = match cursor.as_deref() {
        Some("*") | None => (request.number("page").unwrap_or(1).max(1) - 1) * per_page,
        Some(mark) => mark.parse().unwrap_or(0),
    };
    let results = found.iter().skip(start).take(per_page);
    let results: Vec<Value> = results.map(|it| selected(work(world, *it), request)).collect();
    let mut meta = json!({
        "count": found.len(), "db_response_time_ms": 12, "page": start / per_page + 1,
        "per_page": per_page, "groups_count": null,
    });
    if cursor.is_some() {
        meta["page"] = Value::Null;
        let next = start + per_page;
        meta["next_cursor"] =
            if next < found.len() { json!(next.to_string()) } else { Value::Null };
    }
    Answer::json(200, &json!({"meta": meta, "results": results, "group_by": []}))
}

fn refused(error: &str, message: &str) -> Answer {
    Answer::json(403, &json!({"error": error, "message": message}))
}

/// Whether a work passes a filter; nothing if the filter is unknown.
fn fits(world: &World, place: usize, name: &str, value: &str) -> Option<bool> {
    let paper = &world.papers()[place];
    let any = |test: &dyn Fn(&str) -> bool| value.split('|').any(test);
    let fits = match name {
        "cites" => {
            any(&|it| paper.references.iter().any(|cited| is_named(&world.papers()[*cited], it)))
        }
        "cited_by" => any(&|name| {
            let citing = world.papers().iter().find(|paper| is_named(paper, name));
            citing.is_some_and(|paper| paper.references.contains(&place))
        }),
        "doi" => any(&|it| without_resolver(it) == paper.doi),
        "openalex" | "openalex_id" | "ids.openalex" => any(&|it| is_named(paper, it)),
        "pmid" | "ids.pmid" => any(&|it| paper.pmid.as_deref() == it.rsplit('/').next()),
        "is_retracted" => paper.retracted == (value == "true"),
        "is_oa" | "open_access.is_oa" => paper.open_access == (value == "true"),
        "has_abstract" => value == "true",
        "publication_year" => any(&|it| paper.year.to_string() == it),
        "from_publication_date" => paper.published.iso().as_str() >= value,
        "to_publication_date" => paper.published.iso().as_str() <= value,
        "type" => any(&|it| it == "article"),
        _ => return None,
    };
    Some(fits)
}

fn is_named(paper: &Paper, id: &str) -> bool {
    let id = id.rsplit('/').next().unwrap_or(id);
    paper.openalex_id.eq_ignore_ascii_case(id)
}

fn without_resolver(doi: &str) -> String {
    let doi = doi.to_lowercase();
    let bare = ["https://doi.org/", "http://doi.org/", "https:/doi.org/", "doi:"]
        .iter()
        .find_map(|it| doi.strip_prefix(it));
    bare.unwrap_or(&doi).to_owned()
}

fn find(world: &World, id: &str) -> Option<usize> {
    let lower = id.to_lowercase();
    let pmid = lower
        .strip_prefix("pmid:")
        .or_else(|| lower.strip_prefix("https://pubmed.ncbi.nlm.nih.gov/"));
    world.papers().iter().position(|paper| {
        paper.in_openalex()
            && (is_named(paper, id)
                || paper.doi == without_resolver(id)
                || (pmid.is_some() && paper.pmid.as_deref() == pmid))
    })
}

fn work(world: &World, place: usize) -> Value {
    let paper = &world.papers()[place];
    let address = |id: &str| format!("https://openalex.org/{id}");
    let references: Vec<String> = paper
        .references
        .iter()
        .map(|it| &world.papers()[*it])
        .filter(|it| it.in_openalex())
        .map(|it| address(&it.openalex_id))
        .collect();
    let citing = world
        .papers()
        .iter()
        .filter(|it| it.in_openalex() && it.references.contains(&place))
        .count();
    let mut ids = json!({"openalex": address(&paper.openalex_id), "doi": format!("https://doi.org/{}", paper.doi)});
    if let Some(pmid) = &paper.pmid {
        ids["pmid"] = json!(format!("https://pubmed.ncbi.nlm.nih.gov/{pmid}"));
    }
    let authorships = paper.authors.iter().enumerate().map(|(nth, name)| {
        json!({
            "author_position": if nth == 0 { "first" } else { "middle" },
            "author": {"id": address(&format!("A{}", 5_000_000_000 + hash(8, name) % 99_999_999)), "display_name": name, "orcid": null},
            "institutions": [], "raw_author_name": name,
        })
    });
    let pdf = paper.open_access.then_some(paper.pdf_url.as_str());
    let location = json!({
        "is_oa": paper.open_access, "landing_page_url": format!("https://doi.org/{}", paper.doi), "pdf_url": pdf,
        "source": {"id": address("S137000000"), "display_name": paper.venue, "issn_l": null, "type": "journal"},
        "license": null, "version": "publishedVersion",
    });
    json!({
        "id": address(&paper.openalex_id),
        "doi": format!("https://doi.org/{}", paper.doi),
        "title": paper.title,
        "display_name": paper.title,
        "publication_year": paper.year,
        "publication_date": paper.published.iso(),
        "ids": ids,
        "language": "en",
        "primary_location": location,
        "type": "article",
        "open_access": {
            "is_oa": paper.open_access, "oa_status": if paper.open_access { "gold" } else { "closed" },
            "oa_url": pdf, "any_repository_has_fulltext": false,
        },
        "authorships": authorships.collect::<Vec<_>>(),
        "cited_by_count": citing,
        "is_retracted": paper.retracted,
        "is_paratext": false,
        "best_oa_location": if paper.open_access { location.clone() } else { Value::Null },
        "locations": [location],
        "referenced_works_count": references.len(),
        "referenced_works": references,
        "related_works": [],
        "abstract_inverted_index": inverted(&paper.abstract_text),
        "cited_by_api_url": format!("https://api.openalex.org/works?filter=cites:{}", paper.openalex_id),
        "updated_date": "2026-05-30T00:00:00.000000",
        "created_date": "2026-05-01",
    })
}

/// Each word with the places where it stands.
fn inverted(text: &str) -> Value {
    let mut words: Map<String, Value> = Map::new();
    for (place, word) in text.split_whitespace().enumerate() {
        let places = words.entry(word).or_insert_with(|| json!([]));
        if let Some(places) = places.as_array_mut() {
            places.push(json!(place));
        }
    }
    Value::Object(words)
}

/// Only the fields named by `select`.
fn selected(work: Value, request: &Request) -> Value {
    let Some(select) = request.parameter("select") else { return work };
    let names = select.split(',').map(str::trim);
    let fields = names.filter_map(|it| Some((it.to_owned(), work.get(it)?.clone())));
    Value::Object(fields.collect())
}
