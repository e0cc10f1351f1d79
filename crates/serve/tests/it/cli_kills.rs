//! An investigation that is killed at any moment: no browser stays, no page that waits for a person is lost, and it goes on.
//!
//! `LYRA_KILLS=50` kills as often as the acceptance of the browser asks for; that takes some minutes.

use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use testweb::{Answer, Door, DoorKind, Living};

use crate::person::{Screen, marked, run, with_browser};
use crate::support::online;

/// Kills, unless the environment says another number.
const KILLS: u64 = 4;
/// From before the first request to after the last page.
const LATEST: u64 = 7_000;

#[test]
fn killed_at_any_moment_an_investigation_loses_nothing_and_goes_on() {
    let kills = std::env::var("LYRA_KILLS").ok().map(|it| it.parse().expect("a number"));
    let kills: u64 = kills.unwrap_or(KILLS);
    let (web, home) = online();
    web.put_door("door.test", Door::new(DoorKind::Form));
    let mut waited = 0;
    for kill in 0..kills {
        let number = usize::try_from(kill).unwrap() + 1;
        // Pages that are rendered, one of them for the first time in each round, and one that asks for a person.
        let kinds = [Living::Fetched, Living::Scrolled, Living::Worked];
        let living = kinds.map(|kind| {
            web.put_living("living.test", kind, number);
            format!("http://living.test{}", kind.path(number))
        });
        let addresses = [format!("http://door.test/page/{number}")].into_iter().chain(living);
        let results: String = addresses
            .map(|it| {
                format!(
                    "<li><h2><a class='title' href='{it}'>Rice</a></h2><p class='s'>The yield of rice fell.</p></li>"
                )
            })
            .collect();
        let page = format!("<html><body><ul class='results-standard'>{results}</ul></body></html>");
        web.put("www.mojeek.com", "/search", Answer::html(200, page));
        let line =
            format!("research Did-the-yield-of-rice-fall-{number} --source web --max-pages 12");
        let Some(mut command) = with_browser(&home, Screen::Imagined, &line) else { return };
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // Spread over the whole range, in an order that does not rise.
        thread::sleep(Duration::from_millis(100 + (kill * 2_647) % LATEST));
        child.kill().unwrap();
        child.wait().unwrap();
        let until = Instant::now() + Duration::from_secs(10);
        let mut left = marked(&home);
        while !left.is_empty() && Instant::now() < until {
            thread::sleep(Duration::from_millis(20));
            left = marked(&home);
        }
        assert_eq!(left, [""; 0], "after kill {kill}");
        let waits = home.run("auth list --json").json()["waiting"]["pending"].as_u64().unwrap();
        assert!(waits >= waited, "after kill {kill}: {waits} of {waited} pages wait");
        waited = waits;
    }
    let resumed = run(&home, "research --resume latest").unwrap();
    assert_eq!(resumed.code, Some(0), "{resumed}");
    let number = usize::try_from(kills).unwrap();
    let sentence = &Living::Fetched.truth(number)[0];
    let read =
        "SELECT count(*) FROM fragments WHERE text_content LIKE '%' || substr(?, 1, 40) || '%'";
    let read = read.replace('?', &format!("'{sentence}'"));
    let found = home.run_arguments(&["sql", &read, "--json"]).json();
    assert_eq!(found["rows"], serde_json::json!([[1]]), "the page was rendered and read");
    let waits = home.run("auth list --json").json()["waiting"]["pending"].as_u64().unwrap();
    assert!(waits > 0, "the login waits");
    assert_eq!(home.run("--offline doctor").code, Some(0));
    assert_eq!(home.run("archive verify").code, Some(0));
}
