//! Over stdin and stdout, as desktop clients start it. stdout carries the protocol and nothing else.

use std::time::Duration;

use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use rmcp::transport::stdio_pipes;
use tokio::runtime::Builder;
use tokio::sync::Notify;

use crate::failure::{Failure, Kind};
use crate::interrupt;
use crate::mcp::Server;
use crate::mcp::desk::Desk;
use crate::session::Session;

/// How long threads may take to end when the client has gone.
const PATIENCE: Duration = Duration::from_secs(2);

/// Serves one client until it leaves.
pub(crate) fn serve(session: Session) -> Result<(), Failure> {
    let runtime = Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::new(Kind::Internal, error))?;
    let stop = std::sync::Arc::new(Notify::new());
    let stopped = std::sync::Arc::clone(&stop);
    interrupt::on_stop(move || stopped.notify_one());
    let desk = Desk::new(session);
    let served = runtime.block_on(async {
        let house = tokio::spawn(std::sync::Arc::clone(&desk).keep_house());
        let served = tokio::select! {
            served = converse(Server::new(std::sync::Arc::clone(&desk))) => served,
            () = stop.notified() => Ok(()),
        };
        house.abort();
        desk.leave().await;
        served
    });
    // Whatever still computes is of no use to anybody.
    runtime.shutdown_timeout(PATIENCE);
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
        Err(error) => Err(Failure::new(Kind::BadInput, error)
            .hint("`lyra mcp` speaks the Model Context Protocol on stdin and stdout; see `lyra mcp --help`")),
    }
}
