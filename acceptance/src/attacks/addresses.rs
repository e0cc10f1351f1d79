//! Addresses that lead back into this machine or its network.

use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::Attack;
use super::program::{Home, Program};

const AREA: &str = "addresses";
const WOULD: &str = "reaches this machine or its network through a page's address";

/// Hosts that are this machine, its network, or nothing at all; `{port}` is where somebody listens.
const HOSTS: &[&str] = &[
    "127.0.0.1:{port}",
    "127.1:{port}",
    "127.0.1:{port}",
    "127.255.255.254:{port}",
    "0.0.0.0:{port}",
    "0:{port}",
    "2130706433:{port}",
    "0x7f000001:{port}",
    "0x7f.0.0.1:{port}",
    "0x7f.1:{port}",
    "017700000001:{port}",
    "0177.0.0.1:{port}",
    "0177.0.0.01:{port}",
    "127.0.0.1.:{port}",
    "localhost:{port}",
    "localhost.:{port}",
    "LOCALHOST:{port}",
    "x.localhost:{port}",
    "localhost.localdomain:{port}",
    "[::1]:{port}",
    "[::]:{port}",
    "[0:0:0:0:0:0:0:1]:{port}",
    "[::ffff:127.0.0.1]:{port}",
    "[::ffff:7f00:1]:{port}",
    "[::127.0.0.1]:{port}",
    "[64:ff9b::7f00:1]:{port}",
    "[64:ff9b::127.0.0.1]:{port}",
    "[2002:7f00:1::]:{port}",
    "[2001:0:4136:e378:8000:63bf:80ff:fffe]:{port}",
    "[fe80::1]:{port}",
    "[fe80::1%25lo]:{port}",
    "[fc00::1]:{port}",
    "[fd00::1]:{port}",
    "[ff02::1]:{port}",
    "[2001:db8::1]:{port}",
    "10.0.0.1",
    "10.255.255.255",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.0.1",
    "192.168.1.1:8080",
    "169.254.169.254",
    "169.254.170.2",
    "[fd00:ec2::254]",
    "metadata.google.internal",
    "instance-data",
    "100.64.0.1",
    "192.0.0.1",
    "192.0.2.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "①②⑦.⓪.⓪.①:{port}",
    "127。0。0。1:{port}",
    "127%2e0%2e0%2e1:{port}",
    "user:password@127.0.0.1:{port}",
    "example.com@127.0.0.1:{port}",
    "router",
    "printer.local",
    "wiki.corp",
    "host.docker.internal:{port}",
    "kubernetes.default.svc",
];

/// What is no page at all.
const SCHEMES: &[&str] = &[
    "file:///etc/passwd",
    "file://localhost/etc/passwd",
    "gopher://127.0.0.1:{port}/_GET",
    "dict://127.0.0.1:{port}/",
    "ftp://127.0.0.1:{port}/",
    "ws://127.0.0.1:{port}/",
    "data:text/html,<p>x</p>",
    "javascript:alert(1)",
    "http://",
    "http:///etc/passwd",
    "http://[",
    "http://[::1",
    "http://127.0.0.1:99999/",
    "http://a b/",
    "https://127.0.0.1:{port}/",
];

pub(super) fn attacks(program: &Program) -> Vec<Attack> {
    let reached = Arc::new(AtomicUsize::new(0));
    let port = listen(Arc::clone(&reached));
    let home = Home::new();
    let allowed = ["--set", "fetch.allow_networks=127.0.0.1/32", "read"];
    let control = program
        .run_online(&home, &[&allowed[..], &[&format!("http://127.0.0.1:{port}/")]].concat());
    assert!(reached.load(Ordering::SeqCst) > 0, "what is allowed is reached: {control:?}");
    let mut attacks = Vec::new();
    let urls = HOSTS
        .iter()
        .map(|it| format!("http://{it}/"))
        .chain(SCHEMES.iter().map(|it| (*it).to_owned()));
    for url in urls {
        let url = url.replace("{port}", &port.to_string());
        let before = reached.load(Ordering::SeqCst);
        let ended = program.run_online(&home, &["read", "--", &url]);
        let held = ended.refused().and_then(|()| match reached.load(Ordering::SeqCst) - before {
            0 => Ok(()),
            _ => Err("the listener on this machine was reached".to_owned()),
        });
        attacks.push(Attack::new(AREA, url.replace(&port.to_string(), "PORT"), WOULD, held));
    }
    attacks
}

/// Counts who comes.
fn listen(reached: Arc<AtomicUsize>) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let port = listener.local_addr().expect("it listens").port();
    std::thread::spawn(move || {
        for _ in listener.incoming().flatten() {
            reached.fetch_add(1, Ordering::SeqCst);
        }
    });
    port
}
