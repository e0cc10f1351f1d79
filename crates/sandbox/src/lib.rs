//! Strangers' bytes are read in a child process that the kernel denies files, network and programs.
//!
//! A program calls [`install`] once, and [`run_child`] when it finds itself started as a child ([`is_child`]). After that
//! [`ask`] has a [`Handler`] work on bytes in a child; a crash, a hang or too much memory is a [`Stopped`], never more.
//! Where nothing was installed, [`ask`] says so and its caller works on the bytes itself: that is how libraries and their
//! tests use it.
//!
//! [`refuse_network`] takes the network from the whole process, for work that is to stay on this machine.
//!
//! What is denied is said by the child itself ([`Confinement`]) and can be tried ([`probe()`]). Linux only: elsewhere the
//! child is a process of its own with a limit of time, and says that nothing confines it.

mod child;
mod parts;
mod pool;
mod probe;
mod settings;
mod wire;

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
use linux as system;

#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(not(target_os = "linux"))]
use elsewhere as system;

pub use child::{Answer, Handler, Work, is_child, run_child};
pub use parts::{PartFile, Parts};
pub use pool::{Stopped, ask, ask_on_files, install, is_installed};
pub use probe::{Attempt, NetworkProbe, Probe, probe, probe_network};
pub use settings::{NetworkAttempt, SandboxSettings};
pub use system::{NotRefused, refuse_network};

use ::serde::{Deserialize, Serialize};

/// What holds a child, as it says itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confinement {
    /// Landlock: no files, no TCP.
    pub landlock: bool,
    /// A filter of system calls: nothing but memory, time and the two pipes.
    pub seccomp: bool,
    /// A limit on its memory.
    pub memory: bool,
}

impl Confinement {
    /// Whether files, network and programs are out of reach. The filter alone sees to that; Landlock is a second wall.
    pub fn holds(self) -> bool {
        self.seccomp && self.memory
    }
}
