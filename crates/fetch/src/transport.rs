//! One request and its answer on the wire, within bounds.

use std::net::SocketAddr;
use std::time::Duration;

use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use tokio::time::Instant;
use url::Url;

use crate::failure::Failure;
use crate::headers::Line;
use crate::{FetchSettings, Method, Reason};

/// What is sent.
#[derive(Debug)]
pub(crate) struct Request<'a> {
    /// With the keys that go into the address, where there are some.
    pub(crate) url: Url,
    pub(crate) host: &'a str,
    pub(crate) method: &'a Method,
    pub(crate) lines: &'a [Line],
}

/// The bounds of an answer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    pub(crate) body_bytes: u64,
    pub(crate) header_bytes: usize,
    pub(crate) time: Duration,
}

impl Bounds {
    pub(crate) fn new(settings: &FetchSettings) -> Self {
        Self {
            body_bytes: settings.max_body_bytes,
            header_bytes: settings.max_header_bytes,
            time: Duration::from_millis(settings.timeout_ms),
        }
    }
}

/// An answer with at least its head.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// Names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    /// The status line and the headers as they are archived.
    pub(crate) head: Vec<u8>,
    /// As it was sent, without the chunks.
    pub(crate) body: Vec<u8>,
    pub(crate) address: Option<SocketAddr>,
    pub(crate) elapsed: Duration,
    /// Why the body is not whole.
    pub(crate) cut: Option<Cut>,
}

/// A body that ends before its end.
#[derive(Debug)]
pub(crate) struct Cut {
    pub(crate) failure: Failure,
    /// The word of the WARC standard for it.
    pub(crate) because: &'static str,
}

pub(crate) async fn exchange(
    client: &reqwest::Client,
    request: Request<'_>,
    bounds: Bounds,
) -> Result<Answer, Failure> {
    let begun = Instant::now();
    let deadline = begun + bounds.time;
    let host = request.host;
    let late = || Failure::timed_out(host, bounds.time);
    let sending = client.execute(prepare(request.url, request.method, request.lines)?);
    let mut response = tokio::time::timeout_at(deadline, sending)
        .await
        .map_err(|_| late())?
        .map_err(|error| Failure::of(&error, host))?;
    let head = head_of(response.status(), response.headers());
    let mut answer = Answer {
        status: response.status().as_u16(),
        headers: headers_of(response.headers()),
        head,
        body: Vec::new(),
        address: response.remote_addr(),
        elapsed: Duration::ZERO,
        cut: None,
    };
    answer.cut = match answer.head.len() > bounds.header_bytes {
        true => Some(Cut {
            failure: Failure::new(
                Reason::BrokenAnswer,
                format!(
                    "the header of the answer of {host} is larger than {} bytes",
                    bounds.header_bytes
                ),
            ),
            because: "length",
        }),
        false => read(&mut response, &mut answer.body, host, bounds, deadline).await.err(),
    };
    answer.elapsed = begun.elapsed();
    Ok(answer)
}

async fn read(
    response: &mut reqwest::Response,
    body: &mut Vec<u8>,
    host: &str,
    bounds: Bounds,
    deadline: Instant,
) -> Result<(), Cut> {
    let too_large = || Cut {
        failure: Failure::new(
            Reason::TooLarge,
            format!("the answer of {host} is larger than {} bytes", bounds.body_bytes),
        ),
        because: "length",
    };
    let announced = response.content_length().unwrap_or(0);
    if announced > bounds.body_bytes {
        return Err(too_large());
    }
    // A length is only a promise: room is made for what a page usually has, the rest as it comes.
    body.reserve(usize::try_from(announced).unwrap_or(0).min(1 << 20));
    loop {
        let chunk = tokio::time::timeout_at(deadline, response.chunk())
            .await
            .map_err(|_| Cut { failure: Failure::timed_out(host, bounds.time), because: "time" })?;
        let chunk = chunk
            .map_err(|error| Cut { failure: Failure::of(&error, host), because: "disconnect" })?;
        let Some(chunk) = chunk else { return Ok(()) };
        let room = bounds.body_bytes - body.len() as u64;
        if chunk.len() as u64 > room {
            let fits = usize::try_from(room).unwrap_or(usize::MAX).min(chunk.len());
            body.extend_from_slice(&chunk[..fits]);
            return Err(too_large());
        }
        body.extend_from_slice(&chunk);
    }
}

fn prepare(url: Url, method: &Method, lines: &[Line]) -> Result<reqwest::Request, Failure> {
    let mut request = reqwest::Request::new(
        match method {
            Method::Get => reqwest::Method::GET,
            Method::Head => reqwest::Method::HEAD,
            Method::Post { .. } => reqwest::Method::POST,
        },
        url,
    );
    for line in lines {
        let unfit = |_| {
            let detail = format!("the header {} cannot be sent", line.name);
            Failure { unsent: true, ..Failure::new(Reason::BadAddress, detail) }
        };
        let name = HeaderName::try_from(line.name.as_str()).map_err(|it| unfit(it.to_string()))?;
        let mut value =
            HeaderValue::try_from(line.value.as_str()).map_err(|it| unfit(it.to_string()))?;
        value.set_sensitive(line.secret);
        request.headers_mut().insert(name, value);
    }
    if let Method::Post { body, .. } = method {
        *request.body_mut() = Some(body.clone().into());
    }
    Ok(request)
}

fn headers_of(headers: &HeaderMap) -> Vec<(String, String)> {
    let text = |it: &HeaderValue| String::from_utf8_lossy(it.as_bytes()).into_owned();
    headers.iter().map(|(name, value)| (name.as_str().to_owned(), text(value))).collect()
}

/// The head of the answer as an HTTP/1.1 message: archives know no other.
fn head_of(status: StatusCode, headers: &HeaderMap) -> Vec<u8> {
    let reason = status.canonical_reason().unwrap_or("");
    let mut head = format!("HTTP/1.1 {} {reason}\r\n", status.as_u16()).into_bytes();
    for (name, value) in headers {
        head.extend_from_slice(name.as_str().as_bytes());
        head.extend_from_slice(b": ");
        head.extend_from_slice(value.as_bytes());
        head.extend_from_slice(b"\r\n");
    }
    head.extend_from_slice(b"\r\n");
    head
}
