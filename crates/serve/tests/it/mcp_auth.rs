//! What a person opens for an assistant, and for engines.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;
use testweb::{Door, DoorKind, EngineMode};

use crate::cli_auth_open::{HOST, open, pending, url, waiting};
use crate::mcp_client::Client;
use crate::person::{Person, Screen, marked, run, with_browser};
use crate::support::online;

#[test]
fn an_engine_whose_proof_a_person_gave_is_asked_again() {
    let (web, home) = online();
    web.set_engine("mojeek", EngineMode::Captcha);
    for _ in 0..2 {
        let Some(asked) = run(&home, "engines test mojeek --query sea") else { return };
        assert_eq!(asked.code, Some(8), "{asked}");
    }
    let circuit = || {
        let listed = home.run("engines list --json").json();
        let engines = listed["engines"].as_array().unwrap();
        engines.iter().find(|it| it["name"] == "mojeek").unwrap()["circuit"].clone()
    };
    assert_eq!((circuit(), pending(&home)), ("open".into(), 1));
    let opened = open(&home, |person| {
        person.reads("document.body");
        // What the real engine does once its riddle is solved.
        web.set_engine("mojeek", EngineMode::Normal);
        person.does("document.cookie = 'solved=yes; path=/; max-age=3600'; location.reload()");
    });
    assert_eq!(opened.code, Some(0), "{opened}");
    assert_eq!(opened.json()["engines"], serde_json::json!(["mojeek"]));
    assert_eq!((circuit(), pending(&home)), ("closed".into(), 0));
    let asked = run(&home, "engines test mojeek --query velorastatin --json").unwrap();
    assert_eq!(asked.json()["answers"][0]["outcome"]["answered"], "results", "{asked}");
    let last = web.hits("www.mojeek.com").pop().unwrap();
    assert_eq!(last.header("cookie"), Some("solved=yes"), "{last:?}");
}

#[test]
fn an_assistant_has_a_page_opened_and_the_session_is_stored() {
    let Some((_web, home)) = waiting(Door::new(DoorKind::Form)) else { return };
    let list = home.run("auth list --json").json();
    let id = list["queue"][0]["id"].as_str().unwrap();
    let about =
        |status: &str| json!({ "target": "item", "data": { "auth_id": id, "status": status } });
    let mut blind = with_browser(&home, Screen::Imagined, "mcp").unwrap();
    blind.env_remove("DISPLAY");
    let mut client = Client::of(blind);
    let refused = client.refused("resolve_auth", about("open"));
    assert!(refused.starts_with("CHROME_NOT_READY | there is no screen here"), "{refused}");
    client.leave();

    let mut client = Client::of(with_browser(&home, Screen::Imagined, "mcp").unwrap());
    let opened = client.ok("resolve_auth", about("open"));
    assert_eq!((&opened["window_open"], &opened["status"]), (&true.into(), &"pending".into()));
    let second = client.refused("resolve_auth", about("open"));
    assert!(second.contains("a window is open for"), "{second}");
    let mut person = Person::at(&home);
    person.sees("document.querySelector('#enter')");
    let early = client.refused("resolve_auth", about("resolved"));
    assert!(early.starts_with("AUTH_REQUIRED | the page asks for a login"), "{early}");
    person.signs_in();
    person.sees("document.title == 'Field 1'");
    let done = client.ok("resolve_auth", about("resolved"));
    assert_eq!((&done["session_stored"], &done["resolved_count"]), (&true.into(), &1.into()));
    assert_eq!(pending(&home), 0);
    client.leave();
    let read = run(&home, &format!("read {}", url(2))).unwrap();
    assert!(read.stdout.contains(&Door::sentence(2)), "{read}");
}

#[test]
fn an_assistant_is_told_when_the_window_was_closed_in_vain() {
    let Some((_web, home)) = waiting(Door::new(DoorKind::Form)) else { return };
    let about =
        |status: &str| json!({ "target": "domain", "data": { "domain": HOST, "status": status } });
    let mut client = Client::of(with_browser(&home, Screen::Imagined, "mcp").unwrap());
    client.ok("resolve_auth", about("open"));
    Person::at(&home).closes_the_window();
    let until = Instant::now() + Duration::from_secs(10);
    while marked(&home).len() > 1 && Instant::now() < until {
        thread::sleep(Duration::from_millis(20));
    }
    let refused = client.refused("resolve_auth", about("resolved"));
    assert!(
        refused.starts_with("AUTH_REQUIRED | the page still asks for a person (window_closed)"),
        "{refused}"
    );
    assert_eq!(pending(&home), 1);
    client.ok("resolve_auth", about("open"));
    Person::at(&home);
    let skipped = client.ok("resolve_auth", about("skipped"));
    assert_eq!((&skipped["status"], &skipped["resolved_count"]), (&"skipped".into(), &1.into()));
    client.leave();
    assert_eq!((marked(&home), pending(&home)), (Vec::new(), 0));
}
