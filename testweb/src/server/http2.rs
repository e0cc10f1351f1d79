//! HTTP/2 for sites that answer plainly. How bytes are misplaced is HTTP/1.1's business: here such an answer resets
//! the stream.

use std::io;
use std::sync::Arc;

use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::net::TcpStream;
use tokio_rustls::server::TlsStream;

use super::responder::IncomingRequest;
use super::{Arrival, Server};
use crate::answer::Wire;
use crate::log::Protocol;

pub(super) async fn serve(
    server: &Arc<Server>,
    stream: TlsStream<TcpStream>,
    arrival: Arrival,
) -> io::Result<()> {
    let service = service_fn(|request| {
        let server = Arc::clone(server);
        async move { answer(&server, request, arrival).await }
    });
    hyper::server::conn::http2::Builder::new(TokioExecutor::new())
        // The same seed gives the same bytes on any day.
        .auto_date_header(false)
        .serve_connection(TokioIo::new(stream), service)
        .await
        .map_err(io::Error::other)
}

async fn answer(
    server: &Server,
    request: Request<Incoming>,
    arrival: Arrival,
) -> io::Result<Response<Full<Bytes>>> {
    let (head, body) = request.into_parts();
    let body = body.collect().await.map_err(io::Error::other)?.to_bytes();
    let text =
        |it: &hyper::header::HeaderValue| String::from_utf8_lossy(it.as_bytes()).into_owned();
    let asked = IncomingRequest {
        host: head.uri.host().unwrap_or_default().to_ascii_lowercase(),
        method: head.method.to_string(),
        target: head.uri.path_and_query().map_or("/", |it| it.as_str()).to_owned(),
        headers: head.headers.iter().map(|it| (it.0.to_string(), text(it.1))).collect(),
        body: body.to_vec(),
        protocol: Protocol::Http2,
    };
    let (answer, mut open) = server.responder.answer(asked, arrival);
    tokio::time::sleep(answer.delay).await;
    if !matches!(answer.wire, Wire::Whole | Wire::Chunked(_)) {
        return Err(io::ErrorKind::ConnectionAborted.into());
    }
    open.answered(answer.status);
    open.sent(answer.body.len());
    open.close();
    let mut response = Response::builder().status(answer.status);
    for (name, value) in &answer.headers {
        response = response.header(name.as_ref(), value);
    }
    response.body(Full::new(answer.body)).map_err(io::Error::other)
}
