//! Why a page was not rendered.

use std::path::PathBuf;

/// Why a page was not rendered, in a sentence for people.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    #[error("no Chromium, Chrome or Edge was found")]
    NotInstalled,
    #[error("there is no browser at {}", .0.display())]
    NotThere(PathBuf),
    #[error("browsers on this system cannot be driven yet")]
    System,
    #[error("{} does not run for root with its own sandbox (browser.sandbox)", .0.display())]
    Root(PathBuf),
    #[error("{} did not start: {why}", program.display())]
    NotStarted { program: PathBuf, why: String },
    #[error("there is no screen here to show a window on")]
    NoScreen,
    #[error("the browser ended")]
    Ended,
    #[error("the page crashed the browser's tab")]
    Crashed,
    #[error("the page kept the browser busy for more than {0} s")]
    Busy(u64),
    #[error("the page sent itself elsewhere more than {0} times")]
    Navigations(usize),
    #[error("the page left for {0}, which is no address on the web")]
    Left(String),
    #[error("the page led to {host}, which did not open: {why}")]
    NotOpened { host: String, why: String },
    #[error("the rendered page is larger than {0} bytes")]
    TooLarge(usize),
    #[error("the browser refused {method}: {why}")]
    Refused { method: String, why: String },
    #[error("the browser's folder cannot be used: {0}")]
    Folder(String),
}

impl Problem {
    /// Whether it lies with this machine, not with the page.
    pub const fn is_ours(&self) -> bool {
        match self {
            Self::NotInstalled
            | Self::NotThere(_)
            | Self::System
            | Self::Root(_)
            | Self::NotStarted { .. }
            | Self::NoScreen
            | Self::Ended
            | Self::Refused { .. }
            | Self::Folder(_) => true,
            Self::Crashed
            | Self::Busy(_)
            | Self::Navigations(_)
            | Self::Left(_)
            | Self::NotOpened { .. }
            | Self::TooLarge(_) => false,
        }
    }
}
