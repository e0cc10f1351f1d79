//! How fast the built-in models work in whole numbers, beside themselves in floats and ONNX Runtime with the same
//! weights; and their memory.
//!
//! ```text
//! cargo bench -p models --bench encode                               # ours alone
//! pip install -r crates/models/benches/encode/requirements.txt              # in an environment of your choice
//! LYRA_BENCH_PYTHON=python3 cargo bench -p models --bench encode     # ours and ONNX Runtime, in turns
//! LYRA_BENCH_EMBEDDER=FOLDER cargo bench -p models --bench encode    # ours and another embedder, by our kernels
//! ```
//!
//! On one thread CPU seconds are counted, where the system tells them, so that a busy machine
//! disturbs less; rounds alternate, and the best of each counts. Both sides cut words into tokens
//! within the time. `onnxruntime_side.py` answers for ONNX Runtime; its answers are compared with ours.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a program for people to run and read"
)]

mod onnxruntime;

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use models::{
    Arithmetic, Embedder, ModelFiles, Options, Pair, StanceModel, Verdict, builtin, load_embedder,
};

use onnxruntime::{OnnxRuntime, Question};

const SENTENCE_TOKENS: [usize; 3] = [26, 60, 128];
const PAIR_TOKENS: [usize; 3] = [64, 128, 256];
/// Of all sentences of a mixed batch.
const MIXED_TOKENS: [usize; 8] = [12, 200, 33, 120, 16, 256, 60, 24];
const CLAIM_WORDS: usize = 16;
const TEXTS: usize = 32;
const ROUNDS: usize = 5;
/// Every one of these is one token, so that a text of any length can be made.
const WORDS: &str = "the patients in this study were treated with a new drug for two years and most of them had no \
                     pain at the end";

fn main() {
    let before = resident();
    let started = Instant::now();
    let models = Models::load(1, Arithmetic::Int8);
    let seconds = started.elapsed().as_secs_f64();
    models.embed(&[&text(250)]);
    models.judge(&[(text(CLAIM_WORDS), text(400))]);
    println!("The models loaded in {:.0} ms.", seconds * 1e3);
    if let (Some(before), Some(after)) = (before, resident()) {
        println!(
            "Memory of the whole process: {before:.0} MB before, {after:.0} MB with all loaded and used (weights: \
             {:.0} MB).",
            (models.embedder.memory() + models.stance.memory()) as f64 / 1e6
        );
    }
    let cores = thread::available_parallelism().unwrap().get();
    let all = Models::load(cores, Arithmetic::Int8);
    let floats = Models::load(1, Arithmetic::Float);
    let mut other = std::env::var("LYRA_BENCH_PYTHON").ok().map(|it| OnnxRuntime::start(&it));

    println!(
        "\n| a second, one thread | tokens | ours, int8 | ours, floats | int8 to floats | ONNX Runtime fp32 | our floats to it | its int8 | our int8 to it | ours, {cores} threads, wall |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    for tokens in SENTENCE_TOKENS {
        let texts = vec![text(tokens - 2); TEXTS];
        let inputs: Vec<&str> = texts.iter().map(String::as_str).collect();
        let (mut best, mut wide) = (Best::default(), 0.0_f64);
        for _ in 0..ROUNDS {
            best.ours(|| models.embed(&inputs));
            let vectors = best.floats(|| floats.embed(&inputs));
            if let Some(other) = &mut other {
                let rows = best.others(other, &Question::sentences(&texts), tokens);
                let cosine: f32 = vectors[0].iter().zip(&rows[0]).map(|(a, b)| a * b).sum();
                assert!(cosine > 0.9999, "the two disagree: cosine {cosine}");
            }
            wide = wide.max(speed(|| all.embed(&inputs), wall));
        }
        best.print("sentences", tokens, wide);
    }
    for tokens in PAIR_TOKENS {
        let pairs = vec![(text(CLAIM_WORDS), text(tokens - 3 - CLAIM_WORDS)); TEXTS];
        let (mut best, mut wide) = (Best::default(), 0.0_f64);
        for _ in 0..ROUNDS {
            best.ours(|| models.judge(&pairs));
            let verdicts = best.floats(|| floats.judge(&pairs));
            if let Some(other) = &mut other {
                let rows = best.others(other, &Question::pairs(&pairs), tokens);
                let (ours, theirs) = (likelihoods(&verdicts[0]), rows[0].as_slice());
                assert_eq!(order(&ours), order(theirs), "{ours:?} {theirs:?}");
            }
            wide = wide.max(speed(|| all.judge(&pairs), wall));
        }
        best.print("pairs", tokens, wide);
    }
    mixed(&models, other.as_mut());
    if let Ok(folder) = std::env::var("LYRA_BENCH_EMBEDDER") {
        beside(&models, Path::new(&folder));
    }
}

/// Another embedder on one thread, in turns with the built-in one, token by token.
fn beside(models: &Models, folder: &Path) {
    let options = Options { threads: 1, ..Options::default() };
    let other = load_embedder(ModelFiles::from_folder(folder).unwrap(), &options).unwrap();
    println!(
        "\n| microseconds a token, one thread | tokens | built in | {} | built in to it |",
        other.id()
    );
    println!("| --- | ---: | ---: | ---: | ---: |");
    for tokens in SENTENCE_TOKENS {
        let texts = vec![text(tokens - 2); TEXTS];
        let inputs: Vec<&str> = texts.iter().map(String::as_str).collect();
        let (mut ours, mut theirs) = (Best::default(), Best::default());
        for _ in 0..ROUNDS {
            ours.ours(|| models.embed(&inputs));
            theirs.ours(|| other.embed(&inputs).unwrap());
        }
        let [own, its] = [ours, theirs].map(|it| 1e6 / (it.ours * tokens as f64));
        println!("| sentences | {tokens} | {own:.1} | {its:.1} | {:.2} |", own / its);
    }
}

/// Texts of many lengths, as they come and sorted: an encoder that pads must sort, ours need not.
fn mixed(models: &Models, mut other: Option<&mut OnnxRuntime>) {
    let mut texts: Vec<String> =
        (0..TEXTS).map(|it| text(MIXED_TOKENS[it % MIXED_TOKENS.len()] - 2)).collect();
    println!(
        "\n| {TEXTS} sentences of 12 to 256 tokens | ours a second | ONNX Runtime fp32, batches of 8 | ours to it |"
    );
    println!("| --- | ---: | ---: | ---: |");
    for name in ["as they come", "sorted by length"] {
        if name.starts_with("sorted") {
            texts.sort_by_key(String::len);
        }
        let inputs: Vec<&str> = texts.iter().map(String::as_str).collect();
        let mut best = Best::default();
        for _ in 0..ROUNDS {
            best.ours(|| models.embed(&inputs));
            if let Some(other) = &mut other {
                let answer = other.ask(&Question::sentences(&texts), "fp32");
                best.fp32 = best.fp32.max(TEXTS as f64 / answer.seconds);
            }
        }
        let Best { ours, fp32, .. } = best;
        println!("| {name} | {ours:.1} | {} | {} |", shown(fp32), ratio(ours, fp32));
    }
}

struct Models {
    embedder: Arc<dyn Embedder>,
    stance: Arc<dyn StanceModel>,
}

impl Models {
    fn load(threads: usize, arithmetic: Arithmetic) -> Self {
        let options = Options { threads, arithmetic, ..Options::default() };
        Self {
            embedder: load_embedder(builtin::embedder_files(), &options).unwrap(),
            stance: builtin::stance_with(&options).unwrap(),
        }
    }

    fn embed(&self, texts: &[&str]) -> Vec<Vec<f32>> {
        self.embedder.embed(texts).unwrap()
    }

    fn judge(&self, pairs: &[(String, String)]) -> Vec<Verdict> {
        let pairs: Vec<_> = pairs.iter().map(|(claim, passage)| Pair { passage, claim }).collect();
        self.stance.judge(&pairs).unwrap()
    }
}

/// The best speeds of all rounds.
#[derive(Default)]
struct Best {
    ours: f64,
    floats: f64,
    fp32: f64,
    int8: f64,
}

impl Best {
    fn ours<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let (result, speed) = timed(work);
        self.ours = self.ours.max(speed);
        result
    }

    fn floats<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let (result, speed) = timed(work);
        self.floats = self.floats.max(speed);
        result
    }

    /// Asks both precisions and returns what the exact one said.
    fn others(
        &mut self,
        other: &mut OnnxRuntime,
        question: &Question<'_>,
        tokens: usize,
    ) -> Vec<Vec<f32>> {
        let exact = other.ask(question, "fp32");
        assert_eq!(
            exact.tokens, [tokens; TEXTS],
            "both sides read inputs of the length that is named"
        );
        self.fp32 = self.fp32.max(TEXTS as f64 / exact.seconds);
        self.int8 = self.int8.max(TEXTS as f64 / other.ask(question, "int8").seconds);
        exact.rows
    }

    fn print(&self, what: &str, tokens: usize, wide: f64) {
        let Self { ours, floats, fp32, int8 } = *self;
        println!(
            "| {what} | {tokens} | {ours:.1} | {floats:.1} | {} | {} | {} | {} | {} | {wide:.1} |",
            ratio(ours, floats),
            shown(fp32),
            ratio(floats, fp32),
            shown(int8),
            ratio(ours, int8)
        );
    }
}

/// What the work gave, and how many texts a second of this thread's time it took.
fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = cpu();
    let result = work();
    (result, TEXTS as f64 / (cpu() - start))
}

fn shown(speed: f64) -> String {
    if speed > 0.0 { format!("{speed:.1}") } else { "-".to_owned() }
}

fn ratio(ours: f64, theirs: f64) -> String {
    if theirs > 0.0 { format!("{:.2}", ours / theirs) } else { "-".to_owned() }
}

fn speed<T>(work: impl FnOnce() -> T, clock: fn() -> f64) -> f64 {
    let start = clock();
    work();
    TEXTS as f64 / (clock() - start)
}

/// So many words, each of one token.
fn text(words: usize) -> String {
    WORDS.split_whitespace().cycle().take(words).collect::<Vec<_>>().join(" ")
}

fn likelihoods(verdict: &Verdict) -> [f32; 3] {
    match verdict {
        Verdict::Judged { supports, refutes, neutral, .. } => [*supports, *refutes, *neutral],
        Verdict::Abstained { language } => panic!("the text was taken for {language}"),
    }
}

fn order(values: &[f32]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..values.len()).collect();
    places.sort_by(|a, b| values[*b].total_cmp(&values[*a]));
    places
}

/// Seconds this thread has been on a CPU, or the clock's where the system does not say.
fn cpu() -> f64 {
    let nanoseconds = fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|it| it.split_whitespace().next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(wall, |it| it / 1e9)
}

fn wall() -> f64 {
    thread_local!(static START: Instant = Instant::now());
    START.with(|it| it.elapsed().as_secs_f64())
}

/// Megabytes of this process in memory, where the system tells.
fn resident() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|it| it.strip_prefix("VmRSS:"))?;
    Some(line.trim().trim_end_matches(" kB").parse::<f64>().ok()? * 1024.0 / 1e6)
}
