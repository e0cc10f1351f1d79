//! The layers of an encoder on a graphics card: copied once, then batches go there and back.

use std::sync::Arc;

use super::relative::{Relative, RelativeWeights};
use super::{Encoder, Layer, Linear, Norm};
use crate::config::Activation;
use crate::device::cuda::{Gpu, Matrix, Numbers, Places, Positions, Shape};
use crate::device::{Accelerator, DeviceError};
use crate::kernel::{Kernel, Packed};

type Result<T, E = DeviceError> = std::result::Result<T, E>;

#[derive(Debug)]
struct OnGpu {
    gpu: Arc<Gpu>,
    hidden: usize,
    heads: usize,
    epsilon: f32,
    activation: Activation,
    /// The longest sequence there can be.
    max_tokens: usize,
    layers: Vec<GpuLayer>,
    places: Option<Places>,
}

#[derive(Debug)]
struct GpuLayer {
    projections: Matrix,
    positions: Option<Positions>,
    /// How many terms a score is the sum of.
    parts: usize,
    attention_output: Matrix,
    attention_norm: (Numbers, Numbers),
    up: Matrix,
    down: Matrix,
    output_norm: (Numbers, Numbers),
}

impl Encoder {
    /// Copies all layers to the card; the input tables stay here. No sequence will be longer than
    /// `max_tokens`.
    pub(super) fn copy_to_gpu(&self, max_tokens: usize) -> Result<Box<dyn Accelerator>> {
        if self.bias.is_some() {
            return Err(DeviceError::PositionBias);
        }
        let limit = Gpu::longest(self.hidden / self.heads);
        if max_tokens > limit {
            return Err(DeviceError::Length { tokens: max_tokens, limit });
        }
        let gpu = Gpu::shared()?;
        let copy = Copy { gpu: &gpu, kernel: self.kernel };
        let layers = self.layers.iter().map(|it| copy.layer(it)).collect::<Result<_>>()?;
        let places = self.relative.as_ref().map(|it| copy.places(it, max_tokens)).transpose()?;
        let Self { hidden, heads, epsilon, activation, .. } = *self;
        Ok(Box::new(OnGpu { gpu, hidden, heads, epsilon, activation, max_tokens, layers, places }))
    }
}

struct Copy<'a> {
    gpu: &'a Gpu,
    kernel: Kernel,
}

impl Copy<'_> {
    fn layer(&self, layer: &Layer) -> Result<GpuLayer> {
        Ok(GpuLayer {
            projections: self.linear(&layer.projections)?,
            positions: layer.positions.as_ref().map(|it| self.positions(it)).transpose()?,
            parts: 1 + layer.positions.as_ref().map_or(0, RelativeWeights::parts),
            attention_output: self.linear(&layer.attention_output)?,
            attention_norm: self.norm(&layer.attention_norm)?,
            up: self.linear(&layer.up)?,
            down: self.linear(&layer.down)?,
            output_norm: self.norm(&layer.output_norm)?,
        })
    }

    fn linear(&self, linear: &Linear) -> Result<Matrix> {
        let columns = linear.outputs();
        let (values, bias) = match linear {
            Linear::Float { weights, bias } => {
                let mut values = vec![0.0; columns];
                let lines = bias.iter().flatten().flat_map(|it| it.0);
                values.iter_mut().zip(lines).for_each(|(bias, value)| *bias = value);
                (weights.unpacked(self.kernel), values)
            }
            Linear::Int8(weights) => (weights.unpacked(), weights.bias().to_vec()),
        };
        Ok(Matrix {
            depth: values.len() / columns,
            values: self.gpu.upload(&values)?,
            bias: self.gpu.upload(&bias)?,
            columns,
        })
    }

    fn norm(&self, norm: &Norm) -> Result<(Numbers, Numbers)> {
        Ok((self.gpu.upload(&norm.weight)?, self.gpu.upload(&norm.bias)?))
    }

    fn positions(&self, weights: &RelativeWeights) -> Result<Positions> {
        let per_head = |heads: &Vec<Packed>| {
            let values: Vec<f32> = heads.iter().flat_map(|it| it.unpacked(self.kernel)).collect();
            self.gpu.upload(&values)
        };
        Ok(Positions {
            keys: weights.keys.as_ref().map(per_head).transpose()?,
            queries: weights.queries.as_ref().map(per_head).transpose()?,
        })
    }

    fn places(&self, relative: &Relative, max_tokens: usize) -> Result<Places> {
        let farthest = max_tokens as isize - 1;
        let by_distance: Vec<i32> =
            (-farthest..=farthest).map(|distance| relative.index(distance) as i32).collect();
        Ok(Places { by_distance: self.gpu.upload_whole(&by_distance)?, distances: relative.rows() })
    }
}

impl Accelerator for OnGpu {
    fn device(&self) -> String {
        self.gpu.name.clone()
    }

    fn run(&self, states: &mut [f32], lengths: &[usize]) -> Result<()> {
        let Self { gpu, hidden, heads, epsilon, .. } = self;
        let (hidden, heads, epsilon) = (*hidden, *heads, *epsilon);
        let longest = lengths.iter().copied().max().unwrap_or_default();
        if longest > self.max_tokens {
            return Err(DeviceError::Length { tokens: longest, limit: self.max_tokens });
        }
        let spans = spans(lengths);
        let tokens = spans.len() / 2;
        assert_eq!(states.len(), tokens * hidden, "one row for each token");
        let _turn = gpu.turn.lock().unwrap_or_else(|it| it.into_inner());
        let spans = gpu.upload_whole(&spans)?;
        let mut rows = gpu.upload(states)?;
        let mut projected = gpu.room(tokens * 3 * hidden)?;
        let mut context = gpu.room(tokens * hidden)?;
        let mut output = gpu.room(tokens * hidden)?;
        let widest = self.layers.iter().map(|it| it.up.columns).max().unwrap_or_default();
        let mut wide = gpu.room(tokens * widest)?;
        for layer in &self.layers {
            let scale = 1.0 / ((hidden / heads * layer.parts) as f32).sqrt();
            let shape = Shape { hidden, heads, longest, scale };
            let positions = layer.positions.as_ref().zip(self.places.as_ref());
            gpu.linear(&rows, &layer.projections, None, tokens, &mut projected)?;
            gpu.attend(shape, &projected, &spans, positions, &mut context)?;
            gpu.linear(&context, &layer.attention_output, None, tokens, &mut output)?;
            gpu.add_and_norm(&mut rows, &output, &layer.attention_norm, epsilon, tokens)?;
            gpu.linear(&rows, &layer.up, Some(self.activation), tokens, &mut wide)?;
            gpu.linear(&wide, &layer.down, None, tokens, &mut output)?;
            gpu.add_and_norm(&mut rows, &output, &layer.output_norm, epsilon, tokens)?;
        }
        gpu.download(&rows, states)
    }
}

/// For each token, the first of its sequence and how many that has.
fn spans(lengths: &[usize]) -> Vec<i32> {
    let mut spans = Vec::new();
    let mut first = 0;
    for length in lengths {
        spans.extend([first, *length as i32].repeat(*length));
        first += *length as i32;
    }
    spans
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::device::{Accelerated, InUse, Listener};
    use crate::encoder::{Scratch, Sequence};

    #[test]
    fn every_token_knows_its_sequence() {
        assert_eq!(spans(&[2, 1]), [0, 2, 0, 2, 2, 1]);
        assert!(spans(&[]).is_empty());
    }

    /// Breaks the card's context for the whole process, as a faulty card would.
    fn break_it(gpu: &Gpu) {
        let shape = Shape { hidden: 32, heads: 4, longest: 1, scale: 1.0 };
        let rows = gpu.upload(&[0.0; 96]).unwrap();
        let far_outside = gpu.upload_whole(&[i32::MAX, 1]).unwrap();
        gpu.attend(shape, &rows, &far_outside, None, &mut gpu.room(32).unwrap()).unwrap();
    }

    #[test]
    fn a_card_that_breaks_in_the_middle_of_the_work_gives_way_to_the_cpu() {
        let gpu = match Gpu::shared() {
            Ok(gpu) => gpu,
            Err(reason) => {
                println!("skipped: {reason}");
                return;
            }
        };
        let ids: Vec<u32> = (1..=9).collect();
        let batch = [Sequence { types: vec![0; ids.len()], ids }];
        let forward = |encoder: &Encoder| encoder.forward(&batch, &mut Scratch::default()).to_vec();
        let expected = forward(&Encoder::tiny("deberta-v3"));

        let heard = Arc::new(Mutex::new(Vec::new()));
        let notes = Arc::clone(&heard);
        let listener = Listener::new(move |message| notes.lock().unwrap().push(message.to_owned()));
        let encoder = Encoder::tiny("deberta-v3");
        let copy = encoder.copy_to_gpu(64).unwrap();
        let encoder = encoder.with(Accelerated::new(copy, listener));
        for (found, expected) in forward(&encoder).iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-4, "{found} instead of {expected}");
        }
        assert_eq!(encoder.device(), InUse::Gpu { name: gpu.name.clone() });
        break_it(&gpu);
        assert_eq!(forward(&encoder), expected);
        assert_eq!(forward(&encoder), expected);
        assert_eq!(encoder.device(), InUse::Cpu);
        assert_eq!(
            *heard.lock().unwrap(),
            ["the GPU failed: the NVIDIA driver answers CUDA_ERROR_ILLEGAL_ADDRESS (an illegal \
              memory access was encountered); continuing on the CPU"]
        );
    }
}
