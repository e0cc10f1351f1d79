//! `lyra crawl`.

use testweb::Answer as Page;

use crate::support::{Home, online, own_help};

#[test]
fn help_of_crawl() {
    insta::assert_snapshot!(own_help("crawl"), @r#"
    Read a site from one page on, the best links first

    Follows headings, tables of contents and related links within the same registrable domain, and the
    site's own sitemap where it fits what is looked for. robots.txt, pauses and budgets are kept, so a
    page takes some seconds. Pages are archived: `lyra archive show URL` has them.

    Usage: lyra crawl [OPTIONS] <URL>

    Arguments:
      <URL>
              The page to begin with

    Options:
          --looking-for <TEXT>
              What the pages should be about: links that share words with it go first
              
              [default: ""]

          --pages <N>
              Pages to ask for, the first included [default: the setting crawl.max_pages]

          --depth <N>
              Links away from the first page [default: the setting crawl.max_depth]

      -h, --help
              Print help (see a summary with '-h')

    Examples:
      lyra crawl https://example.org/guide --pages 5
      lyra crawl https://example.org/ --looking-for "side effects" --json
    --- exit 0
    "#);
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
    insta::assert_snapshot!(home.run("crawl http://clinic.test/ --offline"), @"
    --- stderr
    error: Lyra runs offline and sends no requests
    hint: run it without --offline, and with fetch.offline = false
    --- exit 8
    ");
}
