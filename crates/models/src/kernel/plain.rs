//! Matrix tiles in plain Rust, for machines without the instructions above: the compiler makes
//! vectors of them (SSE2, NEON) as far as it can.

use super::rows::fused;
use super::{LANES, Line, Rows, Start};

pub(super) const LINES: usize = 1;
/// As many rows as the accumulators of a small register file can hold.
const TILE_ROWS: usize = if cfg!(target_arch = "aarch64") { 4 } else { 2 };

/// Whether multiply-add is one instruction here; as a library call it would be far slower than two.
pub(super) const FUSED: bool = cfg!(any(target_arch = "aarch64", target_feature = "fma"));

pub(super) fn panel(
    left: Rows<'_>,
    panel: &[Line],
    start: Start<'_>,
    output: &mut [f32],
    stride: usize,
) {
    let mut row = 0;
    while row + TILE_ROWS <= left.count {
        let data = &left.data[row * left.stride..];
        tile::<TILE_ROWS>(data, left.stride, panel, start, &mut output[row * stride..], stride);
        row += TILE_ROWS;
    }
    for row in row..left.count {
        let data = &left.data[row * left.stride..];
        tile::<1>(data, left.stride, panel, start, &mut output[row * stride..], stride);
    }
}

fn tile<const ROWS: usize>(
    left: &[f32],
    left_stride: usize,
    panel: &[Line],
    start: Start<'_>,
    output: &mut [f32],
    stride: usize,
) {
    let mut sums = [[0.0_f32; LANES]; ROWS];
    match start {
        Start::Zero => {}
        Start::Bias(bias) => sums = [bias[0].0; ROWS],
        Start::Output => {
            for (row, sums) in sums.iter_mut().enumerate() {
                sums.copy_from_slice(&output[row * stride..][..LANES]);
            }
        }
    }
    let rows: [&[f32]; ROWS] = std::array::from_fn(|row| &left[row * left_stride..][..panel.len()]);
    for (step, line) in panel.iter().enumerate() {
        for (row, sums) in sums.iter_mut().enumerate() {
            let value = rows[row][step];
            for (sum, right) in sums.iter_mut().zip(&line.0) {
                *sum = fused::<FUSED>(value, *right, *sum);
            }
        }
    }
    for (row, sums) in sums.iter().enumerate() {
        output[row * stride..][..LANES].copy_from_slice(sums);
    }
}
