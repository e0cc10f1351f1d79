//! Manuals as a source of a search.

use std::sync::Arc;

use library::{ManualOptions, Manuals};
use research::calls::{CreateTask, SearchCall, SearchOptions, SourceKind, TaskConfig};
use research::{Engine, ManualSource};

use crate::support::{online, parts};

#[tokio::test(flavor = "multi_thread")]
async fn a_section_of_a_manual_becomes_a_page_that_knows_its_lines() {
    let online = online();
    let root = online.folder.path().join("manuals");
    std::fs::create_dir_all(root.join("ward")).unwrap();
    let file = root.join("ward/insulin.md");
    let text = "# Insulin\n\nThe ward keeps insulin.\n\n## Storage\n\nOpened insulin pens are stored at room temperature \
                for up to 28 days.\n\n## Disposal\n\nNeedles are put into the yellow box.\n";
    std::fs::write(&file, text).unwrap();
    let mut parts = parts(online.fetcher.clone());
    let state = online.folder.path().join("state");
    let options = ManualOptions { root: root.clone(), state, ..ManualOptions::default() };
    parts.manuals =
        Some(ManualSource { root: root.clone(), manuals: Arc::new(Manuals::new(options)) });
    let engine = Engine::new(parts);
    let config = TaskConfig {
        sources: vec![SourceKind::Library],
        library: vec![root],
        ..TaskConfig::default()
    };
    let query = "How long are opened insulin pens stored?".to_owned();
    let call = CreateTask { query: query.clone(), hypothesis: None, config };
    let task_id = engine.create_task(call).await.unwrap().task_id;
    engine.search(SearchCall { task_id, query, options: SearchOptions::default() }).await.unwrap();
    let pages = engine.graph().read(|r| r.read_pages_of(task_id)).unwrap();
    let storage = pages.iter().find(|it| it.url.ends_with("#L5-L8")).unwrap();
    assert!(storage.url.ends_with("/manuals/ward/insulin.md#L5-L8"), "{}", storage.url);
    let passages = engine.graph().read(|r| r.passages_of(storage.id)).unwrap();
    let texts: Vec<&str> = passages.iter().map(|it| it.text.as_str()).collect();
    assert_eq!(
        texts,
        ["Storage\n\nOpened insulin pens are stored at room temperature for up to 28 days."]
    );
    let claims = engine.graph().read(|r| r.claims_of(task_id)).unwrap();
    assert_eq!(claims.len(), 1);
}
