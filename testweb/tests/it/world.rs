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
    let usual = SiteKind::ALL.iter().filter(|it| !it.is_for_study()).count();
    assert_eq!(kinds.len(), usual);
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

#[test]
fn a_world_to_study_has_the_usual_sites_and_four_kinds_more() {
    let usual = World::of_size(1, 60);
    let world = World::to_study(1, 60);
    let hosts = |world: &World| world.sites().iter().map(|it| it.host.clone()).collect::<Vec<_>>();
    let more = [
        "register-1.test",
        "register-2.test",
        "register-3.test",
        "critic-1.test",
        "critic-2.test",
        "critic-3.test",
        "echo-1.test",
        "echo-2.test",
        "echo-3.test",
        "digest-1.test",
        "digest-2.test",
    ];
    assert_eq!(hosts(&world), [hosts(&usual), more.map(str::to_owned).to_vec()].concat());
    for host in more {
        assert_eq!(world.pages_of(host).count(), 12, "{host}");
    }
}

#[test]
fn registers_state_every_fact_and_critics_say_otherwise_about_every_fact() {
    let world = World::to_study(1, 60);
    for (host, stance) in [
        ("register-1.test", Stance::Agrees),
        ("critic-1.test", Stance::Differs),
        ("critic-3.test", Stance::Denies),
    ] {
        let facts: HashSet<_> = world.pages_of(host).flat_map(|it| it.facts.clone()).collect();
        assert_eq!(facts.len(), 36, "{host}");
        assert!(facts.iter().all(|it| it.1 == stance), "{host}");
    }
}

#[test]
fn engines_know_different_parts_of_a_world_to_study() {
    let hosts = |world: World, engine: &str, path: &str| -> HashSet<String> {
        let web = TestWeb::start(world);
        let page = get(&web, engine, path).text();
        let hosts = web.world().sites().iter().map(|it| it.host.clone());
        hosts.filter(|it| page.contains(&format!("//{it}/"))).collect()
    };
    let (mojeek, ecosia) = ("www.mojeek.com", "www.ecosia.org");
    let query = "/search?q=tarcoxin";
    let study = || World::to_study(1, 200);
    assert_ne!(hosts(study(), mojeek, query), hosts(study(), ecosia, query));
    assert_eq!(hosts(study(), mojeek, query), hosts(study(), mojeek, query));
    assert_eq!(hosts(World::new(1), mojeek, query), hosts(World::new(1), ecosia, query));
    assert_eq!(hosts(study(), mojeek, query).len(), 10);
}

#[test]
fn the_pages_of_a_ring_link_to_the_next_one() {
    let web = TestWeb::start(World::to_study(1, 60));
    let rings = web.world().rings();
    let lengths: Vec<usize> = rings.iter().map(Vec::len).collect();
    assert_eq!(lengths, [3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2]);
    for ring in rings {
        for (place, page) in ring.iter().enumerate() {
            let next = &ring[(place + 1) % ring.len()].url;
            let text = get(&web, page.host(), page.path()).text();
            assert!(text.contains(&format!("<a href=\"{next}\">")), "{} lacks {next}", page.url);
        }
    }
    assert!(World::of_size(1, 60).rings().is_empty());
}

#[test]
fn a_digest_repeats_six_pages_of_other_sites_and_links_to_them() {
    let web = TestWeb::start(World::to_study(1, 200));
    let page = web.world().pages_of("digest-1.test").next().unwrap();
    assert_eq!(page.sources.len(), 6);
    let text = get(&web, page.host(), page.path()).text();
    for source in &page.sources {
        let (id, stance) = web.world().page_at(source).unwrap().facts[0];
        let said = testweb::fact(id).unwrap().1.sentence(Language::English, stance);
        assert!(text.contains(source.as_str()) && text.contains(&said), "{source}");
    }
}
