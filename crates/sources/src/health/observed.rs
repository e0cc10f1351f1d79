//! What an engine did when it was asked, as far as its health is concerned.

use fetch::{FetchFailure, Reason};

use crate::serp::{Block, Serp, SerpKind};

/// What an engine did when it was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Observed {
    Results,
    NoResults,
    Blocked(Block),
    /// The layout changed; `recovered` results could still be read.
    Broken {
        recovered: usize,
    },
    /// A status that says nothing about blocking, such as 500.
    Failed,
    /// No answer: refused or broken connections, time-outs.
    Unreachable,
}

impl Observed {
    pub fn of(serp: &Serp) -> Self {
        match &serp.kind {
            SerpKind::Results => Self::Results,
            SerpKind::NoResults => Self::NoResults,
            SerpKind::Blocked(block) => Self::Blocked(*block),
            SerpKind::Broken { .. } => Self::Broken { recovered: serp.results.len() },
            SerpKind::Failed { .. } => Self::Failed,
        }
    }

    /// `None` where the engine was not asked, or cannot be blamed: a name without an address is our network's fault
    /// more often than the engine's, and must not close all engines at once.
    pub fn of_missed(missed: &FetchFailure) -> Option<Self> {
        match missed.reason {
            Reason::CannotConnect
            | Reason::BadCertificate
            | Reason::TimedOut
            | Reason::TooLarge
            | Reason::TooManyRedirects
            | Reason::BrokenAnswer => Some(Self::Unreachable),
            Reason::ServerError | Reason::OtherStatus | Reason::NotFound => Some(Self::Failed),
            Reason::Login | Reason::Challenge => Some(Self::Blocked(Block::Challenge)),
            Reason::Paywall | Reason::Forbidden => Some(Self::Blocked(Block::Refused)),
            Reason::TooManyRequests => Some(Self::Blocked(Block::TooMany)),
            Reason::Offline
            | Reason::BadAddress
            | Reason::PrivateAddress
            | Reason::Robots
            | Reason::BlockedDomain
            | Reason::Resting
            | Reason::DailyBudget
            | Reason::UnknownHost
            | Reason::NeedsScripts
            | Reason::NotRecorded => None,
        }
    }

    /// Whether it counts against the circuit. A changed layout that still gives results costs weight only.
    pub(super) const fn is_failure(self) -> bool {
        match self {
            Self::Results | Self::NoResults => false,
            Self::Broken { recovered } => recovered == 0,
            Self::Blocked(_) | Self::Failed | Self::Unreachable => true,
        }
    }

    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Results => "results",
            Self::NoResults => "no_results",
            Self::Blocked(Block::Challenge) => "challenge",
            Self::Blocked(Block::TooMany) => "too_many_requests",
            Self::Blocked(Block::Refused) => "refused",
            Self::Blocked(Block::Consent) => "consent",
            Self::Blocked(Block::Script) => "needs_script",
            Self::Broken { .. } => "broken",
            Self::Failed => "server_error",
            Self::Unreachable => "unreachable",
        }
    }
}
