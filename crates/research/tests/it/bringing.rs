//! A page: fetched, read, judged.

use extract::Options;
use fetch::{Errand, Reason};
use research::bring;
use testweb::{Expected, Fault};
use url::Url;

use crate::support::online;

fn page(url: &str) -> Errand {
    Errand::page(Url::parse(url).unwrap())
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
        bring(&online.door, page("http://clinic.test/aspirin"), &Options::default()).await.unwrap();
    assert_eq!(brought.problem, None);
    assert_eq!(brought.fetched.status, 200);
    assert!(brought.fetched.body.is_empty(), "the document has what the body said");
    assert!(brought.document.text.contains("Aspirin thins the blood"), "{}", brought.document.text);
}

#[tokio::test]
async fn after_a_challenge_the_site_is_left_in_peace() {
    let online = online();
    online.web.script("clinic.test", vec![Fault::Challenge]);
    let first =
        bring(&online.door, page("http://clinic.test/a"), &Options::default()).await.unwrap();
    assert_eq!(first.problem, Some(Reason::Challenge));
    let second = bring(&online.door, page("http://clinic.test/b"), &Options::default()).await;
    assert_eq!(second.unwrap_err().reason, Reason::Resting);
    assert_eq!(online.asked("clinic.test"), ["/a"]);
}

#[tokio::test]
async fn logins_and_pages_that_only_say_they_are_missing_are_problems() {
    let online = online();
    let pages = online.web.world().pages();
    let of = |expected| pages.iter().find(|it| it.expected == expected).unwrap().url.clone();
    for (expected, reason) in
        [(Expected::Login, Reason::Login), (Expected::SoftNotFound, Reason::NotFound)]
    {
        let brought = bring(&online.door, page(&of(expected)), &Options::default()).await.unwrap();
        assert_eq!(brought.problem, Some(reason));
    }
}
