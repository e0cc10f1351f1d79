//! The parsers on saved pages of real engines. What is expected was established by looking at each page.
//!
//! `LYRA_EVAL_DATA=DIR cargo nextest run -p sources --no-capture real_pages`. In the pages of `openserp` every
//! address was replaced by one and the same, so their results are told apart by their titles.

use std::io::Read;
use std::path::{Path, PathBuf};

use extract::Input;
use jiff::Timestamp;
use sources::{Block, Candidate, Engines, Query, Serp, SerpKind};

fn data() -> Option<PathBuf> {
    testkit::public_data().map(|data| data.join("serp"))
}

/// The bytes of a page, unpacked where its name says that it is packed.
fn page(path: &Path) -> Vec<u8> {
    let bytes = std::fs::read(path).unwrap();
    if path.extension().is_some_and(|it| it == "gz") {
        let mut unpacked = Vec::new();
        flate2::read::GzDecoder::new(bytes.as_slice()).read_to_end(&mut unpacked).unwrap();
        return unpacked;
    }
    bytes
}

fn parse(data: &Path, engine: &str, file: &str) -> Serp {
    parse_bytes(engine, &page(&data.join(file)))
}

fn parse_bytes(engine: &str, bytes: &[u8]) -> Serp {
    let engines = Engines::load(None);
    let engine = engines.get(engine).unwrap();
    let query = Query { text: "javascript".to_owned(), ..Query::default() };
    let url = engine.request(&query, 1, jiff::civil::date(2026, 5, 4)).page;
    let now: Timestamp = "2026-05-04T02:00:00Z".parse().unwrap();
    Serp::parse(engine, Input { bytes, url: Some(&url), status: Some(200), headers: &[] }, now)
}

/// Engine, file, number of organic results, first and last of them as `title | address`.
const RESULTS: [(&str, &str, usize, &str, &str); 8] = [
    (
        "duckduckgo",
        "openserp/duckduckgo/testdata/search_results.html.gz",
        10,
        "Using the Fetch API - Web APIs | MDN - MDN Web Docs | http://test.test/",
        "Fetch - The Modern JavaScript Tutorial | http://test.test/",
    ),
    (
        "bing",
        "openserp/bing/testdata/search_results.html.gz",
        10,
        "How to read a local text file using JavaScript? - GeeksforGeeks | http://test.test/",
        "How to Handle Files in JavaScript: Reading, Uploading, and Converting | http://test.test/",
    ),
    (
        "ecosia",
        "openserp/ecosia/testdata/search_results.html.gz",
        10,
        "What is \"tool use\", exactly? : r/LocalLLaMA - Reddit | http://test.test/",
        "Simon Willison on llm-tool-use | http://test.test/",
    ),
    (
        // Two of the ten are videos.
        "google",
        "openserp/google/testdata/search_results.html.gz",
        10,
        "Using the Fetch API - MDN Web Docs | http://test.test/",
        "Using Fetch API to Access JSON - javascript | http://test.test/",
    ),
    (
        "ecosia",
        "sanguinary-bus/ecosia.html.gz",
        10,
        "JavaScript Tutorial - W3Schools | https://www.w3schools.com/js/",
        "JavaScript Tutorial - TutorialsPoint | https://www.tutorialspoint.com/javascript/index.htm",
    ),
    (
        "mojeek",
        "sanguinary-bus/mojeek.html",
        10,
        "The Modern JavaScript Tutorial | https://javascript.info/",
        "Javascript/DHTML Tutorials | https://smartwebby.com/DHTML/",
    ),
    (
        "brave",
        "sanguinary-bus/brave.html.gz",
        20,
        "JavaScript Tutorial | https://www.w3schools.com/js/",
        "JavaScript Tutorial: Learn JavaScript from Scratch | https://www.simplilearn.com/tutorials/javascript-tutorial",
    ),
    (
        "startpage",
        "sanguinary-bus/startpage.html.gz",
        10,
        "JavaScript Tutorial - W3Schools | https://www.w3schools.com/js/",
        "JavaScript Full Course for free - YouTube | https://www.youtube.com/watch?v=lfmg-EJ8gm4",
    ),
];

/// Titles of what is paid for, or answers other questions, on those pages.
const NOT_RESULTS: [&str; 4] = [
    "Learn with JavaScript Tutors - JavaScript Tutors",
    "Reading a File from the Root Folder in JavaScript",
    "Videos of How to Read File in JS",
    "JavaScript tutorial for beginners 🌐 - YouTube",
];

#[test]
fn every_organic_result_of_a_real_page_is_found_and_no_advert() {
    let Some(data) = data() else { return };
    for (engine, file, count, first, last) in RESULTS {
        let serp = parse(&data, engine, file);
        let lines: Vec<String> =
            serp.results.iter().map(|it| format!("{} | {}", it.title, it.url)).collect();
        assert_eq!((serp.kind, lines.len()), (SerpKind::Results, count), "{file}: {lines:#?}");
        assert_eq!((lines[0].as_str(), lines[count - 1].as_str()), (first, last), "{file}");
        let ranks: Vec<u32> = serp.results.iter().map(|it| it.rank).collect();
        assert_eq!(ranks, (1..=count as u32).collect::<Vec<_>>(), "{file}");
        for title in NOT_RESULTS {
            assert!(!serp.results.iter().any(|it| it.title == title), "{file}: {title}");
        }
    }
}

/// The dates the pages show, in order; `-` where a result has none.
#[test]
fn the_dates_of_real_results_are_read() {
    let Some(data) = data() else { return };
    for (engine, file, expected) in [
        (
            "duckduckgo",
            "openserp/duckduckgo/testdata/search_results.html.gz",
            "2025-08-20 - 2025-10-31 2026-05-03 - 2025-10-15 - 2025-02-06 2024-08-26 -",
        ),
        (
            "bing",
            "openserp/bing/testdata/search_results.html.gz",
            "2025-07-12 - 2026-01-16 2025-03-11 2025-08-20 2025-06-23 2010-06-18 - - 2024-11-14",
        ),
        (
            "startpage",
            "sanguinary-bus/startpage.html.gz",
            "- - - 2023-10-14 - 2025-11-07 2024-05-09 - - 2024-01-01",
        ),
    ] {
        let serp = parse(&data, engine, file);
        let dates: Vec<&str> =
            serp.results.iter().map(|it| it.date.as_deref().unwrap_or("-")).collect();
        assert_eq!(dates.join(" "), expected, "{file}");
    }
}

/// Everything the declarations hold on to is renamed: what is left is the order of headings, links and text.
fn renamed(html: &str) -> String {
    let mut html = html.to_owned();
    for name in [
        "class=",
        "data-test",
        "data-type",
        "data-result",
        "data-layout",
        "data-rpos",
        "data-hveid",
    ] {
        html = html.replace(name, &format!("data-{}", name.replace("data-", "x")));
    }
    html.replace("id=\"rso\"", "id=\"other\"").replace("b_results", "other")
}

#[test]
fn a_page_with_another_layout_is_broken_and_its_results_are_recovered() {
    let Some(data) = data() else { return };
    let mut lines = Vec::new();
    for (name, file, _, _, _) in RESULTS {
        let html = String::from_utf8(page(&data.join(file))).unwrap();
        let organic = parse(&data, name, file).results;
        let serp = parse_bytes(name, renamed(&html).as_bytes());
        assert!(matches!(serp.kind, SerpKind::Broken { .. }), "{file}: {:?}", serp.kind);
        let found = |it: &&Candidate| {
            serp.results.iter().any(|got| (&got.url, &got.title) == (&it.url, &it.title))
        };
        let kept = organic.iter().filter(found).count();
        let words = |it: &&Candidate| {
            let same = |got: &&Candidate| (&got.url, &got.title) == (&it.url, &it.title);
            let start = |it: &Candidate| -> String {
                it.snippet.iter().flat_map(|it| it.chars()).take(40).collect()
            };
            serp.results.iter().find(same).is_some_and(|got| start(got) == start(it))
        };
        lines.push(format!(
            "{file}: {kept} of {}, {} with their words, {} more",
            organic.len(),
            organic.iter().filter(words).count(),
            serp.results.len().saturating_sub(kept)
        ));
    }
    insta::assert_snapshot!(lines.join("\n"), @r"
    openserp/duckduckgo/testdata/search_results.html.gz: 10 of 10, 4 with their words, 0 more
    openserp/bing/testdata/search_results.html.gz: 10 of 10, 9 with their words, 5 more
    openserp/ecosia/testdata/search_results.html.gz: 10 of 10, 10 with their words, 0 more
    openserp/google/testdata/search_results.html.gz: 10 of 10, 10 with their words, 0 more
    sanguinary-bus/ecosia.html.gz: 10 of 10, 10 with their words, 0 more
    sanguinary-bus/mojeek.html: 10 of 10, 10 with their words, 0 more
    sanguinary-bus/brave.html.gz: 20 of 20, 20 with their words, 3 more
    sanguinary-bus/startpage.html.gz: 10 of 10, 10 with their words, 0 more
    ");
}

#[test]
fn pages_without_results_say_why() {
    let Some(data) = data() else { return };
    for (engine, file, kind) in [
        ("bing", "sanguinary-bus/bing.html.gz", SerpKind::Blocked(Block::Challenge)),
        (
            "ecosia",
            "openserp/ecosia/testdata/search_captcha.html",
            SerpKind::Blocked(Block::Challenge),
        ),
        ("ecosia", "openserp/ecosia/testdata/search_no_results.html.gz", SerpKind::NoResults),
        ("ecosia", "openserp/ecosia/testdata/images_no_results.html.gz", SerpKind::NoResults),
        (
            "google",
            "openserp/google/testdata/search_captcha.html",
            SerpKind::Blocked(Block::Challenge),
        ),
        (
            "google",
            "openserp/google/testdata/search_captcha_new.html",
            SerpKind::Blocked(Block::Challenge),
        ),
        ("google", "openserp/google/testdata/search_no_results.html", SerpKind::NoResults),
        (
            "google",
            "openserp/google/testdata/search_soft_block.html",
            SerpKind::Blocked(Block::Script),
        ),
    ] {
        let serp = parse(&data, engine, file);
        assert_eq!((serp.kind, serp.results.len()), (kind, 0), "{file}");
    }
}
