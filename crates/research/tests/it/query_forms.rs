//! What a search is limited to: it reaches the sources in their words, and results carry dates and kinds.

use research::Engine;
use research::calls::{CreateTask, QueryForm, SearchCall, SearchOptions, SourceKind, TaskConfig};
use serde_json::json;
use sources::Category;
use testweb::{Answer, World};

use crate::support::{Online, aspirin_page, declare_engines, online_in, rows};

/// A result page with a date in each result.
fn dated(results: &[(&str, &str)]) -> Answer {
    let item = |(url, date): &(&str, &str)| {
        format!(
            "<li><h2><a class='title' href='{url}'>Aspirin at {url}</a></h2>\
             <p class='s'><span class='mdate'>{date}</span> All about aspirin.</p></li>"
        )
    };
    let items: String = results.iter().map(item).collect();
    Answer::html(200, format!("<ul class='results-standard'>{items}</ul>"))
}

fn small() -> Online {
    let online = online_in(World::to_study(1, 16));
    online.web.put(
        "one.test",
        "/search",
        dated(&[("https://new.test/a", "2024-06-30"), ("https://old.test/a", "2019-01-01")]),
    );
    for host in ["new.test", "old.test"] {
        online.put(host, "/a", &aspirin_page(host));
    }
    online
}

async fn search(online: &Online, config: TaskConfig, only: QueryForm) {
    let mut parts = online.parts();
    parts.engines = declare_engines(online.folder.path(), &["one"]);
    let engine = Engine::new(parts);
    let config = TaskConfig { sources: vec![SourceKind::Web], ..config };
    let call = CreateTask { query: "aspirin".to_owned(), hypothesis: None, config };
    let task_id = engine.create_task(call).await.unwrap().task_id;
    let engines = vec!["one".to_owned()];
    let options = SearchOptions { engines, only, ..SearchOptions::default() };
    engine.search(SearchCall { task_id, query: "aspirin".to_owned(), options }).await.unwrap();
}

/// What the engine was asked, parameter by parameter.
fn asked(online: &Online) -> Vec<(String, String)> {
    let path = online.asked("one.test").remove(0);
    let url = url::Url::parse(&format!("https://one.test{path}")).unwrap();
    url.query_pairs().map(|it| (it.0.into_owned(), it.1.into_owned())).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn limits_are_said_in_the_words_of_the_engine_and_held_where_dates_are_known() {
    let online = small();
    let only = QueryForm {
        phrases: vec!["bleeding risk".to_owned()],
        required: vec!["adults".to_owned()],
        excluded: vec!["children".to_owned()],
        in_title: Some("trial".to_owned()),
        after: Some("2024".to_owned()),
        category: Some(Category::Academic),
        filetype: Some("pdf".to_owned()),
        ..QueryForm::default()
    };
    search(&online, TaskConfig::default(), only).await;
    let query = asked(&online).into_iter().find(|it| it.0 == "q").unwrap().1;
    assert_eq!(query, "aspirin \"bleeding risk\" +adults intitle:trial -children since:20240101");
    // The engine listed a page of 2019 all the same: it is on record, and not read.
    assert_eq!(
        rows(&online.graph, "SELECT url, published_at, source_tag FROM serp_items ORDER BY rank"),
        [
            [json!("https://new.test/a"), json!("2024-06-30"), json!("web")],
            [json!("https://old.test/a"), json!("2019-01-01"), json!("web")],
        ]
    );
    assert_eq!((online.asked("new.test").len(), online.asked("old.test").len()), (1, 0));
    // What the engine cannot say is told.
    let notes = rows(
        &online.graph,
        "SELECT s.value ->> '$.notes[0]' FROM jobs j, json_each(j.result, '$.sources') s
         WHERE j.kind = 'serp'",
    );
    assert_eq!(notes, [[json!("it has no `filetype`: asked without it")]]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_language_of_the_task_is_asked_for_and_a_search_may_name_another() {
    let online = small();
    let config = TaskConfig { language: Some("ja-JP".to_owned()), ..TaskConfig::default() };
    search(&online, config.clone(), QueryForm::default()).await;
    let language = |online: &Online| asked(online).into_iter().find(|it| it.0 == "lb").unwrap().1;
    assert_eq!(language(&online), "ja");
    let other = small();
    let only = QueryForm { language: Some("en".to_owned()), ..QueryForm::default() };
    search(&other, config, only).await;
    assert_eq!(language(&other), "en");
}
