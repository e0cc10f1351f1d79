//! What searches find out about topics of which everything is known.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use evidence::{DomainCategory, Relation, SearchStatus};
use extract::near_duplicate::{NearDuplicateSettings, cluster, sketch};
use graph::Graph;
use judge::citations::find_loops;
use judge::independence::is_primary;
use research::calls::GetStatus;
use testweb::{Fact, Stance, TestWeb, Topic, World, registrable_domain, topics};

use super::environment::Environment;
use super::findings::{Finding, Findings, is_digest, page_of};
use super::plan::Plan;
use super::timed::Meter;
use super::truth;
use crate::Arguments;
use crate::criteria::{Criteria, Goal, Phase, Target, say};

/// What was found about one topic.
struct Studied {
    topic: &'static Topic,
    findings: Findings,
    searches: usize,
    satisfied: usize,
    pages_read: u32,
    useful: u32,
    largest_cluster: f64,
    primary_share: f64,
}

pub(super) fn run(arguments: &Arguments, criteria: &mut Criteria) {
    let web = TestWeb::start(World::to_study(arguments.seed, arguments.sites));
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let folder = arguments.keep.as_deref().unwrap_or(temporary.path());
    let runtime = tokio::runtime::Runtime::new().expect("threads can be started");
    let (graph, studied) = runtime.block_on(async {
        let engine = Environment::of(&web).engine(folder, &Arc::new(Meter::default()));
        let mut studied = Vec::new();
        for topic in topics().iter().take(arguments.topics) {
            let plan = Plan::of_topic(topic);
            let task = plan.create(&engine).await;
            let (mut satisfied, mut pages_read, mut useful) = (0, 0, 0);
            for search in &plan.searches {
                let answer = search.run(&engine, task).await;
                satisfied += usize::from(answer.status == SearchStatus::Satisfied);
                pages_read += answer.pages_fetched;
                useful += answer.useful_fragments;
                if answer.status != SearchStatus::Satisfied {
                    criteria.note(format!(
                        "not satisfied: \"{}\"{}: {:?} ({} independent, primary {:?}), {} pages, {} missed",
                        search.query,
                        if search.refute { " (refute)" } else { "" },
                        answer.stop_reason,
                        answer.independent_sources.unwrap_or_default(),
                        answer.has_primary_source,
                        answer.pages_fetched,
                        answer.missed.len(),
                    ));
                }
            }
            let status = engine.get_status(GetStatus { task_id: task, wait_seconds: None }).await;
            let metrics = status.expect("the task is there").metrics;
            let findings = Findings::of(engine.graph(), task);
            say(&format!(
                "{}: {} searches, {} pages, {} claims",
                topic.name.en,
                plan.searches.len(),
                findings.pages.len(),
                findings.claims.len()
            ));
            studied.push(Studied {
                topic,
                findings,
                searches: plan.searches.len(),
                satisfied,
                pages_read,
                useful,
                largest_cluster: metrics.largest_cluster_share.unwrap_or_default(),
                primary_share: metrics.primary_share.unwrap_or_default(),
            });
        }
        (Arc::clone(engine.graph()), studied)
    });
    let world = web.world();
    searching(&studied, criteria);
    main_claims(world, &studied, criteria);
    variety(world, &studied, criteria);
    loops(world, &studied, criteria);
    traps(world, &graph, &studied, criteria);
    let facts = studied.iter().map(|it| (it.topic, it.findings.claims.as_slice()));
    truth::measure(&graph, facts, criteria);
}

fn searching(studied: &[Studied], criteria: &mut Criteria) {
    let sum = |of: fn(&Studied) -> usize| studied.iter().map(of).sum::<usize>();
    criteria.share(
        "searches that were satisfied",
        sum(|it| it.satisfied),
        sum(|it| it.searches),
        Target::AtLeast(0.90),
    );
    let useful: u32 = studied.iter().map(|it| it.useful).sum();
    let read: u32 = studied.iter().map(|it| it.pages_read).sum();
    criteria.number(
        "harvest: useful passages for each page",
        f64::from(useful) / f64::from(read),
        "",
        Target::AtLeast(0.25),
    );
}

/// What is true about the topics, as the sources that are right say it, and the best claim for it.
fn main_claims<'a>(world: &'a World, studied: &'a [Studied], criteria: &mut Criteria) {
    let mut main: Vec<(&'static Fact, Option<&Finding>)> = Vec::new();
    for it in studied {
        for fact in &it.topic.facts {
            main.push((fact, it.findings.stating(world, fact, Stance::Agrees)));
        }
    }
    for (fact, claim) in &main {
        let shown = claim.map_or("no claim".to_owned(), |claim| {
            let count = |relation| claim.independent(world, relation);
            format!("{} support it, {} refute it", count("supports"), count("refutes"))
        });
        say(&format!("  {}: {shown}", fact.id));
    }
    let mut share = |name, goal: Goal, holds: &dyn Fn(&Finding) -> bool| {
        let reached = main.iter().filter(|it| it.1.is_some_and(holds)).count();
        criteria.share(name, reached, main.len(), goal);
    };
    let supported = |it: &Finding| it.independent(world, "supports");
    let backed = Target::AtLeast(0.90).due_in(Phase::Mvp);
    share("main claims with 3 independent sources", backed, &|it| supported(it) >= 3);
    let twice = Target::Exactly(1.0).into();
    share("main claims with 2 independent sources", twice, &|it| supported(it) >= 2);
    share("main claims with a refuting passage", Target::AtLeast(0.80).into(), &|it| {
        it.with("refutes").next().is_some()
    });
    let primary = Target::AtLeast(0.60).due_in(Phase::Second);
    share("main claims with a primary source", primary, &|it| {
        it.with("supports").any(|it| is_primary(it.category))
    });
    let dated = Target::AtLeast(0.90).into();
    share("main claims with a timeline of two dates or more", dated, &|it| {
        it.edges.iter().filter_map(|edge| edge.published.as_ref()).collect::<BTreeSet<_>>().len()
            >= 2
    });
    let sources = main.iter().filter_map(|it| it.1).flat_map(|it| it.with("supports"));
    let sources: Vec<_> = sources.collect();
    let digests = sources.iter().filter(|it| is_digest(world, &it.url)).count();
    criteria.share(
        "digests among the sources of main claims",
        digests,
        sources.len(),
        Target::AtMost(0.20),
    );
}

fn variety(world: &World, studied: &[Studied], criteria: &mut Criteria) {
    let (mut copies, mut read) = (0, 0);
    let (mut repeated, mut kept) = (0, 0);
    let mut sites: BTreeMap<DomainCategory, BTreeSet<&str>> = BTreeMap::new();
    for it in studied {
        let sketches: Vec<_> = it.findings.kept.iter().map(|it| sketch(it)).collect();
        repeated += sketches.len() - cluster(&sketches, &NearDuplicateSettings::default()).len();
        kept += sketches.len();
        let sketches: Vec<_> =
            it.findings.pages.iter().filter_map(|it| it.sketch.clone()).collect();
        copies += sketches.len() - cluster(&sketches, &NearDuplicateSettings::default()).len();
        read += sketches.len();
        for page in &it.findings.pages {
            let host = page.url.split('/').nth(2).unwrap_or_default();
            sites.entry(page.category).or_default().insert(registrable_domain(host));
        }
    }
    criteria.share("pages that repeat another one", copies, read, Target::AtMost(0.20));
    // Every page of this world states a fact in the same words, so passages are more alike here than on the web.
    criteria.note(format!("{repeated} of {kept} kept passages are near another one"));
    let all: usize = sites.values().map(BTreeSet::len).sum();
    let most = sites.values().map(BTreeSet::len).max().unwrap_or_default();
    criteria.share("sites of the most frequent category", most, all, Target::AtMost(0.60));
    let largest = studied.iter().map(|it| it.largest_cluster).fold(0.0, f64::max);
    criteria.number(
        "largest group of pages with one story",
        largest * 100.0,
        " %",
        Target::AtMost(60.0).due_in(Phase::Second),
    );
    let primary: f64 = studied.iter().map(|it| it.primary_share).sum();
    criteria.note(format!(
        "primary pages among all that were read: {:.0} % (mean of the tasks)",
        100.0 * primary / studied.len() as f64
    ));
    let digests = studied
        .iter()
        .flat_map(|it| &it.findings.pages)
        .filter(|it| is_digest(world, &it.url))
        .count();
    criteria.note(format!("{digests} of {read} pages that were read are digests"));
}

/// Rings of pages that name each other as their source, of which all pages were read.
fn loops(world: &World, studied: &[Studied], criteria: &mut Criteria) {
    let (mut recognised, mut there) = (0, 0);
    for it in studied {
        let read: BTreeSet<&str> = it.findings.pages.iter().map(|it| it.url.as_str()).collect();
        let pairs: Vec<(&str, &str)> =
            it.findings.citations.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        let site = |url: &str| url.split('/').nth(2).map(str::to_owned);
        let found = find_loops(&pairs, site);
        for ring in world.rings().iter().filter(|ring| ring[0].topic.id == it.topic.id) {
            let members: BTreeSet<&str> = ring.iter().map(|it| it.url.as_str()).collect();
            if !members.is_subset(&read) {
                criteria.note(format!("the ring on {} was not read whole", it.topic.id));
                continue;
            }
            there += 1;
            let in_cycle = found
                .cycles
                .iter()
                .any(|cycle| cycle.iter().copied().collect::<BTreeSet<_>>() == members);
            let in_pair =
                found.round_trips.iter().any(|(a, b)| BTreeSet::from([*a, *b]) == members);
            recognised += usize::from(in_cycle || in_pair);
        }
    }
    criteria.share("citation loops recognised", recognised, there, Target::AtLeast(0.80));
}

/// Pages that give orders, copies, retracted papers.
fn traps(world: &World, graph: &Graph, studied: &[Studied], criteria: &mut Criteria) {
    let injected = |url: &str| page_of(world, url).is_some_and(|it| it.injection.is_some());
    let pages: BTreeSet<&str> = studied
        .iter()
        .flat_map(|it| &it.findings.pages)
        .map(|it| it.url.as_str())
        .filter(|it| injected(it))
        .collect();
    let heard: BTreeSet<&str> = studied
        .iter()
        .flat_map(|it| &it.findings.claims)
        .flat_map(|it| &it.edges)
        .filter(|it| it.relation != "neutral")
        .map(|it| it.url.as_str())
        .filter(|it| injected(it))
        .collect();
    criteria.share(
        "pages that give orders, without influence",
        pages.iter().filter(|it| !heard.contains(*it)).count(),
        pages.len(),
        Target::Exactly(1.0),
    );
    for url in heard {
        let kind = page_of(world, url).and_then(|it| it.injection);
        criteria.note(format!("{url} gives orders ({kind:?}) and is evidence"));
    }

    let (mut once, mut with_copies) = (0, 0);
    for it in studied {
        for claim in &it.findings.claims {
            let texts: Vec<usize> =
                claim.with("supports").filter_map(|it| page_of(world, &it.url)?.copy_of).collect();
            let different: BTreeSet<&usize> = texts.iter().collect();
            if texts.len() == different.len() {
                continue;
            }
            with_copies += 1;
            let sources = graph.read(|r| r.source_pages_of(claim.id)).expect("the claim is there");
            let counted = sources.iter().filter(|it| it.relation == Relation::Supports).count();
            let real = claim.independent(world, "supports");
            once += usize::from(counted <= real);
            if counted > real {
                criteria.note(format!(
                    "\"{}\": {counted} sources counted, {real} are there",
                    claim.text
                ));
            }
        }
    }
    criteria.share("claims with copies that count once", once, with_copies, Target::Exactly(1.0));

    let (mut marked, mut retracted) = (0, 0);
    for it in studied {
        for claim in &it.findings.claims {
            let origin = claim.with("supports").next();
            let paper = origin.and_then(|it| page_of(world, &it.url)?.paper);
            if !paper.is_some_and(|it| world.papers()[it].retracted) {
                continue;
            }
            retracted += 1;
            let is_marked =
                claim.events.contains("retracted") && claim.with("refutes").next().is_some();
            marked += usize::from(is_marked);
            if !is_marked {
                criteria.note(format!("from a retracted paper, unmarked: \"{}\"", claim.text));
            }
        }
    }
    criteria.share("claims of retracted papers, marked", marked, retracted, Target::Exactly(1.0));
}
