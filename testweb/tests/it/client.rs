//! A client of a few lines, so that the small internet is judged by bytes and not by a library's kindness.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use testweb::TestWeb;

/// An answer as it came.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|it| it.split_once(": "));
        lines.into_iter().find(|it| it.0.eq_ignore_ascii_case(name)).map(|it| it.1)
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

/// Asks with a connection of its own and reads until the server closes or two seconds pass without a byte.
pub(crate) fn get(web: &TestWeb, host: &str, path: &str) -> Reply {
    get_with(web, host, path, &[])
}

pub(crate) fn get_with(web: &TestWeb, host: &str, path: &str, headers: &[(&str, &str)]) -> Reply {
    parse(&exchange(web, &request("GET", host, path, headers, "")))
}

pub(crate) fn post(web: &TestWeb, host: &str, path: &str, kind: &str, body: &str) -> Reply {
    let length = body.len().to_string();
    let headers = [("Content-Type", kind), ("Content-Length", &length)];
    parse(&exchange(web, &request("POST", host, path, &headers, body)))
}

pub(crate) fn request(
    method: &str,
    host: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> String {
    let headers: String = headers.iter().map(|it| format!("{}: {}\r\n", it.0, it.1)).collect();
    format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{headers}\r\n{body}")
}

pub(crate) fn connect(web: &TestWeb) -> TcpStream {
    let stream = TcpStream::connect(web.address()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(2))).unwrap();
    stream
}

/// Everything the server sends, up to 30 MB.
pub(crate) fn exchange(web: &TestWeb, request: &str) -> Vec<u8> {
    let mut stream = connect(web);
    stream.write_all(request.as_bytes()).unwrap();
    let mut bytes = Vec::new();
    // A stalled or broken connection ends the reading; what came before it counts.
    let _ = stream.take(30 * 1024 * 1024).read_to_end(&mut bytes);
    bytes
}

pub(crate) fn parse(bytes: &[u8]) -> Reply {
    let end = bytes.windows(4).position(|it| it == b"\r\n\r\n").unwrap_or(bytes.len());
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let status = head.split(' ').nth(1).and_then(|it| it.parse().ok()).unwrap_or(0);
    let body = bytes.get(end + 4..).unwrap_or_default().to_vec();
    Reply { status, head, body }
}

/// Reads one answer with a Content-Length from a connection that stays open.
pub(crate) fn read_one(stream: &mut TcpStream) -> Reply {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte).unwrap();
        head.push(byte[0]);
    }
    let mut reply = parse(&head);
    let length = reply.header("Content-Length").map_or(0, |it| it.parse().unwrap());
    reply.body = vec![0; length];
    stream.read_exact(&mut reply.body).unwrap();
    reply
}
