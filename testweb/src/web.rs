//! The running small internet, as a test holds it.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use crate::server::{Authority, Responder, Server, listen};
use crate::{Answer, Door, EngineMode, Fault, Hit, Living, World, apis, engines};

/// A small internet on a loopback port, with threads of its own. Stops when dropped.
#[derive(Debug)]
pub struct TestWeb {
    address: SocketAddr,
    server: Arc<Server>,
    runtime: Option<Runtime>,
}

impl TestWeb {
    /// Starts on a free port.
    pub fn start(world: World) -> Self {
        Self::start_on(0, world).expect("loopback has a free port")
    }

    /// Starts on this port; 0: a free one.
    pub fn start_on(port: u16, world: World) -> io::Result<Self> {
        let listener = listen(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))?;
        let address = listener.local_addr()?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("testweb")
            .enable_all()
            .build()?;
        let server = Arc::new(Server::new(Responder::new(world), Authority::new()));
        let running = Arc::clone(&server);
        let entered = runtime.enter();
        let listener = TcpListener::from_std(listener)?;
        drop(entered);
        runtime.spawn(running.run(listener));
        Ok(Self { address, server, runtime: Some(runtime) })
    }

    pub fn world(&self) -> &World {
        &self.server.responder.world
    }

    pub fn port(&self) -> u16 {
        self.address.port()
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What `fetch.hosts` must hold for a client to reach every host here.
    pub fn hosts_setting(&self) -> Vec<String> {
        let mut entries = vec![format!("*.test={}", self.address)];
        entries.extend(
            engines::hosts().chain(apis::hosts()).map(|it| format!("{it}={}", self.address)),
        );
        // Port 1 of loopback is closed.
        let closed = self.world().sites().iter().filter(|it| it.kind.has_closed_port());
        entries.extend(closed.map(|it| format!("{}=127.0.0.1:1", it.host)));
        entries
    }

    /// The certificate of the authority that signs for all hosts.
    pub fn ca_pem(&self) -> &str {
        self.server.authority.pem()
    }

    /// Everything that reached the server, in order of arrival.
    pub fn log(&self) -> Vec<Hit> {
        self.server.responder.log.hits()
    }

    pub fn hits(&self, host: &str) -> Vec<Hit> {
        self.server.responder.log.hits_of(host)
    }

    /// Forgets what reached the server, also for sites that count ("the first two requests get 403").
    pub fn clear_log(&self) {
        self.server.responder.log.clear();
    }

    /// Stops keeping hits; counts per domain continue. For runs that measure memory.
    pub fn keep_counts_only(&self) {
        self.server.responder.log.keep_counts_only();
    }

    /// Requests to a registrable domain.
    pub fn requests(&self, domain: &str) -> u64 {
        self.server.responder.log.requests(domain)
    }

    pub fn total_requests(&self) -> u64 {
        self.server.responder.log.total()
    }

    /// Registrable domains that were asked.
    pub fn domains_asked(&self) -> Vec<String> {
        self.server.responder.log.domains()
    }

    /// The most requests to a registrable domain that were open at the same moment.
    pub fn most_open_at_once(&self, domain: &str) -> usize {
        self.server.responder.log.most_open(domain)
    }

    /// The shortest time between the arrivals of two requests to a registrable domain.
    pub fn closest_gap(&self, domain: &str) -> Option<Duration> {
        self.server.responder.log.closest_gap(domain)
    }

    /// Spoils the next answers of a host, in order. robots.txt is spared: see [`Self::script_path`].
    pub fn script(&self, host: &str, faults: Vec<Fault>) {
        self.server.responder.script(host, faults);
    }

    /// Spoils the next answers at one path of a host.
    pub fn script_path(&self, host: &str, path: &str, faults: Vec<Fault>) {
        self.server.responder.script_path(host, path, faults);
    }

    /// Puts an answer at an address (the query does not matter), on any host, instead of what the world holds there.
    pub fn put(&self, host: &str, path: &str, answer: Answer) {
        self.server.responder.put(host, path, answer);
    }

    /// Makes a site ask for a person; `/page/N` of it says [`crate::Door::sentence`] to those who may pass.
    pub fn put_door(&self, host: &str, door: Door) {
        self.server.responder.doors().put(host, door);
    }

    /// Puts a page that is made by scripts on a host; it is at [`crate::Living::path`] and shows [`crate::Living::truth`].
    pub fn put_living(&self, host: &str, kind: Living, number: usize) {
        for (path, answer) in kind.page(number).parts {
            self.put(host, &path, answer);
        }
    }

    /// Ends all sessions at a door.
    pub fn close_door(&self, host: &str) {
        self.server.responder.doors().close(host);
    }

    /// Makes every answer wait, so that requests at the same time are seen as such.
    pub fn pause_before_answers(&self, pause: Duration) {
        self.server.responder.pause_before_answers(pause);
    }

    /// Changes how an engine answers: `duckduckgo`, `duckduckgo_lite`, `mojeek`, `brave`, `startpage`, `ecosia`, `bing`,
    /// `marginalia`, `google`.
    pub fn set_engine(&self, name: &str, mode: EngineMode) {
        assert!(engines::names().any(|it| it == name), "no engine is called {name}");
        self.server.responder.set_engine(name, mode);
    }
}

impl Drop for TestWeb {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
