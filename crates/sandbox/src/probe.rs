//! A child that tries what it may not, so that nobody has to believe a description.

use std::fs::{self, File};
use std::io;
use std::net::{TcpStream, UdpSocket};
use std::process::{Command, Stdio};

use serde::{Deserialize, Serialize};

use crate::child::{ARGUMENT, WITHOUT_NETWORK};
use crate::pool::{Stopped, Worker};
use crate::settings::{NetworkAttempt, SandboxSettings};
use crate::{Confinement, system};

pub(crate) const NAME: &str = "probe";

/// What a child tried to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    pub what: String,
    /// What the system answered; `None` where it could be done.
    pub refused: Option<String>,
}

/// What holds a child, and what it tried in vain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Probe {
    #[serde(flatten)]
    pub confinement: Confinement,
    pub attempts: Vec<Attempt>,
}

impl Probe {
    /// Whether nothing that was tried could be done.
    pub fn holds(&self) -> bool {
        self.attempts.iter().all(|it| it.refused.is_some())
    }
}

/// Starts a child and has it try to read and write files, reach the network and start a program.
pub fn probe(settings: &SandboxSettings) -> Result<Probe, Stopped> {
    // The program itself is a file that every child could open, were it not confined.
    let file = std::env::current_exe().map_err(|it| Stopped::NotStarted(it.to_string()))?;
    let mut child = Worker::start(settings)?;
    let answer = child.ask(NAME, file.as_os_str().as_encoded_bytes(), &[], settings.max_seconds)?;
    let attempts = serde_json::from_slice(&answer).map_err(|_| Stopped::Crashed)?;
    Ok(Probe { confinement: child.confinement, attempts })
}

/// What becomes of a program that gave up the network ([`crate::refuse_network`]) and asks for a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NetworkProbe {
    Refused(Vec<Attempt>),
    /// It was ended at once.
    Ended,
    /// The system cannot take the network from a program.
    Open,
}

/// Has a program give up the network and then ask for a connection.
pub fn probe_network(settings: &SandboxSettings) -> Result<NetworkProbe, Stopped> {
    let not_started = |error: io::Error| Stopped::NotStarted(error.to_string());
    let (word, _) = WITHOUT_NETWORK[usize::from(settings.network_attempt == NetworkAttempt::Fatal)];
    let output = Command::new(system::program().map_err(not_started)?)
        .args([ARGUMENT, word])
        .env_clear()
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .map_err(not_started)?;
    let attempts: Option<Vec<Attempt>> = serde_json::from_slice(&output.stdout).ok();
    Ok(match (output.status.code(), attempts) {
        (None, _) => NetworkProbe::Ended,
        (Some(0), Some(tried)) if tried.iter().all(|it| it.refused.is_some()) => {
            NetworkProbe::Refused(tried)
        }
        _ => NetworkProbe::Open,
    })
}

/// The child's part.
pub(crate) fn network_attempts() -> Vec<Attempt> {
    vec![attempt("tcp", tcp()), attempt("udp", UdpSocket::bind(("127.0.0.1", 0)))]
}

/// The child's part.
pub(crate) fn attempts(file: &[u8]) -> Vec<Attempt> {
    let file = String::from_utf8_lossy(file).into_owned();
    let new = std::env::temp_dir().join(format!("lyra-probe-{}", std::process::id()));
    let mut tried = vec![
        attempt("read_file", File::open(&file)),
        attempt("write_file", File::create_new(&new)),
        attempt("list_folder", fs::read_dir("/")),
        attempt("run_program", Command::new(&file).arg("--version").output()),
    ];
    tried.extend(network_attempts());
    #[cfg(unix)]
    tried.push(attempt("unix_socket", std::os::unix::net::UnixStream::pair()));
    // Left behind only where nothing confined the attempt.
    let _ = fs::remove_file(new);
    tried
}

/// Nobody listens there: a refusal by the other side is a connection that was tried, so it counts as made.
fn tcp() -> io::Result<()> {
    match TcpStream::connect(("127.0.0.1", 9)) {
        Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => Ok(()),
        other => other.map(drop),
    }
}

fn attempt<T>(what: &str, tried: io::Result<T>) -> Attempt {
    Attempt { what: what.to_owned(), refused: tried.err().map(|it| it.to_string()) }
}
