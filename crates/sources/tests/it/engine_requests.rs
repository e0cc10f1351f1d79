//! How each engine is asked, and what a user's file changes.

use std::fs;

use fetch::Method;
use jiff::civil::date;
use sources::{Category, Engine, Engines, MAX_PER_SECOND, Query};

fn query() -> Query {
    Query {
        text: "固体 電池".to_owned(),
        phrases: vec!["solid state".to_owned()],
        excluded: vec!["toy".to_owned()],
        site: Some("go.jp".to_owned()),
        filetype: Some("pdf".to_owned()),
        after: Some("2026-01-31".to_owned()),
        language: Some("ja".to_owned()),
        ..Query::default()
    }
}

/// One engine a line: method, address with its parameters readable, what was dropped.
fn asked(query: &Query, page: u32) -> String {
    let engines = Engines::load(None);
    let line = |engine: &Engine| {
        let request = engine.request(query, page, date(2026, 5, 4));
        let method = match request.fetch_request.method {
            Method::Post { .. } => "POST",
            _ => "GET",
        };
        let parameters: Vec<String> =
            request.page.query_pairs().map(|it| format!("{}={}", it.0, it.1)).collect();
        let mut place = request.page.clone();
        place.set_query(None);
        format!("{method} {place} {} dropped {:?}", parameters.join(" & "), request.dropped)
    };
    engines.all().iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn each_engine_is_asked_in_its_own_words() {
    insta::assert_snapshot!(asked(&query(), 1), @r#"
    POST https://html.duckduckgo.com/html/ df=2026-01-31..2026-05-04 & kl=jp-jp & q=固体 電池 "solid state" -toy site:go.jp filetype:pdf dropped []
    POST https://lite.duckduckgo.com/lite/ df=2026-01-31..2026-05-04 & kl=jp-jp & q=固体 電池 "solid state" -toy site:go.jp filetype:pdf dropped []
    GET https://www.mojeek.com/search arc=jp & lb=ja & q=固体 電池 "solid state" -toy site:go.jp since:20260131 dropped [Filetype]
    GET https://old-search.marginalia.nu/search query=固体 電池 "solid state" -toy site:go.jp dropped [Filetype, After]
    GET https://ja.wikipedia.org/w/index.php fulltext=1 & ns0=1 & search=固体 電池 "solid state" -toy & title=Special:Search dropped [Site, Filetype, After]
    GET https://www.startpage.com/sp/search cat=web & language=japanese & lui=japanese & query=固体 電池 "solid state" -toy site:go.jp filetype:pdf & with_date=y dropped []
    GET https://www.ecosia.org/search method=index & q=固体 電池 "solid state" -toy site:go.jp filetype:pdf dropped [After]
    GET https://www.bing.com/search cc=JP & filters=ex1:"ez5_20484_20577" & q=固体 電池 "solid state" -toy site:go.jp filetype:pdf & setlang=ja dropped []
    GET https://search.brave.com/search q=固体 電池 "solid state" -toy site:go.jp filetype:pdf & source=web & tf=2026-01-31to2026-05-04 dropped []
    GET https://www.google.com/search hl=ja & lr=lang_ja & q=固体 電池 "solid state" -toy site:go.jp filetype:pdf after:2026-01-31 dropped []
    "#);
}

#[test]
fn a_plain_query_needs_nothing_but_its_words() {
    let query = Query { text: "heat pumps".to_owned(), ..Query::default() };
    insta::assert_snapshot!(asked(&query, 3), @r"
    POST https://html.duckduckgo.com/html/ q=heat pumps & s=20 dropped []
    POST https://lite.duckduckgo.com/lite/ q=heat pumps & s=20 dropped []
    GET https://www.mojeek.com/search q=heat pumps & s=21 dropped []
    GET https://old-search.marginalia.nu/search query=heat pumps & page=3 dropped []
    GET https://en.wikipedia.org/w/index.php fulltext=1 & ns0=1 & search=heat pumps & title=Special:Search & offset=40 dropped []
    GET https://www.startpage.com/sp/search cat=web & query=heat pumps & page=3 dropped []
    GET https://www.ecosia.org/search method=index & q=heat pumps & p=2 dropped []
    GET https://www.bing.com/search q=heat pumps & first=21 dropped []
    GET https://search.brave.com/search q=heat pumps & source=web & offset=2 dropped []
    GET https://www.google.com/search q=heat pumps & start=20 dropped []
    ");
}

#[test]
fn the_body_of_a_form_is_what_the_address_shows() {
    let engines = Engines::load(None);
    let request = engines.get("duckduckgo").unwrap().request(&query(), 1, date(2026, 5, 4));
    let Method::Post { content_type, body } = request.fetch_request.method else {
        panic!("a form")
    };
    assert_eq!(content_type, "application/x-www-form-urlencoded");
    assert_eq!(String::from_utf8(body).unwrap(), request.page.query().unwrap());
    assert_eq!(request.fetch_request.url.as_str(), "https://html.duckduckgo.com/html/");
}

#[test]
fn no_engine_is_asked_more_often_than_every_four_seconds() {
    for engine in Engines::load(None).all() {
        assert!(engine.limits.per_second <= MAX_PER_SECOND, "{}", engine.name);
        assert_eq!(engine.limits.concurrent, 1, "{}", engine.name);
        assert!(engine.limits.spacing.0.as_secs() >= 4, "{}", engine.name);
    }
}

const OWN: &str = r#"
title = "Intranet"
weight = 0.5
categories = ["technical"]
[request]
url = "https://search.intranet.example/find"
parameters = { words = "{query}" }
[results]
block = ["li.hit"]
title = ["a"]
[operators]
site = "unsupported"
filetype = "unsupported"
in_title = "unsupported"
phrase = "\"{}\""
required = "unsupported"
excluded = "unsupported"
after = "unsupported"
before = "unsupported"
[limits]
per_second = 0.25
spacing_seconds = [4.0, 4.0]
per_day = 1000
"#;

#[test]
fn a_users_file_adds_an_engine_or_replaces_one() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("intranet.toml"), OWN).unwrap();
    fs::write(folder.path().join("mojeek.toml"), OWN.replace("Intranet", "My Mojeek")).unwrap();
    fs::write(folder.path().join("notes.txt"), "not an engine").unwrap();
    let engines = Engines::load(Some(folder.path()));
    assert_eq!(engines.problems(), []);
    assert_eq!(engines.all().len(), 11);
    assert_eq!(engines.get("mojeek").unwrap().title, "My Mojeek");
    assert_eq!(engines.get("intranet").unwrap().categories, [Category::Technical]);
}

#[test]
fn a_file_that_declares_no_engine_is_named_and_ours_stays() {
    let folder = tempfile::tempdir().unwrap();
    let cases = [
        ("bing", "title = 5".to_owned()),
        ("fast", OWN.replace("per_second = 0.25", "per_second = 3.0")),
        ("gap", OWN.replace("search.intranet.example", "{language}.example")),
        ("plus", OWN.replace("li.hit", "li + li")),
        ("mute", OWN.replace("{query}", "nothing")),
        ("typo", OWN.replace("li.hit", "li[")),
        ("Upper", OWN.to_owned()),
        ("unknown", OWN.replace("title = \"Intranet\"", "title = \"Intranet\"\ncolour = 1")),
    ];
    for (name, text) in &cases {
        fs::write(folder.path().join(format!("{name}.toml")), text).unwrap();
    }
    let engines = Engines::load(Some(folder.path()));
    assert_eq!(engines.get("bing").unwrap().title, "Bing");
    assert_eq!(engines.all().len(), 10);
    let problems: Vec<String> = engines
        .problems()
        .iter()
        .map(|it| format!("{}: {}", it.file.file_name().unwrap().display(), it.problem))
        .collect();
    insta::assert_snapshot!(problems.join("\n"), @r#"
    Upper.toml: name = "Upper" has letters other than a-z, 0-9 and _
    bing.toml: line 1: invalid type: integer `5`, expected a string
    fast.toml: limits.per_second = 3 is not above 0 and up to 0.25
    gap.toml: request.url = "https://{language}.example/find" is not an address on the web, or has no value for `other` languages
    mute.toml: request.parameters = {..} has no place for the {query}
    plus.toml: `li + li` in results.block is not a selector that is understood: `+` is not supported (at `+ li`)
    typo.toml: `li[` in results.block is not a selector that is understood: a bracket is not closed
    unknown.toml: line 3: unknown field `colour`, expected one of `title`, `weight`, `checked`, `categories`, `languages`, `last_mile`, `request`, `results`, `redirect`, `no_results`, `blocked`, `operators`, `limits`
    "#);
}

#[test]
fn a_missing_folder_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let engines = Engines::load(Some(&folder.path().join("none")));
    assert_eq!((engines.all().len(), engines.problems().len()), (10, 0));
}
