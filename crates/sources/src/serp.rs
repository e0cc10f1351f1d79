//! A result page, read.
//!
//! [`Serp::parse`] tells four things apart that look alike from far away: results, an honest "nothing found", a page
//! that turns programs away, and a page whose layout is no longer the declared one. The last keeps whatever can be
//! recovered without the declaration, and says that it is broken. Pure: no clock, disk or network. Where the program has
//! confined child processes, one of them reads (`confined`).

mod blocks;
mod confined;
mod dates;
mod links;
mod page;
mod recover;

use std::fmt;

use extract::select::{Page, PageLimits};
use extract::{GateKind, Input};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use url::Url;

pub use self::confined::HANDLER;
use self::page::View;
use crate::Candidate;
use crate::engines::{Engine, Signs};

/// What an engine answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Serp {
    /// In the engine's order, without adverts and repetitions.
    pub results: Vec<Candidate>,
    pub kind: SerpKind,
}

/// What kind of page it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SerpKind {
    Results,
    /// The engine says that it knows nothing.
    NoResults,
    Blocked(Block),
    /// The layout is not the declared one; `results` holds what was recovered.
    Broken {
        why: String,
    },
    /// The server failed; the page says nothing about the engine's layout.
    Failed {
        status: u16,
    },
}

impl fmt::Display for SerpKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Results => f.write_str("results"),
            Self::NoResults => f.write_str("nothing found"),
            Self::Blocked(block) => write!(f, "{block}"),
            Self::Broken { why } => write!(f, "its layout changed: {why}"),
            Self::Failed { status } => write!(f, "it answered with status {status}"),
        }
    }
}

impl fmt::Display for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Challenge => "it asks for a proof of being human",
            Self::TooMany => "it says there are too many requests",
            Self::Refused => "it refuses to answer",
            Self::Consent => "it asks to accept its terms",
            Self::Script => "it shows results only to browsers",
        })
    }
}

/// How an engine turns a program away, and so what would help.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Block {
    /// A proof of being human: needs a person.
    Challenge,
    /// Too many requests: needs time.
    TooMany,
    /// Refused without a word: needs time, perhaps a person.
    Refused,
    /// Asks to accept terms: needs a person once.
    Consent,
    /// Results are built by scripts: needs a browser.
    Script,
}

impl Block {
    /// Whether a person at a browser can open the way again.
    pub const fn needs_person(self) -> bool {
        matches!(self, Self::Challenge | Self::Consent)
    }
}

/// Bounds on what is read of a result page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SerpLimits {
    pub max_bytes: usize,
    /// Elements inside each other: beyond it a page is made to be slow, not to be read.
    pub max_depth: usize,
    pub max_results: usize,
    pub max_title_chars: usize,
    pub max_snippet_chars: usize,
}

impl Default for SerpLimits {
    fn default() -> Self {
        Self {
            max_bytes: 2 << 20,
            max_depth: 1_000,
            max_results: 100,
            max_title_chars: 300,
            max_snippet_chars: 1_000,
        }
    }
}

impl Serp {
    /// Reads a result page; `now` is what "3 days ago" counts from. Never fails.
    pub fn parse(engine: &Engine, input: Input<'_>, now: Timestamp) -> Self {
        confined::parse(engine, input, now).unwrap_or_else(|| Self::parse_here(engine, input, now))
    }

    /// Reads it in this process.
    fn parse_here(engine: &Engine, input: Input<'_>, now: Timestamp) -> Self {
        Self::parse_within(engine, input, now, &SerpLimits::default())
    }

    /// Reads a result page inside the given bounds.
    pub fn parse_within(
        engine: &Engine,
        input: Input<'_>,
        now: Timestamp,
        limits: &SerpLimits,
    ) -> Self {
        if let Some(block) = block_by_address(engine, input.url) {
            return Self::empty(SerpKind::Blocked(block));
        }
        let bytes = &input.bytes[..input.bytes.len().min(limits.max_bytes)];
        let content_type =
            input.headers.iter().find(|it| it.0 == "content-type").map(|it| it.1.as_str());
        let text = extract::decode_text(bytes, content_type);
        // A page has fewer nodes than bytes, and no attribute longer than itself.
        let within =
            PageLimits { depth: limits.max_depth, nodes: text.len(), attribute_bytes: text.len() };
        let page = Page::read(&text, within);
        if page.is_too_deep() {
            let why = format!("elements inside each other more than {} deep", limits.max_depth);
            return Self::empty(SerpKind::Broken { why });
        }
        let view = View::new(&page, engine, input.url, now, limits);
        let read = blocks::read(&view);
        if !read.results.is_empty() {
            let kind = match read.trouble() {
                Some(why) => SerpKind::Broken { why },
                None => SerpKind::Results,
            };
            return Self { results: read.results, kind };
        }
        let without = without_results(&view, input);
        let results = match &without {
            // "Nothing found" on a page full of results is a layout that changed, not an answer.
            Some(SerpKind::NoResults) => {
                Some(recover::results(&view)).filter(|it| is_list(it)).unwrap_or_default()
            }
            Some(_) => Vec::new(),
            None => recover::results(&view),
        };
        if let Some(kind) = without.filter(|_| results.is_empty()) {
            return Self::empty(kind);
        }
        let why = match (read.blocks, results.len()) {
            (0, 0) => "neither results nor a word about there being none".to_owned(),
            (0, found) => {
                format!("no result where it is declared; {found} recovered by their look")
            }
            (blocks, found) => {
                format!("{blocks} results without title and link; {found} recovered by their look")
            }
        };
        Self { results, kind: SerpKind::Broken { why } }
    }

    fn empty(kind: SerpKind) -> Self {
        Self { results: Vec::new(), kind }
    }
}

/// With at least this many results beside it, "nothing found" is not believed.
const MIN_LIST: usize = 3;

/// Whether what was recovered is a list of results: each has words beside its title, as links below "nothing found"
/// (help, other engines) do not.
fn is_list(results: &[Candidate]) -> bool {
    results.iter().filter(|it| it.snippet.is_some()).count() >= MIN_LIST
}

/// Blocks that redirect to a page of their own.
fn block_by_address(engine: &Engine, url: Option<&Url>) -> Option<Block> {
    let url = url?.as_str();
    let at = |signs: &Signs| signs.urls.iter().any(|it| url.contains(it));
    let challenge = at(&engine.blocked.challenge).then_some(Block::Challenge);
    challenge.or_else(|| at(&engine.blocked.consent).then_some(Block::Consent))
}

/// What a page without results is, where it says so.
///
/// Texts are looked for only here: a result may quote any of them. A page that found nothing repeats the query, so its
/// own words go before those of a block; markup goes before all words.
fn without_results(view: &View<'_>, input: Input<'_>) -> Option<SerpKind> {
    let engine = view.engine;
    let blocked = |block| Some(SerpKind::Blocked(block));
    let status = input.status.unwrap_or(200);
    let answered = (200..300).contains(&status);
    if answered && view.has(&engine.no_results.selectors) {
        return Some(SerpKind::NoResults);
    }
    if view.has(&engine.blocked.challenge.selectors) || engine.blocked.statuses.contains(&status) {
        return blocked(Block::Challenge);
    }
    if view.has(&engine.blocked.consent.selectors) {
        return blocked(Block::Consent);
    }
    if answered && view.says(&engine.no_results.texts) {
        return Some(SerpKind::NoResults);
    }
    if view.says(&engine.blocked.challenge.texts) || is_third_party_challenge(input) {
        return blocked(Block::Challenge);
    }
    if view.says(&engine.blocked.busy) {
        return blocked(Block::TooMany);
    }
    match status {
        200..=299 => view.shows(&engine.blocked.script).then_some(SerpKind::Blocked(Block::Script)),
        429 => blocked(Block::TooMany),
        401 | 403 | 418 | 451 | 503 => blocked(Block::Refused),
        status => Some(SerpKind::Failed { status }),
    }
}

/// Whether a challenge vendor protects the engine, or the page asks for a proof whatever its status. A bare
/// refusal is not a challenge: a person would see no more than we do.
fn is_third_party_challenge(input: Input<'_>) -> bool {
    let gate = |input| extract::read(input, &extract::ReadSettings::default()).gate;
    let challenge = |it: &extract::Gate| it.kind == GateKind::Challenge;
    gate(input).is_some_and(|it| challenge(&it) && it.vendor.is_some())
        || gate(Input { status: None, ..input }).is_some_and(|it| challenge(&it))
}
