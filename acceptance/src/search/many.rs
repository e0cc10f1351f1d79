//! Ten searches at once, on one task and on ten: nothing is lost, and budgets are kept.

use std::collections::BTreeSet;
use std::sync::Arc;

use evidence::{SearchStatus, TaskId};
use research::Engine;
use research::calls::GetStatus;
use tempfile::TempDir;
use testweb::{TestWeb, World, topics};
use tokio::task::JoinSet;

use super::environment::Environment;
use super::findings;
use super::plan::{Plan, Search};
use super::timed::Meter;
use crate::Arguments;
use crate::criteria::{Criteria, Target, say};

const AT_ONCE: usize = 10;
/// Sites whose answers do not depend on earlier requests.
const CALM_SITES: usize = 16;
/// Pages of one search where there is enough for all, and of the whole task where there is not.
const ENOUGH: u32 = 8;
const SCARCE: u32 = 25;

pub(super) fn run(arguments: &Arguments, criteria: &mut Criteria) {
    let runtime = tokio::runtime::Runtime::new().expect("threads can be started");
    let seed = arguments.seed;
    runtime.block_on(async {
        one_task(seed, criteria).await;
        ten_tasks(seed, criteria).await;
    });
}

/// An engine with a small internet and a folder of its own.
struct Fixture {
    web: TestWeb,
    engine: Engine,
    _folder: TempDir,
}

impl Fixture {
    fn new(seed: u64) -> Self {
        let web = TestWeb::start(World::to_study(seed, CALM_SITES));
        let folder = tempfile::tempdir().expect("a temporary folder");
        let engine = Environment::of(&web).engine(folder.path(), &Arc::new(Meter::default()));
        Self { web, engine, _folder: folder }
    }

    async fn one_by_one(&self, task: TaskId, searches: &[Search]) {
        for search in searches {
            search.run(&self.engine, task).await;
        }
    }

    /// Starts all searches at once; returns how many of them ended.
    async fn at_once(&self, searches: Vec<(TaskId, Search)>) -> usize {
        let mut running = JoinSet::new();
        for (task, search) in searches {
            let engine = self.engine.clone();
            running.spawn(async move { search.run(&engine, task).await });
        }
        let answers = running.join_all().await;
        answers.iter().filter(|it| it.status != SearchStatus::Running && !it.running).count()
    }

    /// Addresses that sources listed for a task, and the pages that were read. Which search follows a citation that two
    /// searches come upon depends on who is first; that it is followed does not.
    fn found(&self, task: TaskId) -> BTreeSet<String> {
        let graph = self.engine.graph();
        let listed = findings::rows(
            graph,
            &format!(
                "SELECT DISTINCT s.url FROM serp_items s JOIN queries q ON q.id = s.query_id WHERE q.task_id = '{task}'"
            ),
        );
        let listed = listed.iter().map(|row| format!("listed {}", findings::text(&row[0])));
        let read = graph.read(|r| r.read_pages_of(task)).expect("the graph can be read");
        listed.chain(read.into_iter().map(|it| format!("read {}", it.url))).collect()
    }

    /// What went wrong when sources were asked.
    fn problems(&self) -> Vec<String> {
        let asked = findings::rows(
            self.engine.graph(),
            "SELECT json_extract(s.value, '$.source') || ': ' || json_extract(s.value, '$.problem') AS problem, count(*)
             FROM jobs, json_each(jobs.result, '$.sources') s
             WHERE jobs.kind = 'serp' AND json_extract(s.value, '$.problem') IS NOT NULL GROUP BY 1 ORDER BY 1",
        );
        asked.iter().map(|row| format!("{} x {}", row[1], findings::text(&row[0]))).collect()
    }
}

fn plan(max_pages: u32) -> Plan {
    let searches = topics().iter().take(AT_ONCE).map(search).collect();
    Plan { question: "What is known about all of this?".to_owned(), searches, max_pages }
}

fn search(topic: &testweb::Topic) -> Search {
    Search { max_pages: Some(ENOUGH), ..Search::plain(topic.name.en) }
}

async fn one_task(seed: u64, criteria: &mut Criteria) {
    let plan = plan(200);
    let slow = Fixture::new(seed);
    let task = plan.create(&slow.engine).await;
    slow.one_by_one(task, &plan.searches).await;
    let expected = slow.found(task);

    let quick = Fixture::new(seed);
    let task = plan.create(&quick.engine).await;
    let searches = plan.searches.iter().map(|it| (task, it.clone())).collect();
    let ended = quick.at_once(searches).await;
    let found = quick.found(task);
    criteria.share(
        "ten searches at once on one task that end",
        ended,
        AT_ONCE,
        Target::Exactly(1.0),
    );
    criteria.share(
        "ten searches at once on one task: results and pages that are there",
        expected.intersection(&found).count(),
        expected.len(),
        Target::Exactly(1.0),
    );
    for lost in expected.difference(&found).take(5) {
        criteria.note(format!("lost: {lost}"));
    }
    for problem in quick.problems() {
        criteria.note(format!("ten searches at once: {problem}"));
    }

    let scarce = Fixture::new(seed);
    let plan = Plan { max_pages: SCARCE, ..plan };
    let task = plan.create(&scarce.engine).await;
    let searches = plan.searches.iter().map(|it| (task, it.clone())).collect();
    let ended = scarce.at_once(searches).await;
    criteria.share(
        "ten searches at once with too few pages that end",
        ended,
        AT_ONCE,
        Target::Exactly(1.0),
    );
    let status = scarce.engine.get_status(GetStatus { task_id: task, wait_seconds: None }).await;
    let used = status.expect("the task is there").budget.pages_used;
    criteria.number(
        "pages used of 25, by the engine's count",
        used.into(),
        "",
        Target::AtMost(SCARCE.into()),
    );
    let asked = pages_asked(&scarce.web);
    criteria.number(
        "pages used of 25, by the server's count",
        asked as f64,
        "",
        Target::AtMost(SCARCE.into()),
    );
    say(&format!("a task of {SCARCE} pages: {used} counted, {asked} asked for"));
}

/// Pages of the world's sites that were asked for; engines and APIs are not paid for in pages.
fn pages_asked(web: &TestWeb) -> usize {
    let log = web.log();
    let pages = log.iter().filter(|it| web.world().page(&it.host, &it.path).is_some());
    pages.count()
}

async fn ten_tasks(seed: u64, criteria: &mut Criteria) {
    let plans: Vec<Plan> = topics()
        .iter()
        .take(AT_ONCE)
        .map(|topic| Plan {
            question: topic.name.en.to_owned(),
            searches: vec![search(topic)],
            max_pages: ENOUGH,
        })
        .collect();
    // Pages belong to all tasks: what one of them learns about who cites whom is known to the others.
    let content = |place: &Fixture, task| -> BTreeSet<String> {
        let lines = place.engine.graph().read(|r| r.content_lines(task));
        let lines = lines.expect("the graph can be read").into_iter();
        lines.filter(|it| !it.starts_with("[\"cites\"")).collect()
    };
    let mut expected = Vec::new();
    for plan in &plans {
        let alone = Fixture::new(seed);
        let task = plan.create(&alone.engine).await;
        alone.one_by_one(task, &plan.searches).await;
        expected.push(content(&alone, task));
    }

    let together = Fixture::new(seed);
    let mut searches = Vec::new();
    for plan in &plans {
        searches.push((plan.create(&together.engine).await, plan.searches[0].clone()));
    }
    let tasks: Vec<TaskId> = searches.iter().map(|it| it.0).collect();
    let ended = together.at_once(searches).await;
    criteria.share("ten tasks at once whose search ends", ended, AT_ONCE, Target::Exactly(1.0));
    let mut same = 0;
    for (task, expected) in tasks.iter().zip(&expected) {
        let found = content(&together, *task);
        same += usize::from(found == *expected);
        for line in expected.difference(&found).take(2) {
            criteria.note(format!("alone: {line}"));
        }
        for line in found.difference(expected).take(2) {
            criteria.note(format!("at once: {line}"));
        }
    }
    criteria.share(
        "ten tasks at once with the findings they have alone",
        same,
        AT_ONCE,
        Target::Exactly(1.0),
    );
    let mut kept = 0;
    for task in &tasks {
        let status = together.engine.get_status(GetStatus { task_id: *task, wait_seconds: None });
        let status = status.await.expect("the task is there");
        kept += usize::from(status.budget.pages_used <= ENOUGH);
    }
    criteria.share("ten tasks at once that keep their budget", kept, AT_ONCE, Target::Exactly(1.0));
}
