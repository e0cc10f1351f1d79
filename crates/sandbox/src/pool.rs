//! The parent's side: children that are ready, and one request to one of them.

use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use crate::child::ARGUMENT;
use crate::parts::{Said, heard};
use crate::settings::SandboxSettings;
use crate::{Confinement, system, wire};

/// Children that wait for work; more are ended when they are done.
const MAX_IDLE: usize = 4;
/// A child that has read this much is replaced: what it holds on to goes with it.
const MAX_BYTES: usize = 64 << 20;

static POOL: OnceLock<Pool> = OnceLock::new();

/// Why a child gave no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Stopped {
    #[error("the reading process ended before it was done")]
    Crashed,
    #[error("the reading process took more than {seconds} seconds")]
    TimedOut { seconds: u64 },
    #[error("this system cannot confine the reading process, and sandbox.required asks for it")]
    NotConfined,
    #[error("the reading process cannot be started: {0}")]
    NotStarted(String),
}

#[derive(Debug)]
struct Pool {
    settings: SandboxSettings,
    idle: Mutex<Vec<Worker>>,
}

/// Has this process read in children from now on. The program must call [`crate::run_child`] when it is one.
pub fn install(settings: SandboxSettings) {
    if settings.enabled {
        // A second call changes nothing: the children of the first one are at work.
        POOL.get_or_init(|| Pool { settings, idle: Mutex::default() });
    }
}

pub fn is_installed() -> bool {
    POOL.get().is_some()
}

/// Has the handler of that name work on `bytes` in a child. `None` where nothing is installed.
pub fn ask(name: &str, wanted: &[u8], bytes: &[u8]) -> Option<Result<Vec<u8>, Stopped>> {
    POOL.get().map(|pool| pool.ask(name, wanted, bytes))
}

/// Has the handler of that name work on files in a child of its own, which may take `more_memory` bytes beside what any
/// child may. `None` where nothing is installed.
pub fn ask_on_files<F: Read + Seek>(
    name: &str,
    wanted: &[u8],
    files: &mut [F],
    more_memory: u64,
) -> Option<Result<Vec<u8>, Stopped>> {
    let settings = &POOL.get()?.settings;
    let mut settings = settings.clone();
    settings.max_memory_mb += more_memory.div_ceil(1 << 20);
    let seconds = settings.max_model_seconds;
    Some(Worker::start(&settings).and_then(|mut it| it.ask_on_files(name, wanted, files, seconds)))
}

impl Pool {
    fn ask(&self, name: &str, wanted: &[u8], bytes: &[u8]) -> Result<Vec<u8>, Stopped> {
        let ready = self.idle().pop();
        let mut worker = match ready {
            Some(worker) => worker,
            None => Worker::start(&self.settings)?,
        };
        let answer = worker.ask(name, wanted, bytes, self.settings.max_seconds)?;
        let mut idle = self.idle();
        if worker.bytes < MAX_BYTES && idle.len() < MAX_IDLE {
            idle.push(worker);
        }
        Ok(answer)
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Worker>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Debug)]
pub(crate) struct Worker {
    process: Arc<Mutex<Child>>,
    requests: BufWriter<ChildStdin>,
    answers: BufReader<ChildStdout>,
    pub(crate) confinement: Confinement,
    bytes: usize,
}

impl Worker {
    pub(crate) fn start(settings: &SandboxSettings) -> Result<Self, Stopped> {
        let program = system::program().map_err(|it| Stopped::NotStarted(it.to_string()))?;
        let mut command = Command::new(program);
        command.arg(ARGUMENT).arg((settings.max_memory_mb << 20).to_string());
        let worker = Self::spawn(command, settings.max_seconds)?;
        match settings.required && !worker.confinement.holds() {
            true => Err(Stopped::NotConfined),
            false => Ok(worker),
        }
    }

    fn spawn(mut command: Command, seconds: u64) -> Result<Self, Stopped> {
        let not_started = |error: io::Error| Stopped::NotStarted(error.to_string());
        command.env_clear().stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // Ctrl-C is for the parent: it ends what runs in its own order.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut process = command.spawn().map_err(not_started)?;
        let requests = BufWriter::new(process.stdin.take().ok_or(Stopped::Crashed)?);
        let mut answers = BufReader::new(process.stdout.take().ok_or(Stopped::Crashed)?);
        let process = Arc::new(Mutex::new(process));
        let hello = within(&process, seconds, || answer(&mut answers));
        let mut worker =
            Self { process, requests, answers, confinement: Confinement::default(), bytes: 0 };
        worker.confinement = serde_json::from_slice(&hello?).map_err(|_| Stopped::Crashed)?;
        Ok(worker)
    }

    pub(crate) fn ask(
        &mut self,
        name: &str,
        wanted: &[u8],
        bytes: &[u8],
        seconds: u64,
    ) -> Result<Vec<u8>, Stopped> {
        self.bytes += bytes.len();
        let (requests, answers) = (&mut self.requests, &mut self.answers);
        within(&self.process, seconds, || {
            for frame in [name.as_bytes(), wanted, bytes] {
                wire::write(requests, frame)?;
            }
            requests.flush()?;
            answer(answers)
        })
    }

    fn ask_on_files<F: Read + Seek>(
        &mut self,
        name: &str,
        wanted: &[u8],
        files: &mut [F],
        seconds: u64,
    ) -> Result<Vec<u8>, Stopped> {
        let (requests, answers) = (&mut self.requests, &mut self.answers);
        within(&self.process, seconds, || {
            for frame in [name.as_bytes(), wanted, &[]] {
                wire::write(requests, frame)?;
            }
            loop {
                requests.flush()?;
                match heard(answer(answers)?, files)? {
                    Said::Last(answer) => return Ok(answer),
                    Said::Part(part) => wire::write(requests, &part)?,
                }
            }
        })
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        end(&self.process);
    }
}

/// The next answer of a child that has not gone.
fn answer(from: &mut impl Read) -> io::Result<Vec<u8>> {
    wire::read(from)?.ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
}

/// Ends a child, and takes note of its end so that the system can forget it.
fn end(process: &Mutex<Child>) {
    let mut process = process.lock().unwrap_or_else(PoisonError::into_inner);
    // Fails only where it has ended already.
    let _ = process.kill();
    let _ = process.wait();
}

/// Talks to a child, and ends it when the time is over: then the pipe breaks, and the talk with it.
fn within<T>(
    process: &Arc<Mutex<Child>>,
    seconds: u64,
    talk: impl FnOnce() -> io::Result<T>,
) -> Result<T, Stopped> {
    let (done, waiting) = mpsc::channel::<()>();
    let watched = Arc::clone(process);
    let watch = std::thread::Builder::new().name("sandbox-watch".to_owned()).spawn(move || {
        let late =
            waiting.recv_timeout(Duration::from_secs(seconds)) == Err(RecvTimeoutError::Timeout);
        if late {
            end(&watched);
        }
        late
    });
    let watch = watch.map_err(|error| Stopped::NotStarted(error.to_string()))?;
    let answer = talk();
    drop(done);
    match (answer, watch.join()) {
        (Ok(answer), _) => Ok(answer),
        (Err(_), Ok(true)) => Err(Stopped::TimedOut { seconds }),
        (Err(_), _) => Err(Stopped::Crashed),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_child_that_says_nothing_is_ended_when_its_time_is_over() {
        let mut command = Command::new("/bin/sleep");
        command.arg("600");
        assert_eq!(Worker::spawn(command, 1).unwrap_err(), Stopped::TimedOut { seconds: 1 });
    }

    #[test]
    fn a_child_that_ends_or_talks_nonsense_is_a_crash() {
        let command = Command::new("/bin/true");
        assert_eq!(Worker::spawn(command, 60).unwrap_err(), Stopped::Crashed);
        let mut command = Command::new("/bin/echo");
        command.arg("{}");
        assert_eq!(Worker::spawn(command, 60).unwrap_err(), Stopped::Crashed);
    }
}
