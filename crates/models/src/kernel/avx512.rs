//! Matrix tiles of 12 rows by 32 columns: 24 accumulators of the 32 registers AVX-512 has.
#![expect(unsafe_code, reason = "vector loads and stores go through pointers")]

use std::arch::x86_64::{
    __m512, _mm512_fmadd_ps, _mm512_load_ps, _mm512_loadu_ps, _mm512_set1_ps, _mm512_setzero_ps,
    _mm512_storeu_ps,
};

use super::{LANES, Line, Rows, Start};

pub(super) const LINES: usize = 2;
const TILE_ROWS: usize = 12;

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")]
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
            12 => tile::<12>(data, left.stride, panel, start, output, stride),
            11 => tile::<11>(data, left.stride, panel, start, output, stride),
            10 => tile::<10>(data, left.stride, panel, start, output, stride),
            9 => tile::<9>(data, left.stride, panel, start, output, stride),
            8 => tile::<8>(data, left.stride, panel, start, output, stride),
            7 => tile::<7>(data, left.stride, panel, start, output, stride),
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

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")]
fn tile<const ROWS: usize>(
    left: &[f32],
    left_stride: usize,
    panel: &[Line],
    start: Start<'_>,
    output: &mut [f32],
    stride: usize,
) {
    let depth = panel.len() / LINES;
    assert!(left.len() >= (ROWS - 1) * left_stride + depth, "the rows end before the panel does");
    assert!(output.len() >= (ROWS - 1) * stride + LINES * LANES, "no room for the tile");
    let mut sums = [[_mm512_setzero_ps(); LINES]; ROWS];
    match start {
        Start::Zero => {}
        Start::Bias(bias) => {
            assert!(bias.len() >= LINES, "a bias has a line per sixteen columns");
            // SAFETY: two lines were just checked, and a line is aligned to 64 bytes.
            let bias =
                unsafe { [_mm512_load_ps(bias[0].0.as_ptr()), _mm512_load_ps(bias[1].0.as_ptr())] };
            sums = [bias; ROWS];
        }
        Start::Output => {
            for (row, sums) in sums.iter_mut().enumerate() {
                let from = output[row * stride..].as_ptr();
                // SAFETY: the length of `output` was checked for all rows of the tile.
                unsafe { *sums = [_mm512_loadu_ps(from), _mm512_loadu_ps(from.add(LANES))] };
            }
        }
    }
    let left = left.as_ptr();
    let mut lines = panel.as_ptr().cast::<f32>();
    for step in 0..depth {
        // SAFETY: `lines` walks `depth` steps of two whole lines; row and step stay inside `left`,
        // whose length was checked.
        unsafe {
            let right: [__m512; LINES] = [_mm512_load_ps(lines), _mm512_load_ps(lines.add(LANES))];
            lines = lines.add(LINES * LANES);
            for (row, sums) in sums.iter_mut().enumerate() {
                let value = _mm512_set1_ps(*left.add(row * left_stride + step));
                sums[0] = _mm512_fmadd_ps(value, right[0], sums[0]);
                sums[1] = _mm512_fmadd_ps(value, right[1], sums[1]);
            }
        }
    }
    for (row, sums) in sums.iter().enumerate() {
        let to = output[row * stride..].as_mut_ptr();
        // SAFETY: the length of `output` was checked for all rows of the tile.
        unsafe {
            _mm512_storeu_ps(to, sums[0]);
            _mm512_storeu_ps(to.add(LANES), sums[1]);
        }
    }
}
