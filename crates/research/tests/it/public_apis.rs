//! Official APIs in a search: asked when the question is about what they know, and read without a request to their pages.

use research::Engine;
use research::calls::{
    CreateTask, SearchAnswer, SearchCall, SearchOptions, SourceKind, TaskConfig,
};
use serde_json::json;
use sources::Access;
use sources::apis::{ApiSettings, Apis};
use testweb::{Fault, World};

use crate::support::{Online, online_in, rows};

async fn ask(online: &Online, source: SourceKind, query: &str) -> SearchAnswer {
    let mut parts = online.parts();
    parts.apis = Apis::load(None, ApiSettings::default());
    let engine = Engine::new(parts);
    let config = TaskConfig { sources: vec![source], ..TaskConfig::default() };
    let call = CreateTask { query: query.to_owned(), hypothesis: None, config };
    let task_id = engine.create_task(call).await.unwrap().task_id;
    let options = SearchOptions::default();
    engine.search(SearchCall { task_id, query: query.to_owned(), options }).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_only_a_law_says_becomes_a_claim_with_the_archived_answer_behind_it() {
    let online = online_in(World::of_size(1, 16));
    let question = "敷金の返還は法律で定められているか";
    let answer = ask(&online, SourceKind::Api, question).await;
    assert_ne!(answer.claims_found.len(), 0);
    assert_eq!(
        rows(
            &online.graph,
            "SELECT DISTINCT p.url, p.page_type, a.record_id IS NOT NULL FROM claims c
             JOIN fragments f ON f.id = c.origin_fragment_id JOIN pages p ON p.id = f.page_id
             LEFT JOIN archive_records a ON a.record_id = json_extract(p.archive_ref, '$.record_id')"
        ),
        [[json!("https://laws.e-gov.go.jp/law/405AC0000000016"), json!("record"), json!(1)]]
    );
    // One question to the API, none to the page of the law, and none to APIs that know nothing of laws.
    let asked: Vec<String> = online.asked("laws.e-gov.go.jp");
    assert_eq!(asked.len(), 1, "{asked:?}");
    assert!(asked[0].starts_with("/api/2/keyword?keyword=%E6%95%B7%E9%87%91"), "{asked:?}");
    assert_eq!(online.web.domains_asked(), ["e-gov.go.jp"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_about_nothing_an_api_knows_asks_none() {
    let online = online_in(World::of_size(1, 16));
    let answer = ask(&online, SourceKind::Api, "Is the sky blue?").await;
    assert_eq!((answer.pages_fetched, online.web.total_requests()), (0, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_api_that_fails_is_not_let_in_and_an_empty_one_is_nothing_there() {
    let online = online_in(World::of_size(1, 16));
    let down = vec![Fault::Status(503); 5];
    online.web.script("laws.e-gov.go.jp", down);
    let answer = ask(&online, SourceKind::Api, "国会の法律に敷金の定めはあるか").await;
    let states: Vec<(&str, Access)> =
        answer.sources.iter().map(|it| (it.source.as_str(), it.access)).collect();
    let expected = [("diet_minutes", Access::NothingThere), ("egov_law", Access::NotLetIn)];
    assert_eq!(states, expected);
    assert_eq!(answer.sources[1].detail.as_deref(), Some("it answered 503"));
    let became = rows(
        &online.graph,
        "SELECT s.value ->> 'source', s.value ->> 'access' FROM jobs j,
         json_each(j.result, '$.sources') s WHERE j.kind = 'serp' ORDER BY 1",
    );
    assert_eq!(
        became,
        [[json!("diet_minutes"), json!("nothing_there")], [json!("egov_law"), json!("not_let_in")],]
    );
}
