//! Marginalia: the result page of `search.marginalia.nu` and `marginalia-search.com`, and the public API, which is JSON.

use serde_json::json;

use super::results::{PER_PAGE, Results};
use super::{Engine, EngineMode};
use crate::World;
use crate::answer::{Answer, Request, unescape};
use crate::fault::plain;
use crate::world::templates::escape_html;

pub(super) const API_HOST: &str = "api.marginalia.nu";

pub(super) static ENGINE: Engine = Engine {
    name: "marginalia",
    hosts: &["search.marginalia.nu", "marginalia-search.com", "old-search.marginalia.nu", API_HOST],
    paths: &["/search"],
    query: "query",
    start,
    page,
    nothing,
    captcha,
};

/// `page` counts from 1.
fn start(request: &Request) -> usize {
    request.number("page").map_or(0, |it| it.saturating_sub(1)) * PER_PAGE
}

fn page(results: &Results<'_>) -> String {
    let mut items = String::new();
    for item in &results.items {
        items.push_str(&format!(
            "<section class=\"card search-result\"><div class=\"url\"><a rel=\"external noopener nofollow\" tabindex=\"-1\" href=\"{href}\">{href}</a></div>\n\
             <h2><a tabindex=\"-1\" class=\"title\" rel=\"external noopener nofollow\" href=\"{href}\">{title}</a></h2>\n<p class=\"description\">{snippet}</p>\n\
             <div class=\"utils\"><div class=\"meta positions\">Match</div><a href=\"/site/{host}\">Info</a></div></section>\n",
            href = item.href,
            title = item.title,
            snippet = item.snippet,
            host = item.host,
        ));
    }
    if results.has_more() {
        let number = results.start / PER_PAGE + 2;
        let query = results.query_in_url();
        items.push_str(&format!(
            "<nav aria-label=\"pagination\" class=\"page-navigation\"><a class=\"page-link\" href=\"/search?query={query}&amp;page={number}\">{number}</a></nav>\n"
        ));
    }
    frame(results.query, &items)
}

fn nothing(query: &str) -> String {
    frame(
        query,
        "<section class=\"card problem\"><h2>No results found</h2><p>Try to rephrase the query, with other words or fewer of them.</p></section>\n",
    )
}

fn frame(query: &str, items: &str) -> String {
    let query = escape_html(query);
    format!(
        "<!DOCTYPE html><html lang=\"en-US\"><head><meta charset=\"UTF-8\"><title>Marginalia Search - {query}</title></head><body class=\"no-js\">\n\
         <header><nav><a href=\"/\">Marginalia</a></nav></header><form class=\"search-box\" action=\"/search\"><input type=\"text\" name=\"query\" value=\"{query}\"></form>\n\
         <div class=\"sidebar-narrow\"><section id=\"results\" class=\"results\">\n{items}</section></div></body></html>\n"
    )
}

fn captcha(_: &Request) -> Answer {
    Answer::html(
        429,
        "<!DOCTYPE html><html lang=\"en-US\"><head><meta charset=\"UTF-8\"><title>Too many requests</title></head><body><h1>Error 429</h1>\
         <p>Bot traffic has used up the search engine for the moment. If you are a human, please wait a little.</p></body></html>\n",
    )
    .with("Retry-After", "60")
}

/// `api.marginalia.nu/public/search/words?count=20&index=0`.
pub(super) fn api(world: &World, mode: EngineMode, request: &Request) -> Answer {
    let words =
        request.path().trim_start_matches('/').split_once("/search/").map(|it| unescape(it.1));
    let Some(words) = words else { return plain(404) };
    let results = Results::find(world, ENGINE.name, &words, 0);
    let items = results.items.iter().map(|it| {
        json!({"url": it.url, "title": it.title, "description": it.snippet, "quality": 4.2, "details": []})
    });
    let items: Vec<_> = if mode == EngineMode::NoResults { Vec::new() } else { items.collect() };
    let name = if mode == EngineMode::ChangedLayout { "hits" } else { "results" };
    Answer::json(200, &json!({"license": "CC-BY-NC-SA 4.0", "query": words, name: items}))
}
