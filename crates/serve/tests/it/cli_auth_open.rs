//! Pages that a person opens: the window, the word, the session, and what follows from them.

use std::net::TcpListener;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use evidence::AuthPriority;
use graph::NewAuth;
use serde_json::json;
use testweb::{Door, DoorKind, TestWeb};

use crate::person::{Person, Screen, begin, end, marked, run, with_browser};
use crate::support::{Answer, Home, JAPANESE, online};
use crate::world::task;

pub(crate) const HOST: &str = "door.test";

pub(crate) fn url(page: u32) -> String {
    format!("http://{HOST}/page/{page}")
}

/// A site with a door, and a home in which a page of it waits. `None`: there is no browser.
pub(crate) fn waiting(door: Door) -> Option<(TestWeb, Home)> {
    let (web, home) = online();
    web.put_door(HOST, door);
    let read = run(&home, &format!("read {}", url(1)))?;
    assert_eq!(read.code, Some(8), "{read}");
    assert_eq!(pending(&home), 1, "{read}");
    Some((web, home))
}

pub(crate) fn pending(home: &Home) -> u64 {
    home.run("auth list --json").json()["waiting"]["pending"].as_u64().unwrap()
}

/// Opens the most urgent page and has a person do something in its window.
pub(crate) fn open(home: &Home, person: impl FnOnce(&mut Person)) -> Answer {
    let child = begin(with_browser(home, Screen::Imagined, "auth open --json").unwrap());
    person(&mut Person::at(home));
    end(home, child)
}

#[test]
fn after_one_login_the_next_twenty_pages_open_without_asking_again() {
    // The worst kind: each page gives a new cookie, and the one before opens nothing.
    let door = Door { moves_on: true, ..Door::new(DoorKind::Form) };
    let Some((web, home)) = waiting(door) else { return };
    let opened = open(&home, Person::signs_in);
    assert_eq!(opened.code, Some(0), "{opened}");
    let json = opened.json();
    assert_eq!((&json["status"], &json["how"]), (&"resolved".into(), &"navigation".into()));
    assert_eq!((&json["domain"], &json["pages"]), (&HOST.into(), &1.into()));
    assert_eq!(json["page"]["title"], "Field 1");
    assert_eq!(pending(&home), 0);

    for number in 2..=21 {
        let read = run(&home, &format!("read {}", url(number))).unwrap();
        assert!(read.stdout.contains(&Door::sentence(number)), "page {number}: {read}");
    }
    assert_eq!(pending(&home), 0, "nobody was asked again");

    // Nothing of the session is anywhere but sealed.
    let shown = home.run(&format!("archive show {} --headers", url(21)));
    assert!(shown.stdout.contains("cookie: [left out]"), "{shown}");
    assert!(shown.stdout.contains("set-cookie: [left out]"), "{shown}");
    let all = files(home.path());
    let packed = all.iter().filter(|it| it.extension().is_some_and(|it| it == "gz"));
    let unpacked: Vec<Vec<u8>> = packed.map(|it| unpack(it)).collect();
    assert!(!unpacked.is_empty(), "there is an archive");
    let plain = all.iter().map(|it| std::fs::read(it).unwrap());
    for bytes in plain.chain(unpacked) {
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains("-of-a-session"), "a cookie lies open");
    }
    assert!(home.path().join(".config/lyra/session.key").is_file());

    let kept = home.run("auth sessions --json").json();
    assert_eq!(kept["sessions"][0]["domain"], HOST);
    assert_eq!(kept["sessions"][0]["is_over"], false);
    let sql = home.run_arguments(&["sql", "SELECT cookies FROM sessions"]);
    assert_eq!(sql.code, Some(2), "{sql}");

    // A copy that goes elsewhere has no sessions.
    let backup = home.run("backup kept.tar.gz");
    assert_eq!(backup.code, Some(0), "{backup}");
    let elsewhere = Home::new();
    let copy = home.path().join("kept.tar.gz");
    let restored = elsewhere.run_arguments(&["restore", copy.to_str().unwrap()]);
    assert_eq!(restored.code, Some(0), "{restored}");
    assert_eq!(elsewhere.run("auth sessions --json").json()["sessions"], serde_json::json!([]));

    // Signed out, the site asks again.
    let forgotten = home.run(&format!("auth forget {HOST}"));
    assert_eq!(forgotten.code, Some(0), "{forgotten}");
    let read = run(&home, &format!("read {}", url(30))).unwrap();
    assert_eq!((read.code, pending(&home)), (Some(8), 1), "{read}");
    assert_eq!(home.run(&format!("auth forget {HOST}")).code, Some(3));
    drop(web);
}

fn files(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => all.extend(files(&path)),
            false => all.push(path),
        }
    }
    all
}

fn unpack(path: &std::path::Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).unwrap();
    std::io::Read::read_to_end(&mut flate2::read::MultiGzDecoder::new(file), &mut bytes).unwrap();
    bytes
}

#[test]
fn a_login_at_another_site_leads_back_and_all_pages_of_the_site_are_free() {
    let Some((_web, home)) = waiting(Door::new(DoorKind::Elsewhere)) else { return };
    home.fill_now(|w| {
        for (page, question) in [(5, "a"), (6, "b")] {
            let task = task(w, question)?;
            w.queue_auth(&NewAuth {
                task_id: Some(task),
                url: url(page),
                domain: HOST.to_owned(),
                auth_type: "login".to_owned(),
                priority: AuthPriority::Low,
            })?;
        }
        Ok(())
    });
    assert_eq!(pending(&home), 3);
    let opened = open(&home, |person| {
        person.signs_in();
        person.sees("document.title == 'Field 1'");
    });
    assert_eq!(opened.code, Some(0), "{opened}");
    let json = opened.json();
    assert_eq!((&json["pages"], json["tasks"].as_array().unwrap().len()), (&3.into(), 2));
    assert_eq!(pending(&home), 0);
    let read = run(&home, &format!("read {}", url(5))).unwrap();
    assert!(read.stdout.contains(&Door::sentence(5)), "{read}");
    // What the other site set is not Lyra's.
    let kept = home.run("auth sessions --json").json();
    let domains: Vec<&serde_json::Value> =
        kept["sessions"].as_array().unwrap().iter().map(|it| &it["domain"]).collect();
    assert_eq!(domains, [HOST]);
    let by_hand = "SELECT DISTINCT host FROM egress WHERE route = 'person' AND outcome = 'carried' ORDER BY host";
    let asked = home.run_arguments(&["sql", by_hand, "--json"]).json();
    assert_eq!(asked["rows"], json!([[HOST], ["id.test"]]));
}

#[test]
fn a_click_opens_a_site_that_rested_and_its_session_speaks_as_the_browser_did() {
    let Some((web, home)) = waiting(Door::new(DoorKind::Click)) else { return };
    let rests = run(&home, &format!("read {}", url(2))).unwrap();
    assert!(rests.stderr.contains("resting"), "{rests}");
    let opened = open(&home, |person| {
        person.reads("document.querySelector('#human')");
        person.does("document.querySelector('#human').click()");
    });
    assert_eq!(opened.code, Some(0), "{opened}");
    let read = run(&home, &format!("read {}", url(2))).unwrap();
    assert!(read.stdout.contains(&Door::sentence(2)), "{read}");
    let last = web.hits(HOST).pop().unwrap();
    assert!(last.header("user-agent").unwrap().contains("Chrome"), "{last:?}");
    let other = run(&home, "read http://news-1.test/").unwrap();
    assert_eq!(other.code, Some(0), "{other}");
    let other = web.hits("news-1.test").pop().unwrap();
    assert!(other.header("user-agent").unwrap().starts_with("Lyra/"), "{other:?}");
}

#[test]
fn a_session_that_is_over_is_forgotten_and_the_pages_wait_again() {
    let door = Door { pages: Some(4), ..Door::new(DoorKind::Form) };
    let Some((_web, home)) = waiting(door) else { return };
    // The person sees a page, and so does Lyra.
    assert_eq!(open(&home, Person::signs_in).code, Some(0));
    let mut codes = Vec::new();
    for number in 2..=5 {
        codes.push(run(&home, &format!("read {}", url(number))).unwrap().code);
    }
    assert_eq!(codes, [Some(0), Some(0), Some(8), Some(8)]);
    assert_eq!(pending(&home), 2);
    let opened = open(&home, Person::signs_in);
    assert_eq!(opened.json()["pages"], 2, "{opened}");
    assert_eq!(run(&home, &format!("read {}", url(5))).unwrap().code, Some(0));
}

#[test]
fn the_word_of_a_person_is_held_against_the_page() {
    let Some((_web, home)) = waiting(Door::new(DoorKind::Form)) else { return };
    let id = home.run("auth list --json").json()["queue"][0]["id"].as_str().unwrap().to_owned();
    let nobody = home.run(&format!("auth done {id}"));
    assert_eq!(nobody.code, Some(3), "{nobody}");

    let child = begin(with_browser(&home, Screen::Imagined, "auth open --json").unwrap());
    let mut person = Person::at(&home);
    person.sees("document.querySelector('#enter')");
    let early = home.run("auth done latest");
    assert_eq!(early.code, Some(8), "{early}");
    assert!(early.stderr.contains("the page asks for a login"), "{early}");
    // Where the site gives no sign, the word is what there is.
    person.does(
        "fetch('/enter', { method: 'POST', body: new URLSearchParams({ password: 'correct horse', next: '/page/1' }) })\
         .then(() => document.body.dataset.in = 'yes')",
    );
    person.sees("document.body.dataset.in");
    let done = home.run("auth done latest --json");
    assert_eq!(done.code, Some(0), "{done}");
    assert_eq!(end(&home, child).code, Some(0));
    assert_eq!(done.json()["status"], "resolved");
    assert_eq!(pending(&home), 0);
}

#[test]
fn a_window_that_is_closed_too_early_leaves_the_page_waiting() {
    let Some((_web, home)) = waiting(Door::new(DoorKind::Form)) else { return };
    let child = begin(with_browser(&home, Screen::Imagined, "auth open").unwrap());
    let mut person = Person::at(&home);
    person.sees("document.querySelector('#enter')");
    person.closes_the_window();
    let closed = end(&home, child);
    assert_eq!(closed.code, Some(8), "{closed}");
    assert!(closed.stderr.contains("the window was closed"), "{closed}");
    assert_eq!(pending(&home), 1);
    let result = "SELECT detail ->> 'result' AS result FROM events WHERE kind = 'auth_visit'";
    let log = home.run_arguments(&["sql", result, "--json"]).json();
    assert_eq!(log["rows"], json!([["window_closed"]]));
    assert_eq!(marked(&home), [""; 0]);
    assert_eq!(std::fs::read_dir(home.data().join("browser")).unwrap().count(), 0);
}

#[test]
fn a_command_that_is_killed_leaves_no_window_and_the_page_waits_on() {
    let Some((_web, home)) = waiting(Door::new(DoorKind::Form)) else { return };
    for kill in 0..8 {
        let mut command = with_browser(&home, Screen::Imagined, "auth open").unwrap();
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        thread::sleep(Duration::from_millis(100 + kill * 300));
        child.kill().unwrap();
        child.wait().unwrap();
        let until = Instant::now() + Duration::from_secs(10);
        let mut left = marked(&home);
        while !left.is_empty() && Instant::now() < until {
            thread::sleep(Duration::from_millis(20));
            left = marked(&home);
        }
        assert_eq!(left, [""; 0], "after kill {kill}");
        assert_eq!(pending(&home), 1, "after kill {kill}");
    }
    assert_eq!(open(&home, Person::signs_in).code, Some(0));
    assert_eq!(home.run("--offline doctor").code, Some(0));
}

#[test]
fn a_window_reaches_nothing_on_this_machine_or_its_network() {
    let (web, home) = online();
    // The small internet lies on loopback too: 127.0.0.1 is allowed as an address, and nothing else of this machine is.
    let listener = TcpListener::bind("127.0.0.2:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let by_name = TcpListener::bind(("127.0.0.1", port)).unwrap();
    for it in [&listener, &by_name] {
        it.set_nonblocking(true).unwrap();
    }
    let ways = format!(
        "fetch('http://127.0.0.2:{port}/').catch(() => 0); fetch('http://localhost:{port}/').catch(() => 0);\
         fetch('http://[::1]:{port}/').catch(() => 0); fetch('http://10.0.0.1/').catch(() => 0);\
         new WebSocket('ws://localhost:{port}/'); new WebSocket('ws://127.0.0.2:{port}/'); new Image().src = 'http://printer.local/';\
         document.body.append(Object.assign(document.createElement('iframe'), {{ src: 'http://127.2:{port}/x' }}));\
         const rtc = new RTCPeerConnection({{ iceServers: [{{ urls: 'stun:127.0.0.2:{port}' }}] }});\
         rtc.createDataChannel('x'); rtc.createOffer().then(it => rtc.setLocalDescription(it));\
         setTimeout(() => document.title = 'tried', 3000)"
    );
    let page = format!(
        "<!doctype html><title>Log in</title><form><input type=email><input type=password><p>Please log in to your account to \
         read this page.<button>Log in</button></form><script>{ways}</script>"
    );
    web.put("trap.test", "/", testweb::Answer::html(200, page));
    let Some(read) = run(&home, "read http://trap.test/") else { return };
    assert_eq!(pending(&home), 1, "{read}");
    let child = begin(with_browser(&home, Screen::Imagined, "auth open").unwrap());
    let mut person = Person::at(&home);
    person.sees("document.title == 'tried'");
    person.closes_the_window();
    assert_eq!(end(&home, child).code, Some(8));
    for it in [listener, by_name] {
        let arrived = it.accept().map(|it| it.1).map_err(|it| it.kind());
        assert_eq!(arrived, Err(std::io::ErrorKind::WouldBlock));
    }
}

#[test]
fn a_real_window_opens_on_a_screen() {
    if testkit::browser().is_none() || !testkit::is_installed("Xvfb") {
        return;
    }
    let Some((_web, home)) = waiting(Door::new(DoorKind::Form)) else { return };
    let number = 100 + std::process::id() % 20_000;
    let mut screen = Command::new("Xvfb")
        .args([&format!(":{number}"), "-screen", "0", "1024x768x24"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let socket = std::path::PathBuf::from(format!("/tmp/.X11-unix/X{number}"));
    let until = Instant::now() + Duration::from_secs(20);
    while !socket.exists() && Instant::now() < until {
        thread::sleep(Duration::from_millis(50));
    }
    let child = begin(with_browser(&home, Screen::Real(number), "auth open --json").unwrap());
    Person::at(&home).signs_in();
    let opened = end(&home, child);
    screen.kill().unwrap();
    screen.wait().unwrap();
    assert_eq!(opened.code, Some(0), "{opened}");
    assert_eq!(opened.json()["page"]["title"], "Field 1");
}

#[test]
fn without_a_screen_or_a_browser_it_says_what_to_do() {
    let Some((_web, home)) = waiting(Door::new(DoorKind::Form)) else { return };
    let mut command = with_browser(&home, Screen::Imagined, "auth open").unwrap();
    let answer = home.answer(command.env_remove("DISPLAY").output().unwrap());
    insta::assert_snapshot!(answer, @"
    --- stderr
    error: there is no screen here to show a window on
    hint: where you sit in front of a screen, `ssh -X HOST lyra auth open auth_AAAAAAAAAAAAAAAAAAAAAAAAAA` shows the window of this machine (HOST) there; or save the page from a browser and run `lyra read FILE --url URL`
    --- exit 4
    ");
    let mut command = with_browser(&home, Screen::Imagined, "auth open").unwrap();
    command.env_remove("DISPLAY").env(JAPANESE.0, JAPANESE.1);
    insta::assert_snapshot!(home.answer(command.output().unwrap()), @"
    --- stderr
    エラー: ここにはウィンドウを表示する画面がありません
    ヒント: 画面のある端末で `ssh -X HOST lyra auth open auth_AAAAAAAAAAAAAAAAAAAAAAAAAA` を実行すると、このマシン (HOST) のウィンドウがそこに表示されます。ブラウザーで保存し、`lyra read FILE --url URL` を実行することもできます
    --- exit 4
    ");
    let none = home.run("auth open --set browser.program=/no/browser");
    insta::assert_snapshot!(none, @"
    --- stderr
    error: there is no browser at /no/browser
    hint: such pages need a window of Chromium, Chrome or Edge: `lyra doctor` says which one is used and what it lacks
    --- exit 4
    ");
    assert_eq!(home.run("--offline auth open").code, Some(8));
    assert_eq!(pending(&home), 1);
}

#[test]
fn a_person_is_asked_a_few_times_for_a_task_and_not_more() {
    let Some((_web, home)) = waiting(Door::new(DoorKind::Form)) else { return };
    home.fill_now(|w| {
        let task = task(w, "c")?;
        w.queue_auth(&NewAuth {
            task_id: Some(task),
            url: url(9),
            domain: HOST.to_owned(),
            auth_type: "login".to_owned(),
            priority: AuthPriority::High,
        })?;
        for _ in 0..3 {
            let cause = graph::Cause::new(graph::VISIT).in_task(task);
            w.record_event(cause.with(serde_json::json!({ "seconds": 20 })))?;
        }
        Ok(())
    });
    let refused = run(&home, "auth open").unwrap();
    insta::assert_snapshot!(refused, @"
    --- stderr
    error: a person was at work 3 times and 60 s for this task, and 3 times and 60 s are the limit
    hint: `--anyway` opens it all the same; auth.visits_per_task and auth.minutes are the limits
    --- exit 7
    ");
    let child = begin(with_browser(&home, Screen::Imagined, "auth open --anyway").unwrap());
    Person::at(&home).signs_in();
    assert_eq!(end(&home, child).code, Some(0));
}

#[test]
fn pages_can_be_skipped_one_by_one_and_by_domain() {
    let Some((_web, home)) = waiting(Door::new(DoorKind::Form)) else { return };
    let skipped = home.run("auth skip latest");
    assert_eq!(skipped.code, Some(0), "{skipped}");
    assert_eq!(pending(&home), 0);
    run(&home, &format!("read {}", url(2))).unwrap();
    let skipped = home.run(&format!("auth skip --domain {HOST} --json")).json();
    assert_eq!((&skipped["domain"], &skipped["skipped"]), (&HOST.into(), &1.into()));
    assert_eq!(home.run("auth skip 7ZZZ").code, Some(3));
    assert_eq!(home.run("auth skip").code, Some(2));
    assert_eq!(home.run("auth sessions").stdout, "");
}

#[test]
fn a_site_that_refuses_three_times_waits_for_a_person() {
    let (web, home) = online();
    web.script("refuses.test", vec![testweb::Fault::Status(403); 9]);
    let quick = "--set fetch.rest_min_minutes=0";
    let mut waits = Vec::new();
    for _ in 0..3 {
        let read = home.run(&format!("read http://refuses.test/ --again {quick}"));
        assert_eq!(read.code, Some(8), "{read}");
        waits.push(pending(&home));
    }
    assert_eq!(waits, [0, 0, 1]);
    assert_eq!(home.run("auth list --json").json()["queue"][0]["auth_type"], "refused");
}
