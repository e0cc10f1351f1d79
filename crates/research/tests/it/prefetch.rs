//! Pages that are fetched before their turn.

use evidence::StopReason;
use judge::novelty::NoveltySettings;
use research::calls::{
    CreateTask, Progress, SearchAnswer, SearchCall, SearchOptions, SourceKind, TaskConfig,
};
use research::{Engine, Parts};

use crate::support::{Online, aspirin_page, declare_engines, online, result_page};

const ADDRESSES: [&str; 3] = ["https://one.test/", "https://two.test/", "https://three.test/"];

/// An engine that reads one page in each cycle, and an internet where a search finds three.
fn one_by_one(change: impl FnOnce(&mut Parts)) -> (Online, Engine) {
    let online = online();
    let mut parts = online.parts();
    parts.engines = declare_engines(online.folder.path(), &["alpha"]);
    parts.settings.search.cycle_pages = 1;
    change(&mut parts);
    online.web.put("alpha.test", "/search", result_page(&ADDRESSES));
    for host in ["one.test", "two.test", "three.test"] {
        online.put(host, "/", &aspirin_page(host));
    }
    (online, Engine::new(parts))
}

async fn search(engine: &Engine) -> SearchAnswer {
    let config = TaskConfig { sources: vec![SourceKind::Web], ..TaskConfig::default() };
    let call = CreateTask { query: "aspirin".to_owned(), hypothesis: None, config };
    let task_id = engine.create_task(call).await.unwrap().task_id;
    let options = SearchOptions::default();
    let call = SearchCall { task_id, query: "aspirin and bleeding".to_owned(), options };
    engine.search(call).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_next_page_is_on_its_way_while_one_is_judged_and_is_recorded_in_its_turn() {
    let (_online, engine) = one_by_one(|_| {});
    let mut progress = engine.progress();
    search(&engine).await;
    let mut seen = Vec::new();
    while let Ok(event) = progress.try_recv() {
        match event {
            Progress::Reading { url, .. } => seen.push(format!("asks {url}")),
            Progress::PageRead { url, .. } => seen.push(format!("has {url}")),
            Progress::Judged { .. } => seen.push("judged".to_owned()),
            _ => {}
        }
    }
    assert_eq!(
        seen,
        [
            "asks https://one.test/",
            "has https://one.test/",
            "asks https://two.test/",
            "judged",
            "has https://two.test/",
            "asks https://three.test/",
            "judged",
            "has https://three.test/",
            "judged",
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_may_not_be_wanted_any_more_is_not_asked_for() {
    // No share of new passages is enough, so the search is at its end after the first page.
    let dry = NoveltySettings { cycle: 1, dry_cycles: 1, least: 1.1, ..NoveltySettings::default() };
    let (online, engine) = one_by_one(|parts| parts.settings.novelty = dry);
    let answer = search(&engine).await;
    assert_eq!(answer.stop_reason, Some(StopReason::NothingNew));
    let asked = ["one.test", "two.test", "three.test"].map(|it| online.asked(it).len());
    assert_eq!(asked, [1, 0, 0]);
}
