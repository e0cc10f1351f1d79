//! Vectors as a search scans them: one byte a number, row after row, in memory.
//!
//! A row is scaled to its largest number and rounded to 8 bits, which quarters the bytes a search has
//! to read. That loses about one part in a hundred of a similarity, so a scan only names candidates;
//! `rows` compares those again with the numbers as they were recorded.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;

use super::simd::{LANES, dots};

/// Rows of a block; a block is the unit that threads share out and that snapshots share.
const BLOCK_ROWS: usize = 4096;
/// Rows scored between two looks at the best so far: small enough to stay in the first cache.
const BATCH_ROWS: usize = 256;

/// A vector rounded to 8 bits. `byte * scale` is the number, for a vector of length one.
#[derive(Debug)]
pub(super) struct Code {
    pub(super) bytes: Vec<u8>,
    pub(super) scale: f32,
}

impl Code {
    pub(super) fn new(numbers: &[f32]) -> Self {
        let mut bytes = Vec::new();
        let scale = quantise(numbers.iter().copied(), &mut bytes);
        Self { bytes, scale }
    }
}

/// Appends the numbers, rounded and padded, and returns their scale.
///
/// A vector without direction (all zero, or not finite) becomes zeros with scale zero: it is similar
/// to nothing, and no division by its length can yield a NaN.
pub(super) fn quantise(numbers: impl Iterator<Item = f32> + Clone, bytes: &mut Vec<u8>) -> f32 {
    let start = bytes.len();
    // In f64, because squares of the smallest and largest f32 leave the range of f32.
    let (mut largest, mut squares) = (0.0_f64, 0.0_f64);
    for number in numbers.clone().map(f64::from) {
        largest = largest.max(number.abs());
        squares += number * number;
    }
    let has_direction = squares > 0.0 && squares.is_finite();
    let factor = if has_direction { 127.0 / largest } else { 0.0 };
    bytes.extend(numbers.map(|number| {
        let scaled = f64::from(number) * factor;
        // Rounds by hand: without SSE 4.1 in the build, `round` is a call for every number.
        ((scaled + 0.5_f64.copysign(scaled)) as i8).cast_unsigned()
    }));
    bytes.resize(start + padded(bytes.len() - start), 0);
    if has_direction { (largest / (127.0 * squares.sqrt())) as f32 } else { 0.0 }
}

/// The length of a row in bytes.
pub(super) fn padded(dimension: usize) -> usize {
    dimension.next_multiple_of(LANES)
}

/// The numbers of a stored vector: f32, little-endian.
pub(super) fn numbers(blob: &[u8]) -> impl Iterator<Item = f32> + Clone {
    blob.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes))
}

/// A row that may be among the nearest: its place in the table and its rounded similarity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Candidate {
    pub(super) score: f32,
    pub(super) seq: i64,
}

impl Candidate {
    /// Nearest first; of equals, the one recorded first.
    fn order(&self, other: &Self) -> std::cmp::Ordering {
        other.score.total_cmp(&self.score).then(self.seq.cmp(&other.seq))
    }
}

/// The `keep` best candidates seen so far.
///
/// Collects up to twice as many and then throws the worse half away: cheaper than a heap, and what
/// remains does not depend on the order of arrival.
#[derive(Debug)]
pub(super) struct Best {
    keep: usize,
    found: Vec<Candidate>,
    worst_kept: Option<Candidate>,
}

impl Best {
    pub(super) fn new(keep: usize) -> Self {
        Self { keep, found: Vec::with_capacity(2 * keep), worst_kept: None }
    }

    /// Scores below this cannot enter any more.
    fn floor(&self) -> f32 {
        self.worst_kept.map_or(f32::NEG_INFINITY, |it| it.score)
    }

    pub(super) fn offer(&mut self, candidate: Candidate) {
        if self.worst_kept.is_some_and(|worst| candidate.order(&worst).is_gt()) {
            return;
        }
        self.found.push(candidate);
        if self.found.len() >= 2 * self.keep {
            self.cut();
        }
    }

    fn cut(&mut self) {
        if self.keep > 0 && self.found.len() > self.keep {
            let (_, worst, _) = self.found.select_nth_unstable_by(self.keep - 1, Candidate::order);
            self.worst_kept = Some(*worst);
        }
        self.found.truncate(self.keep);
    }

    pub(super) fn merge(mut self, other: Self) -> Self {
        other.found.into_iter().for_each(|it| self.offer(it));
        self
    }

    /// Nearest first.
    pub(super) fn into_sorted(mut self) -> Vec<Candidate> {
        self.cut();
        self.found.sort_unstable_by(Candidate::order);
        self.found
    }
}

/// Some rows, column by column.
#[derive(Debug, Clone, Default)]
pub(super) struct Block {
    pub(super) seqs: Vec<i64>,
    pub(super) scales: Vec<f32>,
    pub(super) codes: Vec<u8>,
}

impl Block {
    pub(super) fn with_capacity(rows: usize, length: usize) -> Self {
        Self {
            seqs: Vec::with_capacity(rows),
            scales: Vec::with_capacity(rows),
            codes: Vec::with_capacity(rows * length),
        }
    }

    pub(super) fn rows(&self) -> usize {
        self.seqs.len()
    }

    pub(super) fn push(&mut self, seq: i64, numbers: impl Iterator<Item = f32> + Clone) {
        self.scales.push(quantise(numbers, &mut self.codes));
        self.seqs.push(seq);
    }

    fn copy_row(&mut self, from: &Self, row: usize, length: usize) {
        self.seqs.push(from.seqs[row]);
        self.scales.push(from.scales[row]);
        self.codes.extend_from_slice(from.code(row, length));
    }

    /// The bytes of one row.
    pub(super) fn code(&self, row: usize, length: usize) -> &[u8] {
        &self.codes[row * length..(row + 1) * length]
    }

    /// Offers every row to `best`.
    pub(super) fn scan(&self, query: &Code, best: &mut Best) {
        let mut products = [0; BATCH_ROWS];
        let batches = self.codes.chunks(BATCH_ROWS * query.bytes.len());
        let columns = self.scales.chunks(BATCH_ROWS).zip(self.seqs.chunks(BATCH_ROWS));
        for (codes, (scales, seqs)) in batches.zip(columns) {
            let products = &mut products[..seqs.len()];
            dots(&query.bytes, codes, products);
            for ((product, scale), seq) in products.iter().zip(scales).zip(seqs) {
                let score = *product as f32 * scale * query.scale;
                if score >= best.floor() {
                    best.offer(Candidate { score, seq: *seq });
                }
            }
        }
    }
}

/// The vectors of one model over one kind of target, oldest first.
///
/// Cloning is cheap and gives a snapshot: full blocks are shared, and adding to one copy leaves the
/// others as they are.
#[derive(Debug, Clone, Default)]
pub(super) struct Matrix {
    dimension: Option<usize>,
    blocks: Vec<Arc<Block>>,
    rows: usize,
}

impl Matrix {
    /// The length of the vectors, known once there is one.
    pub(super) fn dimension(&self) -> Option<usize> {
        self.dimension
    }

    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    pub(super) fn blocks(&self) -> &[Arc<Block>] {
        &self.blocks
    }

    pub(super) fn last_seq(&self) -> Option<i64> {
        self.blocks.last()?.seqs.last().copied()
    }

    /// Bytes of a row, padding included.
    pub(super) fn length(&self) -> usize {
        padded(self.dimension.unwrap_or(0))
    }

    /// Adds a stored vector; its length must be that of the others.
    pub(super) fn push(&mut self, seq: i64, blob: &[u8]) {
        let dimension = *self.dimension.get_or_insert(blob.len() / 4);
        assert_eq!(blob.len(), 4 * dimension, "checked by the loader");
        self.open_block().push(seq, numbers(blob));
        self.rows += 1;
    }

    /// Copies the rows recorded after `seq`.
    pub(super) fn after(&self, seq: i64) -> Self {
        let mut rest = Self { dimension: self.dimension, ..Self::default() };
        for block in &self.blocks {
            for row in block.seqs.partition_point(|it| *it <= seq)..block.rows() {
                let length = rest.length();
                rest.open_block().copy_row(block, row, length);
                rest.rows += 1;
            }
        }
        rest
    }

    /// Copies the rows at these places, in their order.
    pub(super) fn pick(&self, places: &[usize]) -> Vec<Arc<Block>> {
        let mut picked = Self { dimension: self.dimension, ..Self::default() };
        for place in places {
            let (block, row) = (&self.blocks[place / BLOCK_ROWS], place % BLOCK_ROWS);
            let length = picked.length();
            picked.open_block().copy_row(block, row, length);
        }
        picked.blocks
    }

    /// The block that takes the next row.
    fn open_block(&mut self) -> &mut Block {
        if self.blocks.last().is_none_or(|it| it.rows() == BLOCK_ROWS) {
            self.blocks.push(Arc::new(Block::with_capacity(BLOCK_ROWS, self.length())));
        }
        Arc::make_mut(self.blocks.last_mut().expect("the line above made one"))
    }

    /// Compares all rows with the query.
    pub(super) fn scan(&self, query: &Code, keep: usize, threads: usize) -> Best {
        let scan = |blocks: &[Arc<Block>]| {
            let mut best = Best::new(keep);
            blocks.iter().for_each(|block| block.scan(query, &mut best));
            best
        };
        let parts = in_parallel(&self.blocks, threads, scan);
        parts.into_iter().reduce(Best::merge).unwrap_or_else(|| Best::new(keep))
    }
}

/// Gives each of `threads` an equal run of the items; the results keep their order.
///
/// A machine that has no thread left is slower, not broken: the caller does the work.
pub(super) fn in_parallel<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    work: impl Fn(&[T]) -> R + Sync,
) -> Vec<R> {
    if items.is_empty() {
        return Vec::new();
    }
    let mut runs = items.chunks(items.len().div_ceil(threads.max(1)));
    let first = runs.next().expect("there are items");
    let work = &work;
    thread::scope(|scope| {
        let others: Vec<_> = runs
            .map(|run| {
                thread::Builder::new().spawn_scoped(scope, move || work(run)).map_err(|_| run)
            })
            .collect();
        let mut results = vec![work(first)];
        results.extend(others.into_iter().map(|it| match it {
            Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
            Err(run) => work(run),
        }));
        results
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn blob(numbers: &[f32]) -> Vec<u8> {
        numbers.iter().flat_map(|it| it.to_le_bytes()).collect()
    }

    #[test]
    fn a_row_is_rounded_to_its_largest_number_and_padded() {
        let code = Code::new(&[3.0, -4.0, 0.0, 0.02]);
        let head: Vec<i8> = code.bytes[..4].iter().map(|it| it.cast_signed()).collect();
        assert_eq!(head, [95, -127, 0, 1]);
        assert_eq!(code.bytes.len(), 32);
        assert!((code.scale - 4.0 / (127.0 * 5.0)).abs() < 1e-6);
    }

    #[test]
    fn vectors_without_direction_are_zeros_of_scale_zero() {
        for numbers in [[0.0, 0.0], [f32::NAN, 1.0], [f32::INFINITY, 1.0]] {
            let code = Code::new(&numbers);
            assert_eq!((code.scale, code.bytes), (0.0, vec![0; 32]), "{numbers:?}");
        }
    }

    #[test]
    fn the_smallest_and_largest_numbers_keep_their_direction() {
        for size in [f32::from_bits(1), f32::MIN_POSITIVE, f32::MAX] {
            let code = Code::new(&[size, -size]);
            assert_eq!(code.bytes[..2], [127, (-127_i8).cast_unsigned()], "{size}");
            assert!((code.scale * 127.0 - 0.5_f32.sqrt()).abs() < 1e-6, "{size}");
        }
    }

    #[test]
    fn a_snapshot_does_not_see_later_rows() {
        let mut matrix = Matrix::default();
        matrix.push(1, &blob(&[1.0, 0.0]));
        let before = matrix.clone();
        matrix.push(2, &blob(&[0.0, 1.0]));
        assert_eq!((before.rows(), before.last_seq()), (1, Some(1)));
        assert_eq!((matrix.rows(), matrix.last_seq()), (2, Some(2)));
        assert_eq!(before.blocks()[0].rows(), 1);
    }

    #[test]
    fn the_rest_after_a_row_starts_in_the_middle_of_a_block() {
        let mut matrix = Matrix::default();
        let rows = i64::try_from(BLOCK_ROWS).unwrap() + 3;
        for seq in 1..=rows {
            matrix.push(seq * 10, &blob(&[seq as f32]));
        }
        let rest = matrix.after(rows * 10 - 45);
        let seqs: Vec<i64> = rest.blocks().iter().flat_map(|it| it.seqs.clone()).collect();
        assert_eq!(seqs, (rows - 4..=rows).map(|it| it * 10).collect::<Vec<_>>());
        assert_eq!(rest.rows(), 5);
        assert_eq!(matrix.after(rows * 10).rows(), 0);
    }

    proptest! {
        #[test]
        fn the_best_are_the_first_of_all_in_order(
            keep in 1_usize..20,
            scores in proptest::collection::vec(0_u8..10, 0..200),
            cut in 0_usize..200,
        ) {
            let all: Vec<Candidate> = (0..)
                .zip(&scores)
                .map(|(seq, score)| Candidate { score: f32::from(*score), seq })
                .collect();
            let (left, right) = all.split_at(cut.min(all.len()));
            let best_of = |some: &[Candidate]| {
                let mut best = Best::new(keep);
                some.iter().rev().for_each(|it| best.offer(*it));
                best
            };
            let mut expected = all.clone();
            expected.sort_by(Candidate::order);
            expected.truncate(keep);
            prop_assert_eq!(best_of(left).merge(best_of(right)).into_sorted(), expected);
        }

        #[test]
        fn work_is_shared_out_in_order(items in proptest::collection::vec(0_u8.., 0..40), threads in 0_usize..9) {
            let parts = in_parallel(&items, threads, <[u8]>::to_vec);
            prop_assert!(parts.len() <= threads.max(1));
            prop_assert_eq!(parts.concat(), items);
        }
    }
}
