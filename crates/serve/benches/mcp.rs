//! The door for assistants: start to `tools/list` beside a minimal server of the same SDK, the memory it holds by
//! then, and many queries at once.
//!
//! The minimal server is this program, called with another argument. Runs are interleaved, so that a busy moment of
//! the machine hits all of them alike.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a program for people to run and read"
)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use graph::{Access, Cause, Graph, NewClaim, NewEdge, NewFragment, NewPage, NewTask};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use serde_json::{Value, json};

const RUNS: usize = 60;
const CLIENTS: usize = 8;
const CALLS: usize = 1_000;
const CLAIMS: usize = 2_000;
const MINIMAL: &str = "--minimal-server";

fn main() {
    if std::env::args().any(|it| it == MINIMAL) {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let service = Minimal.serve(rmcp::transport::stdio_pipes()).await.unwrap();
            service.waiting().await.unwrap();
        });
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    start(folder.path());
    queries(folder.path());
}

/// As little as a server can be: one tool that says hello.
struct Minimal;

impl ServerHandler for Minimal {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let schema = json!({ "type": "object" }).as_object().cloned().unwrap();
        Ok(ListToolsResult::with_all_items(vec![Tool::new(
            "hello",
            "Says hello",
            Arc::new(schema),
        )]))
    }

    async fn call_tool(
        &self,
        _request: CallToolRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        Ok(CallToolResult::success(vec![ContentBlock::text("hello")]).into())
    }
}

fn lyra(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lyra"));
    command.env_clear().env("HOME", folder).arg("--data-dir").arg(folder).arg("--offline");
    command
}

fn start(folder: &Path) {
    let mut minimal = Command::new(std::env::current_exe().unwrap());
    minimal.arg(MINIMAL);
    let mut own = lyra(folder);
    own.arg("mcp");
    let mut servers = [("a minimal server", minimal), ("`lyra mcp`", own)];
    let mut times = [Vec::new(), Vec::new()];
    let mut memory = [0, 0];
    for _ in 0..RUNS {
        for (at, (_, command)) in servers.iter_mut().enumerate() {
            let (time, resident) = listed(command);
            times[at].push(time);
            memory[at] = memory[at].max(resident);
        }
    }
    println!("| start to `tools/list` | p50 ms | p95 ms | p50 beside the first | resident MB |");
    println!("| --- | --- | --- | --- | --- |");
    times.iter_mut().for_each(|it| it.sort());
    let baseline = times[0][RUNS / 2];
    for (at, (name, _)) in servers.iter().enumerate() {
        let (median, p95) = (times[at][RUNS / 2], times[at][RUNS * 95 / 100]);
        println!(
            "| {name} | {:.1} | {:.1} | {:.2}x | {:.1} |",
            millis(median),
            millis(p95),
            millis(median) / millis(baseline),
            memory[at] as f64 / 1024.0
        );
    }
}

/// Starts a server, shakes hands, lists its tools; how long that took, and what it holds (kB, where it can be told).
fn listed(command: &mut Command) -> (Duration, u64) {
    let begun = Instant::now();
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut stdin = child.stdin.take().unwrap();
    let mut ask = |message: Value, is_request: bool| {
        writeln!(stdin, "{message}").unwrap();
        if is_request {
            lines.next().unwrap().unwrap();
        }
    };
    ask(
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "bench", "version": "1" } } }),
        true,
    );
    ask(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }), false);
    ask(json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" }), true);
    let time = begun.elapsed();
    let resident = resident(&child);
    drop(stdin);
    child.wait().unwrap();
    (time, resident)
}

fn resident(child: &Child) -> u64 {
    let status =
        std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let line = status.lines().find_map(|it| it.strip_prefix("VmRSS:"));
    line.and_then(|it| it.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// Several clients ask the same server at once, over HTTP.
fn queries(folder: &Path) {
    fill(&folder.join("lyra.db"));
    let mut command = lyra(folder);
    command.args(["mcp", "--http", "127.0.0.1:0"]);
    let mut server = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut url = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut url).unwrap();
    let authority = url.trim().trim_start_matches("http://").trim_end_matches("/mcp").to_owned();
    let begun = Instant::now();
    let clients: Vec<_> = (0..CLIENTS)
        .map(|_| {
            let authority = authority.clone();
            thread::spawn(move || client(&authority, CALLS / CLIENTS))
        })
        .collect();
    let mut times: Vec<Duration> = clients.into_iter().flat_map(|it| it.join().unwrap()).collect();
    let all = begun.elapsed();
    times.sort();
    server.kill().unwrap();
    server.wait().unwrap();
    println!(
        "\n| {CALLS} `query_graph` from {CLIENTS} clients | p50 ms | p95 ms | errors | calls a second |"
    );
    println!("| --- | --- | --- | --- | --- |");
    println!(
        "| a view over {CLAIMS} claims | {:.1} | {:.1} | 0 | {:.0} |",
        millis(times[CALLS / 2]),
        millis(times[CALLS * 95 / 100]),
        CALLS as f64 / all.as_secs_f64()
    );
}

/// A client that makes its calls one after the other; an error ends the measurement.
fn client(authority: &str, calls: usize) -> Vec<Duration> {
    let hello = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "bench", "version": "1" } } });
    let (head, _) = post(authority, "", &hello);
    let session =
        head.lines().find_map(|it| it.strip_prefix("mcp-session-id: ")).unwrap().trim().to_owned();
    let session = format!("Mcp-Session-Id: {session}\r\nMCP-Protocol-Version: 2025-11-25\r\n");
    post(authority, &session, &json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    let sql = "SELECT claim_id, bayesian_confidence FROM v_claim_evidence_summary ORDER BY bayesian_confidence DESC LIMIT 5";
    let options = json!({ "timeout_ms": 2000, "max_vm_steps": 5_000_000 });
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "query_graph", "arguments": { "sql": sql, "options": options } } });
    (0..calls)
        .map(|_| {
            let begun = Instant::now();
            let (_, body) = post(authority, &session, &call);
            let time = begun.elapsed();
            assert!(body.contains("\"row_count\":5"), "{body}");
            time
        })
        .collect()
}

fn post(authority: &str, headers: &str, body: &Value) -> (String, String) {
    let body = body.to_string();
    let request = format!(
        "POST /mcp HTTP/1.1\r\nHost: {authority}\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nConnection: close\r\n{headers}Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect(authority).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.to_lowercase(), body.to_owned())
}

/// A task with many claims, each supported by one passage.
fn fill(database: &Path) {
    let graph = Graph::open(database, Access::Write, graph::Options::default()).unwrap();
    graph
        .write(Cause::new("bench"), |w| {
            let task_id = w.create_task(&NewTask {
                query: "bench".to_owned(),
                hypothesis: None,
                language: None,
                budget: evidence::Budget { max_pages: 1, max_seconds: 1 },
                config: json!({}),
            })?;
            for n in 0..CLAIMS {
                let page_id = w.record_page(&NewPage {
                    url: format!("https://example.com/{n}"),
                    domain: "example.com".to_owned(),
                    domain_category: evidence::DomainCategory::Unverified,
                    title: None,
                    language: None,
                    year: None,
                    work_id: None,
                })?;
                let fragment = w.record_fragment(&NewFragment {
                    page_id,
                    fragment_type: evidence::FragmentType::Paragraph,
                    text: format!("passage {n}"),
                    heading_context: None,
                    element_index: None,
                    chars: None,
                    language: None,
                })?;
                let target = w.record_claim(&NewClaim {
                    task_id,
                    text: format!("claim {n}"),
                    language: None,
                    origin_fragment_id: Some(fragment),
                    extraction_method: None,
                    extraction_confidence: None,
                })?;
                w.add_edge(&NewEdge::Stance {
                    source: evidence::Node::Fragment(fragment),
                    target,
                    stance: evidence::Stance::Supports,
                    confidence: 0.9,
                    model: "bench".to_owned(),
                    kind: None,
                    about: true,
                })?;
            }
            Ok(())
        })
        .unwrap();
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
