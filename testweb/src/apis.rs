//! Academic indexes and public APIs, at their real names, over the world's papers and topics.
//!
//! Shapes follow the services' public documentation (and, for Semantic Scholar and OpenAlex, answers they gave); contents
//! are made up. What a service refuses without a key, it refuses here too. Nobody compared Crossref, Europe PMC, arXiv,
//! Unpaywall, J-STAGE, CiNii, NDL Search, DBpedia and the Wayback Machine with the real services: which words find what, the order of results
//! and the words of errors are inventions, the fields are those of their documentation.

mod arxiv;
mod cinii;
mod crossref;
mod dbpedia;
mod diet;
mod doi;
mod edinet;
mod estat;
mod europe_pmc;
mod gbizinfo;
mod jstage;
mod laws;
mod ndl;
mod openalex;
mod semantic_scholar;
mod unpaywall;
mod wayback;
mod wikidata;

use crate::World;
use crate::answer::{Answer, Request};

type Service = (&'static [&'static str], fn(&World, &Request) -> Answer);

static SERVICES: [Service; 18] = [
    (semantic_scholar::HOSTS, semantic_scholar::answer),
    (openalex::HOSTS, openalex::answer),
    (doi::HOSTS, doi::answer),
    (laws::HOSTS, laws::answer),
    (diet::HOSTS, diet::answer),
    (estat::HOSTS, estat::answer),
    (gbizinfo::HOSTS, gbizinfo::answer),
    (edinet::HOSTS, edinet::answer),
    (wikidata::HOSTS, wikidata::answer),
    (wayback::HOSTS, wayback::answer),
    (crossref::HOSTS, crossref::answer),
    (europe_pmc::HOSTS, europe_pmc::answer),
    (arxiv::HOSTS, arxiv::answer),
    (unpaywall::HOSTS, unpaywall::answer),
    (jstage::HOSTS, jstage::answer),
    (cinii::HOSTS, cinii::answer),
    (ndl::HOSTS, ndl::answer),
    (dbpedia::HOSTS, dbpedia::answer),
];

pub(crate) fn hosts() -> impl Iterator<Item = &'static str> {
    SERVICES.iter().flat_map(|it| it.0.iter().copied())
}

/// The answer of the service at the request's host, if there is one.
pub(crate) fn answer(world: &World, request: &Request) -> Option<Answer> {
    let service = SERVICES.iter().find(|it| it.0.contains(&request.host.as_str()))?;
    Some((service.1)(world, request))
}

/// Whether a text holds every word of a search, letter case aside.
fn holds(text: &str, search: &str) -> bool {
    let text = text.to_lowercase();
    search.to_lowercase().split_whitespace().all(|it| text.contains(it))
}
