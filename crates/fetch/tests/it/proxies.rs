//! Through a proxy the same rules hold.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use fetch::{FetchSettings, Reason};

use crate::support::{Server, World, api, lifted, page, shown};

/// What a proxy was asked for, in order.
type Wishes = Arc<Mutex<Vec<String>>>;

/// A proxy that leads every wish to one server.
fn proxy(
    server: SocketAddr,
    greet: impl Fn(&mut TcpStream) -> String + Send + Sync + 'static,
) -> (SocketAddr, Wishes) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let wishes = Wishes::default();
    let (noted, greet) = (Arc::clone(&wishes), Arc::new(greet));
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (mut near, noted, greet) =
                (stream.unwrap(), Arc::clone(&noted), Arc::clone(&greet));
            thread::spawn(move || {
                let wish = greet(&mut near);
                noted.lock().unwrap().push(wish.clone());
                let mut far = TcpStream::connect(server).unwrap();
                // A plain request to an HTTP proxy is passed on as it came.
                if let Some(request) = wish.strip_prefix("plain ") {
                    far.write_all(request.as_bytes()).unwrap();
                }
                let (mut near_in, mut far_out) =
                    (near.try_clone().unwrap(), far.try_clone().unwrap());
                thread::spawn(move || std::io::copy(&mut near_in, &mut far_out));
                let _ = std::io::copy(&mut far, &mut near);
                let _ = near.shutdown(std::net::Shutdown::Both);
            });
        }
    });
    (address, wishes)
}

fn socks(stream: &mut TcpStream) -> String {
    let mut two = [0; 2];
    stream.read_exact(&mut two).unwrap();
    let mut methods = vec![0; usize::from(two[1])];
    stream.read_exact(&mut methods).unwrap();
    stream.write_all(&[5, 0]).unwrap();
    let mut head = [0; 4];
    stream.read_exact(&mut head).unwrap();
    let host = match head[3] {
        1 => {
            let mut address = [0; 4];
            stream.read_exact(&mut address).unwrap();
            std::net::Ipv4Addr::from(address).to_string()
        }
        3 => {
            let mut length = [0];
            stream.read_exact(&mut length).unwrap();
            let mut name = vec![0; usize::from(length[0])];
            stream.read_exact(&mut name).unwrap();
            String::from_utf8(name).unwrap()
        }
        _ => "an IPv6 address".to_owned(),
    };
    let mut port = [0; 2];
    stream.read_exact(&mut port).unwrap();
    stream.write_all(&[5, 0, 0, 1, 0, 0, 0, 0, 0, 0]).unwrap();
    format!("{host}:{}", u16::from_be_bytes(port))
}

fn http(stream: &mut TcpStream) -> String {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte).unwrap();
        head.push(byte[0]);
    }
    let text = String::from_utf8(head).unwrap();
    match text.strip_prefix("CONNECT ") {
        Some(rest) => {
            stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").unwrap();
            // What comes with the same packet would belong to the proxy's own answer.
            thread::sleep(std::time::Duration::from_millis(100));
            stream.write_all(b"no TLS behind this tunnel").unwrap();
            rest.split(' ').next().unwrap().to_owned()
        }
        None => format!("plain {text}"),
    }
}

#[tokio::test]
async fn a_socks_proxy_gets_the_address_that_was_checked() {
    let (world, server) = (World::new(), Server::echo());
    let (address, wishes) = proxy(server.address, socks);
    let settings = FetchSettings {
        proxy: format!("socks5://{address}"),
        hosts: vec!["a.test=127.0.0.7".to_owned(), "inner.test=10.0.0.1".to_owned()],
        ..lifted(server.address)
    };
    let fetcher = world.fetcher(settings);
    assert_eq!(shown(&fetcher.fetch(page("http://a.test/x")).await), "200 a.test/x");
    assert_eq!(*wishes.lock().unwrap(), ["127.0.0.7:80", "127.0.0.7:80"]);
    assert_eq!(
        fetcher.fetch(page("http://inner.test/x")).await.unwrap_err().reason,
        Reason::PrivateAddress
    );
    assert_eq!(
        fetcher.fetch(page("http://10.1.1.1/x")).await.unwrap_err().reason,
        Reason::PrivateAddress
    );
    assert_eq!(wishes.lock().unwrap().len(), 2);
}

#[tokio::test]
async fn a_proxy_that_resolves_gets_names_and_no_inner_ones() {
    let (world, server) = (World::new(), Server::echo());
    let (address, wishes) = proxy(server.address, socks);
    let settings =
        FetchSettings { proxy: format!("socks5h://{address}"), ..lifted(server.address) };
    let settings = FetchSettings { allow_networks: Vec::new(), hosts: Vec::new(), ..settings };
    let fetcher = world.fetcher(settings);
    assert_eq!(shown(&fetcher.fetch(page("http://news.example/x")).await), "200 news.example/x");
    assert_eq!(*wishes.lock().unwrap(), ["news.example:80", "news.example:80"]);
    for url in ["http://127.0.0.1/", "http://localhost/", "http://wiki.internal/", "http://[::1]/"]
    {
        assert_eq!(
            fetcher.fetch(page(url)).await.unwrap_err().reason,
            Reason::PrivateAddress,
            "{url}"
        );
    }
    assert_eq!(wishes.lock().unwrap().len(), 2);
}

#[tokio::test]
async fn an_http_proxy_carries_plain_requests_and_tunnels() {
    let (world, server) = (World::new(), Server::echo());
    let (address, wishes) = proxy(server.address, http);
    let settings = FetchSettings { proxy: format!("http://{address}"), ..lifted(server.address) };
    let settings = FetchSettings { allow_networks: Vec::new(), hosts: Vec::new(), ..settings };
    let fetcher = world.fetcher(settings);
    let fetched = fetcher.fetch(api("http://api.example/works")).await.unwrap();
    assert_eq!(fetched.status, 200);
    let first = wishes.lock().unwrap()[0].clone();
    assert!(first.starts_with("plain GET http://api.example/works HTTP/1.1\r\n"), "{first}");
    let missed = fetcher.fetch(page("https://safe.example/x")).await.unwrap_err();
    assert_eq!(wishes.lock().unwrap()[1], "safe.example:443");
    assert_eq!(missed.reason, Reason::CannotConnect);
    assert_eq!(missed.detail, "the encrypted connection to safe.example broke");
    assert_eq!(
        fetcher.fetch(page("https://10.0.0.1/")).await.unwrap_err().reason,
        Reason::PrivateAddress
    );
    assert_eq!(wishes.lock().unwrap().len(), 2);
}

#[tokio::test]
async fn a_proxy_named_by_its_name_is_reached_and_nobody_else_may_ask_for_it() {
    let (world, server) = (World::new(), Server::echo());
    let (address, wishes) = proxy(server.address, socks);
    let settings = FetchSettings {
        proxy: format!("socks5h://gate.office:{}", address.port()),
        hosts: vec!["gate.office=127.0.0.1".to_owned()],
        allow_networks: Vec::new(),
        ..lifted(server.address)
    };
    let fetcher = world.fetcher(settings);
    assert_eq!(shown(&fetcher.fetch(page("http://news.example/x")).await), "200 news.example/x");
    let missed = fetcher.fetch(page("http://gate.office/x")).await.unwrap_err();
    assert_eq!(
        (missed.reason, missed.detail.as_str()),
        (Reason::PrivateAddress, "gate.office is the proxy itself")
    );
    assert_eq!(wishes.lock().unwrap().len(), 2);
}
