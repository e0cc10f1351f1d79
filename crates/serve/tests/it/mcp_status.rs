//! What `get_status` says beside the numbers of a search: domains, people's rules, silence, disputes, engines;
//! and the codes of a search that could do nothing.

use evidence::TaskId;
use graph::{CircuitState, EngineHealth, Writer};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use sources::Engines;
use testweb::{SiteKind, TestWeb};

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
    assert_eq!(blocked["restore_via"], "feedback");
    assert_eq!(blocked["override"]["is_overridden"], false);
    let rule = &told["domain_overrides"][0];
    assert_eq!(rule["domain_pattern"], "a.example.com");
    assert_eq!(rule["decision"], "block");
    let cause = blocked["cause_id"].as_str().unwrap();
    let sql = format!("SELECT kind FROM events WHERE id = '{cause}'");
    assert_eq!(
        client.ok("query_graph", json!({ "sql": sql }))["rows"],
        json!([{ "kind": "feedback" }])
    );
    assert!(blocked["blocked_at"].as_str().unwrap().parse::<Timestamp>().is_ok());
}

#[test]
fn unverified_domains_disputed_claims_and_silence_are_told() {
    let home = Home::new();
    let task = home.fill(small_investigation);
    let mut client = Client::start(&home, &["--offline"]);
    let told = status(&mut client, task);
    assert_eq!(told["unverified_domains"], json!(["a.example.com"]));
    let alerts = told["verification_alerts"].as_array().unwrap();
    assert_eq!(alerts.len(), 1, "{alerts:?}");
    assert_eq!((&alerts[0]["support_count"], &alerts[0]["refute_count"]), (&json!(1), &json!(1)));
    // The task was made just now, and asking counts as a sign of life.
    assert!(told["idle_seconds"].as_u64().unwrap() < 60, "{}", told["idle_seconds"]);
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
        let now = home.graph().now();
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

fn pages_of(web: &TestWeb, kind: SiteKind) -> Vec<String> {
    let site = web.world().sites_of(kind).next().unwrap();
    web.world().pages_of(&site.host).map(|page| page.url.to_string()).collect()
}

#[test]
fn a_search_whose_pages_all_ask_for_a_person_says_so() {
    let (web, home) = online();
    let mut client = Client::start(&home, &[]);
    let task = client.ok("create_task", json!({ "query": "members only" }))["task_id"].clone();
    let options =
        json!({ "urls": pages_of(&web, SiteKind::LoginPage), "sources": [], "engines": [] });
    assert_eq!(
        client.refused(
            "search",
            json!({ "task_id": task, "query": "members only", "options": options })
        ),
        "AUTH_REQUIRED | every page that was found asks for a person | get_auth_queue lists them"
    );
}
