//! Mojeek, at `www.mojeek.com/search`.

use super::Engine;
use super::results::{ADVERTS, PER_PAGE, Results};
use crate::answer::{Answer, Request};
use crate::world::templates::escape_html;

pub(super) static ENGINE: Engine = Engine {
    name: "mojeek",
    hosts: &["www.mojeek.com"],
    paths: &["/search"],
    query: "q",
    start,
    page,
    nothing,
    captcha,
};

/// `s` counts results from 1.
fn start(request: &Request) -> usize {
    request.number("s").map_or(0, |it| it.saturating_sub(1))
}

fn page(results: &Results<'_>) -> String {
    let mut items = String::new();
    for (number, item) in results.numbered() {
        items.push_str(&format!(
            "<li class=\"r{number}\"><a title=\"{href}\" href=\"{href}\" class=\"ob\"><p class=\"i\"><span class=\"url\">https://{host}<span>{crumbs}</span></span></p></a>\
             <h2><a class=\"title\" title=\"{href}\" href=\"{href}\">{title}</a></h2><p class=\"s\">{snippet}</p>\
             <p class=\"more\"><a href=\"/search?q=site%3A{host}+{query}\">See more results from {host} »</a></p></li>\n",
            href = item.href,
            host = item.host,
            crumbs = item.crumbs,
            title = item.title,
            snippet = item.snippet,
            query = results.query_in_url(),
        ));
    }
    let advert = &ADVERTS[0];
    let mut pages = String::from("<li>Prev</li><li><span>1</span></li>");
    if results.has_more() {
        let next = results.start + PER_PAGE;
        pages.push_str(&format!(
            "<li><a href=\"/search?q={query}&amp;s={at}\"><span>{number}</span></a></li><li><a href=\"/search?q={query}&amp;s={at}\">Next</a></li>",
            query = results.query_in_url(),
            at = next + 1,
            number = next / PER_PAGE + 1,
        ));
    }
    let body = format!(
        "<div class=\"top-info\"><div class=\"results-count-container\"><div class=\"js-results-cnt-bar\"><p>Results {} to {} from {} in 0.21s</p></div></div></div>\n\
         <div class=\"result-col\"><div class=\"results\"><ul class=\"results-ads\"><li class=\"ad\"><a class=\"title\" href=\"{}\">{}</a><p class=\"s\">{}</p></li></ul>\n\
         <ul class=\"results-standard\">\n{items}</ul></div>\n<div class=\"pagination\"><ul>{pages}</ul></div></div>\n",
        results.start + 1,
        results.start + results.items.len(),
        results.total,
        advert.url,
        advert.title,
        advert.text,
    );
    frame(results.query, &body)
}

fn nothing(query: &str) -> String {
    let body = format!(
        "<div class=\"result-col\"><div class=\"results\"><p class=\"no-results\">No pages found matching: <strong>{}</strong></p></div></div>\n",
        escape_html(query)
    );
    frame(query, &body)
}

fn frame(query: &str, body: &str) -> String {
    let query = escape_html(query);
    format!(
        "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"referrer\" content=\"origin\"><title>{query} - Mojeek Search</title></head>\n\
         <body class=\"serp-grid left-aligned\"><div class=\"large-footer\"><div class=\"header nb\"><div class=\"header-form\"><form method=\"get\" action=\"/search\" name=\"sf1\">\
         <input type=\"text\" class=\"js-search-input\" name=\"q\" value=\"{query}\"></form></div></div>\n<div class=\"container serp-results\">\n{body}</div></div>\n\
         <div class=\"footer\"><ul class=\"search-pages\"><li><a href=\"/about/\">About</a></li></ul></div></body></html>\n"
    )
}

fn captcha(_: &Request) -> Answer {
    Answer::html(
        403,
        "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>403 - Forbidden</title></head><body><h1>403 - Forbidden</h1>\
         <p>Your network seems to send automated queries, so we did not process this one.</p></body></html>\n",
    )
}
