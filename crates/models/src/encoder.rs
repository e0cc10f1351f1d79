//! The transformer encoder: token ids in, one vector per token out.
//!
//! Sequences of a batch follow each other in one matrix, without padding: linear layers
//! see all tokens at once, attention runs per sequence and head. BERT, RoBERTa, MPNet and DeBERTa differ in
//! how they know positions; the rest is shared.

mod attention;
mod bias;
mod build;
#[cfg(feature = "cuda")]
mod gpu;
mod relative;

use crate::config::Activation;
use crate::device::{Accelerated, Device, InUse};
#[cfg(not(feature = "cuda"))]
use crate::device::{Accelerator, DeviceError};
use crate::kernel::{self, Int8Matrix, Kernel, Line, Packed, QuantizedRows, ROW_BLOCK, Rows};
use crate::load::Options;
use crate::weights::Table;
use attention::{AttentionScratch, Positions};
use bias::PositionBias;
use relative::{Relative, RelativeWeights};

/// A network with its weights, ready to compute.
#[derive(Debug)]
pub(crate) struct Encoder {
    kernel: Kernel,
    hidden: usize,
    heads: usize,
    epsilon: f32,
    activation: Activation,
    input: Input,
    layers: Vec<Layer>,
    /// Only DeBERTa has it.
    relative: Option<Relative>,
    /// Only MPNet has it: one for all layers.
    bias: Option<PositionBias>,
    /// The layers on another device; those here stand in for it when it fails.
    accelerated: Option<Accelerated>,
}

/// Token ids of one text, special tokens included, and the segment each belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Sequence {
    pub(crate) ids: Vec<u32>,
    pub(crate) types: Vec<u32>,
}

/// Buffers of one thread, kept from batch to batch.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    hidden: Vec<f32>,
    projected: Vec<f32>,
    context: Vec<f32>,
    wide: Vec<f32>,
    quantized: QuantizedRows,
    attention: AttentionScratch,
}

#[derive(Debug)]
struct Input {
    words: Table,
    /// First row used, and the table.
    positions: Option<(usize, Table)>,
    types: Option<Table>,
    /// Where words are narrower than the network.
    projection: Option<Linear>,
    width: usize,
    norm: Norm,
}

#[derive(Debug)]
struct Layer {
    /// Query, key and value in one row.
    projections: Linear,
    positions: Option<RelativeWeights>,
    attention_output: Linear,
    attention_norm: Norm,
    up: Linear,
    down: Linear,
    output_norm: Norm,
}

/// A linear layer, its weights packed for the kernel.
#[derive(Debug)]
pub(crate) enum Linear {
    Float { weights: Packed, bias: Option<Vec<Line>> },
    Int8(Int8Matrix),
}

#[derive(Debug)]
struct Norm {
    weight: Vec<f32>,
    bias: Vec<f32>,
}

impl Encoder {
    pub(crate) fn hidden(&self) -> usize {
        self.hidden
    }

    pub(crate) fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// Lets the device that is asked for do the work, where it can be had. No sequence will be longer
    /// than `max_tokens`.
    pub(crate) fn on_device(mut self, options: &Options, max_tokens: usize) -> Self {
        let Options { device, listener, .. } = options;
        if *device == Device::Cpu {
            return self;
        }
        match self.copy_to_gpu(max_tokens) {
            Ok(copy) => self.accelerated = Some(Accelerated::new(copy, listener.clone())),
            Err(reason) if *device == Device::Cuda => listener.not_used(&reason),
            Err(_) => {}
        }
        self
    }

    #[cfg(not(feature = "cuda"))]
    fn copy_to_gpu(&self, _: usize) -> Result<Box<dyn Accelerator>, DeviceError> {
        Err(DeviceError::NotBuilt)
    }

    pub(crate) fn device(&self) -> InUse {
        match self.accelerated.as_ref().and_then(Accelerated::device) {
            Some(name) => InUse::Gpu { name },
            None => InUse::Cpu,
        }
    }

    /// Bytes held by the weights.
    pub(crate) fn bytes(&self) -> usize {
        let input = &self.input;
        let tables =
            [Some(&input.words), input.positions.as_ref().map(|it| &it.1), input.types.as_ref()];
        let tables: usize = tables.into_iter().flatten().map(Table::bytes).sum();
        let layers = self.layers.iter().map(|layer| {
            let linear = [&layer.projections, &layer.attention_output, &layer.up, &layer.down];
            linear.into_iter().map(Linear::bytes).sum::<usize>()
                + layer.positions.as_ref().map_or(0, RelativeWeights::bytes)
        });
        tables
            + input.projection.as_ref().map_or(0, Linear::bytes)
            + self.bias.as_ref().map_or(0, PositionBias::bytes)
            + layers.sum::<usize>()
    }

    /// Computes the vectors of all tokens, sequence after sequence.
    ///
    /// Ids must be below the size of the vocabulary and no sequence longer than the network's
    /// positions: the tokenizer's checks and windows see to it.
    pub(crate) fn forward<'s>(&self, batch: &[Sequence], scratch: &'s mut Scratch) -> &'s [f32] {
        let tokens: usize = batch.iter().map(|it| it.ids.len()).sum();
        let (kernel, hidden, epsilon) = (self.kernel, self.hidden, self.epsilon);
        let Scratch { hidden: states, projected, context, wide, quantized, attention } = scratch;
        reshape(states, tokens * hidden);
        self.embed(batch, states, quantized);
        if let Some(accelerated) = &self.accelerated {
            let lengths: Vec<usize> = batch.iter().map(|it| it.ids.len()).collect();
            if accelerated.run(states, &lengths) {
                return states;
            }
            self.embed(batch, states, quantized);
        }
        reshape(projected, tokens * 3 * hidden);
        reshape(context, tokens * hidden);
        for layer in &self.layers {
            let positions = match (&self.relative, &layer.positions, &self.bias) {
                (Some(relative), Some(weights), _) => Positions::Embedded(relative, weights),
                (_, _, Some(bias)) => Positions::Biased(bias),
                _ => Positions::InTheInput,
            };
            layer.projections.apply(kernel, states, projected, quantized);
            let mut first = 0;
            for sequence in batch {
                let length = sequence.ids.len();
                let projected = &projected[first * 3 * hidden..][..length * 3 * hidden];
                let context = &mut context[first * hidden..][..length * hidden];
                attention::attend(
                    kernel, self.heads, hidden, positions, projected, context, attention,
                );
                first += length;
            }
            // What was projected is used up: its buffer takes the layer's outputs.
            let output = &mut projected[..tokens * hidden];
            layer.attention_output.apply(kernel, context, output, quantized);
            let norm = &layer.attention_norm;
            kernel::add_and_norm(kernel, states, output, &norm.weight, &norm.bias, epsilon);
            self.feed_forward(layer, states, output, wide, quantized);
            let norm = &layer.output_norm;
            kernel::add_and_norm(kernel, states, output, &norm.weight, &norm.bias, epsilon);
        }
        states
    }

    /// Block by block, so that the wide rows between the two layers stay in the cache.
    fn feed_forward(
        &self,
        layer: &Layer,
        states: &[f32],
        output: &mut [f32],
        wide: &mut Vec<f32>,
        quantized: &mut QuantizedRows,
    ) {
        let width = layer.up.outputs();
        let block = ROW_BLOCK * self.hidden;
        for (states, output) in states.chunks(block).zip(output.chunks_mut(block)) {
            reshape(wide, states.len() / self.hidden * width);
            layer.up.apply(self.kernel, states, wide, quantized);
            self.activation.apply(self.kernel, wide);
            layer.down.apply(self.kernel, wide, output, quantized);
        }
    }

    fn embed(&self, batch: &[Sequence], states: &mut [f32], quantized: &mut QuantizedRows) {
        let input = &self.input;
        let width = input.width;
        let mut narrow = Vec::new();
        let target: &mut [f32] = if input.projection.is_some() {
            narrow.resize(states.len() / self.hidden * width, 0.0);
            &mut narrow
        } else {
            states
        };
        let mut extra = vec![0.0; width];
        let mut rows = target.chunks_exact_mut(width);
        for sequence in batch {
            for (place, (id, kind)) in sequence.ids.iter().zip(&sequence.types).enumerate() {
                let Some(row) = rows.next() else { return };
                input.words.row(*id as usize, row);
                let mut add = |table: &Table, index: usize| {
                    table.row(index, &mut extra);
                    row.iter_mut().zip(&extra).for_each(|(value, extra)| *value += extra);
                };
                if let Some((first, table)) = &input.positions {
                    add(table, first + place);
                }
                if let Some(table) = &input.types {
                    // A tokenizer may number segments the network does not tell apart.
                    add(table, (*kind as usize).min(table.rows() - 1));
                }
            }
        }
        if let Some(projection) = &input.projection {
            projection.apply(self.kernel, &narrow, states, quantized);
        }
        kernel::norm(self.kernel, states, &input.norm.weight, &input.norm.bias, self.epsilon);
    }
}

impl Linear {
    /// `output = input * weights + bias`, for as many rows as the input has. `quantized` is a buffer.
    pub(crate) fn apply(
        &self,
        kernel: Kernel,
        input: &[f32],
        output: &mut [f32],
        quantized: &mut QuantizedRows,
    ) {
        match self {
            Self::Float { weights, bias } => {
                let depth = weights.panels().depth();
                let left = Rows { data: input, stride: depth, count: input.len() / depth };
                let (panels, columns) = (weights.panels(), weights.columns());
                kernel::multiply(kernel, left, panels, bias.as_deref(), output, columns);
            }
            Self::Int8(weights) => weights.multiply(kernel, input, output, quantized),
        }
    }

    pub(crate) fn outputs(&self) -> usize {
        match self {
            Self::Float { weights, .. } => weights.columns(),
            Self::Int8(weights) => weights.columns(),
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Float { weights, bias } => {
                weights.bytes() + bias.as_ref().map_or(0, |it| size_of_val(it.as_slice()))
            }
            Self::Int8(weights) => weights.bytes(),
        }
    }
}

impl Activation {
    pub(crate) fn apply(self, kernel: Kernel, values: &mut [f32]) {
        match self {
            Self::Gelu => kernel::gelu(kernel, values),
            Self::GeluTanh => kernel::gelu_tanh(kernel, values),
            Self::Relu => kernel::relu(kernel, values),
        }
    }
}

/// Gives a buffer this length; the caller overwrites its contents.
fn reshape(buffer: &mut Vec<f32>, length: usize) {
    if buffer.len() < length {
        buffer.resize(length, 0.0);
    } else {
        buffer.truncate(length);
    }
}

#[cfg(test)]
use crate::load::Arithmetic;

#[cfg(test)]
impl Encoder {
    /// The encoder of one of the tiny models in `tests/parity`, in floats.
    pub(crate) fn tiny(name: &str) -> Self {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/parity");
        let files = crate::ModelFiles::from_folder(&std::path::Path::new(folder).join(name));
        let crate::ModelFiles { config, weights, .. } = files.unwrap();
        let config = crate::config::Config::parse(name, &config).unwrap();
        let weights = crate::weights::Weights::open(name, weights).unwrap();
        Self::build(Kernel::detect(), Arithmetic::Float, &config, &weights).unwrap()
    }

    pub(crate) fn with(self, accelerated: Accelerated) -> Self {
        Self { accelerated: Some(accelerated), ..self }
    }
}
