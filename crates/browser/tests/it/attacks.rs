//! Pages that try to reach what is private, past the answers they are given.

use std::net::{TcpListener, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use crate::support::{Pages, render};

/// Counts what reaches this machine.
struct Listeners {
    tcp: u16,
    udp: u16,
    hits: Arc<AtomicUsize>,
}

impl Listeners {
    fn start() -> Self {
        let hits = Arc::<AtomicUsize>::default();
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let tcp = listener.local_addr().expect("bound").port();
        let counter = Arc::clone(&hits);
        thread::spawn(move || {
            for _ in listener.incoming() {
                counter.fetch_add(1, Ordering::SeqCst);
            }
        });
        let socket = UdpSocket::bind("127.0.0.1:0").expect("a port");
        let udp = socket.local_addr().expect("bound").port();
        let counter = Arc::clone(&hits);
        thread::spawn(move || {
            while socket.recv(&mut [0; 64]).is_ok() {
                counter.fetch_add(1, Ordering::SeqCst);
            }
        });
        Self { tcp, udp, hits }
    }

    fn hits(&self) -> usize {
        // What is under way arrives.
        thread::sleep(Duration::from_millis(300));
        self.hits.load(Ordering::SeqCst)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_that_a_page_tries_leaves_the_browser() {
    if testkit::browser().is_none() {
        return;
    }
    let listeners = Listeners::start();
    let (at, udp) = (format!("127.0.0.1:{}", listeners.tcp), listeners.udp);
    std::net::TcpStream::connect(&at).expect("the listener listens");
    assert_eq!(listeners.hits(), 1, "the listener counts");

    let page = format!(
        r#"<!doctype html><link rel="preconnect" href="http://{at}/"><link rel="dns-prefetch" href="//{at}">
        <link rel="prefetch" href="http://{at}/p"><link rel="modulepreload" href="http://{at}/m.js">
        <meta http-equiv="Content-Security-Policy-Report-Only" content="default-src 'none'; report-uri http://{at}/csp">
        <script type="speculationrules">{{"prerender":[{{"urls":["http://{at}/spec"]}}]}}</script>
        <p id="p">text</p><iframe src="http://{at}/frame"></iframe><img src="http://{at}/img">
        <iframe name="f"></iframe><form id="form" target="f" method="post" action="http://{at}/form"></form>
        <iframe srcdoc="&lt;script&gt;fetch('http://{at}/srcdoc', {{mode:'no-cors'}})&lt;/script&gt;"></iframe>
        <object data="http://{at}/object"></object><embed src="http://{at}/embed">
        <video src="http://{at}/v"></video><style>@import "http://{at}/i.css"; p {{ background: url(http://{at}/bg) }}</style>
        <script>
        const quiet = (run) => {{ try {{ const it = run(); it && it.catch && it.catch(() => {{}}); }} catch {{}} }};
        quiet(() => fetch("http://{at}/fetch", {{ mode: "no-cors" }}));
        quiet(() => fetch("http://{at}/post", {{ mode: "no-cors", method: "POST", body: "x", keepalive: true }}));
        quiet(() => navigator.sendBeacon("http://{at}/beacon", "x"));
        quiet(() => new WebSocket("ws://{at}/ws"));
        quiet(() => new EventSource("http://{at}/events"));
        quiet(() => new WebTransport("https://{at}/"));
        quiet(() => new Worker("/worker.js"));
        quiet(() => new SharedWorker("/worker.js"));
        quiet(() => navigator.serviceWorker.register("/worker.js"));
        quiet(() => window.open("http://{at}/popup"));
        quiet(() => form.submit());
        quiet(() => {{
          const peer = new RTCPeerConnection({{ iceServers: [{{ urls: "stun:127.0.0.1:{udp}" }},
            {{ urls: "turn:{at}?transport=tcp", username: "a", credential: "b" }}] }});
          peer.createDataChannel("x");
          return peer.createOffer().then((it) => peer.setLocalDescription(it));
        }});
        </script>"#
    );
    let worker = format!(
        "const quiet = (run) => {{ try {{ const it = run(); it && it.catch && it.catch(() => {{}}); }} catch {{}} }};
        quiet(() => fetch('http://{at}/w', {{ mode: 'no-cors' }}));
        quiet(() => new WebSocket('ws://{at}/ws'));
        quiet(() => importScripts('http://{at}/w.js'));"
    );
    let pages = Pages::default().script("http://page.example/worker.js", &worker);
    let (rendered, pages) = render(&page, pages).await;
    rendered.expect("a page");
    assert_eq!(listeners.hits(), 1, "only the test itself reached it");
    // Those that are requests were shown, and are for the fetcher to refuse.
    let asked = pages.asked();
    for path in ["fetch", "w", "srcdoc", "i.css"] {
        assert!(asked.contains(&format!("http://{at}/{path}")), "{path} in {asked:?}");
    }
}
