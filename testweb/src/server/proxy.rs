//! The server as a SOCKS5 proxy: whatever name is asked for, this server answers as that host.

use std::io;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Carries out the greeting and the request (RFC 1928, no authentication); then the client speaks HTTP or TLS.
pub(super) async fn shake_hands(stream: &mut TcpStream) -> io::Result<()> {
    let mut head = [0; 2];
    stream.read_exact(&mut head).await?;
    let mut methods = vec![0; head[1].into()];
    stream.read_exact(&mut methods).await?;
    stream.write_all(&[5, 0]).await?;

    let mut request = [0; 4];
    stream.read_exact(&mut request).await?;
    let address_length = match request[3] {
        1 => 4,
        3 => stream.read_u8().await?.into(),
        4 => 16,
        _ => return Err(io::ErrorKind::InvalidData.into()),
    };
    let mut address_and_port = vec![0; address_length + 2];
    stream.read_exact(&mut address_and_port).await?;
    stream.write_all(&[5, 0, 0, 1, 0, 0, 0, 0, 0, 0]).await
}
