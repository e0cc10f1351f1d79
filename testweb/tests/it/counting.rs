//! What reached the server is known exactly.

use std::io::{Read, Write};
use std::thread;
use std::time::{Duration, Instant};

use testweb::{Answer, TestWeb, Via, World};

use crate::client::{connect, exchange, get, parse, read_one, request};

#[test]
fn a_hit_tells_who_asked_for_what_and_what_came_back() {
    let web = TestWeb::start(World::of_size(1, 10));
    let host = web.world().sites()[0].host.clone();
    let reply = get(&web, &host, "/nothing?x=1");
    let hits = web.hits(&host);
    assert_eq!(hits.len(), 1);
    let hit = &hits[0];
    assert_eq!((hit.method.as_str(), hit.path.as_str()), ("GET", "/nothing?x=1"));
    assert_eq!((hit.status, hit.bytes), (404, reply.body.len() as u64));
    assert_eq!((hit.connection, hit.open, hit.via), (1, 1, Via::Direct));
    assert_eq!(hit.header("connection"), Some("close"));
    web.clear_log();
    assert_eq!(web.log().len(), 0);
    assert_eq!(web.total_requests(), 0);
}

#[test]
fn one_connection_carries_many_requests() {
    let web = TestWeb::start(World::of_size(1, 10));
    web.put("a.test", "/", Answer::html(200, "hello"));
    let mut stream = connect(&web);
    for _ in 0..3 {
        stream.write_all(b"GET / HTTP/1.1\r\nHost: a.test\r\n\r\n").unwrap();
        assert_eq!(read_one(&mut stream).text(), "hello");
    }
    let connections: Vec<u64> = web.hits("a.test").iter().map(|it| it.connection).collect();
    assert_eq!(connections, [1, 1, 1]);
}

#[test]
fn requests_at_the_same_time_are_counted_per_registrable_domain() {
    let web = TestWeb::start(World::of_size(1, 10));
    for host in ["www.a.test", "b.a.test", "b.test"] {
        web.put(host, "/", Answer::html(200, "hello").after(Duration::from_millis(300)));
    }
    thread::scope(|scope| {
        for host in ["www.a.test", "b.a.test", "b.a.test", "b.test"] {
            scope.spawn(|| get(&web, host, "/"));
        }
    });
    assert_eq!(web.most_open_at_once("a.test"), 3);
    assert_eq!(web.most_open_at_once("b.test"), 1);
    assert_eq!(web.requests("a.test"), 3);
    assert_eq!(web.domains_asked(), ["a.test", "b.test"]);
}

#[test]
fn a_client_that_waits_for_each_answer_is_never_seen_twice() {
    let web = TestWeb::start(World::of_size(1, 10));
    web.put("a.test", "/", Answer::html(200, "hello"));
    for _ in 0..300 {
        let mut stream = connect(&web);
        stream.write_all(b"GET / HTTP/1.1\r\nHost: a.test\r\n\r\n").unwrap();
        read_one(&mut stream);
    }
    assert_eq!(web.most_open_at_once("a.test"), 1);
    assert_eq!(web.requests("a.test"), 300);
}

#[test]
fn a_client_that_leaves_closes_its_request() {
    let web = TestWeb::start(World::of_size(1, 10));
    web.put("a.test", "/", Answer::html(200, "hello").after(Duration::from_secs(30)));
    web.put("a.test", "/quick", Answer::html(200, "hello"));
    let mut stream = connect(&web);
    stream.write_all(b"GET / HTTP/1.1\r\nHost: a.test\r\n\r\n").unwrap();
    thread::sleep(Duration::from_millis(200));
    drop(stream);
    thread::sleep(Duration::from_millis(200));
    get(&web, "a.test", "/quick");
    assert_eq!(web.most_open_at_once("a.test"), 1);
    let statuses: Vec<u16> = web.hits("a.test").iter().map(|it| it.status).collect();
    assert_eq!(statuses, [0, 200]);
}

#[test]
fn the_closest_gap_is_between_two_arrivals_at_a_domain() {
    let web = TestWeb::start(World::of_size(1, 10));
    assert_eq!(web.closest_gap("a.test"), None);
    get(&web, "a.test", "/");
    assert_eq!(web.closest_gap("a.test"), None);
    thread::sleep(Duration::from_millis(250));
    get(&web, "www.a.test", "/");
    let gap = web.closest_gap("a.test").unwrap();
    assert!((250..450).contains(&gap.as_millis()), "{gap:?}");
}

#[test]
fn counting_alone_keeps_no_hits() {
    let web = TestWeb::start(World::of_size(1, 10));
    web.keep_counts_only();
    get(&web, "a.test", "/");
    get(&web, "a.test", "/");
    assert_eq!(web.log().len(), 0);
    assert_eq!(web.requests("a.test"), 2);
}

#[test]
fn a_proxy_client_reaches_hosts_by_name() {
    let web = TestWeb::start(World::of_size(1, 10));
    web.put("a.test", "/x", Answer::html(200, "hello"));
    let asked = request("GET", "ignored.test", "http://a.test:80/x", &[], "");
    assert_eq!(parse(&exchange(&web, &asked)).text(), "hello");
    assert_eq!(web.hits("a.test")[0].via, Via::HttpProxy);

    let mut stream = connect(&web);
    stream.write_all(b"CONNECT a.test:80 HTTP/1.1\r\nHost: a.test:80\r\n\r\n").unwrap();
    assert_eq!(read_one(&mut stream).status, 200);
    stream.write_all(b"GET /x HTTP/1.1\r\nHost: a.test\r\n\r\n").unwrap();
    assert_eq!(read_one(&mut stream).text(), "hello");
    assert_eq!(web.hits("a.test")[1].via, Via::HttpProxy);
}

#[test]
fn a_socks_client_reaches_hosts_by_name() {
    let web = TestWeb::start(World::of_size(1, 10));
    web.put("a.test", "/x", Answer::html(200, "hello"));
    let mut stream = connect(&web);
    stream.write_all(&[5, 1, 0]).unwrap();
    let mut reply = [0; 2];
    stream.read_exact(&mut reply).unwrap();
    assert_eq!(reply, [5, 0]);
    stream.write_all(b"\x05\x01\x00\x03\x06a.test\x00\x50").unwrap();
    let mut reply = [0; 10];
    stream.read_exact(&mut reply).unwrap();
    assert_eq!(reply, [5, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
    stream.write_all(b"GET /x HTTP/1.1\r\nHost: a.test\r\n\r\n").unwrap();
    assert_eq!(read_one(&mut stream).text(), "hello");
    assert_eq!(web.hits("a.test")[0].via, Via::Socks5);
}

#[test]
fn small_answers_come_faster_than_ten_thousand_a_second() {
    const BATCH: usize = 500;
    let web = TestWeb::start(World::of_size(1, 10));
    web.put("a.test", "/", Answer::html(200, "hello"));
    web.keep_counts_only();
    let mut stream = connect(&web);
    // Requests sent ahead measure the server and not the way there and back.
    let batch = "GET / HTTP/1.1\r\nHost: a.test\r\n\r\n".repeat(BATCH);
    stream.write_all(b"GET / HTTP/1.1\r\nHost: a.test\r\n\r\n").unwrap();
    let one = read_one(&mut stream);
    let mut answers = vec![0; (one.head.len() + 4 + one.body.len()) * BATCH];
    // The best of many short runs: what the machine does besides must not count.
    let best = (0..40).map(|_| {
        let start = Instant::now();
        stream.write_all(batch.as_bytes()).unwrap();
        stream.read_exact(&mut answers).unwrap();
        BATCH as f64 / start.elapsed().as_secs_f64()
    });
    let best = best.fold(0.0, f64::max);
    assert_eq!(web.requests("a.test"), 1 + 40 * BATCH as u64);
    assert!(best > 10_000.0, "{best:.0} answers a second");
    println!("{best:.0} answers a second");
}

#[test]
fn the_server_stops_when_it_is_dropped() {
    let web = TestWeb::start(World::of_size(1, 10));
    let address = web.address();
    drop(web);
    thread::sleep(Duration::from_millis(100));
    assert!(std::net::TcpStream::connect(address).is_err());
}
