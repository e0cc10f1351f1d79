//! Search engines over the world's pages, each in its own layout, at its own host and path.
//!
//! What is found is the same for all (words in common); how it is shown, wrapped and paged is the business of one file
//! per layout. [`EngineMode`] makes an engine answer as engines do on bad days.

mod bing;
mod brave;
mod duckduckgo;
mod duckduckgo_lite;
mod ecosia;
mod google;
mod marginalia;
mod mojeek;
mod results;
mod startpage;

use crate::World;
use crate::answer::{Answer, Request, Wire};
use crate::fault::plain;
use results::Results;
pub(crate) use results::changed;

/// How an engine answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EngineMode {
    #[default]
    Normal,
    /// Its page for a query without results, whatever is asked.
    NoResults,
    /// Its page that wants a person.
    Captcha,
    /// The same results in unknown elements.
    ChangedLayout,
    /// A bare page with this status.
    Http(u16),
    /// Closes every connection.
    Down,
}

/// One engine's names and layout.
#[derive(Debug)]
pub(crate) struct Engine {
    pub(crate) name: &'static str,
    hosts: &'static [&'static str],
    /// Paths that search.
    paths: &'static [&'static str],
    /// The parameter of the query.
    query: &'static str,
    /// The place of the first result wanted, from 0.
    start: fn(&Request) -> usize,
    page: fn(&Results<'_>) -> String,
    nothing: fn(&str) -> String,
    captcha: fn(&Request) -> Answer,
}

static ENGINES: [&Engine; 9] = [
    &duckduckgo::ENGINE,
    &duckduckgo_lite::ENGINE,
    &mojeek::ENGINE,
    &brave::ENGINE,
    &startpage::ENGINE,
    &ecosia::ENGINE,
    &bing::ENGINE,
    &marginalia::ENGINE,
    &google::ENGINE,
];

pub(crate) fn of_host(host: &str) -> Option<&'static Engine> {
    ENGINES.iter().copied().find(|it| it.hosts.contains(&host))
}

pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    ENGINES.iter().map(|it| it.name)
}

pub(crate) fn hosts() -> impl Iterator<Item = &'static str> {
    ENGINES.iter().flat_map(|it| it.hosts.iter().copied())
}

pub(crate) fn answer(
    world: &World,
    engine: &Engine,
    mode: EngineMode,
    request: &Request,
) -> Answer {
    match mode {
        EngineMode::Http(status) => return plain(status),
        EngineMode::Down => return Answer::wired(Wire::Close),
        EngineMode::Captcha => return (engine.captcha)(request),
        EngineMode::Normal | EngineMode::NoResults | EngineMode::ChangedLayout => {}
    }
    if engine.name == "marginalia" && request.host == marginalia::API_HOST {
        return marginalia::api(world, mode, request);
    }
    match request.path() {
        "/robots.txt" => {
            return Answer::new(200, "text/plain", "User-agent: *\nDisallow: /search\n");
        }
        "/" if !engine.paths.contains(&"/") => return Answer::html(200, home(engine)),
        path if !engine.paths.contains(&path) => return plain(404),
        _ => {}
    }
    let Some(query) = request.parameter(engine.query).filter(|it| !it.trim().is_empty()) else {
        return Answer::html(200, home(engine));
    };
    let start = (engine.start)(request);
    let results = Results::find(world, engine.name, &query, start);
    if mode == EngineMode::NoResults || results.items.is_empty() {
        return Answer::html(200, (engine.nothing)(&query));
    }
    let page = (engine.page)(&results);
    match mode {
        EngineMode::ChangedLayout => Answer::html(200, changed(&page)),
        _ => Answer::html(200, page),
    }
}

/// The page with nothing but a search box.
fn home(engine: &Engine) -> String {
    format!(
        "<!DOCTYPE html><html><head><meta charset=\"utf-8\"><title>{name}</title></head><body><form action=\"{path}\"><input name=\"{query}\"></form></body></html>",
        name = engine.name,
        path = engine.paths[0],
        query = engine.query,
    )
}
