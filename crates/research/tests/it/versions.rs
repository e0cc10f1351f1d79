//! Pages that are gone, read as an archive on the web has them.

use research::Engine;
use research::calls::{
    BudgetConfig, CreateTask, SearchAnswer, SearchCall, SearchOptions, SourceKind, TaskConfig,
};
use serde_json::json;
use testweb::Answer;

use crate::support::{Online, aspirin_page, declare_engines, online, result_page, rows};

const ARCHIVE: &str = "web.archive.org";

/// Puts one version of a page into the archive.
fn keep(online: &Online, page: &str, html: &str) {
    let list = json!([["timestamp", "original", "digest"], ["20190501120000", page, "AAAA"]]);
    online.web.put(ARCHIVE, "/cdx/search/cdx", Answer::json(200, &list));
    online.put(ARCHIVE, &format!("/web/20190501120000id_/{page}"), html);
}

async fn search(
    online: &Online,
    urls: &[&str],
    max_pages: u32,
    change: impl FnOnce(&mut research::Settings),
) -> SearchAnswer {
    let mut parts = online.parts();
    parts.engines = declare_engines(online.folder.path(), &["alpha"]);
    online.web.put("alpha.test", "/search", result_page(urls));
    change(&mut parts.settings);
    let engine = Engine::new(parts);
    let config = TaskConfig {
        sources: vec![SourceKind::Web],
        budget: BudgetConfig { max_pages: Some(max_pages), max_seconds: None },
        ..TaskConfig::default()
    };
    let call = CreateTask { query: "aspirin".to_owned(), hypothesis: None, config };
    let task_id = engine.create_task(call).await.unwrap().task_id;
    let options = SearchOptions { engines: vec!["alpha".to_owned()], ..SearchOptions::default() };
    let call = SearchCall { task_id, query: "aspirin".to_owned(), options };
    engine.search(call).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_is_gone_is_read_as_it_was() {
    let online = online();
    online.web.put("gone.test", "/", Answer::html(404, "<p>not here"));
    keep(&online, "https://gone.test/", &aspirin_page("As it was"));
    let answer = search(&online, &["https://gone.test/"], 20, |_| {}).await;
    assert_eq!(answer.missed.len(), 0, "{:?}", answer.missed);
    let page = rows(
        &online.graph,
        "SELECT title, final_url, domain, archive_ref ->> '$.version.taken_at', archive_ref ->> '$.version.because',
                archive_ref ->> '$.record_id' IS NOT NULL FROM pages WHERE url = 'https://gone.test/'",
    );
    let version = "https://web.archive.org/web/20190501120000/https://gone.test/";
    let expected =
        json!(["As it was", version, "gone.test", "2019-05-01T12:00:00Z", "not_found", 1]);
    assert_eq!(json!(page), json!([expected]));
    let links = rows(
        &online.graph,
        "SELECT DISTINCT substr(deep_link, 1, 61) FROM fragments WHERE deep_link IS NOT NULL",
    );
    assert_eq!(json!(links), json!([[version]]));
    let asked = rows(&online.graph, "SELECT count(*) FROM egress WHERE host = 'web.archive.org'");
    assert_eq!(json!(asked), json!([[2]]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_behind_a_login_is_left_alone() {
    let online = online();
    online.web.put("login.test", "/", Answer::html(401, "<p>who are you?"));
    keep(&online, "https://login.test/", &aspirin_page("Members only"));
    let answer = search(&online, &["https://login.test/"], 20, |_| {}).await;
    assert_eq!(answer.missed.len(), 1);
    assert_eq!(online.asked(ARCHIVE).len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_share_of_the_pages_may_be_read_so() {
    let online = online();
    for host in ["one.test", "two.test", "three.test"] {
        online.web.put(host, "/", Answer::html(404, "<p>not here"));
    }
    let urls = ["https://one.test/", "https://two.test/", "https://three.test/"];
    online.web.put(ARCHIVE, "/cdx/search/cdx", Answer::json(200, &json!([])));
    // 15 % of ten pages, rounded up.
    let answer = search(&online, &urls, 10, |_| {}).await;
    assert_eq!(answer.missed.len(), 3);
    assert_eq!(online.asked(ARCHIVE).len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn it_can_be_switched_off() {
    let online = online();
    online.web.put("gone.test", "/", Answer::html(404, "<p>not here"));
    keep(&online, "https://gone.test/", &aspirin_page("As it was"));
    let off = |it: &mut research::Settings| it.versions.enabled = false;
    let answer = search(&online, &["https://gone.test/"], 20, off).await;
    assert_eq!(answer.missed.len(), 1);
    assert_eq!(online.asked(ARCHIVE).len(), 0);
}
