//! DuckDuckGo without JavaScript, at `html.duckduckgo.com/html/`.

use super::Engine;
use super::results::{ADVERTS, Item, PER_PAGE, Results};
use crate::answer::{Answer, Request, escape};
use crate::world::{hash, templates::escape_html};

pub(super) static ENGINE: Engine = Engine {
    name: "duckduckgo",
    hosts: &["html.duckduckgo.com", "duckduckgo.com"],
    paths: &["/html/", "/html"],
    query: "q",
    start,
    page,
    nothing,
    captcha,
};

pub(super) fn start(request: &Request) -> usize {
    request.number("s").unwrap_or(0)
}

/// The address DuckDuckGo puts in place of a result's own.
pub(super) fn wrapped(item: &Item) -> String {
    let mark = format!("{0:016x}{0:016x}{0:016x}{0:016x}", hash(4, &item.url));
    format!("//duckduckgo.com/l/?uddg={}&amp;rut={mark}", escape(&item.url))
}

pub(super) fn wrapped_advert(url: &str) -> String {
    format!(
        "https://duckduckgo.com/y.js?ad_domain=advert.example&amp;ad_provider=bingv7aa&amp;ad_type=txad&amp;u3={}",
        escape(url)
    )
}

fn page(results: &Results<'_>) -> String {
    let mut links = String::new();
    for advert in &ADVERTS {
        let href = wrapped_advert(advert.url);
        links.push_str(&format!(
            "<div class=\"result results_links results_links_deep result--ad \">\n<div class=\"links_main links_deep result__body\">\n\
             <h2 class=\"result__title\"><a rel=\"nofollow\" class=\"result__a\" href=\"{href}\">{title}</a> <button class=\"badge--ad__tooltip-wrap\"><span class=\"badge--ad\">Ad</span></button></h2>\n\
             <a class=\"result__snippet\" href=\"{href}\">{text}</a>\n<div class=\"clear\"></div></div></div>\n",
            title = advert.title,
            text = advert.text,
        ));
    }
    for item in &results.items {
        let href = wrapped(item);
        links.push_str(&format!(
            "<div class=\"result results_links results_links_deep web-result \">\n<div class=\"links_main links_deep result__body\">\n\
             <h2 class=\"result__title\"><a rel=\"nofollow\" class=\"result__a\" href=\"{href}\">{title}</a></h2>\n\
             <div class=\"result__extras\"><div class=\"result__extras__url\"><span class=\"result__icon\"><a rel=\"nofollow\" href=\"{href}\">\
             <img class=\"result__icon__img\" width=\"16\" height=\"16\" alt=\"\" src=\"//external-content.duckduckgo.com/ip3/{host}.ico\" name=\"i15\"></a></span>\n\
             <a class=\"result__url\" href=\"{href}\">{host}{path}</a> <span>&nbsp; &nbsp; {date}T00:00:00.0000000</span></div></div>\n\
             <a class=\"result__snippet\" href=\"{href}\">{snippet}</a>\n<div class=\"clear\"></div></div></div>\n",
            title = item.title,
            host = item.host,
            path = item.crumbs.replace(" › ", "/"),
            date = item.date,
            snippet = item.snippet,
        ));
    }
    if results.has_more() {
        links.push_str(&format!(
            "<div class=\"nav-link\"><form action=\"/html/\" method=\"post\"><input type=\"submit\" class=\"btn btn--alt\" value=\"Next\">\
             <input type=\"hidden\" name=\"q\" value=\"{query}\"><input type=\"hidden\" name=\"s\" value=\"{next}\"><input type=\"hidden\" name=\"nextParams\" value=\"\">\
             <input type=\"hidden\" name=\"v\" value=\"l\"><input type=\"hidden\" name=\"o\" value=\"json\"><input type=\"hidden\" name=\"dc\" value=\"{count}\">\
             <input type=\"hidden\" name=\"api\" value=\"d.js\"><input type=\"hidden\" name=\"vqd\" value=\"4-{vqd}\"><input name=\"kl\" value=\"wt-wt\" type=\"hidden\"></form></div>\n",
            query = results.query_html(),
            next = results.start + PER_PAGE,
            count = results.start + PER_PAGE + 1,
            vqd = hash(5, results.query),
        ));
    }
    frame(results.query, &links)
}

fn nothing(query: &str) -> String {
    frame(
        query,
        &format!(
            "<div class=\"result results_links results_links_deep result--no-result\"><div class=\"links_main links_deep result__body\">\
             <div class=\"no-results\">No results found for <b>{}</b></div></div></div>\n",
            escape_html(query)
        ),
    )
}

fn frame(query: &str, links: &str) -> String {
    let query = escape_html(query);
    format!(
        "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Transitional//EN\" \"http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd\">\n<html>\n<head>\n\
         <meta http-equiv=\"content-type\" content=\"text/html; charset=UTF-8\">\n<meta name=\"referrer\" content=\"origin\">\n<title>{query} at DuckDuckGo</title>\n</head>\n\
         <body class=\"body--html\">\n<form method=\"post\" action=\"/html/\"><input type=\"text\" name=\"state_hidden\" id=\"state_hidden\"></form>\n\
         <div><div id=\"header\" class=\"header cw header--html\"><form name=\"x\" class=\"header__form\" action=\"/html/\" method=\"post\">\
         <input name=\"q\" class=\"search__input\" id=\"search_form_input_homepage\" type=\"text\" value=\"{query}\"></form></div>\n\
         <div><div class=\"serp__results\"><div id=\"links\" class=\"results\">\n{links}<div class=\"feedback-btn\"><a rel=\"nofollow\" href=\"//duckduckgo.com/feedback.html\">Feedback</a></div>\n\
         </div></div></div></div>\n</body>\n</html>\n"
    )
}

/// The puzzle with the ducks, with the status it comes with.
pub(super) fn captcha(_: &Request) -> Answer {
    Answer::html(
        202,
        "<!DOCTYPE html>\n<html>\n<head><meta charset=\"utf-8\"><title>DuckDuckGo</title></head>\n<body class=\"body--html\">\n\
         <form id=\"challenge-form\" action=\"//duckduckgo.com/anomaly.js?sv=html&amp;cc=botnet&amp;gk=test\" method=\"POST\">\n\
         <div class=\"anomaly-modal__mask\"><div class=\"anomaly-modal__modal is-ie\" data-testid=\"anomaly-modal\">\n\
         <div class=\"anomaly-modal__title\">Sadly, programs search here as well.</div>\n\
         <div class=\"anomaly-modal__description\">Solve this puzzle to show that a human is searching.</div>\n\
         <div class=\"anomaly-modal__instructions\">Choose each picture with a duck:</div>\n\
         <div class=\"anomaly-modal__puzzle\"><input type=\"checkbox\" name=\"image-check_0\"><input type=\"checkbox\" name=\"image-check_1\"></div>\n\
         </div></div></form>\n</body>\n</html>\n",
    )
}
