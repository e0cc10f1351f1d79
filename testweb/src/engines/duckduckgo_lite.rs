//! DuckDuckGo for the oldest browsers, at `lite.duckduckgo.com/lite/`: one table, four rows a result.

use super::Engine;
use super::duckduckgo::{captcha, start, wrapped, wrapped_advert};
use super::results::{ADVERTS, PER_PAGE, Results};
use crate::world::templates::escape_html;

pub(super) static ENGINE: Engine = Engine {
    name: "duckduckgo_lite",
    hosts: &["lite.duckduckgo.com"],
    paths: &["/lite/", "/lite"],
    query: "q",
    start,
    page,
    nothing,
    captcha,
};

fn page(results: &Results<'_>) -> String {
    let mut rows = String::new();
    for (number, advert) in ADVERTS.iter().enumerate() {
        rows.push_str(&format!(
            "<tr class=\"result-sponsored\"><td valign=\"top\">{}.&nbsp;</td><td><a rel=\"nofollow\" href=\"{}\" class='result-link'>{}</a></td></tr>\n\
             <tr class=\"result-sponsored\"><td>&nbsp;&nbsp;&nbsp;</td><td class='result-snippet'>{}</td></tr>\n\
             <tr class=\"result-sponsored\"><td>&nbsp;&nbsp;&nbsp;</td><td><span class='link-text'>Sponsored link</span></td></tr>\n",
            number + 1,
            wrapped_advert(advert.url),
            advert.title,
            advert.text
        ));
    }
    for (number, item) in results.numbered() {
        rows.push_str(&format!(
            "<tr><td valign=\"top\">{number}.&nbsp;</td><td><a rel=\"nofollow\" href=\"{}\" class='result-link'>{}</a></td></tr>\n\
             <tr><td>&nbsp;&nbsp;&nbsp;</td><td class='result-snippet'>{}</td></tr>\n\
             <tr><td>&nbsp;&nbsp;&nbsp;</td><td><span class='link-text'>{}</span> <span class='timestamp'>&nbsp;&nbsp;{}T00:00:00.0000000</span></td></tr>\n\
             <tr><td>&nbsp;</td><td>&nbsp;</td></tr>\n",
            wrapped(item),
            item.title,
            item.snippet,
            item.host,
            item.date
        ));
    }
    let mut more = String::new();
    if results.has_more() {
        more = format!(
            "<form class=\"next_form\" action=\"/lite/\" method=\"post\"><input type=\"submit\" class='navbutton' value=\"Next Page &gt;\">\
             <input type=\"hidden\" name=\"q\" value=\"{}\"><input type=\"hidden\" name=\"s\" value=\"{}\"></form>\n",
            results.query_html(),
            results.start + PER_PAGE
        );
    }
    frame(results.query, &format!("{more}<table border=\"0\">\n{rows}</table>\n"))
}

fn nothing(query: &str) -> String {
    frame(
        query,
        "<table border=\"0\">\n<tr><td><span class=\"no-results\">No results.</span></td></tr>\n</table>\n",
    )
}

fn frame(query: &str, body: &str) -> String {
    let query = escape_html(query);
    format!(
        "<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 4.01 Transitional//EN\">\n<html>\n<head><meta http-equiv=\"Content-Type\" content=\"text/html; charset=utf-8\">\
         <title>{query} at DuckDuckGo</title></head>\n<body>\n<p class='extra'>&nbsp;</p>\n<div class=\"header\">DuckDuckGo</div>\n\
         <form action=\"/lite/\" method=\"post\"><input class=\"query\" type=\"text\" name=\"q\" value=\"{query}\"><input class=\"submit\" type=\"submit\" value=\"Search\"></form>\n\
         {body}</body>\n</html>\n"
    )
}
