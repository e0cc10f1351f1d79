//! `lyra mcp --http`: who may speak to it, how much, and how many.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::Home;

struct Served {
    child: Child,
    /// Host and port.
    authority: String,
}

impl Served {
    fn start(home: &Home, arguments: &[&str]) -> Self {
        let mut command = home.command(&[arguments, &["mcp", "--http", "127.0.0.1:0"]].concat());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let authority = line.trim().strip_prefix("http://").unwrap().strip_suffix("/mcp").unwrap();
        Self { authority: authority.to_owned(), child }
    }

    /// Sends a request with these headers besides the usual ones; status, headers and body come back.
    fn post(&self, headers: &[(&str, &str)], body: &str) -> (u16, String, String) {
        self.send("POST", "/mcp", headers, body)
    }

    fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> (u16, String, String) {
        let mut head = format!("{method} {path} HTTP/1.1\r\n");
        let given = |name: &str| headers.iter().any(|it| it.0.eq_ignore_ascii_case(name));
        if !given("host") {
            head += &format!("Host: {}\r\n", self.authority);
        }
        head += "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\nConnection: close\r\n";
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        head += &format!("Content-Length: {}\r\n\r\n", body.len());
        let mut stream = TcpStream::connect(&self.authority).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        stream.write_all(head.as_bytes()).unwrap();
        // A server that has seen enough may close its end first.
        let _ = stream.write_all(body.as_bytes());
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer);
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.split(' ').nth(1).unwrap_or("0").parse().unwrap();
        (status, head.to_lowercase(), body.to_owned())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn hello() -> String {
    json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": { "name": "test", "version": "1" } } })
    .to_string()
}

/// The session a handshake gave.
fn session_of(head: &str) -> String {
    let line = head.lines().find_map(|it| it.strip_prefix("mcp-session-id: ")).unwrap();
    line.trim().to_owned()
}

/// The last message of a stream of events.
fn last_event(body: &str) -> Value {
    let mut data =
        body.lines().filter_map(|it| it.strip_prefix("data: ")).filter(|it| it.starts_with('{'));
    serde_json::from_str(data.next_back().unwrap()).unwrap()
}

#[test]
fn a_client_shakes_hands_and_calls_a_tool() {
    let served = Served::start(&Home::new(), &["--offline"]);
    let (status, head, body) = served.post(&[], &hello());
    assert_eq!(status, 200, "{head}");
    assert_eq!(last_event(&body)["result"]["serverInfo"]["name"], "lyra");
    let session = session_of(&head);
    let headers = [("Mcp-Session-Id", session.as_str()), ("MCP-Protocol-Version", "2025-11-25")];
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string();
    assert_eq!(served.post(&headers, &ready).0, 202);
    let call = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {
        "name": "query_graph", "arguments": { "sql": "SELECT 1 AS one" } } });
    let (status, _, body) = served.post(&headers, &call.to_string());
    assert_eq!(status, 200);
    assert_eq!(last_event(&body)["result"]["structuredContent"]["rows"], json!([{ "one": 1 }]));
    assert_eq!(served.send("DELETE", "/mcp", &headers, "").0, 202);
    assert_eq!(served.post(&headers, &call.to_string()).0, 404);
}

#[test]
fn clients_of_one_server_are_told_apart() {
    let home = Home::new();
    let served = Served::start(&home, &["--offline"]);
    for name in ["acme", "umbrella"] {
        let (_, head, _) = served.post(&[], &hello().replace("\"test\"", &format!("{name:?}")));
        let session = session_of(&head);
        let headers =
            [("Mcp-Session-Id", session.as_str()), ("MCP-Protocol-Version", "2025-11-25")];
        let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string();
        assert_eq!(served.post(&headers, &ready).0, 202);
        let call = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {
            "name": "create_task", "arguments": { "query": name } } });
        let (_, _, body) = served.post(&headers, &call.to_string());
        assert_eq!(last_event(&body)["result"]["isError"], false, "{body}");
    }
    let sql = "SELECT t.query, e.detail ->> 'by' FROM tasks t JOIN events e ON e.id = t.cause_id ORDER BY t.id";
    assert_eq!(
        home.run_arguments(&["sql", sql, "--json"]).json()["rows"],
        json!([["acme", "mcp:acme"], ["umbrella", "mcp:umbrella"]])
    );
}

#[test]
fn strange_hosts_origins_and_paths_are_turned_away() {
    let served = Served::start(&Home::new(), &["--offline"]);
    let port = served.authority.rsplit(':').next().unwrap().to_owned();
    let own = format!("http://localhost:{port}");
    for (headers, expected) in [
        (vec![("Host", "evil.example")], 403),
        (vec![("Host", "evil.example:80"), ("Origin", "http://evil.example")], 403),
        (vec![("Origin", "http://evil.example")], 403),
        (vec![("Origin", "null")], 403),
        (vec![("Origin", "http://localhost.evil.example")], 403),
        (vec![("Origin", own.as_str())], 200),
    ] {
        assert_eq!(served.post(&headers, &hello()).0, expected, "{headers:?}");
    }
    assert_eq!(served.send("POST", "/", &[], &hello()).0, 404);
    assert_eq!(served.send("GET", "/etc/passwd", &[], "").0, 404);
    assert_eq!(served.post(&[("Mcp-Session-Id", "nobody")], &hello()).0, 404);
}

#[test]
fn bodies_and_sessions_are_bounded() {
    let limits = ["--offline", "--set", "mcp.http_body_bytes=2048", "--set", "mcp.http_sessions=2"];
    let served = Served::start(&Home::new(), &limits);
    let large = hello().replace("\"test\"", &format!("{:?}", "x".repeat(4000)));
    assert_eq!(served.post(&[], &large).0, 413);
    assert_eq!(served.post(&[], &hello()).0, 200);
    assert_eq!(served.post(&[], &hello()).0, 200);
    let (status, head, _) = served.post(&[], &hello());
    assert_eq!(status, 503);
    assert!(head.contains("retry-after: 60"), "{head}");
}

#[test]
fn a_token_is_asked_for_where_one_is_set() {
    let served =
        Served::start(&Home::new(), &["--offline", "--set", "mcp.http_token=correct horse"]);
    for (header, expected) in [
        (None, 401),
        (Some("Bearer wrong"), 401),
        (Some("correct horse"), 401),
        (Some("Basic correct horse"), 401),
        (Some("Bearer correct horse"), 200),
    ] {
        let headers: Vec<(&str, &str)> = header.iter().map(|it| ("Authorization", *it)).collect();
        assert_eq!(served.post(&headers, &hello()).0, expected, "{header:?}");
    }
}

#[test]
fn other_machines_are_served_only_with_a_token() {
    let home = Home::new();
    let refused = home.run("mcp --http 0.0.0.0:0");
    insta::assert_snapshot!(refused, @r"
    --- stderr
    error: 0.0.0.0:0 is not on loopback, and no token is set
    hint: set mcp.http_token (LYRA_MCP_HTTP_TOKEN), or listen on 127.0.0.1
    --- exit 4
    ");
}

#[test]
fn clients_that_stop_in_the_middle_keep_nobody_out() {
    let served = Served::start(&Home::new(), &["--offline"]);
    let stalled: Vec<TcpStream> = (0..200)
        .map(|number| {
            let mut stream = TcpStream::connect(&served.authority).unwrap();
            let head = format!("POST /mcp HTTP/1.1\r\nHost: {}\r\n", served.authority);
            // Half of them never end the head, the other half never the body.
            let rest = if number % 2 == 0 { "Content-Length: 1000\r\n\r\n{" } else { "Accept: " };
            stream.write_all((head + rest).as_bytes()).unwrap();
            stream
        })
        .collect();
    // Without room they would be answered when the last of the others is given up.
    let started = std::time::Instant::now();
    for _ in 0..5 {
        assert_eq!(served.post(&[], &hello()).0, 200);
    }
    let took = started.elapsed();
    assert!(took < Duration::from_secs(8), "took {took:?}");
    drop(stalled);
}

#[test]
fn a_body_that_never_ends_is_given_up() {
    let served = Served::start(&Home::new(), &["--offline"]);
    let mut stream = TcpStream::connect(&served.authority).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let head =
        format!("POST /mcp HTTP/1.1\r\nHost: {}\r\nContent-Length: 9\r\n\r\n{{", served.authority);
    stream.write_all(head.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
    assert!(answer.ends_with("the body took too long"), "{answer}");
}
