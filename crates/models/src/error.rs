//! What can be wrong with a model, in terms of the person who brought it.

use std::borrow::Cow;
use std::io;
use std::path::PathBuf;

pub type Result<T, E = ModelError> = std::result::Result<T, E>;

/// Why a model cannot be loaded or run.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    #[error("{} is not a folder that can be read", path.display())]
    Folder { path: PathBuf, source: io::Error },
    #[error("{model} has no {file}")]
    MissingFile { model: String, file: Cow<'static, str> },
    #[error("cannot read {file} of {model}")]
    File { model: String, file: Cow<'static, str>, source: io::Error },
    #[error("{file} of {model} is not valid JSON of the expected form")]
    BadJson { model: String, file: &'static str, source: serde_json::Error },
    #[error("{file} of {model}: {problem}")]
    BadConfig { model: String, file: &'static str, problem: String },
    /// A kind of network this crate cannot compute, or a variant of a known one.
    #[error("{model} is of architecture {found}, supported are {supported}")]
    Architecture { model: String, found: String, supported: &'static str },
    /// A stance model must have exactly the three labels of a judgement.
    #[error(
        "{model} has the labels {found}, a stance model needs entailment, neutral, contradiction"
    )]
    Labels { model: String, found: String },
    #[error("{model} is a model for {found}, not for {wanted}")]
    WrongKind { model: String, found: &'static str, wanted: &'static str },

    #[error("the weights of {model} are damaged or not in the safetensors format: {problem}")]
    BadWeights { model: String, problem: String },
    #[error("the weights of {model} lack the tensor {tensor}")]
    MissingTensor { model: String, tensor: String },
    #[error("tensor {tensor} of {model} has shape {found:?}, expected {expected:?}")]
    Shape { model: String, tensor: String, expected: Vec<usize>, found: Vec<usize> },
    #[error(
        "tensor {tensor} of {model} holds {found}, supported are F32, F16, BF16 and I8 with a scale per row"
    )]
    NumberFormat { model: String, tensor: String, found: String },

    #[error("the tokenizer of {model} does not work: {problem}")]
    Tokenizer { model: String, problem: String },
    /// Tokenizer and weights come from different models.
    #[error("the tokenizer of {model} knows token {token}, the weights have only {rows}")]
    Vocabulary { model: String, token: u32, rows: usize },
    /// It may be made to do harm: it never came to this process.
    #[error("{model} was read in a process of its own first, and did not get through: {reason}")]
    Stopped { model: String, reason: String },
    /// Broken weights show here when their form was right.
    #[error("{model} computed something that is not a number")]
    NotANumber { model: String },
}
