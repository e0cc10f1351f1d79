//! The kinds of sites and what each does with a request.
//!
//! A kind is told by the host name: `etag-3.test` is the third site that knows ETags. Families of kinds answer in their
//! own file; what they have in common (front page, robots.txt, sitemap, feed, pages) is in `ordinary`.

pub(crate) mod challenges;
mod damaged;
mod gates;
mod letters;
mod ordinary;
mod pdf;
mod redirects;
mod refusals;
mod robots;
mod transport;

pub(crate) use robots::CLOSED_FOLDER;

use crate::answer::{Answer, Request};
use crate::{Expected, Site, World};

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $name:literal, $share:literal, $expected:ident;)*) => {
        /// What a site does.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum SiteKind { $($(#[$doc])* $kind,)* }

        impl SiteKind {
            pub const ALL: &[Self] = &[$(Self::$kind,)*];

            /// The host name without its number and end.
            pub fn name(self) -> &'static str {
                match self { $(Self::$kind => $name,)* }
            }

            /// How many sites in a round of all kinds.
            pub(crate) fn share(self) -> usize {
                match self { $(Self::$kind => $share,)* }
            }

            /// The outcome of the pages of such a site, if all pages are alike.
            pub fn expected(self) -> Expected {
                match self { $(Self::$kind => Expected::$expected,)* }
            }
        }
    };
}

kinds! {
    News = "news", 8, Readable;
    Office = "office", 4, Readable;
    Blog = "blog", 4, Readable;
    Forum = "forum", 3, Readable;
    Encyclopedia = "pedia", 3, Readable;
    /// Papers, with their PDF.
    Journal = "journal", 4, Readable;
    /// One press release on many hosts.
    Copy = "wire", 5, Readable;
    /// Pages that give orders to machines.
    Injected = "injected", 4, Readable;
    /// ETag and 304.
    ETag = "etag", 5, Readable;
    /// Last-Modified and 304.
    Modified = "modified", 4, Readable;
    Gzip = "gzip", 3, Readable;
    Deflate = "deflate", 1, Readable;
    Chunked = "chunked", 1, Readable;
    /// Starts after a while.
    Slow = "slow", 2, Readable;
    /// Comes drop by drop.
    Drip = "drip", 1, Readable;
    /// About 3 MB of HTML.
    Huge = "huge", 1, Readable;
    ShiftJis = "shift-jis", 2, Readable;
    EucJp = "euc-jp", 1, Readable;
    /// Encoding only said by a BOM, wrong header.
    Utf16 = "utf16", 1, Readable;
    BrokenHtml = "broken-html", 2, Readable;
    Pdf = "pdf", 2, Readable;
    /// Some paths are closed, with crawl-delay and sitemap.
    RobotsSome = "robots-some", 3, Readable;
    RobotsAll = "robots-all", 1, Robots;
    /// robots.txt answers 503: everything is closed for now.
    RobotsError = "robots-error", 1, Robots;
    /// robots.txt is an HTML page with status 200.
    RobotsHtml = "robots-html", 1, Readable;
    /// 301 to the new path.
    Moved = "moved", 2, Readable;
    /// 302, 303, 307 in turn.
    Temporary = "temporary", 1, Readable;
    /// From http to https and from the bare name to www.
    Upgraded = "upgraded", 1, Readable;
    /// To another site.
    Crossing = "crossing", 1, Readable;
    /// `meta refresh` and a relative Location with a fragment.
    Relative = "relative", 1, Readable;
    Loop = "loop", 1, TooManyRedirects;
    LongWay = "long-way", 1, TooManyRedirects;
    /// To loopback, private and metadata addresses.
    ToPrivate = "to-private", 2, PrivateAddress;
    Refused = "refused", 2, Forbidden;
    /// 403 to the first request.
    RefusedOnce = "refused-once", 3, ReadableLater;
    /// 403 to a second request within 300 ms.
    RefusedHasty = "refused-hasty", 2, Readable;
    /// 429 with `Retry-After: 1`, then fine.
    Busy = "busy", 4, ReadableLater;
    /// 503 with Retry-After, then fine.
    Unavailable = "unavailable", 1, ReadableLater;
    ServerError = "error", 1, ServerError;
    CloudflareManaged = "cf-managed", 2, Challenge;
    Turnstile = "turnstile", 1, Challenge;
    HCaptcha = "hcaptcha", 1, Challenge;
    ReCaptcha = "recaptcha", 1, Challenge;
    Akamai = "akamai", 1, Challenge;
    DataDome = "datadome", 1, Challenge;
    /// Proofs of being human in Japanese.
    Kakunin = "kakunin", 1, Challenge;
    /// A login form with status 200.
    LoginPage = "login-page", 2, Login;
    /// 302 to a login form.
    LoginRedirect = "login-redirect", 2, Login;
    Login401 = "login-401", 1, Login;
    Paywall = "paywall", 2, Paywall;
    SoftMissing = "soft-missing", 2, SoftNotFound;
    Missing = "missing", 1, NotFound;
    /// A name without an address.
    Dead = "dead", 1, UnknownHost;
    /// A closed port.
    Closed = "closed", 1, CannotConnect;
    ExpiredCertificate = "expired-cert", 1, BadCertificate;
    WrongName = "wrong-name", 1, BadCertificate;
    SelfSigned = "self-signed", 1, BadCertificate;
    /// More than 20 MB, with its length said.
    TooLarge = "too-large", 1, TooLarge;
    Endless = "endless", 1, TooLarge;
    /// A few kilobytes of gzip that unpack to 200 MB.
    ZipBomb = "zip-bomb", 1, TooLarge;
    HeaderFlood = "header-flood", 1, BrokenAnswer;
    /// Says more bytes than come.
    CutShort = "cut-short", 1, BrokenAnswer;
    /// Says fewer bytes than come.
    RunsOver = "runs-over", 1, Readable;
    Reset = "reset", 1, BrokenAnswer;
    Silent = "silent", 1, BrokenAnswer;
    Garbage = "garbage", 1, BrokenAnswer;
    /// Stops in the middle and stays open.
    Stalled = "stalled", 1, TimedOut;
    /// An official register: every fact of every topic, as it is. This and the next three are in worlds to be studied.
    Register = "register", 0, Readable;
    /// Says otherwise about every fact.
    Critic = "critic", 0, Readable;
    /// Pages that name each other as their source, in rings.
    Echo = "echo", 0, Readable;
    /// Gathers what other sites wrote.
    Digest = "digest", 0, Readable;
}

impl SiteKind {
    /// The site number `number` of this kind, from 1.
    pub fn host(self, number: usize) -> String {
        // Names under `.invalid` never resolve.
        let end = match self {
            Self::Dead | Self::Closed => "invalid",
            _ => "test",
        };
        format!("{}-{number}.{end}", self.name())
    }

    /// Whether only worlds to be studied have such sites: [`World::to_study`].
    pub fn is_for_study(self) -> bool {
        self.share() == 0
    }

    pub(crate) fn has_closed_port(self) -> bool {
        self == Self::Closed
    }

    /// Whether all its answers can also be given over HTTP/2.
    pub(crate) fn answers_plainly(self) -> bool {
        !matches!(
            self,
            Self::Drip
                | Self::Endless
                | Self::HeaderFlood
                | Self::CutShort
                | Self::RunsOver
                | Self::Reset
                | Self::Silent
                | Self::Garbage
                | Self::Stalled
        )
    }
}

/// What a site gives.
pub(crate) fn answer(world: &World, site: &Site, request: &Request) -> Answer {
    if request.path() == "/robots.txt" {
        return robots::answer(site);
    }
    let early = refusals::answer(site, request)
        .or_else(|| redirects::answer(world, site, request))
        .or_else(|| challenges::answer(site))
        .or_else(|| gates::answer(world, site, request))
        .or_else(|| damaged::answer(world, site, request));
    early.unwrap_or_else(|| {
        let answer = ordinary::answer(world, site, request);
        transport::pack(site, request, letters::encode(site, answer))
    })
}
