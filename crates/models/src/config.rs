//! Reads `config.json`: which network this is, how large, and what its labels mean.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::files::CONFIG;
use crate::{ModelError, Result};

pub(crate) const SUPPORTED: &str =
    "bert, roberta, xlm-roberta, camembert, mpnet, deberta-v2 (also v3)";

/// Larger than any encoder that would run here; a damaged number must not become an allocation.
const MAX_SIZE: usize = 1 << 20;

/// Buckets of distances of MPNet: its config can name another number, but the reference has it in its code.
pub(crate) const BUCKETS: usize = 32;

/// A network this crate can compute.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Config {
    pub(crate) family: Family,
    pub(crate) vocabulary: usize,
    pub(crate) hidden: usize,
    /// Which layers of the weights it has, in order.
    pub(crate) layers: Vec<usize>,
    pub(crate) heads: usize,
    pub(crate) intermediate: usize,
    pub(crate) activation: Activation,
    pub(crate) epsilon: f32,
    /// Rows of the position table, and the most tokens a DeBERTa was trained with.
    pub(crate) positions: usize,
    pub(crate) types: usize,
    /// Output labels in order; empty where the config names none.
    pub(crate) labels: Vec<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Family {
    Bert,
    /// RoBERTa and XLM-RoBERTa: positions are counted from behind the padding's.
    Roberta {
        multilingual: bool,
        first_position: usize,
    },
    /// MPNet: positions as in RoBERTa, and a bias by distance.
    Mpnet {
        first_position: usize,
    },
    Deberta(Deberta),
}

/// How DeBERTa-v2 and v3 attend by relative position.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Deberta {
    /// How far apart two tokens can be and still be told from farther ones.
    pub(crate) max_distance: usize,
    /// Distances on each side that have an embedding of their own.
    pub(crate) span: usize,
    /// Far distances share embeddings, more of them the farther.
    pub(crate) buckets: bool,
    pub(crate) content_to_position: bool,
    pub(crate) position_to_content: bool,
    /// Positions are projected by the same weights as content.
    pub(crate) shared_keys: bool,
    pub(crate) normed: bool,
    /// Absolute positions are added to the input as well.
    pub(crate) absolute: bool,
    /// Width of the word table where it differs from the network's.
    pub(crate) embedding: usize,
    /// What the head applies to the first token's vector.
    pub(crate) pooler: Pooler,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Activation {
    Gelu,
    GeluTanh,
    Relu,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pooler {
    Tanh,
    Activation(Activation),
}

#[derive(Deserialize)]
struct Raw {
    model_type: Option<String>,
    vocab_size: Option<usize>,
    hidden_size: Option<usize>,
    num_hidden_layers: Option<usize>,
    num_attention_heads: Option<usize>,
    intermediate_size: Option<usize>,
    hidden_act: Option<String>,
    layer_norm_eps: Option<f64>,
    max_position_embeddings: Option<usize>,
    type_vocab_size: Option<usize>,
    pad_token_id: Option<usize>,
    position_embedding_type: Option<String>,
    id2label: Option<BTreeMap<String, String>>,

    relative_attention: Option<bool>,
    max_relative_positions: Option<i64>,
    position_buckets: Option<i64>,
    pos_att_type: Option<Value>,
    share_att_key: Option<bool>,
    norm_rel_ebd: Option<String>,
    position_biased_input: Option<bool>,
    embedding_size: Option<usize>,
    conv_kernel_size: Option<usize>,
    relative_attention_num_buckets: Option<usize>,
    pooler_hidden_act: Option<String>,
    pooler_hidden_size: Option<usize>,
}

impl Config {
    pub(crate) fn parse(model: &str, bytes: &[u8]) -> Result<Self> {
        let raw: Raw = serde_json::from_slice(bytes).map_err(|source| ModelError::BadJson {
            model: model.to_owned(),
            file: CONFIG,
            source,
        })?;
        Reader { model, raw }.read()
    }

    pub(crate) fn head(&self) -> usize {
        self.hidden / self.heads
    }

    /// The longest sequence the network has positions for.
    pub(crate) fn max_tokens(&self) -> usize {
        match &self.family {
            Family::Roberta { first_position, .. } | Family::Mpnet { first_position } => {
                self.positions - first_position
            }
            Family::Bert | Family::Deberta(_) => self.positions,
        }
    }
}

struct Reader<'a> {
    model: &'a str,
    raw: Raw,
}

impl Reader<'_> {
    fn read(&self) -> Result<Config> {
        let raw = &self.raw;
        let family = match raw.model_type.as_deref() {
            Some("bert") => Family::Bert,
            Some(name @ ("roberta" | "xlm-roberta" | "camembert")) => Family::Roberta {
                multilingual: name == "xlm-roberta",
                first_position: self.first_position()?,
            },
            Some("mpnet") => Family::Mpnet { first_position: self.first_position()? },
            Some("deberta-v2") => Family::Deberta(self.deberta()?),
            Some(other) => return Err(self.unsupported(other.to_owned())),
            None => return Err(self.bad("model_type is missing")),
        };
        match raw.position_embedding_type.as_deref() {
            None | Some("absolute") => {}
            Some(other) => {
                return Err(self.unsupported(format!("bert with position_embedding_type {other}")));
            }
        }
        if let Some(other) = raw.relative_attention_num_buckets.filter(|it| *it != BUCKETS) {
            let found = format!("mpnet with relative_attention_num_buckets {other}");
            return Err(self.unsupported(found));
        }
        let config = Config {
            vocabulary: self.size("vocab_size", raw.vocab_size, 1)?,
            hidden: self.size("hidden_size", raw.hidden_size, 1)?,
            layers: (0..self.size("num_hidden_layers", raw.num_hidden_layers, 1)?).collect(),
            heads: self.size("num_attention_heads", raw.num_attention_heads, 1)?,
            intermediate: self.size("intermediate_size", raw.intermediate_size, 1)?,
            activation: self.activation("hidden_act", raw.hidden_act.as_deref())?,
            epsilon: raw.layer_norm_eps.unwrap_or(1e-12) as f32,
            positions: self.size("max_position_embeddings", raw.max_position_embeddings, 1)?,
            types: self.size("type_vocab_size", raw.type_vocab_size.or(Some(0)), 0)?,
            labels: self.labels()?,
            family,
        };
        if !config.hidden.is_multiple_of(config.heads) {
            return Err(self.bad("hidden_size is not a multiple of num_attention_heads"));
        }
        if let Family::Roberta { first_position, .. } | Family::Mpnet { first_position } =
            config.family
            && config.positions <= first_position
        {
            return Err(self.bad("max_position_embeddings leaves no room for tokens"));
        }
        Ok(config)
    }

    /// The first row of the position table that a token can have: the one behind the padding's.
    fn first_position(&self) -> Result<usize> {
        Ok(self.size("pad_token_id", self.raw.pad_token_id.or(Some(1)), 0)? + 1)
    }

    fn deberta(&self) -> Result<Deberta> {
        let raw = &self.raw;
        if raw.relative_attention != Some(true) {
            return Err(self.unsupported("deberta-v2 without relative_attention".to_owned()));
        }
        if raw.conv_kernel_size.is_some_and(|it| it > 0) {
            return Err(self.unsupported("deberta-v2 with a convolution layer".to_owned()));
        }
        let hidden = self.size("hidden_size", raw.hidden_size, 1)?;
        if raw.pooler_hidden_size.is_some_and(|it| it != hidden) {
            return Err(self.bad("pooler_hidden_size differs from hidden_size"));
        }
        let positive = |number: Option<i64>| {
            number.and_then(|it| usize::try_from(it).ok()).filter(|it| *it > 0)
        };
        let max_distance = positive(raw.max_relative_positions).or(raw.max_position_embeddings);
        let max_distance = self.size("max_relative_positions", max_distance, 2)?;
        let buckets = positive(raw.position_buckets);
        let span = self.size("position_buckets", Some(buckets.unwrap_or(max_distance)), 2)?;
        let kinds = match &raw.pos_att_type {
            Some(Value::String(text)) => text.split('|').map(|it| it.trim().to_owned()).collect(),
            Some(Value::Array(list)) => {
                list.iter().filter_map(|it| Some(it.as_str()?.to_owned())).collect()
            }
            _ => Vec::new(),
        };
        if let Some(other) = kinds.iter().find(|it| !matches!(it.as_str(), "c2p" | "p2c")) {
            return Err(self.unsupported(format!("deberta-v2 with pos_att_type {other}")));
        }
        let pooler = match raw.pooler_hidden_act.as_deref() {
            Some("tanh") => Pooler::Tanh,
            other => Pooler::Activation(self.activation("pooler_hidden_act", other)?),
        };
        Ok(Deberta {
            max_distance,
            span,
            buckets: buckets.is_some(),
            content_to_position: kinds.iter().any(|it| it == "c2p"),
            position_to_content: kinds.iter().any(|it| it == "p2c"),
            shared_keys: raw.share_att_key.unwrap_or(false),
            normed: raw.norm_rel_ebd.as_deref().unwrap_or("").contains("layer_norm"),
            absolute: raw.position_biased_input.unwrap_or(true),
            embedding: self.size("embedding_size", raw.embedding_size.or(Some(hidden)), 1)?,
            pooler,
        })
    }

    fn labels(&self) -> Result<Vec<String>> {
        let Some(labels) = &self.raw.id2label else { return Ok(Vec::new()) };
        let mut numbered = Vec::new();
        for (id, label) in labels {
            let id: usize =
                id.parse().map_err(|_| self.bad("id2label has a key that is no number"))?;
            numbered.push((id, label.clone()));
        }
        numbered.sort();
        if numbered.iter().enumerate().any(|(place, (id, _))| place != *id) {
            return Err(self.bad("id2label does not count from 0"));
        }
        Ok(numbered.into_iter().map(|it| it.1).collect())
    }

    fn activation(&self, field: &str, name: Option<&str>) -> Result<Activation> {
        match name.unwrap_or("gelu") {
            "gelu" => Ok(Activation::Gelu),
            "gelu_new" | "gelu_pytorch_tanh" | "gelu_fast" => Ok(Activation::GeluTanh),
            "relu" => Ok(Activation::Relu),
            other => Err(self.bad(&format!("{field} {other} is not known (gelu, gelu_new, relu)"))),
        }
    }

    fn size(&self, field: &str, value: Option<usize>, least: usize) -> Result<usize> {
        match value {
            Some(value) if (least..=MAX_SIZE).contains(&value) => Ok(value),
            Some(value) => Err(self.bad(&format!("{field} is {value}"))),
            None => Err(self.bad(&format!("{field} is missing"))),
        }
    }

    fn bad(&self, problem: &str) -> ModelError {
        ModelError::BadConfig {
            model: self.model.to_owned(),
            file: CONFIG,
            problem: problem.to_owned(),
        }
    }

    fn unsupported(&self, found: String) -> ModelError {
        ModelError::Architecture { model: self.model.to_owned(), found, supported: SUPPORTED }
    }
}
