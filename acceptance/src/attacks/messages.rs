//! Messages of an assistant that has been turned, or is simply broken.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::sync::mpsc;

use serde_json::{Value, json};

use super::Attack;
use super::program::{Home, IN_TIME, Program, SECRET};

const AREA: &str = "messages of assistants";
const CRASHES: &str = "ends or confuses the server";
const LEAKS: &str = "reads or changes what the tool may not";

pub(super) fn attacks(program: &Program) -> Vec<Attack> {
    let honest = call("query_graph", &json!({ "sql": "SELECT 1" }));
    assert!(refuses(program, &honest).is_err(), "an honest call is answered");
    let mut attacks: Vec<Attack> = lines()
        .into_iter()
        .map(|(name, line)| Attack::new(AREA, name, CRASHES, survives(program, line.as_bytes())))
        .collect();
    for (tool, arguments) in calls() {
        let name = format!("{tool} {}", shortened(&arguments.to_string()));
        attacks.push(Attack::new(AREA, name, LEAKS, refuses(program, &call(tool, &arguments))));
    }
    attacks
}

fn call(tool: &str, arguments: &Value) -> Value {
    let params = json!({ "name": tool, "arguments": arguments });
    json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params })
}

fn shortened(text: &str) -> String {
    text.chars().take(100).collect()
}

/// Lines that are no messages, or messages that are none of the protocol's.
fn lines() -> Vec<(&'static str, String)> {
    let deep = "[".repeat(100_000);
    let long = "x".repeat(3_000_000);
    vec![
        ("nothing", String::new()),
        ("no JSON", "{".to_owned()),
        ("JSON that goes on for ever", deep),
        ("a number", "7".to_owned()),
        ("a string", "\"x\"".to_owned()),
        ("an empty list", "[]".to_owned()),
        ("a list of lists", "[[[]]]".to_owned()),
        ("null", "null".to_owned()),
        ("no method", json!({ "jsonrpc": "2.0", "id": 1 }).to_string()),
        ("a method that is a number", json!({ "jsonrpc": "2.0", "id": 1, "method": 7 }).to_string()),
        ("an unknown method", json!({ "jsonrpc": "2.0", "id": 1, "method": "x/y" }).to_string()),
        ("a very long method", json!({ "jsonrpc": "2.0", "id": 1, "method": long }).to_string()),
        ("an id that is an object", json!({ "jsonrpc": "2.0", "id": {}, "method": "ping" }).to_string()),
        ("an id that is a fraction", r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#.to_owned()),
        ("an id beyond numbers", r#"{"jsonrpc":"2.0","id":1e999,"method":"ping"}"#.to_owned()),
        ("another version", json!({ "jsonrpc": "1.0", "id": 1, "method": "ping" }).to_string()),
        ("parameters that are a string", json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": "x" }).to_string()),
        ("a call without a name", json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {} }).to_string()),
        ("a call of nothing", json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "" } }).to_string()),
        ("arguments that are a list", json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "get_status", "arguments": [] } }).to_string()),
        ("the same key twice", r#"{"jsonrpc":"2.0","id":1,"method":"ping","method":"x"}"#.to_owned()),
        ("bad escapes", r#"{"jsonrpc":"2.0","id":1,"method":"\ud800"}"#.to_owned()),
        ("a zero in the text", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\u{0}b\"}".to_owned()),
        ("an answer nobody waits for", json!({ "jsonrpc": "2.0", "id": 99, "result": {} }).to_string()),
        ("an error nobody waits for", json!({ "jsonrpc": "2.0", "id": 99, "error": { "code": 1, "message": "x" } }).to_string()),
        ("a cancellation of nothing", json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 77 } }).to_string()),
        ("progress of nothing", json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": { "progressToken": 1, "progress": -1 } }).to_string()),
        ("a second beginning", json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "protocolVersion": "9999-99-99", "capabilities": {}, "clientInfo": { "name": "x", "version": "1" } } }).to_string()),
        ("a resource that is none", json!({ "jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": { "uri": "file:///etc/passwd" } }).to_string()),
        ("a resource outside", json!({ "jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": { "uri": "lyra://reports/../../secret.md" } }).to_string()),
        ("a prompt that is none", json!({ "jsonrpc": "2.0", "id": 1, "method": "prompts/get", "params": { "name": "../x" } }).to_string()),
        ("a cursor that is none", json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": { "cursor": "x".repeat(10_000) } }).to_string()),
    ]
}

/// Calls of tools that ask for what they must not get.
fn calls() -> Vec<(&'static str, Value)> {
    let mut calls = vec![
        ("query_graph", json!({ "sql": "DELETE FROM tasks" })),
        ("query_graph", json!({ "sql": "ATTACH 'secret.md' AS s" })),
        ("query_graph", json!({ "sql": "SELECT * FROM sessions" })),
        ("query_graph", json!({ "sql": "SELECT 1; SELECT 2" })),
        ("query_graph", json!({ "sql": "PRAGMA query_only = 0" })),
        ("query_graph", json!({ "sql": "SELECT 1", "limit": -1 })),
        ("query_graph", json!({ "sql": "SELECT 1", "extra": true })),
        ("get_status", json!({ "task_id": "' OR 1=1 --" })),
        ("get_status", json!({ "task_id": "../../secret.md" })),
        ("get_status", json!({ "task_id": "task_\u{0}" })),
        ("get_status", json!({ "task_id": ["task"] })),
        ("search", json!({ "task_id": "task_01ARZ3NDEKTSV4RRFFQ69G5FAV", "query": "x" })),
        ("stop_task", json!({ "task_id": "*" })),
        ("feedback", json!({ "action": "domain_block", "domain_pattern": "*" })),
        ("feedback", json!({ "action": "domain_block", "domain_pattern": "*.com" })),
        ("feedback", json!({ "action": "domain_block", "domain_pattern": "https://x.example/a" })),
        ("feedback", json!({ "action": "rm -rf" })),
        ("create_task", json!({ "query": "" })),
        ("create_task", json!({ "query": "x".repeat(1_000_000) })),
        ("create_task", json!({ "query": "x", "config": { "library": ["/"] } })),
        ("create_task", json!({ "query": "x", "config": { "budget": { "max_pages": -1 } } })),
        ("calibration_rollback", json!({ "source": "x; DROP TABLE" })),
        (
            "resolve_auth",
            json!({ "target": "item", "data": { "auth_id": "x", "status": "skipped" } }),
        ),
        ("no_such_tool", json!({})),
    ];
    for path in [
        "../secret.md",
        "../../secret.md",
        "/etc/passwd",
        "notes/../../secret.md",
        "~/secret.md",
        "file:///etc/passwd",
        "..\\secret.md",
        "%2e%2e/secret.md",
        "a\u{0}.md",
        "C:\\x.md",
        ".system/x.md",
    ] {
        calls.push(("vault_read", json!({ "path": path })));
        calls.push(("vault_create", json!({ "path": path, "content": "# x\n" })));
        calls.push(("manual_read", json!({ "manual_id": "handbook", "path": path })));
        calls.push(("manual_toc", json!({ "manual_id": path })));
    }
    calls
}

/// The server answers a ping after the line.
fn survives(program: &Program, line: &[u8]) -> Result<(), String> {
    conversation(program, line, 4711).map(drop)
}

/// The call is answered with an error, and tells no secret.
fn refuses(program: &Program, request: &Value) -> Result<(), String> {
    let answers = conversation(program, request.to_string().as_bytes(), 4711)?;
    if answers.iter().any(|it| it.contains(SECRET)) {
        return Err("it told the secret".to_owned());
    }
    let answer = answers
        .iter()
        .filter_map(|it| serde_json::from_str::<Value>(it).ok())
        .find(|it| it["id"] == 1)
        .ok_or("the call was not answered")?;
    let is_error = answer.get("error").is_some() || answer["result"]["isError"] == true;
    match is_error {
        true => Ok(()),
        false => Err(format!("it did as told: {}", shortened(&answer.to_string()))),
    }
}

/// Begins a session, says the line, pings, and gives back every line up to the answer to the ping.
fn conversation(program: &Program, line: &[u8], ping: u64) -> Result<Vec<String>, String> {
    let home = Home::new();
    let mut command = program.command(&home, &["mcp"]);
    let mut server = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|it| it.to_string())?;
    let mut input = server.stdin.take().ok_or("no pipe")?;
    let output = server.stdout.take().ok_or("no pipe")?;
    let initialize = json!({ "jsonrpc": "2.0", "id": 4700, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "attacks", "version": "1" } } });
    let begun = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let pinged = json!({ "jsonrpc": "2.0", "id": ping, "method": "ping" });
    let mut said = Vec::new();
    for text in [
        initialize.to_string().as_bytes(),
        begun.to_string().as_bytes(),
        line,
        pinged.to_string().as_bytes(),
    ] {
        said.extend_from_slice(text);
        said.push(b'\n');
    }
    std::thread::spawn(move || {
        // A server that has ended reads no more; the answers say so.
        let _ = input.write_all(&said);
        std::thread::sleep(IN_TIME);
    });
    let (sender, lines) = mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    let (mut answers, mut pinged, mut called) = (Vec::new(), false, !is_call(line));
    let held = loop {
        match lines.recv_timeout(IN_TIME) {
            Ok(answer) => {
                let id = serde_json::from_str::<Value>(&answer).unwrap_or_default()["id"].clone();
                pinged |= id == ping;
                called |= id == 1;
                answers.push(answer);
                if pinged && called {
                    break Ok(answers);
                }
            }
            Err(_) => break Err("the server did not answer the next message".to_owned()),
        }
    };
    // It ends with its pipe; this one was only asked for one thing.
    let _ = server.kill();
    let _ = server.wait();
    held
}

/// Whether the line is a call whose answer is waited for.
fn is_call(line: &[u8]) -> bool {
    let message: Value = serde_json::from_slice(line).unwrap_or_default();
    message["method"] == "tools/call" && message["params"]["arguments"].is_object()
}
