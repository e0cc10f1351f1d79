//! What a task is judged by, and claims that meet their opposites.

use evidence::TaskId;
use research::Engine;
use research::calls::{CreateTask, SearchCall, SearchOptions, SourceKind, TaskConfig};

use crate::support::{offline_engine, rows};

async fn create(engine: &Engine, query: &str, hypothesis: Option<&str>) -> TaskId {
    let call = CreateTask {
        query: query.to_owned(),
        hypothesis: hypothesis.map(ToOwned::to_owned),
        config: TaskConfig::default(),
    };
    engine.create_task(call).await.unwrap().task_id
}

/// The hypothesis of a task, the claim that is judged for it, and what it was made of.
fn asked(engine: &Engine, task: TaskId) -> (Option<String>, Option<String>, Option<String>) {
    let graph = engine.graph();
    let hypothesis = graph.read(|r| r.task(task)).unwrap().hypothesis;
    let judged = graph.read(|r| match r.hypothesis_of(task)? {
        Some(claim) => Ok(Some(r.claim(claim)?.claim_text)),
        None => Ok(None),
    });
    let created =
        rows(graph, "SELECT detail FROM events WHERE kind = 'task_create' ORDER BY id DESC");
    let detail: serde_json::Value = serde_json::from_str(created[0][0].as_str().unwrap()).unwrap();
    (hypothesis, judged.unwrap(), detail["hypothesis_from"].as_str().map(ToOwned::to_owned))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_yes_no_question_is_judged_by_the_statement_it_asks_about() {
    let home = tempfile::tempdir().unwrap();
    let engine = offline_engine(home.path());
    let text = |it: &str| Some(it.to_owned());
    for (question, hypothesis, expected) in [
        (
            "Does vitamin D reduce falls in older adults?",
            None,
            (
                text("Vitamin D reduces falls in older adults."),
                text("Vitamin D reduces falls in older adults."),
                text("question"),
            ),
        ),
        (
            "在宅勤務は生産性を下げるか",
            None,
            (
                text("在宅勤務は生産性を下げる。"),
                text("在宅勤務は生産性を下げる。"),
                text("question"),
            ),
        ),
        ("Which factors cause falls?", None, (None, None, None)),
        (
            "Does vitamin D reduce falls in older adults?",
            Some("Vitamin D prevents fractures."),
            (text("Vitamin D prevents fractures."), text("Vitamin D prevents fractures."), None),
        ),
        (
            "What is known about vitamin D?",
            Some("Does vitamin D prevent fractures?"),
            (
                text("Vitamin D prevents fractures."),
                text("Vitamin D prevents fractures."),
                text("hypothesis"),
            ),
        ),
        // It stays as it was given, and nothing is judged.
        (
            "What is known about vitamin D?",
            Some("falls, fractures, bones"),
            (text("falls, fractures, bones"), None, None),
        ),
    ] {
        let task = create(&engine, question, hypothesis).await;
        assert_eq!(asked(&engine, task), expected, "{question} {hypothesis:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_claim_and_its_opposite_are_one_claim_with_two_sides() {
    let home = tempfile::tempdir().unwrap();
    let library = home.path().join("library");
    std::fs::create_dir(&library).unwrap();
    let write = |name: &str, text: &str| std::fs::write(library.join(name), text).unwrap();
    write(
        "one.md",
        "# Bergen\n\nWorking from home lowered the productivity of the clerks in Bergen.\n",
    );
    write(
        "two.md",
        "# A second look\n\nThe records were read again. Working from home did not lower the productivity of the \
         clerks in Bergen.\n",
    );
    let engine = offline_engine(home.path());
    let config = TaskConfig {
        sources: vec![SourceKind::Library],
        library: vec![library],
        ..TaskConfig::default()
    };
    let query = "What did working from home do to the productivity of clerks in Bergen?".to_owned();
    let call = CreateTask { query: query.clone(), hypothesis: None, config };
    let task_id = engine.create_task(call).await.unwrap().task_id;
    engine.search(SearchCall { task_id, query, options: SearchOptions::default() }).await.unwrap();
    let claims = engine.graph().read(|r| r.claims_of(task_id)).unwrap();
    let sides: Vec<(u32, u32)> = claims
        .iter()
        .filter(|it| it.claim.claim_text.contains("productivity"))
        .map(|it| (it.support_count, it.refute_count))
        .collect();
    assert_eq!(sides, [(1, 1)]);
}
