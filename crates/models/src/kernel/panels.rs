//! Matrices packed for the kernels: columns in panels, each panel contiguous from top to bottom.

use super::{Kernel, LANES};

/// Sixteen floats that begin on a cache line, so that no vector load crosses one.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct Line(pub(crate) [f32; LANES]);

impl Line {
    pub(crate) const ZERO: Self = Self([0.0; LANES]);
}

/// A packed matrix that is borrowed: `columns` wide, `depth` deep.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Panels<'a> {
    pub(super) lines: &'a [Line],
    pub(super) depth: usize,
    pub(super) columns: usize,
}

impl<'a> Panels<'a> {
    /// A view of lines packed in the caller's buffer.
    pub(crate) fn of(lines: &'a [Line], depth: usize, columns: usize) -> Self {
        Self { lines, depth, columns }
    }

    pub(crate) fn depth(self) -> usize {
        self.depth
    }

    /// Only the panels from `first` on, at most `count` of them.
    pub(crate) fn slice(self, kernel: Kernel, first: usize, count: usize) -> Self {
        let (size, width) = (self.depth * kernel.lines(), kernel.width());
        let columns = self.columns.saturating_sub(first * width).min(count * width);
        let lines = &self.lines[first * size..];
        Self { lines: &lines[..lines.len().min(count * size)], columns, ..self }
    }
}

/// A packed matrix that is owned: the weights of a linear layer.
#[derive(Debug)]
pub(crate) struct Packed {
    lines: Vec<Line>,
    depth: usize,
    columns: usize,
}

impl Packed {
    /// Packs a matrix given by its rows (`columns` of them, each `depth` long), as weights are stored:
    /// row `i` holds what output column `i` multiplies its input with.
    pub(crate) fn pack(
        kernel: Kernel,
        columns: usize,
        depth: usize,
        mut row: impl FnMut(usize, &mut [f32]),
    ) -> Self {
        let mut lines = vec![Line::ZERO; lines_needed(kernel, columns, depth)];
        let mut values = vec![0.0; depth];
        for column in 0..columns {
            row(column, &mut values);
            place_column(kernel, &mut lines, depth, column, &values);
        }
        Self { lines, depth, columns }
    }

    pub(crate) fn panels(&self) -> Panels<'_> {
        Panels { lines: &self.lines, depth: self.depth, columns: self.columns }
    }

    /// The matrix as another device wants it: `depth` rows of `columns`.
    #[cfg(feature = "cuda")]
    pub(crate) fn unpacked(&self, kernel: Kernel) -> Vec<f32> {
        let (width, per_step) = (kernel.width(), kernel.lines());
        let mut values = Vec::with_capacity(self.depth * self.columns);
        for step in 0..self.depth {
            for first in (0..self.columns).step_by(LANES) {
                let panel = &self.lines[first / width * per_step * self.depth..];
                let line = &panel[step * per_step + first % width / LANES];
                values.extend_from_slice(&line.0[..LANES.min(self.columns - first)]);
            }
        }
        values
    }

    pub(crate) fn columns(&self) -> usize {
        self.columns
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(self.lines.as_slice())
    }
}

/// How many lines a packed matrix takes.
pub(crate) fn lines_needed(kernel: Kernel, columns: usize, depth: usize) -> usize {
    columns.div_ceil(kernel.width()) * kernel.lines() * depth
}

/// Writes one column, from top to bottom, into its place.
pub(crate) fn place_column(
    kernel: Kernel,
    lines: &mut [Line],
    depth: usize,
    column: usize,
    values: &[f32],
) {
    let (width, per_step) = (kernel.width(), kernel.lines());
    let panel = &mut lines[(column / width) * per_step * depth..][..per_step * depth];
    let (line, lane) = (column % width / LANES, column % LANES);
    for (step, value) in panel.chunks_exact_mut(per_step).zip(values) {
        step[line].0[lane] = *value;
    }
}

/// Writes one row, from left to right, into its place.
pub(crate) fn place_row(
    kernel: Kernel,
    lines: &mut [Line],
    depth: usize,
    row: usize,
    values: &[f32],
) {
    let (width, per_step) = (kernel.width(), kernel.lines());
    let panels = lines.chunks_exact_mut(per_step * depth);
    for (panel, values) in panels.zip(values.chunks(width)) {
        let step = &mut panel[row * per_step..][..per_step];
        for (line, values) in step.iter_mut().zip(values.chunks(LANES)) {
            line.0[..values.len()].copy_from_slice(values);
        }
    }
}

/// A bias in lines, padded to whole panels.
pub(crate) fn lines_of(kernel: Kernel, values: &[f32]) -> Vec<Line> {
    let mut lines = vec![Line::ZERO; lines_needed(kernel, values.len(), 1)];
    for (line, values) in lines.iter_mut().zip(values.chunks(LANES)) {
        line.0[..values.len()].copy_from_slice(values);
    }
    lines
}
