//! Tiles of 6 rows by 16 columns in vectors of 256 bits, for processors without AVX-512: with the instruction that
//! multiplies bytes (AVX-VNNI), or with numbers of sixteen bits (AVX2).
#![expect(unsafe_code, reason = "vector loads and stores go through pointers")]

/// A kernel that adds `dot` (products of the groups of one row and eight columns, summed in each lane).
macro_rules! kernel {
    ($(#[$about:meta])* $name:ident, $features:literal, |$sum:ident, $group:ident, $right:ident| $dot:expr) => {
        $(#[$about])*
        pub(super) mod $name {
            use std::arch::x86_64::*;

            use super::super::{Block, Columns, LANES, Left, in_tiles};

            /// A block fills two registers.
            const HALF: usize = LANES / 2;

            #[target_feature(enable = $features)]
            pub(in super::super) fn panel(
                left: Left<'_>,
                panel: &[Block],
                columns: Columns<'_>,
                output: &mut [f32],
                stride: usize,
            ) {
                in_tiles!(left, panel, columns, output, stride, true, LANES; 6 5 4 3 2 1);
            }

            #[inline]
            #[target_feature(enable = $features)]
            fn dot($sum: __m256i, $group: __m256i, $right: __m256i) -> __m256i {
                $dot
            }

            #[target_feature(enable = $features)]
            fn tile<const ROWS: usize>(
                left: &[u32],
                left_stride: usize,
                panel: &[Block],
                output: &mut [[i32; LANES]; ROWS],
            ) {
                let steps = panel.len();
                assert!(
                    left.len() >= (ROWS - 1) * left_stride + steps,
                    "the rows end before the panel does"
                );
                let mut sums = [[_mm256_setzero_si256(); 2]; ROWS];
                let left = left.as_ptr();
                let mut blocks = panel.as_ptr().cast::<__m256i>();
                for step in 0..steps {
                    // SAFETY: `blocks` walks `steps` whole blocks of two vectors, aligned to 64 bytes; row and step
                    // stay inside `left`, whose length was checked.
                    unsafe {
                        let right = [_mm256_load_si256(blocks), _mm256_load_si256(blocks.add(1))];
                        blocks = blocks.add(2);
                        for (row, sums) in sums.iter_mut().enumerate() {
                            let group = *left.add(row * left_stride + step);
                            let group = _mm256_set1_epi32(group.cast_signed());
                            sums[0] = dot(sums[0], group, right[0]);
                            sums[1] = dot(sums[1], group, right[1]);
                        }
                    }
                }
                for (output, sums) in output.iter_mut().zip(sums) {
                    let to = output.as_mut_ptr();
                    // SAFETY: a row of the output has room for two vectors of eight.
                    unsafe {
                        _mm256_storeu_si256(to.cast(), sums[0]);
                        _mm256_storeu_si256(to.add(HALF).cast(), sums[1]);
                    }
                }
            }
        }
    };
}

kernel! {
    avxvnni, "avxvnni,avx2,fma",
    |sum, group, right| _mm256_dpbusd_avx_epi32(sum, group, right)
}
kernel! {
    avx2, "avx2,fma",
    |sum, group, right| _mm256_add_epi32(sum, _mm256_madd_epi16(group, right))
}
kernel! {
    /// AVX-VNNI in the coding of AVX-512, so that a machine with that can test it.
    #[cfg(test)]
    avxvnni_as_avx512, "avx512vnni,avx512vl,avx512f,avx2,fma",
    |sum, group, right| _mm256_dpbusd_epi32(sum, group, right)
}
