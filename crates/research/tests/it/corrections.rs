//! Notices that take something back, as far as they change who is heard.

use std::path::Path;

use evidence::TaskId;
use research::Engine;
use research::calls::{CreateTask, SearchCall, SearchOptions, TaskConfig};
use serde_json::Value;

use crate::support::{offline_engine, rows};

/// A task that has read these documents.
async fn read(
    engine: &Engine,
    folder: &Path,
    documents: &[(&str, &str)],
    hypothesis: &str,
    query: &str,
) -> TaskId {
    for (name, text) in documents {
        std::fs::write(folder.join(name), text).unwrap();
    }
    let config = TaskConfig { library: vec![folder.to_owned()], ..TaskConfig::default() };
    let hypothesis = Some(hypothesis.to_owned());
    let call = CreateTask { query: query.to_owned(), hypothesis, config };
    let task_id = engine.create_task(call).await.unwrap().task_id;
    let options = SearchOptions::default();
    engine.search(SearchCall { task_id, query: query.to_owned(), options }).await.unwrap();
    task_id
}

/// Each judgement that takes a side: claim, file, side, and why it does not count.
fn judgements(engine: &Engine) -> Vec<String> {
    let found = rows(
        engine.graph(),
        "SELECT c.claim_text, replace(p.domain, 'library:', ''), e.relation, coalesce(e.uncounted, 'heard')
         FROM edges e JOIN claims c ON c.id = e.target_id JOIN fragments f ON f.id = e.source_id
         JOIN pages p ON p.id = f.page_id WHERE e.relation IN ('supports', 'refutes')
         ORDER BY c.claim_text, p.domain, e.relation",
    );
    let text = |it: &Value| it.as_str().unwrap_or_default().to_owned();
    found.iter().map(|row| row.iter().map(text).collect::<Vec<_>>().join(" | ")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_correction_speaks_against_what_it_is_about_and_is_one_source_with_its_work() {
    let documents = [
        (
            "work.md",
            "---\ndoi: 10.1000/tea\n---\n# Green tea and the sleep of adults\n\n\
             Green tea lengthened the sleep of adults by 40 minutes. \
             Green tea lowered the pulse of 200 women from Osaka who drank it before sleep.",
        ),
        (
            "correction.md",
            "# Correction: Green tea and the sleep of adults\n\nIn the original article, there was an error. \
             Green tea did not lengthen the sleep of adults by 40 minutes (doi:10.1000/tea).",
        ),
    ];
    let (home, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let engine = offline_engine(home.path());
    let hypothesis = "Coffee wakes children.";
    read(&engine, folder.path(), &documents, hypothesis, "green tea and the sleep of adults").await;
    assert_eq!(
        judgements(&engine),
        [
            "Green tea lengthened the sleep of adults by 40 minutes. | correction.md | refutes | heard",
            "Green tea lengthened the sleep of adults by 40 minutes. | work.md | supports | same_voice",
            "Green tea lowered the pulse of 200 women from Osaka who drank it before sleep. | work.md | supports | heard",
        ]
    );
    let noted = rows(engine.graph(), "SELECT count(*) FROM claim_events WHERE kind = 'corrected'");
    assert_eq!(noted, [[2]], "both claims of the work have been corrected");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_correction_that_lets_the_conclusions_stand_refutes_nothing() {
    let documents = [
        (
            "work.md",
            "# Green tea and the sleep of adults\n\nGreen tea lengthened the sleep of adults by 40 minutes.",
        ),
        (
            "correction.md",
            "# Correction: Green tea and the sleep of adults\n\nIn the original article, there was an error: green tea \
             was misspelt where it lengthened the sleep of adults. This does not affect the conclusions.",
        ),
    ];
    let (home, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let engine = offline_engine(home.path());
    let hypothesis = "Coffee wakes children.";
    read(&engine, folder.path(), &documents, hypothesis, "green tea and the sleep of adults").await;
    assert_eq!(
        judgements(&engine),
        ["Green tea lengthened the sleep of adults by 40 minutes. | work.md | supports | heard"]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_japanese_correction_names_its_work_by_title() {
    let documents = [
        (
            "work.md",
            "# 緑茶と成人の睡眠に関する調査\n\n緑茶は成人の睡眠を40分延ばした。調査には大阪の200人が参加した。",
        ),
        (
            "teisei.md",
            "# 訂正のお知らせ\n\n「緑茶と成人の睡眠に関する調査」を以下のとおり訂正いたします。\
             緑茶は成人の睡眠を40分延ばしたと記しましたが、正しくは4分でした。",
        ),
    ];
    let (home, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let engine = offline_engine(home.path());
    read(&engine, folder.path(), &documents, "珈琲は子供を起こす。", "緑茶は成人の睡眠を延ばすか")
        .await;
    let against: Vec<_> =
        judgements(&engine).into_iter().filter(|it| it.contains("40分")).collect();
    assert_eq!(
        against,
        [
            "緑茶は成人の睡眠を40分延ばした。 | teisei.md | refutes | heard",
            "緑茶は成人の睡眠を40分延ばした。 | work.md | supports | same_voice",
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_of_a_retracted_document_without_a_doi_is_heard_for_any_claim() {
    let documents = [
        (
            "dreams.md",
            "# Green tea and the dreams of adults\n\nGreen tea doubled the number of dreams that adults remember.",
        ),
        (
            "notice.md",
            "# Retraction: Green tea and the dreams of adults\n\nThe publisher has retracted this article.",
        ),
        (
            "other.md",
            "# A survey\n\nGreen tea doubled the number of dreams that adults remember in a survey of 2021.",
        ),
    ];
    let (home, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let engine = offline_engine(home.path());
    let hypothesis = "Green tea doubles the number of dreams that adults remember.";
    read(&engine, folder.path(), &documents, hypothesis, "green tea and the dreams of adults")
        .await;
    let retracted: Vec<_> =
        judgements(&engine).into_iter().filter(|it| it.contains("dreams.md")).collect();
    assert!(retracted.len() >= 2, "its own claim and the hypothesis: {retracted:?}");
    for judgement in retracted {
        assert!(judgement.ends_with("| retracted"), "{judgement}");
    }
}
