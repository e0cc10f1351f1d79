//! Result pages in the layouts of the engines.

use testweb::{EngineMode, TestWeb, World};

use crate::client::{Reply, get, post};

/// Every engine: name, host, path and the parameter of the query.
const ENGINES: [(&str, &str, &str); 9] = [
    ("duckduckgo", "html.duckduckgo.com", "/html/?q="),
    ("duckduckgo_lite", "lite.duckduckgo.com", "/lite/?q="),
    ("mojeek", "www.mojeek.com", "/search?q="),
    ("brave", "search.brave.com", "/search?q="),
    ("startpage", "www.startpage.com", "/sp/search?query="),
    ("ecosia", "www.ecosia.org", "/search?q="),
    ("bing", "www.bing.com", "/search?q="),
    ("marginalia", "marginalia-search.com", "/search?query="),
    ("google", "www.google.com", "/search?q="),
];

/// What marks one organic result of each engine.
const MARKS: [&str; 9] = [
    "web-result \">",
    "<tr><td valign=\"top\">",
    "<h2><a class=\"title\"",
    "data-type=\"web\"",
    "class=\"result-title result-link",
    "data-test-id=\"organic-result\"",
    "<li class=\"b_algo\"",
    "<section class=\"card search-result\">",
    "<h3 class=\"LC20lb",
];

fn web() -> TestWeb {
    TestWeb::start(World::new(1))
}

fn ask(web: &TestWeb, engine: usize, query: &str) -> Reply {
    let (_, host, path) = ENGINES[engine];
    get(web, host, &format!("{path}{query}"))
}

#[test]
fn every_engine_shows_ten_organic_results_in_its_layout() {
    let web = web();
    for (engine, mark) in MARKS.iter().enumerate() {
        let reply = ask(&web, engine, "velorastatin+cholesterol+trial");
        assert_eq!(reply.status, 200);
        assert_eq!(reply.text().matches(mark).count(), 10, "{}", ENGINES[engine].0);
    }
}

#[test]
fn japanese_queries_find_japanese_pages() {
    let web = web();
    // 北野熱ワクチン
    let query = "%E5%8C%97%E9%87%8E%E7%86%B1%E3%83%AF%E3%82%AF%E3%83%81%E3%83%B3";
    for (engine, (name, ..)) in ENGINES.iter().enumerate() {
        let text = ask(&web, engine, query).text();
        assert!(text.contains("北野熱ワクチン"), "{name}");
    }
}

#[test]
fn links_are_wrapped_as_each_engine_wraps_them() {
    let web = web();
    let page = ask(&web, 0, "velorastatin").text();
    assert!(page.contains("href=\"//duckduckgo.com/l/?uddg=http"), "{page}");
    let page = ask(&web, 6, "velorastatin").text();
    // `a1` and the base64 of `https://`.
    assert!(page.contains("&amp;u=a1aHR0c"), "{page}");
    let page = ask(&web, 8, "velorastatin").text();
    assert!(page.contains("href=\"/url?q=http"), "{page}");
    for direct in [2, 3, 4, 5, 7] {
        let page = ask(&web, direct, "velorastatin").text();
        assert!(page.contains(".test/"), "{}", ENGINES[direct].0);
    }
}

#[test]
fn the_second_page_holds_other_results() {
    let web = web();
    let next = [
        "&s=10",
        "&s=10",
        "&s=11",
        "&offset=1",
        "&page=2",
        "&p=1",
        "&first=11",
        "&page=2",
        "&start=10",
    ];
    for (engine, next) in next.iter().enumerate() {
        let (name, host, path) = ENGINES[engine];
        let first = get(&web, host, &format!("{path}velorastatin")).text();
        let second = get(&web, host, &format!("{path}velorastatin{next}")).text();
        assert_ne!(first, second, "{name}");
        assert!(second.contains(MARKS[engine]), "{name}");
    }
    let form = post(
        &web,
        "html.duckduckgo.com",
        "/html/",
        "application/x-www-form-urlencoded",
        "q=velorastatin&s=10",
    );
    assert_eq!(form.body, get(&web, "html.duckduckgo.com", "/html/?q=velorastatin&s=10").body);
}

#[test]
fn a_query_without_results_gets_the_page_for_it() {
    let web = web();
    for (engine, mark) in MARKS.iter().enumerate() {
        let (name, ..) = ENGINES[engine];
        let real = ask(&web, engine, "zzqxj");
        assert_eq!((real.status, real.text().matches(mark).count()), (200, 0), "{name}");
        web.set_engine(name, EngineMode::NoResults);
        let ordered = ask(&web, engine, "velorastatin");
        assert_eq!(ordered.text().matches(mark).count(), 0, "{name}");
        assert_eq!(real.text().replace("zzqxj", "velorastatin"), ordered.text(), "{name}");
    }
}

#[test]
fn bad_days_look_as_they_do_at_each_engine() {
    let web = web();
    let mut statuses = Vec::new();
    for (engine, (name, ..)) in ENGINES.iter().enumerate() {
        web.set_engine(name, EngineMode::Captcha);
        statuses.push((*name, ask(&web, engine, "velorastatin").status));
    }
    insta::assert_snapshot!(
        format!("{statuses:?}"),
        @r#"[("duckduckgo", 202), ("duckduckgo_lite", 202), ("mojeek", 403), ("brave", 429), ("startpage", 200), ("ecosia", 403), ("bing", 200), ("marginalia", 429), ("google", 302)]"#
    );
    assert_eq!(get(&web, "www.google.com", "/sorry/index?continue=x").status, 429);
    for (engine, (name, ..)) in ENGINES.iter().enumerate() {
        web.set_engine(name, EngineMode::Http(429));
        assert_eq!(ask(&web, engine, "velorastatin").status, 429);
        web.set_engine(name, EngineMode::Down);
        assert_eq!(ask(&web, engine, "velorastatin").status, 0);
        web.set_engine(name, EngineMode::Normal);
        assert_eq!(ask(&web, engine, "velorastatin").status, 200);
    }
}

#[test]
fn a_changed_layout_keeps_the_results_and_loses_the_marks() {
    let web = web();
    for (engine, mark) in MARKS.iter().enumerate() {
        let (name, ..) = ENGINES[engine];
        let usual = ask(&web, engine, "velorastatin").text();
        web.set_engine(name, EngineMode::ChangedLayout);
        let changed = ask(&web, engine, "velorastatin").text();
        let title = "elorastatin: what the new figures show";
        assert_eq!(usual.matches(title).count(), changed.matches(title).count(), "{name}");
        // The rows of the oldest layout carry no class; its links do.
        let mark = if name == "duckduckgo_lite" { &"class='result-link'" } else { mark };
        assert_eq!(changed.matches(mark).count(), 0, "{name}");
    }
}

#[test]
fn operators_narrow_the_results() {
    let web = web();
    let page = web.world().pages_of("pdf-1.test").next().unwrap();
    let topic = page.topic.name.en.replace(' ', "+");
    let text = ask(&web, 2, &format!("{topic}+site:pdf-1.test")).text();
    let links: Vec<&str> = text.split("<h2><a class=\"title\" title=\"").skip(1).collect();
    let origin = page.url.strip_suffix(page.path()).unwrap();
    assert!(links[0].starts_with(&page.url), "{}", links[0]);
    assert!(links.iter().all(|it| it.starts_with(origin)), "{text}");
    let without = ask(&web, 2, "velorastatin+-velorastatin").text();
    assert!(!without.contains(">Velorastatin"), "{without}");
}

#[test]
fn the_public_api_of_marginalia_is_json() {
    let web = web();
    let reply = get(&web, "api.marginalia.nu", "/public/search/velorastatin%20trial?count=10");
    let answer: serde_json::Value = serde_json::from_slice(&reply.body).unwrap();
    assert_eq!(answer["query"], "velorastatin trial");
    assert_eq!(answer["results"].as_array().unwrap().len(), 10);
}
