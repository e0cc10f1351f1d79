//! `lyra versions`.

use evidence::{DomainCategory, Stance};
use graph::{NewPage, PageDetails};
use testweb::{Answer, Expected, Language, Page, TestWeb, World};

use crate::support::{Home, JAPANESE, online_in, own_help};
use crate::world::{claim, judge, passage, task};

/// A page of the world, a claim that rests on what its old version says, and one that rests on what it still says.
fn quoted(home: &Home, page: &Page, still: &str) -> String {
    let gone = World::withdrawn(Language::English);
    let id = home.fill(|w| {
        let task = task(w, "How many cases were there?")?;
        let page_id = w.record_page(&NewPage {
            url: page.url.clone(),
            domain: page.host().to_owned(),
            domain_category: DomainCategory::Unverified,
            title: Some(page.title.clone()),
            language: None,
            year: None,
            work_id: None,
        })?;
        for quote in [gone, still] {
            let fragment = w.record_fragment(&graph::NewFragment {
                page_id,
                fragment_type: evidence::FragmentType::Paragraph,
                text: quote.to_owned(),
                heading_context: None,
                element_index: None,
                chars: None,
                language: None,
            })?;
            let claim = claim(w, task, quote, Some(fragment), Some(0.9))?;
            judge(w, fragment, claim, Stance::Supports, 0.9)?;
        }
        Ok(task)
    });
    id.to_string()
}

fn small() -> (TestWeb, Home) {
    online_in(World::of_size(1, 40).with_versions())
}

fn readable(web: &TestWeb) -> Page {
    let world = web.world();
    let ordinary = |it: &&Page| {
        it.expected == Expected::Readable
            && it.language == Language::English
            && it.host().starts_with("news")
    };
    world.pages().iter().find(ordinary).unwrap().clone()
}

#[test]
fn help_of_versions() {
    insta::assert_snapshot!(own_help("versions"), @"
    Show what a page said before, and which quotes it no longer has

    Reads the page and its newest versions at the Internet Archive (web.archive.org), and lists what
    each says otherwise than the one before: headings, sentences, dates. Passages of the page that speak
    for or against a claim of yours are looked for on it: what it says no more, or where the page is
    gone, is noted in the life of the claim, and reports say so. The archive is told the address of the
    page.

    Usage: lyra versions [OPTIONS] <URL>

    Arguments:
      <URL>
              The address of the page

    Options:
          --most <N>
              Versions to compare [default: the setting versions.versions_compared]

      -h, --help
              Print help (see a summary with '-h')

    Examples:
      lyra versions https://example.org/guidance
      lyra versions https://example.org/guidance --most 10 --json

    Next: `lyra report TASK` has what disappeared in its timeline.
    --- exit 0
    ");
}

#[test]
fn a_sentence_that_went_is_noted_in_the_life_of_its_claim() {
    let (web, home) = small();
    let page = readable(&web);
    let lead = web.world().article(&page).lead;
    let task = quoted(&home, &page, &lead);
    let answer = home.run_arguments(&["versions", &page.url, "--json"]);
    assert_eq!(answer.code, Some(0), "{answer}");
    let found = answer.json();
    let taken: Vec<&str> = found["versions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["taken_at"].as_str().unwrap_or("now"))
        .collect();
    assert_eq!(taken, ["2019-05-01T12:00:00Z", "2024-03-02T08:30:00Z", "now"]);
    let gone = World::withdrawn(Language::English);
    assert_eq!(found["versions"][1]["changes"]["sentences_gone"], serde_json::json!([gone]));
    assert_eq!(found["versions"][1]["changes"]["sentences_new"], serde_json::json!([]));
    assert_eq!(found["quotes"], 2);
    assert_eq!(found["gone"].as_array().unwrap().len(), 1, "{answer}");
    assert_eq!(found["gone"][0]["claim"], gone);
    assert_eq!(found["gone"][0]["last_seen"], "2019-05-01T12:00:00Z");

    let shown = home.run_arguments(&["versions", &page.url]);
    let line = format!("No longer on the page, last seen in the version of 2019-05-01: “{gone}”");
    assert!(shown.stdout.contains(&line), "{shown}");
    let report = home.run(&format!("report {task} --format md"));
    assert!(report.stdout.contains("no longer on its page"), "{report}");
    // Noted once, however often the page is looked at.
    let events = home.run("sql SELECT(count(*))FROM(claim_events)WHERE(kind='disappeared') --json");
    assert_eq!(events.json()["rows"], serde_json::json!([[1]]), "{events}");
}

#[test]
fn of_a_page_that_is_gone_everything_is_gone() {
    let (web, home) = small();
    let page = readable(&web);
    let lead = web.world().article(&page).lead;
    quoted(&home, &page, &lead);
    web.put(page.host(), page.path(), Answer::html(404, "<p>not here"));
    let answer = home.run_arguments(&["versions", &page.url, "--json"]);
    let found = answer.json();
    assert_eq!(found["now"]["problem"], "not_found", "{answer}");
    let seen: Vec<&str> = found["gone"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["last_seen"].as_str().unwrap())
        .collect();
    assert_eq!(seen, ["2019-05-01T12:00:00Z", "2024-03-02T08:30:00Z"], "{answer}");

    // Of a page that does not answer nothing is known.
    web.put(page.host(), page.path(), Answer::html(500, "<p>broken"));
    let answer = home.run_arguments(&["versions", &page.url, "--json"]);
    assert_eq!(answer.json()["gone"], serde_json::json!([]), "{answer}");
}

#[test]
fn a_report_says_that_an_older_version_was_read() {
    let home = Home::new();
    let id = home.fill(|w| {
        let task = task(w, "Is the bridge safe?")?;
        let origin = passage(w, "gone.example", "The bridge is safe for lorries.")?;
        let claim = claim(w, task, "The bridge is safe for lorries.", Some(origin), Some(0.9))?;
        judge(w, origin, claim, Stance::Supports, 0.9)?;
        let version = serde_json::json!({
            "record_id": "urn:uuid:1",
            "version": {
                "taken_at": "2019-05-01T12:00:00Z", "because": "not_found",
                "url": "https://web.archive.org/web/20190501120000/https://gone.example/",
            },
        });
        let details = PageDetails { archive_ref: Some(version), ..PageDetails::default() };
        w.describe_page(w.fragment(origin)?.page_id, &details)?;
        Ok(task)
    });
    let report = home.run(&format!("report {id} --format md"));
    assert!(
        report.stdout.contains("read in the version of 2019-05-01 at the Internet Archive"),
        "{report}"
    );
    let json = home.run(&format!("report {id} --format json"));
    let because = &json.json()["sources"][0]["archive"]["version"]["because"];
    assert_eq!(because, "not_found", "{json}");
}

#[test]
fn a_page_without_versions_says_so() {
    let (web, home) = online_in(World::of_size(1, 40));
    let page = readable(&web);
    let answer = home.run_arguments(&["versions", &page.url]);
    assert_eq!(answer.code, Some(0), "{answer}");
    assert!(answer.stderr.contains("The Internet Archive has no version of it to compare."));
    let mut command = home.command(&["versions", "https://nowhere.test/", "--offline"]);
    let offline = home.answer(command.env(JAPANESE.0, JAPANESE.1).output().unwrap());
    assert_eq!(offline.code, Some(8), "{offline}");
}
