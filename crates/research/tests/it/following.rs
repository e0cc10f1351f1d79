//! What results and pages lead to: works they name, works around a paper, references, and what cites in circles.

use evidence::TaskId;
use research::calls::{
    CreateTask, SearchAnswer, SearchCall, SearchOptions, SourceKind, TaskConfig,
};
use research::{Engine, Parts};
use serde_json::Value;
use testweb::{Answer, World, topics};

use crate::support::{Online, aspirin_page, declare_engines, online, online_in, quick_indexes};

fn engine_with(online: &Online, change: impl FnOnce(&mut Parts)) -> Engine {
    let mut parts = online.parts();
    parts.engines = declare_engines(online.folder.path(), &["alpha"]);
    parts.academic = quick_indexes();
    change(&mut parts);
    Engine::new(parts)
}

/// A result page with one result.
fn result(address: &str, title: &str, snippet: &str) -> String {
    format!(
        "<li><h2><a class='title' href='{address}'>{title}</a></h2><p class='s'>{snippet}</p></li>"
    )
}

fn put_results(online: &Online, results: &[String]) {
    let page =
        format!("<html><body><ul class='results-standard'>{}</ul></body></html>", results.concat());
    online.web.put("alpha.test", "/search", Answer::html(200, page));
}

async fn ask(
    engine: &Engine,
    source: SourceKind,
    query: &str,
    options: SearchOptions,
) -> (TaskId, SearchAnswer) {
    let config = TaskConfig { sources: vec![source], ..TaskConfig::default() };
    let call = CreateTask { query: query.to_owned(), hypothesis: None, config };
    let task_id = engine.create_task(call).await.unwrap().task_id;
    let options = SearchOptions { engines: vec!["alpha".to_owned()], ..options };
    let call = SearchCall { task_id, query: query.to_owned(), options };
    (task_id, engine.search(call).await.unwrap())
}

fn rows(engine: &Engine, sql: &str) -> Vec<Vec<Value>> {
    engine.graph().query(sql, &graph::QuerySettings::default()).unwrap().table.rows
}

/// What the steps of a kind found out.
fn results(engine: &Engine, kind: &str) -> Vec<Value> {
    let sql = format!("SELECT result FROM jobs WHERE kind = '{kind}' ORDER BY position");
    let text = |row: Vec<Value>| serde_json::from_str(row[0].as_str().unwrap()).unwrap();
    rows(engine, &sql).into_iter().map(text).collect()
}

fn address(doi: &str) -> String {
    format!("https://doi.org/{doi}")
}

#[tokio::test(flavor = "multi_thread")]
async fn works_named_in_titles_snippets_and_pages_are_looked_up_and_read() {
    let online = online_in(World::to_study(1, 16));
    let papers = online.web.world().papers();
    let dois: Vec<String> =
        papers.iter().filter(|it| it.in_openalex()).map(|it| it.doi.clone()).take(3).collect();
    let [in_title, in_snippet, in_page] = dois.as_slice() else { panic!("there are papers") };
    put_results(
        &online,
        &[result(
            "https://blog.test/",
            &format!("About doi:{in_title}"),
            &format!("It cites https://doi.org/{in_snippet} as well."),
        )],
    );
    online.put("blog.test", "/", &format!(
        "<html lang=en><title>Aspirin</title><main><p>Aspirin thins the blood, and people who took it bled more often, as \
         a trial showed (doi:{in_page}).</p></main>"
    ));
    let engine = engine_with(&online, |parts| parts.settings.citations.top_papers = 0);
    let (task, answer) = ask(&engine, SourceKind::Web, "aspirin", SearchOptions::default()).await;
    assert_eq!(answer.pages_fetched, 4, "the page and three works");
    let looked_up: Vec<Value> =
        results(&engine, "identifiers").into_iter().map(|it| it["names"].clone()).collect();
    let mut planned = vec![format!("doi:{in_title}"), format!("doi:{in_snippet}")];
    planned.sort();
    assert_eq!(
        looked_up,
        [serde_json::json!(planned), serde_json::json!([format!("doi:{in_page}")])]
    );
    let read = engine.graph().read(|r| r.read_pages_of(task)).unwrap();
    for doi in &dois {
        let page = read.iter().find(|it| it.url == address(doi)).unwrap();
        assert!(page.work_id.is_some(), "{doi}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_paper_without_an_abstract_is_fetched() {
    let online = online_in(World::to_study(1, 16));
    let paper = online.web.world().papers()[0].clone();
    // One index knows nothing, the other gives the record without its abstract.
    online.web.put(
        "api.openalex.org",
        &format!("/works/doi:{}", paper.doi),
        Answer::json(404, &serde_json::json!({})),
    );
    let record = serde_json::json!({
        "paperId": paper.s2_id, "title": paper.title, "year": paper.year, "abstract": null,
        "externalIds": { "DOI": paper.doi },
    });
    online.web.put(
        "api.semanticscholar.org",
        &format!("/graph/v1/paper/DOI:{}", paper.doi),
        Answer::json(200, &record),
    );
    let engine = engine_with(&online, |parts| parts.settings.citations.top_papers = 0);
    let options = SearchOptions { dois: vec![paper.doi.clone()], ..SearchOptions::default() };
    let (_, answer) = ask(&engine, SourceKind::Library, paper.topic.name.en, options).await;
    assert_eq!((answer.pages_fetched, answer.missed.len()), (1, 0));
    assert_eq!(online.asked("doi.org").len(), 1, "the address of the work was asked for");
    assert_eq!(answer.budget_remaining.pages, research::TaskSettings::default().max_pages - 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn works_around_the_first_papers_become_pages_and_citations_and_each_stage_is_counted() {
    let online = online_in(World::to_study(1, 16));
    let engine = engine_with(&online, |_| {});
    let (task, answer) =
        ask(&engine, SourceKind::Academic, topics()[0].name.en, SearchOptions::default()).await;
    assert!(answer.pages_fetched > 0);
    let chased = results(&engine, "citations");
    assert_eq!(chased.len(), 1);
    let count = |name: &str| chased[0]["counts"][name].as_u64().unwrap();
    let stages = ["candidates_total", "after_stage0", "after_stage1", "final_count"].map(count);
    assert!(stages[3] > 0 && stages.is_sorted_by(|a, b| a >= b), "{stages:?}");
    assert_eq!(count("llm_calls"), 0, "there is no language model");
    let cited = engine.graph().read(|r| r.citations_of(task)).unwrap();
    let edges = rows(
        &engine,
        "SELECT count(*) FROM edges WHERE relation = 'cites' AND citation_source IS NOT NULL",
    );
    assert_eq!(edges[0][0].as_u64().unwrap() as usize, cited.len());
    assert!(!cited.is_empty());
    let read = engine.graph().read(|r| r.read_pages_of(task)).unwrap();
    let added: Vec<String> = serde_json::from_value(chased[0]["added"].clone()).unwrap();
    assert!(!added.is_empty());
    for url in &added {
        assert!(
            read.iter().any(|it| it.url == *url),
            "{url} was chosen and is a page that was read"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn references_of_an_encyclopedia_are_queued_where_the_policy_says_so() {
    for (mode, expected) in [("page", 1), ("follow_citations", 2)] {
        let online = online();
        let policy = online.folder.path().join("policy.toml");
        std::fs::write(&policy, format!(
            "[[rules]]\npatterns = ['encyclopedia.test']\nwikipedia_mode = '{mode}'\ndomain_category = 'low'\n"
        )).unwrap();
        put_results(
            &online,
            &[result("https://encyclopedia.test/", "Aspirin", "All about aspirin.")],
        );
        online.put("encyclopedia.test", "/",
            "<html lang=en><title>Aspirin</title><main><h1>Aspirin</h1><p>Aspirin thins the blood, and people who took it every \
             day bled more often than others.<sup><a href='https://trial.test/report'>[1]</a></sup></p><h2>References</h2><ol>\
             <li>A. One. <a href='https://trial.test/report'>Report of the trial</a>. 2020.</li></ol></main>");
        online.put("trial.test", "/report", &aspirin_page("Report"));
        let engine = engine_with(&online, |parts| {
            parts.policy = std::sync::Arc::new(graph::PolicyFile::open(Some(&policy)));
        });
        let (_, answer) = ask(&engine, SourceKind::Web, "aspirin", SearchOptions::default()).await;
        assert_eq!(answer.pages_fetched, expected, "{mode}");
        assert_eq!(online.asked("trial.test").len() as u32, expected - 1, "{mode}");
    }
}

/// Three pages say the same; two of them name each other as their source.
#[tokio::test(flavor = "multi_thread")]
async fn pages_that_cite_each_other_rank_below_a_page_that_does_not() {
    let online = online();
    let hosts = ["one.test", "two.test", "alone.test"];
    put_results(
        &online,
        &hosts.map(|it| result(&format!("https://{it}/"), "Aspirin", "All about aspirin.")),
    );
    let page = |host: &str, other: Option<&str>| {
        let source = other.map_or_else(String::new, |it| format!(
            "<h2>References</h2><ol><li><a href='https://{it}/'>Report on aspirin at {it}</a>. 2020.</li></ol>"
        ));
        format!(
            "<html lang=en><title>Aspirin</title><main><h1>Aspirin</h1><p>Aspirin thins the blood, and people who took it every \
             day bled more often than people who did not take it.</p>{source}<p>Written by {host}.</p></main>"
        )
    };
    online.put("one.test", "/", &page("one", Some("two.test")));
    online.put("two.test", "/", &page("two", Some("one.test")));
    online.put("alone.test", "/", &page("alone", None));
    let engine = engine_with(&online, |_| {});
    ask(&engine, SourceKind::Web, "aspirin and bleeding", SearchOptions::default()).await;
    let scores = rows(
        &engine,
        "SELECT p.domain, max(s.score) FROM selected_fragments s JOIN fragments f ON f.id = s.fragment_id
         JOIN pages p ON p.id = f.page_id WHERE f.text_content LIKE 'Aspirin thins%' GROUP BY p.domain ORDER BY p.domain",
    );
    let score =
        |host: &str| scores.iter().find(|it| it[0] == host).and_then(|it| it[1].as_f64()).unwrap();
    assert!((score("one.test") - score("two.test")).abs() < 1e-9, "{scores:?}");
    assert!(score("alone.test") > score("one.test"), "{scores:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_for_refutations_records_what_it_found_and_changes_no_confidence_where_it_found_none()
 {
    let library = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(library.path().join(name), text).unwrap();
    write("for.md", "# Tea\n\nGreen tea lowered the blood pressure of adults by 4 points.");
    let home = tempfile::tempdir().unwrap();
    let engine = crate::support::offline_engine(home.path());
    let config = TaskConfig { library: vec![library.path().to_owned()], ..TaskConfig::default() };
    let call = CreateTask {
        query: "Does green tea lower blood pressure?".to_owned(),
        hypothesis: None,
        config,
    };
    let task_id = engine.create_task(call).await.unwrap().task_id;
    let search = async |query: &str, refute: bool| {
        let options = SearchOptions { refute, ..SearchOptions::default() };
        engine.search(SearchCall { task_id, query: query.to_owned(), options }).await.unwrap()
    };
    let confidence = || {
        let claims = engine.graph().read(|r| r.claims_of(task_id)).unwrap();
        claims.iter().map(|it| it.confidence.confidence).collect::<Vec<_>>()
    };
    assert_eq!(search("green tea and blood pressure", false).await.refutations_found, None);
    let before = confidence();
    assert_eq!(search("green tea and blood pressure", true).await.refutations_found, Some(0));
    assert_eq!(confidence(), before, "nothing found is no evidence");
    write("against.md", "# Doubts\n\nGreen tea raised the blood pressure of adults by 4 points.");
    let found = search("the blood pressure of adults and green tea", true).await;
    assert_eq!(found.refutations_found, Some(2), "each of the two refutes what the other says");
    let events = engine.graph().read(|r| r.events_of_kind(task_id, "refutation_search")).unwrap();
    let recorded: Vec<&Value> = events.iter().map(|it| &it.detail["refutations_found"]).collect();
    assert_eq!(recorded, [0, 2]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_claim_says_how_far_its_year_is_from_its_page() {
    let library = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(library.path().join(name), text).unwrap();
    write(
        "old.md",
        "---\ndate: 2023-05-01\n---\n# Lead\n\nThe city measured 12 milligrams of lead in the water of Osaka in 1998.",
    );
    write(
        "early.md",
        "---\ndate: 1990-05-01\n---\n# Forecast\n\nThe lead in the water of Osaka falls to 3 milligrams in 1998.",
    );
    write("undated.md", "# Notes\n\nThe water of Osaka holds 12 milligrams of lead in each litre.");
    let home = tempfile::tempdir().unwrap();
    let engine = crate::support::offline_engine(home.path());
    let config = TaskConfig { library: vec![library.path().to_owned()], ..TaskConfig::default() };
    let call =
        CreateTask { query: "lead in the water of Osaka".to_owned(), hypothesis: None, config };
    let task_id = engine.create_task(call).await.unwrap().task_id;
    let call = SearchCall {
        task_id,
        query: "lead in the water of Osaka".to_owned(),
        options: SearchOptions::default(),
    };
    let answer = engine.search(call).await.unwrap();
    let years = |name: &str| {
        let from =
            |it: &&research::calls::ClaimFound| it.source_url.as_deref().unwrap().ends_with(name);
        let found = answer.claims_found.iter().find(from);
        found.unwrap_or_else(|| panic!("{:#?}", answer.claims_found)).years_behind
    };
    assert_eq!(years("old.md"), Some(25));
    assert_eq!(years("early.md"), Some(-8));
    assert_eq!(years("undated.md"), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_are_told_which_engine_led_to_them_and_no_more() {
    let online = online();
    let text = "Pupils sleep half an hour longer when school begins an hour later, a study of twelve schools found.";
    let hosts = ["one.test", "two.test"];
    for host in hosts {
        let page = format!(
            "<html lang=en><title>Sleep</title><main><h1>Sleep</h1><p>{text}</p></main></html>"
        );
        online.web.put(host, "/a", Answer::html(200, page));
    }
    let results = hosts.map(|it| result(&format!("https://{it}/a"), "A study of sleep", text));
    put_results(&online, &results);
    let engine = engine_with(&online, |_| {});
    let (_, answer) =
        ask(&engine, SourceKind::Web, "how long pupils sleep", SearchOptions::default()).await;
    assert_eq!(answer.pages_fetched, 2, "{answer:?}");
    let told = hosts.map(|host| {
        let asked = online.web.hits(host).into_iter().find(|it| it.path == "/a").unwrap();
        asked.header("referer").map(str::to_owned)
    });
    // The origin alone: the address of a result page has the question in it.
    let origin = Some("https://alpha.test/".to_owned());
    assert_eq!(told, [origin.clone(), origin]);
}
