//! What a rendered page costs beside a plain headless load of it by the same browser.
//!
//! `cargo bench -p browser --bench cost` prints a Markdown table. Plain is `chromium --headless --dump-dom`, which starts the
//! browser, loads the page from a server on loopback and ends; beside it the same page rendered here, in a browser that is
//! started for it, and in one that runs. Numbers of different machines say little, ratios of one run do.
#![expect(clippy::print_stdout, reason = "the table is the result")]

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use browser::{Bringing, Brought, Browser, BrowserSettings, Network, Opening, Wanted};
use url::Url;

const ROUNDS: usize = 10;

/// A page whose text comes by script, and one that is long.
fn pages() -> [(&'static str, String); 2] {
    let text = "The yield of rice fell by a tenth in the year of the flood. ".repeat(5);
    let made = format!(
        "<!doctype html><title>Rice</title><div id=root></div><script>
         fetch('/data').then(it => it.text()).then(it => {{ root.textContent = '{text}' + it; }})</script>"
    );
    let long = format!(
        "<!doctype html><title>Rice</title><div id=root></div><script>
         for (let n = 0; n < 400; n++) {{ const p = document.createElement('p'); p.textContent = '{text}'; root.append(p); }}
         </script>"
    );
    [("made by script", made), ("made by script, 120 kB long", long)]
}

fn main() {
    if !std::env::args().any(|it| it == "--bench") {
        // A test run of all targets, which has no time for this.
        return;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    runtime.expect("threads").block_on(async {
        println!("| page | plain load | rendered, browser started | rendered, browser runs | started / plain | runs / plain |");
        println!("| --- | ---: | ---: | ---: | ---: | ---: |");
        for (name, page) in pages() {
            compare(name, &page).await;
        }
    });
}

async fn compare(name: &str, page: &str) {
    let root = is_root();
    let folder = tempfile::tempdir().expect("a folder");
    let settings = BrowserSettings { sandbox: !root, ..BrowserSettings::default() };
    let running = Browser::new(settings.clone(), folder.path());
    render(&running, page).await;
    let port = serve(page.to_owned());
    let program = running.usable().expect("a browser").program;
    let (mut plain, mut started, mut warm) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let begun = Instant::now();
        let mut command = Command::new(&program);
        command.args(["--headless", "--disable-gpu", "--no-first-run", "--dump-dom"]);
        if root {
            command.arg("--no-sandbox");
        }
        let profile = tempfile::tempdir().expect("a folder");
        let output = command
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg(format!("http://127.0.0.1:{port}/"))
            .stderr(Stdio::null())
            .output()
            .expect("the browser runs");
        assert!(String::from_utf8_lossy(&output.stdout).contains("The yield of rice"));
        plain.push(begun.elapsed());

        let begun = Instant::now();
        let own = Browser::new(settings.clone(), folder.path());
        render(&own, page).await;
        own.close().await;
        started.push(begun.elapsed());

        let begun = Instant::now();
        render(&running, page).await;
        warm.push(begun.elapsed());
    }
    let [plain, started, warm] = [plain, started, warm].map(median);
    println!(
        "| {name} | {} ms | {} ms | {} ms | {:.2} | {:.2} |",
        plain.as_millis(),
        started.as_millis(),
        warm.as_millis(),
        started.as_secs_f64() / plain.as_secs_f64(),
        warm.as_secs_f64() / plain.as_secs_f64(),
    );
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

async fn render(browser: &Browser, page: &str) {
    let opening = Opening {
        url: Url::parse("http://page.example/").expect("an address"),
        status: 200,
        headers: vec![("content-type".to_owned(), "text/html".to_owned())],
        body: page.as_bytes().to_vec(),
        record_id: None,
    };
    let rendered = browser.render(opening, Arc::new(Data)).await.expect("a page");
    assert!(rendered.html.contains("The yield of rice"));
}

#[derive(Debug)]
struct Data;

impl Network for Data {
    fn bring(&self, wanted: Wanted) -> Bringing {
        let brought = Brought {
            url: wanted.url,
            status: 200,
            headers: Vec::new(),
            body: b"data".to_vec(),
            record_id: None,
        };
        Box::pin(async move { Ok(brought) })
    }
}

/// Answers `/data` with data and everything else with the page.
fn serve(page: String) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("bound").port();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let page = page.clone();
            thread::spawn(move || {
                let mut stream = stream;
                let mut asked = String::new();
                let mut reader = BufReader::new(stream.try_clone().expect("a socket"));
                if reader.read_line(&mut asked).is_err() {
                    return;
                }
                let mut line = String::new();
                while reader.read_line(&mut line).is_ok_and(|it| it > 2) {
                    line.clear();
                }
                let body = if asked.contains("/data") { "data" } else { page.as_str() };
                // A browser that hangs up has what it wanted.
                let _ = write!(
                    stream,
                    "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
                    body.len()
                );
            });
        }
    });
    port
}

#[cfg(unix)]
fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

#[cfg(not(unix))]
fn is_root() -> bool {
    false
}
