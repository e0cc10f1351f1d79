//! No page, name or redirect makes the fetcher ask this machine or its network: the proof is a server that nobody
//! reaches.

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use fetch::{FetchSettings, Reason};

use crate::support::{Server, World, again, lifted, plain, redirect};

/// A listener on this machine that counts who comes.
struct Victim {
    address: SocketAddr,
    visits: Arc<AtomicUsize>,
}

impl Victim {
    fn listen(address: &str) -> Self {
        let listener = TcpListener::bind(address).unwrap();
        let address = listener.local_addr().unwrap();
        let visits = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&visits);
        std::thread::spawn(move || {
            for _ in listener.incoming() {
                counted.fetch_add(1, Ordering::Relaxed);
            }
        });
        Self { address, visits }
    }

    fn visits(&self) -> usize {
        self.visits.load(Ordering::Relaxed)
    }
}

/// Everything here means this machine, its network, or a cloud's inner services.
const HOSTS: &[&str] = &[
    // This machine, in every spelling.
    "127.0.0.1",
    "127.1",
    "127.0.1",
    "2130706433",
    "0x7f000001",
    "0x7F.1",
    "0177.0.0.1",
    "017700000001",
    "0x7f.0x0.0x0.0x1",
    "127.0.0.1.",
    "127.0.0.2",
    "127.255.255.255",
    "0",
    "0.0.0.0",
    "0.0.0.1",
    "00.0",
    "0x0",
    "１２７.0.0.1",
    "127。0。0。1",
    "127．0．0．1",
    "①②⑦.0.0.1",
    "%31%32%37.0.0.1",
    // The same in IPv6.
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::0001]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::FFFF:7F00:0001]",
    "[0:0:0:0:0:ffff:127.0.0.1]",
    "[::127.0.0.1]",
    "[::7f00:1]",
    "[64:ff9b::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b:1::7f00:1]",
    "[2002:7f00:1::]",
    "[2002:7f00:0001::1]",
    "[2001:0:0:0:0:0:80ff:fffe]",
    "[::ffff:0:127.0.0.1]",
    // Names.
    "localhost",
    "LOCALHOST",
    "localhost.",
    "LocalHost.",
    "ｌｏｃａｌｈｏｓｔ",
    "foo.localhost",
    "a.b.localhost.",
    "localhost.localdomain",
    "printer.local",
    "router",
    "wiki.internal",
    "metadata.google.internal",
    "metadata",
    "files.home.arpa",
    "nas.lan",
    // Networks nearby.
    "10.0.0.1",
    "10.255.255.255",
    "0xa.1",
    "172.16.0.1",
    "172.31.255.254",
    "192.168.0.1",
    "3232235521",
    "100.64.0.1",
    "169.254.1.1",
    "[fc00::1]",
    "[fd12:3456:789a::1]",
    "[fe80::1]",
    "[fec0::1]",
    "[::ffff:192.168.0.1]",
    "[2002:c0a8:1::1]",
    "[64:ff9b::10.0.0.1]",
    // Services that hand out keys.
    "169.254.169.254",
    "2852039166",
    "0xa9fea9fe",
    "0251.0376.0251.0376",
    "[::ffff:169.254.169.254]",
    "[fd00:ec2::254]",
    "100.100.100.200",
    "168.63.129.16",
    "169.254.170.2",
    "192.0.0.192",
    // Nobody's, everybody's, and for books.
    "224.0.0.1",
    "239.255.255.250",
    "255.255.255.255",
    "240.0.0.1",
    "192.0.2.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "[ff02::1]",
    "[2001:db8::1]",
    "[100::1]",
];

#[tokio::test]
async fn no_spelling_of_an_inner_address_gets_through() {
    let world = World::new();
    let victim = Victim::listen("127.0.0.1:0");
    let six = Victim::listen("[::1]:0");
    // No network is allowed, and the system is asked for names.
    let fetcher = world.fetcher(FetchSettings {
        allow_networks: Vec::new(),
        hosts: Vec::new(),
        connect_timeout_ms: 1_000,
        ..lifted(victim.address)
    });
    let mut cases = 0;
    for host in HOSTS {
        for (scheme, port) in [("http", victim.address.port()), ("https", six.address.port())] {
            let url = format!("{scheme}://{host}:{port}/latest/meta-data/");
            let missed = fetcher.fetch(again(&url)).await.unwrap_err();
            assert_eq!(missed.reason, Reason::PrivateAddress, "{url}: {}", missed.detail);
            cases += 1;
        }
    }
    assert_eq!((cases, victim.visits(), six.visits()), (2 * HOSTS.len(), 0, 0));
    assert!(HOSTS.len() >= 60, "{}", HOSTS.len());
    assert_eq!(world.ledger().len(), 0, "nothing was to be sent");
}

#[tokio::test]
async fn a_name_that_leads_inside_gets_nowhere() {
    let world = World::new();
    let victim = Victim::listen("127.0.0.1:0");
    let port = victim.address.port();
    let settings = FetchSettings {
        allow_networks: Vec::new(),
        hosts: [
            format!("inner.test=127.0.0.1:{port}"),
            format!("*.wild.test=127.0.0.1:{port}"),
            "ten.test=10.0.0.1".to_owned(),
            "meta.test=169.254.169.254".to_owned(),
            format!("mapped.test=[::ffff:127.0.0.1]:{port}"),
            "six.test=::1".to_owned(),
            "unique.test=fd00::1".to_owned(),
            format!("both.test=127.0.0.1:{port}"),
            "both.test=10.0.0.1".to_owned(),
        ]
        .into(),
        ..lifted(victim.address)
    };
    let fetcher = world.fetcher(settings);
    for host in [
        "inner.test",
        "INNER.test",
        "inner.test.",
        "a.wild.test",
        "b.a.wild.test",
        "ten.test",
        "meta.test",
        "mapped.test",
        "six.test",
        "unique.test",
        "both.test",
    ] {
        let missed = fetcher.fetch(again(&format!("http://{host}/"))).await.unwrap_err();
        assert_eq!(missed.reason, Reason::PrivateAddress, "{host}: {}", missed.detail);
        let missed = fetcher.fetch(again(&format!("https://{host}:{port}/"))).await.unwrap_err();
        assert_eq!(missed.reason, Reason::PrivateAddress, "{host}: {}", missed.detail);
    }
    assert_eq!(victim.visits(), 0);
}

#[tokio::test]
async fn of_mixed_answers_only_the_allowed_address_is_connected_to() {
    let world = World::new();
    let victim = Victim::listen("127.0.0.1:0");
    let server = Server::start_at("127.0.0.2:0", |_, stream| {
        use std::io::Write;
        stream.write_all(plain(200, "", "public").as_bytes()).unwrap();
    });
    let settings = FetchSettings {
        allow_networks: vec!["127.0.0.2/32".to_owned()],
        hosts: vec![
            format!("mixed.test={}", victim.address),
            format!("mixed.test={}", server.address),
            "mixed.test=10.0.0.1".to_owned(),
        ],
        ..lifted(server.address)
    };
    let fetcher = world.fetcher(settings);
    for number in 0..10 {
        let fetched = fetcher.fetch(again(&format!("http://mixed.test/{number}"))).await.unwrap();
        assert_eq!(fetched.body, b"public");
    }
    assert_eq!(victim.visits(), 0);
    assert!(world.ledger().iter().all(|it| it.address.as_deref() == Some("127.0.0.2")));
}

#[tokio::test]
async fn no_redirect_leads_inside() {
    let world = World::new();
    let victim = Victim::listen("127.0.0.1:0");
    let port = victim.address.port();
    let targets: Vec<String> = [
        "http://127.0.0.1:PORT/",
        "http://127.1:PORT/",
        "http://2130706433:PORT/",
        "//127.0.0.1:PORT/",
        "http://localhost:PORT/",
        "http://inner.test:PORT/",
        "http://[::ffff:127.0.0.1]:PORT/",
        "http://169.254.169.254/latest/",
        "http://10.0.0.1/",
        "/deep/3",
        "https://127.0.0.1:PORT/",
        "http://0.0.0.0:PORT/",
        "http://[::1]:PORT/",
    ]
    .iter()
    .map(|it| it.replace("PORT", &port.to_string()))
    .collect();
    let count = targets.len();
    let server = Server::start_at("127.0.0.2:0", move |request, stream| {
        use std::io::Write;
        let path = request.path.trim_start_matches('/');
        let answer = match path.split_once('/') {
            // A chain of its own before it turns inside.
            Some(("deep", "0")) => redirect(307, &format!("http://127.0.0.1:{port}/")),
            Some(("deep", left)) => {
                redirect(302, &format!("/deep/{}", left.parse::<u32>().unwrap() - 1))
            }
            _ => match path.parse::<usize>() {
                Ok(number) => redirect(302, &targets[number]),
                Err(_) => plain(404, "", ""),
            },
        };
        stream.write_all(answer.as_bytes()).unwrap();
    });
    let settings = FetchSettings {
        allow_networks: vec!["127.0.0.2/32".to_owned()],
        hosts: vec![
            format!("start.test={}", server.address),
            format!("inner.test={}", victim.address),
        ],
        ..lifted(server.address)
    };
    let fetcher = world.fetcher(settings);
    for number in 0..count {
        let url = format!("http://start.test/{number}");
        let missed = fetcher.fetch(again(&url)).await.unwrap_err();
        assert_eq!(missed.url.as_str(), url, "the address that was asked for");
        assert_eq!(missed.reason, Reason::PrivateAddress, "{number}: {}", missed.detail);
    }
    assert_eq!(victim.visits(), 0);
    // A robots.txt that redirects inside is no way in either.
    let settings = FetchSettings {
        allow_networks: vec!["127.0.0.2/32".to_owned()],
        hosts: vec![format!("robots.test={}", server.address)],
        ..lifted(server.address)
    };
    drop(fetcher);
    let robots = Server::start_at("127.0.0.2:0", move |_, stream| {
        use std::io::Write;
        stream.write_all(redirect(301, &format!("http://127.0.0.1:{port}/")).as_bytes()).unwrap();
    });
    let settings =
        FetchSettings { hosts: vec![format!("robots.test={}", robots.address)], ..settings };
    let missed = world.fetcher(settings).fetch(again("http://robots.test/x")).await.unwrap_err();
    assert_eq!(missed.reason, Reason::PrivateAddress);
    assert_eq!(victim.visits(), 0);
}

#[tokio::test]
async fn what_the_settings_allow_is_asked() {
    let (world, server) = (World::new(), Server::echo());
    let fetcher = world.fetcher(FetchSettings {
        allow_networks: vec!["127.0.0.1".to_owned()],
        hosts: vec![format!("wiki={}", server.address)],
        ..lifted(server.address)
    });
    let port = server.address.port();
    assert_eq!(fetcher.fetch(again("http://wiki/page")).await.unwrap().body, b"wiki/page");
    let literal = fetcher.fetch(again(&format!("http://2130706433:{port}/x"))).await.unwrap();
    assert_eq!(literal.url.as_str(), format!("http://127.0.0.1:{port}/x"));
}
