//! The tiny models of `tests/parity`, and ways to damage them.

use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use models::{
    Arithmetic, Embedder, ModelError, ModelFiles, Options, StanceModel, load_embedder, load_stance,
};

pub(crate) const ALL: [&str; 7] =
    ["bert", "bert-int8", "bert-embedder", "xlm-roberta", "mpnet", "deberta-v3", "deberta-v2"];
pub(crate) const STANCE: [&str; 6] =
    ["bert", "bert-int8", "xlm-roberta", "mpnet", "deberta-v3", "deberta-v2"];

pub(crate) fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/parity").join(name)
}

/// The three files of a tiny model, to be changed before they are loaded.
#[derive(Clone)]
pub(crate) struct Files {
    pub(crate) name: String,
    pub(crate) config: Vec<u8>,
    pub(crate) tokenizer: Vec<u8>,
    pub(crate) weights: Vec<u8>,
    pub(crate) settings: Option<String>,
}

impl Files {
    pub(crate) fn of(name: &str) -> Self {
        let read = |file: &str| fs::read(folder(name).join(file)).unwrap();
        Self {
            name: name.to_owned(),
            config: read("config.json"),
            tokenizer: read("tokenizer.json"),
            weights: read("model.safetensors"),
            settings: None,
        }
    }

    pub(crate) fn with_settings(mut self, settings: &str) -> Self {
        self.settings = Some(settings.to_owned());
        self
    }

    /// Replaces a piece of `config.json`, which must be there.
    pub(crate) fn with_config(mut self, from: &str, to: &str) -> Self {
        let text = String::from_utf8(self.config).unwrap();
        assert!(text.contains(from), "{from} is not in {text}");
        self.config = text.replace(from, to).into_bytes();
        self
    }

    pub(crate) fn files(self) -> ModelFiles {
        let settings = self.settings.map(|it| it.into_bytes().into());
        let weights = vec![self.weights.into()];
        ModelFiles::from_memory(self.name, self.config, self.tokenizer, weights, settings)
    }

    pub(crate) fn embedder(self, options: &Options) -> Arc<dyn Embedder> {
        load_embedder(self.files(), options).unwrap()
    }

    pub(crate) fn stance(self, options: &Options) -> Arc<dyn StanceModel> {
        load_stance(self.files(), options).unwrap()
    }
}

pub(crate) fn one_thread() -> Options {
    Options { threads: 1, ..Options::default() }
}

/// As the reference computes.
pub(crate) fn in_floats() -> Options {
    Options { arithmetic: Arithmetic::Float, ..one_thread() }
}

/// The whole chain, as a user would read it.
pub(crate) fn message(error: &ModelError) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        text = format!("{text}: {error}");
        source = error.source();
    }
    text
}
