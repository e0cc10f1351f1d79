//! A task that was begun offline stays so, whoever goes on with it.

use research::Engine;
use research::calls::{CreateTask, SearchAnswer, SearchCall, SearchOptions, TaskConfig};
use serde_json::Value;
use testweb::World;

use crate::support::{
    Online, aspirin_page, declare_engines, online_in, quick_indexes, result_page, rows,
};

const QUESTION: &str = "Does aspirin thin the blood?";

fn engine(small: &Online, is_online: bool) -> Engine {
    let mut parts = small.parts();
    parts.engines = declare_engines(small.folder.path(), &["alpha"]);
    parts.academic = quick_indexes();
    if !is_online {
        parts.fetcher = parts.fetcher.offline();
    }
    Engine::new(parts)
}

async fn ask(engine: &Engine, task_id: evidence::TaskId, query: &str) -> SearchAnswer {
    let options = SearchOptions { urls: vec!["https://page.test/a".into()], ..Default::default() };
    engine.search(SearchCall { task_id, query: query.to_owned(), options }).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_begun_offline_sends_nothing_until_a_person_widens_it() {
    let small = online_in(World::new(1));
    small.web.put("alpha.test", "/search", result_page(&["https://page.test/a"]));
    small.put("page.test", "/a", &aspirin_page("Aspirin"));
    let call =
        CreateTask { query: QUESTION.to_owned(), hypothesis: None, config: TaskConfig::default() };
    let task = engine(&small, false).create_task(call).await.unwrap().task_id;

    // Another process, which may use the network.
    let online = engine(&small, true);
    assert!(online.is_offline(task).await.unwrap());
    let answer = ask(&online, task, QUESTION).await;
    assert_eq!(small.web.log().len(), 0, "{:?}", small.web.log());
    assert_eq!(answer.pages_fetched, 0);
    assert_eq!(rows(&small.graph, "SELECT count(*) FROM egress"), [[Value::from(0)]]);

    online.go_online(task).await.unwrap();
    assert!(!online.is_offline(task).await.unwrap());
    ask(&online, task, "aspirin blood").await;
    assert_eq!(small.asked("page.test"), ["/a"]);
    let widened = "SELECT count(*) FROM events WHERE kind = 'task_widened' AND task_id IS NOT NULL";
    assert_eq!(rows(&small.graph, widened), [[Value::from(1)]]);
}
