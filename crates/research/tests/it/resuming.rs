//! Searches interrupted while sources were asked, and what is asked again when they resume.

use std::time::Duration;

use evidence::{SearchStatus, TaskId};
use research::Engine;
use research::calls::{CreateTask, SearchCall, SearchOptions, SourceKind, TaskConfig};
use tempfile::TempDir;
use testweb::{Answer, Fault, TestWeb, World, topics};
use tokio::runtime::Runtime;

use crate::support::{
    aspirin_page, declare_engines, open_fetcher, parts, quick_indexes, result_page,
};

/// A small internet, and a folder in which one process after the other works.
struct Fixture {
    web: TestWeb,
    folder: TempDir,
}

impl Fixture {
    fn new() -> Self {
        Self { web: TestWeb::start(World::to_study(1, 16)), folder: tempfile::tempdir().unwrap() }
    }

    fn engine(&self) -> Engine {
        let mut parts = parts(open_fetcher(&self.web, self.folder.path()));
        parts.engines = declare_engines(self.folder.path(), &["alpha", "beta"]);
        parts.academic = quick_indexes();
        parts.settings.search.source_timeout_seconds = 60;
        Engine::new(parts)
    }

    /// Begins a search and drops everything as soon as `enough` says so and what was answered is archived.
    fn cut_off(
        &self,
        source: SourceKind,
        options: SearchOptions,
        enough: impl Fn() -> bool,
    ) -> TaskId {
        let runtime = Runtime::new().unwrap();
        runtime.block_on(async {
            let engine = self.engine();
            let config = TaskConfig { sources: vec![source], ..TaskConfig::default() };
            let query = topics()[0].name.en.to_owned();
            let call = CreateTask { query: query.clone(), hypothesis: None, config };
            let task_id = engine.create_task(call).await.unwrap().task_id;
            let options = SearchOptions { max_pages: Some(2), ..options };
            let graph = engine.graph().clone();
            let running = tokio::spawn(async move {
                engine.search(SearchCall { task_id, query, options }).await.unwrap()
            });
            let archived = || graph.read(|r| Ok(r.newest_archived(1_000)?.len())).unwrap();
            while !enough() || archived() < self.answered() {
                assert!(!running.is_finished(), "the search was not cut off");
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            task_id
        })
    }

    /// Requests that were answered.
    fn answered(&self) -> usize {
        self.web.log().iter().filter(|it| it.status > 0).count()
    }

    /// Goes on to the end, in a process of its own.
    fn resume(&self, task: TaskId) -> SearchStatus {
        Runtime::new().unwrap().block_on(async {
            let status = self.engine().resume_task(task).await.unwrap();
            status.searches[0].search.status
        })
    }

    fn asked(&self, host: &str) -> Vec<String> {
        let hits = self.web.hits(host).into_iter().filter(|it| it.path != "/robots.txt");
        hits.map(|it| format!("{} {} {}", it.method, it.path, String::from_utf8_lossy(&it.body)))
            .collect()
    }
}

#[test]
fn an_index_that_answered_before_the_kill_is_not_asked_again() {
    const SLOW: &str = "api.semanticscholar.org";
    const QUICK: &str = "api.openalex.org";
    let fixture = Fixture::new();
    fixture.web.script(SLOW, vec![Fault::Slow(60_000)]);
    let task = fixture.cut_off(SourceKind::Academic, SearchOptions::default(), || {
        fixture.web.hits(QUICK).iter().any(|it| it.status == 200) && fixture.asked(SLOW).len() == 1
    });
    assert_ne!(fixture.resume(task), SearchStatus::Running);
    let asked = fixture.asked(QUICK);
    let mut once = asked.clone();
    once.sort();
    once.dedup();
    assert_eq!(asked.len(), once.len(), "{asked:#?}");
    let searches = fixture.asked(SLOW).into_iter().filter(|it| it.contains("/paper/search"));
    assert_eq!(searches.count(), 2, "it had not answered");
}

#[test]
fn an_index_that_answered_citations_before_the_kill_is_not_asked_again() {
    const HOST: &str = "api.openalex.org";
    let fixture = Fixture::new();
    let cited = || fixture.web.hits(HOST).iter().filter(|it| it.path.contains("cites")).count();
    let task = fixture.cut_off(SourceKind::Academic, SearchOptions::default(), || cited() > 0);
    let before = fixture.asked(HOST);
    assert_ne!(fixture.resume(task), SearchStatus::Running);
    let again = fixture.asked(HOST).split_off(before.len());
    let twice: Vec<&String> = again.iter().filter(|it| before.contains(it)).collect();
    // The index is asked for two things at a time.
    assert!(twice.len() <= 2, "only what was under way: {twice:#?}");
}

#[test]
fn engines_that_answered_before_the_kill_are_not_asked_again() {
    let fixture = Fixture::new();
    let pages = ["https://page.test/"];
    fixture.web.put("alpha.test", "/search", result_page(&pages));
    fixture.web.put("beta.test", "/search", result_page(&pages));
    fixture.web.put("page.test", "/", Answer::html(200, aspirin_page("Page")));
    fixture.web.script("beta.test", vec![Fault::Slow(60_000)]);
    let engines = vec!["alpha".to_owned(), "beta".to_owned()];
    let options = SearchOptions { engines, ..SearchOptions::default() };
    let task = fixture.cut_off(SourceKind::Web, options, || {
        fixture.web.hits("alpha.test").iter().any(|it| it.status == 200)
            && fixture.asked("beta.test").len() == 1
    });
    assert_ne!(fixture.resume(task), SearchStatus::Running);
    let asked = ["alpha.test", "beta.test", "page.test"].map(|it| fixture.asked(it).len());
    assert_eq!(asked, [1, 2, 1], "only the one that had not answered");
}

#[test]
fn a_page_that_was_refused_before_the_kill_is_not_asked_for_again() {
    let fixture = Fixture::new();
    fixture.web.put("refused.test", "/", Answer::html(404, "<p>not here"));
    fixture.web.put("slow.test", "/", Answer::html(200, aspirin_page("Slow")));
    fixture.web.script("slow.test", vec![Fault::Slow(60_000)]);
    let urls = ["https://slow.test/", "https://refused.test/"].map(str::to_owned).to_vec();
    let options = SearchOptions { urls, ..SearchOptions::default() };
    let task = fixture.cut_off(SourceKind::Library, options, || {
        fixture.web.hits("refused.test").iter().any(|it| it.path == "/" && it.status == 404)
            && fixture.asked("slow.test").len() == 1
    });
    assert_ne!(fixture.resume(task), SearchStatus::Running);
    let asked = ["refused.test", "slow.test"].map(|it| fixture.asked(it).len());
    assert_eq!(asked, [1, 2]);
}
