use super::*;
use crate::{FetchRequest, Limits};
use std::time::Duration;

/// The header lines of a request, one a line.
fn sent(request: &FetchRequest, way: &[&str], cookie: Option<&str>, etag: Option<&str>) -> String {
    let identity = Identity::new(&FetchSettings {
        contact: "https://example.org/bot".to_owned(),
        ..FetchSettings::default()
    });
    let way: Vec<Url> = way.iter().map(|it| it.parse().unwrap()).collect();
    let lines = identity.lines(&Asking {
        url: &request.url,
        kind: &request.kind,
        method: &request.method,
        came_from: request.came_from.as_ref(),
        way: &way,
        cookie,
        session: None,
        etag,
        last_modified: None,
        extra: &request.headers,
        secret: &request.secret_headers,
    });
    let head = request_head("GET", &request.url, &lines);
    String::from_utf8(head)
        .unwrap()
        .replace("\r\n", "\n")
        .replace(env!("CARGO_PKG_VERSION"), "VERSION")
}

fn page(url: &str, from: Option<&str>) -> FetchRequest {
    FetchRequest {
        came_from: from.map(|it| it.parse().unwrap()),
        ..FetchRequest::page(url.parse().unwrap())
    }
}

#[test]
fn a_page_opened_from_nowhere_says_who_asks() {
    insta::assert_snapshot!(sent(&page("https://example.com:8443/a?b=c#d", None), &[], None, None), @r"
    GET /a?b=c HTTP/1.1
    host: example.com:8443
    user-agent: Lyra/VERSION (+https://example.org/bot)
    accept: text/html,application/xhtml+xml,application/pdf,application/xml;q=0.9,*/*;q=0.8
    accept-language: ja,en;q=0.8
    accept-encoding: gzip, deflate, br
    upgrade-insecure-requests: 1
    sec-fetch-dest: document
    sec-fetch-mode: navigate
    sec-fetch-site: none
    sec-fetch-user: ?1
    ");
}

#[test]
fn an_article_opened_from_a_result_page_is_in_step_with_it() {
    let request =
        page("https://news.example/1", Some("https://html.duckduckgo.com/html/?q=secret#top"));
    insta::assert_snapshot!(sent(&request, &[], Some("a=1; b=2"), Some("\"v1\"")), @r#"
    GET /1 HTTP/1.1
    host: news.example
    user-agent: Lyra/VERSION (+https://example.org/bot)
    accept: text/html,application/xhtml+xml,application/pdf,application/xml;q=0.9,*/*;q=0.8
    accept-language: ja,en;q=0.8
    accept-encoding: gzip, deflate, br
    referer: https://html.duckduckgo.com/
    upgrade-insecure-requests: 1
    sec-fetch-dest: document
    sec-fetch-mode: navigate
    sec-fetch-site: cross-site
    sec-fetch-user: ?1
    cookie: a=1; b=2
    if-none-match: "v1"
    "#);
}

#[test]
fn the_referer_and_the_site_follow_how_far_the_link_leads() {
    for (from, way, to, referer, site) in [
        (
            "https://a.example.com/x#y",
            vec![],
            "https://a.example.com/z",
            "https://a.example.com/x",
            "same-origin",
        ),
        (
            "https://a.example.com/x",
            vec![],
            "https://b.example.com/z",
            "https://a.example.com/",
            "same-site",
        ),
        (
            "https://a.example.co.jp/x",
            vec![],
            "https://b.other.co.jp/z",
            "https://a.example.co.jp/",
            "cross-site",
        ),
        (
            "https://a.com/x",
            vec!["https://b.com/"],
            "https://a.com/z",
            "https://a.com/x",
            "cross-site",
        ),
        ("https://me:pw@a.com/x", vec![], "https://a.com/z", "https://a.com/x", "same-origin"),
        ("http://a.com/x", vec![], "https://a.com/z", "http://a.com/", "cross-site"),
        ("https://a.com/x", vec![], "http://a.com/z", "none", "none"),
        ("http://a.com/x", vec![], "http://a.com/z", "http://a.com/x", "none"),
    ] {
        let text = sent(&page(to, Some(from)), &way, None, None);
        let value = |name: &str| {
            let line = text.lines().find_map(|it| it.strip_prefix(name)?.strip_prefix(": "));
            line.unwrap_or("none").to_owned()
        };
        assert_eq!(value("referer"), referer, "{from} {to}");
        assert_eq!(value("sec-fetch-site"), site, "{from} {to}");
    }
}

#[test]
fn an_api_is_asked_plainly_and_its_key_is_not_shown() {
    let limits = Limits {
        concurrent: 1,
        spacing: (Duration::ZERO, Duration::ZERO),
        per_second: 1.0,
        per_day: None,
    };
    let mut request = FetchRequest::new(
        "https://api.example.org/works?q=x".parse().unwrap(),
        Kind::Api { name: "works".to_owned(), limits },
    );
    request.headers = vec![
        ("Accept".to_owned(), "application/json".to_owned()),
        ("Host".to_owned(), "elsewhere".to_owned()),
    ];
    request.secret_headers = vec![("X-Api-Key".to_owned(), "hunter2".to_owned())];
    insta::assert_snapshot!(sent(&request, &[], None, None), @r"
    GET /works?q=x HTTP/1.1
    host: api.example.org
    user-agent: Lyra/VERSION (+https://example.org/bot)
    accept-language: ja,en;q=0.8
    accept-encoding: gzip, deflate, br
    accept: application/json
    x-api-key: [left out]
    ");
}

#[test]
fn a_page_may_ask_not_to_be_named() {
    let header = |value: &str| vec![("referrer-policy".to_owned(), value.to_owned())];
    let named = |headers: &[(String, String)], body: &str| {
        super::lets_itself_be_named(headers, body.as_bytes())
    };
    assert!(named(&[], "<p>referrer no-referrer</p>"));
    assert!(named(&header("strict-origin-when-cross-origin"), ""));
    assert!(!named(&header("no-referrer"), ""));
    assert!(!named(&header("origin, No-Referrer"), ""));
    assert!(named(&header("no-referrer, origin"), ""));
    assert!(!named(&[], "<head><META content='same-origin' name=\"referrer\"/></head>"));
    assert!(!named(&[], "<meta name=referrer content=never>"));
    assert!(named(
        &[],
        "<meta name=\"referrer\" content=\"origin\"><meta name=robots content=no-referrer>"
    ));
}
