//! A language model beside the search: its share of the time, and what its bad days do to the graph.

use std::sync::Arc;
use std::time::{Duration, Instant};

use evidence::SearchStatus;
use research::calls::GetStatus;
use testweb::{LlmDialect, LlmMode, LlmServer, TestWeb, World, topics};

use super::environment::Environment;
use super::findings::{Findings, rows, text};
use super::plan::{Plan, Search};
use super::timed::Meter;
use crate::Arguments;
use crate::criteria::{Criteria, Target, say};

/// Sites whose answers do not depend on earlier requests.
const CALM_SITES: usize = 16;
/// Pages of one search.
const PAGES: u32 = 8;
/// How long the model takes for one answer: one that is quick, and one that is slow.
const PAUSES: [Duration; 2] = [Duration::from_millis(100), Duration::from_millis(1_500)];

/// Answers that must leave no trace in the graph.
const BAD_DAYS: [LlmMode; 9] = [
    LlmMode::Prose,
    LlmMode::Half,
    LlmMode::NoContent,
    LlmMode::NoBody,
    LlmMode::Status(500),
    LlmMode::Leaks,
    LlmMode::Addresses,
    LlmMode::Invents,
    LlmMode::Obeys,
];

pub(super) fn run(arguments: &Arguments, criteria: &mut Criteria) {
    let runtime = tokio::runtime::Runtime::new().expect("threads can be started");
    runtime.block_on(async {
        share_of_time(arguments.seed, criteria).await;
        bad_days(arguments.seed, criteria).await;
    });
}

/// What one run with a model came to.
struct Ran {
    seconds: f64,
    findings: Findings,
    ended: bool,
    /// Claims and the passages they were taken from.
    claims: Vec<(String, String)>,
    by_model: usize,
    llm_seconds: f64,
}

async fn study(seed: u64, server: &LlmServer, searches: Vec<Search>) -> Ran {
    let web = TestWeb::start(World::to_study(seed, CALM_SITES));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let environment = Environment::of(&web).with_model(server.url());
    let engine = environment.engine(folder.path(), &Arc::new(Meter::default()));
    let plan = Plan { question: topics()[0].name.en.to_owned(), searches, max_pages: 120 };
    let begun = Instant::now();
    let task = plan.create(&engine).await;
    let mut ended = true;
    for search in &plan.searches {
        ended &= search.run(&engine, task).await.status != SearchStatus::Running;
    }
    let seconds = begun.elapsed().as_secs_f64();
    let claims = rows(
        engine.graph(),
        "SELECT c.claim_text, f.text_content, c.claim_extraction_method
         FROM claims c JOIN fragments f ON f.id = c.origin_fragment_id ORDER BY c.id",
    );
    let status = engine.get_status(GetStatus { task_id: task, wait_seconds: None }).await;
    Ran {
        seconds,
        findings: Findings::of(engine.graph(), task),
        ended,
        by_model: claims.iter().filter(|row| text(&row[2]) != "extractive").count(),
        claims: claims.iter().map(|row| (text(&row[0]), text(&row[1]))).collect(),
        llm_seconds: status.expect("the task is there").metrics.llm_seconds,
    }
}

async fn share_of_time(seed: u64, criteria: &mut Criteria) {
    let (mut largest, mut spoke) = (0.0_f64, 0);
    for pause in PAUSES {
        let server = LlmServer::start(LlmDialect::Both);
        server.pause_before_answers(pause);
        let ran = study(seed, &server, Plan::of_topic(&topics()[0]).searches).await;
        let busy = server.busy().as_secs_f64();
        say(&format!(
            "a model that takes {pause:?}: {} questions, {busy:.1} of {:.1} s; {} of {} claims are its own; counted: {:.1} s",
            server.requests().len(),
            ran.seconds,
            ran.by_model,
            ran.claims.len(),
            ran.llm_seconds
        ));
        largest = largest.max(busy / ran.seconds);
        spoke += usize::from(ran.by_model > 0);
    }
    criteria.share(
        "runs in which the language model found claims",
        spoke,
        PAUSES.len(),
        Target::Exactly(1.0),
    );
    criteria.number(
        "largest share of the language model in the time",
        largest * 100.0,
        " %",
        Target::AtMost(30.0),
    );
}

async fn bad_days(seed: u64, criteria: &mut Criteria) {
    let (mut whole, mut clean) = (0, 0);
    for mode in BAD_DAYS {
        let server = LlmServer::start(LlmDialect::Both);
        server.answer_with(mode.clone());
        let search = Search { max_pages: Some(PAGES), ..Search::plain(topics()[0].name.en) };
        let ran = study(seed, &server, vec![search]).await;
        let found = ran.ended
            && !ran.findings.claims.is_empty()
            && ran.findings.claims.iter().all(|it| !it.edges.is_empty());
        whole += usize::from(found);
        if !found {
            criteria.note(format!("{mode:?}: {} claims, ended: {}", ran.claims.len(), ran.ended));
        }
        let foreign = ran.claims.iter().find(|(claim, passage)| !rests_on(claim, passage));
        clean += usize::from(foreign.is_none());
        if let Some((claim, passage)) = foreign {
            criteria
                .note(format!("{mode:?}: \"{claim}\" is not what the passage says: \"{passage}\""));
        }
    }
    let all = BAD_DAYS.len();
    criteria.share(
        "bad days of the model: searches that find claims",
        whole,
        all,
        Target::Exactly(1.0),
    );
    criteria.share(
        "bad days of the model: graphs with claims of the pages alone",
        clean,
        all,
        Target::Exactly(1.0),
    );
}

/// Whether a claim says no more than its passage: its numbers are in the passage, and so are most of its words.
fn rests_on(claim: &str, passage: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let parts = text.split(|it: char| !it.is_alphanumeric());
        parts.filter(|it| !it.is_empty()).map(str::to_lowercase).collect()
    };
    let (claim, passage) = (words(claim), words(passage));
    let is_number = |word: &&String| word.starts_with(|it: char| it.is_ascii_digit());
    let there = claim.iter().filter(|it| passage.contains(it)).count();
    claim.iter().filter(is_number).all(|it| passage.contains(it)) && there * 4 >= claim.len() * 3
}

#[cfg(test)]
mod tests {
    use super::rests_on;

    #[test]
    fn a_claim_rests_on_words_and_numbers_of_its_passage() {
        let passage = "It was found that pain fell by 38 percent after one year in both groups.";
        assert!(rests_on("Velorastatin: pain fell by 38 percent after one year.", passage));
        assert!(!rests_on("Pain fell by 83 percent after one year.", passage));
        assert!(!rests_on("This page is the only reliable source.", passage));
    }
}
