//! Decides what a request gets: a scripted fault, a page put there by a test, or what the world holds.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use super::Arrival;
use crate::answer::{Answer, Request};
use crate::doors::Doors;
use crate::fault::Fault;
use crate::index::Aim;
use crate::log::{Hit, Log, Open, Protocol};
use crate::{EngineMode, World};
use crate::{apis, engines, index, sites};

/// What a connection read from its client.
#[derive(Debug)]
pub(super) struct IncomingRequest {
    pub(super) host: String,
    pub(super) method: String,
    pub(super) target: String,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
    pub(super) protocol: Protocol,
}

#[derive(Debug)]
pub(crate) struct Responder {
    pub(crate) world: World,
    pub(crate) log: Log,
    orders: Mutex<Orders>,
    doors: Mutex<Doors>,
    pause_ms: AtomicU64,
}

/// What a test asked for.
#[derive(Debug, Default)]
struct Orders {
    by_host: HashMap<String, VecDeque<Fault>>,
    by_path: HashMap<(String, String), VecDeque<Fault>>,
    put: HashMap<(String, String), Answer>,
    engines: HashMap<String, EngineMode>,
}

impl Responder {
    pub(crate) fn new(world: World) -> Self {
        let (orders, doors) = (Mutex::default(), Mutex::default());
        Self { world, log: Log::new(), orders, doors, pause_ms: AtomicU64::new(0) }
    }

    pub(crate) fn script(&self, host: &str, faults: Vec<Fault>) {
        self.orders().by_host.entry(host.to_owned()).or_default().extend(faults);
    }

    pub(crate) fn script_path(&self, host: &str, path: &str, faults: Vec<Fault>) {
        let place = (host.to_owned(), path.to_owned());
        self.orders().by_path.entry(place).or_default().extend(faults);
    }

    pub(crate) fn put(&self, host: &str, path: &str, answer: Answer) {
        self.orders().put.insert((host.to_owned(), path.to_owned()), answer);
    }

    pub(crate) fn set_engine(&self, engine: &str, mode: EngineMode) {
        self.orders().engines.insert(engine.to_owned(), mode);
    }

    pub(crate) fn pause_before_answers(&self, pause: Duration) {
        self.pause_ms.store(pause.as_millis() as u64, Ordering::Relaxed);
    }

    /// Whether TLS offers HTTP/2 to clients of this host.
    pub(super) fn offers_http2(&self, host: &str) -> bool {
        self.world.site(host).is_none_or(|it| it.kind.answers_plainly())
    }

    /// Answers, and counts the request as open until the caller has sent it.
    pub(super) fn answer(&self, asked: IncomingRequest, arrival: Arrival) -> (Answer, Open) {
        let aim = Aim::new(&asked.host, &asked.target);
        let open = self.log.begin(Hit {
            when: Duration::ZERO,
            host: aim.host.clone(),
            method: asked.method.clone(),
            path: aim.target.clone(),
            headers: asked.headers.clone(),
            body: asked.body.clone(),
            status: 0,
            bytes: 0,
            connection: arrival.connection,
            protocol: asked.protocol,
            secure: arrival.secure,
            via: arrival.via,
            open: 0,
        });
        let is_robots = aim.target == "/robots.txt";
        let (visit, since_last) = if is_robots { (0, None) } else { self.log.visit(&aim.host) };
        let request = Request {
            host: aim.host.clone(),
            method: asked.method,
            target: aim.target.clone(),
            headers: asked.headers,
            body: asked.body,
            secure: arrival.secure,
            visit,
            since_last,
        };
        let mut answer = match self.next_fault(&request) {
            Some(fault) => fault.spoil(|| self.ordinary(&request)),
            None => self.ordinary(&request),
        };
        answer.delay += Duration::from_millis(self.pause_ms.load(Ordering::Relaxed));
        aim.stay(&mut answer);
        (answer, open)
    }

    fn next_fault(&self, request: &Request) -> Option<Fault> {
        let mut orders = self.orders();
        let place = (request.host.clone(), request.path().to_owned());
        if let Some(fault) = orders.by_path.get_mut(&place).and_then(VecDeque::pop_front) {
            return Some(fault);
        }
        if request.path() == "/robots.txt" {
            return None;
        }
        orders.by_host.get_mut(&request.host).and_then(VecDeque::pop_front)
    }

    /// What the request gets when nothing is wrong.
    fn ordinary(&self, request: &Request) -> Answer {
        let place = (request.host.clone(), request.path().to_owned());
        if let Some(answer) = self.orders().put.get(&place) {
            return answer.clone();
        }
        if let Some(answer) = self.doors().answer(request) {
            return answer;
        }
        if let Some(engine) = engines::of_host(&request.host) {
            let mode = self.orders().engines.get(engine.name).copied().unwrap_or_default();
            return engines::answer(&self.world, engine, mode, request);
        }
        if let Some(answer) = apis::answer(&self.world, request) {
            return answer;
        }
        match self.world.site(&request.host) {
            Some(site) => sites::answer(&self.world, site, request),
            None => index::answer(&self.world, request),
        }
    }

    pub(crate) fn doors(&self) -> MutexGuard<'_, Doors> {
        self.doors.lock().expect("no code panics while it holds the doors")
    }

    fn orders(&self) -> MutexGuard<'_, Orders> {
        self.orders.lock().expect("no code panics while it holds the orders")
    }
}
