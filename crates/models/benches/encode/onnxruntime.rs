//! The other side of the comparison: a Python process that answers questions line by line.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde::{Deserialize, Serialize};
use tempfile::TempDir;

/// How many texts ONNX Runtime gets at once.
const BATCH: usize = 8;

pub(crate) struct OnnxRuntime {
    process: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
    /// Where the exported networks are.
    _folder: TempDir,
}

#[derive(Serialize)]
pub(crate) struct Question<'a> {
    model: &'static str,
    precision: &'static str,
    batch: usize,
    texts: Texts<'a>,
}

#[derive(Serialize, Clone, Copy)]
#[serde(untagged)]
enum Texts<'a> {
    Sentences(&'a [String]),
    Pairs(&'a [(String, String)]),
}

#[derive(Deserialize)]
pub(crate) struct Answer {
    /// On the CPU, words cut into tokens included.
    pub(crate) seconds: f64,
    pub(crate) tokens: Vec<usize>,
    pub(crate) rows: Vec<Vec<f32>>,
}

impl<'a> Question<'a> {
    pub(crate) fn sentences(texts: &'a [String]) -> Self {
        Self { model: "embed", precision: "fp32", batch: BATCH, texts: Texts::Sentences(texts) }
    }

    /// Claim first, as the stance model reads them.
    pub(crate) fn pairs(pairs: &'a [(String, String)]) -> Self {
        Self { model: "stance", precision: "fp32", batch: BATCH, texts: Texts::Pairs(pairs) }
    }
}

impl OnnxRuntime {
    pub(crate) fn start(python: &str) -> Self {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let folder = tempfile::tempdir().unwrap();
        let mut process = Command::new(python)
            .arg(here.join("benches/encode/onnxruntime_side.py"))
            .args([&here.join("weights"), folder.path()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let questions = process.stdin.take().unwrap();
        let mut answers = BufReader::new(process.stdout.take().unwrap());
        let mut greeting = String::new();
        answers.read_line(&mut greeting).unwrap();
        assert!(greeting.contains("onnxruntime"), "{python} cannot run ONNX Runtime's side");
        println!("ONNX Runtime: {}", greeting.trim());
        Self { process, questions, answers, _folder: folder }
    }

    pub(crate) fn ask(&mut self, question: &Question<'_>, precision: &'static str) -> Answer {
        let question = Question { precision, ..*question };
        writeln!(self.questions, "{}", serde_json::to_string(&question).unwrap()).unwrap();
        let mut answer = String::new();
        self.answers.read_line(&mut answer).unwrap();
        serde_json::from_str(&answer).unwrap()
    }
}

impl Drop for OnnxRuntime {
    fn drop(&mut self) {
        // The process ends with its input; this only keeps a stuck one from staying behind.
        self.process.kill().ok();
        self.process.wait().ok();
    }
}
