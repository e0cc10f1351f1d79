//! Tiles in plain Rust, for machines without the instructions above: two numbers of sixteen bits at a time, which the
//! compiler makes vectors of as far as it can.

use super::super::plain::FUSED;
use super::{Block, Columns, LANES, Left, in_tiles};

pub(super) fn panel(
    left: Left<'_>,
    panel: &[Block],
    columns: Columns<'_>,
    output: &mut [f32],
    stride: usize,
) {
    in_tiles!(left, panel, columns, output, stride, FUSED, LANES; 2 1);
}

fn tile<const ROWS: usize>(
    left: &[u32],
    left_stride: usize,
    panel: &[Block],
    output: &mut [[i32; LANES]; ROWS],
) {
    let rows: [&[u32]; ROWS] = std::array::from_fn(|row| &left[row * left_stride..][..panel.len()]);
    for (step, block) in panel.iter().enumerate() {
        for (sums, row) in output.iter_mut().zip(rows) {
            let (low, high) = halves(row[step]);
            for (sum, group) in sums.iter_mut().zip(block.0) {
                let (right_low, right_high) = halves(group);
                *sum += low * right_low + high * right_high;
            }
        }
    }
}

/// The two numbers of a group.
#[inline(always)]
fn halves(group: u32) -> (i32, i32) {
    (i32::from((group as u16).cast_signed()), group.cast_signed() >> 16)
}
