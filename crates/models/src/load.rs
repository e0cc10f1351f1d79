//! Makes a model from its files.

use std::borrow::Cow;
use std::num::NonZero;
use std::sync::Arc;
use std::thread;

use serde::{Deserialize, Serialize};
use settings::settings;
use text::language::Languages;

use crate::config::{Config, Family, Pooler, SUPPORTED};
use crate::device::{Device, Listener};
use crate::embed::{Embedder, SentenceEncoder};
use crate::encoder::{Encoder, Linear};
use crate::files::{CONFIG, MANIFEST, MODULES, ModelFiles, POOLING, SENTENCE};
use crate::kernel::Kernel;
use crate::manifest::{Kind, ModelManifest, Order, Pooling};
use crate::stance::{CrossEncoder, Head, Labels, Overrides, StanceModel, Thresholds};
use crate::tokens::Tokens;
use crate::weights::Weights;
use crate::{ModelError, Result};

/// Room for text that every input must have beside its special tokens.
const LEAST_ROOM: usize = 4;

/// How a model runs: what depends on the machine and on how long the user will wait. Results do not
/// depend on threads and batches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// How many threads a call may use.
    pub threads: usize,
    /// How many tokens are computed at a time by one thread. Memory grows with it.
    pub batch_tokens: usize,
    /// What computes. A graphics card computes in floats; its results differ from a CPU's in floats by less than 1e-4.
    pub device: Device,
    /// How a CPU multiplies with weights that are stored in eight bits.
    pub arithmetic: Arithmetic,
    /// How many tokens are computed at a time on a graphics card. Its memory grows with it.
    pub gpu_batch_tokens: usize,
    /// Is told when a graphics card gives way to the CPU.
    pub listener: Listener,
    /// How many windows of one long text are read before the rest is left.
    pub max_windows: usize,
}

/// How a CPU multiplies with weights that are stored in eight bits; those stored as floats are multiplied as floats.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Arithmetic {
    /// In whole numbers: the rows of a layer's input are brought to eight bits, too.
    #[default]
    Int8,
    /// As floats, which takes far longer.
    Float,
}

impl Default for Options {
    fn default() -> Self {
        ModelSettings::default().options()
    }
}

settings! {
    /// Embeddings and stance. Which models are active is chosen with `lyra models use`; an id here, in the
    /// environment or with --set wins over that.
    pub struct ModelSettings {
        /// The model for embeddings; "" leaves it to `lyra models use`.
        embedding: String = String::new();
        /// The model for stance; "" leaves it to `lyra models use`.
        stance: String = String::new();
        /// A second stance model that decides what the first gives a side any chance: slower and better; "none" leaves
        /// it out, "" leaves it to `lyra models use NAME --as decider`.
        decider: String = String::new();
        /// Threads a model may use; 0 is as many as the processor runs at a time.
        threads: usize = 0, in 0..=256;
        /// What computes: the CPU, or a graphics card of NVIDIA (the program must be built with the feature
        /// `cuda`; without a card there is a warning, and the CPU). "auto" uses a card if there is one.
        device: Device = Device::Auto;
    }
    expert {
        /// How the CPU multiplies with weights of eight bits: in whole numbers, or in floats, which is slower by far.
        /// Probabilities differ by 0.005 on average.
        arithmetic: Arithmetic = Arithmetic::Int8;
        /// Tokens computed at a time by one thread; memory grows with it.
        batch_tokens: usize = 960, in 64..=1_000_000;
        /// Tokens computed at a time on a graphics card; its memory grows with it.
        gpu_batch_tokens: usize = 16_384, in 64..=1_000_000;
        /// Windows of one long text that are read; the rest is not.
        max_windows: usize = 64, in 1..=10_000;
        /// From which probability of "supports" or "refutes" on the decider is asked, if there is one.
        ask_decider_from: f64 = 0.2, in 0.0..=1.0;
        /// The least probability of "supports"; 0.0 is what was measured for the model.
        supports_threshold: f64 = 0.0, in 0.0..=1.0;
        /// The same for "refutes".
        refutes_threshold: f64 = 0.0, in 0.0..=1.0;
    }
}

impl ModelSettings {
    pub fn options(&self) -> Options {
        let all_threads = || thread::available_parallelism().map_or(1, NonZero::get);
        Options {
            threads: if self.threads == 0 { all_threads() } else { self.threads },
            batch_tokens: self.batch_tokens,
            device: self.device,
            arithmetic: self.arithmetic,
            gpu_batch_tokens: self.gpu_batch_tokens,
            listener: Listener::default(),
            max_windows: self.max_windows,
        }
    }

    /// The thresholds that are set; 0 leaves a model its own.
    pub fn thresholds(&self) -> Overrides {
        let set = |value: f64| (value != 0.0).then_some(value as f32);
        Overrides { supports: set(self.supports_threshold), refutes: set(self.refutes_threshold) }
    }
}

/// A loaded model of either kind.
#[derive(Debug, Clone)]
pub enum Model {
    Embedder(Arc<dyn Embedder>),
    Stance(Arc<dyn StanceModel>),
}

/// Loads a model of the kind its manifest names or its labels show.
pub fn load(files: ModelFiles, options: &Options) -> Result<Model> {
    let parts = Parts::read(files)?;
    Ok(match parts.kind() {
        Kind::Stance => Model::Stance(Arc::new(parts.stance(options)?)),
        Kind::Embedding => Model::Embedder(Arc::new(parts.embedder(options)?)),
    })
}

/// Loads a model for embeddings; one for stance is refused.
pub fn load_embedder(files: ModelFiles, options: &Options) -> Result<Arc<dyn Embedder>> {
    let parts = Parts::read(files)?;
    match parts.kind() {
        Kind::Embedding => Ok(Arc::new(parts.embedder(options)?)),
        Kind::Stance => Err(parts.wrong_kind(Kind::Embedding)),
    }
}

/// Loads a model for stance; one for embeddings is refused.
pub fn load_stance(files: ModelFiles, options: &Options) -> Result<Arc<dyn StanceModel>> {
    let parts = Parts::read(files)?;
    match parts.kind() {
        Kind::Stance => Ok(Arc::new(parts.stance(options)?)),
        Kind::Embedding => Err(parts.wrong_kind(Kind::Stance)),
    }
}

/// What the files of a model tell without reading its weights.
#[derive(Debug, Clone, PartialEq)]
pub struct About {
    /// What rows computed by this model are stored under.
    pub id: String,
    pub kind: Kind,
    pub languages: Languages,
    /// How many numbers its inner vectors have; for an embedder, those it returns.
    pub dimension: usize,
    pub max_tokens: usize,
    /// Size of the weights as they are stored.
    pub bytes: u64,
    /// From which probabilities on a judgement of a stance model should count.
    pub thresholds: Thresholds,
}

/// Tells what a model is, in a moment; whether it works is known once it is loaded.
pub fn describe(files: ModelFiles) -> Result<About> {
    let parts = Parts::read(files)?;
    Ok(About {
        id: parts.id(),
        kind: parts.kind(),
        languages: parts.languages(),
        dimension: parts.config.hidden,
        max_tokens: parts.max_tokens,
        bytes: parts.weights.bytes_stored(),
        thresholds: parts.manifest.thresholds.unwrap_or_default(),
    })
}

/// What both kinds have in common, before the heavy work.
struct Parts {
    name: String,
    config: Config,
    manifest: ModelManifest,
    tokenizer: Cow<'static, [u8]>,
    weights: Weights,
    pooling: Pooling,
    max_tokens: usize,
}

impl Parts {
    fn read(files: ModelFiles) -> Result<Self> {
        let ModelFiles { name, config, tokenizer, weights, manifest, pooling, sentence, modules } =
            files;
        refuse_further_layers(&name, modules.as_deref())?;
        let mut config = Config::parse(&name, &config)?;
        let manifest = ModelManifest::parse(&name, manifest.as_deref())?;
        if let Some(layers) = &manifest.layers {
            config.layers.clone_from(layers);
        }
        let pooling = match manifest.pooling {
            Some(pooling) => pooling,
            None => declared_pooling(&name, pooling.as_deref())?,
        };
        let trained_for = declared_length(&name, sentence.as_deref())?;
        let wanted = manifest.max_tokens.or(trained_for).unwrap_or(usize::MAX);
        let weights = Weights::open(&name, weights)?;
        let max_tokens = config.max_tokens().min(wanted);
        Ok(Self { name, config, manifest, tokenizer, weights, pooling, max_tokens })
    }

    fn tokens(&self) -> Result<Tokens> {
        let tokens = Tokens::parse(&self.name, &self.tokenizer, self.config.vocabulary)?;
        let special = tokens.around_one().max(tokens.around_two());
        let max_tokens = self.max_tokens;
        if max_tokens < special + LEAST_ROOM {
            let file = if self.config.max_tokens() <= max_tokens { CONFIG } else { MANIFEST };
            let problem = format!("{max_tokens} tokens leave no room for text");
            return Err(ModelError::BadConfig { model: self.name.clone(), file, problem });
        }
        Ok(tokens)
    }

    fn kind(&self) -> Kind {
        let shown = || match Labels::find(self.labels()) {
            Some(_) => Kind::Stance,
            // A classifier of something else must not pass for an embedder.
            None if self.weights.has("classifier.weight") => Kind::Stance,
            None if self.weights.has("classifier.out_proj.weight") => Kind::Stance,
            None => Kind::Embedding,
        };
        self.manifest.kind.unwrap_or_else(shown)
    }

    fn labels(&self) -> &[String] {
        self.manifest.labels.as_ref().unwrap_or(&self.config.labels)
    }

    fn languages(&self) -> Languages {
        let usual = || match self.config.family {
            Family::Roberta { multilingual: true, .. } => Languages::all(),
            _ => Languages::new(["en"]),
        };
        self.manifest.languages.clone().unwrap_or_else(usual)
    }

    fn id(&self) -> String {
        self.manifest.id.clone().unwrap_or_else(|| self.name.clone())
    }

    fn encoder(&self, options: &Options) -> Result<Encoder> {
        let (kernel, arithmetic) = (Kernel::detect(), options.arithmetic);
        let encoder = Encoder::build(kernel, arithmetic, &self.config, &self.weights)?;
        Ok(encoder.on_device(options, self.max_tokens))
    }

    fn embedder(self, options: &Options) -> Result<SentenceEncoder> {
        Ok(SentenceEncoder {
            tokens: self.tokens()?,
            id: self.id(),
            encoder: self.encoder(options)?,
            languages: self.languages(),
            max_tokens: self.max_tokens,
            pooling: self.pooling,
            prefix: self.manifest.prefix.clone().unwrap_or_default(),
            options: options.clone(),
        })
    }

    fn stance(self, options: &Options) -> Result<CrossEncoder> {
        let labels = Labels::find(self.labels()).ok_or_else(|| ModelError::Labels {
            model: self.name.clone(),
            found: match self.labels() {
                [] => "(none)".to_owned(),
                labels => labels.join(", "),
            },
        })?;
        let tokens = self.tokens()?;
        let encoder = self.encoder(options)?;
        let kernel = encoder.kernel();
        let hidden = self.config.hidden;
        let (dense, pooler, classifier) = match &self.config.family {
            Family::Bert => ("bert.pooler.dense", Pooler::Tanh, "classifier"),
            Family::Roberta { .. } | Family::Mpnet { .. } => {
                ("classifier.dense", Pooler::Tanh, "classifier.out_proj")
            }
            Family::Deberta(it) => ("pooler.dense", it.pooler, "classifier"),
        };
        // Checkpoints saved without the encoder's prefix have the pooler without it, too.
        let bare = dense.strip_prefix("bert.").unwrap_or(dense);
        let dense = if self.weights.has(&format!("{bare}.weight")) { bare } else { dense };
        let linear =
            |name: &str, outputs| Linear::read(kernel, &self.weights, name, outputs, hidden);
        let head = Head {
            dense: linear(dense, hidden)?,
            pooler,
            classifier: linear(classifier, 3)?,
            labels,
        };
        Ok(CrossEncoder {
            id: self.id().into(),
            encoder,
            head,
            languages: self.languages(),
            max_tokens: self.max_tokens,
            order: self.manifest.order.unwrap_or(Order::PassageFirst),
            manifest: self.manifest,
            tokens,
            options: options.clone(),
        })
    }

    fn wrong_kind(self, wanted: Kind) -> ModelError {
        ModelError::WrongKind { found: self.kind().name(), wanted: wanted.name(), model: self.name }
    }
}

/// What a sentence-transformers folder says about pooling.
fn declared_pooling(model: &str, bytes: Option<&[u8]>) -> Result<Pooling> {
    #[derive(Deserialize)]
    struct Declared {
        /// Newer folders say it in one word,
        pooling_mode: Option<String>,
        /// older ones with a flag for each way.
        pooling_mode_cls_token: Option<bool>,
        pooling_mode_mean_tokens: Option<bool>,
    }
    let Some(bytes) = bytes else { return Ok(Pooling::Mean) };
    let declared: Declared = serde_json::from_slice(bytes)
        .map_err(|source| ModelError::BadJson { model: model.to_owned(), file: POOLING, source })?;
    let flags = (declared.pooling_mode_cls_token, declared.pooling_mode_mean_tokens);
    match (declared.pooling_mode.as_deref(), flags) {
        (Some("cls"), _) | (None, (Some(true), _)) => Ok(Pooling::Cls),
        (Some("mean"), _) | (None, (_, Some(true))) => Ok(Pooling::Mean),
        _ => Err(ModelError::BadConfig {
            model: model.to_owned(),
            file: POOLING,
            problem: "only mean and CLS pooling are supported".to_owned(),
        }),
    }
}

/// Some sentence models have layers behind the pooling; without them their vectors would be wrong.
fn refuse_further_layers(model: &str, bytes: Option<&[u8]>) -> Result<()> {
    #[derive(Deserialize)]
    struct Module {
        #[serde(rename = "type")]
        kind: String,
    }
    let Some(bytes) = bytes else { return Ok(()) };
    let modules: Vec<Module> = serde_json::from_slice(bytes)
        .map_err(|source| ModelError::BadJson { model: model.to_owned(), file: MODULES, source })?;
    let last_name = |it: &Module| it.kind.rsplit('.').next().unwrap_or_default().to_owned();
    let known = ["Transformer", "Pooling", "Normalize"];
    match modules.iter().map(last_name).find(|it| !known.contains(&it.as_str())) {
        None => Ok(()),
        Some(other) => Err(ModelError::Architecture {
            model: model.to_owned(),
            found: format!("sentence-transformers with a {other} module"),
            supported: SUPPORTED,
        }),
    }
}

/// The length a sentence-transformers model was trained with.
fn declared_length(model: &str, bytes: Option<&[u8]>) -> Result<Option<usize>> {
    #[derive(Deserialize)]
    struct Declared {
        max_seq_length: Option<usize>,
    }
    let Some(bytes) = bytes else { return Ok(None) };
    let declared: Declared = serde_json::from_slice(bytes).map_err(|source| {
        ModelError::BadJson { model: model.to_owned(), file: SENTENCE, source }
    })?;
    Ok(declared.max_seq_length)
}
