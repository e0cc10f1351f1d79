//! Over HTTP on loopback: several clients, one state. Anywhere else a token is required.
//!
//! Who may speak is decided before anything is read: the token, the `Host` and `Origin` of the request (a page in a
//! browser must not reach this door through its user's machine), the size of the body, and how many sessions there are.

mod lobby;

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;

use http::header::{AUTHORIZATION, CONNECTION, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;
use tokio::runtime::Builder;
use tokio::sync::Notify;

use crate::config::McpSettings;
use crate::failure::{Failure, Kind};
use crate::interrupt;
use crate::mcp::Server;
use crate::mcp::server_state::{DOOR, ServerState};
use crate::mcp::tools::Toolset;
use crate::session::Session;

use self::lobby::{Guest, Lobby};

/// The one address of the door.
const PATH: &str = "/mcp";
/// How long a client may take to send the head of a request.
const HEAD_PATIENCE: std::time::Duration = std::time::Duration::from_secs(10);
/// How long it may take to send the body.
const BODY_PATIENCE: std::time::Duration = std::time::Duration::from_secs(20);
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(2);

type Answered = Response<BoxBody<Bytes, Infallible>>;

/// Serves clients until it is stopped.
pub(crate) fn serve(
    session: Session,
    address: SocketAddr,
    offered: Toolset,
) -> Result<(), Failure> {
    if !address.ip().is_loopback() && session.settings.mcp.http_token.is_empty() {
        return Err(Failure::new(
            Kind::Config,
            format!("{address} is not on loopback, and no token is set"),
        )
        .hint(|w| &w.hint.mcp_token));
    }
    let runtime = Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::new(Kind::Internal, error))?;
    let stop = Arc::new(Notify::new());
    let stopped = Arc::clone(&stop);
    interrupt::on_stop(move || stopped.notify_one());
    let served = runtime.block_on(async {
        let listener = TcpListener::bind(address).await.map_err(|error| {
            Failure::new(Kind::BadInput, format!("cannot listen on {address}: {error}"))
                .hint(|w| &w.hint.mcp_port)
        })?;
        let bound = listener.local_addr().map_err(|error| Failure::new(Kind::Internal, error))?;
        session.ui.print(&format!("http://{bound}{PATH}"))?;
        let state = ServerState::new(offered, DOOR);
        state.set_session(session);
        let house = tokio::spawn(Arc::clone(&state).housekeeping());
        let fetcher = Arc::new(HttpDoor::new(&state, bound));
        tokio::select! {
            () = accept(listener, fetcher) => {}
            () = stop.notified() => {}
        }
        house.abort();
        state.leave().await;
        Ok(())
    });
    runtime.shutdown_timeout(PATIENCE);
    served
}

/// Takes connections, as many at a time as the settings allow. Where there is no room, one that is waited for makes it.
async fn accept(listener: TcpListener, fetcher: Arc<HttpDoor>) {
    let lobby = Arc::new(Lobby::new(fetcher.connections));
    loop {
        let (stream, from) = match listener.accept().await {
            Ok(taken) => taken,
            Err(error) => {
                tracing::warn!(error = error.to_string(), "a connection could not be taken");
                tokio::time::sleep(std::time::Duration::from_millis(50)).await;
                continue;
            }
        };
        let Some(seat) = lobby.seat().await else { return };
        let fetcher = Arc::clone(&fetcher);
        let (of_guest, number) = (Arc::clone(&lobby), lobby.number());
        let connection = async move {
            let lobby = of_guest;
            let guest = Guest { lobby: Arc::clone(&lobby), number };
            let answer = service_fn(move |request| {
                let (fetcher, lobby) = (Arc::clone(&fetcher), Arc::clone(&lobby));
                async move { Ok::<_, Infallible>(fetcher.answer(request, &lobby, number).await) }
            });
            let mut server = http1::Builder::new();
            server.timer(TokioTimer::new()).header_read_timeout(HEAD_PATIENCE);
            if let Err(error) = server.serve_connection(TokioIo::new(stream), answer).await {
                tracing::debug!(error = error.to_string(), "a connection ended early");
            }
            drop((guest, seat));
        };
        lobby.enter(number, from.ip(), connection);
    }
}

/// What stands before the protocol.
struct HttpDoor {
    service: StreamableHttpService<Server, LocalSessionManager>,
    sessions: Arc<LocalSessionManager>,
    max_sessions: usize,
    connections: usize,
    body_bytes: usize,
    token: Option<String>,
}

impl HttpDoor {
    fn new(state: &Arc<ServerState>, bound: SocketAddr) -> Self {
        let settings = state.settings();
        let sessions = Arc::new(LocalSessionManager::default());
        let server = Server::new(Arc::clone(state));
        let service = StreamableHttpService::new(
            move || Ok(server.clone()),
            Arc::clone(&sessions),
            config(settings, bound),
        );
        Self {
            service,
            sessions,
            max_sessions: settings.http_sessions,
            connections: settings.http_connections,
            body_bytes: settings.http_body_bytes,
            token: Some(settings.http_token.to_string()).filter(|it| !it.is_empty()),
        }
    }

    async fn answer(
        &self,
        request: Request<Incoming>,
        lobby: &Arc<Lobby>,
        number: u64,
    ) -> Answered {
        if request.uri().path() != PATH {
            return plain(StatusCode::NOT_FOUND, "the door is at /mcp");
        }
        if !self.may_enter(&request) {
            let mut refused = plain(StatusCode::UNAUTHORIZED, "a bearer token is required");
            refused.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            return refused;
        }
        let is_new = request.method() == Method::POST && begins_session(request.headers());
        if is_new && self.sessions.sessions.read().await.len() >= self.max_sessions {
            let mut refused = plain(StatusCode::SERVICE_UNAVAILABLE, "too many sessions");
            refused.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("60"));
            return refused;
        }
        let (head, body) = request.into_parts();
        // The service reads a body whole and without a clock of its own.
        let body = match tokio::time::timeout(
            BODY_PATIENCE,
            Limited::new(body, self.body_bytes).collect(),
        )
        .await
        {
            Ok(Ok(body)) => body.to_bytes(),
            Ok(Err(error)) if error.is::<LengthLimitError>() => {
                return hanging_up(StatusCode::PAYLOAD_TOO_LARGE, "the body is too large");
            }
            Ok(Err(_)) => return hanging_up(StatusCode::BAD_REQUEST, "the body broke off"),
            Err(_) => return hanging_up(StatusCode::REQUEST_TIMEOUT, "the body took too long"),
        };
        let served = lobby.serve(number);
        let answered = self.service.handle(Request::from_parts(head, Full::new(body))).await;
        // Until its answer is sent the connection is not waited for.
        answered.map(|body| {
            body.map_frame(move |frame| {
                let _ = &served;
                frame
            })
            .boxed()
        })
    }

    fn may_enter(&self, request: &Request<Incoming>) -> bool {
        let Some(token) = &self.token else { return true };
        let given = request.headers().get(AUTHORIZATION).and_then(|it| it.to_str().ok());
        let given = given
            .and_then(|it| it.split_once(' '))
            .filter(|it| it.0.eq_ignore_ascii_case("bearer"));
        // Hashes of equal length: how long the comparison takes tells nothing about the token.
        given.is_some_and(|it| {
            blake3::hash(it.1.trim().as_bytes()) == blake3::hash(token.as_bytes())
        })
    }
}

/// Whether a request may open a session: later protocols have none.
fn begins_session(headers: &HeaderMap) -> bool {
    let version = headers.get("mcp-protocol-version").and_then(|it| it.to_str().ok());
    !headers.contains_key("mcp-session-id") && version.is_none_or(|it| it < "2026-07-28")
}

fn config(settings: &McpSettings, bound: SocketAddr) -> StreamableHttpServerConfig {
    let mut hosts = vec!["localhost".to_owned(), "127.0.0.1".to_owned(), "::1".to_owned()];
    if !bound.ip().is_unspecified() {
        hosts.push(bound.ip().to_string());
    }
    hosts.extend(settings.http_hosts.iter().cloned());
    let origins = hosts.iter().flat_map(|host| {
        let host = if host.contains(':') { format!("[{host}]") } else { host.clone() };
        [format!("http://{host}:*"), format!("https://{host}:*")]
    });
    let origins: Vec<String> = origins.collect();
    StreamableHttpServerConfig::default()
        .with_allowed_hosts(hosts)
        .with_allowed_origins(origins)
        .enforce_origin_validation()
        .with_max_request_body_bytes(settings.http_body_bytes)
}

/// An answer after which the connection ends: the rest of its body is not waited for.
fn hanging_up(status: StatusCode, text: &'static str) -> Answered {
    let mut response = plain(status, text);
    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    response
}

fn plain(status: StatusCode, text: &'static str) -> Answered {
    let mut response = Response::new(Full::new(Bytes::from_static(text.as_bytes())).boxed());
    *response.status_mut() = status;
    response
}
