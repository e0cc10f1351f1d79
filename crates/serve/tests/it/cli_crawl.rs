//! `lyra crawl`.

use testweb::Answer as Page;

use crate::support::{Home, online, own_help};

#[test]
fn help_of_crawl() {
    insta::assert_snapshot!(own_help("crawl"), @"");
}

#[test]
fn a_site_is_read_from_one_page_on() {
    let (web, home) = online();
    let text = "<p>The register of patients was kept for ten years in four hospitals, and everybody who was treated is in it.</p>";
    let first = format!(
        "<title>Clinic</title><main><h1>Clinic</h1>{text}<h2>Contents</h2><ul><li><a href=/dose>The dose</a></li></ul></main>"
    );
    web.put("clinic.test", "/", Page::html(200, first));
    web.put(
        "clinic.test",
        "/dose",
        Page::html(200, format!("<title>Dose</title><main><h1>Dose</h1>{text}</main>")),
    );
    let answer = home.run("crawl http://clinic.test/ --pages 2 --json --set fetch.spacing_min_ms=1 --set fetch.spacing_max_ms=2");
    let crawled = answer.json();
    let read: Vec<_> = crawled["pages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (it["depth"].clone(), it["title"].clone()))
        .collect();
    assert_eq!(read, [(0.into(), "Clinic".into()), (1.into(), "Dose".into())]);
    assert_eq!(answer.code, Some(0));
}

#[test]
fn a_site_that_cannot_be_reached_is_a_failure_with_a_hint() {
    let home = Home::new();
    insta::assert_snapshot!(home.run("crawl http://clinic.test/ --offline"), @"");
}
