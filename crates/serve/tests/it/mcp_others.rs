//! Programs of others at our door: the reference client, and the official conformance suite.
//!
//! `cargo xtask test` installs both and says where they are.

use std::env;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::mcp_client::{DOCUMENTS, home_with};
use crate::support::Home;

/// The scenarios that ask nothing of a server but the protocol. All others call tools, prompts and resources that
/// a server made for the suite has (`test_simple_text` and so on), or features that Lyra does not claim.
const SCENARIOS: &[&str] = &[
    "server-initialize",
    "ping",
    "completion-complete",
    "tools-list",
    "server-sse-polling",
    "server-sse-multiple-streams",
    "resources-list",
    "prompts-list",
    "dns-rebinding-protection",
];

#[test]
fn the_reference_client_drives_a_whole_investigation() {
    let Some(python) = testkit::program("LYRA_MCP_PYTHON") else { return };
    let home = home_with(DOCUMENTS);
    let output = Command::new(python)
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mcp/investigate.py"))
        .arg(env!("CARGO_BIN_EXE_lyra"))
        .args(["--offline", "--config"])
        .arg(home.path().join(".config/lyra/config.toml"))
        .arg("--data-dir")
        .arg(home.data())
        .arg("mcp")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let seen: Value = serde_json::from_slice(&output.stdout).unwrap();
    // Four claims: one of each document, and the hypothesis made of the question.
    for (way, protocol) in [("current", "2026-07-28"), ("session", "2025-11-25")] {
        let mut seen = seen[way].clone();
        let told = seen["progress"].take();
        assert!(told.as_u64().unwrap() >= 4, "{told}");
        assert_eq!(seen["tools"].take().as_array().unwrap().len(), 30);
        assert_eq!(
            seen,
            json!({
                "tools": null,
                "prompts": ["deep_research", "fact_check", "literature_review", "find_in_manuals"],
                "resources": ["lyra://schema", "lyra://views"],
                "pages_fetched": 3,
                "refutations_found": 4,
                "searches": 2,
                "progress": null,
                "progress_grows": true,
                "views": { "v_claim_evidence_summary": 4, "v_contradictions": 4, "v_evidence_timeline": 1 },
                "near": 4,
                "correction": "edge_correct",
                "wrong": "did you mean `task_id`?",
                "wrong_is_error": true,
                "final_status": "completed",
                "report": true,
                "protocol": protocol,
            }),
            "{way}"
        );
    }
}

#[test]
fn the_conformance_suite_passes() {
    let Some(node) = testkit::program("LYRA_MCP_NODE") else { return };
    let Some(suite) = testkit::program("LYRA_MCP_CONFORMANCE") else { return };
    let home = Home::new();
    let mut server = home.command(&["--offline", "mcp", "--http", "127.0.0.1:0"]);
    let mut server = server.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut url = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut url).unwrap();
    let mut failed = Vec::new();
    for scenario in SCENARIOS {
        let output = Command::new(&node)
            .arg(&suite)
            .args(["server", "--url", url.trim(), "--scenario", scenario])
            .current_dir(home.path())
            .output()
            .unwrap();
        if !output.status.success() {
            failed.push(format!("{scenario}: {}", String::from_utf8_lossy(&output.stdout)));
        }
    }
    server.kill().unwrap();
    server.wait().unwrap();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
