//! What documents say of a hypothesis: those that speak of it, those that only mention it, and those about something else.

use std::path::Path;

use evidence::SearchStatus;
use research::Engine;
use research::calls::{CreateTask, SearchAnswer, SearchCall, SearchOptions, TaskConfig};

use crate::support::{offline_engine, rows};

const QUESTION: &str = "Does headgear prevent concussion in rugby?";
const HYPOTHESIS: &str = "Headgear prevents concussion in rugby players.";

/// A study whose last passage answers the question, a plan for one, and a study of something else.
const DOCUMENTS: [(&str, &str); 3] = [
    (
        "study.md",
        "# Headgear in rugby\n\n\
         Objective: To determine whether headgear prevents concussion in rugby players.\n\n\
         Methods: Eighty teams were randomly assigned to play with or without padded headgear for two seasons.\n\n\
         Results: The rate of concussion was 4.9 per 1,000 hours with headgear and 4.8 without (p = 0.9).\n\n\
         Conclusion: Headgear does not prevent concussion in rugby players.",
    ),
    (
        "plan.md",
        "# A trial of headgear\n\n\
         The aim of this trial is to find out whether headgear prevents concussion in rugby players. \
         Does padded headgear prevent concussion in young rugby players?",
    ),
    (
        "sleep.md",
        "# Sleep apnoea\n\n\
         Continuous positive airway pressure prevents heart failure in patients with sleep apnoea, and players of wind \
         instruments snore less.",
    ),
];

async fn asked(engine: &Engine, library: &Path, hypothesis: &str) -> SearchAnswer {
    let config = TaskConfig { library: vec![library.to_owned()], ..TaskConfig::default() };
    let hypothesis = Some(hypothesis.to_owned());
    let call = CreateTask { query: QUESTION.to_owned(), hypothesis, config };
    let task_id = engine.create_task(call).await.unwrap().task_id;
    let options = SearchOptions::default();
    let call = SearchCall { task_id, query: QUESTION.to_owned(), options };
    engine.search(call).await.unwrap()
}

/// Every edge to the hypothesis: document, stance, kind, why it does not count, and who judged.
fn edges(engine: &Engine) -> Vec<String> {
    let sql = "SELECT replace(p.domain, 'library:', '') || ' ' || e.relation || ' ' || ifnull(e.statement_kind, '-')
                      || ' ' || ifnull(e.uncounted, 'counts') || ' ' || e.nli_model
               FROM edges e JOIN claims c ON c.id = e.target_id JOIN fragments f ON f.id = e.source_id
               JOIN pages p ON p.id = f.page_id
               WHERE c.origin_fragment_id IS NULL ORDER BY 1";
    rows(engine.graph(), sql).iter().map(|row| row[0].as_str().unwrap().to_owned()).collect()
}

fn library(documents: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in documents {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conclusion_is_heard_and_what_only_mentions_the_hypothesis_counts_for_nothing() {
    let (library, home) = (library(&DOCUMENTS), tempfile::tempdir().unwrap());
    let engine = offline_engine(home.path());
    let answer = asked(&engine, library.path(), HYPOTHESIS).await;
    assert_eq!(answer.independent_sources, Some(2), "the study of sleep is no source");
    assert_eq!(
        edges(&engine),
        [
            "plan.md neutral aim no_statement gate",
            "study.md neutral aim no_statement gate",
            "study.md neutral method no_statement gate",
            "study.md neutral statement counts lyra-stance-en-large-2",
            "study.md refutes conclusion counts lyra-stance-en-large-2",
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_about_something_else_satisfy_no_search() {
    let other = [
        ("sleep.md", DOCUMENTS[2].1),
        (
            "tea.md",
            "# Tea\n\nGreen tea contains less caffeine than coffee, and prevents sleep in most people.",
        ),
        (
            "vitamin.md",
            "# Vitamin D\n\nVitamin D does not prevent falls of older people, and players of chess need little of it.",
        ),
    ];
    let (library, home) = (library(&other), tempfile::tempdir().unwrap());
    let engine = offline_engine(home.path());
    let answer = asked(&engine, library.path(), HYPOTHESIS).await;
    assert_eq!((answer.status, answer.independent_sources), (SearchStatus::Exhausted, Some(0)));
    assert_eq!(
        edges(&engine),
        [
            "sleep.md neutral - not_about gate",
            "tea.md neutral - not_about gate",
            "vitamin.md neutral - not_about gate",
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hypothesis_that_is_no_statement_is_held_against_nothing() {
    let (library, home) = (library(&DOCUMENTS), tempfile::tempdir().unwrap());
    let engine = offline_engine(home.path());
    asked(&engine, library.path(), "headgear, mouthguards, concussion").await;
    assert_eq!(edges(&engine), [""; 0]);
}
