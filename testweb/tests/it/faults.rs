//! Scripted faults come once each, in order.

use std::time::{Duration, Instant};

use testweb::{Answer, Fault, TestWeb, World};

use crate::client::{Reply, exchange, get, request};

fn web() -> TestWeb {
    let web = TestWeb::start(World::of_size(1, 10));
    web.put("a.test", "/", Answer::html(200, "0123456789"));
    web
}

/// Status and body.
fn show(reply: &Reply) -> (u16, String) {
    (reply.status, reply.text())
}

#[test]
fn faults_are_used_up_in_order() {
    let web = web();
    web.script("a.test", vec![Fault::Status(503), Fault::Normal, Fault::RetryAfter(7)]);
    assert_eq!(get(&web, "a.test", "/").status, 503);
    assert_eq!(show(&get(&web, "a.test", "/")), (200, "0123456789".to_owned()));
    let busy = get(&web, "a.test", "/");
    assert_eq!((busy.status, busy.header("Retry-After")), (429, Some("7")));
    assert_eq!(get(&web, "a.test", "/").status, 200);
}

#[test]
fn robots_txt_is_spared_unless_it_is_named() {
    let web = web();
    web.put("a.test", "/robots.txt", Answer::new(200, "text/plain", "User-agent: *\n"));
    web.script("a.test", vec![Fault::Status(500)]);
    assert_eq!(get(&web, "a.test", "/robots.txt").status, 200);
    web.script_path("a.test", "/robots.txt", vec![Fault::Status(401)]);
    assert_eq!(get(&web, "a.test", "/robots.txt").status, 401);
    assert_eq!(get(&web, "a.test", "/").status, 500);
}

#[test]
fn half_a_body_comes_under_the_length_of_the_whole() {
    let web = web();
    web.script("a.test", vec![Fault::Cut]);
    let reply = get(&web, "a.test", "/");
    assert_eq!(reply.header("Content-Length"), Some("10"));
    assert_eq!(reply.text(), "01234");
}

#[test]
fn a_closed_or_reset_connection_brings_no_byte() {
    let web = web();
    web.script("a.test", vec![Fault::Close, Fault::Reset]);
    let asked = request("GET", "a.test", "/", &[], "");
    assert_eq!(exchange(&web, &asked), b"");
    assert_eq!(exchange(&web, &asked), b"");
    assert_eq!(web.hits("a.test").iter().map(|it| it.status).collect::<Vec<_>>(), [0, 0]);
}

#[test]
fn garbage_is_not_http() {
    let web = web();
    web.script("a.test", vec![Fault::Garbage]);
    let bytes = exchange(&web, &request("GET", "a.test", "/", &[], ""));
    assert_eq!(bytes.len(), 512);
    assert!(!bytes.starts_with(b"HTTP/"));
}

#[test]
fn a_slow_answer_is_the_ordinary_one_later() {
    let web = web();
    web.script("a.test", vec![Fault::Slow(300), Fault::Drip { piece: 2, pause_ms: 60 }]);
    for _ in 0..2 {
        let start = Instant::now();
        assert_eq!(get(&web, "a.test", "/").text(), "0123456789");
        assert!(start.elapsed() >= Duration::from_millis(300));
    }
}

#[test]
fn a_stalled_answer_stops_in_the_middle() {
    let web = web();
    web.script("a.test", vec![Fault::Stall]);
    let start = Instant::now();
    assert_eq!(get(&web, "a.test", "/").text(), "01234");
    assert!(start.elapsed() >= Duration::from_secs(2));
}

#[test]
fn answers_redirects_and_headers_can_be_ordered() {
    let web = web();
    web.script(
        "a.test",
        vec![
            Fault::Redirect("http://10.0.0.1/".to_owned()),
            Fault::Headers(vec![("Set-Cookie", "a=1".to_owned())]),
            Fault::Answer(Answer::new(418, "text/plain", "short and stout")),
            Fault::Challenge,
        ],
    );
    let reply = get(&web, "a.test", "/");
    assert_eq!((reply.status, reply.header("Location")), (302, Some("http://10.0.0.1/")));
    assert_eq!(get(&web, "a.test", "/").header("Set-Cookie"), Some("a=1"));
    assert_eq!(show(&get(&web, "a.test", "/")), (418, "short and stout".to_owned()));
    assert_eq!(get(&web, "a.test", "/").header("CF-Mitigated"), Some("challenge"));
}
