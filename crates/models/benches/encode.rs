//! How fast an encoder of MiniLM's size works, beside ONNX Runtime with the same weights.
//!
//! ```text
//! cargo bench -p models                                     # ours alone
//! LYRA_BENCH_PYTHON=python3 cargo bench -p models           # ours and ONNX Runtime, in turns
//! ```
//!
//! The weights are random (speed does not depend on them) and written to a temporary folder, which
//! `onnxruntime_encode.py` reads as well. On one thread CPU seconds are counted, where the system
//! tells them, so that a busy machine disturbs less; rounds alternate, and the best of each counts.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a program for people to run and read"
)]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use models::{Embedder, ModelFiles, Options, load_embedder};
use safetensors::tensor::{Dtype, TensorView};

const HIDDEN: usize = 384;
const WIDE: usize = 1536;
const LAYERS: usize = 6;
const VOCABULARY: usize = 30_522;
const LENGTHS: [usize; 3] = [26, 60, 128];
const SENTENCES: usize = 32;
const ROUNDS: usize = 5;

fn main() {
    let folder = tempfile::tempdir().unwrap();
    write_model(folder.path());
    let python = std::env::var("LYRA_BENCH_PYTHON").ok();
    let model = |threads: usize| -> Arc<dyn Embedder> {
        let files = ModelFiles::from_folder(folder.path()).unwrap();
        load_embedder(files, &Options { threads, ..Options::default() }).unwrap()
    };
    let started = Instant::now();
    let one = model(1);
    println!(
        "loaded in {:.0} ms, {:.0} MB of weights",
        started.elapsed().as_secs_f64() * 1e3,
        one.memory() as f64 / 1e6
    );
    let cores = thread::available_parallelism().unwrap().get();
    let all = model(cores);
    println!("| tokens | sentences/s, one thread | ONNX Runtime | ratio | {cores} threads, wall |");
    println!("| --- | --- | --- | --- | --- |");
    for tokens in LENGTHS {
        let text = vec!["a"; tokens - 2].join(" ");
        let texts = vec![text.as_str(); SENTENCES];
        let (mut ours, mut theirs, mut wide) = (0.0_f64, 0.0_f64, 0.0_f64);
        for _ in 0..ROUNDS {
            let start = cpu_seconds();
            let vectors = one.embed(&texts).unwrap();
            ours = ours.max(SENTENCES as f64 / (cpu_seconds() - start));
            if let Some(python) = &python {
                let (speed, vector) = onnx_runtime(python, folder.path(), &text);
                theirs = theirs.max(speed);
                let cosine: f32 = vectors[0].iter().zip(&vector).map(|(a, b)| a * b).sum();
                assert!(cosine > 0.99999, "the two disagree: cosine {cosine}");
            }
            let start = Instant::now();
            all.embed(&texts).unwrap();
            wide = wide.max(SENTENCES as f64 / start.elapsed().as_secs_f64());
        }
        let (beside, ratio) = match python {
            Some(_) => (format!("{theirs:.0}"), format!("{:.2}", ours / theirs)),
            None => ("-".to_owned(), "-".to_owned()),
        };
        println!("| {tokens} | {ours:.0} | {beside} | {ratio} | {wide:.0} |");
    }
    if let Ok(status) = fs::read_to_string("/proc/self/status") {
        let peak = status.lines().find(|it| it.starts_with("VmHWM")).unwrap_or_default();
        println!("two copies of the model loaded: {peak}");
    }
}

/// Seconds this thread has been on a CPU, or the clock's where the system does not say.
fn cpu_seconds() -> f64 {
    thread_local!(static START: Instant = Instant::now());
    let nanoseconds = fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|it| it.split_whitespace().next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| START.with(|it| it.elapsed().as_secs_f64()), |it| it / 1e9)
}

/// Sentences per CPU second on one thread, and the vector of the text.
fn onnx_runtime(python: &str, folder: &Path, text: &str) -> (f64, Vec<f32>) {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/onnxruntime_encode.py");
    let output = Command::new(python)
        .args([script, folder.to_str().unwrap(), text, &SENTENCES.to_string()])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let answer = String::from_utf8(output.stdout).unwrap();
    serde_json::from_str(answer.lines().last().unwrap()).unwrap()
}

fn write_model(folder: &Path) {
    let tiny = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/parity/bert-embedder/tokenizer.json");
    fs::copy(tiny, folder.join("tokenizer.json")).unwrap();
    let config = format!(
        r#"{{"model_type": "bert", "architectures": ["BertModel"], "vocab_size": {VOCABULARY},
            "hidden_size": {HIDDEN}, "num_hidden_layers": {LAYERS}, "num_attention_heads": 12,
            "intermediate_size": {WIDE}, "hidden_act": "gelu", "layer_norm_eps": 1e-12,
            "max_position_embeddings": 512, "type_vocab_size": 2, "pad_token_id": 0}}"#
    );
    fs::write(folder.join("config.json"), config).unwrap();

    let mut tensors: Vec<(String, Vec<usize>)> = vec![
        ("embeddings.word_embeddings.weight".to_owned(), vec![VOCABULARY, HIDDEN]),
        ("embeddings.position_embeddings.weight".to_owned(), vec![512, HIDDEN]),
        ("embeddings.token_type_embeddings.weight".to_owned(), vec![2, HIDDEN]),
        ("embeddings.LayerNorm.weight".to_owned(), vec![HIDDEN]),
        ("embeddings.LayerNorm.bias".to_owned(), vec![HIDDEN]),
    ];
    for layer in 0..LAYERS {
        let mut linear = |name: &str, outputs: usize, inputs: usize| {
            let mut full = String::new();
            write!(full, "encoder.layer.{layer}.{name}").unwrap();
            tensors.push((format!("{full}.weight"), vec![outputs, inputs]));
            tensors.push((format!("{full}.bias"), vec![outputs]));
        };
        linear("attention.self.query", HIDDEN, HIDDEN);
        linear("attention.self.key", HIDDEN, HIDDEN);
        linear("attention.self.value", HIDDEN, HIDDEN);
        linear("attention.output.dense", HIDDEN, HIDDEN);
        linear("intermediate.dense", WIDE, HIDDEN);
        linear("output.dense", HIDDEN, WIDE);
        for name in ["attention.output.LayerNorm", "output.LayerNorm"] {
            for part in ["weight", "bias"] {
                tensors.push((format!("encoder.layer.{layer}.{name}.{part}"), vec![HIDDEN]));
            }
        }
    }
    let mut state = 1_u32;
    let stored: Vec<_> = tensors
        .into_iter()
        .map(|(name, shape)| {
            let centre = if name.ends_with("LayerNorm.weight") { 1.0 } else { 0.0 };
            let mut bytes = Vec::new();
            for _ in 0..shape.iter().product() {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let value = centre + (state >> 8) as f32 / (1 << 24) as f32 * 0.1 - 0.05;
                bytes.extend(value.to_le_bytes());
            }
            (name, shape, bytes)
        })
        .collect();
    let views = stored.iter().map(|(name, shape, bytes)| {
        (name, TensorView::new(Dtype::F32, shape.clone(), bytes).unwrap())
    });
    let bytes = safetensors::serialize(views, None).unwrap();
    fs::write(folder.join("model.safetensors"), bytes).unwrap();
}
