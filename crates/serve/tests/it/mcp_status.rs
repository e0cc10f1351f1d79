//! What `get_status` says beside the numbers of a search: domains, people's rules, silence, disputes, engines;
//! and the codes of a search that could do nothing.

use evidence::TaskId;
use evidence::domain::BlockReason;
use graph::{CircuitState, Clock, EngineHealth, SystemClock, Writer};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use sources::Engines;
use testweb::{Answer, EngineMode};

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
        r#"feedback {"action":"domain_clear_override","domain_pattern":"a.example.com","reason":"reviewed"}"#
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

/// Makes a call as it is printed.
fn call_as_printed(client: &mut Client, printed: &Value) {
    let (tool, arguments) = printed.as_str().unwrap().split_once(' ').unwrap();
    client.ok(tool, serde_json::from_str(arguments).unwrap());
}

#[test]
fn a_claim_that_was_set_aside_comes_back_by_the_call_that_is_printed() {
    let home = Home::new();
    let task = home.fill(small_investigation);
    let mut client = Client::start(&home, &["--offline"]);
    assert_eq!(status(&mut client, task)["not_adopted_claims"], json!([]));
    let sql = format!("SELECT id FROM claims WHERE task_id = '{task}' ORDER BY seq LIMIT 1");
    let claim = client.ok("query_graph", json!({ "sql": sql }))["rows"][0]["id"].clone();
    client.ok(
        "feedback",
        json!({ "action": "claim_reject", "claim_id": claim, "reason": "out of date" }),
    );
    let told = status(&mut client, task)["not_adopted_claims"].clone();
    assert_eq!(told.as_array().unwrap().len(), 1, "{told}");
    assert_eq!(
        (&told[0]["claim_id"], &told[0]["text"], &told[0]["reason"]),
        (&claim, &json!("主張0"), &json!("out of date"))
    );
    call_as_printed(&mut client, &told[0]["restore_via"]);
    assert_eq!(status(&mut client, task)["not_adopted_claims"], json!([]));
}

#[test]
fn every_kind_of_block_is_lifted_by_the_call_that_is_printed() {
    let home = Home::new();
    home.write(
        ".config/lyra/domains.toml",
        "[[denylist]]\npatterns = ['*.farm.example']\nreason = 'copies'\n",
    );
    let task = home.fill(|w| {
        let policy = evidence::domain::DomainPolicy::default();
        let block = |host, reason| w.block_domain_recorded(host, reason, "found", &policy);
        block("www.evil.example", BlockReason::DangerousPattern)?;
        block("poor.example", BlockReason::HighRejectionRate)?;
        w.domain_block(&"*.mine.example".parse().unwrap(), "copies", "test")?;
        small_investigation(w)
    });
    let hosts = ["a.farm.example", "www.evil.example", "a.poor.example", "b.mine.example"];
    let blocked = || {
        let check = |host: &&&str| home.run(&format!("domain check {host} --json")).json();
        hosts.iter().filter(|host| !check(host)["decision"]["blocked"].is_null()).count()
    };
    assert_eq!(blocked(), 4);
    let mut client = Client::start(&home, &["--offline"]);
    let told = status(&mut client, task)["blocked_domains"].clone();
    let ways: Vec<&Value> = told.as_array().unwrap().iter().map(|it| &it["restore_via"]).collect();
    assert_eq!(ways.len(), 4, "{told}");
    for way in ways {
        call_as_printed(&mut client, way);
    }
    assert_eq!(client.leave(), Some(0));
    assert_eq!(blocked(), 0);
}

#[test]
fn the_verdict_on_the_hypothesis_is_told_in_a_sentence() {
    let home = Home::new();
    let task = home.fill(|w| {
        let task = w.create_task(&graph::NewTask {
            query: "Is sea level rising?".to_owned(),
            hypothesis: Some("Sea level is rising.".to_owned()),
            language: None,
            budget: evidence::Budget { max_pages: 1, max_seconds: 1 },
            config: json!({}),
        })?;
        Ok(task)
    });
    let mut client = Client::start(&home, &["--offline"]);
    let verdict = status(&mut client, task)["verdict"].clone();
    assert_eq!(verdict["verdict"], "not_enough_evidence");
    assert_eq!(verdict["sentence"], "Not enough evidence: nothing was read.");
    assert_eq!(verdict["supporting_sources"], 0);
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
fn a_search_says_when_every_engine_turns_us_away() {
    let (web, home) = online();
    // Two engines, because each waits a while before it is asked again.
    let used = ["duckduckgo", "mojeek"];
    let engines = Engines::load(None);
    let names: Vec<&str> = engines.all().iter().map(|it| it.name.as_str()).collect();
    let others: Vec<&str> = names.into_iter().filter(|it| !used.contains(it)).collect();
    for engine in used {
        web.set_engine(engine, EngineMode::Captcha);
    }
    let disabled = format!("engines.disabled={}", others.join(","));
    let mut client = Client::start(&home, &["--set", &disabled]);
    let task = client.ok("create_task", json!({ "query": "green tea" }))["task_id"].clone();
    let options = json!({ "sources": ["web"], "wait_seconds": 100 });
    let search = |query: &str| json!({ "task_id": task, "query": query, "options": options });
    // One failure may be an accident; after the second an engine rests.
    let first = client.ok("search", search("green tea"));
    assert_eq!((&first["pages_fetched"], &first["status"]), (&json!(0), &json!("exhausted")));
    assert_eq!(
        client.refused("search", search("black tea")),
        "ALL_ENGINES_BLOCKED | every engine rests after failures | \
         wait, search with options.sources [\"academic\"], or name pages in options.urls"
    );
    let warnings = client.ok("get_status", json!({ "task_id": task }))["warnings"].clone();
    assert!(warnings.as_array().unwrap().contains(&json!(ALL_REST)), "{warnings}");
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
