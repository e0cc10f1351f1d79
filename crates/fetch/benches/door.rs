//! What the fetcher costs beside a plain client of the same HTTP library, and whether its memory stays flat.
//!
//! `cargo bench -p fetch --bench fetcher` prints Markdown tables. Both clients ask the same URLs of the same server
//! in the same run, limits lifted; the fetcher also writes its ledger and archive. Numbers of different machines say
//! little, ratios of one run do.
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot continue should stop where it is")]
#![expect(clippy::print_stdout, reason = "the tables are the result")]

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fetch::{FetchRequest, FetchSettings, Fetcher, Freshness};
use graph::{Access, Graph, GraphLedger, Options};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

const HOSTS: usize = 200;
/// A page as news sites have them, in bytes.
const PAGE: usize = 30_000;
/// Requests at the same time, as many as the product has.
const AT_ONCE: usize = 32;
/// Requests that wait at the fetcher, which sends `AT_ONCE` of them at a time.
const WAITING: usize = 256;
const ROUNDS: usize = 3;

fn main() {
    if !std::env::args().any(|it| it == "--bench") {
        // A test run of all targets, which has no time for this.
        return;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        println!("| server takes | pages | plain client | fetcher | fetcher / plain |");
        println!("| --- | ---: | ---: | ---: | ---: |");
        for (takes, pages) in [(0, 4_000), (20, 4_000), (100, 2_000)] {
            compare(Duration::from_millis(takes), pages).await;
        }
        println!();
        memory().await;
    });
}

async fn compare(takes: Duration, pages: usize) {
    let server = serve(takes).await;
    let dir = tempfile::tempdir().unwrap();
    let fetcher = open(dir.path(), server);
    let plain = reqwest::Client::builder()
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .dns_resolver(Everywhere(server))
        .build()
        .unwrap();
    // Connections and robots.txt are there for both before the clock starts.
    with_plain(&plain, HOSTS, 0).await;
    with_door(&fetcher, HOSTS, 0).await;
    let (mut best_plain, mut best_door) = (Duration::MAX, Duration::MAX);
    for round in 1..=ROUNDS {
        best_plain = best_plain.min(with_plain(&plain, pages, round).await);
        best_door = best_door.min(with_door(&fetcher, pages, round).await);
    }
    println!(
        "| {} ms | {pages} | {:.2} s | {:.2} s | {:.2} |",
        takes.as_millis(),
        best_plain.as_secs_f64(),
        best_door.as_secs_f64(),
        best_door.as_secs_f64() / best_plain.as_secs_f64()
    );
}

async fn memory() {
    let server = serve(Duration::ZERO).await;
    let dir = tempfile::tempdir().unwrap();
    let fetcher = open(dir.path(), server);
    println!("| fetches | resident memory |");
    println!("| ---: | ---: |");
    let mut fetched = 0;
    for upto in [2_000, 5_000, 10_000, 20_000] {
        with_door(&fetcher, upto - fetched, upto).await;
        fetched = upto;
        println!("| {upto} | {:.1} MB |", resident() as f64 / 1e6);
    }
}

fn open(dir: &std::path::Path, server: SocketAddr) -> Fetcher {
    let graph = Graph::open(&dir.join("lyra.db"), Access::Write, Options::default()).unwrap();
    let settings = FetchSettings {
        allow_networks: vec!["127.0.0.0/8".to_owned()],
        hosts: vec![format!("*.test={server}")],
        spacing_min_ms: 0,
        spacing_max_ms: 0,
        per_second: 0.0,
        per_day: 0,
        max_concurrent: AT_ONCE,
        ..FetchSettings::default()
    };
    Fetcher::open(Arc::new(GraphLedger::new(Arc::new(graph))), &dir.join("archive"), settings)
        .unwrap()
}

fn url(number: usize, round: usize) -> String {
    format!("http://site-{}.test/{round}/{number}", number % HOSTS)
}

async fn with_plain(client: &reqwest::Client, pages: usize, round: usize) -> Duration {
    together(pages, AT_ONCE, |number| {
        let client = client.clone();
        async move {
            let answer = client.get(url(number, round)).send().await.unwrap();
            assert_eq!(answer.bytes().await.unwrap().len(), PAGE);
        }
    })
    .await
}

async fn with_door(fetcher: &Fetcher, pages: usize, round: usize) -> Duration {
    together(pages, WAITING, |number| {
        let fetcher = fetcher.clone();
        async move {
            let mut fetch_request = FetchRequest::page(url(number, round).parse().unwrap());
            fetch_request.freshness = Freshness::Revalidate;
            assert_eq!(fetcher.fetch(fetch_request).await.unwrap().body.len(), PAGE);
        }
    })
    .await
}

/// Runs one request for each page, `at_once` at a time, and returns how long all of them took.
async fn together<F: Future<Output = ()> + Send + 'static>(
    pages: usize,
    at_once: usize,
    fetch_request: impl Fn(usize) -> F,
) -> Duration {
    let slots = Arc::new(Semaphore::new(at_once));
    let begun = Instant::now();
    let mut running = JoinSet::new();
    for number in 0..pages {
        let slot = Arc::clone(&slots).acquire_owned().await.unwrap();
        let fetch_request = fetch_request(number);
        running.spawn(async move {
            fetch_request.await;
            drop(slot);
        });
        // What is over gives its memory back now, not at the end.
        while let Some(over) = running.try_join_next() {
            over.unwrap();
        }
    }
    while let Some(over) = running.join_next().await {
        over.unwrap();
    }
    begun.elapsed()
}

/// Leads every name to the server.
struct Everywhere(SocketAddr);

impl reqwest::dns::Resolve for Everywhere {
    fn resolve(&self, _: reqwest::dns::Name) -> reqwest::dns::Resolving {
        let address = self.0;
        Box::pin(async move { Ok(Box::new(std::iter::once(address)) as reqwest::dns::Addrs) })
    }
}

/// A server that keeps connections open and answers every path with a page after a while.
async fn serve(takes: Duration) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    // Words, so that the archive packs it about as well as a page.
    let mut random = fastrand::Rng::with_seed(5);
    let words: Vec<String> =
        (0..2_000).map(|_| (0..random.usize(2..9)).map(|_| random.lowercase()).collect()).collect();
    let mut body = String::new();
    while body.len() < PAGE {
        body.push_str(&words[random.usize(..words.len())]);
        body.push(' ');
    }
    body.truncate(PAGE);
    let page: Arc<str> = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: {PAGE}\r\n\r\n{body}"
    )
    .into();
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            stream.set_nodelay(true).unwrap();
            let page = Arc::clone(&page);
            tokio::spawn(async move {
                let mut request = Vec::new();
                loop {
                    request.clear();
                    while !request.ends_with(b"\r\n\r\n") {
                        match stream.read_buf(&mut request).await {
                            Ok(read) if read > 0 => {}
                            // The client is done with this connection.
                            _ => return,
                        }
                    }
                    let robots = request.starts_with(b"GET /robots.txt ");
                    let missing = "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n";
                    let answer = if robots { missing } else { &page };
                    if !robots && !takes.is_zero() {
                        tokio::time::sleep(takes).await;
                    }
                    if stream.write_all(answer.as_bytes()).await.is_err() {
                        return;
                    }
                }
            });
        }
    });
    address
}

/// Bytes of memory that this process holds.
fn resident() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: u64 = text.split(' ').nth(1).and_then(|it| it.parse().ok()).unwrap_or(0);
    pages * 4096
}
