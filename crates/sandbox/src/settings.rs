//! The settings of the sandbox.

use ::settings::settings;
use serde::{Deserialize, Serialize};

settings! {
    /// Reading of strangers' bytes in a process of its own.
    pub struct SandboxSettings {}
    expert {
        /// Read pages and files in a child process that the kernel denies files, network and programs.
        enabled: bool = true;
        /// Read nothing at all where the kernel cannot deny them; `lyra doctor` says whether it can.
        required: bool = false;
        /// Megabytes of memory a child may take.
        max_memory_mb: u64 = 1_024, in 64..=65_536;
        /// Seconds a child may take over one page or file.
        max_seconds: u64 = 60, in 1..=3_600;
        /// Seconds a child may take over a model that was added.
        max_model_seconds: u64 = 300, in 1..=3_600;
        /// What happens when a program that runs offline asks for a connection all the same: `refused` by the kernel,
        /// or `fatal`: it is ended at once, which proves that a run that ended well never asked.
        network_attempt: NetworkAttempt = NetworkAttempt::Refused;
    }
}

/// What happens to a program without a network that asks for a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NetworkAttempt {
    Refused,
    Fatal,
}
