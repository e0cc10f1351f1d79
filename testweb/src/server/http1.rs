//! HTTP/1.1 by hand, because the faults of the real web are in what a proper library would never send.

use std::fmt::Write;
use std::io;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::sleep;
use tokio_rustls::server::TlsStream;

use super::responder::IncomingRequest;
use super::{Arrival, Server};
use crate::answer::{Answer, Wire};
use crate::log::{Open, Protocol, Via};

/// Heads of requests longer than this are refused.
const MAX_HEAD_BYTES: usize = 256 * 1024;
const MAX_BODY_BYTES: usize = 4 * 1024 * 1024;

/// A connection that can also be broken off.
pub(super) trait Line: AsyncRead + AsyncWrite + Unpin {
    /// Makes closing send a reset.
    fn break_off(&self) -> io::Result<()>;
}

impl Line for TcpStream {
    fn break_off(&self) -> io::Result<()> {
        self.set_zero_linger()
    }
}

impl Line for TlsStream<TcpStream> {
    fn break_off(&self) -> io::Result<()> {
        self.get_ref().0.set_zero_linger()
    }
}

pub(super) enum End<L> {
    Closed,
    /// The client asked for a tunnel; what follows is a connection of its own.
    Tunnel(L),
}

enum Next {
    KeepOpen,
    Close,
}

/// Answers requests until one side closes.
pub(super) async fn serve<L: Line>(
    server: &Server,
    mut line: L,
    arrival: Arrival,
) -> io::Result<End<L>> {
    let mut received = Vec::with_capacity(4096);
    while let Some(head) = read_head(&mut line, &mut received).await? {
        let Some(parsed) = Parsed::new(&head, arrival) else {
            let refusal =
                "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
            line.write_all(refusal.as_bytes()).await?;
            break;
        };
        if parsed.asked.method == "CONNECT" {
            line.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n").await?;
            return Ok(End::Tunnel(line));
        }
        if parsed.body_length > MAX_BODY_BYTES {
            break;
        }
        while received.len() < parsed.body_length {
            if line.read_buf(&mut received).await? == 0 {
                return Ok(End::Closed);
            }
        }
        let mut asked = parsed.asked;
        asked.body = received.drain(..parsed.body_length).collect();
        let is_head = asked.method == "HEAD";
        let arrival = Arrival { via: parsed.via, ..arrival };
        let (answer, open) = server.responder.answer(asked, arrival);
        let keep = parsed.keep_open;
        match send(&mut line, &mut received, answer, open, is_head, keep).await? {
            Next::KeepOpen => {}
            Next::Close => break,
        }
    }
    // A client in the middle of a TLS exchange complains about a close that was not announced.
    let _ = line.shutdown().await;
    Ok(End::Closed)
}

/// The bytes up to the empty line, or nothing if the client is gone.
async fn read_head<L: Line>(line: &mut L, received: &mut Vec<u8>) -> io::Result<Option<Vec<u8>>> {
    let mut searched = 0;
    loop {
        if let Some(end) = find_end(&received[searched..]) {
            return Ok(Some(received.drain(..searched + end + 4).collect()));
        }
        searched = received.len().saturating_sub(3);
        if received.len() > MAX_HEAD_BYTES || line.read_buf(received).await? == 0 {
            return Ok(None);
        }
    }
}

fn find_end(bytes: &[u8]) -> Option<usize> {
    bytes.windows(4).position(|it| it == b"\r\n\r\n")
}

struct Parsed {
    asked: IncomingRequest,
    body_length: usize,
    keep_open: bool,
    via: Via,
}

impl Parsed {
    fn new(head: &[u8], arrival: Arrival) -> Option<Self> {
        let head = String::from_utf8_lossy(head);
        let mut lines = head.split("\r\n");
        let mut first = lines.next()?.split(' ');
        let (method, target, version) = (first.next()?, first.next()?, first.next()?);
        let headers: Vec<(String, String)> = lines
            .filter_map(|it| it.split_once(':'))
            .map(|it| (it.0.trim().to_ascii_lowercase(), it.1.trim().to_owned()))
            .collect();
        let find = |name: &str| headers.iter().find(|it| it.0 == name).map(|it| it.1.as_str());
        let (authority, target, via) = match target.strip_prefix("http://") {
            Some(rest) => {
                let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
                (authority, if path.is_empty() { "/" } else { path }, Via::HttpProxy)
            }
            None => (find("host").unwrap_or_default(), target, arrival.via),
        };
        let connection = find("connection").unwrap_or_default().to_ascii_lowercase();
        Some(Self {
            body_length: find("content-length").and_then(|it| it.parse().ok()).unwrap_or(0),
            keep_open: version == "HTTP/1.1" && connection != "close",
            via,
            asked: IncomingRequest {
                host: without_port(authority).to_ascii_lowercase(),
                method: method.to_owned(),
                target: target.to_owned(),
                body: Vec::new(),
                protocol: Protocol::Http1,
                headers,
            },
        })
    }
}

fn without_port(authority: &str) -> &str {
    let host = authority.rsplit_once(':').filter(|it| it.1.parse::<u16>().is_ok());
    host.map_or(authority, |it| it.0)
}

/// Sends an answer the way it wants to be sent.
async fn send<L: Line>(
    line: &mut L,
    received: &mut Vec<u8>,
    answer: Answer,
    mut open: Open,
    is_head: bool,
    keep_open: bool,
) -> io::Result<Next> {
    if !answer.delay.is_zero() && !waits(line, received, answer.delay).await {
        return Ok(Next::Close);
    }
    let body: &[u8] = if is_head { b"" } else { &answer.body };
    let length = answer.body.len() as u64;
    match answer.wire {
        Wire::Close => {
            open.close();
            return Ok(Next::Close);
        }
        Wire::Reset => {
            open.close();
            line.break_off()?;
            return Ok(Next::Close);
        }
        _ => open.answered(answer.status),
    }
    let next = if keep_open { Next::KeepOpen } else { Next::Close };
    match answer.wire {
        Wire::Whole => {
            let mut bytes = head(&answer, Length::Said(length), keep_open).into_bytes();
            if answer.status != 304 {
                bytes.extend_from_slice(body);
                open.sent(body.len());
            }
            open.close();
            line.write_all(&bytes).await?;
            Ok(next)
        }
        Wire::Chunked(size) => {
            let mut bytes = head(&answer, Length::Chunked, keep_open).into_bytes();
            for piece in body.chunks(size.max(1)) {
                bytes.extend_from_slice(format!("{:x}\r\n", piece.len()).as_bytes());
                bytes.extend_from_slice(piece);
                bytes.extend_from_slice(b"\r\n");
            }
            if !is_head {
                bytes.extend_from_slice(b"0\r\n\r\n");
            }
            open.sent(body.len());
            open.close();
            line.write_all(&bytes).await?;
            Ok(next)
        }
        Wire::Drip { piece, pause } => {
            line.write_all(head(&answer, Length::Said(length), keep_open).as_bytes()).await?;
            let mut sent = 0;
            for piece in body.chunks(piece.max(1)) {
                if !waits(line, received, pause).await {
                    return Ok(Next::Close);
                }
                sent += piece.len();
                open.sent(piece.len());
                if sent == body.len() {
                    open.close();
                }
                line.write_all(piece).await?;
            }
            Ok(next)
        }
        Wire::Stall(after) => {
            let mut bytes = head(&answer, Length::Said(length), keep_open).into_bytes();
            let part = &body[..after.min(body.len())];
            bytes.extend_from_slice(part);
            open.sent(part.len());
            line.write_all(&bytes).await?;
            while waits(line, received, Duration::from_secs(60)).await {}
            Ok(Next::Close)
        }
        Wire::Declared(said) => {
            let mut bytes = head(&answer, Length::Said(said), false).into_bytes();
            bytes.extend_from_slice(body);
            open.sent(body.len());
            open.close();
            line.write_all(&bytes).await?;
            Ok(Next::Close)
        }
        Wire::Endless => {
            line.write_all(head(&answer, Length::Chunked, false).as_bytes()).await?;
            let mut piece = format!("{:x}\r\n", body.len()).into_bytes();
            piece.extend_from_slice(body);
            piece.extend_from_slice(b"\r\n");
            while !body.is_empty() {
                open.sent(body.len());
                line.write_all(&piece).await?;
            }
            Ok(Next::Close)
        }
        Wire::HeaderFlood => {
            line.write_all(format!("HTTP/1.1 {} OK\r\n", answer.status).as_bytes()).await?;
            for number in 0_u64.. {
                let header = format!("X-Flood-{number}: {}\r\n", "flood ".repeat(100));
                line.write_all(header.as_bytes()).await?;
            }
            Ok(Next::Close)
        }
        Wire::Raw => {
            open.sent(body.len());
            open.close();
            line.write_all(body).await?;
            Ok(Next::Close)
        }
        Wire::Close | Wire::Reset => Ok(Next::Close),
    }
}

/// Waits, and says whether the client is still there. What it sends meanwhile is kept.
async fn waits<L: Line>(line: &mut L, received: &mut Vec<u8>, pause: Duration) -> bool {
    let end = sleep(pause);
    tokio::pin!(end);
    loop {
        tokio::select! {
            () = &mut end => return true,
            read = line.read_buf(received) => {
                if !matches!(read, Ok(1..)) {
                    return false;
                }
            }
        }
    }
}

enum Length {
    Said(u64),
    Chunked,
}

fn head(answer: &Answer, length: Length, keep_open: bool) -> String {
    let mut head = String::with_capacity(512);
    let said = "a string takes everything";
    write!(head, "HTTP/1.1 {} {}\r\n", answer.status, phrase(answer.status)).expect(said);
    for (name, value) in &answer.headers {
        write!(head, "{name}: {value}\r\n").expect(said);
    }
    match length {
        Length::Chunked => head.push_str("Transfer-Encoding: chunked\r\n"),
        Length::Said(_) if matches!(answer.status, 204 | 304) => {}
        Length::Said(length) => write!(head, "Content-Length: {length}\r\n").expect(said),
    }
    if !keep_open {
        head.push_str("Connection: close\r\n");
    }
    head.push_str("\r\n");
    head
}

fn phrase(status: u16) -> &'static str {
    let known = hyper::StatusCode::from_u16(status).ok().and_then(|it| it.canonical_reason());
    known.unwrap_or("Unknown")
}
