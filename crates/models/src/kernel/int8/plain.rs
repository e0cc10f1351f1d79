//! Any machine: whole numbers as floats, which are exact as long as sums stay below 2^24. The tiles are those of floats,
//! and so is the speed.

use super::super::{Line, Rows, Start, plain};
use super::{Block, Columns, LANES, Left, finish};

/// How many products of a byte and a signed byte sum up to less than 2^24.
const EXACT_DEPTH: usize = 512;

pub(super) fn panel(
    left: Left<'_>,
    panel: &[Block],
    columns: Columns<'_>,
    output: &mut [f32],
    stride: usize,
) {
    let weights: Vec<Line> =
        panel.iter().flat_map(|it| [Line(it.0.map(low)), Line(it.0.map(high))]).collect();
    let inputs: Vec<f32> = left.groups.iter().flat_map(|it| [low(*it), high(*it)]).collect();
    let (depth, count) = (weights.len(), left.scales.len());
    let mut sums = vec![[0_i32; LANES]; count];
    let mut exact = vec![0.0; count * LANES];
    for first in (0..depth).step_by(EXACT_DEPTH) {
        let weights = &weights[first..depth.min(first + EXACT_DEPTH)];
        let rows = Rows { data: &inputs[first..], stride: depth, count };
        plain::panel(rows, weights, Start::Zero, &mut exact, LANES);
        for (sum, value) in sums.as_flattened_mut().iter_mut().zip(&exact) {
            *sum += *value as i32;
        }
    }
    for (row, sums) in sums.iter().enumerate() {
        let about = (left.zeros[row], left.scales[row]);
        finish::<{ plain::FUSED }, LANES>(sums, about, columns, &mut output[row * stride..]);
    }
}

/// The first number of a group of two.
fn low(group: u32) -> f32 {
    f32::from((group as u16).cast_signed())
}

/// The second one.
fn high(group: u32) -> f32 {
    (group.cast_signed() >> 16) as f32
}
