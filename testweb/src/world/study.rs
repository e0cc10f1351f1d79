//! A world to be studied: the usual sites, and those that make a topic worth a careful look.
//!
//! Registers state every fact of every topic as it is, critics say otherwise, rings of pages name each other as their
//! source, and digests repeat what other sites wrote. What research makes of them can be counted against this.

use std::sync::OnceLock;

use super::plan::{add, site};
use super::{
    Date, Expected, Language, Page, PageKind, Site, SiteKind, Stance, Topic, World, articles, hash,
    plan, topics,
};

/// How many sites of each kind there are.
const SITES: [(SiteKind, usize); 4] =
    [(SiteKind::Register, 3), (SiteKind::Critic, 3), (SiteKind::Echo, 3), (SiteKind::Digest, 2)];

/// Pages one page of a digest repeats.
const PER_DIGEST: usize = 6;

/// Of this many agreeing stories one names the register as its source.
const STORIES_PER_SOURCE: u64 = 3;

pub(super) fn world(seed: u64, count: usize) -> World {
    let mut world = plan::world(seed, count, true);
    for (kind, sites) in SITES {
        for number in 1..=sites {
            let site = site(seed, kind, number);
            let pages = topics().iter().enumerate().map(|it| page(&world, &site, number, it));
            let pages = pages.collect();
            add(&mut world, site, pages);
        }
    }
    let register = site(seed, SiteKind::Register, 1);
    for page in world.pages.iter_mut().filter(|it| tells_its_source(it)) {
        page.sources.push(address(&register, page.topic));
    }
    world
}

/// The rings, by topic.
pub(super) fn rings(world: &World) -> Vec<Vec<&Page>> {
    let mut rings = Vec::new();
    for (place, topic) in topics().iter().enumerate() {
        let members = (1..=ring_length(place)).filter_map(|number| {
            world.pages_of(&SiteKind::Echo.host(number)).find(|it| it.topic.id == topic.id)
        });
        let members: Vec<&Page> = members.collect();
        if members.len() == ring_length(place) {
            rings.push(members);
        }
    }
    rings
}

/// Every second topic has a ring of three pages, the others two pages that name each other.
fn ring_length(topic: usize) -> usize {
    if topic.is_multiple_of(2) { 3 } else { 2 }
}

fn page(world: &World, site: &Site, number: usize, topic: (usize, &'static Topic)) -> Page {
    let (place, topic) = topic;
    let own = hash(world.seed, &format!("{} {}", site.host, topic.id));
    let mut random = fastrand::Rng::with_seed(own);
    let kind = match site.kind {
        SiteKind::Register => PageKind::Notice,
        SiteKind::Digest => PageKind::Digest,
        SiteKind::Critic => PageKind::Blog,
        _ => PageKind::News,
    };
    let stance = match (site.kind, number) {
        (SiteKind::Critic, 1) => Stance::Differs,
        (SiteKind::Critic, _) => Stance::Denies,
        _ => Stance::Agrees,
    };
    let facts = topic.facts.iter().map(|it| (it.id, stance));
    let facts: Vec<_> = match site.kind {
        // What it says is in the pages it repeats.
        SiteKind::Digest => Vec::new(),
        _ => facts.collect(),
    };
    let sources = match site.kind {
        SiteKind::Echo => vec![named_by(world.seed, number, place, topic)],
        SiteKind::Digest => repeated_by(world, site, topic),
        _ => Vec::new(),
    };
    Page {
        host_length: site.scheme.len() + "://".len() + site.host.len(),
        url: address(site, topic),
        kind,
        site: site.kind,
        topic,
        title: articles::headline(site.language, kind, topic, &facts, own % 97),
        facts,
        language: site.language,
        expected: Expected::Readable,
        published: Date {
            year: random.i32(2023..=2025),
            month: random.u32(1..=12),
            day: random.u32(1..=28),
        },
        copy_of: None,
        injection: None,
        paper: None,
        sources,
        seed: own,
        html: OnceLock::new(),
    }
}

fn address(site: &Site, topic: &Topic) -> String {
    format!("{}://{}/topics/{}", site.scheme, site.host, topic.id)
}

/// Whom a page of a ring names: the next of the ring; who is in no ring names the register.
fn named_by(seed: u64, number: usize, place: usize, topic: &Topic) -> String {
    let length = ring_length(place);
    if number > length {
        return address(&site(seed, SiteKind::Register, 1), topic);
    }
    address(&site(seed, SiteKind::Echo, number % length + 1), topic)
}

/// The first readable pages on the topic, one of a site, in the digest's language.
fn repeated_by(world: &World, digest: &Site, topic: &Topic) -> Vec<String> {
    let mut sources: Vec<&Page> = Vec::new();
    for page in &world.pages {
        let fits = page.topic.id == topic.id
            && page.language == digest.language
            && page.expected == Expected::Readable
            && page.injection.is_none()
            && !page.facts.is_empty();
        if fits && sources.iter().all(|it| it.host() != page.host()) {
            sources.push(page);
        }
    }
    sources.iter().take(PER_DIGEST).map(|it| it.url.clone()).collect()
}

fn tells_its_source(page: &Page) -> bool {
    page.language == Language::English
        && matches!(page.site, SiteKind::News | SiteKind::Blog)
        && page.facts.iter().all(|it| it.1 == Stance::Agrees)
        && page.seed.is_multiple_of(STORIES_PER_SOURCE)
}
