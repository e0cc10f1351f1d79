//! `lyra web`: the program behind the page. The crate `page` draws and guards; what it asks for is done here, with the
//! same calls as commands and tools.

mod desk;
mod investigations;
mod trouble;

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use planner::Plan;
use serde_json::json;
use tokio::net::TcpListener;
use tokio::runtime::Builder;
use tokio::sync::Notify;

use crate::failure::{Failure, Kind};
use crate::interrupt;
use crate::mcp::Toolset;
use crate::mcp::server_state::ServerState;
use crate::session::Session;
use crate::words::say;

use desk::Desk;
use investigations::Investigations;

/// Who the log of the graph names.
const DOOR: &str = "web";
/// How long the end waits for threads.
const PATIENCE: Duration = Duration::from_secs(2);

/// How the page is opened.
#[derive(Debug, Default)]
pub(crate) struct Opening {
    /// 0 takes a free one.
    pub(crate) port: u16,
    pub(crate) open_browser: bool,
    /// What is shown first.
    pub(crate) path: String,
    /// Folders a question may read, besides those of the settings.
    pub(crate) library: Vec<PathBuf>,
    /// What is investigated at once, one after the other.
    pub(crate) plans: Vec<Plan>,
}

/// Serves the page until it is stopped.
pub(crate) fn serve(session: Session, opening: Opening) -> Result<(), Failure> {
    session.go_on()?;
    let runtime = Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::new(Kind::Internal, error))?;
    let stop = Arc::new(Notify::new());
    let stopped = Arc::clone(&stop);
    interrupt::on_stop(move || stopped.notify_one());
    let served = runtime.block_on(async {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, opening.port));
        let listener = TcpListener::bind(address).await.map_err(|error| {
            Failure::new(Kind::BadInput, format!("cannot listen on {address}: {error}"))
                .hint(|w| &w.hint.web_port)
        })?;
        let port = listener.local_addr().map_err(|error| Failure::new(Kind::Internal, error))?;
        let entrance =
            page::Opening::new(port.port()).map_err(|error| Failure::new(Kind::Internal, error))?;
        let first = entrance.address(&opening.path);
        tell(&session, &first)?;
        if opening.open_browser && !open(&first) {
            session.ui.note(session.ui.words().web.no_browser.as_str());
        }
        let state = ServerState::new(Toolset::default(), DOOR);
        state.set_session(session);
        let house = tokio::spawn(Arc::clone(&state).housekeeping());
        let investigations = Investigations::new(Arc::clone(&state));
        let desk = Desk::new(Arc::clone(&state), investigations.clone(), opening.library);
        investigations.enqueue(opening.plans);
        tokio::select! {
            () = page::serve(listener, Arc::new(desk), entrance) => {}
            () = stop.notified() => {}
        }
        house.abort();
        investigations.leave();
        state.leave().await;
        Ok(())
    });
    runtime.shutdown_timeout(PATIENCE);
    served
}

/// Says where the page is: on a line of its own, for programs as well.
fn tell(session: &Session, address: &str) -> Result<(), Failure> {
    if session.ui.is_json() {
        return session.ui.document(&json!({ "address": address }));
    }
    session.ui.print(address)?;
    session.ui.note(&say!(session.ui.words().web.opened));
    Ok(())
}

/// Has the browser of the user open the page. The address lets one browser in, once.
fn open(address: &str) -> bool {
    let mut command = if cfg!(target_os = "macos") {
        Command::new("open")
    } else if cfg!(windows) {
        let mut command = Command::new("rundll32");
        command.arg("url.dll,FileProtocolHandler");
        command
    } else {
        Command::new("xdg-open")
    };
    command
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .is_ok()
}
