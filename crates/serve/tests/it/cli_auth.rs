//! `lyra auth list`.

use evidence::{AuthPriority, TaskId};
use graph::NewAuth;

use crate::support::{Home, own_help};
use crate::world::task;

fn page(url: &str, domain: &str, auth_type: &str, priority: AuthPriority) -> NewAuth {
    NewAuth {
        task_id: None,
        url: url.to_owned(),
        domain: domain.to_owned(),
        auth_type: auth_type.to_owned(),
        priority,
    }
}

/// Three pages that wait, one of them for a task, and one that was seen to.
fn home() -> (Home, TaskId) {
    let home = Home::new();
    let task = home.fill(|w| {
        let task = task(w, "気候")?;
        w.queue_auth(&page("https://news.com/a", "news.com", "cloudflare", AuthPriority::Medium))?;
        w.queue_auth(&NewAuth {
            task_id: Some(task),
            ..page("https://www.go.jp/資料", "www.go.jp", "login", AuthPriority::High)
        })?;
        w.queue_auth(&page("https://news.com/\u{1b}[31m", "news.com", "login", AuthPriority::Low))?;
        let done = page("https://done.org/", "done.org", "login", AuthPriority::High);
        w.queue_auth(&done)?;
        w.resolve_auth(&graph::AuthTarget::Domain("done.org".to_owned()))?;
        Ok(task)
    });
    (home, task)
}

#[test]
fn the_help_shows_how_to_use_it() {
    insta::assert_snapshot!(own_help("auth list"), @"
    List the pages that wait for a person

    The most urgent first (primary sources, by the category of their domain), then those that wait
    longest.

    Usage: lyra auth list [OPTIONS]

    Options:
          --task <TASK>
              Only what belongs to this task: latest, task:3, or the beginning or end of its id

          --limit <N>
              Show at most N pages [default: the setting output.rows]

          --all
              Show all of them

      -h, --help
              Print help (see a summary with '-h')

    Examples:
      lyra auth list
      lyra auth list --task latest --json

    Next: `lyra auth open ID` opens one, `lyra auth skip ID` does without it.
    --- exit 0
    ");
}

#[test]
fn what_waits_is_listed_the_most_urgent_first() {
    insta::assert_snapshot!(home().0.run("auth list"), @"
    SINCE             PRIORITY  ASKS FOR    ADDRESS                 TASK                             ID
    ─────             ────────  ────────    ───────                 ────                             ──
    0000-00-00 00:00  high      login       https://www.go.jp/資料  task_AAAAAAAAAAAAAAAAAAAAAAAAAA  auth_BBBBBBBBBBBBBBBBBBBBBBBBBB
    0000-00-00 00:00  medium    cloudflare  https://news.com/a      -                                auth_CCCCCCCCCCCCCCCCCCCCCCCCCC
    0000-00-00 00:00  low       login       https://news.com/␛[31m  -                                auth_DDDDDDDDDDDDDDDDDDDDDDDDDD
    --- stderr
    3 pages wait for a person on 2 domains, 1 of high priority.
    --- exit 0
    ");
}

#[test]
fn an_empty_queue_says_so() {
    insta::assert_snapshot!(Home::new().run("auth list"), @"
    --- stderr
    No page waits for a person.
    --- exit 0
    ");
    let json = Home::new().run("auth list --json").json();
    assert_eq!((&json["waiting"]["pending"], &json["queue"]), (&0.into(), &serde_json::json!([])));
}

#[test]
fn what_is_listed_can_be_narrowed() {
    let (home, task) = home();
    insta::assert_snapshot!(home.run(&format!("auth list --task {task}")), @"
    SINCE             PRIORITY  ASKS FOR  ADDRESS                 TASK                             ID
    ─────             ────────  ────────  ───────                 ────                             ──
    0000-00-00 00:00  high      login     https://www.go.jp/資料  task_AAAAAAAAAAAAAAAAAAAAAAAAAA  auth_BBBBBBBBBBBBBBBBBBBBBBBBBB
    --- stderr
    1 page waits for a person on 1 domain, 1 of high priority.
    --- exit 0
    ");
    insta::assert_snapshot!(home.run("auth list --limit 1"), @"
    SINCE             PRIORITY  ASKS FOR  ADDRESS                 TASK                             ID
    ─────             ────────  ────────  ───────                 ────                             ──
    0000-00-00 00:00  high      login     https://www.go.jp/資料  task_AAAAAAAAAAAAAAAAAAAAAAAAAA  auth_BBBBBBBBBBBBBBBBBBBBBBBBBB
    --- stderr
    3 pages wait for a person on 2 domains, 1 of high priority.
    1 of 3 pages; --all shows the rest.
    --- exit 0
    ");
    insta::assert_snapshot!(home.run("auth list --task 7ZZZ"), @"
    --- stderr
    error: no task task_7ZZZ
    hint: `lyra task list` shows the tasks
    --- exit 3
    ");
    assert_eq!(home.run("auth list --all --json").json()["queue"].as_array().unwrap().len(), 3);
}

#[test]
fn a_script_gets_every_field() {
    let (home, task) = home();
    let json = home.run("auth list --json").json();
    assert_eq!(json["waiting"]["pending"], 3);
    assert_eq!(json["waiting"]["high_priority"], 1);
    assert_eq!(json["waiting"]["domains"], 2);
    let first = &json["queue"][0];
    assert_eq!(first["task_id"], task.to_string());
    assert_eq!(first["url"], "https://www.go.jp/資料");
    assert_eq!((&first["auth_type"], &first["priority"]), (&"login".into(), &"high".into()));
    assert_eq!(
        (&first["status"], &first["resolved_at"]),
        (&"pending".into(), &serde_json::Value::Null)
    );
}
