//! How a request ended.

use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use url::Url;

/// A complete answer of a server, whatever its status.
#[derive(Debug, Clone)]
pub struct FetchResponse {
    pub requested: Url,
    /// The address after redirects.
    pub url: Url,
    /// The addresses on the way, without the first and the last.
    pub redirects: Vec<Url>,
    pub status: u16,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body without its transfer and content encodings.
    pub body: Vec<u8>,
    pub origin: Origin,
    pub route: Route,
    /// The WARC record of the response.
    pub record_id: Option<String>,
    pub fetched_at: Timestamp,
    /// From the first byte sent to the last received; zero for what came from the archive.
    pub elapsed: Duration,
}

impl FetchResponse {
    /// Why the answer is not the page that was asked for, as far as its status tells.
    pub fn problem(&self) -> Option<Reason> {
        match self.status {
            200..=299 => None,
            401 | 407 => Some(Reason::Login),
            402 => Some(Reason::Paywall),
            403 | 451 => Some(Reason::Forbidden),
            404 | 410 => Some(Reason::NotFound),
            429 => Some(Reason::TooManyRequests),
            500..=599 => Some(Reason::ServerError),
            _ => Some(Reason::OtherStatus),
        }
    }
}

/// Where the bytes of an answer come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    Network,
    /// The server said the archived page is still the page (304).
    NotModified,
    /// The archive, without a request.
    Archive,
}

/// The way a request takes. One request never takes the same way twice after a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Route {
    /// The HTTP client, directly or through the configured proxy.
    Http,
    /// For a page that is open in the browser, which has no network of its own.
    Browser,
}

impl Route {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Browser => "browser",
        }
    }
}

/// A request that brought nothing, and why.
#[derive(Debug, Clone, Serialize)]
pub struct FetchFailure {
    /// The address that was asked for.
    pub url: Url,
    pub reason: Reason,
    /// What exactly happened, in a sentence without secrets.
    pub detail: String,
    pub status: Option<u16>,
    /// When it is worth another try, if known.
    pub again_at: Option<Timestamp>,
}

/// Why a page was missed: what users' messages are made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Lyra runs offline.
    Offline,
    /// Not an address on the web.
    BadAddress,
    /// The address, or one it redirects to, is not on the public internet.
    PrivateAddress,
    /// robots.txt asks programs to stay away.
    Robots,
    /// The domain policy or a person blocks the domain.
    BlockedDomain,
    /// The domain rests after failures, or asked for a pause.
    Resting,
    /// Today's requests to this domain, engine or API are used up.
    DailyBudget,
    /// The name has no address.
    UnknownHost,
    CannotConnect,
    BadCertificate,
    TimedOut,
    /// Larger than a page may be, packed or unpacked.
    TooLarge,
    TooManyRedirects,
    /// The answer broke off, or is not HTTP.
    BrokenAnswer,
    /// 401: the page wants a login. Also when reading shows one.
    Login,
    /// Reading shows a proof of being human.
    Challenge,
    /// Without its scripts the page shows nothing, and no browser ran them.
    NeedsScripts,
    Paywall,
    Forbidden,
    NotFound,
    TooManyRequests,
    ServerError,
    OtherStatus,
    /// The ledger or the archive could not be written, so nothing was sent or shown.
    NotRecorded,
}

impl Reason {
    /// Whether asking again soon would bring the same: what the page or its site is like, not how it is doing.
    pub const fn is_lasting(self) -> bool {
        match self {
            Self::BadAddress
            | Self::PrivateAddress
            | Self::Robots
            | Self::BlockedDomain
            | Self::BadCertificate
            | Self::TooLarge
            | Self::TooManyRedirects
            | Self::Login
            | Self::Challenge
            | Self::Paywall
            | Self::Forbidden
            | Self::NotFound => true,
            Self::Offline
            // A browser may be there by then.
            | Self::NeedsScripts
            | Self::Resting
            | Self::DailyBudget
            | Self::UnknownHost
            | Self::CannotConnect
            | Self::TimedOut
            | Self::BrokenAnswer
            | Self::TooManyRequests
            | Self::ServerError
            | Self::OtherStatus
            | Self::NotRecorded => false,
        }
    }

    /// The word it goes by in answers and in the ledger.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Offline => "offline",
            Self::BadAddress => "bad_address",
            Self::PrivateAddress => "private_address",
            Self::Robots => "robots",
            Self::BlockedDomain => "blocked_domain",
            Self::Resting => "resting",
            Self::DailyBudget => "daily_budget",
            Self::UnknownHost => "unknown_host",
            Self::CannotConnect => "cannot_connect",
            Self::BadCertificate => "bad_certificate",
            Self::TimedOut => "timed_out",
            Self::TooLarge => "too_large",
            Self::TooManyRedirects => "too_many_redirects",
            Self::BrokenAnswer => "broken_answer",
            Self::Login => "login",
            Self::Challenge => "challenge",
            Self::NeedsScripts => "needs_scripts",
            Self::Paywall => "paywall",
            Self::Forbidden => "forbidden",
            Self::NotFound => "not_found",
            Self::TooManyRequests => "too_many_requests",
            Self::ServerError => "server_error",
            Self::OtherStatus => "other_status",
            Self::NotRecorded => "not_recorded",
        }
    }
}

/// What reading showed about an answer; changes how the domain is treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The page that was asked for.
    Page,
    Login,
    Challenge,
    Paywall,
}
