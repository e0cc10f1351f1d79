//! The arithmetic under the encoders: matrix products and row functions for the CPU at hand.
//!
//! Invariant: every output element is one sequential chain of multiply-adds over the depth, in the
//! same order whatever the number of rows. So a text's numbers never depend on its batch, and the
//! AVX2 and AVX-512 kernels agree to the last bit. Products of whole numbers ([`int8`]) keep it, too: their sums
//! are exact.
//!
//! This folder is one of the places that may use `unsafe`: vector instructions need it.
#![cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "calls functions compiled for a CPU feature after detecting it")
)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod int8;
mod panels;
mod plain;
mod rows;

pub(crate) use int8::{Int8Kernel, Int8Matrix, MAX_DEPTH, QuantizedRows};
pub(crate) use panels::{Line, Packed, Panels, lines_needed, lines_of, place_column, place_row};
pub(crate) use rows::{add_and_norm, exp_scaled, gelu, gelu_tanh, norm, relu};

/// How many rows of the left matrix are worked on at a time, so that they stay in the second cache.
/// A multiple of every kernel's tile height.
pub(crate) const ROW_BLOCK: usize = 240;

/// How much depth a panel may have to stay in the first cache beside the rows it meets.
const DEPTH_BLOCK: usize = 256;

/// Floats in a cache line, the unit in which packed matrices are stored.
pub(crate) const LANES: usize = 16;

/// Which instructions this machine offers; found once, when a model is loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kernel {
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    Plain,
}

/// Rows of floats inside a larger buffer: row `i` starts at `i * stride`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rows<'a> {
    pub(crate) data: &'a [f32],
    pub(crate) stride: usize,
    pub(crate) count: usize,
}

/// What a tile holds before the first product is added.
#[derive(Debug, Clone, Copy)]
enum Start<'a> {
    Zero,
    /// One line per sixteen columns.
    Bias(&'a [Line]),
    /// What the output holds already: the depth so far.
    Output,
}

impl Kernel {
    pub(crate) fn detect() -> Self {
        Self::available()[0]
    }

    /// Every kernel that runs here, best first.
    pub(crate) fn available() -> Vec<Self> {
        let mut found = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            let fma = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
            // The four that every AVX-512 server and desktop has; the row functions are compiled for them.
            if fma
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
            {
                found.push(Self::Avx512);
            }
            if fma {
                found.push(Self::Avx2);
            }
        }
        found.push(Self::Plain);
        found
    }

    /// Lines (sixteen columns each) in a row of a packed panel.
    pub(crate) fn lines(self) -> usize {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => avx512::LINES,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => avx2::LINES,
            Self::Plain => plain::LINES,
        }
    }

    /// Columns of a packed panel.
    pub(crate) fn width(self) -> usize {
        self.lines() * LANES
    }

    /// Multiplies rows by one panel of columns: `output = start + rows * panel`.
    fn panel(
        self,
        left: Rows<'_>,
        panel: &[Line],
        start: Start<'_>,
        output: &mut [f32],
        stride: usize,
    ) {
        match self {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: this variant exists only after the features were detected.
            Self::Avx512 => unsafe { avx512::panel(left, panel, start, output, stride) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            Self::Avx2 => unsafe { avx2::panel(left, panel, start, output, stride) },
            Self::Plain => plain::panel(left, panel, start, output, stride),
        }
    }
}

/// Multiplies `left` by the packed matrix: row `i` of the result goes to `output[i * stride..]`.
/// Only as many columns are written as the matrix has.
pub(crate) fn multiply(
    kernel: Kernel,
    left: Rows<'_>,
    right: Panels<'_>,
    bias: Option<&[Line]>,
    output: &mut [f32],
    stride: usize,
) {
    let (lines, width, depth) = (kernel.lines(), kernel.width(), right.depth);
    if depth == 0 || left.count == 0 {
        return;
    }
    let blocks = depth.div_ceil(DEPTH_BLOCK);
    let depth_block = depth.div_ceil(blocks);
    let mut edge = Vec::new();
    for first_row in (0..left.count).step_by(ROW_BLOCK) {
        let count = ROW_BLOCK.min(left.count - first_row);
        for first in (0..depth).step_by(depth_block) {
            let deep = depth_block.min(depth - first);
            let rows = Rows {
                data: &left.data[first_row * left.stride + first..],
                stride: left.stride,
                count,
            };
            let rows = rows.limited_to(deep);
            for (index, panel) in right.lines.chunks_exact(depth * lines).enumerate() {
                let column = index * width;
                let Some(wanted) = right.columns.checked_sub(column).filter(|it| *it > 0) else {
                    break;
                };
                let panel = &panel[first * lines..(first + deep) * lines];
                let start = match bias {
                    _ if first > 0 => Start::Output,
                    Some(bias) => Start::Bias(&bias[index * lines..][..lines]),
                    None => Start::Zero,
                };
                let origin = first_row * stride + column;
                if wanted >= width {
                    kernel.panel(rows, panel, start, &mut output[origin..], stride);
                    continue;
                }
                // The last columns do not fill a panel, and what is behind them is not ours to write.
                edge.clear();
                edge.resize(count * width, 0.0);
                if first > 0 {
                    for row in 0..count {
                        edge[row * width..][..wanted]
                            .copy_from_slice(&output[origin + row * stride..][..wanted]);
                    }
                }
                kernel.panel(rows, panel, start, &mut edge, width);
                for row in 0..count {
                    output[origin + row * stride..][..wanted]
                        .copy_from_slice(&edge[row * width..][..wanted]);
                }
            }
        }
    }
}

impl<'a> Rows<'a> {
    /// The same rows, with a buffer that ends where the last one does at this depth.
    fn limited_to(self, depth: usize) -> Self {
        Self { data: &self.data[..(self.count - 1) * self.stride + depth], ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Small whole numbers: every product and sum is exact, so all kernels must agree exactly.
    fn numbers(count: usize, seed: usize) -> Vec<f32> {
        (0..count).map(|i| ((i * 7 + seed * 13) % 11) as f32 - 5.0).collect()
    }

    fn by_definition(a: &[f32], w: &[f32], bias: &[f32], m: usize, k: usize, n: usize) -> Vec<f32> {
        let mut out = Vec::new();
        for row in 0..m {
            for column in 0..n {
                let sum: f32 = (0..k).map(|it| a[row * k + it] * w[column * k + it]).sum();
                out.push(sum + bias[column]);
            }
        }
        out
    }

    #[test]
    fn every_kernel_multiplies_as_the_definition_says_at_every_edge() {
        for kernel in Kernel::available() {
            for m in [1, 2, 5, 6, 11, 12, 13, 25, 241] {
                for (k, n) in [(1, 1), (8, 3), (32, 32), (48, 33), (300, 31), (513, 96)] {
                    let (a, w, bias) = (numbers(m * k, 1), numbers(n * k, 2), numbers(n, 3));
                    let packed = Packed::pack(kernel, n, k, |row, out| {
                        out.copy_from_slice(&w[row * k..][..k]);
                    });
                    let bias_lines = lines_of(kernel, &bias);
                    let mut out = vec![f32::NAN; m * n];
                    let left = Rows { data: &a, stride: k, count: m };
                    multiply(kernel, left, packed.panels(), Some(&bias_lines), &mut out, n);
                    let expected = by_definition(&a, &w, &bias, m, k, n);
                    assert_eq!(out, expected, "{kernel:?} {m}x{k}x{n}");
                }
            }
        }
    }

    #[cfg(feature = "cuda")]
    #[test]
    fn a_packed_matrix_is_unpacked_for_another_device() {
        for kernel in Kernel::available() {
            for (depth, columns) in [(1, 1), (3, 16), (5, 33), (2, 100)] {
                let packed = Packed::pack(kernel, columns, depth, |column, out| {
                    for (step, value) in out.iter_mut().enumerate() {
                        *value = (step * columns + column) as f32;
                    }
                });
                let expected: Vec<f32> = (0..depth * columns).map(|it| it as f32).collect();
                assert_eq!(packed.unpacked(kernel), expected, "{kernel:?} {depth}x{columns}");
            }
        }
    }

    #[test]
    fn a_row_has_the_same_bits_alone_and_among_others() {
        let (m, k, n) = (37, 384, 70);
        let fractions = |count: usize, seed: usize| -> Vec<f32> {
            (0..count).map(|i| ((i * 31 + seed) % 1009) as f32 / 613.0 - 0.8).collect()
        };
        let (a, w) = (fractions(m * k, 5), fractions(n * k, 77));
        let mut by_kernel = Vec::new();
        for kernel in Kernel::available() {
            let packed = Packed::pack(kernel, n, k, |row, out| {
                out.copy_from_slice(&w[row * k..][..k]);
            });
            let mut together = vec![0.0; m * n];
            let left = Rows { data: &a, stride: k, count: m };
            multiply(kernel, left, packed.panels(), None, &mut together, n);
            for row in 0..m {
                let mut alone = vec![0.0; n];
                let left = Rows { data: &a[row * k..][..k], stride: k, count: 1 };
                multiply(kernel, left, packed.panels(), None, &mut alone, n);
                assert_eq!(alone, together[row * n..][..n], "{kernel:?} row {row}");
            }
            by_kernel.push((kernel, together));
        }
        // Without fused multiply-add the last bits differ; with it they may not.
        let fused: Vec<_> = by_kernel.iter().filter(|it| it.0 != Kernel::Plain).collect();
        for pair in fused.windows(2) {
            assert_eq!(pair[0].1, pair[1].1);
        }
    }
}
