//! Brave Search, at `search.brave.com/search`.

use super::Engine;
use super::results::{ADVERTS, PER_PAGE, Results};
use crate::answer::{Answer, Request};
use crate::world::templates::escape_html;

pub(super) static ENGINE: Engine = Engine {
    name: "brave",
    hosts: &["search.brave.com"],
    paths: &["/search"],
    query: "q",
    start,
    page,
    nothing,
    captcha,
};

/// `offset` counts pages from 0.
fn start(request: &Request) -> usize {
    request.number("offset").unwrap_or(0) * PER_PAGE
}

fn page(results: &Results<'_>) -> String {
    let mut items = String::new();
    let advert = &ADVERTS[0];
    items.push_str(&format!(
        "<div class=\"snippet svelte-jmfu5f\" data-pos=\"0\" data-type=\"ad\"><div class=\"result-wrapper svelte-1rq4ngz\"><div class=\"result-content svelte-1rq4ngz\">\
         <a href=\"https://search.brave.com/a/redirect?placement_id=1&amp;target={}\" class=\"svelte-14r20fy l1\"><div class=\"title search-snippet-title line-clamp-1 svelte-14r20fy\" title=\"{1}\">{1}</div></a>\
         <div class=\"generic-snippet svelte-1cwdgg3\"><div class=\"content desktop-default-regular t-primary line-clamp-dynamic svelte-1cwdgg3\">{2}</div></div></div></div></div>\n",
        crate::answer::escape(advert.url),
        advert.title,
        advert.text
    ));
    for (number, item) in results.numbered() {
        items.push_str(&format!(
            "<div class=\"snippet svelte-jmfu5f\" data-pos=\"{number}\" data-type=\"web\"><div class=\"result-wrapper svelte-1rq4ngz\"><div class=\"result-content svelte-1rq4ngz\">\
             <a href=\"{href}\" target=\"_self\" class=\"svelte-14r20fy l1\"><div class=\"site-name-wrapper svelte-on1hvy\"><div class=\"favicon-wrapper svelte-on1hvy\"><img class=\"favicon svelte-w2a9kc size-s\" alt=\"\"></div>\
             <div class=\"site-name-content svelte-on1hvy\"><div class=\"desktop-small-semibold t-secondary text-ellipsis\">{site}</div>\
             <div class=\"url-wrapper svelte-on1hvy\"><cite class=\"snippet-url desktop-small-regular t-tertiary svelte-on1hvy\">{host} <span class=\"text-ellipsis\">{crumbs}</span></cite></div></div></div>\
             <div class=\"title search-snippet-title line-clamp-1 svelte-14r20fy\" title=\"{title}\">{title}</div></a>\
             <div class=\"generic-snippet svelte-1cwdgg3\"><div class=\"content desktop-default-regular t-primary line-clamp-dynamic svelte-1cwdgg3\"><span class=\"t-secondary\">{date} -</span> {snippet}</div></div></div></div></div>\n",
            href = item.href,
            site = item.site,
            host = item.host,
            crumbs = item.crumbs,
            title = item.title,
            date = item.date_in_words,
            snippet = item.snippet,
        ));
        if number == 2 {
            items.push_str(
                "<div id=\"faq\" class=\"snippet svelte-jmfu5f standalone\"><h2 class=\"header\">People ask</h2><hr class=\"snippet-divider svelte-jxzhlk\"><details><summary>Is this a result?</summary><p>No, it is a question.</p></details></div>\n",
            );
        }
    }
    if results.has_more() {
        items.push_str(&format!(
            "<div id=\"pagination-snippet\" class=\"snippet svelte-jmfu5f standalone\"><div id=\"pagination\" class=\"svelte-14nrfpk\">\
             <a href=\"/search?q={}&amp;offset={}&amp;spellcheck=0\" class=\"button svelte-na4a2u type size--medium\" role=\"link\">Next</a></div></div>\n",
            results.query_in_url(),
            results.start / PER_PAGE + 1
        ));
    }
    frame(results.query, &items)
}

fn nothing(query: &str) -> String {
    let words = format!(
        "<div class=\"snippet svelte-jmfu5f standalone\" id=\"no-results\"><h4 class=\"t-primary\">No results found</h4><p>Not many great matches came back for <strong>{}</strong>.</p></div>\n",
        escape_html(query)
    );
    frame(query, &words)
}

fn frame(query: &str, items: &str) -> String {
    let query = escape_html(query);
    format!(
        "<!DOCTYPE html><html lang=\"en-us\"><head><meta charset=\"utf-8\"><title>{query} - Brave Search</title></head><body><div id=\"__svelte\"><div class=\"main-page\">\n\
         <form id=\"searchform\" action=\"/search\"><input id=\"searchbox\" name=\"q\" value=\"{query}\"></form>\n\
         <main class=\"main-column\"><section id=\"mixed-main\" class=\"svelte-e12qt1\">\n{items}</section></main>\n<aside class=\"sidebar\"></aside></div></div></body></html>\n"
    )
}

fn captcha(_: &Request) -> Answer {
    Answer::html(
        429,
        "<!DOCTYPE html><html lang=\"en-us\"><head><meta charset=\"utf-8\"><title>Captcha - Brave Search</title></head><body><main class=\"captcha-page\">\
         <h1>Please confirm that you are not a robot</h1><p>Your network sends many requests. A short computation shows us that you are a person.</p>\
         <form id=\"captcha-form\" data-captcha=\"pow\"><button class=\"button\">I am not a robot</button></form></main></body></html>\n",
    )
    .with("Retry-After", "600")
}
