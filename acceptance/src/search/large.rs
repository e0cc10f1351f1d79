//! Two hundred pages in one task: what it costs beside the models, and whether it gives the same graph twice.

use testweb::{TestWeb, World, topics};

use super::environment::Environment;
use super::plan::{Plan, Search};
use super::timed::Beside;
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
    for run in [&first, &second] {
        let Done { pages, claims, seconds, model_seconds, beside, .. } = run;
        let Beside { silent_sites, sources, citations, pages: reading, judging, rest } = beside;
        say(&format!(
            "{pages} pages, {claims} claims in {seconds:.1} s: {model_seconds:.1} s in models, {sources:.1} s asking \
             sources, {citations:.1} s following citations, {reading:.1} s fetching and storing pages, {judging:.1} s \
             judging and storing, {rest:.1} s for the rest, {silent_sites:.1} s waiting for sites that never answered"
        ));
    }
    criteria.number("pages in one task", first.pages.into(), "", Target::Exactly(PAGES.into()));
    // There are no politeness waits here, so everything beside the models counts: asking, fetching (slow sites too),
    // reading, storing. Only sites that never answer are left out, of the run as well: how long they hold up a search
    // is the patience that was set, and nothing a search does.
    let at_work = first.seconds - first.beside.silent_sites;
    criteria.number(
        "200 pages: time beside the models",
        100.0 * (1.0 - first.model_seconds / at_work),
        " %",
        Target::AtMost(15.0),
    );
    criteria.note(format!(
        "200 pages: {:.1} % of the run were beside the models when waiting for sites that never answered is counted in",
        100.0 * (1.0 - first.model_seconds / first.seconds)
    ));
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
        environment: Environment::of(web),
        plan: plan.clone(),
        folder: folder.path().to_owned(),
    };
    Work::ended(work.start()).expect("nobody killed it")
}
