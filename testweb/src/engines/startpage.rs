//! Startpage, at `www.startpage.com/sp/search` (also `/do/search`), asked with GET or POST.

use super::Engine;
use super::results::{ADVERTS, PER_PAGE, Results};
use crate::answer::{Answer, Request};
use crate::world::templates::escape_html;

pub(super) static ENGINE: Engine = Engine {
    name: "startpage",
    hosts: &["www.startpage.com"],
    paths: &["/sp/search", "/do/search", "/do/dsearch"],
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
            "<div class=\"result css-o7i03b\"><div class=\"upper css-4wnopv\"><a href=\"{href}\" aria-label=\"{href}\" data-testid=\"result-favicon\" title=\"\" class=\"favicon-link css-n7c8hp\"><div class=\"favicon-container css-rwvbo4\"></div></a>\
             <div class=\"wgl-title-link-container css-1gz2b5f\"><a href=\"{href}\" aria-label=\"link\" class=\"wgl-site-title css-1d1wvpc\"><span class=\"link-text\">{site}</span></a>\
             <a href=\"{href}\" aria-label=\"{href}\" class=\"wgl-display-url css-u4i8t0\"><span class=\"link-text default-link-text css-1h1cbur\">{href}</span></a></div></div>\
             <a class=\"result-title result-link css-1bggj8v\" href=\"{href}\" data-testid=\"gl-title-link\" target=\"_blank\"><h2 class=\"wgl-title css-i3irj7\">{title}</h2></a>\
             <p class=\"description css-1507v2l\">{date} ... {snippet}</p>\
             <div class=\"anonymous-view-link css-1dy6jzj\"><a href=\"https://us2-browse.startpage.com/av/proxy?ep=4b6d\" class=\"css-tq7mti\"><span class=\"anonymous-view-link-text css-1sdr3n5\">Visit in Anonymous View</span></a></div></div>\n",
            href = item.href,
            site = item.site,
            title = item.title,
            date = item.date_in_words,
            snippet = item.snippet,
        ));
    }
    let mut pages = String::new();
    for number in 1..=(results.start / PER_PAGE + 1 + usize::from(results.has_more())) {
        pages.push_str(&format!(
            "<form action=\"/sp/search\" method=\"post\" class=\"css-eaucvd\" aria-label=\"go to page {number}\"><input type=\"hidden\" name=\"language\" value=\"english\">\
             <input type=\"hidden\" name=\"query\" value=\"{}\"><input type=\"hidden\" name=\"cat\" value=\"web\"><input type=\"hidden\" name=\"sc\" value=\"0000000000000\">\
             <input type=\"hidden\" name=\"page\" value=\"{number}\"><button class=\"css-ocm99y\" type=\"submit\" data-testid=\"pagination-button\" role=\"link\">{number}</button></form>\n",
            results.query_html()
        ));
    }
    let advert = &ADVERTS[0];
    let body = format!(
        "<div id=\"gcsa-top\" data-testid=\"gcsa-top\" class=\"gcsa-container\"><div class=\"a-gl-result\"><a class=\"a-gl-title\" href=\"https://www.googleadservices.com/pagead/aclk?adurl={}\">{}</a><p>{}</p></div></div>\n\
         <div class=\"w-gl css-1og29rd\"><span class=\"w-gl-attribution css-ddakpz\">Web results</span>\n{items}</div>\n\
         <div class=\"pagination-container css-1kfqg5z\"><div class=\"pagination css-1phvy2g\" role=\"navigation\">{pages}</div></div>\n",
        crate::answer::escape(advert.url),
        advert.title,
        advert.text,
    );
    frame(results.query, &body)
}

fn nothing(query: &str) -> String {
    let body = format!(
        "<div class=\"mainline-results\"><div class=\"no-results css-1f5y2vn\"><h3>No results found</h3><p>Sorry, there are no Web results for <b>{}</b>.</p></div></div>\n",
        escape_html(query)
    );
    frame(query, &body)
}

fn frame(query: &str, body: &str) -> String {
    let query = escape_html(query);
    format!(
        "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Startpage Search Results</title></head><body><div id=\"root\"><div class=\"css-layout\">\n\
         <form id=\"search\" action=\"/sp/search\" method=\"post\"><input id=\"q\" name=\"query\" value=\"{query}\"></form>\n\
         <section id=\"main\" class=\"layout-web__mainline\">\n{body}</section><div class=\"a-bg-result bannerad css-i7d1s0\"><a href=\"https://add.startpage.com/\">Add Startpage</a></div></div></div></body></html>\n"
    )
}

fn captcha(_: &Request) -> Answer {
    Answer::html(
        200,
        "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Startpage - Captcha</title></head><body><div id=\"root\"><section class=\"captcha\">\
         <h1>Are you human?</h1><p>We have noticed suspicious activity from your network. Please solve the captcha to go on searching.</p>\
         <form action=\"/sp/captcha\" method=\"post\"><div class=\"g-recaptcha\" data-sitekey=\"6Ltestsitekey\"></div></form></section></div></body></html>\n",
    )
}
