//! Sections of a folder of documents as sources of a search.

use std::path::Path;

use research::Engine;
use research::calls::{CreateTask, SearchCall, SearchOptions, SourceKind, TaskConfig};

use crate::support::online;

/// A manual that is too long to be one section.
fn manual() -> String {
    let rules = "The ward keeps a list of its medicines and checks it every week. ".repeat(80);
    format!(
        "---\nauthor: The pharmacy\n---\n# Medicines\n\n{rules}\n\n## Storage of insulin\n\nOpened insulin pens are stored \
         at room temperature for up to 28 days.\n\n## Disposal\n\nNeedles are put into the yellow box.\n"
    )
}

/// The pages a search read: address, publisher, passages; and how many claims they gave.
async fn searched(engine: &Engine, root: &Path) -> (Vec<(String, String, Vec<String>)>, usize) {
    let config = TaskConfig {
        sources: vec![SourceKind::Library],
        library: vec![root.to_owned()],
        ..TaskConfig::default()
    };
    let query = "How long are opened insulin pens stored?".to_owned();
    let call = CreateTask { query: query.clone(), hypothesis: None, config };
    let task_id = engine.create_task(call).await.unwrap().task_id;
    engine.search(SearchCall { task_id, query, options: SearchOptions::default() }).await.unwrap();
    let claims = engine.graph().read(|r| r.claims_of(task_id)).unwrap();
    let pages = engine.graph().read(|r| r.read_pages_of(task_id)).unwrap();
    let shown = |page: &graph::PageForAssessment| {
        let passages = engine.graph().read(|r| r.passages_of(page.id)).unwrap();
        (page.url.clone(), page.domain.clone(), passages.into_iter().map(|it| it.text).collect())
    };
    (pages.iter().map(shown).collect(), claims.len())
}

/// Whatever the folder is: the manuals of the settings have no engine of their own.
#[tokio::test(flavor = "multi_thread")]
async fn a_section_of_a_long_document_becomes_a_page_that_knows_its_lines() {
    let online = online();
    let root = online.folder.path().join("manuals");
    std::fs::create_dir_all(root.join("ward")).unwrap();
    std::fs::write(root.join("ward/insulin.md"), manual()).unwrap();
    let engine = Engine::new(online.parts());
    let (pages, claims) = searched(&engine, &root).await;
    assert_eq!(claims, 1);
    let (url, domain, passages) = pages.iter().find(|it| it.0.contains("#L8-L11")).unwrap();
    assert!(url.ends_with("/manuals/ward/insulin.md#L8-L11"), "{url}");
    // What the file says about itself is said of its sections.
    assert_eq!(domain, "library:The pharmacy");
    assert_eq!(
        passages[..],
        [
            "Storage of insulin\n\nOpened insulin pens are stored at room temperature for up to 28 days."
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_short_document_is_one_page_under_the_address_of_its_file() {
    let online = online();
    let root = online.folder.path().join("notes");
    std::fs::create_dir_all(&root).unwrap();
    let text = "# Insulin\n\nThe ward keeps insulin.\n\n## Storage\n\nOpened insulin pens are stored at room temperature \
                for up to 28 days.\n";
    std::fs::write(root.join("insulin.md"), text).unwrap();
    let engine = Engine::new(online.parts());
    let (pages, _) = searched(&engine, &root).await;
    assert_eq!(pages.len(), 1);
    assert!(pages[0].0.ends_with("/notes/insulin.md"), "{}", pages[0].0);
    assert_eq!(pages[0].1, "library:insulin.md");
}
