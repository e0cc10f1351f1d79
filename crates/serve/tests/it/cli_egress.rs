//! `lyra egress`.

use evidence::TaskId;
use graph::{EgressAnswer, NewEgress};

use crate::support::{Home, own_help};
use crate::world::task;

fn request(host: &str, path: &str, purpose: &str) -> NewEgress {
    NewEgress {
        task_id: None,
        purpose: purpose.to_owned(),
        route: "http",
        method: "GET",
        scheme: "https".to_owned(),
        host: host.to_owned(),
        port: 443,
        path: path.to_owned(),
        request_bytes: 312,
    }
}

fn answer(status: Option<u16>, response_bytes: u64, outcome: &str) -> EgressAnswer {
    let address = status.map(|_| "192.0.2.7".to_owned());
    EgressAnswer { address, status, sent_bytes: 312, response_bytes, outcome: outcome.to_owned() }
}

/// Four requests: answered with an error, answered, without a connection, cut off.
fn home() -> (Home, TaskId) {
    let home = Home::new();
    let task = home.fill(|w| {
        let task = task(w, "気候")?;
        let first = w.record_egress(&request("example.org", "/robots.txt", "robots"))?;
        w.answer_egress(first, &answer(Some(404), 90, "answered"))?;
        let engine = NewEgress {
            task_id: Some(task),
            ..request("www.mojeek.com", "/search?q=%E6%B0%97%E5%80%99", "engine:mojeek")
        };
        let second = w.record_egress(&engine)?;
        w.answer_egress(second, &answer(Some(200), 45_000, "answered"))?;
        let odd = NewEgress {
            scheme: "http".to_owned(),
            port: 8080,
            method: "HEAD",
            ..request("example.org", "/\u{1b}[31m", "page")
        };
        let third = w.record_egress(&odd)?;
        let nothing = EgressAnswer { sent_bytes: 0, ..answer(None, 0, "cannot_connect") };
        w.answer_egress(third, &nothing)?;
        w.record_egress(&NewEgress {
            task_id: Some(task),
            ..request("example.org", "/a", "page")
        })?;
        Ok(task)
    });
    (home, task)
}

#[test]
fn the_help_shows_how_to_use_it() {
    insta::assert_snapshot!(own_help("egress"), @"
    List every request that left this machine

    When, where to, how large and why. A row is written before the first byte leaves, so what is not
    here was not sent. Newest first; sizes are those of requests and answers before encryption. `0 B`
    sent: no connection came about, the request did not leave. `no answer` is a request that was cut off
    before anything was known about it; it counts as sent.

    Usage: lyra egress [OPTIONS]

    Options:
          --task <TASK>
              Only what belongs to this task: latest, task:3, or the beginning or end of its id

          --host <HOST>
              Only requests to this host

          --since <TIME>
              Only requests since this day (of your time zone) or moment, or in the last hours or days:
              2026-01-15, 0000-00-00T00:00:00.000Z, 24h, 7d

          --limit <N>
              Show at most N requests [default: the setting output.rows]

          --all
              Show all of them

      -h, --help
              Print help (see a summary with '-h')

    Examples:
      lyra egress
      lyra egress --task latest --all
      lyra egress --host api.openalex.org --since 2026-01-15
      lyra egress --since 24h --json

    Next: `lyra archive show URL` shows what came back.
    --- exit 0
    ");
}

#[test]
fn everything_that_left_is_listed_newest_first_with_its_sum() {
    insta::assert_snapshot!(home().0.run("egress"), @"
    TIME                 HOST                     PATH                          METHOD   SENT  RECEIVED  ANSWER          FOR
    ────                 ────                     ────                          ──────   ────  ────────  ──────          ───
    0000-00-00 00:00:00  example.org              /a                            GET     312 B         -  no answer       page
    0000-00-00 00:00:00  http://example.org:8080  /␛[31m                        HEAD      0 B       0 B  cannot connect  page
    0000-00-00 00:00:00  www.mojeek.com           /search?q=%E6%B0%97%E5%80%99  GET     312 B   45.0 kB  200             engine:mojeek
    0000-00-00 00:00:00  example.org              /robots.txt                   GET     312 B      90 B  404             robots
    --- stderr
    4 requests to 2 hosts: 936 B sent, 45.1 kB received; 1 without an answer.
    --- exit 0
    ");
}

#[test]
fn an_empty_ledger_says_that_nothing_left() {
    insta::assert_snapshot!(Home::new().run("egress"), @"
    --- stderr
    Nothing left this machine.
    --- exit 0
    ");
    assert_eq!(Home::new().run("egress --json").json()["totals"]["requests"], 0);
}

#[test]
fn what_is_listed_can_be_narrowed_and_the_sum_follows() {
    let (home, task) = home();
    insta::assert_snapshot!(home.run(&format!("egress --task {task}")), @"
    TIME                 HOST            PATH                          METHOD   SENT  RECEIVED  ANSWER     FOR
    ────                 ────            ────                          ──────   ────  ────────  ──────     ───
    0000-00-00 00:00:00  example.org     /a                            GET     312 B         -  no answer  page
    0000-00-00 00:00:00  www.mojeek.com  /search?q=%E6%B0%97%E5%80%99  GET     312 B   45.0 kB  200        engine:mojeek
    --- stderr
    2 requests to 2 hosts: 624 B sent, 45.0 kB received; 1 without an answer.
    --- exit 0
    ");
    insta::assert_snapshot!(home.run("egress --host WWW.mojeek.com --since 2026-01-15"), @"
    TIME                 HOST            PATH                          METHOD   SENT  RECEIVED  ANSWER  FOR
    ────                 ────            ────                          ──────   ────  ────────  ──────  ───
    0000-00-00 00:00:00  www.mojeek.com  /search?q=%E6%B0%97%E5%80%99  GET     312 B   45.0 kB  200     engine:mojeek
    --- stderr
    1 request to 1 host: 312 B sent, 45.0 kB received.
    --- exit 0
    ");
    insta::assert_snapshot!(home.run("egress --since 2026-01-15T12:00:00.001Z"), @"
    --- stderr
    Nothing like that left this machine.
    --- exit 0
    ");
    insta::assert_snapshot!(home.run("egress --limit 1"), @"
    TIME                 HOST         PATH  METHOD   SENT  RECEIVED  ANSWER     FOR
    ────                 ────         ────  ──────   ────  ────────  ──────     ───
    0000-00-00 00:00:00  example.org  /a    GET     312 B         -  no answer  page
    --- stderr
    4 requests to 2 hosts: 936 B sent, 45.1 kB received; 1 without an answer. Shown: the newest 1; --all shows the rest.
    --- exit 0
    ");
    assert_eq!(home.run("egress --all --json").json()["requests"].as_array().unwrap().len(), 4);
}

#[test]
fn a_script_gets_every_field() {
    let (home, task) = home();
    let json = home.run("egress --json --limit 3").json();
    assert_eq!(
        json["totals"],
        serde_json::json!({
            "requests": 4, "hosts": 2, "sent_bytes": 936, "response_bytes": 45_090, "unanswered": 1
        })
    );
    let row = &json["requests"][2];
    assert_eq!(row["task_id"], task.to_string());
    assert_eq!(row["path"], "/search?q=%E6%B0%97%E5%80%99");
    assert_eq!((&row["status"], &row["route"]), (&200.into(), &"http".into()));
    assert_eq!((&row["request_bytes"], &row["sent_bytes"]), (&312.into(), &312.into()));
    assert_eq!(json["requests"][1]["sent_bytes"], 0);
    assert_eq!(json["requests"][0]["sent_bytes"], serde_json::Value::Null);
    assert_eq!(json["requests"][0]["finished_at"], serde_json::Value::Null);
}

/// All requests are of noon on the 15th, UTC.
#[test]
fn a_day_begins_where_the_user_is() {
    let (home, _) = home();
    let requests = |zone: &str, day: &str| {
        let json = home.run_with(("TZ", zone), &format!("egress --since {day} --json")).json();
        json["totals"]["requests"].as_u64().unwrap()
    };
    assert_eq!(requests("UTC", "2026-01-16"), 0);
    assert_eq!(requests("Pacific/Kiritimati", "2026-01-16"), 4);
    assert_eq!(requests("UTC", "2026-01-15"), 4);
    assert_eq!(requests("Pacific/Kiritimati", "2026-01-17"), 0);
}

#[test]
fn wrong_values_are_explained() {
    let (home, _) = home();
    insta::assert_snapshot!(home.run("egress --since yesterday"), @"
    --- stderr
    error: invalid value 'yesterday' for '--since <TIME>': write a day (2026-01-15), a moment (0000-00-00T00:00:00.000Z) or a while (30m, 24h, 7d)

    For more information, try '--help'.
    --- exit 2
    ");
    insta::assert_snapshot!(home.run("egress --task 7ZZZ"), @"
    --- stderr
    error: no task task_7ZZZ
    hint: `lyra task list` shows the tasks
    --- exit 3
    ");
}
