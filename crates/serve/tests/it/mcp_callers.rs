//! Who called: the log of the graph names the door and the client, whatever the tool or command.

use evidence::ClaimId;
use graph::Writer;
use serde_json::{Value, json};

use crate::mcp_client::{Client, DOCUMENTS, home_with};
use crate::support::Home;
use crate::world::{claim, look_at, passage, supports, task};

const SEARCH: &str = "working from home productivity";

/// The acts that nothing else led to, in order, with whoever the log names for each.
fn callers(home: &Home) -> Vec<String> {
    let sql = "SELECT kind || ' ' || coalesce(detail ->> 'by', '-') AS act FROM events
               WHERE cause_id IS NULL AND kind IN ('task_create', 'search_start', 'task_stop', 'calibration',
                 'feedback') ORDER BY id";
    let rows = home.run_arguments(&["sql", sql, "--json"]).json()["rows"].clone();
    rows.as_array().unwrap().iter().map(|it| it[0].as_str().unwrap().to_owned()).collect()
}

/// A claim whose judge can be measured.
fn judged(w: &Writer<'_>) -> graph::Result<ClaimId> {
    let task = task(w, "q")?;
    let origin = passage(w, "a.example.com", "p")?;
    let id = claim(w, task, "c", Some(origin), Some(0.8))?;
    let edges = supports(w, id, "sample", 40, 0.7)?;
    look_at(w, &edges, |n| n % 4 != 0)?;
    Ok(id)
}

#[test]
fn what_a_client_asks_for_names_it() {
    let home = home_with(DOCUMENTS);
    let claim = home.fill(judged);
    let mut client = Client::named(&home, &["--offline"], "acme");
    let task = client.ok("create_task", json!({ "query": "remote work" }))["task_id"].clone();
    client.ok("search", json!({ "task_id": task, "query": SEARCH }));
    let reject = json!({ "action": "claim_reject", "claim_id": claim, "reason": "copied" });
    client.ok("feedback", reject);
    let block =
        json!({ "action": "domain_block", "domain_pattern": "spam.example", "reason": "copied" });
    client.ok("feedback", block);
    client.ok("calibration_metrics", json!({ "action": "evaluate", "source": "nli_judge" }));
    client.ok("stop_task", json!({ "task_id": task }));
    assert_eq!(client.leave(), Some(0));
    assert_eq!(
        callers(&home),
        [
            "task_create mcp:acme",
            "search_start mcp:acme",
            "feedback mcp:acme",
            "feedback mcp:acme",
            "calibration mcp:acme",
            "task_stop mcp:acme",
        ]
    );
    let decided = home.run("domain log --json").json();
    assert_eq!(decided["events"][0]["created_by"], "mcp:acme");
}

#[test]
fn everything_a_search_leaves_leads_back_to_its_caller() {
    let home = home_with(DOCUMENTS);
    let mut client = Client::named(&home, &["--offline"], "acme");
    let task = client.ok("create_task", json!({ "query": "remote work" }))["task_id"].clone();
    assert_eq!(
        client.ok("search", json!({ "task_id": task, "query": SEARCH }))["pages_fetched"],
        3
    );
    let sql = "WITH RECURSIVE up(claim, event) AS (
                 SELECT id, cause_id FROM claims
                 UNION SELECT claim, e.cause_id FROM up JOIN events e ON e.id = up.event WHERE e.cause_id IS NOT NULL)
               SELECT count(DISTINCT claim) AS claims, group_concat(DISTINCT detail ->> 'by') AS callers
               FROM up JOIN events ON events.id = up.event WHERE events.cause_id IS NULL";
    let rows = client.ok("query_graph", json!({ "sql": sql }))["rows"].clone();
    let all = client.ok("query_graph", json!({ "sql": "SELECT count(*) AS n FROM claims" }));
    assert_eq!(rows, json!([{ "claims": all["rows"][0]["n"], "callers": "mcp:acme" }]));
}

#[test]
fn what_is_done_at_the_command_line_says_so() {
    let home = home_with(DOCUMENTS);
    let claim = home.fill(judged).to_string();
    for arguments in [
        &["task", "new", "remote work"][..],
        &["research", "remote work", "--library", "library", "--offline"],
        &["feedback", "claim-reject", &claim, "--reason", "copied"],
        &["domain", "block", "spam.example", "--reason", "copied"],
        &["calibration", "evaluate", "nli_judge"],
    ] {
        let answer = home.run_arguments(arguments);
        assert_eq!(answer.code, Some(0), "{answer}");
    }
    let mut acts = callers(&home);
    acts.dedup();
    assert_eq!(
        acts,
        ["task_create cli", "search_start cli", "task_stop cli", "feedback cli", "calibration cli",]
    );
}

#[test]
fn a_name_from_outside_is_kept_short_and_printable() {
    let home = Home::new();
    let long = format!("  eve\u{1b}[31m\n{}", "x".repeat(500));
    for name in [long.as_str(), " \n"] {
        let mut client = Client::named(&home, &["--offline"], name);
        client.ok("create_task", json!({ "query": "q" }));
        assert_eq!(client.leave(), Some(0));
    }
    let short = format!("task_create mcp:eve[31m{}", "x".repeat(55));
    assert_eq!(callers(&home), [short, "task_create mcp".to_owned()]);
}

#[test]
fn a_client_of_the_current_protocol_is_named_by_its_request() {
    let home = Home::new();
    let mut client = Client::spawn(&home, &["--offline"]);
    let call = |name: &str| {
        json!({ "name": "create_task", "arguments": { "query": "q" }, "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { "name": name, "version": "1" },
            "io.modelcontextprotocol/clientCapabilities": {},
        } })
    };
    for name in ["acme", "umbrella"] {
        let answer: Value = client.request("tools/call", call(name));
        assert_eq!(answer["result"]["isError"], false, "{answer}");
    }
    assert_eq!(client.leave(), Some(0));
    assert_eq!(callers(&home), ["task_create mcp:acme", "task_create mcp:umbrella"]);
}
