//! Systems where nothing of ours confines a child: it is a process of its own, and that is all.

use std::io;
use std::path::PathBuf;

use crate::Confinement;
use crate::settings::NetworkAttempt;

/// Why the network could not be taken from this process.
#[derive(Debug, thiserror::Error)]
#[error("this system has no way to take the network from a process that Lyra knows")]
pub struct NotRefused;

/// Takes the network from this process; see the Linux version.
pub fn refuse_network(_: NetworkAttempt, _: Option<u16>) -> Result<(), NotRefused> {
    Err(NotRefused)
}

pub(crate) fn program() -> io::Result<PathBuf> {
    std::env::current_exe()
}

pub(crate) fn confine(_max_memory: u64) -> Confinement {
    Confinement::default()
}
