//! A client of `lyra mcp` that says exactly what a test wants it to say, and sees every line that comes back.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::Home;

/// Longer than anything a test waits for.
const PATIENCE: Duration = Duration::from_secs(120);

pub(crate) struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<Value>,
    next: u64,
    /// What came unasked, or before it was waited for.
    pub(crate) others: Vec<Value>,
}

impl Client {
    /// Starts the server with these arguments and shakes hands.
    pub(crate) fn start(home: &Home, arguments: &[&str]) -> Self {
        Self::with(home, arguments, "2025-11-25", json!({}))
    }

    pub(crate) fn with(
        home: &Home,
        arguments: &[&str],
        version: &str,
        capabilities: Value,
    ) -> Self {
        Self::spawn(home, arguments).greeting(version, capabilities)
    }

    /// Starts a server that offers one set of tools.
    pub(crate) fn offering(home: &Home, set: &str) -> Self {
        let command = home.command(&["--offline", "mcp", "--tools", set]);
        Self::run(command).greeting("2025-11-25", json!({}))
    }

    /// A client that calls itself this.
    pub(crate) fn named(home: &Home, arguments: &[&str], name: &str) -> Self {
        Self::spawn(home, arguments).introducing(name, "2025-11-25", json!({}))
    }

    fn greeting(self, version: &str, capabilities: Value) -> Self {
        self.introducing("test", version, capabilities)
    }

    fn introducing(mut self, name: &str, version: &str, capabilities: Value) -> Self {
        let hello = json!({
            "protocolVersion": version,
            "capabilities": capabilities,
            "clientInfo": { "name": name, "version": "1" },
        });
        self.request("initialize", hello);
        self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        self
    }

    pub(crate) fn spawn(home: &Home, arguments: &[&str]) -> Self {
        Self::run(home.command(&[arguments, &["mcp"]].concat()))
    }

    /// A server with an environment of its own.
    pub(crate) fn of(command: Command) -> Self {
        Self::run(command).greeting("2025-11-25", json!({}))
    }

    fn run(mut command: Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in stdout.lines() {
                let line = line.unwrap();
                let message = serde_json::from_str(&line)
                    .unwrap_or_else(|_| panic!("stdout carries something else: {line}"));
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let stdin = child.stdin.take();
        Self { child, stdin, lines, next: 0, others: Vec::new() }
    }

    pub(crate) fn send(&mut self, message: &Value) {
        self.send_line(&message.to_string());
    }

    pub(crate) fn send_line(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().unwrap();
        writeln!(stdin, "{line}").unwrap();
        stdin.flush().unwrap();
    }

    /// Sends a request and does not wait; [`Client::answer`] does.
    pub(crate) fn begin(&mut self, method: &str, params: Value) -> u64 {
        self.next += 1;
        let id = self.next;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    /// The next message of the server.
    pub(crate) fn hear(&mut self) -> Value {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(message) => message,
            Err(RecvTimeoutError::Timeout) => panic!("the server is silent"),
            Err(RecvTimeoutError::Disconnected) => panic!("the server has ended"),
        }
    }

    /// The answer to a request, whole.
    pub(crate) fn answer(&mut self, id: u64) -> Value {
        let known = |it: &Value| it["id"] == id && it.get("method").is_none();
        if let Some(at) = self.others.iter().position(known) {
            return self.others.remove(at);
        }
        loop {
            let message = self.hear();
            if known(&message) {
                return message;
            }
            self.others.push(message);
        }
    }

    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params);
        self.answer(id)
    }

    /// Calls a tool; the result with its text and its data.
    pub(crate) fn call(&mut self, name: &str, arguments: Value) -> Value {
        let answer = self.request("tools/call", json!({ "name": name, "arguments": arguments }));
        assert!(answer["error"].is_null(), "{name}: {answer}");
        answer["result"].clone()
    }

    /// Calls a tool that must succeed; its data.
    pub(crate) fn ok(&mut self, name: &str, arguments: Value) -> Value {
        let result = self.call(name, arguments);
        assert_eq!(result["isError"], false, "{name}: {result}");
        assert_eq!(result["structuredContent"]["ok"], true, "{name}: {result}");
        result["structuredContent"].clone()
    }

    /// Calls a tool that must refuse; its code, message and hint in one line.
    pub(crate) fn refused(&mut self, name: &str, arguments: Value) -> String {
        let result = self.call(name, arguments);
        assert_eq!(result["isError"], true, "{name}: {result}");
        let error = &result["structuredContent"]["error"];
        let word = |field: &str| error[field].as_str().unwrap_or("-").to_owned();
        format!("{} | {} | {}", word("code"), word("message"), word("hint"))
    }

    /// Leaves, and says with which code the server ended.
    pub(crate) fn leave(mut self) -> Option<i32> {
        drop(self.stdin.take());
        self.child.wait().unwrap().code()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // A test that failed leaves no server behind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A home with a manual and a file in the vault.
pub(crate) fn home_with_manual() -> Home {
    let home = home_with(DOCUMENTS);
    shelve(&home);
    home
}

/// Puts a manual and a file of the vault where they usually lie.
pub(crate) fn shelve(home: &Home) {
    let data = home.data();
    for (path, text) in [
        ("manuals/handbook/leave.md", HANDBOOK),
        (
            "vault/notes/leave.md",
            "# Leave\n\nParental leave lasts twelve weeks, see handbook/leave.md#L5-L7.\n",
        ),
    ] {
        let path = data.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}

pub(crate) const HANDBOOK: &str = "\
# Leave

Who works here has a right to leave.

## Parental leave

Parental leave lasts 12 weeks. It is asked for in writing.

## Who may not take it

People on probation may not take parental leave, except after a birth. See section Parental leave.

## 介護休業

介護休業は９３日を限度とする。第３条の例外を除く。
";

/// A home whose user lets assistants read a folder of documents.
pub(crate) fn home_with(documents: &[(&str, &str)]) -> Home {
    let home = Home::new();
    for (name, text) in documents {
        home.write(&format!("library/{name}"), text);
    }
    let folder = home.path().join("library");
    std::fs::create_dir_all(&folder).unwrap();
    home.write(".config/lyra/config.toml", &format!("[mcp]\nlibrary = [{folder:?}]\n"));
    home
}

pub(crate) const DOCUMENTS: &[(&str, &str)] = &[
    (
        "a.md",
        "---\nurl: https://one.example/a\n---\n# Review\n\nWorking from home raises the productivity of office workers.",
    ),
    (
        "b.md",
        "---\nurl: https://two.example/b\n---\n# Office\n\nWorking from home increased the productivity of office workers by 5 percent.",
    ),
    (
        "c.md",
        "---\nurl: https://three.example/c\n---\n# Doubts\n\nWorking from home reduced the productivity of office workers by 8 percent.",
    ),
];
