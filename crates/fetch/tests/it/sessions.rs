//! Sessions that a person made: for their site, on their way, until their end.

use fetch::{FetchSettings, Fetcher, NewSession, SessionCookie};
use jiff::SignedDuration;
use testweb::{TestWeb, World as Internet};

use crate::support::{Server, World, again, lifted, plain};

fn session() -> NewSession {
    let cookie = |domain: &str, value: &str| SessionCookie {
        name: "sid".to_owned(),
        value: value.to_owned(),
        domain: domain.to_owned(),
        path: "/".to_owned(),
        secure: false,
        http_only: true,
        expires: None,
    };
    NewSession {
        cookies: vec![cookie(".door.test", "secret"), cookie(".other.test", "theirs")],
        user_agent: "Browser/7".to_owned(),
    }
}

fn fetcher(world: &World, settings: FetchSettings) -> Fetcher {
    let fetcher = world.fetcher(settings);
    fetcher.seal_sessions_with(world.dir.path().join("keys/session.key"));
    fetcher
}

/// Answers with what it was shown.
fn mirror() -> Server {
    Server::with(|request| {
        let shown = |name: &str| request.header(name).unwrap_or("none").to_owned();
        let body = format!("{} as {}", shown("cookie"), shown("user-agent"));
        Some(plain(200, "content-type: text/plain\r\n", &body))
    })
}

async fn shown(fetcher: &Fetcher, url: &str) -> String {
    let answer = fetcher.fetch(again(url)).await.unwrap();
    let text = String::from_utf8(answer.body).unwrap();
    text.replace(env!("CARGO_PKG_VERSION"), "VERSION")
}

#[tokio::test]
async fn a_session_is_shown_to_its_site_by_later_processes_that_have_the_key() {
    let (world, server) = (World::new(), mirror());
    let settings = lifted(server.address);
    let first = fetcher(&world, settings.clone());
    assert_eq!(shown(&first, "http://www.door.test/").await, "none as Lyra/VERSION");
    first.try_session("www.door.test", &session());
    assert_eq!(shown(&first, "http://www.door.test/").await, "sid=secret as Browser/7");
    assert_eq!(world.graph.read(|r| r.sessions()).unwrap(), [], "it was only tried");
    first.end_trial("www.door.test");
    assert_eq!(shown(&first, "http://www.door.test/").await, "none as Lyra/VERSION");
    first.try_session("www.door.test", &session());
    first.keep_session("www.door.test").await.unwrap().unwrap();
    drop(first);

    let world = world.restarted();
    let second = fetcher(&world, settings.clone());
    assert_eq!(shown(&second, "http://door.test/").await, "sid=secret as Browser/7");
    assert_eq!(shown(&second, "http://other.test/").await, "none as Lyra/VERSION");
    let row = world.graph.read(|r| r.session("door.test")).unwrap().unwrap();
    assert!(!row.sealed.contains("secret"), "{}", row.sealed);
    drop(second);
    let without_key = world.fetcher(settings.clone());
    assert_eq!(shown(&without_key, "http://door.test/").await, "none as Lyra/VERSION");
    let another = world.fetcher(settings);
    another.seal_sessions_with(world.dir.path().join("another.key"));
    assert_eq!(shown(&another, "http://door.test/").await, "none as Lyra/VERSION");
}

#[tokio::test]
async fn a_session_ends_with_its_time_and_with_two_pages_that_ask_again() {
    let (world, server) = (World::new(), mirror());
    let fetcher = fetcher(&world, lifted(server.address));
    fetcher.try_session("door.test", &session());
    fetcher.keep_session("door.test").await.unwrap();
    world.clock.advance(SignedDuration::from_hours(24 * 14 - 1));
    assert_eq!(shown(&fetcher, "http://door.test/").await, "sid=secret as Browser/7");
    world.clock.advance(SignedDuration::from_hours(2));
    assert_eq!(shown(&fetcher, "http://door.test/").await, "none as Lyra/VERSION");
    assert_eq!(world.graph.read(|r| r.sessions()).unwrap(), []);

    fetcher.try_session("door.test", &session());
    fetcher.keep_session("door.test").await.unwrap();
    let url = "http://door.test/a".parse().unwrap();
    for opened in [false, true, false] {
        fetcher.session_judged(&url, opened).await.unwrap();
    }
    assert_eq!(world.graph.read(|r| r.sessions()).unwrap().len(), 1, "never two in a row");
    fetcher.session_judged(&url, false).await.unwrap();
    assert_eq!(world.graph.read(|r| r.sessions()).unwrap(), []);
    assert_eq!(shown(&fetcher, "http://door.test/").await, "none as Lyra/VERSION");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_goes_the_way_it_was_made_on_and_no_other() {
    let web = TestWeb::start(Internet::of_size(1, 4));
    let world = World::new();
    let direct = fetcher(&world, lifted(web.address()));
    direct.try_session("door.test", &session());
    direct.keep_session("door.test").await.unwrap();
    direct.fetch(again("http://door.test/a")).await.unwrap();
    drop(direct);
    let world = world.restarted();
    let proxy = format!("socks5://{}", web.address());
    let proxied = fetcher(&world, FetchSettings { proxy, ..lifted(web.address()) });
    proxied.fetch(again("http://door.test/a")).await.unwrap();
    let cookies: Vec<Option<String>> = web
        .hits("door.test")
        .iter()
        .filter(|it| it.path == "/a")
        .map(|it| it.header("cookie").map(str::to_owned))
        .collect();
    assert_eq!(cookies, [Some("sid=secret".to_owned()), None]);
    assert_eq!(world.graph.read(|r| r.sessions()).unwrap().len(), 1, "it is left alone");
}
