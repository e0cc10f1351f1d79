//! Ecosia, at `www.ecosia.org/search`.

use super::Engine;
use super::results::{ADVERTS, PER_PAGE, Results};
use crate::answer::{Answer, Request};
use crate::sites::challenges;
use crate::world::templates::escape_html;

pub(super) static ENGINE: Engine = Engine {
    name: "ecosia",
    hosts: &["www.ecosia.org"],
    paths: &["/search"],
    query: "q",
    start,
    page,
    nothing,
    captcha,
};

/// `p` counts pages from 0.
fn start(request: &Request) -> usize {
    request.number("p").unwrap_or(0) * PER_PAGE
}

fn page(results: &Results<'_>) -> String {
    let advert = &ADVERTS[1];
    let mut items = format!(
        "<div data-test-id=\"mainline-result-ad\" class=\"mainline__result-wrapper mainline__result-wrapper--visible\"><article data-test-id=\"ad-result\" class=\"result ad-result mainline__result\">\
         <a data-test-id=\"result-link\" href=\"https://www.bing.com/aclk?ld=e8&amp;u={}\" class=\"result__link\"><h2 data-test-id=\"result-title\" class=\"result-title__heading\">{}</h2></a><p>{}</p></article></div>\n",
        crate::answer::escape(advert.url),
        advert.title,
        advert.text
    );
    for item in &results.items {
        items.push_str(&format!(
            "<div data-test-id=\"mainline-result-web\" class=\"mainline__result-wrapper\"><article aria-label=\"{title}\" data-test-id=\"organic-result\" class=\"result web-result mainline__result\"><div class=\"result__body\">\
             <div class=\"result__header\"><div class=\"result__info result__info--extended\"><div class=\"result-info result-info--complex\"><div data-test-id=\"result-source-name\" class=\"result-info__name\"><span class=\"result-info__name-label\">{site}</span></div>\
             <div class=\"result-info__link-container result-info__link-container--inline\"><a data-test-id=\"result-link\" href=\"{href}\" class=\"result-info__link result-info__link--ellipsis\"><div data-test-id=\"result-source\"><span class=\"result-info__domain\">https://{host}</span><span class=\"result-info__breadcrumbs\">{crumbs}</span></div></a></div></div></div>\
             <div class=\"result__title\"><a data-test-id=\"result-link\" href=\"{href}\" class=\"result__link link link--as-a link--color-result\"><h2 data-test-id=\"result-title\" class=\"result-title__heading\">{title}</h2></a></div></div>\
             <div class=\"result__columns\"><div class=\"result__columns-start\"><div data-test-id=\"result-description\" class=\"result__description\"><p data-test-id=\"web-result-description\" class=\"web-result__description\">{date} ... {snippet}</p></div></div></div></div></article></div>\n",
            title = item.title,
            site = item.site,
            href = item.href,
            host = item.host,
            crumbs = item.crumbs,
            date = item.date_in_words,
            snippet = item.snippet,
        ));
    }
    let mut next = String::new();
    if results.has_more() {
        next = format!(
            "<div data-test-id=\"simplified-pagination\" class=\"simplified-pagination\"><a data-test-id=\"next-button\" href=\"/search?q={}&amp;p={}\" class=\"button control\">Next</a></div>\n",
            results.query_in_url(),
            results.start / PER_PAGE + 1
        );
    }
    frame(results.query, &format!("{items}{next}"))
}

fn nothing(query: &str) -> String {
    let body = format!(
        "<div data-test-id=\"no-results\" class=\"no-results\"><h2 class=\"no-results__title\">Your search for <strong>{}</strong> did not match any web pages.</h2></div>\n",
        escape_html(query)
    );
    frame(query, &body)
}

fn frame(query: &str, items: &str) -> String {
    let query = escape_html(query);
    format!(
        "<!doctype html><html lang=\"en\" class=\"light\"><head><meta charset=\"utf-8\"><title>{query} - Ecosia</title></head><body><div id=\"app\"><div class=\"layout\">\n\
         <form action=\"/search\" method=\"GET\" role=\"search\" data-test-id=\"main-header-search-form\" class=\"search-form\"><input type=\"search\" name=\"q\" data-test-id=\"search-form-input\" value=\"{query}\" class=\"search-form__input\"></form>\n\
         <main id=\"main\"><section data-test-id=\"mainline\" class=\"mainline web__mainline\">\n{items}</section></main></div></div></body></html>\n"
    )
}

fn captcha(request: &Request) -> Answer {
    challenges::cloudflare_managed(&request.host)
}
