//! The child: confines itself, then answers one request after the other until its parent goes.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::process::ExitCode;

use crate::settings::NetworkAttempt;
use crate::{probe, system, wire};

/// The first argument of a program that is started as a child.
pub(crate) const ARGUMENT: &str = "__sandboxed-reader";
/// The second, for a child that shows what becomes of a program without a network: refused, or ended.
pub(crate) const WITHOUT_NETWORK: [(&str, NetworkAttempt); 2] = [
    ("without-network", NetworkAttempt::Refused),
    ("without-network-fatal", NetworkAttempt::Fatal),
];

/// What comes of a piece of work, as bytes for the pipe.
pub type Answer = Result<Vec<u8>, serde_json::Error>;

/// A kind of work that children do: what is wanted of some bytes in, an answer out.
#[derive(Debug, Clone, Copy)]
pub struct Handler {
    pub name: &'static str,
    pub run: fn(wanted: &[u8], bytes: &[u8]) -> Answer,
}

/// Whether the program was started as a child, by its arguments.
pub fn is_child(arguments: &[OsString]) -> bool {
    arguments.get(1).is_some_and(|it| it == OsStr::new(ARGUMENT))
}

/// Works as a child until the parent closes the pipe. To be called before anything starts a thread.
pub fn run_child(arguments: &[OsString], handlers: &[Handler]) -> ExitCode {
    let given = arguments.get(2).and_then(|it| it.to_str()).unwrap_or_default();
    if let Some((_, attempt)) = WITHOUT_NETWORK.iter().find(|it| it.0 == given) {
        return without_network(*attempt);
    }
    let memory = given.parse().ok();
    match serve(memory.unwrap_or(u64::MAX), handlers) {
        Ok(()) => ExitCode::SUCCESS,
        // The parent sees the pipe close; there is nobody else to tell.
        Err(_) => ExitCode::FAILURE,
    }
}

fn without_network(attempt: NetworkAttempt) -> ExitCode {
    if system::refuse_network(attempt, None).is_err() {
        return ExitCode::FAILURE;
    }
    let attempts = serde_json::to_vec(&probe::network_attempts()).unwrap_or_default();
    match io::stdout().lock().write_all(&attempts) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn serve(max_memory: u64, handlers: &[Handler]) -> io::Result<()> {
    let (mut requests, mut answers) = (io::stdin().lock(), io::stdout().lock());
    let confinement = system::confine(max_memory);
    wire::write(&mut answers, &serde_json::to_vec(&confinement)?)?;
    answers.flush()?;
    while let Some(name) = wire::read(&mut requests)? {
        let wanted = wire::read(&mut requests)?.unwrap_or_default();
        let bytes = wire::read(&mut requests)?.unwrap_or_default();
        let answer = match handlers.iter().find(|it| it.name.as_bytes() == name) {
            Some(handler) => (handler.run)(&wanted, &bytes)?,
            None if name == probe::NAME.as_bytes() => {
                serde_json::to_vec(&probe::attempts(&wanted))?
            }
            None => return Err(io::ErrorKind::Unsupported.into()),
        };
        wire::write(&mut answers, &answer)?;
        answers.flush()?;
    }
    Ok(())
}
