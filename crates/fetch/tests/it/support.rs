//! Test fixtures: a graph, an archive folder, a fetcher, and servers that do what a test says.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use fetch::{
    FetchFailure, FetchRequest, FetchResponse, FetchSettings, Fetcher, Freshness, Kind, Limits,
};
use graph::{Access, Clock, EgressFilter, EgressRow, FixedClock, Graph, GraphLedger, Options};
use tempfile::TempDir;

/// A graph and an archive in a folder of their own, with a clock that a test moves.
pub(crate) struct World {
    pub(crate) graph: Arc<Graph>,
    pub(crate) clock: Arc<FixedClock>,
    pub(crate) dir: TempDir,
}

pub(crate) fn noon() -> jiff::Timestamp {
    "2026-03-04T12:00:00Z".parse().unwrap()
}

impl World {
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let clock = Arc::new(FixedClock::at(noon()));
        let graph = Self::open_graph(&dir, &clock);
        Self { graph, clock, dir }
    }

    fn open_graph(dir: &TempDir, clock: &Arc<FixedClock>) -> Arc<Graph> {
        let options = Options { clock: Arc::clone(clock) as Arc<dyn Clock>, ..Options::default() };
        Arc::new(Graph::open(&dir.path().join("lyra.db"), Access::Write, options).unwrap())
    }

    /// Closes the graph and opens it again, as a new process would.
    pub(crate) fn restarted(self) -> Self {
        let Self { graph, clock, dir } = self;
        drop(Arc::into_inner(graph).expect("the fetcher is dropped"));
        let graph = Self::open_graph(&dir, &clock);
        Self { graph, clock, dir }
    }

    pub(crate) fn archive(&self) -> PathBuf {
        self.dir.path().join("archive")
    }

    pub(crate) fn fetcher(&self, settings: FetchSettings) -> Fetcher {
        Fetcher::open(
            Arc::new(GraphLedger::new(Arc::clone(&self.graph))),
            &self.archive(),
            settings,
        )
        .unwrap()
    }

    /// The ledger, oldest first.
    pub(crate) fn ledger(&self) -> Vec<EgressRow> {
        let mut rows = self.graph.read(|it| it.egress(&EgressFilter::default(), 10_000)).unwrap();
        rows.reverse();
        rows
    }

    /// The ledger as lines: purpose, method, host, path, status, outcome.
    pub(crate) fn ledger_lines(&self) -> Vec<String> {
        let line = |row: EgressRow| {
            let status = row.status.map_or_else(|| "-".to_owned(), |it| it.to_string());
            let outcome = row.outcome.unwrap_or_else(|| "cut off".to_owned());
            format!("{} {} {}{} {status} {outcome}", row.purpose, row.method, row.host, row.path)
        };
        self.ledger().into_iter().map(line).collect()
    }
}

/// Settings that lift the limits and lead `*.test` to a server on this machine.
pub(crate) fn lifted(server: SocketAddr) -> FetchSettings {
    FetchSettings {
        allow_networks: vec!["127.0.0.0/8".to_owned()],
        hosts: vec![format!("*.test={server}")],
        spacing_min_ms: 0,
        spacing_max_ms: 0,
        per_second: 0.0,
        per_day: 0,
        timeout_ms: 5_000,
        connect_timeout_ms: 2_000,
        ..FetchSettings::default()
    }
}

pub(crate) fn no_limits() -> Limits {
    Limits {
        concurrent: 1,
        spacing: (Duration::ZERO, Duration::ZERO),
        per_second: 0.0,
        per_day: None,
    }
}

pub(crate) fn page(url: &str) -> FetchRequest {
    FetchRequest::page(url.parse().unwrap())
}

pub(crate) fn again(url: &str) -> FetchRequest {
    FetchRequest { freshness: Freshness::Again, ..page(url) }
}

pub(crate) fn api(url: &str) -> FetchRequest {
    let kind = Kind::Api { name: "works".to_owned(), limits: no_limits() };
    FetchRequest::new(url.parse().unwrap(), kind)
}

/// `reason: detail` of a miss.
pub(crate) fn shown(outcome: &Result<FetchResponse, FetchFailure>) -> String {
    match outcome {
        Ok(it) => format!("{} {}", it.status, String::from_utf8_lossy(&it.body)),
        Err(it) => format!("{:?}: {}", it.reason, it.detail),
    }
}

/// A request as a server saw it.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) method: String,
    pub(crate) path: String,
    /// Names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    pub(crate) begun: Instant,
    pub(crate) ended: Instant,
}

impl Seen {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(it, _)| it == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn host(&self) -> &str {
        let host = self.header("host").unwrap_or_default();
        host.split(':').next().unwrap_or_default()
    }
}

/// A server on loopback: a thread for each connection, one request on each.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    connections: Arc<AtomicUsize>,
    seen: Arc<Mutex<Vec<Seen>>>,
    stop: Arc<AtomicBool>,
}

impl Server {
    /// Answers every request with what `answer` writes.
    pub(crate) fn start(answer: impl Fn(&Seen, &mut TcpStream) + Send + Sync + 'static) -> Self {
        Self::start_at("127.0.0.1:0", answer)
    }

    pub(crate) fn start_at(
        address: &str,
        answer: impl Fn(&Seen, &mut TcpStream) + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind(address).unwrap();
        let address = listener.local_addr().unwrap();
        let server = Self {
            address,
            connections: Arc::default(),
            seen: Arc::default(),
            stop: Arc::default(),
        };
        let (connections, seen) = (Arc::clone(&server.connections), Arc::clone(&server.seen));
        let (stop, answer) = (Arc::clone(&server.stop), Arc::new(answer));
        thread::spawn(move || {
            for stream in listener.incoming() {
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                connections.fetch_add(1, Ordering::Relaxed);
                let (seen, answer) = (Arc::clone(&seen), Arc::clone(&answer));
                thread::spawn(move || serve(stream.unwrap(), &seen, answer.as_ref()));
            }
        });
        server
    }

    /// Answers by path: `routes` gives the whole answer, or `None` for a 404.
    pub(crate) fn with(routes: impl Fn(&Seen) -> Option<String> + Send + Sync + 'static) -> Self {
        Self::start(move |request, stream| {
            let answer = routes(request).unwrap_or_else(|| plain(404, "", "not here"));
            // A client that went away is part of some tests.
            let _ = stream.write_all(answer.as_bytes());
        })
    }

    /// Answers every page with its host and path, and robots.txt with 404.
    pub(crate) fn echo() -> Self {
        Self::with(|request| match request.path.as_str() {
            "/robots.txt" => None,
            path => Some(plain(200, "", &format!("{}{path}", request.host()))),
        })
    }

    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::Relaxed)
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    /// `METHOD path` of every request, in order of arrival.
    pub(crate) fn paths(&self) -> Vec<String> {
        let mut seen = self.seen();
        seen.sort_by_key(|it| it.begun);
        seen.iter().map(|it| format!("{} {}{}", it.method, it.host(), it.path)).collect()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        // Wakes the thread that waits for connections.
        drop(TcpStream::connect(self.address));
    }
}

fn serve(
    mut stream: TcpStream,
    seen: &Mutex<Vec<Seen>>,
    answer: &(dyn Fn(&Seen, &mut TcpStream) + Send + Sync),
) {
    let Some(mut request) = read_request(&mut stream) else { return };
    answer(&request, &mut stream);
    request.ended = Instant::now();
    seen.lock().unwrap().push(request);
}

fn read_request(stream: &mut TcpStream) -> Option<Seen> {
    let mut bytes = Vec::new();
    let mut byte = [0];
    while !bytes.ends_with(b"\r\n\r\n") {
        if stream.read(&mut byte).ok()? == 0 {
            return None;
        }
        bytes.push(byte[0]);
    }
    let begun = Instant::now();
    let text = String::from_utf8(bytes).unwrap();
    let mut lines = text.lines();
    let mut words = lines.next()?.split(' ');
    let (method, path) = (words.next()?.to_owned(), words.next()?.to_owned());
    let headers: Vec<(String, String)> = lines
        .filter_map(|it| it.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let mut body = vec![0; length.map_or(0, |(_, value)| value.parse().unwrap())];
    stream.read_exact(&mut body).ok()?;
    Some(Seen { method, path, headers, body, begun, ended: begun })
}

/// A whole answer; `headers` are lines that end in `\r\n`.
pub(crate) fn plain(status: u16, headers: &str, body: &str) -> String {
    format!(
        "HTTP/1.1 {status} X\r\n{headers}content-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )
}

pub(crate) fn redirect(status: u16, to: &str) -> String {
    plain(status, &format!("location: {to}\r\n"), "")
}
