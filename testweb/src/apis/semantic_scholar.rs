//! Semantic Scholar's Graph API: search, match, single papers, batches, references and citations.

use serde_json::{Map, Value, json};

use crate::answer::{Answer, Request, unescape};
use crate::world::hash;
use crate::{Field, Paper, World};

pub(super) const HOSTS: &[&str] = &["api.semanticscholar.org"];

/// The most papers in one answer.
const MAX_LIMIT: usize = 100;
const MAX_LIMIT_CITATIONS: usize = 1_000;
const MAX_BATCH: usize = 500;

const FIELDS: [&str; 23] = [
    "paperId",
    "corpusId",
    "externalIds",
    "url",
    "title",
    "abstract",
    "venue",
    "publicationVenue",
    "year",
    "referenceCount",
    "citationCount",
    "influentialCitationCount",
    "isOpenAccess",
    "openAccessPdf",
    "fieldsOfStudy",
    "s2FieldsOfStudy",
    "publicationTypes",
    "publicationDate",
    "journal",
    "citationStyles",
    "authors",
    "citations",
    "references",
];
const EDGE_FIELDS: [&str; 4] = ["contexts", "intents", "isInfluential", "contextsWithIntent"];

pub(super) fn answer(world: &World, request: &Request) -> Answer {
    let path = unescape(request.path());
    let Some(rest) = path.strip_prefix("/graph/v1/paper/") else {
        return Answer::json(404, &json!({"message": "Not Found"}));
    };
    let wanted = match Wanted::new(request) {
        Ok(wanted) => wanted,
        Err(unknown) => {
            let message = format!("Unrecognized or unsupported fields: [{unknown}]");
            return failure(400, &message);
        }
    };
    match rest {
        "search" => search(world, request, &wanted),
        "search/match" => best_match(world, request, &wanted),
        "batch" => batch(world, request, &wanted),
        _ => {
            let (id, list) = ["/references", "/citations"]
                .iter()
                .find_map(|it| Some((rest.strip_suffix(it)?, *it)))
                .unwrap_or((rest, ""));
            let Some(place) = find(world, id) else {
                return failure(404, &format!("Paper with id {id} not found"));
            };
            match list {
                "" => Answer::json(200, &wanted.of(world, place)),
                _ => edges(world, request, &wanted, place, list == "/references"),
            }
        }
    }
}

fn failure(status: u16, message: &str) -> Answer {
    Answer::json(status, &json!({"error": message}))
}

fn search(world: &World, request: &Request, wanted: &Wanted) -> Answer {
    let Some(query) = request.parameter("query").filter(|it| !it.is_empty()) else {
        return failure(400, "Missing required parameter: query");
    };
    let offset = request.number("offset").unwrap_or(0);
    let limit = request.number("limit").unwrap_or(MAX_LIMIT);
    if limit > MAX_LIMIT {
        return failure(400, "limit must be <= 100");
    }
    let found = known(world, world.ranking().papers(&query));
    let data: Vec<Value> =
        found.iter().skip(offset).take(limit).map(|it| wanted.of(world, *it)).collect();
    let mut answer = json!({"total": found.len(), "offset": offset});
    if offset + limit < found.len() {
        answer["next"] = json!(offset + limit);
    }
    // Where nothing is found the real API leaves the list out.
    if !found.is_empty() {
        answer["data"] = Value::Array(data);
    }
    Answer::json(200, &answer)
}

fn best_match(world: &World, request: &Request, wanted: &Wanted) -> Answer {
    let query = request.parameter("query").unwrap_or_default();
    match known(world, world.ranking().papers(&query)).first() {
        Some(place) => {
            let mut paper = wanted.of(world, *place);
            paper["matchScore"] = json!(100.0 + *place as f64 / 10.0);
            Answer::json(200, &json!({"data": [paper]}))
        }
        None => failure(404, "Title match not found"),
    }
}

fn batch(world: &World, request: &Request, wanted: &Wanted) -> Answer {
    let body: Option<Value> = serde_json::from_slice(&request.body).ok();
    let ids = body.as_ref().and_then(|it| it["ids"].as_array());
    let Some(ids) = ids.filter(|it| !it.is_empty() && it.len() <= MAX_BATCH) else {
        return failure(400, "No valid paper ids given");
    };
    let found = ids.iter().map(|id| {
        let place = id.as_str().and_then(|it| find(world, it));
        place.map_or(Value::Null, |it| wanted.of(world, it))
    });
    Answer::json(200, &Value::Array(found.collect()))
}

fn edges(
    world: &World,
    request: &Request,
    wanted: &Wanted,
    place: usize,
    outgoing: bool,
) -> Answer {
    let offset = request.number("offset").unwrap_or(0);
    let limit = request.number("limit").unwrap_or(MAX_LIMIT).min(MAX_LIMIT_CITATIONS);
    let (others, name) = if outgoing {
        (cited_by(world, place), "citedPaper")
    } else {
        (citing(world, place), "citingPaper")
    };
    let data = others.iter().skip(offset).take(limit).map(|index| {
        let mut edge = Map::new();
        for field in wanted.edge_fields() {
            let value = match field {
                "isInfluential" => json!(index % 3 == 0),
                "contexts" => json!(["as others have measured before"]),
                _ => json!(["background"]),
            };
            edge.insert(field.to_owned(), value);
        }
        edge.insert(name.to_owned(), wanted.of(world, *index));
        Value::Object(edge)
    });
    let mut answer = json!({"offset": offset});
    if offset + limit < others.len() {
        answer["next"] = json!(offset + limit);
    }
    answer["data"] = data.collect();
    Answer::json(200, &answer)
}

fn known(world: &World, places: Vec<usize>) -> Vec<usize> {
    places.into_iter().filter(|it| world.papers()[*it].in_semantic_scholar()).collect()
}

fn cited_by(world: &World, place: usize) -> Vec<usize> {
    known(world, world.papers()[place].references.clone())
}

fn citing(world: &World, place: usize) -> Vec<usize> {
    let papers = world.papers().iter().enumerate();
    known(world, papers.filter(|it| it.1.references.contains(&place)).map(|it| it.0).collect())
}

/// Finds a paper by any of the names the API takes.
fn find(world: &World, id: &str) -> Option<usize> {
    let (scheme, value) = id.split_once(':').unwrap_or(("", id));
    let value = value.to_lowercase();
    let is_it = |paper: &Paper| match scheme.to_ascii_lowercase().as_str() {
        "doi" => paper.doi == value,
        "pmid" => paper.pmid.as_ref() == Some(&value),
        "arxiv" => paper.arxiv.as_ref() == Some(&value),
        "corpusid" => corpus_id(paper).to_string() == value,
        "url" => paper.page_url == value,
        "" => paper.s2_id == value || paper.doi == value,
        _ => false,
    };
    world.papers().iter().position(|it| it.in_semantic_scholar() && is_it(it))
}

fn corpus_id(paper: &Paper) -> u64 {
    200_000_000 + hash(7, &paper.doi) % 90_000_000
}

/// The fields a client asked for; without any, the name and the title.
struct Wanted(Vec<String>);

impl Wanted {
    fn new(request: &Request) -> Result<Self, String> {
        let asked = request.parameter("fields").unwrap_or_else(|| "title".to_owned());
        let fields: Vec<String> = asked
            .split(',')
            .map(str::trim)
            .filter(|it| !it.is_empty())
            .map(str::to_owned)
            .collect();
        let unknown = fields.iter().find(|field| {
            let name = field.split('.').next().unwrap_or_default();
            !FIELDS.contains(&name) && !EDGE_FIELDS.contains(&name)
        });
        match unknown {
            Some(unknown) => Err(unknown.clone()),
            None => Ok(Self(fields)),
        }
    }

    fn edge_fields(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str).filter(|it| EDGE_FIELDS.contains(it))
    }

    fn of(&self, world: &World, place: usize) -> Value {
        let paper = &world.papers()[place];
        let mut shown = Map::new();
        shown.insert("paperId".to_owned(), json!(paper.s2_id));
        for field in &self.0 {
            let name = field.split('.').next().unwrap_or_default();
            if !EDGE_FIELDS.contains(&name) {
                shown.insert(name.to_owned(), value(world, place, name));
            }
        }
        Value::Object(shown)
    }
}

fn value(world: &World, place: usize, name: &str) -> Value {
    let paper = &world.papers()[place];
    let brief = |places: Vec<usize>| {
        let papers = places.into_iter().map(|index| {
            let index = &world.papers()[index];
            json!({"paperId": index.s2_id, "title": index.title})
        });
        Value::Array(papers.collect())
    };
    match name {
        "paperId" => json!(paper.s2_id),
        "corpusId" => json!(corpus_id(paper)),
        "externalIds" => {
            let mut ids = Map::new();
            if let Some(arxiv) = &paper.arxiv {
                ids.insert("ArXiv".to_owned(), json!(arxiv));
            }
            ids.insert("DOI".to_owned(), json!(paper.doi));
            ids.insert("CorpusId".to_owned(), json!(corpus_id(paper)));
            if let Some(pmid) = &paper.pmid {
                ids.insert("PubMed".to_owned(), json!(pmid));
            }
            Value::Object(ids)
        }
        "url" => json!(format!("https://www.semanticscholar.org/paper/{}", paper.s2_id)),
        "title" => json!(paper.title),
        // A few publishers do not let the index show abstracts.
        "abstract" if place % 11 == 10 => Value::Null,
        "abstract" => json!(paper.abstract_text),
        "venue" => json!(paper.venue),
        "year" => json!(paper.year),
        "referenceCount" => json!(cited_by(world, place).len()),
        "citationCount" => json!(citing(world, place).len()),
        "influentialCitationCount" => json!(citing(world, place).len() / 3),
        "isOpenAccess" => json!(paper.open_access),
        "openAccessPdf" if paper.open_access => json!({"url": paper.pdf_url, "status": "GOLD"}),
        "fieldsOfStudy" => json!([field(paper)]),
        "s2FieldsOfStudy" => json!([{"category": field(paper), "source": "s2-fos-model"}]),
        "publicationTypes" => json!(["JournalArticle"]),
        "publicationDate" => json!(paper.published.iso()),
        "journal" => json!({"name": paper.venue, "volume": (paper.year - 2000).to_string()}),
        "citationStyles" => {
            json!({"bibtex": format!("@Article{{x,\n title = {{{}}},\n year = {{{}}}\n}}\n", paper.title, paper.year)})
        }
        "authors" => {
            let authors = paper
                .authors
                .iter()
                .map(|it| json!({"authorId": (hash(8, it) % 9_000_000).to_string(), "name": it}));
            Value::Array(authors.collect())
        }
        "citations" => brief(citing(world, place)),
        "references" => brief(cited_by(world, place)),
        _ => Value::Null,
    }
}

fn field(paper: &Paper) -> &'static str {
    match paper.topic.field {
        Field::Medical => "Medicine",
        Field::Legal => "Law",
        Field::Technical => "Engineering",
    }
}
