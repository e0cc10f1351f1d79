//! Decides which sites there are, what is on them, and what should become of each page.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::papers::JOURNALS;
use super::{
    Date, Expected, Injection, Language, Page, PageKind, Paper, Site, SiteKind, Stance, Template,
    Topic, World, articles, hash, papers, pick, topics,
};
use crate::sites::CLOSED_FOLDER;

/// Pages on an ordinary site.
const PAGES_PER_SITE: usize = 4;

pub(super) fn world(seed: u64, count: usize, divided: bool) -> World {
    let mut world = bare(seed, divided);
    let papers = papers::write(seed, divided);
    let mut numbers: HashMap<SiteKind, usize> = HashMap::new();
    // Papers name their journals, so these are there in the smallest world.
    let journals = std::iter::repeat_n(SiteKind::Journal, JOURNALS);
    for kind in journals.chain(rounds()).take(count.max(JOURNALS)) {
        let number = numbers.entry(kind).or_default();
        *number += 1;
        let site = site(seed, kind, *number);
        let pages = if kind == SiteKind::Journal {
            of_journal(seed, &site, &papers)
        } else {
            of_site(seed, &site, *number)
        };
        add(&mut world, site, pages);
    }
    world.papers = papers;
    world
}

fn bare(seed: u64, divided: bool) -> World {
    World {
        seed,
        divided,
        sites: Vec::new(),
        pages: Vec::new(),
        papers: Vec::new(),
        catalogue: Vec::new(),
        versions: false,
        by_host: HashMap::new(),
        by_place: HashMap::new(),
        ranking: OnceLock::new(),
    }
}

/// Puts a site and its pages into the world.
pub(super) fn add(world: &mut World, mut site: Site, pages: Vec<Page>) {
    let start = world.pages.len();
    for (place, page) in (start..).zip(&pages) {
        world.by_place.insert(format!("{}{}", page.host(), page.path()), place);
    }
    world.pages.extend(pages);
    site.pages = start..world.pages.len();
    world.by_host.insert(site.host.clone(), world.sites.len());
    world.sites.push(site);
}

/// All kinds once, then again those with a larger share, and so on for ever.
fn rounds() -> impl Iterator<Item = SiteKind> {
    let most = SiteKind::ALL.iter().map(|it| it.share()).max().unwrap_or(1);
    let round = move || {
        (0..most).flat_map(|level| {
            SiteKind::ALL
                .iter()
                .copied()
                .filter(move |it| it.share() > level && *it != SiteKind::Journal)
        })
    };
    std::iter::repeat_with(round).flatten()
}

pub(super) fn site(seed: u64, kind: SiteKind, number: usize) -> Site {
    let host = kind.host(number);
    let mut random = fastrand::Rng::with_seed(hash(seed, &host));
    let language = match kind {
        SiteKind::ShiftJis | SiteKind::EucJp | SiteKind::Kakunin => Language::Japanese,
        // The hand-made PDF has a Latin font only, and papers are in English.
        SiteKind::Pdf | SiteKind::Journal => Language::English,
        // Rings and digests link to pages in their own language.
        SiteKind::Echo | SiteKind::Digest => Language::English,
        _ if number % 3 == 2 => Language::Japanese,
        _ => Language::English,
    };
    let template = match kind {
        SiteKind::News | SiteKind::Copy | SiteKind::Echo => Template::Newspaper,
        SiteKind::Office | SiteKind::Register => Template::Office,
        SiteKind::Blog | SiteKind::Critic | SiteKind::Digest => Template::Blog,
        SiteKind::Forum => Template::Forum,
        SiteKind::Encyclopedia => Template::Encyclopedia,
        SiteKind::Journal => Template::Journal,
        SiteKind::BrokenHtml => Template::Newspaper,
        _ => pick(&mut random, &Template::GENERAL),
    };
    let scheme = match kind {
        SiteKind::ExpiredCertificate | SiteKind::WrongName | SiteKind::SelfSigned => "https",
        SiteKind::Journal => "https",
        SiteKind::Upgraded => "http",
        _ if random.u8(..10) < 3 => "http",
        _ => "https",
    };
    let name = match language {
        Language::English => {
            let first =
                pick(&mut random, &["Harbour", "Northern", "Daily", "Open", "Civic", "Green"]);
            let second = pick(
                &mut random,
                &["Observer", "Record", "Review", "Bulletin", "Notes", "Gazette"],
            );
            format!("{first} {second} {number}")
        }
        Language::Japanese => {
            let first = pick(&mut random, &["朝霧", "青峰", "みなと", "北の", "市民", "緑"]);
            let second = pick(&mut random, &["新報", "記録", "通信", "だより", "評論", "日報"]);
            format!("{first}{second}{number}")
        }
    };
    Site { host, kind, language, template, title: name, scheme, pages: 0..0 }
}

fn of_site(seed: u64, site: &Site, number: usize) -> Vec<Page> {
    (0..PAGES_PER_SITE).map(|nth| page(seed, site, number, nth)).collect()
}

fn page(seed: u64, site: &Site, number: usize, nth: usize) -> Page {
    let kind = match site.kind {
        SiteKind::Office => PageKind::Notice,
        SiteKind::Blog => PageKind::Blog,
        SiteKind::Forum => PageKind::Forum,
        SiteKind::Encyclopedia => PageKind::Encyclopedia,
        SiteKind::Copy => PageKind::PressRelease,
        _ => match site.template {
            Template::Office => PageKind::Notice,
            Template::Encyclopedia => PageKind::Encyclopedia,
            Template::Blog => PageKind::Blog,
            _ => PageKind::News,
        },
    };
    let own = hash(seed, &format!("{} {nth}", site.host));
    let mut random = fastrand::Rng::with_seed(own);
    // Copies are of few texts: the nth page of every such site in a language is one press release.
    let (place, copy_of) = match site.kind {
        SiteKind::Copy => {
            let text = nth * 2 + usize::from(site.language.is_japanese());
            ((nth * 5) % topics().len(), Some(text))
        }
        _ => ((hash(seed, &site.host) as usize + nth * 5) % topics().len(), None),
    };
    let topic: &'static Topic = &topics()[place];
    let stance = if copy_of.is_some() { Stance::Agrees } else { stance_of(&mut random) };
    let facts = facts_of(topic, stance, nth);
    let (first_year, last_year) =
        if stance == Stance::Outdated { (2016, 2019) } else { (2022, 2025) };
    let published = Date {
        year: random.i32(first_year..=last_year),
        month: random.u32(1..=12),
        day: random.u32(1..=28),
    };
    let title = articles::headline(site.language, kind, topic, &facts, own % 97);
    let closed = site.kind == SiteKind::RobotsSome && nth % 2 == 1;
    let folder = if closed { CLOSED_FOLDER } else { folder(site.kind) };
    let ending = if site.kind == SiteKind::Pdf { ".pdf" } else { "" };
    let origin = format!("{}://{}", site.scheme, site.host);
    Page {
        host_length: origin.len(),
        url: format!("{origin}{folder}{}-{}{ending}", topic.id, number * 10 + nth),
        kind,
        site: site.kind,
        topic,
        facts,
        language: site.language,
        expected: if closed { Expected::Robots } else { site.kind.expected() },
        title,
        published,
        copy_of,
        injection: (site.kind == SiteKind::Injected)
            .then(|| Injection::ALL[(number + nth) % Injection::ALL.len()]),
        paper: None,
        sources: Vec::new(),
        seed: own,
        html: OnceLock::new(),
    }
}

/// Seven of ten agree.
fn stance_of(random: &mut fastrand::Rng) -> Stance {
    match random.u8(..10) {
        0..=6 => Stance::Agrees,
        7 => Stance::Differs,
        8 => Stance::Denies,
        _ => Stance::Outdated,
    }
}

/// Two facts in the page's stance.
fn facts_of(topic: &'static Topic, stance: Stance, nth: usize) -> Vec<(&'static str, Stance)> {
    let count = topic.facts.len();
    [nth % count, (nth + 1) % count].map(|it| (topic.facts[it].id, stance)).to_vec()
}

fn folder(kind: SiteKind) -> &'static str {
    match kind {
        SiteKind::News => "/2025/stories/",
        SiteKind::Blog => "/posts/",
        SiteKind::Forum => "/t/",
        SiteKind::Encyclopedia => "/wiki/",
        SiteKind::Office => "/notices/",
        _ => "/articles/",
    }
}

fn of_journal(seed: u64, site: &Site, papers: &[Paper]) -> Vec<Page> {
    let origin = format!("{}://{}", site.scheme, site.host);
    let own =
        papers.iter().enumerate().filter(|it| it.1.page_url.starts_with(&format!("{origin}/")));
    let pages = own.map(|(place, paper)| Page {
        host_length: origin.len(),
        url: format!("{origin}{}", paper.path()),
        kind: PageKind::Paper,
        site: site.kind,
        topic: paper.topic,
        facts: paper.facts.clone(),
        language: site.language,
        expected: Expected::Readable,
        title: paper.title.clone(),
        published: paper.published,
        copy_of: None,
        injection: None,
        paper: Some(place),
        sources: Vec::new(),
        seed: hash(seed, &paper.doi),
        html: OnceLock::new(),
    });
    pages.collect()
}
