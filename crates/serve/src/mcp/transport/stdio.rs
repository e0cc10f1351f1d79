//! Over stdin and stdout, as desktop clients start it. stdout carries the protocol and nothing else.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use rmcp::transport::stdio_pipes;
use tokio::runtime::Builder;
use tokio::sync::Notify;

use crate::failure::{Failure, Kind, guarded};
use crate::interrupt;
use crate::mcp::Server;
use crate::mcp::server_state::{DOOR, ServerState};
use crate::mcp::tools::{self, Toolset};
use crate::session::{Session, begin, log_end};
use crate::ui::Ui;

/// What the log calls it.
const COMMAND: &str = "mcp";
/// How long threads may take to end when the client has gone.
const PATIENCE: Duration = Duration::from_secs(2);

/// Serves one client until it leaves. The session (settings, the log) is opened on a thread of its own: a client
/// has shaken hands and listed the tools by then. One that cannot be opened ends the process.
pub(crate) fn serve(
    ui: Ui,
    offered: Toolset,
    open: impl FnOnce() -> Result<Session, Failure> + Send + 'static,
) -> Result<(), Failure> {
    let state = ServerState::new(offered, DOOR);
    let opened = Arc::clone(&state);
    let started = Instant::now();
    thread::spawn(move || {
        // What a client asks for first is ready first.
        let _ = tools::of(offered).count();
        match guarded(open) {
            Ok(session) => {
                begin(COMMAND, &session.ui);
                opened.set_session(session);
            }
            Err(failure) => {
                ui.failure(&failure);
                std::process::exit(i32::from(failure.kind.exit_code()));
            }
        }
    });
    let runtime = Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::new(Kind::Internal, error))?;
    let stop = Arc::new(Notify::new());
    let stopped = Arc::clone(&stop);
    interrupt::on_stop(move || stopped.notify_one());
    let served = runtime.block_on(async {
        let house = tokio::spawn(Arc::clone(&state).housekeeping());
        let served = tokio::select! {
            served = converse(Server::new(Arc::clone(&state))) => served,
            () = stop.notified() => Ok(()),
        };
        house.abort();
        state.leave().await;
        served
    });
    // Whatever still computes is of no use to anybody.
    runtime.shutdown_timeout(PATIENCE);
    // A client that left at once left before the log was open.
    state.session();
    log_end(COMMAND, started, served.as_ref().err());
    served
}

async fn converse(server: Server) -> Result<(), Failure> {
    match server.serve(stdio_pipes()).await {
        Ok(service) => {
            let ended = service.waiting().await;
            tracing::info!(?ended, "the client left");
            Ok(())
        }
        // A client that leaves before it said anything wants nothing.
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(Failure::new(Kind::BadInput, error).hint(|w| &w.hint.mcp_stdio)),
    }
}
