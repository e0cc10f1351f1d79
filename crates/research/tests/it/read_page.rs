//! A page: fetched, read, judged.

use evidence::Budget;
use extract::{Format, ReadSettings};
use fetch::{FetchRequest, Reason};
use graph::{AuthFilter, Cause, NewTask};
use research::read_page;
use testweb::{Answer, Expected, Fault, SiteKind};
use url::Url;

use crate::support::{online, rows};

fn page(url: &str) -> FetchRequest {
    FetchRequest::page(Url::parse(url).unwrap())
}

#[tokio::test]
async fn a_page_is_fetched_and_read() {
    let online = online();
    online.put(
        "clinic.test",
        "/aspirin",
        "<html lang=en><title>Aspirin</title><main><h1>Aspirin</h1><p>Aspirin thins the blood, and people who took it \
         every day bled more often than people who did not take it.</p></main>",
    );
    let brought =
        read_page(&online.fetcher, page("http://clinic.test/aspirin"), &ReadSettings::default())
            .await
            .unwrap();
    assert_eq!(brought.problem, None);
    assert_eq!(brought.fetched.status, 200);
    assert!(brought.fetched.body.is_empty(), "the document has what the body said");
    assert!(brought.document.text.contains("Aspirin thins the blood"), "{}", brought.document.text);
}

#[tokio::test]
async fn a_word_document_is_read_like_a_page() {
    let online = online();
    let bytes: &[u8] = include_bytes!("../../../extract/tests/it/office/report.docx");
    let kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
    online.web.put("clinic.test", "/report", Answer::new(200, kind, bytes));
    let brought =
        read_page(&online.fetcher, page("http://clinic.test/report"), &ReadSettings::default())
            .await
            .unwrap();
    assert_eq!(brought.problem, None);
    assert_eq!(brought.document.format, Format::Docx);
    let said = "Nurses on night shifts slept 58 minutes less than others.";
    assert!(brought.document.text.contains(said), "{}", brought.document.text);
}

#[tokio::test]
async fn after_a_challenge_the_site_is_left_in_peace() {
    let online = online();
    online.web.script("clinic.test", vec![Fault::Challenge]);
    let first = read_page(&online.fetcher, page("http://clinic.test/a"), &ReadSettings::default())
        .await
        .unwrap();
    assert_eq!(first.problem, Some(Reason::Challenge));
    let second =
        read_page(&online.fetcher, page("http://clinic.test/b"), &ReadSettings::default()).await;
    assert_eq!(second.unwrap_err().reason, Reason::Resting);
    assert_eq!(online.asked("clinic.test"), ["/a"]);
}

#[tokio::test]
async fn a_page_that_asks_for_a_person_waits_for_one_in_the_queue() {
    let online = online();
    let graph = &online.graph;
    let (task, cause) = graph
        .write(Cause::new("task_create"), |writer| {
            let task = writer.create_task(&NewTask {
                query: "aspirin".to_owned(),
                hypothesis: None,
                language: None,
                budget: Budget { max_pages: 10, max_seconds: 60 },
                config: Default::default(),
            })?;
            Ok((task, writer.cause()?))
        })
        .unwrap();
    for kind in [SiteKind::LoginRedirect, SiteKind::Login401, SiteKind::CloudflareManaged] {
        let url = &online.web.world().pages_of(&kind.host(1)).next().unwrap().url;
        let mut request = FetchRequest { task: Some(task), cause: Some(cause), ..page(url) };
        request.url.set_fragment(Some("part"));
        read_page(&online.fetcher, request, &ReadSettings::default()).await.unwrap();
    }
    let ordinary = &online.web.world().pages_of("news-1.test").next().unwrap().url;
    read_page(&online.fetcher, page(ordinary), &ReadSettings::default()).await.unwrap();
    // The same page again, for no task: a second entry, because another caller waits for it.
    let login = &online.web.world().pages_of("login-401-1.test").next().unwrap().url;
    for _ in 0..2 {
        read_page(&online.fetcher, page(login), &ReadSettings::default()).await.unwrap();
    }
    let queue = graph.read(|it| it.auth_queue(&AuthFilter::default(), 100)).unwrap();
    let lines: Vec<String> = queue
        .iter()
        .map(|item| {
            let whose = if item.task_id == Some(task) { "the task's" } else { "nobody's" };
            format!("{} {} {} {} {whose}", item.domain, item.auth_type, item.priority, item.status)
        })
        .collect();
    assert_eq!(
        lines,
        [
            "login-redirect-1.test login medium pending the task's",
            "login-401-1.test login medium pending the task's",
            "cf-managed-1.test cloudflare medium pending the task's",
            "login-401-1.test login medium pending nobody's",
        ]
    );
    for entry in &queue {
        assert!(!entry.url.contains('#'), "{}", entry.url);
    }
    let sql =
        format!("SELECT cause_id FROM events WHERE kind = 'auth_queue' AND task_id = '{task}'");
    assert_eq!(rows(graph, &sql), vec![vec![serde_json::json!(cause)]; 3]);
}

#[tokio::test]
async fn logins_and_pages_that_only_say_they_are_missing_are_problems() {
    let online = online();
    let pages = online.web.world().pages();
    let of = |expected| pages.iter().find(|it| it.expected == expected).unwrap().url.clone();
    for (expected, reason) in
        [(Expected::Login, Reason::Login), (Expected::SoftNotFound, Reason::NotFound)]
    {
        let brought = read_page(&online.fetcher, page(&of(expected)), &ReadSettings::default())
            .await
            .unwrap();
        assert_eq!(brought.problem, Some(reason));
    }
}
