//! Tiles of 12 rows by 32 columns: 24 accumulators of the 32 registers AVX-512 has, four products to each of 16 lanes.
#![expect(unsafe_code, reason = "vector loads and stores go through pointers")]

use std::arch::x86_64::{
    __m512i, _mm512_dpbusd_epi32, _mm512_load_si512, _mm512_set1_epi32, _mm512_setzero_si512,
    _mm512_storeu_si512,
};

use super::{Block, Columns, LANES, Left, in_tiles};

pub(super) const BLOCKS: usize = 2;
const WIDTH: usize = BLOCKS * LANES;

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx2,fma")]
pub(super) fn panel(
    left: Left<'_>,
    panel: &[Block],
    columns: Columns<'_>,
    output: &mut [f32],
    stride: usize,
) {
    in_tiles!(left, panel, columns, output, stride, true, WIDTH; 12 11 10 9 8 7 6 5 4 3 2 1);
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx2,fma")]
fn tile<const ROWS: usize>(
    left: &[u32],
    left_stride: usize,
    panel: &[Block],
    output: &mut [[i32; WIDTH]; ROWS],
) {
    let steps = panel.len() / BLOCKS;
    assert!(left.len() >= (ROWS - 1) * left_stride + steps, "the rows end before the panel does");
    let mut sums = [[_mm512_setzero_si512(); BLOCKS]; ROWS];
    let left = left.as_ptr();
    let mut blocks = panel.as_ptr().cast::<__m512i>();
    for step in 0..steps {
        // SAFETY: `blocks` walks `steps` times two whole blocks, each aligned to 64 bytes; row and step stay inside
        // `left`, whose length was checked.
        unsafe {
            let right = [_mm512_load_si512(blocks), _mm512_load_si512(blocks.add(1))];
            blocks = blocks.add(BLOCKS);
            for (row, sums) in sums.iter_mut().enumerate() {
                let group = *left.add(row * left_stride + step);
                let group = _mm512_set1_epi32(group.cast_signed());
                sums[0] = _mm512_dpbusd_epi32(sums[0], group, right[0]);
                sums[1] = _mm512_dpbusd_epi32(sums[1], group, right[1]);
            }
        }
    }
    for (output, sums) in output.iter_mut().zip(sums) {
        let to = output.as_mut_ptr();
        // SAFETY: a row of the output has room for two vectors of sixteen.
        unsafe {
            _mm512_storeu_si512(to.cast(), sums[0]);
            _mm512_storeu_si512(to.add(LANES).cast(), sums[1]);
        }
    }
}
