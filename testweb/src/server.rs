//! Accepts connections and finds out what they speak.
//!
//! One port takes plain HTTP/1.1, TLS (first byte 0x16), SOCKS5 (first byte 0x05) and proxy requests. What is answered
//! is decided by [`Responder`]; how it is sent by `http1` and `http2`.

mod http1;
mod http2;
mod proxy;
mod responder;
mod tls;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::net::{TcpListener, TcpStream};

pub(crate) use responder::Responder;
pub(crate) use tls::Authority;

use crate::log::Via;

/// What every connection knows.
#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) responder: Responder,
    pub(crate) authority: Authority,
    connections: AtomicU64,
}

/// What is known about a connection before its first request.
#[derive(Debug, Clone, Copy)]
struct Arrival {
    connection: u64,
    secure: bool,
    via: Via,
}

impl Server {
    pub(crate) fn new(responder: Responder, authority: Authority) -> Self {
        Self { responder, authority, connections: AtomicU64::new(0) }
    }

    /// Serves until the runtime ends.
    pub(crate) async fn run(self: Arc<Self>, listener: TcpListener) {
        loop {
            // Accepting fails when the process has no file descriptors left; they come back.
            let Ok((stream, _)) = listener.accept().await else {
                tokio::time::sleep(std::time::Duration::from_millis(10)).await;
                continue;
            };
            let server = Arc::clone(&self);
            tokio::spawn(async move {
                let connection = server.connections.fetch_add(1, Ordering::Relaxed) + 1;
                let arrival = Arrival { connection, secure: false, via: Via::Direct };
                // A connection that breaks is the client's business, and often the purpose of a test.
                let _ = server.welcome(stream, arrival).await;
            });
        }
    }

    async fn welcome(
        self: &Arc<Self>,
        mut stream: TcpStream,
        mut arrival: Arrival,
    ) -> io::Result<()> {
        stream.set_nodelay(true)?;
        loop {
            let mut first = [0];
            if stream.peek(&mut first).await? == 0 {
                return Ok(());
            }
            match first[0] {
                0x16 => return self.welcome_secure(stream, arrival).await,
                0x05 => {
                    proxy::shake_hands(&mut stream).await?;
                    arrival.via = Via::Socks5;
                }
                _ => match http1::serve(self, stream, arrival).await? {
                    http1::End::Closed => return Ok(()),
                    http1::End::Tunnel(plain) => {
                        stream = plain;
                        arrival.via = Via::HttpProxy;
                    }
                },
            }
        }
    }

    async fn welcome_secure(
        self: &Arc<Self>,
        stream: TcpStream,
        arrival: Arrival,
    ) -> io::Result<()> {
        let stream =
            self.authority.accept(stream, |host| self.responder.offers_http2(host)).await?;
        let arrival = Arrival { secure: true, ..arrival };
        if stream.get_ref().1.alpn_protocol() == Some(b"h2") {
            http2::serve(self, stream, arrival).await
        } else {
            http1::serve(self, stream, arrival).await.map(|_| ())
        }
    }
}

/// Binds the port. Done outside the runtime, so that the port is known before anything runs.
pub(crate) fn listen(address: SocketAddr) -> io::Result<std::net::TcpListener> {
    let listener = std::net::TcpListener::bind(address)?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}
