//! Linux: Landlock and a filter of system calls.
//!
//! The filter is the wall: it knows the few calls that reading needs and refuses all others. Landlock, which lets UDP
//! and sockets between processes through, stands behind it. Both stay for the life of the process and its children.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, NetPort, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
};
use rustix::process::{Resource, Rlimit, setrlimit};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch,
};

use crate::Confinement;
use crate::settings::NetworkAttempt;

/// Why the network could not be taken from this process.
#[derive(Debug, thiserror::Error)]
pub enum NotRefused {
    #[error("the kernel takes no filter of system calls: {0}")]
    Filter(#[from] seccompiler::Error),
    #[error("the kernel cannot limit connections to one port: {0}")]
    Ports(#[from] RulesetError),
    #[error("the kernel has no Landlock, so connections cannot be limited to one port")]
    NoLandlock,
}

impl From<seccompiler::BackendError> for NotRefused {
    fn from(error: seccompiler::BackendError) -> Self {
        Self::Filter(error.into())
    }
}

/// What a child needs to read bytes and answer: its pipes, memory, time, and its end.
const NEEDED: &[i64] = &[
    libc::SYS_read,
    libc::SYS_write,
    libc::SYS_readv,
    libc::SYS_writev,
    libc::SYS_close,
    libc::SYS_fstat,
    libc::SYS_lseek,
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_brk,
    libc::SYS_madvise,
    libc::SYS_futex,
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    libc::SYS_clock_gettime,
    libc::SYS_clock_nanosleep,
    libc::SYS_getrandom,
    libc::SYS_getpid,
    libc::SYS_gettid,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sigaltstack,
    libc::SYS_restart_syscall,
    libc::SYS_exit,
    libc::SYS_exit_group,
];

/// Memory is theirs to have, but none that can be run.
const WITHOUT_EXECUTION: &[i64] = &[libc::SYS_mmap, libc::SYS_mprotect];

/// The running program, also where its file was replaced meanwhile.
pub(crate) fn program() -> io::Result<PathBuf> {
    Ok(PathBuf::from("/proc/self/exe"))
}

/// Confines this process as far as the kernel can. Landlock first: the filter refuses what Landlock needs.
pub(crate) fn confine(max_memory: u64) -> Confinement {
    Confinement {
        memory: limit(max_memory).is_ok(),
        landlock: no_files_no_tcp().unwrap_or(false),
        seccomp: only_needed_calls().is_ok(),
    }
}

fn limit(max_memory: u64) -> rustix::io::Result<()> {
    let at_most = |value| Rlimit { current: Some(value), maximum: Some(value) };
    setrlimit(Resource::Core, at_most(0))?;
    setrlimit(Resource::Fsize, at_most(0))?;
    // What is written to counts; the weights in the program's file are only mapped.
    setrlimit(Resource::Data, at_most(max_memory))
}

/// Whether all of it is in force.
fn no_files_no_tcp() -> Result<bool, RulesetError> {
    let status = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(ABI::V6))?
        .handle_access(AccessNet::from_all(ABI::V6))?
        .scope(Scope::from_all(ABI::V6))?
        .create()?
        .restrict_self()?;
    Ok(status.ruleset == RulesetStatus::FullyEnforced)
}

fn only_needed_calls() -> Result<(), NotRefused> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
        NEEDED.iter().map(|call| (*call, Vec::new())).collect();
    // `poll` has another name on newer machines.
    #[cfg(target_arch = "x86_64")]
    rules.insert(libc::SYS_poll, Vec::new());
    rules.insert(libc::SYS_ppoll, Vec::new());
    let executable = libc::PROT_EXEC as u64;
    for call in WITHOUT_EXECUTION {
        let protection = SeccompCmpOp::MaskedEq(executable);
        let condition = SeccompCondition::new(2, SeccompCmpArgLen::Dword, protection, 0)?;
        rules.insert(*call, vec![SeccompRule::new(vec![condition])?]);
    }
    let refused = SeccompAction::Errno(libc::EPERM as u32);
    let filter = SeccompFilter::new(rules, refused, SeccompAction::Allow, arch()?)?;
    seccompiler::apply_filter(&BpfProgram::try_from(filter)?)?;
    Ok(())
}

/// Takes the network from this process and all it starts, for good. Files and other programs of this machine stay in
/// reach; with `model_port`, so does a language model on that port. To be called before other threads start.
pub fn refuse_network(attempt: NetworkAttempt, model_port: Option<u16>) -> Result<(), NotRefused> {
    if let Some(port) = model_port {
        let status = Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(AccessNet::ConnectTcp)?
            .create()?
            .add_rule(NetPort::new(port, AccessNet::ConnectTcp))?
            .restrict_self()?;
        if status.ruleset == RulesetStatus::NotEnforced {
            return Err(NotRefused::NoLandlock);
        }
    }
    let mut sockets = Vec::new();
    for family in [libc::AF_INET, libc::AF_INET6, libc::AF_PACKET] {
        let of_family = family_is(family)?;
        match model_port {
            None => sockets.push(SeccompRule::new(vec![of_family])?),
            // Streams stay, and Landlock says where they may lead.
            Some(_) => {
                for kind in [libc::SOCK_DGRAM, libc::SOCK_RAW] {
                    sockets.push(SeccompRule::new(vec![family_is(family)?, kind_is(kind)?])?);
                }
            }
        }
    }
    // Calls through a ring are made by the kernel, past this filter.
    let rules =
        BTreeMap::from([(libc::SYS_socket, sockets), (libc::SYS_io_uring_setup, Vec::new())]);
    let action = match attempt {
        NetworkAttempt::Refused => SeccompAction::Errno(libc::EACCES as u32),
        NetworkAttempt::Fatal => SeccompAction::KillProcess,
    };
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, action, arch()?)?;
    seccompiler::apply_filter_all_threads(&BpfProgram::try_from(filter)?)?;
    Ok(())
}

fn family_is(family: i32) -> Result<SeccompCondition, seccompiler::BackendError> {
    SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, family as u64)
}

/// The low bits are the kind; the others are flags.
fn kind_is(kind: i32) -> Result<SeccompCondition, seccompiler::BackendError> {
    SeccompCondition::new(1, SeccompCmpArgLen::Dword, SeccompCmpOp::MaskedEq(0xf), kind as u64)
}

fn arch() -> Result<TargetArch, seccompiler::BackendError> {
    TargetArch::try_from(std::env::consts::ARCH)
}
