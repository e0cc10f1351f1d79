//! Google, at `www.google.com/search`. Every second link goes through `/url`, as in pages for browsers without JavaScript.

use super::Engine;
use super::results::{ADVERTS, Item, PER_PAGE, Results};
use crate::answer::{Answer, Request, escape};
use crate::world::templates::escape_html;

pub(super) static ENGINE: Engine = Engine {
    name: "google",
    hosts: &["www.google.com"],
    paths: &["/search"],
    query: "q",
    start,
    page,
    nothing,
    captcha,
};

fn start(request: &Request) -> usize {
    request.number("start").unwrap_or(0)
}

fn link(number: usize, item: &Item) -> String {
    if number.is_multiple_of(2) {
        format!("/url?q={}&amp;sa=U&amp;ved=2ahUKEwtest&amp;usg=AOvVaw0test", escape(&item.url))
    } else {
        item.href.clone()
    }
}

fn page(results: &Results<'_>) -> String {
    let advert = &ADVERTS[0];
    let mut items = String::new();
    for (number, item) in results.numbered() {
        items.push_str(&format!(
            "<div class=\"MjjYud\"><div class=\"A6K0A\"><div class=\"wHYlTd Ww4FFb tF2Cxc asEBEc vt6azd\" data-hveid=\"CA{number}QAA\"><div class=\"N54PNb BToiNc\"><div class=\"kb0PBd A9Y9g jGGQ5e\"><div class=\"yuRUbf\"><div class=\"b8lM7\"><span class=\"V9tjod\">\
             <a class=\"zReHs\" href=\"{href}\" data-ved=\"ved_{number}\"><h3 class=\"LC20lb MBeuO DKV0Md\">{title}</h3><br><div class=\"notranslate ESMNde HGLrXd ojE3Fb\"><div class=\"q0vns\"><div class=\"CA5RN\"><div><span class=\"VuuXrf\">{site}</span></div>\
             <div class=\"byrV5b\"><cite class=\"qLRx3b tjvcx GvPZzd dTxz9 cHaqb\" role=\"text\">https://{host}<span class=\"ylgVCe ob9lvb\" role=\"text\">{crumbs}</span></cite></div></div></div></div></a></span></div></div></div>\
             <div class=\"kb0PBd A9Y9g\"><div class=\"VwiC3b yXK7lf p4wth r025kc Hdw6tb\"><span class=\"YrbPuc\"><span>{date}</span> — </span><span>{snippet}</span></div></div></div></div></div></div>\n",
            href = link(number, item),
            title = item.title,
            site = item.site,
            host = item.host,
            crumbs = item.crumbs,
            date = item.date_in_words,
            snippet = item.snippet,
        ));
        if number == 3 {
            items.push_str("<div class=\"MjjYud\"><div class=\"cUnQKe\"><div class=\"related-question-pair\" role=\"button\"><span>Do others ask this?</span></div></div></div>\n");
        }
    }
    let mut next = String::new();
    if results.has_more() {
        next = format!(
            "<a href=\"/search?q={}&amp;start={}&amp;sa=N\" id=\"pnnext\"><span class=\"oeN89d\">Next</span></a>",
            results.query_in_url(),
            results.start + PER_PAGE
        );
    }
    let body = format!(
        "<div id=\"tads\" aria-label=\"Ads\" role=\"region\"><div class=\"uEierd\" data-text-ad=\"1\"><a class=\"sVXRqc\" href=\"https://www.google.com/aclk?sa=l&amp;adurl={}\"><div role=\"heading\"><span>{}</span></div></a><div>{}</div></div></div>\n\
         <div class=\"s6JM6d ufC5Cb EYIWQc\" id=\"center_col\" role=\"main\"><div id=\"res\"><div id=\"topstuff\"></div><div id=\"search\"><div><div class=\"dURPMd\" id=\"rso\">\n{items}</div></div></div></div>\n\
         <div id=\"botstuff\"><div role=\"navigation\">{next}</div></div></div>\n",
        escape(advert.url),
        advert.title,
        advert.text,
    );
    frame(results.query, &body)
}

fn nothing(query: &str) -> String {
    let body = format!(
        "<div id=\"result-stats\">About 0 results</div><div class=\"s6JM6d ufC5Cb EYIWQc\" id=\"center_col\" role=\"main\"><div id=\"res\"><div id=\"topstuff\"></div><div id=\"search\"></div></div>\n\
         <div id=\"botstuff\"><div class=\"mnr-c\"><div class=\"JPMJ2c\"><p role=\"heading\">Your search - <span><em>{}</em></span> - did not match any documents.</p><p>Suggestions:</p><ul><li>Try other words.</li></ul></div></div></div></div>\n",
        escape_html(query)
    );
    frame(query, &body)
}

fn frame(query: &str, body: &str) -> String {
    let query = escape_html(query);
    format!(
        "<!doctype html><html itemscope itemtype=\"http://schema.org/SearchResultsPage\" lang=\"en\"><head><meta charset=\"UTF-8\"><title>{query} - Google Search</title></head>\
         <body class=\"srp\" id=\"gsr\"><div class=\"CvDJxb YNk70c\" id=\"searchform\"><form class=\"tsf\" action=\"/search\" id=\"tsf\" method=\"GET\" name=\"f\" role=\"search\"><textarea class=\"gLFyf\" id=\"APjFqb\" name=\"q\">{query}</textarea></form></div>\n\
         <div class=\"main n48JGd\" id=\"main\"><div class=\"NbTBrb YNk70c EjQTId uW3HW GyAeWb\" id=\"rcnt\">\n{body}</div></div></body></html>\n"
    )
}

/// First a redirect to the block page, as Google does; the block page itself has status 429.
fn captcha(request: &Request) -> Answer {
    if request.path() != "/sorry/index" {
        let back = format!("https://www.google.com{}", request.target);
        return Answer::redirect(
            302,
            format!("https://www.google.com/sorry/index?continue={}&q=EgRtest", escape(&back)),
        );
    }
    Answer::html(
        429,
        "<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 4.01 Transitional//EN\">\n<html>\n<head><meta http-equiv=\"content-type\" content=\"text/html; charset=utf-8\"><title>https://www.google.com/search</title></head>\n\
         <body><div><hr noshade size=\"1\"><br><form id=\"captcha-form\" action=\"index\" method=\"post\"><noscript><div>To go on, please switch JavaScript on.</div></noscript>\
         <div id=\"recaptcha\" class=\"g-recaptcha\" data-sitekey=\"6Ltestsitekey\"></div><input type=\"hidden\" name=\"q\" value=\"EgRtest\"><input type=\"hidden\" name=\"continue\" value=\"https://www.google.com/search\"></form>\
         <hr noshade size=\"1\"><div><b>About this page</b><br><br>We see unusual traffic from your network, and check here that requests come from a person. <a href=\"#\">Why?</a>\
         <div id=\"infoDiv\">The page is shown when requests look automatic, and goes away when they stop.</div></div></div></body>\n</html>\n",
    )
}
