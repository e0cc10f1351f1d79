//! What `get_status` says beside the numbers of a search: domains, people's rules, silence, disputes, engines;
//! and the codes of a search that could do nothing.

use evidence::TaskId;
use graph::{CircuitState, Clock, EngineHealth, SystemClock, Writer};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use sources::Engines;
use testweb::Answer;

use crate::mcp_client::Client;
use crate::support::{Home, online};
use crate::world::small_investigation;

fn status(client: &mut Client, task: TaskId) -> Value {
    client.ok("get_status", json!({ "task_id": task, "detail": "full" }))
}

#[test]
fn a_blocked_domain_is_listed_with_its_reason_risk_and_way_back() {
    let home = Home::new();
    let task = home.fill(small_investigation);
    let mut client = Client::start(&home, &["--offline"]);
    assert_eq!(status(&mut client, task)["blocked_domains"], json!([]));
    client.ok(
        "feedback",
        json!({ "action": "domain_block", "domain_pattern": "a.example.com", "reason": "copies others" }),
    );
    let told = status(&mut client, task);
    let blocked = &told["blocked_domains"][0];
    assert_eq!(blocked["domain"], "a.example.com");
    assert_eq!(blocked["domain_block_reason"], "manual");
    assert_eq!(blocked["domain_unblock_risk"], "low");
    assert_eq!(blocked["reason"], "copies others");
    assert_eq!(blocked["original_domain_category"], "unverified");
    assert_eq!(
        blocked["restore_via"],
        "feedback(domain_clear_override) or feedback(domain_unblock)"
    );
    assert_eq!(blocked["override"]["is_overridden"], false);
    let rule = &told["domain_overrides"][0];
    assert_eq!(rule["domain_pattern"], "a.example.com");
    assert_eq!(rule["decision"], "block");
    let cause = blocked["cause_id"].as_str().unwrap();
    let sql = format!("SELECT kind FROM events WHERE id = '{cause}'");
    assert_eq!(
        client.ok("query_graph", json!({ "sql": sql }))["rows"],
        json!([{ "kind": "domain_block" }])
    );
    assert!(blocked["blocked_at"].as_str().unwrap().parse::<Timestamp>().is_ok());
}

#[test]
fn disputed_claims_and_silence_are_told() {
    let home = Home::new();
    let task = home.fill(small_investigation);
    let mut client = Client::start(&home, &["--offline"]);
    let told = status(&mut client, task);
    let alerts = told["verification_alerts"].as_array().unwrap();
    assert_eq!(alerts.len(), 1, "{alerts:?}");
    assert_eq!((&alerts[0]["support_count"], &alerts[0]["refute_count"]), (&json!(1), &json!(1)));
    // The clock of this world stopped long ago; asking is a sign of life.
    assert!(told["idle_seconds"].as_u64().unwrap() > 60, "{}", told["idle_seconds"]);
    let again = status(&mut client, task);
    assert!(again["idle_seconds"].as_u64().unwrap() < 60, "{}", again["idle_seconds"]);
}

/// Every engine rests until the given time.
fn rest_all_engines(w: &Writer<'_>, until: Timestamp) -> graph::Result<()> {
    for engine in Engines::load(None).all() {
        w.keep_engine_health(&EngineHealth {
            engine: engine.name.clone(),
            circuit_state: CircuitState::Open,
            consecutive_failures: 3,
            open_until: Some(until),
            success_rate_1h: None,
            success_rate_24h: None,
            captcha_rate: None,
            http_error_rate: None,
            parse_failure_rate: None,
            median_latency_ms: None,
            ban_suspected: false,
            weight: 1.0,
            samples: 3,
            broken_sample: None,
            last_outcome: None,
            updated_at: until,
        })?;
    }
    Ok(())
}

const ALL_REST: &str = "critical: every web engine rests after failures";

#[test]
fn engines_rest_until_their_rest_is_over() {
    let hour = SignedDuration::from_hours(1);
    for (until, resting) in [(hour, true), (-hour, false)] {
        let home = Home::new();
        let now = SystemClock.now();
        let task = home.fill(|w| {
            rest_all_engines(w, now + until)?;
            small_investigation(w)
        });
        let mut client = Client::start(&home, &["--offline"]);
        let warnings = status(&mut client, task)["warnings"].clone();
        let warned = warnings.as_array().unwrap().contains(&json!(ALL_REST));
        assert_eq!(warned, resting, "{warnings}");
    }
}

const LOGIN: &str = "<html lang=en><title>Log in</title><main><h1>Log in</h1>\
    <p>Please log in to your account to read this page.</p><form method=post action=/login>\
    <label>Email address <input type=email name=email></label>\
    <label>Password <input type=password name=password></label><button>Log in</button></form></main>";

#[test]
fn a_search_whose_pages_all_ask_for_a_person_says_so() {
    let (web, home) = online();
    web.put("members.test", "/", Answer::html(200, LOGIN.to_owned()));
    let mut client = Client::start(&home, &[]);
    let task = client.ok("create_task", json!({ "query": "members only" }))["task_id"].clone();
    let options = json!({ "urls": ["https://members.test/"], "sources": ["library"] });
    let search = json!({ "task_id": task, "query": "members only", "options": options });
    assert_eq!(
        client.refused("search", search),
        "AUTH_REQUIRED | every page that was found asks for a person | get_auth_queue lists them"
    );
}

#[test]
fn domains_nobody_vouches_for_are_listed() {
    let (web, home) = online();
    let page = "<html lang=en><title>Tea</title><main><p>Green tea lowered the blood pressure of adults by 4 \
                points in a trial with 200 people.</p></main>";
    web.put("tea.test", "/", Answer::html(200, page.to_owned()));
    let mut client = Client::start(&home, &[]);
    let task = client.ok("create_task", json!({ "query": "green tea" }))["task_id"].clone();
    let options = json!({ "urls": ["https://tea.test/"], "sources": ["library"] });
    let search =
        json!({ "task_id": task, "query": "green tea blood pressure", "options": options });
    assert_eq!(client.ok("search", search)["pages_fetched"], 1);
    let told = client.ok("get_status", json!({ "task_id": task }));
    assert_eq!(told["unverified_domains"], json!(["tea.test"]));
}
