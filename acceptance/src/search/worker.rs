//! A process of its own that works through a plan: one that can be killed, and whose memory is its own.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::Arc;
use std::time::Instant;

use evidence::TaskId;
use research::calls::GetStatus;
use serde::{Deserialize, Serialize};

use super::environment::Environment;
use super::plan::Plan;
use super::timed::{Beside, Listener, Meter};
use crate::criteria::say;

/// The word that makes this program a worker.
pub(crate) const WORD: &str = "work";

/// What a worker is to do, as it is written into a file for it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Work {
    pub(super) environment: Environment,
    pub(super) plan: Plan,
    /// Where its data is. A worker that finds a task there resumes it.
    pub(super) folder: PathBuf,
}

/// What a worker says at the end.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Done {
    pub(super) task: TaskId,
    pub(super) fingerprint: String,
    pub(super) seconds: f64,
    pub(super) model_seconds: f64,
    pub(super) beside: Beside,
    /// The most memory it ever held; none where the system does not say.
    pub(super) peak_bytes: Option<u64>,
    pub(super) pages: u32,
    pub(super) claims: usize,
}

impl Work {
    /// Starts a process on this.
    pub(super) fn start(&self) -> Child {
        let file = self.folder.join("work.json");
        let text = serde_json::to_string(self).expect("a plan is plain data");
        fs::write(&file, text).expect("a file in the temporary folder");
        let this = std::env::current_exe().expect("a program knows where it lies");
        let mut command = Command::new(this);
        command.arg(WORD).arg(&file).stdin(Stdio::null()).stdout(Stdio::piped());
        command.spawn().expect("a process can be started")
    }

    /// Waits for the end and reads what the worker says; none where it was killed.
    pub(super) fn ended(mut child: Child) -> Option<Done> {
        let mut text = String::new();
        let mut out = child.stdout.take().expect("it was asked for");
        out.read_to_string(&mut text).expect("a worker writes text");
        let status = child.wait().expect("a child can be waited for");
        status.success().then(|| serde_json::from_str(&text).expect("a worker says what it did"))
    }
}

/// Works through the plan in a file and reports the result.
pub(crate) fn run(file: &Path) -> ExitCode {
    let text = fs::read_to_string(file).expect("a worker is given a file");
    let work: Work = serde_json::from_str(&text).expect("a worker is given work");
    let runtime = tokio::runtime::Runtime::new().expect("threads can be started");
    let done = runtime.block_on(work.through());
    say(&serde_json::to_string(&done).expect("what was done is plain data"));
    ExitCode::SUCCESS
}

impl Work {
    async fn through(&self) -> Done {
        let meter = Arc::new(Meter::default());
        let engine = self.environment.engine(&self.folder, &meter);
        let listener = Listener::start(engine.progress(), &meter);
        let begun = Instant::now();
        let tasks = engine.graph().read(|r| r.tasks()).expect("the graph can be read");
        let task = match tasks.first() {
            Some(task) => {
                engine.resume_task(task.id).await.expect("a task can be resumed");
                task.id
            }
            None => self.plan.create(&engine).await,
        };
        for search in &self.plan.searches {
            let answer = search.run(&engine, task).await;
            // A client that was told that no page is left stops asking.
            if answer.budget_remaining.pages == 0 {
                break;
            }
        }
        let status = engine.get_status(GetStatus { task_id: task, wait_seconds: None }).await;
        let status = status.expect("the task is there");
        let read = engine.graph().read(|r| Ok((r.fingerprint(task)?, r.claims_of(task)?.len())));
        let (fingerprint, claims) = read.expect("the graph can be read");
        Done {
            task,
            fingerprint,
            seconds: begun.elapsed().as_secs_f64(),
            model_seconds: meter.total().as_secs_f64(),
            beside: listener.heard(),
            peak_bytes: peak_bytes(),
            pages: status.budget.pages_used,
            claims,
        }
    }
}

/// The most memory this process ever held, where the system says so.
fn peak_bytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|it| it.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|it| it * 1024)
}
