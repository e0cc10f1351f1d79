//! Pages that are missed, and searches of the same task that come upon them again.

use evidence::{StopReason, TaskId, TaskStatus};
use graph::{AuthTarget, Cause};
use research::Engine;
use research::calls::{
    BudgetConfig, CreateTask, GetStatus, MissReason, SearchAnswer, SearchCall, SearchOptions,
    SourceKind, TaskConfig,
};
use testweb::{Answer, Fault};

use crate::support::{Online, aspirin_page, declare_engines, online, result_page};

/// A task and engines that all list the same pages.
struct Study {
    online: Online,
    engine: Engine,
    task: TaskId,
}

const ENGINES: [&str; 4] = ["alpha", "beta", "gamma", "delta"];

impl Study {
    async fn of(addresses: &[&str]) -> Self {
        let online = online();
        let mut parts = online.parts();
        parts.engines = declare_engines(online.folder.path(), &ENGINES);
        parts.settings.search.cycles_at_once = 1;
        for name in ENGINES {
            online.web.put(&format!("{name}.test"), "/search", result_page(addresses));
        }
        let engine = Engine::new(parts);
        let config = TaskConfig {
            sources: vec![SourceKind::Web],
            budget: BudgetConfig { max_pages: Some(20), max_seconds: None },
            ..TaskConfig::default()
        };
        let call = CreateTask { query: "aspirin".to_owned(), hypothesis: None, config };
        let task = engine.create_task(call).await.unwrap().task_id;
        Self { online, engine, task }
    }

    async fn search(&self, query: &str, engine: &str, urls: &[&str]) -> SearchAnswer {
        let options = SearchOptions {
            engines: vec![engine.to_owned()],
            urls: urls.iter().map(|it| (*it).to_owned()).collect(),
            ..SearchOptions::default()
        };
        let call = SearchCall { task_id: self.task, query: query.to_owned(), options };
        self.engine.search(call).await.unwrap()
    }

    async fn pages_used(&self) -> u32 {
        let call = GetStatus { task_id: self.task, wait_seconds: None };
        self.engine.get_status(call).await.unwrap().budget.pages_used
    }

    fn asked(&self, host: &str) -> usize {
        self.online.asked(host).len()
    }
}

fn missed(answer: &SearchAnswer) -> Vec<String> {
    let mut lines: Vec<String> =
        answer.missed.iter().map(|it| format!("{} {}: {}", it.url, it.reason, it.detail)).collect();
    lines.sort();
    lines
}

#[tokio::test(flavor = "multi_thread")]
async fn what_lasts_is_not_asked_for_again_and_what_passes_is() {
    let study = Study::of(&[
        "https://good.test/",
        "https://gone.test/",
        "https://large.test/",
        "https://login.test/",
        "https://down.test/",
    ])
    .await;
    let web = &study.online.web;
    study.online.put("good.test", "/", &aspirin_page("Good"));
    web.put("gone.test", "/", Answer::html(404, "<p>not here"));
    web.put("large.test", "/", Answer::html(200, "a".repeat(21 * 1024 * 1024)));
    web.put("login.test", "/", Answer::html(401, "<p>who are you?"));
    web.put("down.test", "/", Answer::html(500, "<p>broken"));
    let first = study.search("aspirin", "alpha", &[]).await;
    assert_eq!(
        missed(&first),
        [
            "https://down.test/ server_error: it answered 500",
            "https://gone.test/ not_found: it answered 404",
            "https://large.test/ too_large: the answer of large.test is larger than 20971520 bytes",
            "https://login.test/ login: it answered 401",
        ]
    );
    assert_eq!(study.pages_used().await, 5);
    let second = study.search("aspirin and bleeding", "beta", &[]).await;
    assert_eq!(
        missed(&second),
        [
            "https://down.test/ server_error: it answered 500",
            "https://gone.test/ not_found: it answered 404; not asked again",
            "https://large.test/ too_large: the answer of large.test is larger than 20971520 bytes; not asked again",
            "https://login.test/ login: it answered 401; not asked again",
        ]
    );
    assert_eq!(study.pages_used().await, 6, "only the server that was down is tried and paid for");
    let hosts = ["good.test", "gone.test", "large.test", "login.test", "down.test"];
    assert_eq!(hosts.map(|it| study.asked(it)), [1, 1, 1, 1, 2]);
    let events =
        study.engine.graph().read(|r| r.events_of_kind(study.task, "page_not_asked")).unwrap();
    let logged: Vec<_> = events.iter().map(|it| it.detail["url"].as_str().unwrap()).collect();
    assert_eq!(logged, ["https://gone.test/", "https://large.test/", "https://login.test/"]);
    assert_eq!(events[0].detail["detail"], "it answered 404; not asked again");
    let second = second.search_id.to_string();
    assert!(events.iter().all(|it| it.subject_id.as_deref() == Some(&second)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_a_client_names_is_always_tried() {
    let study = Study::of(&["https://gone.test/"]).await;
    study.online.web.script_path("gone.test", "/", vec![Fault::Status(404), Fault::Status(404)]);
    study.online.put("gone.test", "/", &aspirin_page("Back again"));
    study.search("aspirin", "alpha", &[]).await;
    let named = study.search("aspirin and bleeding", "beta", &["https://gone.test/"]).await;
    assert_eq!(missed(&named), ["https://gone.test/ not_found: it answered 404"]);
    assert_eq!((study.asked("gone.test"), study.pages_used().await), (2, 2));
    let left = study.search("aspirin in old age", "gamma", &[]).await;
    assert_eq!(missed(&left), ["https://gone.test/ not_found: it answered 404; not asked again"]);
    let back = study.search("aspirin in children", "delta", &["https://gone.test/"]).await;
    assert_eq!((missed(&back).len(), back.pages_fetched), (0, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_login_that_a_person_has_seen_to_is_tried_again() {
    let study = Study::of(&["https://login.test/"]).await;
    study.online.web.script_path("login.test", "/", vec![Fault::Status(401)]);
    study.online.put("login.test", "/", &aspirin_page("Members"));
    study.search("aspirin", "alpha", &[]).await;
    let left = study.search("aspirin and bleeding", "beta", &[]).await;
    assert_eq!(missed(&left), ["https://login.test/ login: it answered 401; not asked again"]);
    let target = AuthTarget::Domain("login.test".to_owned());
    study.engine.graph().write(Cause::new("auth_resolve"), |w| w.resolve_auth(&target)).unwrap();
    let opened = study.search("aspirin in old age", "gamma", &[]).await;
    assert_eq!((missed(&opened).len(), opened.pages_fetched), (0, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn searches_at_the_same_time_pay_once_for_a_page_that_is_gone() {
    let study = Study::of(&["https://gone.test/"]).await;
    let slowly = Answer::html(404, "<p>not here").after(std::time::Duration::from_secs(2));
    study.online.web.put("gone.test", "/", slowly);
    let (one, other) = tokio::join!(
        study.search("aspirin", "alpha", &[]),
        study.search("aspirin and bleeding", "beta", &[])
    );
    let mut lines = [missed(&one), missed(&other)].concat();
    lines.sort();
    assert_eq!(
        lines,
        [
            "https://gone.test/ not_found: it answered 404",
            "https://gone.test/ not_found: it answered 404; not asked again",
        ]
    );
    assert_eq!((study.asked("gone.test"), study.pages_used().await), (1, 1));
    for answer in [one, other] {
        assert_eq!(answer.stop_reason, Some(StopReason::NoMoreCandidates));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_pauses_when_every_page_of_a_cycle_is_on_a_site_that_cools_down() {
    let study = Study::of(&["https://busy.test/"]).await;
    study.online.put("busy.test", "/", &aspirin_page("Busy"));
    study.online.web.script_path("busy.test", "/", vec![Fault::RetryAfter(3_600)]);
    let first = study.search("aspirin", "alpha", &[]).await;
    assert_eq!(first.stop_reason, Some(StopReason::NoMoreCandidates));
    assert_eq!(missed(&first), ["https://busy.test/ too_many_requests: it answered 429"]);
    let second = study.search("aspirin and bleeding", "beta", &[]).await;
    assert_eq!(second.stop_reason, Some(StopReason::AllResting));
    assert_eq!(second.missed[0].reason, MissReason::Page(fetch::Reason::Resting));
    assert_eq!(study.asked("busy.test"), 1, "a site that cools down is not asked");
    let task = study.engine.graph().read(|r| r.task(study.task)).unwrap();
    assert_eq!(task.status, TaskStatus::Paused);
    assert_eq!(
        task.stop_reason.as_deref(),
        Some("every site that is left to read is cooling down")
    );
}
