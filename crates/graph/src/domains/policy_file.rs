//! The policy as a file: the shipped one, and the user's laid over it, read again when it changes.
//!
//! A mistake in the user's file never stops work: it is reported by place, and the last good policy
//! stays in force.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use evidence::domain::{DomainPolicy, PolicyChange};
use serde::Serialize;

use super::policy_toml::{MAX_BYTES, PolicyError, parse_policy};
use crate::DomainSettings;

/// The policy that comes with Lyra, comments included.
pub const SHIPPED_POLICY: &str = include_str!("../../policy/domains.toml");

static SHIPPED: LazyLock<DomainPolicy> =
    LazyLock::new(|| parse_policy(SHIPPED_POLICY).expect("a test reads the shipped policy"));

pub(super) fn shipped() -> DomainPolicy {
    SHIPPED.clone()
}

/// What happened to the file since it was last asked about.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "note", rename_all = "snake_case")]
pub enum PolicyNote {
    /// A new policy is in force.
    Reloaded { changes: Vec<PolicyChange> },
    /// The file has a mistake; the policy before stays in force.
    Refused { problem: String },
}

/// The shipped policy with the user's file over it. Share one between threads.
#[derive(Debug)]
pub struct PolicyFile {
    path: Option<PathBuf>,
    look_every: Duration,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    policy: Arc<DomainPolicy>,
    stamp: Option<Stamp>,
    looked_at: Instant,
    problem: Option<String>,
    notes: Vec<PolicyNote>,
}

/// What shows that a file changed without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    modified: Option<SystemTime>,
    length: u64,
}

impl PolicyFile {
    /// Reads the user's file over the shipped policy. A missing file is no mistake; a broken one
    /// leaves the shipped policy in force and shows in [`PolicyFile::problem`].
    pub fn open(path: Option<&Path>) -> Self {
        let file = Self {
            path: path.map(Path::to_owned),
            // Deciding about a host must not cost a system call each time.
            look_every: Duration::from_millis(DomainSettings::default().policy_reload_ms),
            state: Mutex::new(State {
                policy: Arc::new(shipped()),
                stamp: None,
                looked_at: Instant::now(),
                problem: None,
                notes: Vec::new(),
            }),
        };
        file.look(&mut file.state());
        // What the file says at the start is no change.
        file.state().notes.retain(|it| matches!(it, PolicyNote::Refused { .. }));
        file
    }

    /// Sets how often the file is looked at.
    pub fn looking_every(self, look_every: Duration) -> Self {
        Self { look_every, ..self }
    }

    /// The policy in force now.
    pub fn current(&self) -> Arc<DomainPolicy> {
        let mut state = self.state();
        if state.looked_at.elapsed() >= self.look_every {
            self.look(&mut state);
        }
        Arc::clone(&state.policy)
    }

    /// What is wrong with the file now, in one line.
    pub fn problem(&self) -> Option<String> {
        self.state().problem.clone()
    }

    /// What happened since the last call: for the log of the graph and for people.
    pub fn take_notes(&self) -> Vec<PolicyNote> {
        std::mem::take(&mut self.state().notes)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic elsewhere cannot leave the state half written: it is replaced field by field at
        // the end of a look.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn look(&self, state: &mut State) {
        let Some(path) = self.path.as_deref() else { return };
        state.looked_at = Instant::now();
        let stamp = Stamp::of(path);
        if stamp == state.stamp {
            return;
        }
        state.stamp = stamp;
        let user = if stamp.is_some() { read(path) } else { Ok(DomainPolicy::default()) };
        match user {
            Ok(user) => {
                let policy = shipped().merged_with(user);
                let changes = state.policy.changes_to(&policy);
                state.problem = None;
                if !changes.is_empty() {
                    state.policy = Arc::new(policy);
                    state.notes.push(PolicyNote::Reloaded { changes });
                }
            }
            Err(error) => {
                let problem = one_line(&error);
                state.problem = Some(problem.clone());
                state.notes.push(PolicyNote::Refused { problem });
            }
        }
    }
}

impl Stamp {
    /// `None` when there is no file. One that cannot be looked at has a stamp, so that reading it
    /// reports why.
    fn of(path: &Path) -> Option<Self> {
        match fs::metadata(path) {
            Ok(it) => Some(Self { modified: it.modified().ok(), length: it.len() }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(_) => Some(Self { modified: None, length: 0 }),
        }
    }
}

fn one_line(error: &PolicyError) -> String {
    match error {
        PolicyError::Read { source, .. } => format!("{error}: {source}"),
        _ => error.to_string(),
    }
}

fn read(path: &Path) -> Result<DomainPolicy, PolicyError> {
    let cannot_read = |source| PolicyError::Read { path: path.to_owned(), source };
    let mut text = String::new();
    let file = files::open(path).map_err(cannot_read)?;
    file.take(MAX_BYTES + 1).read_to_string(&mut text).map_err(cannot_read)?;
    if text.len() as u64 > MAX_BYTES {
        return Err(PolicyError::TooLarge);
    }
    parse_policy(&text)
}
