//! The rounds of an investigation: what is asked, in which order, and what ends them.

use evidence::{StopReason, TaskStatus};
use planner::{EndReason, Event, Plan, PlanSettings};
use research::calls::{BudgetConfig, CreateTask, SourceKind, TaskConfig};
use sources::Engines;
use testweb::{Answer, Fault, TestWeb, World};

use crate::support::{engine, engine_with, library, offline, rounds, run};

const QUESTION: &str = "Does green tea lower the blood pressure of adults?";
const FOR: &str = "Green tea lowered the blood pressure of adults by 4 points.";

fn plan(config: TaskConfig, hypothesis: Option<&str>, queries: &[&str]) -> Plan {
    Plan::New {
        question: QUESTION.to_owned(),
        hypothesis: hypothesis.map(ToOwned::to_owned),
        config: TaskConfig {
            queries: queries.iter().map(|it| (*it).to_owned()).collect(),
            ..config
        },
    }
}

/// Without other wordings, which depend on word lists.
fn settings() -> PlanSettings {
    PlanSettings { expansions: 0, ..PlanSettings::default() }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_question_is_asked_in_several_ways_then_doubted_and_so_are_claims_with_support() {
    let documents = library(&[
        ("one.md", &format!("# One\n\n{FOR}")),
        ("two.md", &format!("# Two\n\nA second trial was run in another town. {FOR}")),
    ]);
    let home = tempfile::tempdir().unwrap();
    let engine = engine(home.path(), offline(), None);
    let config = TaskConfig { library: vec![documents.path().to_owned()], ..TaskConfig::default() };
    let hypothesis = "Catechins of green tea lower the blood pressure of adults.";
    let plan = plan(config, Some(hypothesis), &["tea and the heart"]);
    let (outcome, events) = run(&engine, plan, &settings()).await;
    assert_eq!(
        rounds(&events),
        [
            format!("{QUESTION} (Question)"),
            "green tea lower blood pressure adults (Keywords)".to_owned(),
            format!("{hypothesis} (Hypothesis)"),
            "tea and the heart (Requested)".to_owned(),
            format!("against: {hypothesis} (Doubt)"),
            format!("against: {FOR} (Challenge)"),
        ]
    );
    assert_eq!(outcome.reason, EndReason::Completed);
    assert_eq!(outcome.status.status, TaskStatus::Completed);
    assert!(matches!(events.last(), Some(Event::Stopped { reason: EndReason::Completed })));
    // Resumed, it has nothing left to ask.
    let (again, events) =
        run(&engine, Plan::Resume { task: outcome.task_id, online: false }, &settings()).await;
    assert_eq!((rounds(&events).len(), again.reason), (0, EndReason::Completed));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_person_wished_to_be_asked_is_asked_after_a_resume_too() {
    let documents = library(&[("one.md", &format!("# One\n\n{FOR}"))]);
    let home = tempfile::tempdir().unwrap();
    let engine = engine(home.path(), offline(), None);
    let config = TaskConfig {
        library: vec![documents.path().to_owned()],
        queries: vec!["tea and the heart".to_owned()],
        ..TaskConfig::default()
    };
    let call = CreateTask { query: QUESTION.to_owned(), hypothesis: None, config };
    let task = engine.create_task(call).await.unwrap().task_id;
    let (_, events) = run(&engine, Plan::Resume { task, online: false }, &settings()).await;
    let asked = "tea and the heart (Requested)".to_owned();
    assert!(rounds(&events).contains(&asked), "{:?}", rounds(&events));
}

#[tokio::test(flavor = "multi_thread")]
async fn only_claims_about_the_question_are_challenged() {
    const BESIDE: &str = "Copper prices in London rose by 40 percent in 2021.";
    let documents = library(&[
        ("one.md", &format!("# Green tea\n\n{FOR} {BESIDE}")),
        (
            "two.md",
            &format!("# Green tea again\n\nA second trial was run in another town. {FOR} {BESIDE}"),
        ),
    ]);
    let home = tempfile::tempdir().unwrap();
    let engine = engine(home.path(), offline(), None);
    let config = TaskConfig { library: vec![documents.path().to_owned()], ..TaskConfig::default() };
    let (outcome, events) = run(&engine, plan(config, None, &[]), &settings()).await;
    let challenged: Vec<String> =
        rounds(&events).into_iter().filter(|it| it.ends_with("(Challenge)")).collect();
    assert_eq!(challenged, [format!("against: {FOR} (Challenge)")]);
    let claims = engine.graph().read(|r| r.claims_of(outcome.task_id)).unwrap();
    assert!(claims.iter().any(|it| it.claim.claim_text == BESIDE), "it is a claim all the same");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_budget_ends_the_investigation() {
    let documents = library(&[
        ("one.md", &format!("# One\n\n{FOR}")),
        ("two.md", &format!("# Two\n\nA second trial was run in another town. {FOR}")),
    ]);
    let home = tempfile::tempdir().unwrap();
    let engine = engine(home.path(), offline(), None);
    let config = TaskConfig {
        library: vec![documents.path().to_owned()],
        budget: BudgetConfig { max_pages: Some(1), max_seconds: None },
        ..TaskConfig::default()
    };
    let (outcome, events) = run(&engine, plan(config, None, &[]), &settings()).await;
    assert_eq!(outcome.reason, EndReason::PageBudget);
    assert_eq!(rounds(&events).len(), 1, "nothing is asked that could not be read");
    let ended = |event: &Event| match event {
        Event::SearchDone { answer, .. } => answer.stop_reason,
        _ => None,
    };
    assert_eq!(events.iter().find_map(ended), Some(StopReason::PageBudget));
    let task = engine.graph().read(|r| r.task(outcome.task_id)).unwrap();
    assert_eq!(
        (task.status, task.stop_reason.as_deref()),
        (TaskStatus::Completed, Some("page_budget"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_whose_sites_all_cool_down_stays_paused() {
    let web = TestWeb::start(World::new(1));
    let home = tempfile::tempdir().unwrap();
    let ca_file = home.path().join("ca.pem");
    std::fs::write(&ca_file, web.ca_pem()).unwrap();
    let settings = fetch::FetchSettings {
        hosts: web.hosts_setting(),
        allow_networks: vec!["127.0.0.1/32".to_owned()],
        ca_file,
        spacing_min_ms: 5,
        spacing_max_ms: 10,
        per_second: 1_000.0,
        ..fetch::FetchSettings::default()
    };
    let declared = home.path().join("engines");
    std::fs::create_dir(&declared).unwrap();
    let mojeek = include_str!("../../../sources/engines/mojeek.toml");
    let alpha = mojeek.replace("https://www.mojeek.com/", "https://alpha.test/");
    let declaration = alpha.split_once("[limits]").unwrap().0;
    let quick = "[limits]\nper_second = 0.25\nspacing_seconds = [0.0, 0.0]\nper_day = 300\n";
    // Whichever engine is chosen lists the same page.
    let names =
        "bing brave duckduckgo duckduckgo_lite ecosia google marginalia mojeek startpage wikipedia";
    for name in names.split(' ') {
        let file = declared.join(format!("{name}.toml"));
        std::fs::write(file, format!("{declaration}{quick}")).unwrap();
    }
    let engines = Engines::load(Some(&declared));
    assert_eq!(format!("{:?}", engines.problems()), "[]");
    let result = "<li><h2><a class='title' href='https://busy.test/'>Tea</a></h2><p class='s'>Green tea.</p></li>";
    let results = format!("<html><body><ul class='results-standard'>{result}</ul></body></html>");
    web.put("alpha.test", "/search", Answer::html(200, results));
    web.script_path("busy.test", "/", vec![Fault::RetryAfter(3_600)]);
    let engine = engine_with(home.path(), settings, engines, None);
    let config = TaskConfig { sources: vec![SourceKind::Web], ..TaskConfig::default() };
    let (outcome, events) = run(&engine, plan(config, None, &[]), &self::settings()).await;
    assert_eq!(outcome.reason, EndReason::AllResting, "{:?}", rounds(&events));
    assert_eq!(outcome.status.status, TaskStatus::Paused);
}
