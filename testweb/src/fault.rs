//! What a test can order a host to do instead of answering.

use std::time::Duration;

use crate::answer::{Answer, Wire};
use crate::sites::challenges;

/// One spoiled answer.
#[derive(Debug, Clone)]
pub enum Fault {
    /// Nothing is wrong this time; for faults that come later in a list.
    Normal,
    /// A page with this status.
    Status(u16),
    /// 429 with `Retry-After` in seconds.
    RetryAfter(u64),
    /// 503 with `Retry-After` in seconds.
    Unavailable(u64),
    /// The ordinary answer after this many milliseconds.
    Slow(u64),
    /// The ordinary answer in pieces with a pause before each.
    Drip { piece: usize, pause_ms: u64 },
    /// The head and half of the ordinary body, then nothing.
    Stall,
    /// Half of the ordinary body under its whole length, then closed.
    Cut,
    /// Closed without a byte.
    Close,
    /// Broken off.
    Reset,
    /// Bytes that are not HTTP.
    Garbage,
    /// A managed challenge as Cloudflare shows it.
    Challenge,
    /// A redirect (302) to this address.
    Redirect(String),
    /// The ordinary answer with more headers.
    Headers(Vec<(&'static str, String)>),
    /// Exactly this answer.
    Answer(Answer),
}

impl Fault {
    /// Makes the spoiled answer; the ordinary one is only made where it is needed.
    pub(crate) fn spoil(self, ordinary: impl FnOnce() -> Answer) -> Answer {
        match self {
            Self::Normal => ordinary(),
            Self::Status(status) => plain(status),
            Self::RetryAfter(seconds) => plain(429).with("Retry-After", seconds.to_string()),
            Self::Unavailable(seconds) => plain(503).with("Retry-After", seconds.to_string()),
            Self::Slow(ms) => {
                let answer = ordinary();
                let delay = answer.delay + Duration::from_millis(ms);
                answer.after(delay)
            }
            Self::Drip { piece, pause_ms } => {
                ordinary().sent(Wire::Drip { piece, pause: Duration::from_millis(pause_ms) })
            }
            Self::Stall => {
                let answer = ordinary();
                let half = answer.body.len() / 2;
                answer.sent(Wire::Stall(half))
            }
            Self::Cut => {
                let mut answer = ordinary();
                let whole = answer.body.len() as u64;
                answer.body.truncate(answer.body.len() / 2);
                answer.sent(Wire::Declared(whole))
            }
            Self::Close => Answer::wired(Wire::Close),
            Self::Reset => Answer::wired(Wire::Reset),
            Self::Garbage => garbage(),
            Self::Challenge => challenges::cloudflare_managed("challenged.test"),
            Self::Redirect(to) => Answer::redirect(302, to),
            Self::Headers(headers) => {
                let mut answer = ordinary();
                answer.headers.extend(headers.into_iter().map(|it| (it.0.into(), it.1)));
                answer
            }
            Self::Answer(answer) => answer,
        }
    }
}

/// Bytes no HTTP client can read.
pub(crate) fn garbage() -> Answer {
    let bytes: Vec<u8> = (0..512_u32).map(|it| (it * 167 % 251) as u8).collect();
    Answer::new(200, "text/html", bytes).sent(Wire::Raw)
}

/// A bare page as a web server makes it for a status.
pub(crate) fn plain(status: u16) -> Answer {
    let words = hyper::StatusCode::from_u16(status).ok().and_then(|it| it.canonical_reason());
    let words = words.unwrap_or("Unknown");
    Answer::html(
        status,
        format!(
            "<html>\r\n<head><title>{status} {words}</title></head>\r\n<body>\r\n\
             <center><h1>{status} {words}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n"
        ),
    )
}
