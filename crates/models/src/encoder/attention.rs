//! Attention of one sequence: who looks at whom, head by head.
//!
//! Queries are taken in blocks, so that the scores of a long sequence are never in memory at
//! once. The division of the softmax happens on the result, which is shorter than the scores.

use super::bias::PositionBias;
use super::relative::{Relative, RelativeWeights};
use super::reshape;
use crate::kernel::{
    self, Kernel, Line, Panels, ROW_BLOCK, Rows, lines_needed, place_column, place_row,
};

#[derive(Debug, Default)]
pub(super) struct AttentionScratch {
    keys: Vec<Line>,
    values: Vec<Line>,
    scores: Vec<f32>,
    sums: Vec<f32>,
    pub(super) by_query: Vec<f32>,
    pub(super) by_key: Vec<f32>,
}

/// How a network tells where tokens stand.
#[derive(Clone, Copy)]
pub(super) enum Positions<'a> {
    /// What goes into the first layer says it.
    InTheInput,
    /// Scores also depend on the embedding of the distance.
    Embedded(&'a Relative, &'a RelativeWeights),
    /// A number for each distance is added to the scores.
    Biased(&'a PositionBias),
}

/// Fills `context` (tokens by `hidden`) from `projected` (tokens by query, key, value).
pub(super) fn attend(
    kernel: Kernel,
    heads: usize,
    hidden: usize,
    positions: Positions<'_>,
    projected: &[f32],
    context: &mut [f32],
    scratch: &mut AttentionScratch,
) {
    let (width, stride, depth) = (kernel.width(), 3 * hidden, hidden / heads);
    let length = context.len() / hidden;
    let padded = length.next_multiple_of(width);
    scratch.keys.resize(lines_needed(kernel, length, depth), Line::ZERO);
    scratch.values.resize(lines_needed(kernel, depth, length), Line::ZERO);
    let parts = match positions {
        Positions::Embedded(_, weights) => 1 + weights.parts(),
        Positions::InTheInput | Positions::Biased(_) => 1,
    };
    let scale = 1.0 / ((depth * parts) as f32).sqrt();
    for head in 0..heads {
        let (query_at, key_at, value_at) =
            (head * depth, hidden + head * depth, 2 * hidden + head * depth);
        for (token, row) in projected.chunks_exact(stride).enumerate() {
            place_column(kernel, &mut scratch.keys, depth, token, &row[key_at..][..depth]);
            place_row(kernel, &mut scratch.values, length, token, &row[value_at..][..depth]);
        }
        let keys = Panels::of(&scratch.keys, depth, padded);
        let values = Panels::of(&scratch.values, length, depth);
        if let Positions::Embedded(relative, weights) = positions {
            let rows = Rows { data: &projected[key_at..], stride, count: length };
            relative.meet_keys(kernel, weights, head, rows, &mut scratch.by_key);
        }
        for first in (0..length).step_by(ROW_BLOCK) {
            let count = ROW_BLOCK.min(length - first);
            let queries = Rows { data: &projected[first * stride + query_at..], stride, count };
            reshape(&mut scratch.scores, count * padded);
            kernel::multiply(kernel, queries, keys, None, &mut scratch.scores, padded);
            let scores = &mut scratch.scores;
            match positions {
                Positions::InTheInput => {}
                Positions::Embedded(relative, weights) => {
                    let (by_query, by_key) = (&mut scratch.by_query, &scratch.by_key);
                    relative.meet_queries(kernel, weights, head, queries, length, by_query);
                    relative.add(kernel, weights, first, length, by_query, by_key, scores, padded);
                }
                Positions::Biased(bias) => bias.add(head, first, length, scores, padded),
            }
            scratch.sums.clear();
            for row in scratch.scores.chunks_exact_mut(padded) {
                scratch.sums.push(kernel::exp_scaled(kernel, &mut row[..length], scale));
            }
            let weights = Rows { data: &scratch.scores, stride: padded, count };
            let output = &mut context[first * hidden + head * depth..];
            kernel::multiply(kernel, weights, values, None, output, hidden);
            for (row, sum) in output.chunks_mut(hidden).zip(&scratch.sums) {
                let share = 1.0 / sum;
                row[..depth].iter_mut().for_each(|it| *it *= share);
            }
        }
    }
}
