//! What exists in the small internet: sites, pages, papers, and the truth about each.
//!
//! Everything follows from the seed. Pages know what a good reader should make of them ([`Expected`]) and which facts
//! they state how, so that acceptance can count; their bytes are made when they are asked for.

pub(crate) mod articles;
mod date;
mod facts;
mod injections;
pub(crate) mod papers;
mod plan;
pub(crate) mod ranking;
mod study;
pub(crate) mod templates;
mod words;

use std::collections::HashMap;
use std::sync::OnceLock;

use hyper::body::Bytes;

pub use articles::{Article, Section};
pub use date::Date;
pub(crate) use date::NOW_HTTP;
pub use facts::{Fact, Field, Stance, Text, Topic, fact, topics};
pub use injections::Injection;
pub use papers::{Indexed, Paper};
pub use templates::Template;

pub use crate::sites::SiteKind;
use ranking::Ranking;

/// The sites of [`World::new`].
const USUAL_SITES: usize = 200;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    English,
    Japanese,
}

impl Language {
    pub fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Japanese => "ja",
        }
    }

    pub(crate) fn is_japanese(self) -> bool {
        self == Self::Japanese
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PageKind {
    News,
    Notice,
    Blog,
    Forum,
    Encyclopedia,
    PressRelease,
    Paper,
    /// Short quotes of other pages, with links to them.
    Digest,
}

/// What a good client and reader make of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Expected {
    Readable,
    /// Readable once the site has been left alone for a while, or asked again.
    ReadableLater,
    Login,
    Challenge,
    Paywall,
    Forbidden,
    NotFound,
    /// A page that says "not found" with status 200.
    SoftNotFound,
    Robots,
    PrivateAddress,
    TooManyRedirects,
    TooLarge,
    TimedOut,
    UnknownHost,
    CannotConnect,
    BadCertificate,
    BrokenAnswer,
    ServerError,
}

#[derive(Debug, Clone)]
pub struct Site {
    pub host: String,
    pub kind: SiteKind,
    pub language: Language,
    pub template: Template,
    pub title: String,
    /// `http` or `https`.
    pub scheme: &'static str,
    pub(crate) pages: std::ops::Range<usize>,
}

/// An address of the small internet and the truth about it.
#[derive(Debug, Clone)]
pub struct Page {
    pub url: String,
    pub kind: PageKind,
    pub site: SiteKind,
    pub topic: &'static Topic,
    /// The facts it speaks about and how.
    pub facts: Vec<(&'static str, Stance)>,
    pub language: Language,
    pub expected: Expected,
    pub title: String,
    pub published: Date,
    /// Pages with the same number are copies of one text.
    pub copy_of: Option<usize>,
    pub injection: Option<Injection>,
    /// The paper it shows, by its place in [`World::papers`].
    pub paper: Option<usize>,
    /// Addresses it names as its sources, besides papers.
    pub sources: Vec<String>,
    pub(crate) seed: u64,
    pub(crate) host_length: usize,
    /// Its HTML, once it has been asked for.
    pub(crate) html: OnceLock<Bytes>,
}

impl Page {
    /// With the leading slash.
    pub fn path(&self) -> &str {
        &self.url[self.host_length..]
    }

    pub fn host(&self) -> &str {
        let rest = self.url[..self.host_length].split_once("://");
        rest.map_or("", |it| it.1)
    }
}

#[derive(Debug)]
pub struct World {
    seed: u64,
    /// Whether engines know different parts of it, and texts that are no copies have little in common.
    divided: bool,
    sites: Vec<Site>,
    pages: Vec<Page>,
    papers: Vec<Paper>,
    /// Papers that lists of references name.
    catalogue: Vec<Paper>,
    /// Whether the Wayback Machine has versions of its pages.
    versions: bool,
    by_host: HashMap<String, usize>,
    by_place: HashMap<String, usize>,
    ranking: OnceLock<Ranking>,
}

impl World {
    /// A world of 200 sites of all kinds.
    pub fn new(seed: u64) -> Self {
        Self::of_size(seed, USUAL_SITES)
    }

    /// A world of this many sites, all kinds in fixed shares.
    pub fn of_size(seed: u64, sites: usize) -> Self {
        plan::world(seed, sites, false)
    }

    /// A world of this many sites of the usual kinds and, besides, those that research is judged by: registers with
    /// every fact, critics of every fact, rings of pages that name each other as their source, digests. Each engine
    /// knows another part of it, and texts share facts and background alone.
    pub fn to_study(seed: u64, sites: usize) -> Self {
        study::world(seed, sites)
    }

    /// The same world with so many papers more, which Crossref, Europe PMC and the register of DOIs know and no page shows.
    #[must_use]
    pub fn with_catalogue(mut self, count: usize) -> Self {
        let like = self.papers.first().cloned();
        self.catalogue = like.map_or_else(Vec::new, |it| papers::catalogue(self.seed, count, &it));
        self
    }

    /// The same world, of whose pages the Wayback Machine has versions.
    #[must_use]
    pub fn with_versions(mut self) -> Self {
        self.versions = true;
        self
    }

    pub(crate) fn keeps_versions(&self) -> bool {
        self.versions
    }

    /// What the old version of every page says besides, and the page says no more.
    pub fn withdrawn(language: Language) -> &'static str {
        match language {
            Language::English => "The agency counted 412 cases of it in the first year.",
            Language::Japanese => "当局はその初年度に412件の事例を数えた。",
        }
    }

    /// The papers of [`World::with_catalogue`].
    pub fn catalogue(&self) -> &[Paper] {
        &self.catalogue
    }

    /// All papers that registers know.
    pub(crate) fn registered(&self) -> impl Iterator<Item = &Paper> {
        self.papers.iter().chain(&self.catalogue)
    }

    pub fn seed(&self) -> u64 {
        self.seed
    }

    pub fn sites(&self) -> &[Site] {
        &self.sites
    }

    /// Every address whose outcome is known.
    pub fn pages(&self) -> &[Page] {
        &self.pages
    }

    pub fn papers(&self) -> &[Paper] {
        &self.papers
    }

    /// The site of a host name, with or without `www.`.
    pub fn site(&self, host: &str) -> Option<&Site> {
        let bare = host.strip_prefix("www.").unwrap_or(host);
        self.by_host.get(bare).map(|it| &self.sites[*it])
    }

    pub fn sites_of(&self, kind: SiteKind) -> impl Iterator<Item = &Site> {
        self.sites.iter().filter(move |it| it.kind == kind)
    }

    pub fn pages_of(&self, host: &str) -> impl Iterator<Item = &Page> {
        self.site(host).into_iter().flat_map(|it| &self.pages[it.pages.clone()])
    }

    /// The page at a path of a host; the query does not matter.
    pub fn page(&self, host: &str, path: &str) -> Option<&Page> {
        self.by_place.get(&format!("{host}{path}")).map(|it| &self.pages[*it])
    }

    /// The page at an address.
    pub fn page_at(&self, url: &str) -> Option<&Page> {
        let (_, place) = url.split_once("://")?;
        self.by_place.get(place).map(|it| &self.pages[*it])
    }

    /// Pages that name each other as their source: each names the next, the last one the first.
    pub fn rings(&self) -> Vec<Vec<&Page>> {
        study::rings(self)
    }

    /// The text of a page as its author wrote it, without anything around it.
    pub fn article(&self, page: &Page) -> Article {
        articles::write(self, page)
    }

    /// Whether an engine has found a page. Where the world is not divided, every engine knows everything.
    pub(crate) fn is_known_to(&self, engine: &str, page: &Page) -> bool {
        const KNOWN_OF_TEN: u64 = 6;
        !self.divided || hash(page.seed, engine) % 10 < KNOWN_OF_TEN
    }

    pub(crate) fn ranking(&self) -> &Ranking {
        self.ranking.get_or_init(|| Ranking::new(self))
    }
}

/// A stable hash (FNV-1a), so that a seed means the same on every machine.
pub(crate) fn hash(seed: u64, text: &str) -> u64 {
    let start = 0xcbf2_9ce4_8422_2325 ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    text.bytes().fold(start, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The chosen item of a list that is never empty.
pub(crate) fn pick<T: Copy>(random: &mut fastrand::Rng, items: &[T]) -> T {
    items[random.usize(..items.len())]
}
