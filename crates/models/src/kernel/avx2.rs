//! Matrix tiles of 6 rows by 16 columns: 12 accumulators of the 16 registers AVX2 has.
#![expect(unsafe_code, reason = "vector loads and stores go through pointers")]

use std::arch::x86_64::{
    __m256, _mm256_fmadd_ps, _mm256_load_ps, _mm256_loadu_ps, _mm256_set1_ps, _mm256_setzero_ps,
    _mm256_storeu_ps,
};

use super::{LANES, Line, Rows, Start};

pub(super) const LINES: usize = 1;
const TILE_ROWS: usize = 6;
/// A line fills two registers.
const HALF: usize = LANES / 2;

#[target_feature(enable = "avx2,fma")]
pub(super) fn panel(
    left: Rows<'_>,
    panel: &[Line],
    start: Start<'_>,
    output: &mut [f32],
    stride: usize,
) {
    let mut row = 0;
    while row < left.count {
        let data = &left.data[row * left.stride..];
        let output = &mut output[row * stride..];
        let rows = TILE_ROWS.min(left.count - row);
        match rows {
            6 => tile::<6>(data, left.stride, panel, start, output, stride),
            5 => tile::<5>(data, left.stride, panel, start, output, stride),
            4 => tile::<4>(data, left.stride, panel, start, output, stride),
            3 => tile::<3>(data, left.stride, panel, start, output, stride),
            2 => tile::<2>(data, left.stride, panel, start, output, stride),
            _ => tile::<1>(data, left.stride, panel, start, output, stride),
        }
        row += rows;
    }
}

#[target_feature(enable = "avx2,fma")]
fn tile<const ROWS: usize>(
    left: &[f32],
    left_stride: usize,
    panel: &[Line],
    start: Start<'_>,
    output: &mut [f32],
    stride: usize,
) {
    let depth = panel.len();
    assert!(left.len() >= (ROWS - 1) * left_stride + depth, "the rows end before the panel does");
    assert!(output.len() >= (ROWS - 1) * stride + LANES, "no room for the tile");
    let mut sums = [[_mm256_setzero_ps(); 2]; ROWS];
    match start {
        Start::Zero => {}
        Start::Bias(bias) => {
            let from = bias[0].0.as_ptr();
            // SAFETY: a line holds sixteen floats and is aligned to 64 bytes.
            sums = [unsafe { [_mm256_load_ps(from), _mm256_load_ps(from.add(HALF))] }; ROWS];
        }
        Start::Output => {
            for (row, sums) in sums.iter_mut().enumerate() {
                let from = output[row * stride..].as_ptr();
                // SAFETY: the length of `output` was checked for all rows of the tile.
                unsafe { *sums = [_mm256_loadu_ps(from), _mm256_loadu_ps(from.add(HALF))] };
            }
        }
    }
    let left = left.as_ptr();
    let mut lines = panel.as_ptr().cast::<f32>();
    for step in 0..depth {
        // SAFETY: `lines` walks `depth` whole lines; row and step stay inside `left`, whose length
        // was checked.
        unsafe {
            let right: [__m256; 2] = [_mm256_load_ps(lines), _mm256_load_ps(lines.add(HALF))];
            lines = lines.add(LANES);
            for (row, sums) in sums.iter_mut().enumerate() {
                let value = _mm256_set1_ps(*left.add(row * left_stride + step));
                sums[0] = _mm256_fmadd_ps(value, right[0], sums[0]);
                sums[1] = _mm256_fmadd_ps(value, right[1], sums[1]);
            }
        }
    }
    for (row, sums) in sums.iter().enumerate() {
        let to = output[row * stride..].as_mut_ptr();
        // SAFETY: the length of `output` was checked for all rows of the tile.
        unsafe {
            _mm256_storeu_ps(to, sums[0]);
            _mm256_storeu_ps(to.add(HALF), sums[1]);
        }
    }
}
