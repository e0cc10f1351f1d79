//! Asking sources for a search, on the small internet: who waits for whom, and who is not waited for.

use std::time::{Duration, Instant};

use evidence::{SearchStatus, StopReason, TaskId};
use research::Engine;
use research::calls::{
    BudgetConfig, CreateTask, Progress, SearchAnswer, SearchCall, SearchOptions, SourceKind,
    StopTask, TaskConfig,
};
use sources::academic::{Academic, AcademicSettings};
use sources::{ApiLimits, Engines};
use testweb::{Fault, World, topics};
use tokio::task::JoinHandle;

use crate::support::{Online, aspirin_page, online_in, quick_indexes};

const MOJEEK: &str = include_str!("../../../sources/engines/mojeek.toml");

/// Engines with one that is asked only so often; a source has one second for its answers.
fn engine_with_mojeek(online: &Online, limits: &str) -> Engine {
    let folder = online.folder.path().join("engines");
    std::fs::create_dir(&folder).unwrap();
    let declared = MOJEEK.split_once("[limits]").unwrap().0;
    std::fs::write(
        folder.join("mojeek.toml"),
        format!("{declared}[limits]\nper_day = 100\n{limits}"),
    )
    .unwrap();
    let mut parts = online.parts();
    parts.engines = Engines::load(Some(&folder));
    assert_eq!(format!("{:?}", parts.engines.problems()), "[]");
    parts.settings.search.source_timeout_seconds = 1;
    Engine::new(parts)
}

async fn task(engine: &Engine, source: SourceKind, max_seconds: Option<u32>) -> TaskId {
    let config = TaskConfig {
        sources: vec![source],
        budget: BudgetConfig { max_pages: Some(1), max_seconds },
        ..TaskConfig::default()
    };
    let call = CreateTask { query: "What is known?".to_owned(), hypothesis: None, config };
    engine.create_task(call).await.unwrap().task_id
}

async fn search(engine: &Engine, task_id: TaskId, query: &str) -> SearchAnswer {
    let options = SearchOptions {
        engines: vec!["mojeek".to_owned()],
        max_pages: Some(1),
        ..SearchOptions::default()
    };
    engine.search(SearchCall { task_id, query: query.to_owned(), options }).await.unwrap()
}

/// A second search that has begun and waits for the engine.
async fn waiting(engine: &Engine, task: TaskId) -> JoinHandle<SearchAnswer> {
    let mut progress = engine.progress();
    let (owned, query) = (engine.clone(), topics()[1].name.en);
    let waiting = tokio::spawn(async move { search(&owned, task, query).await });
    while !matches!(progress.recv().await.unwrap(), Progress::SearchStarted { .. }) {}
    waiting
}

/// What each source gave, by query: `mojeek "heat pumps": 10` or the problem.
fn asked(engine: &Engine) -> Vec<String> {
    let sql = "SELECT json_extract(s.value, '$.source'), json_extract(s.value, '$.found'),
                      json_extract(s.value, '$.problem')
               FROM jobs, json_each(jobs.result, '$.sources') s WHERE jobs.kind = 'serp' ORDER BY jobs.id, 1";
    let answer = engine.graph().query(sql, &graph::QuerySettings::default()).unwrap();
    let line = |row: Vec<serde_json::Value>| match row[2].as_str() {
        Some(problem) => format!("{}: {problem}", row[0].as_str().unwrap()),
        None => format!("{}: found {}", row[0].as_str().unwrap(), row[1].as_u64().unwrap() > 0),
    };
    answer.table.rows.into_iter().map(line).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn waiting_for_the_turn_of_an_engine_is_not_its_silence() {
    let online = online_in(World::to_study(1, 16));
    let engine = engine_with_mojeek(&online, "per_second = 0.25\nspacing_seconds = [0.0, 0.0]");
    let task = task(&engine, SourceKind::Web, None).await;
    let begun = Instant::now();
    let (one, other) = tokio::join!(
        search(&engine, task, topics()[0].name.en),
        search(&engine, task, topics()[1].name.en)
    );
    assert!(begun.elapsed() >= Duration::from_secs(4), "{:?}", begun.elapsed());
    assert!(!one.running && !other.running);
    assert_eq!(asked(&engine), ["mojeek: found true", "mojeek: found true"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_engine_that_is_silent_has_as_long_as_the_settings_say() {
    let online = online_in(World::to_study(1, 16));
    online.web.script("www.mojeek.com", vec![Fault::Slow(20_000)]);
    let engine = engine_with_mojeek(&online, "per_second = 0.25\nspacing_seconds = [0.0, 0.0]");
    let task = task(&engine, SourceKind::Web, None).await;
    search(&engine, task, topics()[0].name.en).await;
    assert_eq!(asked(&engine), ["mojeek: www.mojeek.com did not answer within 1 s"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn waiting_for_the_turn_of_an_index_is_not_its_silence() {
    let online = online_in(World::to_study(1, 16));
    let mut parts = online.parts();
    let slowly = ApiLimits {
        concurrent: 1,
        per_second: 100.0,
        spacing_min_ms: 1_200,
        spacing_max_ms: 1_200,
        per_day: 1_000,
    };
    let academic = AcademicSettings::with_limits(&slowly);
    parts.academic = Academic::new(academic, sources::canonical::LikenessSettings::default());
    parts.settings.search.source_timeout_seconds = 1;
    parts.settings.citations.top_papers = 0;
    let engine = Engine::new(parts);
    let task = task(&engine, SourceKind::Academic, None).await;
    tokio::join!(
        search(&engine, task, topics()[0].name.en),
        search(&engine, task, topics()[1].name.en),
        search(&engine, task, topics()[2].name.en)
    );
    let found = asked(&engine);
    let both = ["openalex: found true", "semantic_scholar: found true"];
    assert_eq!(found, [both, both, both].concat());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_ends_the_wait_for_a_turn() {
    let online = online_in(World::to_study(1, 16));
    let engine = engine_with_mojeek(&online, "per_second = 0.25\nspacing_seconds = [60.0, 60.0]");
    let task = task(&engine, SourceKind::Web, None).await;
    search(&engine, task, topics()[0].name.en).await;
    let waiting = waiting(&engine, task).await;
    let begun = Instant::now();
    engine.stop_task(StopTask { task_id: task, reason: None }).await.unwrap();
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    let answer = waiting.await.unwrap();
    assert_eq!(answer.stop_reason, Some(StopReason::Stopped));
    assert_eq!(online.asked("www.mojeek.com").len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pause_ends_the_wait_for_a_turn_and_a_resume_asks_again() {
    let online = online_in(World::to_study(1, 16));
    let engine = engine_with_mojeek(&online, "per_second = 0.25\nspacing_seconds = [3.0, 3.0]");
    let task = task(&engine, SourceKind::Web, None).await;
    search(&engine, task, topics()[0].name.en).await;
    let waiting = waiting(&engine, task).await;
    engine.pause_task(task, "lunch").await.unwrap();
    assert!(waiting.await.unwrap().running, "it continues when the task does");
    assert_eq!(online.asked("www.mojeek.com").len(), 1);
    let status = engine.resume_task(task).await.unwrap();
    assert!(status.searches.iter().all(|it| it.search.status != SearchStatus::Running));
    assert_eq!(online.asked("www.mojeek.com").len(), 2);
    assert_eq!(asked(&engine), ["mojeek: found true", "mojeek: found true"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_time_of_a_task_ends_the_wait_for_a_turn() {
    let online = online_in(World::to_study(1, 16));
    let engine = engine_with_mojeek(&online, "per_second = 0.25\nspacing_seconds = [60.0, 60.0]");
    let first = task(&engine, SourceKind::Web, None).await;
    search(&engine, first, topics()[0].name.en).await;
    let short = task(&engine, SourceKind::Web, Some(1)).await;
    let begun = Instant::now();
    let answer = search(&engine, short, topics()[1].name.en).await;
    assert_eq!(answer.stop_reason, Some(StopReason::TimeBudget));
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_ends_the_wait_for_a_page_and_keeps_what_was_read() {
    let online = online_in(World::to_study(1, 16));
    online.put("quick.test", "/", &aspirin_page("Quick"));
    online.put("slow.test", "/", &aspirin_page("Slow"));
    online.web.script("slow.test", vec![Fault::Slow(30_000)]);
    let engine = Engine::new(online.parts());
    let config = TaskConfig { sources: vec![SourceKind::Library], ..TaskConfig::default() };
    let call = CreateTask { query: "aspirin".to_owned(), hypothesis: None, config };
    let task_id = engine.create_task(call).await.unwrap().task_id;
    let options = SearchOptions {
        urls: vec!["https://slow.test/".to_owned(), "https://quick.test/".to_owned()],
        ..SearchOptions::default()
    };
    let running = tokio::spawn({
        let engine = engine.clone();
        let call = SearchCall { task_id, query: "aspirin".to_owned(), options };
        async move { engine.search(call).await.unwrap() }
    });
    let archived = || online.graph.read(|r| r.archive_of("https://quick.test/")).unwrap();
    while archived().is_empty() || online.asked("slow.test").is_empty() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    // What it says is read a moment after it came.
    tokio::time::sleep(Duration::from_secs(1)).await;
    let begun = Instant::now();
    engine.stop_task(StopTask { task_id, reason: None }).await.unwrap();
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    let answer = running.await.unwrap();
    assert_eq!((answer.stop_reason, answer.pages_fetched), (Some(StopReason::Stopped), 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_index_is_asked_once_about_a_work_that_two_searches_of_a_task_name() {
    let online = online_in(World::to_study(1, 16));
    let doi = online.web.world().papers()[0].doi.clone();
    let mut parts = online.parts();
    parts.academic = quick_indexes();
    parts.settings.citations.depth = 0;
    let engine = Engine::new(parts);
    let search = async |task_id: TaskId, query: &str| {
        let options = SearchOptions { dois: vec![doi.clone()], ..SearchOptions::default() };
        let call = SearchCall { task_id, query: query.to_owned(), options };
        assert_eq!(engine.search(call).await.unwrap().pages_fetched, 1);
    };
    let first = task(&engine, SourceKind::Library, None).await;
    search(first, "the first").await;
    search(first, "the second").await;
    let other = task(&engine, SourceKind::Library, None).await;
    search(other, "the third").await;
    let asked = ["api.openalex.org", "api.semanticscholar.org"].map(|it| online.asked(it).len());
    assert_eq!(asked, [2, 2], "once for each task");
}
