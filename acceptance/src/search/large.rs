//! Two hundred pages in one task: what it costs beside the models, and whether it gives the same graph twice.

use testweb::{TestWeb, World, topics};

use super::plan::{Plan, Search};
use super::surroundings::Surroundings;
use super::worker::{Done, Work};
use crate::Arguments;
use crate::criteria::{Criteria, Target, say};

const PAGES: u32 = 200;
const MEGABYTE: f64 = 1024.0 * 1024.0;

pub(super) fn run(arguments: &Arguments, criteria: &mut Criteria) {
    let web = TestWeb::start(World::to_study(arguments.seed, arguments.sites));
    // Wide questions, so that each brings pages no other has read.
    let of_topic = |it: &testweb::Topic| Plan::of_topic(it).searches;
    let searches: Vec<Search> = topics().iter().flat_map(of_topic).collect();
    let question = "What is known about all of this?".to_owned();
    let plan = Plan { question, searches, max_pages: PAGES };
    let first = worked(&web, &plan);
    let second = worked(&web, &plan);
    say(&format!(
        "{} pages, {} claims in {:.0} s, {:.0} s of them in models; again: {:.0} s",
        first.pages, first.claims, first.seconds, first.model_seconds, second.seconds
    ));
    criteria.number("pages in one task", first.pages.into(), "", Target::Exactly(PAGES.into()));
    // Nobody waits for politeness here, so everything beside the models counts: fetching, reading, storing.
    criteria.number(
        "200 pages: time beside the models",
        100.0 * (1.0 - first.model_seconds / first.seconds),
        " %",
        Target::AtMost(15.0),
    );
    let peak = first.peak_bytes.map_or(f64::NAN, |it| it as f64 / MEGABYTE);
    criteria.number("200 pages: most memory", peak, " MB", Target::AtMost(400.0));
    criteria.share(
        "200 pages: a second run gives the same graph",
        usize::from(first.fingerprint == second.fingerprint),
        1,
        Target::Exactly(1.0),
    );
}

fn worked(web: &TestWeb, plan: &Plan) -> Done {
    // Some sites count who came how often; for each run they are new.
    web.clear_log();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let work = Work {
        surroundings: Surroundings::of(web),
        plan: plan.clone(),
        folder: folder.path().to_owned(),
    };
    Work::ended(work.start()).expect("nobody killed it")
}
