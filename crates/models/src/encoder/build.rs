//! Makes an encoder from weights: finds each tensor under the name its architecture gives it.

use super::bias::PositionBias;
use super::relative::{Relative, RelativeWeights};
use super::{Encoder, Input, Layer, Linear, Norm};
use crate::Result;
use crate::config::{BUCKETS, Config, Deberta, Family};
use crate::kernel::{
    self, Int8Kernel, Int8Matrix, Kernel, MAX_DEPTH, Packed, QuantizedRows, lines_of,
};
use crate::load::Arithmetic;
use crate::weights::{Table, Weights};

/// What a checkpoint may put before the names of the encoder's tensors.
const PREFIXES: [&str; 6] = ["", "bert.", "roberta.", "mpnet.", "deberta.", "model."];

/// The names that differ between the architectures, inside a layer.
struct Names {
    query: &'static str,
    key: &'static str,
    value: &'static str,
    attention_output: &'static str,
    attention_norm: &'static str,
}

const BERT: Names = Names {
    query: "attention.self.query",
    key: "attention.self.key",
    value: "attention.self.value",
    attention_output: "attention.output.dense",
    attention_norm: "attention.output.LayerNorm",
};
const DEBERTA: Names = Names {
    query: "attention.self.query_proj",
    key: "attention.self.key_proj",
    value: "attention.self.value_proj",
    ..BERT
};
const MPNET: Names = Names {
    query: "attention.attn.q",
    key: "attention.attn.k",
    value: "attention.attn.v",
    attention_output: "attention.attn.o",
    attention_norm: "attention.LayerNorm",
};

impl Encoder {
    pub(crate) fn build(
        kernel: Kernel,
        arithmetic: Arithmetic,
        config: &Config,
        weights: &Weights,
    ) -> Result<Self> {
        let words =
            |prefix: &&str| weights.has(&format!("{prefix}embeddings.word_embeddings.weight"));
        // Without any, the plain name goes into the error.
        let prefix = PREFIXES.into_iter().find(words).unwrap_or_default();
        let builder = Builder { kernel, arithmetic, config, weights, prefix };
        let deberta = match &config.family {
            Family::Deberta(it) => Some(it),
            Family::Bert | Family::Roberta { .. } | Family::Mpnet { .. } => None,
        };
        let bias = match config.family {
            Family::Mpnet { .. } => Some(builder.bias()?),
            Family::Bert | Family::Roberta { .. } | Family::Deberta(_) => None,
        };
        let distances = deberta.map(|it| builder.distances(it)).transpose()?;
        let mut layers = Vec::new();
        for index in &config.layers {
            layers.push(builder.layer(*index, deberta.zip(distances.as_deref()))?);
        }
        Ok(Self {
            kernel,
            hidden: config.hidden,
            heads: config.heads,
            epsilon: config.epsilon,
            activation: config.activation,
            input: builder.input(deberta)?,
            layers,
            relative: deberta.map(Relative::new),
            bias,
            accelerated: None,
        })
    }
}

/// A linear layer as it is stored.
struct Stored {
    /// Layers that read the same input stand side by side.
    tables: Vec<Table>,
    bias: Vec<f32>,
    outputs: usize,
    inputs: usize,
}

impl Stored {
    fn read(weights: &Weights, names: &[String], outputs: usize, inputs: usize) -> Result<Self> {
        let (mut tables, mut bias) = (Vec::new(), Vec::new());
        for name in names {
            tables.push(weights.table(&format!("{name}.weight"), outputs, inputs)?);
            bias.extend(weights.vector(&format!("{name}.bias"), outputs)?);
        }
        Ok(Self { tables, bias, outputs, inputs })
    }

    fn floats(&self, kernel: Kernel) -> Linear {
        let Self { tables, bias, outputs, inputs } = self;
        let weights = Packed::pack(kernel, bias.len(), *inputs, |row, out| {
            tables[row / outputs].row(row % outputs, out);
        });
        Linear::Float { weights, bias: Some(lines_of(kernel, bias)) }
    }

    /// Whole numbers stay whole, unless their sums could grow too large.
    fn packed(&self, kernel: Kernel, arithmetic: Arithmetic) -> Linear {
        let Self { tables, bias, outputs, inputs } = self;
        let whole = tables.iter().all(Table::is_int8) && *inputs <= MAX_DEPTH;
        match arithmetic {
            Arithmetic::Int8 if whole => {
                Linear::Int8(Int8Matrix::pack(Int8Kernel::detect(), *inputs, bias, |row, out| {
                    tables[row / outputs].int8_row(row % outputs, out)
                }))
            }
            Arithmetic::Int8 | Arithmetic::Float => self.floats(kernel),
        }
    }
}

impl Linear {
    /// Reads `NAME.weight` and `NAME.bias`, to compute in floats.
    pub(crate) fn read(
        kernel: Kernel,
        weights: &Weights,
        name: &str,
        outputs: usize,
        inputs: usize,
    ) -> Result<Self> {
        Ok(Stored::read(weights, &[name.to_owned()], outputs, inputs)?.floats(kernel))
    }
}

struct Builder<'a> {
    kernel: Kernel,
    arithmetic: Arithmetic,
    config: &'a Config,
    weights: &'a Weights,
    prefix: &'static str,
}

impl Builder<'_> {
    fn input(&self, deberta: Option<&Deberta>) -> Result<Input> {
        let (config, weights) = (self.config, self.weights);
        let width = deberta.map_or(config.hidden, |it| it.embedding);
        let table = |name: &str, rows: usize| {
            weights.table(&self.name(&format!("embeddings.{name}.weight")), rows, width)
        };
        let first = match config.family {
            Family::Roberta { first_position, .. } | Family::Mpnet { first_position } => {
                first_position
            }
            Family::Bert | Family::Deberta(_) => 0,
        };
        let absolute = deberta.is_none_or(|it| it.absolute);
        let positions = if absolute {
            Some((first, table("position_embeddings", config.positions)?))
        } else {
            None
        };
        let types = match config.types {
            0 => None,
            rows => Some(table("token_type_embeddings", rows)?),
        };
        let projection = if width == config.hidden {
            None
        } else {
            let table =
                weights.table(&self.name("embeddings.embed_proj.weight"), config.hidden, width)?;
            let packed =
                Packed::pack(self.kernel, config.hidden, width, |row, out| table.row(row, out));
            Some(Linear::Float { weights: packed, bias: None })
        };
        Ok(Input {
            words: table("word_embeddings", config.vocabulary)?,
            positions,
            types,
            projection,
            width,
            norm: self.norm(&self.name("embeddings.LayerNorm"))?,
        })
    }

    fn layer(&self, index: usize, distances: Option<(&Deberta, &[f32])>) -> Result<Layer> {
        let (config, kernel) = (self.config, self.kernel);
        let (hidden, wide) = (config.hidden, config.intermediate);
        let names = match config.family {
            Family::Bert | Family::Roberta { .. } => BERT,
            Family::Mpnet { .. } => MPNET,
            Family::Deberta(_) => DEBERTA,
        };
        let name = |part: &str| self.name(&format!("encoder.layer.{index}.{part}"));
        let linear = |parts: &[&str], outputs, inputs| -> Result<Linear> {
            let names: Vec<String> = parts.iter().map(|it| name(it)).collect();
            let stored = Stored::read(self.weights, &names, outputs, inputs)?;
            Ok(stored.packed(kernel, self.arithmetic))
        };
        let projections = linear(&[names.query, names.key, names.value], hidden, hidden)?;
        let positions = match distances {
            Some((deberta, distances)) => {
                Some(self.positions(deberta, distances, &projections, &name)?)
            }
            None => None,
        };
        Ok(Layer {
            projections,
            positions,
            attention_output: linear(&[names.attention_output], hidden, hidden)?,
            attention_norm: self.norm(&name(names.attention_norm))?,
            up: linear(&["intermediate.dense"], wide, hidden)?,
            down: linear(&["output.dense"], hidden, wide)?,
            output_norm: self.norm(&name("output.LayerNorm"))?,
        })
    }

    /// The distance embeddings, normed where the model says so.
    fn distances(&self, deberta: &Deberta) -> Result<Vec<f32>> {
        let hidden = self.config.hidden;
        let rows = 2 * deberta.span;
        let table =
            self.weights.table(&self.name("encoder.rel_embeddings.weight"), rows, hidden)?;
        let mut values = vec![0.0; rows * hidden];
        for (index, row) in values.chunks_exact_mut(hidden).enumerate() {
            table.row(index, row);
        }
        if deberta.normed {
            let norm = self.norm(&self.name("encoder.LayerNorm"))?;
            kernel::norm(self.kernel, &mut values, &norm.weight, &norm.bias, self.config.epsilon);
        }
        Ok(values)
    }

    fn positions(
        &self,
        deberta: &Deberta,
        distances: &[f32],
        projections: &Linear,
        name: &dyn Fn(&str) -> String,
    ) -> Result<RelativeWeights> {
        let (kernel, hidden) = (self.kernel, self.config.hidden);
        let rows = distances.len() / hidden;
        let project = |part: &str, place: usize| -> Result<Vec<Packed>> {
            if deberta.shared_keys {
                return Ok(self.per_head(projections, place, distances, rows));
            }
            let own = Linear::read(kernel, self.weights, &name(part), hidden, hidden)?;
            Ok(self.per_head(&own, 0, distances, rows))
        };
        let keys = deberta.content_to_position.then(|| project("attention.self.pos_key_proj", 1));
        let queries =
            deberta.position_to_content.then(|| project("attention.self.pos_query_proj", 0));
        Ok(RelativeWeights { keys: keys.transpose()?, queries: queries.transpose()? })
    }

    /// Projects the distances and packs the part at `place` head by head.
    fn per_head(
        &self,
        linear: &Linear,
        place: usize,
        distances: &[f32],
        rows: usize,
    ) -> Vec<Packed> {
        let (hidden, head) = (self.config.hidden, self.config.head());
        let stride = linear.outputs();
        let mut projected = vec![0.0; rows * stride];
        linear.apply(self.kernel, distances, &mut projected, &mut QuantizedRows::default());
        let pack = |index: usize| {
            let at = place * hidden + index * head;
            Packed::pack(self.kernel, rows, head, |row, out| {
                out.copy_from_slice(&projected[row * stride + at..][..head]);
            })
        };
        (0..self.config.heads).map(pack).collect()
    }

    /// What MPNet adds to scores by distance.
    fn bias(&self) -> Result<PositionBias> {
        let heads = self.config.heads;
        let name = self.name("encoder.relative_attention_bias.weight");
        let table = self.weights.table(&name, BUCKETS, heads)?;
        Ok(PositionBias::new(heads, self.config.head(), |bucket, out| table.row(bucket, out)))
    }

    /// Reads a layer norm; old checkpoints call its weight gamma and its bias beta.
    fn norm(&self, name: &str) -> Result<Norm> {
        let (weights, hidden) = (self.weights, self.config.hidden);
        let old = weights.has(&format!("{name}.gamma"));
        let (weight, bias) = if old { ("gamma", "beta") } else { ("weight", "bias") };
        Ok(Norm {
            weight: weights.vector(&format!("{name}.{weight}"), hidden)?,
            bias: weights.vector(&format!("{name}.{bias}"), hidden)?,
        })
    }

    fn name(&self, tensor: &str) -> String {
        format!("{}{tensor}", self.prefix)
    }
}
