//! Processes that are killed in the middle of a search: the next one resumes, and the graph is as if nothing had happened.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Child;
use std::time::{Duration, Instant};

use graph::{Access, Graph};
use tempfile::TempDir;
use testweb::{TestWeb, World, topics};

use super::environment::Environment;
use super::plan::Plan;
use super::worker::{Done, Work};
use crate::Arguments;
use crate::criteria::{Criteria, Target, say};

/// Sites whose answer depends on who came before them would answer differently after a kill; the first in the world's
/// order do not.
const CALM_SITES: usize = 16;
/// Pages of one search: enough for more than one cycle.
const PAGES: u32 = 12;
/// How often a worker is looked at.
const LOOK: Duration = Duration::from_millis(5);
/// Lines in which graphs differ that are shown.
const SHOWN: usize = 6;

/// A run with its folder, so that two can be compared.
struct Run {
    folder: TempDir,
    done: Done,
}

pub(super) fn run(arguments: &Arguments, criteria: &mut Criteria) {
    let web = TestWeb::start(World::to_study(arguments.seed, CALM_SITES));
    let mut plan = Plan::of_topic(&topics()[0]);
    plan.searches.truncate(2);
    plan.searches.iter_mut().for_each(|it| it.max_pages = Some(PAGES));
    let whole = undisturbed(&web, &plan);
    let again = undisturbed(&web, &plan);
    say(&format!("undisturbed: {} pages in {:.1} s", whole.done.pages, whole.done.seconds));
    criteria.share(
        "undisturbed runs with the same graph",
        usize::from(whole.done.fingerprint == again.done.fingerprint),
        1,
        Target::Exactly(1.0),
    );
    differences(&whole, &again, criteria);

    let mut random = fastrand::Rng::with_seed(arguments.seed);
    let (mut kills, mut runs, mut same) = (0, 0, 0);
    let mut asked = Asked::default();
    while kills < arguments.kills {
        let run = disturbed(&web, &plan, &whole, &mut random, &mut kills, &mut asked);
        runs += 1;
        same += usize::from(run.done.fingerprint == whole.done.fingerprint);
        differences(&whole, &run, criteria);
    }
    say(&format!("{kills} kills in {runs} runs"));
    criteria.share(
        "graphs of killed and resumed runs that are the same",
        same,
        runs,
        Target::Exactly(1.0),
    );
    criteria.share(
        "pages in the archive at a kill that were not asked for again",
        asked.pages - asked.pages_again.len(),
        asked.pages,
        Target::Exactly(1.0),
    );
    for url in asked.pages_again.iter().take(SHOWN) {
        criteria.note(format!("asked for again although it was in the archive: {url}"));
    }
    criteria.share(
        "answers of engines and indexes in the archive at a kill that were not asked for again",
        asked.others - asked.others_again.len(),
        asked.others,
        Target::Exactly(1.0),
    );
    for url in asked.others_again.iter().take(SHOWN) {
        criteria.note(format!("asked again although the answer was in the archive: {url}"));
    }
}

/// What was in the archive at a kill, and what of that was asked for afterwards.
#[derive(Debug, Default)]
struct Asked {
    pages: usize,
    pages_again: Vec<String>,
    others: usize,
    others_again: Vec<String>,
}

impl Asked {
    /// Compares what the server was asked for with what was known.
    fn compare(&mut self, web: &TestWeb, known: &BTreeSet<String>) {
        let is_page = |place: &str| web.world().page_at(&format!("https://{place}")).is_some();
        let pages = known.iter().filter(|it| is_page(it)).count();
        self.pages += pages;
        self.others += known.len() - pages;
        // Two questions to one address are told apart by what they send; the archive's index does not tell.
        for hit in web.log().into_iter().filter(|it| it.method == "GET") {
            let place = format!("{}{}", hit.host, hit.path);
            if !known.contains(&place) {
                continue;
            }
            match is_page(&place) {
                true => self.pages_again.push(place),
                false => self.others_again.push(place),
            }
        }
    }
}

fn undisturbed(web: &TestWeb, plan: &Plan) -> Run {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let done = Work::ended(work(web, plan, folder.path()).start()).expect("nobody killed it");
    Run { folder, done }
}

/// Kills a worker at random moments until one gets through.
fn disturbed(
    web: &TestWeb,
    plan: &Plan,
    whole: &Run,
    random: &mut fastrand::Rng,
    kills: &mut usize,
    asked: &mut Asked,
) -> Run {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let work = work(web, plan, folder.path());
    web.clear_log();
    let mut known = BTreeSet::new();
    loop {
        let moment = Duration::from_secs_f64(whole.done.seconds * random.f64());
        let mut child = work.start();
        let was_killed = killed_at(&mut child, moment);
        asked.compare(web, &known);
        if !was_killed {
            let done = Work::ended(child).expect("nobody killed it");
            return Run { folder, done };
        }
        *kills += 1;
        child.wait().expect("a child can be waited for");
        web.clear_log();
        known = archived(folder.path());
    }
}

fn work(web: &TestWeb, plan: &Plan, folder: &Path) -> Work {
    Work {
        environment: Environment::for_processes(web),
        plan: plan.clone(),
        folder: folder.to_owned(),
    }
}

/// Kills a process after a while; returns whether it was still running.
fn killed_at(child: &mut Child, moment: Duration) -> bool {
    let begun = Instant::now();
    while begun.elapsed() < moment {
        if child.try_wait().expect("a child can be asked").is_some() {
            return false;
        }
        std::thread::sleep(LOOK);
    }
    // It may have ended meanwhile; then there is nothing to kill.
    child.try_wait().expect("a child can be asked").is_none() && child.kill().is_ok()
}

/// Host and path of every page whose answer is in the archive.
fn archived(folder: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let file = folder.join("lyra.db");
    if !file.exists() {
        return found;
    }
    // A process that was killed while it made the file leaves one that cannot be read yet.
    let Ok(graph) = Graph::open(&file, Access::Read, graph::Options::default()) else {
        return found;
    };
    let all = graph.read(|r| {
        r.each_archived(|record| {
            let place = record.url.split_once("://").map(|it| it.1.to_owned());
            found.extend(place.filter(|it| !it.ends_with("/robots.txt")));
            Ok(())
        })
    });
    all.expect("the index can be read");
    found
}

/// Says in which lines two graphs differ.
fn differences(one: &Run, other: &Run, criteria: &mut Criteria) {
    if one.done.fingerprint == other.done.fingerprint {
        return;
    }
    let lines = |run: &Run| -> BTreeSet<String> {
        let file = run.folder.path().join("lyra.db");
        let graph = Graph::open(&file, Access::Read, graph::Options::default());
        let graph = graph.expect("the graph can be read");
        let lines = graph.read(|r| r.content_lines(run.done.task));
        lines.expect("the graph can be read").into_iter().collect()
    };
    let (one, other) = (lines(one), lines(other));
    for line in one.difference(&other).take(SHOWN) {
        criteria.note(format!("only undisturbed: {line}"));
    }
    for line in other.difference(&one).take(SHOWN) {
        criteria.note(format!("only here: {line}"));
    }
}
