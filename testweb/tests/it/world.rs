//! The same seed is the same world.

use std::collections::{HashMap, HashSet};

use testweb::{Expected, Language, PageKind, SiteKind, Stance, TestWeb, World};

use crate::client::get;

/// Every page's bytes.
fn everything(seed: u64) -> Vec<(String, Vec<u8>)> {
    let web = TestWeb::start(World::of_size(seed, 80));
    // Left out: what never ends or takes its time.
    let kinds = [
        SiteKind::Endless,
        SiteKind::HeaderFlood,
        SiteKind::TooLarge,
        SiteKind::Stalled,
        SiteKind::Slow,
        SiteKind::Drip,
    ];
    let pages = web.world().pages().iter().filter(|it| !kinds.contains(&it.site));
    pages.map(|it| (it.url.clone(), get(&web, it.host(), it.path()).body)).collect()
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    assert_eq!(everything(7), everything(7));
}

#[test]
fn another_seed_gives_another_world() {
    let text = |seed| {
        let world = World::of_size(seed, 80);
        world.pages().iter().map(|it| world.article(it).text()).collect::<Vec<_>>()
    };
    assert_ne!(text(7), text(8));
}

#[test]
fn two_hundred_sites_hold_every_kind() {
    let world = World::new(1);
    assert_eq!(world.sites().len(), 200);
    let kinds: HashSet<SiteKind> = world.sites().iter().map(|it| it.kind).collect();
    assert_eq!(kinds.len(), SiteKind::ALL.len());
    let hosts: HashSet<&str> = world.sites().iter().map(|it| it.host.as_str()).collect();
    assert_eq!(hosts.len(), 200);
}

#[test]
fn all_outcomes_and_stances_occur() {
    let world = World::new(1);
    let outcomes: HashSet<Expected> = world.pages().iter().map(|it| it.expected).collect();
    assert_eq!(outcomes.len(), 18);
    for stance in [Stance::Agrees, Stance::Differs, Stance::Denies, Stance::Outdated] {
        let mut pages = world.pages().iter();
        assert!(pages.any(|it| it.facts.iter().any(|fact| fact.1 == stance)), "{stance:?}");
    }
    let japanese = world.pages().iter().filter(|it| it.language == Language::Japanese).count();
    assert!(japanese * 5 > world.pages().len(), "{japanese} of {}", world.pages().len());
}

#[test]
fn copies_differ_in_little_and_stand_on_several_hosts() {
    let world = World::new(1);
    let mut copies: HashMap<usize, Vec<_>> = HashMap::new();
    for page in world.pages().iter().filter(|it| it.kind == PageKind::PressRelease) {
        copies.entry(page.copy_of.unwrap()).or_default().push(page);
    }
    assert_eq!(copies.len(), 8);
    for pages in copies.values() {
        let hosts: HashSet<&str> = pages.iter().map(|it| it.host()).collect();
        assert!(hosts.len() >= 2, "{hosts:?}");
        let lines: Vec<HashSet<String>> = pages
            .iter()
            .map(|it| world.article(it).paragraphs().map(str::to_owned).collect())
            .collect();
        assert!(lines[0].intersection(&lines[1]).count() >= 5, "{:?}", lines[0]);
    }
}

#[test]
fn papers_cite_older_papers_and_three_are_retracted() {
    let world = World::new(1);
    assert_eq!(world.papers().len(), 72);
    assert_eq!(world.papers().iter().filter(|it| it.retracted).count(), 3);
    for (place, paper) in world.papers().iter().enumerate() {
        assert!(paper.references.iter().all(|it| *it < place), "{}", paper.title);
        let (host, path) =
            paper.page_url.strip_prefix("https://").unwrap().split_once('/').unwrap();
        assert!(world.page(host, &format!("/{path}")).is_some(), "{}", paper.page_url);
        assert_eq!(paper.s2_id.len(), 40);
    }
    let ids: HashSet<&str> = world.papers().iter().map(|it| it.openalex_id.as_str()).collect();
    assert_eq!(ids.len(), 72);
}

#[test]
fn small_worlds_have_at_least_the_journals() {
    let hosts: Vec<String> =
        World::of_size(1, 0).sites().iter().map(|it| it.host.clone()).collect();
    assert_eq!(hosts, ["journal-1.test", "journal-2.test", "journal-3.test", "journal-4.test"]);
}
