//! Bing, at `www.bing.com/search`. Links go through `/ck/a`, which holds the address in base64.

use super::Engine;
use super::results::{ADVERTS, Item, PER_PAGE, Results, base64_url};
use crate::answer::{Answer, Request};
use crate::world::{hash, templates::escape_html};

pub(super) static ENGINE: Engine = Engine {
    name: "bing",
    hosts: &["www.bing.com"],
    paths: &["/search"],
    query: "q",
    start,
    page,
    nothing,
    captcha,
};

/// `first` counts results from 1.
fn start(request: &Request) -> usize {
    request.number("first").map_or(0, |it| it.saturating_sub(1))
}

fn wrapped(item: &Item) -> String {
    let mark = hash(6, &item.url);
    format!(
        "https://www.bing.com/ck/a?!&amp;&amp;p={mark:016x}{mark:016x}&amp;ptn=3&amp;ver=2&amp;hsh=4&amp;fclid=00000000-0000-0000-0000-000000000000&amp;u=a1{}&amp;ntb=1",
        base64_url(item.url.as_bytes())
    )
}

fn page(results: &Results<'_>) -> String {
    let advert = &ADVERTS[0];
    let mut items = format!(
        "<li class=\"b_ad b_adTop\"><ul><li class=\"b_adLastChild\"><div class=\"sb_add sb_adTA\"><h2><a href=\"https://www.bing.com/aclk?ld=e8&amp;u={}\" h=\"ID=SERP,5100.1\">{}</a></h2><div class=\"b_caption\"><p>{}</p></div></div></li></ul></li>\n",
        crate::answer::escape(advert.url),
        advert.title,
        advert.text
    );
    for (number, item) in results.numbered() {
        let href = wrapped(item);
        items.push_str(&format!(
            "<li class=\"b_algo\" data-id iid=\"SERP.{number}\" data-bm=\"{number}\"><div class=\"b_tpcn\"><a class=\"tilk\" aria-label=\"{site}\" href=\"{href}\" h=\"ID=SERP,{id}.1\"><div class=\"tpic\"><div class=\"wr_fav\"></div></div>\
             <div class=\"tptxt\"><div class=\"tptt\">{site}</div><div class=\"tpmeta\"><div class=\"b_attribution\"><cite>https://{host}{crumbs}</cite></div></div></div></a></div>\
             <h2 class=\"\"><a href=\"{href}\" h=\"ID=SERP,{id}.2\">{title}</a></h2><div class=\"b_caption\"><p class=\"b_lineclamp2\"><span class=\"news_dt\">{date}</span>&nbsp;&#0183;&#32;{snippet}</p></div></li>\n",
            id = 5200 + number,
            site = item.site,
            host = item.host,
            crumbs = item.crumbs,
            title = item.title,
            date = item.date_in_words,
            snippet = item.snippet,
        ));
        if number == 1 {
            items.push_str("<li class=\"b_ans b_mop\"><div class=\"b_rich\"><h2><a href=\"/videos/search?q=x\">Videos</a></h2></div></li>\n");
        }
    }
    if results.has_more() {
        items.push_str(&format!(
            "<li class=\"b_pag\"><nav role=\"navigation\"><ul class=\"sb_pagF\"><li><a class=\"sb_pagN sb_pagN_bp b_widePag sb_bp\" aria-label=\"Next page\" title=\"Next page\" href=\"/search?q={}&amp;first={}&amp;FORM=PORE\">Next</a></li></ul></nav></li>\n",
            results.query_in_url(),
            results.start + PER_PAGE + 1
        ));
    }
    frame(results.query, &items)
}

fn nothing(query: &str) -> String {
    let items = format!(
        "<li class=\"b_no\"><h1>There are no results for <strong>{}</strong></h1><ul><li><span>Check your spelling or try different keywords</span></li></ul></li>\n",
        escape_html(query)
    );
    frame(query, &items)
}

fn frame(query: &str, items: &str) -> String {
    let query = escape_html(query);
    format!(
        "<!DOCTYPE html><html lang=\"en\"><head><title>{query} - Search</title><meta content=\"text/html; charset=utf-8\" http-equiv=\"content-type\"></head>\
         <body class=\"b_respl\"><header id=\"b_header\" role=\"banner\"><form action=\"/search\" id=\"sb_form\"><input class=\"b_searchbox\" id=\"sb_form_q\" name=\"q\" type=\"search\" value=\"{query}\"></form></header>\n\
         <div id=\"b_content\"><main aria-label=\"Search Results\"><ol id=\"b_results\" class=\"\">\n{items}</ol></main><aside aria-label=\"Additional Results\"><ol id=\"b_context\"></ol></aside></div></body></html>\n"
    )
}

fn captcha(_: &Request) -> Answer {
    Answer::html(
        200,
        "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Search - Microsoft Bing</title></head><body><div id=\"b_content\"><div class=\"captcha\"><div class=\"captcha_header\">One last step</div>\
         <div class=\"captcha_text\">Please solve the challenge below to continue</div><div class=\"cf-turnstile\" id=\"turnstile\" data-sitekey=\"0x4AAAAAAAtestsitekey\"></div>\
         <script src=\"https://challenges.cloudflare.com/turnstile/v0/api.js\" async defer></script></div></div></body></html>\n",
    )
}
