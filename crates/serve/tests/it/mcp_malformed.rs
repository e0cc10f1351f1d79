//! Two hundred calls that should not be made: each is refused with its code, nothing changes, nothing leaks.

use serde_json::{Value, json};

use crate::mcp_client::Client;
use crate::support::Home;
use crate::world;

/// A tool, its arguments, and the code they deserve.
type Case = (&'static str, Value, &'static str);

const INVALID: &str = "INVALID_PARAMS";

/// Ids of the right form that name nothing.
const NO_TASK: &str = "task_01ARZ3NDEKTSV4RRFFQ69G5FAV";
const NO_CLAIM: &str = "c_01ARZ3NDEKTSV4RRFFQ69G5FAV";
const NO_EDGE: &str = "e_01ARZ3NDEKTSV4RRFFQ69G5FAV";
const NO_AUTH: &str = "auth_01ARZ3NDEKTSV4RRFFQ69G5FAV";

/// The least arguments each tool accepts.
fn least(task: &str) -> Vec<(&'static str, Value)> {
    vec![
        ("create_task", json!({ "query": "q" })),
        ("search", json!({ "task_id": task, "query": "q" })),
        ("get_status", json!({ "task_id": task })),
        ("stop_task", json!({ "task_id": task })),
        ("query_graph", json!({ "sql": "SELECT 1" })),
        ("vector_search", json!({ "query": "q" })),
        ("feedback", json!({ "action": "claim_restore", "claim_id": NO_CLAIM })),
        ("calibration_metrics", json!({ "action": "get_stats" })),
        ("calibration_rollback", json!({ "source": "nli_judge" })),
        ("get_auth_queue", json!({})),
        (
            "resolve_auth",
            json!({ "target": "item", "data": { "auth_id": NO_AUTH, "status": "skipped" } }),
        ),
        ("notify_user", json!({ "event": "info", "payload": { "message": "m" } })),
        ("wait_for_user", json!({ "prompt": "p" })),
    ]
}

/// Arguments with one field changed.
fn with(arguments: &Value, field: &str, value: Value) -> Value {
    let mut changed = arguments.clone();
    changed[field] = value;
    changed
}

/// Unknown fields, missing fields and wrong types, for every tool.
fn wrong_in_form(task: &str) -> Vec<Case> {
    let mut cases = Vec::new();
    for (tool, arguments) in least(task) {
        cases.push((tool, with(&arguments, "unknown_field", json!(1)), INVALID));
        cases.push((tool, with(&arguments, "__proto__", json!({})), INVALID));
        cases.push((tool, with(&arguments, "'; DROP TABLE claims; --", json!(true)), INVALID));
        for field in arguments.as_object().unwrap().keys() {
            for value in [json!(null), json!(7), json!([]), json!({ "a": 1 }), json!(true)] {
                let fits =
                    matches!((field.as_str(), &value), ("data" | "payload", Value::Object(_)));
                if !fits {
                    cases.push((tool, with(&arguments, field, value), INVALID));
                }
            }
            let mut missing = arguments.clone();
            missing.as_object_mut().unwrap().remove(field);
            cases.push((tool, missing, INVALID));
        }
    }
    cases
}

/// Wrong ids, and ids that try to be something else.
fn wrong_ids() -> Vec<Case> {
    let mut cases = vec![
        ("search", json!({ "task_id": NO_TASK, "query": "q" }), "TASK_NOT_FOUND"),
        ("get_status", json!({ "task_id": NO_TASK }), "TASK_NOT_FOUND"),
        ("stop_task", json!({ "task_id": NO_TASK }), "TASK_NOT_FOUND"),
        ("vector_search", json!({ "query": "q", "task_id": NO_TASK }), "TASK_NOT_FOUND"),
        ("get_auth_queue", json!({ "task_id": NO_TASK }), "TASK_NOT_FOUND"),
        (
            "feedback",
            json!({ "action": "claim_reject", "claim_id": NO_CLAIM, "reason": "r" }),
            INVALID,
        ),
        ("feedback", json!({ "action": "claim_restore", "claim_id": NO_CLAIM }), INVALID),
        (
            "feedback",
            json!({ "action": "edge_correct", "edge_id": NO_EDGE, "correct_relation": "neutral" }),
            INVALID,
        ),
        (
            "resolve_auth",
            json!({ "target": "item", "data": { "auth_id": NO_AUTH, "status": "resolved" } }),
            INVALID,
        ),
    ];
    for id in [
        "",
        "task_",
        "01ARZ3NDEKTSV4RRFFQ69G5FAV",
        NO_CLAIM,
        "task_01arz3ndektsv4rrffq69g5fav",
        "task_' OR '1'='1",
        "task_01ARZ3NDEKTSV4RRFFQ69G5FAV'; DROP TABLE tasks; --",
        "../../etc/passwd",
        "task_\u{202e}gnp.exe",
        "{{constructor}}",
        "%00",
        "タスク",
    ] {
        cases.push(("get_status", json!({ "task_id": id }), INVALID));
        cases.push(("search", json!({ "task_id": id, "query": "q" }), INVALID));
        cases.push((
            "feedback",
            json!({ "action": "claim_restore", "claim_id": id.replace("task_", "c-") }),
            INVALID,
        ));
    }
    cases
}

/// Huge texts, control characters, numbers out of range, words that are no choice.
fn wrong_values(task: &str) -> Vec<Case> {
    let huge = "x".repeat(200_000);
    vec![
        ("create_task", json!({ "query": huge }), INVALID),
        ("create_task", json!({ "query": "a\u{0}b" }), INVALID),
        ("create_task", json!({ "query": " \n\t " }), INVALID),
        ("create_task", json!({ "query": "q", "hypothesis": huge }), INVALID),
        (
            "create_task",
            json!({ "query": "q", "config": { "budget": { "max_pages": 0 } } }),
            INVALID,
        ),
        (
            "create_task",
            json!({ "query": "q", "config": { "budget": { "max_pages": -1 } } }),
            INVALID,
        ),
        (
            "create_task",
            json!({ "query": "q", "config": { "budget": { "max_pages": 1e300 } } }),
            INVALID,
        ),
        (
            "create_task",
            json!({ "query": "q", "config": { "budget": { "max_page": 5 } } }),
            INVALID,
        ),
        ("create_task", json!({ "query": "q", "config": { "sources": ["dark web"] } }), INVALID),
        ("create_task", json!({ "query": "q", "config": { "library": ["/etc"] } }), INVALID),
        (
            "create_task",
            json!({ "query": "q", "config": { "library": ["library/../../.."] } }),
            INVALID,
        ),
        ("search", json!({ "task_id": task, "query": huge }), INVALID),
        (
            "search",
            json!({ "task_id": task, "query": "q", "options": { "wait_seconds": 601 } }),
            INVALID,
        ),
        (
            "search",
            json!({ "task_id": task, "query": "q", "options": { "wait_second": 6 } }),
            INVALID,
        ),
        (
            "search",
            json!({ "task_id": task, "query": "q", "options": { "max_pages": 0 } }),
            INVALID,
        ),
        (
            "search",
            json!({ "task_id": task, "query": "q", "options": { "refute": "yes" } }),
            INVALID,
        ),
        (
            "search",
            json!({ "task_id": task, "query": "q", "options": { "urls": vec!["u"; 51] } }),
            INVALID,
        ),
        ("search", json!({ "task_id": task, "query": "q", "detail": "everything" }), INVALID),
        ("search", json!({ "task_id": task, "query": "q", "offset": -1 }), INVALID),
        ("get_status", json!({ "task_id": task, "wait_seconds": 100_000 }), INVALID),
        ("query_graph", json!({ "sql": "SELECT 1", "options": { "limit": 201 } }), INVALID),
        ("query_graph", json!({ "sql": "SELECT 1", "options": { "timeout_ms": 2001 } }), INVALID),
        (
            "query_graph",
            json!({ "sql": "SELECT 1", "options": { "max_vm_steps": 5_000_001 } }),
            INVALID,
        ),
        ("vector_search", json!({ "query": "q", "top_k": 51 }), INVALID),
        ("vector_search", json!({ "query": "q", "target": "pages" }), INVALID),
        ("vector_search", json!({ "query": "q", "min_similarity": 1.5 }), INVALID),
        ("feedback", json!({ "action": "claim_delete", "claim_id": NO_CLAIM }), INVALID),
        ("feedback", json!({ "action": "claim_reject", "claim_id": NO_CLAIM }), INVALID),
        ("feedback", json!({ "action": "domain_block", "domain_pattern": "example.com" }), INVALID),
        (
            "feedback",
            json!({ "action": "domain_block", "domain_pattern": "*", "reason": "r" }),
            INVALID,
        ),
        (
            "feedback",
            json!({ "action": "domain_block", "domain_pattern": "*.com", "reason": "r" }),
            INVALID,
        ),
        (
            "feedback",
            json!({ "action": "domain_block", "domain_pattern": "ex*ample.com", "reason": "r" }),
            INVALID,
        ),
        (
            "feedback",
            json!({ "action": "domain_block", "domain_pattern": "a.example", "reason": huge }),
            INVALID,
        ),
        (
            "feedback",
            json!({ "action": "domain_clear_override", "domain_pattern": "a.example", "reason": "r" }),
            INVALID,
        ),
        (
            "feedback",
            json!({ "action": "claim_restore", "claim_id": NO_CLAIM, "edge_id": NO_EDGE }),
            INVALID,
        ),
        ("calibration_metrics", json!({ "action": "evaluate" }), INVALID),
        (
            "calibration_metrics",
            json!({ "action": "evaluate", "source": "nli_judge" }),
            "CALIBRATION_ERROR",
        ),
        (
            "calibration_metrics",
            json!({ "action": "get_evaluations", "since": "yesterday" }),
            INVALID,
        ),
        ("calibration_metrics", json!({ "action": "add_sample" }), INVALID),
        ("calibration_rollback", json!({ "source": "nli_judge" }), "CALIBRATION_ERROR"),
        (
            "calibration_rollback",
            json!({ "source": "nli_judge", "version": 3 }),
            "CALIBRATION_ERROR",
        ),
        ("calibration_rollback", json!({ "source": "nli_judge", "version": -3 }), INVALID),
        (
            "resolve_auth",
            json!({ "target": "item", "data": { "domain": "a.example", "status": "skipped" } }),
            INVALID,
        ),
        (
            "resolve_auth",
            json!({ "target": "domain", "data": { "auth_id": NO_AUTH, "status": "skipped" } }),
            INVALID,
        ),
        (
            "resolve_auth",
            json!({ "target": "item", "data": { "auth_id": NO_AUTH, "status": "pending" } }),
            INVALID,
        ),
        (
            "resolve_auth",
            json!({ "target": "item", "data": { "auth_id": NO_AUTH, "status": "skipped", "session_data": "c=1" } }),
            INVALID,
        ),
        ("notify_user", json!({ "event": "alarm", "payload": { "message": "m" } }), INVALID),
        (
            "notify_user",
            json!({ "event": "info", "payload": { "message": "m".repeat(301) } }),
            INVALID,
        ),
        (
            "wait_for_user",
            json!({ "prompt": "p", "options": { "choices": vec!["c"; 21] } }),
            INVALID,
        ),
        ("wait_for_user", json!({ "prompt": "p", "options": { "timeout_seconds": 0 } }), INVALID),
    ]
}

/// SQL that wants more than to ask.
fn wrong_sql() -> Vec<Case> {
    let refused = [
        "DELETE FROM claims",
        "DROP TABLE tasks",
        "INSERT INTO tasks DEFAULT VALUES",
        "UPDATE claims SET claim_text = 'x'",
        "SELECT 1; DELETE FROM claims",
        "ATTACH DATABASE '/etc/passwd' AS p",
        "PRAGMA writable_schema = 1",
        "SELECT load_extension('/tmp/x.so')",
        "SELECT * FROM sessions",
        "SELECT * FROM sqlite_master",
        "SELECT readfile('/etc/passwd')",
        "VACUUM INTO '/tmp/copy.db'",
        "CREATE TEMP TABLE t (x)",
        "BEGIN",
        "SELECT fts5_decode(1)",
        "SELEC 1",
        "SELECT * FROM claim",
        "SELECT nothing FROM claims",
        "",
        "-- only a comment",
        "SELECT writefile('/tmp/x', 'y')",
        "WITH x AS (SELECT 1) DELETE FROM claims",
        "EXPLAIN DELETE FROM claims",
    ];
    let mut cases: Vec<Case> =
        refused.iter().map(|sql| ("query_graph", json!({ "sql": sql }), INVALID)).collect();
    let endless =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
    cases.push(("query_graph", json!({ "sql": endless }), "TIMEOUT"));
    cases.push((
        "query_graph",
        json!({ "sql": endless, "options": { "max_vm_steps": 1000 } }),
        "TIMEOUT",
    ));
    cases
}

#[test]
fn two_hundred_malformed_calls_are_refused_and_change_nothing() {
    let home = Home::new();
    let task = home.fill(world::small_investigation).to_string();
    let mut client = Client::start(&home, &["--offline"]);
    let fingerprint = |client: &mut Client| {
        let sql = "SELECT (SELECT count(*) FROM tasks) AS t, (SELECT count(*) FROM queries) AS q, \
                   (SELECT group_concat(claim_adoption_status) FROM claims) AS c, \
                   (SELECT count(*) FROM edges) AS e, (SELECT count(*) FROM events) AS v, \
                   (SELECT count(*) FROM domain_override_rules) AS d";
        client.ok("query_graph", json!({ "sql": sql }))["rows"].clone()
    };
    let before = fingerprint(&mut client);
    let cases = [wrong_in_form(&task), wrong_ids(), wrong_values(&task), wrong_sql()].concat();
    assert!(cases.len() >= 200, "{}", cases.len());
    for (tool, arguments, code) in cases {
        let result = client.call(tool, arguments.clone());
        let shown = clipped(&arguments.to_string());
        let document = &result["structuredContent"];
        assert_eq!(result["isError"], true, "{tool} {shown}: {result}");
        assert_eq!(document["ok"], false, "{tool} {shown}");
        assert_eq!(document["error"]["code"], code, "{tool} {shown}: {document}");
        let words = result.to_string();
        assert!(words.len() < 2_000, "{tool} {shown}: {words}");
        for leak in [
            home.path().to_str().unwrap(),
            "panicked",
            ".rs:",
            "rusqlite",
            "/lyra.db",
            "auth_queue SET",
        ] {
            assert!(!words.contains(leak), "{tool} {shown} leaks {leak}: {words}");
        }
    }
    assert_eq!(fingerprint(&mut client), before);
    assert_eq!(client.leave(), Some(0));
}

#[test]
fn what_is_no_call_at_all_is_answered_by_the_protocol() {
    let mut client = Client::start(&Home::new(), &["--offline"]);
    let unknown = client.request("tools/call", json!({ "name": "serch", "arguments": {} }));
    assert_eq!(unknown["error"]["code"], -32602);
    assert_eq!(unknown["error"]["message"], "there is no tool `serch`; did you mean `search`?");
    let nameless = client.request("tools/call", json!({ "name": 7 }));
    assert_eq!(nameless["error"]["code"], -32602);
    for arguments in [json!("text"), json!([1]), json!(7)] {
        let answer =
            client.request("tools/call", json!({ "name": "search", "arguments": arguments }));
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        assert_eq!(answer["result"]["structuredContent"]["error"]["code"], INVALID, "{answer}");
    }
    let method = client.request("tools/destroy", json!({}));
    assert_eq!(method["error"]["code"], -32601);
    client.send_line("{ this is no JSON");
    client.send_line("");
    client.send_line(r#"{"jsonrpc":"2.0","method":"notifications/unheard_of"}"#);
    client.ok("query_graph", json!({ "sql": "SELECT 1" }));
}

fn clipped(text: &str) -> String {
    text.chars().take(200).collect()
}
