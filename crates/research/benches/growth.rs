//! How the time of a task grows with its pages: fetched, read, recorded, compared and judged as in the product.
//!
//! `cargo bench -p research --bench growth [-- --small]` prints a Markdown table and the ratio; `--small` takes 100 and 500
//! pages. Pages come from a server on this machine, and both models are replaced by cheap ones: they take the same time
//! for each page and would hide what grows.
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot continue should stop where it is")]
#![expect(clippy::print_stdout, reason = "the table is the result")]

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::time::{Duration, Instant};

use fetch::Fetcher;
use graph::{Access, Graph, GraphLedger, Options, PolicyFile};
use models::{Embedder, Pair, StanceModel, Thresholds, Verdict};
use research::calls::{
    BudgetConfig, CreateTask, SearchCall, SearchOptions, SourceKind, TaskConfig,
};
use research::{Engine, Parts};
use sources::Engines;
use sources::academic::Academic;
use testweb::{Answer, TestWeb, World};
use text::language::Languages;

const SIZES: [usize; 2] = [1_000, 5_000];
const SMALL_SIZES: [usize; 2] = [100, 500];
/// Five times the pages may take this many times as long.
const LIMIT: f64 = 6.0;
const PAGES_PER_SEARCH: usize = 20;
const PAGES_PER_HOST: usize = 20;
const DIMENSION: usize = 256;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if !arguments.iter().any(|it| it == "--bench") {
        // A test run of all targets, which has no time for this.
        return;
    }
    let sizes = if arguments.iter().any(|it| it == "--small") { SMALL_SIZES } else { SIZES };
    println!("| pages | seconds | ms a page | claims | edges |");
    println!("| ---: | ---: | ---: | ---: | ---: |");
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let times = sizes.map(|pages| {
        let run = runtime.block_on(run(pages));
        let seconds = run.time.as_secs_f64();
        let each = seconds * 1e3 / pages as f64;
        println!("| {pages} | {seconds:.1} | {each:.1} | {} | {} |", run.claims, run.edges);
        seconds
    });
    let ratio = times[1] / times[0];
    println!("\n{} times the pages: {ratio:.2} times as long (limit {LIMIT})", sizes[1] / sizes[0]);
}

struct Run {
    time: Duration,
    claims: usize,
    edges: usize,
}

/// One task that reads this many pages, search after search.
async fn run(pages: usize) -> Run {
    let web = TestWeb::start(World::of_size(1, 1));
    let urls: Vec<String> = (0..pages).map(|number| publish(&web, number)).collect();
    let folder = tempfile::tempdir().unwrap();
    let graph = Graph::open(&folder.path().join("lyra.db"), Access::Write, Options::default());
    let graph = Arc::new(graph.unwrap());
    let engine = engine(&web, folder.path(), Arc::clone(&graph));
    let budget = BudgetConfig {
        max_pages: Some(u32::try_from(2 * pages).unwrap()),
        max_seconds: Some(86_400),
    };
    let config = TaskConfig { budget, ..TaskConfig::default() };
    let query = "What lowers the number of strokes among adults?".to_owned();
    let task = CreateTask { query: query.clone(), hypothesis: None, config };
    let task_id = engine.create_task(task).await.unwrap().task_id;
    let begun = Instant::now();
    for urls in urls.chunks(PAGES_PER_SEARCH) {
        let options = SearchOptions {
            urls: urls.to_vec(),
            max_pages: Some(u32::try_from(PAGES_PER_SEARCH).unwrap()),
            // The pages are named: nothing else is asked.
            sources: vec![SourceKind::Library],
            ..SearchOptions::default()
        };
        let call = SearchCall { task_id, query: query.clone(), options };
        let answer = engine.search(call).await.unwrap();
        assert_eq!(answer.pages_fetched as usize, urls.len(), "{answer:?}");
    }
    let time = begun.elapsed();
    let counts = graph.read(|r| r.claims_of(task_id)).unwrap();
    let edges = counts.iter().map(|it| it.confidence.evidence_count as usize).sum();
    Run { time, claims: counts.len(), edges }
}

/// Puts a page on the server; no two say the same.
fn publish(web: &TestWeb, number: usize) -> String {
    const DRUGS: [&str; 8] =
        ["Aspirin", "Warfarin", "Exercise", "Salt", "Coffee", "Sleep", "Fish", "Garlic"];
    const PLACES: [&str; 9] =
        ["Osaka", "Lund", "Quito", "Perth", "Lagos", "Turin", "Leeds", "Nagoya", "Bern"];
    let (drug, place) = (DRUGS[number % DRUGS.len()], PLACES[number / 7 % PLACES.len()]);
    let (share, adults) = (5 + number * 7 % 61, 200 + number * 13);
    let year = 1980 + number * 3 % 45;
    let html = format!(
        "<html lang=en><title>{drug} in {place}, trial {number}</title><main>\
         <p>{drug} lowered the number of strokes by {share} percent among {adults} adults of {place} in {year}.</p>\
         <p>Nurses in ward {number} of {place} wrote down what patients ate, how long they walked and how well they slept, \
         and a second group of {adults} people was asked the same by telephone once a month.</p>\
         <p>The authors of trial {number} name {share} reasons why the groups differ, from the weather of {year} to the \
         price of {drug}, and warn that strokes are rare among adults of this age.</p></main>"
    );
    let host = format!("site-{}.test", number / PAGES_PER_HOST);
    let path = format!("/trials/{number}");
    web.put(&host, &path, Answer::html(200, html));
    format!("http://{host}{path}")
}

fn engine(web: &TestWeb, folder: &std::path::Path, graph: Arc<Graph>) -> Engine {
    let ca_file = folder.join("ca.pem");
    fs::write(&ca_file, web.ca_pem()).unwrap();
    let settings = fetch::FetchSettings {
        hosts: web.hosts_setting(),
        allow_networks: vec!["127.0.0.1/32".to_owned()],
        ca_file,
        spacing_min_ms: 0,
        spacing_max_ms: 0,
        per_second: 0.0,
        per_day: 0,
        ..fetch::FetchSettings::default()
    };
    let ledger = Arc::new(GraphLedger::new(Arc::clone(&graph)));
    Engine::new(Parts {
        browser: None,
        graph,
        fetcher: Fetcher::open(ledger, &folder.join("archive"), settings).unwrap(),
        policy: Arc::new(PolicyFile::open(None)),
        embedder: Arc::new(Words { languages: Languages::all() }),
        stance: Arc::new(Indifferent { languages: Languages::all() }),
        thresholds: models::Overrides::default(),
        engines: Engines::load(None),
        academic: Academic::default(),
        llm: None,
        settings: research::Settings::default(),
    })
}

/// Adds up a direction for each word: texts with the same words are near each other.
#[derive(Debug)]
struct Words {
    languages: Languages,
}

impl Embedder for Words {
    fn id(&self) -> &str {
        "words"
    }

    fn dimension(&self) -> usize {
        DIMENSION
    }

    fn languages(&self) -> &Languages {
        &self.languages
    }

    fn max_tokens(&self) -> usize {
        512
    }

    fn memory(&self) -> usize {
        0
    }

    fn embed(&self, texts: &[&str]) -> models::Result<Vec<Vec<f32>>> {
        Ok(texts.iter().map(|text| vector(text)).collect())
    }
}

fn vector(text: &str) -> Vec<f32> {
    let mut sum = vec![0.0_f32; DIMENSION];
    // No text is without direction.
    sum[0] = 1.0;
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let mut hasher = DefaultHasher::new();
        word.to_lowercase().hash(&mut hasher);
        let mut random = fastrand::Rng::with_seed(hasher.finish());
        sum.iter_mut().for_each(|number| *number += random.f32() - 0.5);
    }
    let length = sum.iter().map(|number| number * number).sum::<f32>().sqrt();
    sum.iter().map(|number| number / length).collect()
}

/// Finds that every passage supports every claim a little.
#[derive(Debug)]
struct Indifferent {
    languages: Languages,
}

impl StanceModel for Indifferent {
    fn id(&self) -> &str {
        "indifferent"
    }

    fn languages(&self) -> &Languages {
        &self.languages
    }

    fn max_tokens(&self) -> usize {
        512
    }

    fn thresholds(&self) -> Thresholds {
        Thresholds::default()
    }

    fn memory(&self) -> usize {
        0
    }

    fn judge(&self, pairs: &[Pair<'_>]) -> models::Result<Vec<Verdict>> {
        let verdict = |pair: &Pair<'_>| Verdict::Judged {
            supports: 0.6,
            refutes: 0.1,
            neutral: 0.3,
            window: 0..pair.passage.len(),
            read: pair.passage.len(),
            by: "indifferent".into(),
            thresholds: Thresholds::default(),
        };
        Ok(pairs.iter().map(verdict).collect())
    }
}
