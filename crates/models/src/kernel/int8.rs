//! Matrix products in whole numbers: weights of eight bits meet inputs that are brought to eight bits row by row.
//!
//! A row of inputs becomes bytes with a scale and a zero of its own ([`QuantizedRows`]), so that its numbers never
//! depend on the rows beside it. Products are summed in 32 bits without rounding or saturation, by every kernel alike:
//! which instructions a machine has changes the time, not the sums.

#[cfg(target_arch = "x86_64")]
mod avx512vnni;
mod plain;
#[cfg(target_arch = "x86_64")]
mod ymm;

use super::{Kernel, LANES, ROW_BLOCK, rows};

/// Deeper sums of products of a byte and a signed byte could leave 32 bits.
pub(crate) const MAX_DEPTH: usize = 1 << 16;

/// Which instructions multiply whole numbers here; found once, when a matrix is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Int8Kernel {
    #[cfg(target_arch = "x86_64")]
    Avx512Vnni,
    #[cfg(target_arch = "x86_64")]
    AvxVnni,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    Plain,
}

/// Sixteen columns by one group of depth: four bytes of each column, or two numbers of sixteen bits.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
struct Block([u32; LANES]);

/// The weights of a linear layer as whole numbers, with what turns sums of them into floats.
#[derive(Debug)]
pub(crate) struct Int8Matrix {
    kernel: Int8Kernel,
    depth: usize,
    columns: usize,
    blocks: Vec<Block>,
    /// Padded to whole panels, like `scales` and `bias`: the sum of each column's weights.
    sums: Vec<i32>,
    scales: Vec<f32>,
    bias: Vec<f32>,
}

/// Rows of inputs as bytes: `input = (byte - zero) * scale`.
#[derive(Debug, Default)]
pub(crate) struct QuantizedRows {
    /// Row after row, in groups as the kernel multiplies them.
    groups: Vec<u32>,
    zeros: Vec<i32>,
    scales: Vec<f32>,
    bytes: Vec<u8>,
}

/// Some quantized rows, as a kernel sees them.
#[derive(Clone, Copy)]
struct Left<'a> {
    groups: &'a [u32],
    /// Groups of a row.
    stride: usize,
    zeros: &'a [i32],
    scales: &'a [f32],
}

/// What a panel's columns are finished with.
#[derive(Clone, Copy)]
struct Columns<'a> {
    sums: &'a [i32],
    scales: &'a [f32],
    bias: &'a [f32],
}

impl Int8Kernel {
    pub(crate) fn detect() -> Self {
        Self::available()[0]
    }

    /// Every kernel that runs here, best first.
    pub(crate) fn available() -> Vec<Self> {
        let mut found = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            let fma = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
            if fma
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512vnni")
            {
                found.push(Self::Avx512Vnni);
            }
            if fma && is_x86_feature_detected!("avxvnni") {
                found.push(Self::AvxVnni);
            }
            if fma {
                found.push(Self::Avx2);
            }
        }
        found.push(Self::Plain);
        found
    }

    /// Blocks (sixteen columns each) in a step of a panel.
    fn blocks(self) -> usize {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512Vnni => avx512vnni::BLOCKS,
            #[cfg(target_arch = "x86_64")]
            Self::AvxVnni | Self::Avx2 => 1,
            Self::Plain => 1,
        }
    }

    fn width(self) -> usize {
        self.blocks() * LANES
    }

    /// How many numbers of a column are multiplied and summed at a time.
    fn group(self) -> usize {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512Vnni | Self::AvxVnni => 4,
            #[cfg(target_arch = "x86_64")]
            // Products of bytes would saturate in pairs of sixteen bits; numbers of sixteen bits are summed in 32.
            Self::Avx2 => 2,
            Self::Plain => 2,
        }
    }

    /// Puts whole numbers into groups; the last group is filled up with zeros.
    fn grouped<T: Copy + Default + Into<i32>>(self, numbers: &[T], out: &mut [u32]) {
        match self.group() {
            4 => {
                let byte = |number: T| number.into() as u8;
                let (whole, rest) = numbers.as_chunks::<4>();
                for (out, group) in out.iter_mut().zip(whole) {
                    *out = u32::from_le_bytes(group.map(byte));
                }
                if let ([_, ..], Some(out)) = (rest, out.last_mut()) {
                    let at = |place: usize| rest.get(place).copied().map_or(0, byte);
                    *out = u32::from_le_bytes([at(0), at(1), at(2), 0]);
                }
            }
            _ => {
                let half = |number: T| u32::from(number.into() as u16);
                let (whole, rest) = numbers.as_chunks::<2>();
                for (out, [low, high]) in out.iter_mut().zip(whole) {
                    *out = half(*low) | half(*high) << 16;
                }
                if let ([last], Some(out)) = (rest, out.last_mut()) {
                    *out = half(*last);
                }
            }
        }
    }

    fn panel(
        self,
        left: Left<'_>,
        panel: &[Block],
        columns: Columns<'_>,
        output: &mut [f32],
        stride: usize,
    ) {
        match self {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: this variant exists only after the features were detected.
            Self::Avx512Vnni => unsafe { avx512vnni::panel(left, panel, columns, output, stride) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            Self::AvxVnni => unsafe { ymm::avxvnni::panel(left, panel, columns, output, stride) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            Self::Avx2 => unsafe { ymm::avx2::panel(left, panel, columns, output, stride) },
            Self::Plain => plain::panel(left, panel, columns, output, stride),
        }
    }
}

impl Int8Matrix {
    /// Packs weights given by their rows: row `i` holds the `depth` whole numbers that output column `i` multiplies its
    /// input with. `row` writes them and returns their scale.
    pub(crate) fn pack(
        kernel: Int8Kernel,
        depth: usize,
        bias: &[f32],
        mut row: impl FnMut(usize, &mut [i8]) -> f32,
    ) -> Self {
        assert!(depth <= MAX_DEPTH, "sums of this depth may leave 32 bits");
        let columns = bias.len();
        let (width, per_step, steps) =
            (kernel.width(), kernel.blocks(), depth.div_ceil(kernel.group()));
        let padded = columns.next_multiple_of(width);
        let mut packed = Self {
            kernel,
            depth,
            columns,
            blocks: vec![Block([0; LANES]); padded / LANES * steps],
            sums: vec![0; padded],
            scales: vec![0.0; padded],
            bias: vec![0.0; padded],
        };
        packed.bias[..columns].copy_from_slice(bias);
        let (mut weights, mut groups) = (vec![0; depth], vec![0; steps]);
        for column in 0..columns {
            packed.scales[column] = row(column, &mut weights);
            packed.sums[column] = weights.iter().map(|it| i32::from(*it)).sum();
            kernel.grouped(&weights, &mut groups);
            let panel = &mut packed.blocks[column / width * per_step * steps..];
            let (block, lane) = (column % width / LANES, column % LANES);
            for (step, group) in panel.chunks_exact_mut(per_step).zip(&groups) {
                step[block].0[lane] = *group;
            }
        }
        packed
    }

    pub(crate) fn columns(&self) -> usize {
        self.columns
    }

    pub(crate) fn bytes(&self) -> usize {
        let Self { blocks, sums, scales, bias, .. } = self;
        size_of_val(&blocks[..])
            + size_of_val(&sums[..])
            + size_of_val(&scales[..])
            + size_of_val(&bias[..])
    }

    /// `output = input * weights + bias`, for as many rows as the input has. `rows` is a buffer.
    pub(crate) fn multiply(
        &self,
        kernel: Kernel,
        input: &[f32],
        output: &mut [f32],
        rows: &mut QuantizedRows,
    ) {
        let (int8, width) = (self.kernel, self.kernel.width());
        rows.fill(kernel, int8, input, self.depth);
        let (steps, stride) = (self.depth.div_ceil(int8.group()), self.columns);
        let panel_size = steps * int8.blocks();
        let count = rows.scales.len();
        let mut edge = Vec::new();
        for first in (0..count).step_by(ROW_BLOCK) {
            let block = ROW_BLOCK.min(count - first);
            let left = rows.some(steps, first, block);
            for (index, panel) in self.blocks.chunks_exact(panel_size).enumerate() {
                let column = index * width;
                let columns = Columns {
                    sums: &self.sums[column..][..width],
                    scales: &self.scales[column..][..width],
                    bias: &self.bias[column..][..width],
                };
                let origin = first * stride + column;
                let wanted = (self.columns - column).min(width);
                if wanted == width {
                    int8.panel(left, panel, columns, &mut output[origin..], stride);
                    continue;
                }
                // The last columns do not fill a panel, and what is behind them is not ours to write.
                edge.resize(block * width, 0.0);
                int8.panel(left, panel, columns, &mut edge, width);
                for (row, edge) in edge.chunks_exact(width).enumerate() {
                    output[origin + row * stride..][..wanted].copy_from_slice(&edge[..wanted]);
                }
            }
        }
    }

    /// The matrix as another device wants it: `depth` rows of `columns` floats.
    #[cfg(feature = "cuda")]
    pub(crate) fn unpacked(&self) -> Vec<f32> {
        let (width, per_step, group) =
            (self.kernel.width(), self.kernel.blocks(), self.kernel.group());
        let steps = self.depth.div_ceil(group);
        let mut values = Vec::with_capacity(self.depth * self.columns);
        for place in 0..self.depth {
            for column in 0..self.columns {
                let panel = &self.blocks[column / width * per_step * steps..];
                let block = &panel[place / group * per_step + column % width / LANES];
                let bits = block.0[column % LANES] >> (place % group * (32 / group));
                // The low byte is the weight in both groupings: sixteen bits hold no more than eight did.
                values.push(f32::from((bits as u8).cast_signed()) * self.scales[column]);
            }
        }
        values
    }

    #[cfg(feature = "cuda")]
    pub(crate) fn bias(&self) -> &[f32] {
        &self.bias[..self.columns]
    }
}

impl QuantizedRows {
    fn fill(&mut self, kernel: Kernel, int8: Int8Kernel, input: &[f32], depth: usize) {
        let steps = depth.div_ceil(int8.group());
        self.groups.resize(input.len() / depth * steps, 0);
        self.bytes.resize(depth, 0);
        self.zeros.clear();
        self.scales.clear();
        for (row, groups) in input.chunks_exact(depth).zip(self.groups.chunks_exact_mut(steps)) {
            let (zero, scale) = rows::quantize(kernel, row, &mut self.bytes);
            self.zeros.push(zero);
            self.scales.push(scale);
            int8.grouped(&self.bytes, groups);
        }
    }

    fn some(&self, stride: usize, first: usize, count: usize) -> Left<'_> {
        Left {
            groups: &self.groups[first * stride..][..count * stride],
            stride,
            zeros: &self.zeros[first..][..count],
            scales: &self.scales[first..][..count],
        }
    }
}

/// Turns the sums of one row into floats. `FUSED`: multiply-add is one instruction here.
#[inline(always)]
fn finish<const FUSED: bool, const WIDTH: usize>(
    sums: &[i32; WIDTH],
    (zero, scale): (i32, f32),
    columns: Columns<'_>,
    output: &mut [f32],
) {
    let (shares, scales) = (&columns.sums[..WIDTH], &columns.scales[..WIDTH]);
    let (bias, output) = (&columns.bias[..WIDTH], &mut output[..WIDTH]);
    for place in 0..WIDTH {
        let exact = sums[place].wrapping_sub(zero.wrapping_mul(shares[place]));
        output[place] = rows::fused::<FUSED>(exact as f32, scale * scales[place], bias[place]);
    }
}

/// Walks the rows of a panel in tiles of at most the first number of rows; the numbers are all sizes a tile may have.
macro_rules! in_tiles {
    ($left:ident, $panel:ident, $columns:ident, $output:ident, $stride:ident, $fused:expr, $width:expr;
     $most:literal $($fewer:literal)*) => {{
        let mut row = 0;
        while row < $left.scales.len() {
            let groups = &$left.groups[row * $left.stride..];
            match $left.scales.len() - row {
                $($fewer => in_tiles!(@ $fewer, row, groups, $left, $panel, $columns, $output, $stride, $fused, $width),)*
                _ => in_tiles!(@ $most, row, groups, $left, $panel, $columns, $output, $stride, $fused, $width),
            }
        }
    }};
    (@ $rows:literal, $row:ident, $groups:ident, $left:ident, $panel:ident, $columns:ident, $output:ident,
     $stride:ident, $fused:expr, $width:expr) => {{
        let mut sums = [[0_i32; $width]; $rows];
        tile::<$rows>($groups, $left.stride, $panel, &mut sums);
        for sums in &sums {
            let row = ($left.zeros[$row], $left.scales[$row]);
            $crate::kernel::int8::finish::<{ $fused }, { $width }>(sums, row, $columns, &mut $output[$row * $stride..]);
            $row += 1;
        }
    }};
}
use in_tiles;

#[cfg(test)]
mod tests;
