//! The child: confines itself, then answers one request after the other until its parent goes.

use std::ffi::{OsStr, OsString};
use std::io::{self, BufReader, BufWriter, Stdin, Stdout, Write};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::parts::{self, Parts};
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

/// A kind of work that children do: what is wanted in, an answer out.
#[derive(Debug, Clone, Copy)]
pub struct Handler {
    pub name: &'static str,
    pub run: Work,
}

#[derive(Debug, Clone, Copy)]
pub enum Work {
    /// On bytes that come with what is wanted.
    OnBytes(fn(wanted: &[u8], bytes: &[u8]) -> Answer),
    /// On files of any size, of which it asks for what it reads.
    OnParts(fn(wanted: &[u8], parts: Parts) -> Answer),
}

/// The child's ends of the two pipes.
#[derive(Debug)]
pub(crate) struct Pipes {
    pub(crate) requests: BufReader<Stdin>,
    pub(crate) answers: BufWriter<Stdout>,
}

impl Pipes {
    pub(crate) fn say(&mut self, frame: &[u8]) -> io::Result<()> {
        wire::write(&mut self.answers, frame)?;
        self.answers.flush()
    }
}

pub(crate) fn locked(pipes: &Mutex<Pipes>) -> MutexGuard<'_, Pipes> {
    pipes.lock().unwrap_or_else(PoisonError::into_inner)
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
    let pipes =
        Pipes { requests: BufReader::new(io::stdin()), answers: BufWriter::new(io::stdout()) };
    let pipes = Arc::new(Mutex::new(pipes));
    let confinement = system::confine(max_memory);
    locked(&pipes).say(&serde_json::to_vec(&confinement)?)?;
    loop {
        // The lock is free again when the work begins, which may ask for parts.
        let asked = request(&mut locked(&pipes))?;
        let Some([name, wanted, bytes]) = asked else { return Ok(()) };
        let handler = handlers.iter().find(|it| it.name.as_bytes() == name);
        let answer = match handler.map(|it| it.run) {
            Some(Work::OnBytes(run)) => run(&wanted, &bytes)?,
            Some(Work::OnParts(run)) => parts::last(run(&wanted, Parts::new(&pipes))?),
            None if name == probe::NAME.as_bytes() => {
                serde_json::to_vec(&probe::attempts(&wanted))?
            }
            None => return Err(io::ErrorKind::Unsupported.into()),
        };
        locked(&pipes).say(&answer)?;
    }
}

/// The name of a handler, what is wanted, and the bytes; nothing where the parent has gone.
fn request(pipes: &mut Pipes) -> io::Result<Option<[Vec<u8>; 3]>> {
    let from = &mut pipes.requests;
    let Some(name) = wire::read(from)? else { return Ok(None) };
    let wanted = wire::read(from)?.unwrap_or_default();
    Ok(Some([name, wanted, wire::read(from)?.unwrap_or_default()]))
}
