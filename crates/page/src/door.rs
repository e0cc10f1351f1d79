//! The door: who may ask, how much, and what every answer carries.
//!
//! Only this machine is listened to. The address that is opened first carries a token that works once and becomes a
//! cookie of this browser; `Host` and `Origin` must be the page's own, and every change carries a proof that the form
//! came from the page. The policy of every answer lets a browser load nothing from anywhere else.

mod guard;
mod request;
mod response;

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use http::{Method, Request, StatusCode};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use report::Language;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::house::House;
use crate::reports::Reports;
use crate::routes;
use crate::view;

use guard::Entry;
pub use guard::Opening;
pub(crate) use request::{Asked, Form};
pub(crate) use response::{
    Answered, DOCUMENT_POLICY, STRANGER_POLICY, asset, file, fragment, html, see_other, stream,
    with_cookie,
};

/// Connections at the same time; tabs that watch hold one each.
const CONNECTIONS: usize = 128;
/// How long a browser may take to send the head of a request.
const HEAD_PATIENCE: Duration = Duration::from_secs(10);

/// Answers requests until it is dropped.
pub async fn serve(listener: TcpListener, house: Arc<dyn House>, opening: Opening) {
    let opening = Arc::new(opening);
    let reports = Arc::new(Reports::default());
    let seats = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                tracing::warn!(error = error.to_string(), "a connection could not be taken");
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let Ok(seat) = Arc::clone(&seats).acquire_owned().await else { return };
        let (house, opening) = (Arc::clone(&house), Arc::clone(&opening));
        let reports = Arc::clone(&reports);
        tokio::spawn(async move {
            let answer = service_fn(move |request| {
                let (house, opening) = (Arc::clone(&house), Arc::clone(&opening));
                let reports = Arc::clone(&reports);
                async move { Ok::<_, Infallible>(answer(request, house, reports, &opening).await) }
            });
            let mut server = http1::Builder::new();
            server.timer(TokioTimer::new()).header_read_timeout(HEAD_PATIENCE);
            if let Err(error) = server.serve_connection(TokioIo::new(stream), answer).await {
                tracing::debug!(error = error.to_string(), "a connection ended early");
            }
            drop(seat);
        });
    }
}

async fn answer(
    request: Request<Incoming>,
    house: Arc<dyn House>,
    reports: Arc<Reports>,
    opening: &Opening,
) -> Answered {
    let (head, body) = request.into_parts();
    let language = house.language().unwrap_or_else(|| request::language_of(&head));
    let refused = |status, why| html(status, &view::shell::refused(language, status, why));
    if !opening.is_addressed(&head) {
        return refused(StatusCode::FORBIDDEN, view::shell::Refusal::Host);
    }
    if let Some(asset) = routes::asset(&head) {
        return asset;
    }
    match opening.entry(&head) {
        Entry::Known => {}
        Entry::Opens { cookie, to } => {
            return response::opened(cookie, &view::shell::opening(language, &to));
        }
        Entry::Used => return refused(StatusCode::FORBIDDEN, view::shell::Refusal::Used),
        Entry::Unknown => return refused(StatusCode::FORBIDDEN, view::shell::Refusal::Token),
    }
    let form = match head.method {
        Method::GET | Method::HEAD => Form::default(),
        Method::POST => {
            if !opening.is_own(&head) {
                return refused(StatusCode::FORBIDDEN, view::shell::Refusal::Origin);
            }
            let form = match Form::read(body).await {
                Ok(form) => form,
                Err(status) => return refused(status, view::shell::Refusal::Body),
            };
            if !opening.is_proven(form.text("csrf")) {
                return refused(StatusCode::FORBIDDEN, view::shell::Refusal::Proof);
            }
            form
        }
        _ => return refused(StatusCode::METHOD_NOT_ALLOWED, view::shell::Refusal::Method),
    };
    let csrf = opening.proof().to_owned();
    let asked = Asked { language, form, csrf, ..Asked::of(&head) };
    routes::answer(house, reports, asked).await
}

/// The language a person without a setting reads: chosen on the page, else what the browser says.
pub(crate) fn language_cookie(language: Language) -> String {
    format!("lyra_language={}; Path=/; Max-Age=31536000; SameSite=Strict; HttpOnly", language.tag())
}
