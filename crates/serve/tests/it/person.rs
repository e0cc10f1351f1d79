//! The person in front of a window: a second client of the browser, over the protocol that `lyra` does not use for this.
//!
//! The browser of these tests is a script that adds a port for that client, trusts the authority of the small internet, and takes the
//! screen away where there is none. The product knows nothing of it.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{Answer, Home};

/// Longer than a browser takes to start on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(40);
/// Marks what a command starts, and what these start.
pub(crate) const MARK: &str = "TEST_OF_A_PERSON";

/// What a person is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Screen {
    /// A window that is nowhere to be seen.
    Imagined,
    /// A window on this display.
    Real(u32),
}

/// A command with a browser whose windows a test can be the person of. `None`: there is no browser.
pub(crate) fn with_browser(home: &Home, screen: Screen, line: &str) -> Option<Command> {
    let path = testkit::browser()?;
    let headless = if screen == Screen::Imagined { "--headless=new " } else { "" };
    let browser = home.write(
        "browser.sh",
        &format!(
            "#!/bin/sh\nfor it in chromium google-chrome microsoft-edge; do\n\
             command -v $it >/dev/null && exec $it --remote-debugging-port=0 --ignore-certificate-errors {headless}\"$@\"\ndone\n"
        ),
    );
    let mut mode = fs::metadata(&browser).unwrap().permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut mode, 0o700);
    fs::set_permissions(&browser, mode).unwrap();
    // Chromium does not confine itself for root, who runs the tests of CI.
    let sandbox = format!("browser.sandbox={}", !rustix::process::geteuid().is_root());
    let program = format!("browser.program={}", browser.display());
    let mut arguments = vec!["--set", &sandbox, "--set", &program, "--set", "auth.minutes=1"];
    // Politeness has tests of its own.
    for quick in ["fetch.spacing_min_ms=0", "fetch.spacing_max_ms=0", "fetch.per_second=1000"] {
        arguments.extend(["--set", quick]);
    }
    arguments.extend(line.split_whitespace());
    let display = match screen {
        Screen::Imagined => ":99".to_owned(),
        Screen::Real(number) => format!(":{number}"),
    };
    let mut command = home.command(&arguments);
    command.env("PATH", path).env("DISPLAY", display).env(MARK, home.path());
    Some(command)
}

/// Runs such a command to its end.
pub(crate) fn run(home: &Home, line: &str) -> Option<Answer> {
    let output = with_browser(home, Screen::Imagined, line)?.output().unwrap();
    Some(home.answer(output))
}

/// A command at work, with its window.
pub(crate) fn begin(mut command: Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

pub(crate) fn end(home: &Home, child: Child) -> Answer {
    home.answer(child.wait_with_output().unwrap())
}

/// The person in front of the one window there is.
pub(crate) struct Person {
    port: u16,
    page: String,
    socket: TcpStream,
    next: u64,
}

impl Person {
    /// Waits until the window of a home shows a page.
    pub(crate) fn at(home: &Home) -> Self {
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(port) = port(&home.data().join("browser"))
                && let Some(page) = page_of(port)
            {
                let socket = connect(port, page["webSocketDebuggerUrl"].as_str().unwrap());
                let page = page["id"].as_str().unwrap().to_owned();
                return Self { port, page, socket, next: 0 };
            }
            assert!(Instant::now() < until, "no window opened");
            thread::sleep(Duration::from_millis(50));
        }
    }

    /// Does something in the page, in the words of its scripts.
    pub(crate) fn does(&mut self, script: &str) -> Value {
        self.next += 1;
        let params = json!({ "expression": script, "returnByValue": true, "userGesture": true });
        let call = json!({ "id": self.next, "method": "Runtime.evaluate", "params": params });
        write_frame(&mut self.socket, call.to_string().as_bytes());
        loop {
            let message: Value = serde_json::from_slice(&read_frame(&mut self.socket)).unwrap();
            if message["id"] == self.next {
                return message["result"]["result"]["value"].clone();
            }
        }
    }

    /// Waits until something is true of the page.
    pub(crate) fn sees(&mut self, what: &str) {
        let until = Instant::now() + PATIENCE;
        while self.does(&format!("Boolean({what})")) != json!(true) {
            assert!(Instant::now() < until, "never saw {what}");
            thread::sleep(Duration::from_millis(50));
        }
    }

    /// Reads what the page wants; people take a moment for that.
    pub(crate) fn reads(&mut self, what: &str) {
        self.sees(what);
        thread::sleep(Duration::from_secs(2));
    }

    /// Fills the form in and sends it.
    pub(crate) fn signs_in(&mut self) {
        self.reads("document.querySelector('#enter')");
        let word = testweb::PASSWORD;
        self.does(&format!(
            "document.querySelector('[name=password]').value = '{word}'; document.querySelector('#enter').click()"
        ));
    }

    pub(crate) fn closes_the_window(self) {
        http(self.port, &format!("/json/close/{}", self.page));
    }
}

fn port(browser: &Path) -> Option<u16> {
    let runs = fs::read_dir(browser).ok()?.filter_map(Result::ok);
    let told: Vec<PathBuf> = runs.map(|it| it.path().join("profile/DevToolsActivePort")).collect();
    let text = told.iter().find_map(|it| fs::read_to_string(it).ok())?;
    text.lines().next()?.parse().ok()
}

/// The page that the window shows.
fn page_of(port: u16) -> Option<Value> {
    let list: Value = serde_json::from_str(&http(port, "/json/list")).ok()?;
    let mut pages = list.as_array()?.iter().filter(|it| it["type"] == "page");
    pages.find(|it| it["url"].as_str().is_some_and(|it| it.starts_with("http"))).cloned()
}

/// The body of an answer of the browser; nothing where it does not answer.
fn http(port: u16, path: &str) -> String {
    let Ok(mut stream) = TcpStream::connect(("127.0.0.1", port)) else { return String::new() };
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let asked = format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n");
    stream.write_all(asked.as_bytes()).unwrap();
    let mut read = Vec::new();
    let mut part = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&read).into_owned();
        let whole = text.split_once("\r\n\r\n").and_then(|(head, body)| {
            let length = head.lines().find_map(|it| {
                let (name, value) = it.split_once(':')?;
                name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().ok())?
            })?;
            (body.len() >= length).then(|| body.to_owned())
        });
        if let Some(body) = whole {
            return body;
        }
        match stream.read(&mut part) {
            Ok(0) | Err(_) => return String::new(),
            Ok(n) => read.extend_from_slice(&part[..n]),
        }
    }
}

/// A WebSocket (RFC 6455) to a page.
fn connect(port: u16, url: &str) -> TcpStream {
    let path = url.splitn(4, '/').nth(3).unwrap();
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let asked = format!(
        "GET /{path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    stream.write_all(asked.as_bytes()).unwrap();
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte).unwrap();
        head.push(byte[0]);
    }
    assert!(head.starts_with(b"HTTP/1.1 101"), "{}", String::from_utf8_lossy(&head));
    stream
}

fn write_frame(stream: &mut TcpStream, text: &[u8]) {
    let length = u16::try_from(text.len()).unwrap();
    let mut frame = vec![0x81, 0x80 | 126];
    frame.extend(length.to_be_bytes());
    // A mask of zeros leaves the text as it is.
    frame.extend([0; 4]);
    frame.extend(text);
    stream.write_all(&frame).unwrap();
}

fn read_frame(stream: &mut TcpStream) -> Vec<u8> {
    let mut head = [0; 2];
    stream.read_exact(&mut head).unwrap();
    let length = match head[1] & 0x7f {
        126 => {
            let mut length = [0; 2];
            stream.read_exact(&mut length).unwrap();
            u64::from(u16::from_be_bytes(length))
        }
        127 => {
            let mut length = [0; 8];
            stream.read_exact(&mut length).unwrap();
            u64::from_be_bytes(length)
        }
        short => u64::from(short),
    };
    let mut text = vec![0; usize::try_from(length).unwrap()];
    stream.read_exact(&mut text).unwrap();
    text
}

/// The processes that have a home's mark, also those that ended and that nobody waited for.
#[cfg(target_os = "linux")]
pub(crate) fn marked(home: &Home) -> Vec<String> {
    let mark = format!("{MARK}={}", home.path().display());
    let processes = fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let environments = processes.filter_map(|it| {
        let environment = fs::read(it.path().join("environ")).ok()?;
        let has = environment.split(|it| *it == 0).any(|it| it == mark.as_bytes());
        has.then(|| fs::read_to_string(it.path().join("comm")).unwrap_or_default())
    });
    environments.collect()
}
