//! What every answer carries, whatever it is.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use http::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, LOCATION,
    REFERRER_POLICY, SET_COOKIE, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use http::{HeaderName, HeaderValue, Response, StatusCode};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use hyper::body::{Body, Bytes, Frame};
use maud::Markup;
use tokio::sync::mpsc;

pub(crate) type Answered = Response<BoxBody<Bytes, Infallible>>;

/// Nothing from anywhere else, no script or style but the page's own, in no frame of another.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
    connect-src 'self'; frame-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/// A document of its own that may draw itself and nothing else.
pub(crate) const DOCUMENT_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; \
    form-action 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox allow-popups";

/// A stranger's page in a frame of ours: no script, no request, no origin.
pub(crate) const STRANGER_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; \
    form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox";

fn answer(status: StatusCode, content_type: &str, policy: &'static str, body: Bytes) -> Answered {
    let mut response = Response::new(Full::new(body).boxed());
    *response.status_mut() = status;
    let frames = if policy == STRANGER_POLICY { "SAMEORIGIN" } else { "DENY" };
    let headers = response.headers_mut();
    let fixed: [(HeaderName, &'static str); 6] = [
        (CONTENT_SECURITY_POLICY, policy),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // `no-referrer` would have a browser send its own forms with the origin "null".
        (REFERRER_POLICY, "same-origin"),
        (CACHE_CONTROL, "no-store"),
        (X_FRAME_OPTIONS, frames),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    // A document in a sandbox belongs to nobody, and a browser refuses it where it says otherwise.
    if policy == POLICY {
        let opener = HeaderName::from_static("cross-origin-opener-policy");
        headers.insert(opener, HeaderValue::from_static("same-origin"));
    }
    // A type from outside may be no header at all.
    let plain = HeaderValue::from_static("application/octet-stream");
    headers.insert(CONTENT_TYPE, HeaderValue::from_str(content_type).unwrap_or(plain));
    response
}

pub(crate) fn html(status: StatusCode, page: &Markup) -> Answered {
    answer(status, "text/html; charset=utf-8", POLICY, Bytes::from(page.0.clone()))
}

/// A part of a page, for a script of ours.
pub(crate) fn fragment(part: &Markup) -> Answered {
    html(StatusCode::OK, part)
}

/// A file: shown where `policy` says how, else to be saved under a name.
pub(crate) fn file(
    content_type: &str,
    bytes: Vec<u8>,
    policy: Option<&'static str>,
    name: Option<&str>,
) -> Answered {
    let mut response =
        answer(StatusCode::OK, content_type, policy.unwrap_or(POLICY), Bytes::from(bytes));
    let disposition = name.and_then(|name| {
        let safe: String =
            name.chars().filter(|c| c.is_ascii_alphanumeric() || ".-_".contains(*c)).collect();
        HeaderValue::from_str(&format!("attachment; filename=\"{safe}\"")).ok()
    });
    if let Some(value) = disposition {
        response.headers_mut().insert(CONTENT_DISPOSITION, value);
    }
    response
}

/// A file of the program itself, which a browser may keep until the next version.
pub(crate) fn asset(content_type: &'static str, text: &'static str) -> Answered {
    let body = Bytes::from_static(text.as_bytes());
    let mut response = answer(StatusCode::OK, content_type, POLICY, body);
    let keep = HeaderValue::from_static("private, max-age=31536000, immutable");
    response.headers_mut().insert(CACHE_CONTROL, keep);
    response
}

pub(crate) fn see_other(to: &str) -> Answered {
    let mut response = answer(StatusCode::SEE_OTHER, "text/plain", POLICY, Bytes::new());
    let to = HeaderValue::from_str(to).unwrap_or(HeaderValue::from_static("/"));
    response.headers_mut().insert(LOCATION, to);
    response
}

/// The first page: it sets the cookie, and goes on by itself. A redirection would lose a strict cookie where the
/// address was opened from another page.
pub(super) fn opened(cookie: String, page: &Markup) -> Answered {
    with_cookie(html(StatusCode::OK, page), &cookie)
}

pub(crate) fn with_cookie(mut response: Answered, cookie: &str) -> Answered {
    if let Ok(value) = HeaderValue::from_str(cookie) {
        response.headers_mut().append(SET_COOKIE, value);
    }
    response
}

/// Events as they come; it ends with its sender.
pub(crate) fn stream(events: mpsc::Receiver<String>) -> Answered {
    let empty = answer(StatusCode::OK, "text/event-stream", POLICY, Bytes::new());
    empty.map(|_| Events(events).boxed())
}

struct Events(mpsc::Receiver<String>);

impl Body for Events {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.0.poll_recv(context).map(|it| it.map(|text| Ok(Frame::data(Bytes::from(text)))))
    }
}
